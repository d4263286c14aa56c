// SPDX-License-Identifier: Apache-2.0

package prove_test

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/check/prove"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
)

// The quick sets hold, their situations occur, and their mistakes break them. make
// prove proves all sets.
func TestProve(t *testing.T) {
	quick := 0
	for _, s := range registry.Subjects(slices.Concat(registry.Units, registry.Blocks)) {
		if !s.Proofs.Quick() {
			continue
		}
		quick++
		if sample.LeftOut(t.Name() + "/" + s.Name) {
			continue
		}
		t.Run(s.Name, func(t *testing.T) {
			rep, err := prove.Run(t.Context(), s, prove.Options{Quick: true})
			if err != nil {
				t.Fatal(err)
			}
			if len(rep.Sets) == 0 {
				t.Fatal("no set is quick")
			}
			for _, f := range rep.Findings() {
				t.Error(f)
			}
		})
	}
	if quick < 2 {
		t.Errorf("%d subjects have a quick set, want the library and a unit", quick)
	}
}

// Each kind of finding is reported.
func TestFindings(t *testing.T) {
	for _, tt := range []struct {
		name string
		r    prove.Result
		want string
	}{
		{"fine", prove.Result{Status: prove.Proved, Reached: []int{3}}, ""},
		{"known to be open", prove.Result{Status: prove.Open, Open: "too large", Reached: []int{3}}, ""},
		{"refuted", prove.Result{Status: prove.Refuted, Trace: "a.vcd", Reached: []int{3}}, "s/p: does not hold: trace a.vcd"},
		{"open", prove.Result{Status: prove.Open, Reached: []int{3}}, "s/p: no proof was found within the limit"},
		{"no longer open", prove.Result{Status: prove.Proved, Open: "too large", Reached: []int{3}}, "s/p: is proved, though it is listed as open: too large"},
		{"vacuous", prove.Result{Status: prove.Proved, Reached: []int{3, -1}}, "s/p: its situation is not reached in configuration 1"},
		{"cannot fail", prove.Result{Status: prove.Proved, Reached: []int{3}, Broken: -1, Mistake: "m", File: "f.sv"}, `s/p: holds with the mistake "m" in f.sv`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.r.Name = "p"
			rep := prove.Report{Sets: []prove.SetReport{{Name: "s", Properties: []prove.Result{tt.r}}}}
			got := ""
			for _, f := range rep.Findings() {
				got += f.String()
			}
			if got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}
