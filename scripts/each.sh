#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Makes the records of a kind, of all units: runs nicgen once for each line that
# `nicgen list --runs KIND` prints.
#
#   scripts/each.sh NICGEN KIND [ARGUMENT…]
#
# The arguments after KIND are added to each run. Exit code: that of the last run that
# failed, the others run all the same; 130 at once after Ctrl-C.

set -uo pipefail

if [ $# -lt 2 ]; then
  echo "each: want the program and the kind of the records" >&2
  exit 2
fi
nicgen=$1
kind=$2
shift 2

runs=$("$nicgen" list --runs "$kind") || exit
bad=0
while IFS= read -r run; do
  # shellcheck disable=SC2086 # the parts are words
  "$nicgen" $run "$@" </dev/null || bad=$?
  [ $bad -ne 130 ] || exit $bad
done <<<"$runs"
exit $bad
