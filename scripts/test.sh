#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs go test and says what the time went into: the packages that took longest, and the
# programs that the tests started. The record is build/test-time.txt too.
#
#   scripts/test.sh OUT ARGUMENT…
#
# OUT is the folder for the record, the arguments are those of go test. Each run of short
# tests takes another twelfth of the long lists, by the number of the commit: NICGEN_TURN
# overrides it. Exit code: that of go test.

set -uo pipefail

if [ $# -lt 2 ]; then
  echo "test: want the output folder and the arguments of go test" >&2
  exit 2
fi
out=$1
shift
go=${GO:-go}
mkdir -p "$out" || exit

# A copy without history, or with only the last commit of it, has no number: there the
# commit's name chooses, or nothing.
if [ -z "${NICGEN_TURN:-}" ]; then
  if [ "$(git rev-parse --is-shallow-repository 2>/dev/null)" = false ]; then
    NICGEN_TURN=$(git rev-list --count HEAD 2>/dev/null)
  else
    NICGEN_TURN=$((16#$(git rev-parse --short=7 HEAD 2>/dev/null || echo 0)))
  fi
fi
export NICGEN_TURN=$((${NICGEN_TURN:-0} % 12))

# Outside of the repository: go test repeats a test when a file changes that it opened
# there.
export NICGEN_ACCOUNT=${NICGEN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/nicgen}/account.tsv
mkdir -p "$(dirname "$NICGEN_ACCOUNT")" || exit
: >"$NICGEN_ACCOUNT"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
begin=$SECONDS
"$go" test "$@" 2>&1 | tee "$log"
code=${PIPESTATUS[0]}

{
  printf '\nTurn %d of 12. %d s in all, %s processors.\n' "$NICGEN_TURN" $((SECONDS - begin)) "$(nproc)"
  printf '\npackage                                   seconds\n'
  awk '$1 == "ok" && $3 ~ /s$/ { sub(/s$/, "", $3); sub(/^.*\/nicgen\//, "", $2); print $3 "\t" $2 }' "$log" |
    sort -rn | head -15 | awk -F'\t' '{ printf "%-40s %8.1f\n", $2, $1 }'
  printf '\nprogram started by the tests             runs  seconds  of a processor\n'
  awk -F'\t' '{ n[$1]++; wall[$1] += $2; cpu[$1] += $3 }
    END { for (p in n) printf "%-40s %5d %8.0f %8.0f\n", p, n[p], wall[p], cpu[p] }' "$NICGEN_ACCOUNT" | sort -k4 -rn
} | tee "$out/test-time.txt"
exit "$code"
