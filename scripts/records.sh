#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs every unit, in the configurations below, and writes a record of the runs for the
# pages: scripts/records.sh netlist|simulators NICGEN FOLDER [UNIT…]
#
#   netlist      what Yosys makes of the unit, in Verilator; at least 100,000 events each
#   simulators   the RTL in Icarus Verilog and as a CXXRTL model
#
# Exit code: that of the first run that fails; a record is written all the same.

set -uo pipefail

kind=$1 nicgen=$2 folder=$3
shift 3
units=${*:-reps reps_detector powertcp laps_pick laps_rate laps_loss laps_paths laps}
mkdir -p "$folder" || exit

# Configurations of a unit besides the default one, a line each, as arguments.
others() {
  case $1 in
    powertcp) echo "--set variant=theta"; echo "--set variant=both" ;;
    laps_pick) echo "--set picker=lookup" ;;
  esac
}

# Cycles of a run; what a unit needs for its 100,000 events is known from its bench.
cycles() {
  case $1/$2 in
    netlist/powertcp) echo 1000000 ;;
    netlist/*) echo 400000 ;;
    simulators/laps_pick) echo 5000 ;;
    simulators/*) echo 20000 ;;
  esac
}

# A CXXRTL model is one function; that of a large unit takes the compiler very long. The
# whole of LAPS takes Icarus Verilog as long; its parts run there as they are by default.
small() {
  case $1 in
    laps_rate) echo "--set paths=2 --set flows=64" ;;
    laps_pick) echo "--set paths=4" ;;
    laps_paths) echo "--set banks=2 --set rows=16 --set destinations=16 --set anchors=1" ;;
    laps_loss) echo "--set paths=16 --set depth=8 --set lanes=2 --set ack_queues=2" ;;
    laps) echo "--set banks=2 --set rows=16 --set destinations=16 --set anchors=1 --set flows=64 --set depth=8 --set lanes=2 --set ack_queues=2" ;;
  esac
}

bad=0
for unit in $units; do
  record=$folder/$unit.json
  rm -f "$record"
  while IFS= read -r set; do
    case $kind in
      netlist) ways=(--netlist) ;;
      simulators)
        ways=("--simulator icarus" "--simulator cxxrtl $(small "$unit")")
        [ "$unit" != laps ] || ways[0]+=" $(small laps)"
        ;;
    esac
    for way in "${ways[@]}"; do
      # shellcheck disable=SC2086 # the parts are words
      "$nicgen" cosim --unit "$unit" $set $way --cycles "$(cycles "$kind" "$unit")" --record "$record" || bad=$?
    done
  done < <(echo; others "$unit")
done
exit $bad
