#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Tests nicgen with other programs: installs what is missing for each, and runs its tests.
# One name, vet, is all checks of go vet: go test only makes the fast ones.
#
#   scripts/extras.sh OUT NAME…
#
# OUT is the folder for the record of scripts/test.sh. NAME is cocotb, ns3, slurm,
# verilators, yosys or vet, or turn: the one whose turn it is, if any. Exit code: 0 all passed,
# 2 wrong use, that of the first that failed otherwise.

set -uo pipefail
cd "$(dirname "$0")/.."

names=(cocotb ns3 slurm verilators yosys vet)
if [ $# -lt 2 ]; then
  echo "extras: want the output folder and names among ${names[*]}, or turn" >&2
  exit 2
fi
out=$1
shift
if [ "$*" = turn ]; then
  turn=${NICGEN_TURN:-$(grep -v '^#' internal/sample/rota)}
  # Every second turn of twelve has one.
  turn=$((turn % 12))
  if [ $((turn % 2)) -eq 1 ]; then
    echo "extras: none in turn $turn"
    exit 0
  fi
  set -- "${names[turn / 2]}"
fi

code=0
for name; do
  needs="" tests=()
  case "$name" in
    cocotb) needs=--verilators tests=(./tb/cocotb) ;;
    ns3) needs=--ns3 tests=(./integrations) ;;
    slurm) needs=--slurm tests=(-run '^TestSlurm$' ./cli) ;;
    verilators) needs=--verilators tests=(./tb/verilators) ;;
    yosys) needs=--yosys tests=(./tb/yosys) ;;
    vet) ;;
    *) echo "extras: unknown name \"$name\": want some of ${names[*]}, or turn" >&2; exit 2 ;;
  esac
  echo "extras: $name"
  if [ "$name" = vet ]; then
    "${GO:-go}" vet -tags extras ./...
  else
    scripts/deps.sh --tests "$needs" && scripts/test.sh "$out" -tags extras -short -timeout 20m "${tests[@]}"
  fi
  failed=$?
  [ "$code" -ne 0 ] || code=$failed
done
exit "$code"
