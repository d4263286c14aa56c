#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Builds and runs the example of integrations/ns3: REPS and PowerTCP, as nicgen exports them,
# in the hosts of a leaf-spine network of Debian's ns-3.
#
#   integrations/ns3/build.sh NICGEN OUT [OPTION]...
#
# Each run is made with the RTL, with the golden models, and with both compared in every cycle; the
# files have to be the same byte for byte. Options go to the example: its --PrintHelp lists them.
# OUT gets the exported libraries, the program, the runs' files, and ports.svg. The tools and
# headers are those of scripts/deps.sh --ns3. GO names the program go.
#
# Exit code: 0 the files are the same, 1 they are not or something failed, 2 wrong use.

set -euo pipefail

if [ $# -lt 2 ]; then
  echo "ns3: want the program nicgen and a folder" >&2
  exit 2
fi
nicgen=$(realpath "$1")
mkdir -p "$2"
out=$(realpath "$2")
shift 2
cd "${BASH_SOURCE[0]%/*}/../.."

"$nicgen" export --unit reps --evs-bits 14 --connections 64 --out "$out" >&2
"$nicgen" export --unit powertcp --variant theta --connections 64 --out "$out" >&2
flags=()
for unit in reps powertcp; do
  folder=$out/nicgen_$unit
  flags+=("-I$folder/include" "-L$folder/lib" "-lnicgen_$unit" "-Wl,-rpath,$folder/lib")
done
# Not pkg-config: Debian's files name libraries that libns3-dev does not bring.
for library in internet point-to-point traffic-control network core; do
  flags+=("-lns3-$library")
done
echo "ns3: compiling the example" >&2
g++ -std=c++17 -O2 -Wall -Wextra integrations/ns3/leafspine.cc -Iexport/examples "${flags[@]}" -o "$out/leafspine"

runs=()
for run in "one:one path a connection" "random:a random path a packet" "reps:REPS"; do
  paths=${run%%:*}
  for engine in rtl golden both; do
    "$out/leafspine" --paths="$paths" --engine=$engine --label="${run#*:}" --fail-at=150 --fail-for=300 "$@" --out="$out/$paths-$engine.json" >"$out/$paths-$engine.txt"
    if ! cmp "$out/$paths-rtl.json" "$out/$paths-$engine.json" >&2 || ! cmp "$out/$paths-rtl.txt" "$out/$paths-$engine.txt" >&2; then
      echo "ns3: with --paths=$paths the engines rtl and $engine differ" >&2
      exit 1
    fi
  done
  cat "$out/$paths-rtl.txt"
  runs+=("$out/$paths-rtl.json")
done
"${GO:-go}" run ./integrations/ns3/plot "$out/ports.svg" "${runs[@]}"
echo "RTL, golden models and both together: the same files. Plot: $out/ports.svg"
