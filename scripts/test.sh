#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Runs go test and says what the time went into: the packages that took longest, and the
# programs that the tests started. The record is build/test-time.txt too.
#
#   scripts/test.sh OUT ARGUMENT…
#
# OUT is the folder for the record, the arguments are those of go test. Short tests take a
# twelfth of the long lists: internal/sample/rota, or NICGEN_TURN, says which. Exit code:
# that of go test.

set -uo pipefail
cd "$(dirname "$0")/.."

if [ $# -lt 2 ]; then
  echo "test: want the output folder and the arguments of go test" >&2
  exit 2
fi
out=$1
shift
go=${GO:-go}
mkdir -p "$out" || exit

export NICGEN_TURN=${NICGEN_TURN:-$(grep -v '^#' internal/sample/rota)}

# Outside of the repository: go test repeats a test when a file changes that it opened
# there.
export NICGEN_ACCOUNT=${NICGEN_CACHE:-${XDG_CACHE_HOME:-$HOME/.cache}/nicgen}/account.tsv
mkdir -p "$(dirname "$NICGEN_ACCOUNT")" || exit
: >"$NICGEN_ACCOUNT"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
begin=$SECONDS
# Without the profile: with it, every package of the program is compiled twice.
"$go" test -pgo=off -exec "$PWD/scripts/account.sh" "$@" 2>&1 | tee "$log"
code=${PIPESTATUS[0]}

{
  printf '\nTurn %d of 12. %d s in all, %s processors.\n' $((NICGEN_TURN % 12)) $((SECONDS - begin)) "$(nproc)"
  printf '\npackage                                   seconds  of a processor\n'
  awk -F'\t' '$1 == "" { print $3 "\t" $2 "\t" $4; wall += $2; cpu += $3 }
    END { print cpu "\t" wall "\tall" }' "$NICGEN_ACCOUNT" |
    sort -rn | head -20 | awk -F'\t' '{ printf "%-40s %8.0f %8.0f\n", $3, $2, $1 }'
  printf '\nprogram started by the tests             runs  seconds  of a processor\n'
  awk -F'\t' '$1 != "" { n[$1]++; wall[$1] += $2; cpu[$1] += $3 }
    END { for (p in n) printf "%-40s %5d %8.0f %8.0f\n", p, n[p], wall[p], cpu[p] }' "$NICGEN_ACCOUNT" | sort -k4 -rn
} | tee "$out/test-time.txt"
exit "$code"
