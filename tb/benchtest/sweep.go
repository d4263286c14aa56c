// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/rtl"
)

// sweepReset is a line that sets the place of the sweep after a reset back, and sweepPlace
// where the register is declared.
var (
	sweepReset = regexp.MustCompile(`(?m)^ +((?:clear|sweep)\w*_q) +<= '0;\n`)
	sweepPlace = `(?m)^( +logic .*\b)(NAME);`
)

// resetInSweep demands that the bench resets the unit in the middle of the sweep that the
// last reset began, and notices if that sweep then continues where it was: in the unit's
// text, a reset does not change the place, and power-up sets it to 0. A unit that is always
// ready has no sweep, and a unit composed of other units leaves this to their benches.
func (s Suite[P]) resetInSweep(t *testing.T) {
	p := s.Default()
	if gen.Apart(p) != nil {
		return
	}
	file := ""
	b := s.Bench(p)
	b.Edit = func(name, text string) string {
		if s.Sweep != nil {
			if name != s.Sweep.File {
				return text
			}
			file = name
			return s.Sweep.Plant(t, text)
		}
		lines := sweepReset.FindAllStringSubmatchIndex(text, -1)
		if file != "" && file != name || len(lines) == 0 || strings.HasPrefix(name, rtl.PartPrefix) {
			return text
		}
		file = name
		// A sweep may have bits that follow its number.
		if numbers := slices.DeleteFunc(slices.Clone(lines), func(at []int) bool { return !strings.HasSuffix(text[at[2]:at[3]], "_idx_q") }); len(numbers) > 0 {
			lines = numbers
		}
		last := lines[len(lines)-1] // a sweep that ends goes back to 0 before it is reset
		place := regexp.MustCompile(strings.Replace(sweepPlace, "NAME", text[last[2]:last[3]], 1))
		stays := strings.Replace(text[last[0]:last[1]], "'0;", text[last[2]:last[3]]+";", 1)
		return place.ReplaceAllString(text[:last[0]]+stays+text[last[1]:], "$1$2 = '0;")
	}
	r := s.run(t, b, b, cosim.RunOptions{Seed: 1, Cycles: searchCycles})
	if file == "" {
		if slices.ContainsFunc(p.Ports(), func(x gen.Port) bool { return x.Name == "sts_ready" }) {
			t.Error("sts_ready is low for a while after a reset, and no text has a register clear…_q or sweep…_q with a reset")
		}
		return
	}
	t.Logf("%s: %s in cycle %d", file, r.Outcome, r.Cycles)
	if r.Outcome != cosim.Mismatch && r.Outcome != cosim.Fault {
		t.Errorf("outcome %s after %d cycles with a sweep that a reset leaves as it is in %s", r.Outcome, r.Cycles, file)
	}
}
