#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The tour: emit the units, lint them, replay recorded traffic and random events
# through RTL and model, send a capture through the NIC, let the RTL control simulated
# senders, synthesise for the Alveo U280's family, and print a summary. Called by make run.
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

# What single units show: recorded traffic first, simulated networks later.
tour=$("$nicgen" list --tour)
declare -A show
own() {
  local title run lines
  while IFS=$'\t' read -r title run lines; do
    if [[ $run == "$1 "* ]]; then
      show[$title]=$lines
      # shellcheck disable=SC2086 # the parts are words
      step "$title" ${run//REPORT/$out/report} </dev/null
    fi
  done <<<"$tour"
}

own cosim

# Some units have more than one event per cycle on average, so more than a million.
step "Every unit: a million cycles of random events" cosim --cycles 1000000 --json "$out/report/random.json"

# A capture of generated RoCEv2 conversations, and what leaves the NIC.
capture="NIC: a capture through nic_transport"
show[$capture]='^ +(in  |tx |rx )'
rm -f "$out/report/nic.pcapng" "$out/report/nic_left.pcapng"
step "NIC: conversations for a capture" nic traffic --seed 7 --frames 4000 --out "$out/report/nic.pcapng"
step "$capture" nic replay "$out/report/nic.pcapng" --actions path,echo-tx --report --out "$out/report/nic_left.pcapng"

# The synthesis begins beside the simulated networks, which take one processor. A unit made of
# others takes Yosys as long as its parts, which are units themselves.
"$nicgen" synth --no-composites --json "$out/report/synth.json" >"$out/report/synth.txt" &
synthesis=$!
trap 'kill "$synthesis" 2>/dev/null || true; wait' EXIT

own sim

printf '\n== Every unit: synthesis\n\n' | tee -a "$log"
code=0
wait "$synthesis" || code=$?
tee -a "$log" <"$out/report/synth.txt"
[ $code -eq 0 ] || exit $code

step "Report: one page with all results" report --out "$out/report/index.html"

# The result lines of each step, and of tables those that the unit chose.
printf '\n== Summary\n\n'
lines=
while IFS= read -r line; do
  case $line in
    "== "*)
      title=${line#== }
      lines=${show[$title]-}
      if [[ -n ${show[$title]+shown} || $title == "Every unit: "* ]]; then printf '%s\n' "$title"; fi
      ;;
    *": no findings in "* | *": left out, "* | "PASS "* | "  coverage: "* | "  note: "*" recorded "* | *" acknowledgements: every window equal in "* | *" probe answers: every output of every cycle equal in "* | "RTL equals golden model"* | nic_*" for "* | "LUT "* | "FF "* | "RAMB36 "* | "Logic levels "*)
      printf '  %s\n' "$line"
      ;;
    *) if [[ -n $lines && $line =~ $lines ]]; then printf '  %s\n' "$line"; fi ;;
  esac
done <"$log"
printf '\nAll steps passed. Units: %s/units; reports: %s/report; all in one page: %s/report/index.html\n' "$out" "$out" "$out"
