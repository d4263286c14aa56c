// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/event"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/svparse"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
)

// A Corner is a configuration, and the number of cycles that reach every coverage
// point and LeastEvents.
type Corner struct {
	Name, Set string
	Cycles    uint64
}

// LeastEvents is the number of events that each corner and override must see.
const LeastEvents = 100_000

// corners demands of each configuration that it is clean in nicgen's own parser,
// Verilator, Yosys and slang, and that it equals the golden model over LeastEvents that
// reach every coverage point. The seed is the place in the list, from 1. slang takes a
// moment for all that a short test leaves out, so that it reads every corner.
func (s Suite[P]) corners(t *testing.T) {
	runs := sample.Chosen(s.Corners, func(c Corner) string { return s.Name + "/" + c.Name })
	t.Run("slang", func(t *testing.T) {
		var names []string
		var designs []synth.LintRequest
		for i, c := range s.Corners {
			if !runs[i] {
				p := s.Configure(t, c.Set)
				names = append(names, c.Name)
				designs = append(designs, synth.LintRequest{Top: p.Top(), Files: Texts(t, p)})
			}
		}
		for i, list := range slang(t, designs) {
			for _, x := range list {
				t.Errorf("%s: %s", names[i], x)
			}
		}
	})
	for i, c := range s.Corners {
		if !runs[i] {
			continue
		}
		t.Run(c.Name, func(t *testing.T) {
			t.Parallel()
			p := s.Configure(t, c.Set)
			files := Texts(t, p)
			for _, f := range files {
				parsed, err := svparse.Parse(f.Name, f.Text)
				if err != nil {
					t.Fatal(err)
				}
				for _, x := range svparse.Check(parsed) {
					t.Error(x)
				}
			}
			clean(t, synth.LintRequest{Top: p.Top(), Files: files})
			r := s.Run(t, s.Bench(p), uint64(i)+1, c.Cycles)
			if r.Events < LeastEvents {
				t.Errorf("%d events, want at least %d: raise the cycles", r.Events, LeastEvents)
			}
		})
	}
}

// contract demands of each corner that its contract names each port once, and that its fields hold
// what the ports carry.
func (s Suite[P]) contract(t *testing.T) {
	for _, c := range s.Corners {
		p := s.Configure(t, c.Set)
		x := event.Of(p)
		switch {
		case x == nil && gen.Apart(p) != nil:
			return // a block whose checker knows its ports by hand
		case x == nil:
			t.Fatalf("unit %s has no contract", s.Name)
		}
		for _, fault := range x.Check(p) {
			t.Errorf("%s: %s", c.Name, fault)
		}
	}
}

// Corner is the configuration of a corner, for a directed test: one compiled model serves both.
func (s Suite[P]) Corner(t *testing.T, name string) P {
	t.Helper()
	i := slices.IndexFunc(s.Corners, func(c Corner) bool { return c.Name == name })
	if i < 0 {
		t.Fatalf("no corner is named %q", name)
	}
	return s.Configure(t, s.Corners[i].Set)
}

// clean demands that the linters find nothing.
func clean(t *testing.T, r synth.LintRequest) {
	t.Helper()
	findings, err := synth.Lint(t.Context(), r)
	if err != nil && !mayLack(t, err, tool.Yosys) {
		t.Fatal(err)
	}
	for _, x := range append(findings, slang(t, []synth.LintRequest{r})[0]...) {
		t.Error(x)
	}
}

// mayLack reports whether an error only says that one tool is missing, in a module from outside nicgen. Its
// suite continues without the tool, and the test logs that.
func mayLack(t *testing.T, err error, which tool.Tool) bool {
	t.Helper()
	var several interface{ Unwrap() []error }
	if errors.As(err, &several) && len(several.Unwrap()) > 1 {
		return false
	}
	var missing *tool.Missing
	if !errors.As(err, &missing) || missing.Name != which.Name {
		return false
	}
	if _, module, rootErr := tool.ModuleRoot("."); rootErr != nil || module == bench.Nicgen {
		return false
	}
	t.Logf("not checked by %s: %v", which.Name, err)
	return true
}

// slang returns slang's findings in each design.
func slang(t *testing.T, designs []synth.LintRequest) [][]synth.Finding {
	t.Helper()
	found, err := synth.Slang(t.Context(), designs)
	if err != nil && mayLack(t, err, tool.Slang) {
		return make([][]synth.Finding, len(designs))
	}
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// ends demands that the corners, of which the first is the default, go to both ends
// of every number, to each choice and to both positions of a switch: a parameter
// that is never varied hides bugs. It also demands that a list of the default alone
// is said to vary nothing.
func (s Suite[P]) ends(t *testing.T) {
	if m := s.missing(t, s.Corners); len(m) > 0 {
		t.Errorf("no corner has %v", m)
	}
	m := s.missing(t, s.Corners[:1])
	for _, f := range s.Default().Fields() {
		if !slices.ContainsFunc(m, func(s string) bool { return strings.HasPrefix(s, f.Key+"=") }) {
			t.Errorf("a list of only the default configuration is said to vary %s", f.Key)
		}
	}
}

// odd demands that some corner has a value of each number of the structure that is neither the default, nor an end, nor a
// power of two: only there a width that was taken from another parameter, or one bit too few, shows.
func (s Suite[P]) odd(t *testing.T) {
	if list := s.even(t, s.Corners); len(list) > 0 {
		t.Errorf("no corner has a value of %v that is neither the default, nor an end, nor a power of two", list)
	}
	if len(s.even(t, s.Corners[:1])) == 0 {
		t.Error("a list of only the default configuration is said to have such values")
	}
}

// even lists the numbers of the structure that have no such value in any of the corners, where the range has one.
func (s Suite[P]) even(t *testing.T, corners []Corner) (list []string) {
	t.Helper()
	isOdd := func(f, d gen.Field) bool {
		return *f.Int > f.Min && *f.Int < f.Max && *f.Int&(*f.Int-1) != 0 && f.Value() != d.Value()
	}
	defaults := s.Default().Fields()
	odd := map[string]bool{}
	for _, c := range corners {
		for i, f := range s.Configure(t, c.Set).Fields() {
			if f.Kind() == gen.Int && isOdd(f, defaults[i]) {
				odd[f.Key] = true
			}
		}
	}
	for i, d := range defaults {
		if d.Kind() != gen.Int || d.Runtime || odd[d.Key] {
			continue
		}
		// Some numbers have to be powers of two, or close to each other.
		p := s.Default()
		f := p.Fields()[i]
		for v := f.Min + 1; v < f.Max; v += 1 + v/8 {
			if *f.Int = v; isOdd(f, d) && gen.Validate(p) == nil {
				list = append(list, d.Key)
				break
			}
		}
	}
	return list
}

// missing lists the settings at the ends that no corner has.
func (s Suite[P]) missing(t *testing.T, corners []Corner) (missing []string) {
	t.Helper()
	seen := map[string]bool{}
	var fields []gen.Field
	for _, c := range corners {
		fields = s.Configure(t, c.Set).Fields()
		for _, f := range fields {
			seen[f.Key+"="+f.Value()] = true
		}
	}
	for _, f := range fields {
		ends := []string{"true", "false"}
		switch f.Kind() {
		case gen.Enum:
			ends = f.Choices
		case gen.Int:
			ends = []string{fmt.Sprint(f.Min), fmt.Sprint(f.Max)}
		}
		for _, v := range ends {
			if !seen[f.Key+"="+v] {
				missing = append(missing, f.Key+"="+v)
			}
		}
	}
	return missing
}

// shortRun demands that the short run misses its coverage point, and says so.
func (s Suite[P]) shortRun(t *testing.T) {
	b := s.Bench(s.Default())
	r := s.run(t, b, b, cosim.RunOptions{Seed: 1, Cycles: s.Short.Cycles})
	if r.Outcome != cosim.Missed || !slices.Contains(r.Missed, s.Short.Misses) {
		t.Errorf("outcome %s, missed %v: want a run of %d cycles to miss %s", r.Outcome, r.Missed, s.Short.Cycles, s.Short.Misses)
	}
}
