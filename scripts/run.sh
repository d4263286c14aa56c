#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The tour: emit the units, lint them, replay recorded traffic and random events
# through RTL and model, let the RTL control simulated senders, synthesise for the
# Alveo U280's family, and print a summary. Called by make run.
#
#   scripts/run.sh NICGEN OUT
#
# NICGEN is the program, OUT the folder for what it writes. Exit code: that of
# the first step that fails.

set -euo pipefail

if [ $# -ne 2 ]; then
  echo "run: want the program and the output folder" >&2
  exit 2
fi
nicgen=$1
out=$2
mkdir -p "$out/report"
log=$out/report/run.txt
: >"$log"

# step NAME ARGUMENT...: runs nicgen; its output goes to the log too.
step() {
  printf '\n== %s\n\n' "$1" | tee -a "$log"
  shift
  "$nicgen" "$@" | tee -a "$log"
}

step "Emit every unit in its default configuration" emit --out "$out/units"

step "Lint: nicgen's parser, Verilator with all warnings, Yosys with its checks" lint

# Recorded from the REPS authors' simulator, each with its settings.
reps=tb/reps/testdata
trace() {
  local name=$1
  shift
  step "REPS: recorded traffic, $name" cosim --unit reps --trace "$reps/$name.csv.gz" --evs-bits 16 \
    --set num_pkts_cwnd=150 --json "$out/report/reps-$name.json" "$@"
}
trace symmetric --set freezing_timeout_ns=10000000 --set explore_stride=8
trace asymmetric --set freezing_timeout_ns=10000000 --set explore_stride=8
trace failures --set freezing_timeout_ns=100000 --set explore_stride=8
trace failures-stride1 --set freezing_timeout_ns=100000 --set explore_stride=1

# REPS has more than one event per cycle on average, so more than a million.
step "Every unit: a million cycles of random events" cosim --cycles 1000000 --json "$out/report/random.json"

# Windows from the RTL, each checked against the golden model.
closed() {
  step "PowerTCP: closed loop, $1" sim "$1" --svg "$out/report/powertcp-$1.svg" --csv "$out/report/powertcp-$1.csv" \
    --json "$out/report/powertcp-$1.json"
}
closed incast
closed fairness

# Paths and rates from the RTL: a path fails and is repaired.
step "LAPS: closed loop, outage" sim outage --svg "$out/report/laps-outage.svg" --csv "$out/report/laps-outage.csv" \
  --json "$out/report/laps-outage.json" --beta 4

step "Every unit: synthesis" synth --json "$out/report/synth.json"

step "Report: one page with all results" report --out "$out/report/index.html"

# The result lines of each step.
printf '\n== Summary\n\n'
section=
while IFS= read -r line; do
  if [[ $line == "== "* ]]; then section=$line; fi
  case $line in
    "== REPS: recorded "* | "== PowerTCP: "* | "== LAPS: "* | "== Every unit: "*) printf '%s\n' "${line#== }" ;;
    *": no findings in "* | "PASS "* | "  coverage: "* | "  note: "*" recorded "* | *" acknowledgements: every window equal in "* | *" probe answers: every output of every cycle equal in "* | nic_*" for "* | "LUT "* | "FF "* | "RAMB36 "* | "Logic levels "*)
      printf '  %s\n' "$line" ;;
    # The table of LAPS: heading and values.
    *" β′ "* | *[0-9]" of "[0-9]*) if [[ $section == "== LAPS: "* ]]; then printf '  %s\n' "$line"; fi ;;
    # The table of the burst, not the long one of the fairness run.
    *" algorithm "*" peak queue, KB "* | *"PowerTCP "*) if [[ $section == *", incast" ]]; then printf '  %s\n' "$line"; fi ;;
  esac
done <"$log"
printf '\nAll steps passed. Units: %s/units; reports: %s/report; all in one page: %s/report/index.html\n' "$out" "$out" "$out"
