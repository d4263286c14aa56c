#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs the tests of a package and adds a line to the file that NICGEN_ACCOUNT names: nothing,
# wall-clock and processor seconds, the latter with those of all programs that the tests
# started, and the package. scripts/test.sh has go test use it.
#
#   scripts/account.sh PROGRAM ARGUMENT…

begin=$EPOCHREALTIME
"$@"
code=$?
end=$EPOCHREALTIME
[ -n "${NICGEN_ACCOUNT:-}" ] || exit "$code"
used=$(mktemp) || exit "$code"
times >"$used" # its own process: no pipe
package=${PWD#"$(cd "$(dirname "$0")/.." && pwd)"/}
awk -v begin="${begin/,/.}" -v end="${end/,/.}" -v package="$package" 'NR == 2 {
  for (i = 1; i <= 2; i++) { split($i, t, /[ms]/); cpu += 60 * t[1] + t[2] }
  printf "\t%.3f\t%.3f\t%s\n", end - begin, cpu, package
}' "$used" >>"$NICGEN_ACCOUNT"
rm -f "$used"
exit "$code"
