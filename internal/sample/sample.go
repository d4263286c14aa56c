// SPDX-License-Identifier: Apache-2.0

// Package sample chooses the entries of long lists of alike cases that a short test
// (go test -short) runs: other ones each turn, all of them in Turns turns. make test takes
// the number of the commit for the turn, so that twelve commits in a row run every entry.
package sample

import (
	"fmt"
	"os"
	"strconv"
	"sync"
	"testing"
)

// TurnEnv is the environment variable with the turn, a whole number from 0 on; without
// it, the turn is 0.
const TurnEnv = "NICGEN_TURN"

// Turns is how many turns go through every list.
const Turns = 12

// LeftOut tells whether a short test leaves entry i of a list out. It runs one in every
// entries; every divides Turns.
func LeftOut(i, every int) bool { return testing.Short() && (i+turn())%every != 0 }

// turn reads TurnEnv. It panics if that is not a turn: a test that runs nothing of its
// list must not pass.
var turn = sync.OnceValue(func() int { return read(os.Getenv(TurnEnv)) })

func read(text string) int {
	if text == "" {
		return 0
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		panic(fmt.Sprintf("%s is %q, want a whole number from 0 on", TurnEnv, text))
	}
	return n % Turns
}
