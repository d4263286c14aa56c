#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# The tour: emit the units, lint them, replay recorded traffic and random events
# through RTL and model together, synthesise for the Alveo U280's family.
# Called by make run.
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

step() { printf '\n== %s\n\n' "$*"; }

step "Emit every unit in its default configuration: $out/units"
"$nicgen" emit --out "$out/units"

step "Lint: Verilator with every warning on, Yosys with its checks"
"$nicgen" lint

# Recorded by the REPS authors' own simulation; each with its settings.
reps=tb/reps/testdata
trace() {
  local name=$1
  shift
  step "REPS: recorded traffic, $name"
  "$nicgen" cosim --unit reps --trace "$reps/$name.csv.gz" --evs-bits 16 \
    --set num_pkts_cwnd=150 --json "$out/report/reps-$name.json" "$@"
}
trace symmetric --set freezing_timeout_ns=10000000 --set explore_stride=8
trace asymmetric --set freezing_timeout_ns=10000000 --set explore_stride=8
trace failures --set freezing_timeout_ns=100000 --set explore_stride=8
trace failures-stride1 --set freezing_timeout_ns=100000 --set explore_stride=1

step "REPS: a million cycles of random events, more than one event a cycle"
"$nicgen" cosim --unit reps --cycles 1000000 --json "$out/report/reps-random.json"

step "REPS: synthesis"
"$nicgen" synth --unit reps --json "$out/report/reps-synth.json"

printf '\nAll steps passed. Units: %s/units, reports: %s/report\n' "$out" "$out"
