#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0
#
# Fuzzes every parser, one after the other, with Go's own fuzzing. What the fuzzer
# finds worth keeping goes into the checked-in corpora below testdata/fuzz, at most
# CORPUS inputs for each parser, which every run of the tests goes through. A file
# that makes a parser fail stays there too, and ends the run.
#
#   scripts/fuzz.sh DURATION RESULTS
#
# DURATION is the time for each parser, such as 10m; RESULTS is the JSON file that
# sums up.

set -euo pipefail

if [ $# -ne 2 ]; then
  echo "fuzz: want the time for each parser and the file for the results" >&2
  exit 2
fi
duration=$1
results=$2
go=${GO:-go}
corpus=${CORPUS:-40}

log=$(mktemp)
rows=$(mktemp)
trap 'rm -f "$log" "$rows"' EXIT
cache=$("$go" env GOCACHE)
module=$("$go" list -m)

# As many as there is room for, spread evenly from the smallest to the largest.
keep() {
  local from=$1 to=$2 room
  mkdir -p "$to"
  room=$((corpus - $(find "$to" -type f | wc -l)))
  [ "$room" -gt 0 ] || return 0
  find "$from" -type f -size -4k -printf '%s %f\n' 2>/dev/null | sort -n | cut -d' ' -f2 |
    awk -v n="$room" '{ name[NR] = $1 } END { step = NR > n ? NR / n : 1; for (i = 1; i <= NR; i += step) print name[int(i)] }' |
    while read -r name; do cp -n "$from/$name" "$to/"; done
}

# Sums up what is done so far.
sum() {
  {
    printf '{\n  "command": "make fuzz FUZZTIME=%s",\n  "each": "%s",\n  "parsers": [\n' "$duration" "$duration"
    awk '{ printf "%s    {\"package\": \"%s\", \"target\": \"%s\", \"inputs\": %s, \"corpus\": %s, \"failures\": 0}", (NR > 1 ? ",\n" : ""), $1, $2, $3, $4 }' "$rows"
    printf '\n  ]\n}\n'
  } >"$results.new"
  mv "$results.new" "$results"
}

while IFS=: read -r file target; do
  package=$(dirname "$file")
  echo "== $package $target, $duration"
  "$go" test "./$package" -run '^$' -fuzz "^$target\$" -fuzztime "$duration" -parallel "${PARALLEL:-1}" -fuzzminimizetime 1x 2>&1 |
    tee "$log" | grep -v 'elapsed:.*new interesting' || { tail -n 30 "$log"; exit 1; }
  tests=$(sed -n 's/.*execs: \([0-9]*\).*/\1/p' "$log" | tail -n 1)
  echo "$package $target: ${tests:-0} inputs"
  keep "$cache/fuzz/$module/$package/$target" "$package/testdata/fuzz/$target"
  printf '%s %s %s %s\n' "$package" "$target" "${tests:-0}" "$(find "$package/testdata/fuzz/$target" -type f | wc -l)" >>"$rows"
  sum
done < <(grep -rh --include='*_test.go' -o -H '^func Fuzz[A-Za-z]*' . | sed 's|^\./||; s/func //' | sort)
