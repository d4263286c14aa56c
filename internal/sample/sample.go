// SPDX-License-Identifier: Apache-2.0

// Package sample chooses the cases of long lists that a short test (go test -short) runs: one in
// Turns per turn, so that Turns turns run every case. The file rota holds the turn.
package sample

import (
	"cmp"
	_ "embed"
	"fmt"
	"hash/fnv"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
)

// TurnEnv is the environment variable with the turn, a whole number from 0; without it, the turn is
// read from the file rota.
const TurnEnv = "NICGEN_TURN"

// Turns is the number of turns that go through every list.
const Turns = 12

//go:embed rota
var rota string

// LeftOut reports whether a short test leaves out a case that is not part of a list or whose whole
// list is unknown. The hash of its name chooses its turn: cases with the same name, such as a
// configuration that several tests compile, run in the same turn.
func LeftOut(name string) bool {
	return testing.Short() && hash(name)%Turns != turn()
}

// Chosen reports for each case of a list whether a short test runs it. The rank of a case, by the
// hash of its name, chooses its turn: the sizes of turns differ by at most one case. It panics if
// two cases have the same name.
func Chosen[C any](cases []C, name func(C) string) []bool {
	return choose(cases, name, Turns)
}

// OneOf chooses like Chosen from a list of at most Turns cases: a short test runs one in each turn.
func OneOf[C any](cases []C, name func(C) string) []bool {
	if len(cases) > Turns {
		panic(fmt.Sprintf("a list of %d cases, want at most %d", len(cases), Turns))
	}
	return choose(cases, name, uint64(len(cases)))
}

func choose[C any](cases []C, name func(C) string, every uint64) []bool {
	names, hashes, order := make([]string, len(cases)), make([]uint64, len(cases)), make([]int, len(cases))
	for i, c := range cases {
		names[i], order[i] = name(c), i
		hashes[i] = hash(names[i])
	}
	slices.SortFunc(order, func(a, b int) int {
		if hashes[a] != hashes[b] {
			return cmp.Compare(hashes[a], hashes[b])
		}
		return strings.Compare(names[a], names[b])
	})
	runs := make([]bool, len(names))
	for rank, i := range order {
		if rank > 0 && names[i] == names[order[rank-1]] {
			panic(fmt.Sprintf("two cases are named %q: the name chooses the turn", names[i]))
		}
		// Short lists begin in different turns.
		runs[i] = !testing.Short() || (uint64(rank)+hashes[order[0]])%every == turn()%every
	}
	return runs
}

// hash spreads names.
func hash(name string) uint64 {
	h := fnv.New64a()
	_, _ = h.Write([]byte(name))
	x := h.Sum64()
	// The low bits of FNV follow the last letters closely.
	x ^= x >> 33
	x *= 0xff51afd7ed558ccd
	return x ^ x>>33
}

// turn reads TurnEnv, or else the rota. It panics if that is not a legal turn, as a test that runs
// none of its cases must not pass.
var turn = sync.OnceValue(func() uint64 {
	if text := os.Getenv(TurnEnv); text != "" {
		return read(TurnEnv, text)
	}
	for line := range strings.Lines(rota) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			return read("internal/sample/rota", line)
		}
	}
	panic("internal/sample/rota names no turn: run make rota")
})

func read(where, text string) uint64 {
	n, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		panic(fmt.Sprintf("the turn in %s is %q, want a whole number from 0 on", where, text))
	}
	return n % Turns
}
