// SPDX-License-Identifier: Apache-2.0

package upset_test

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/internal/rows"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
)

// record returns the result of a full run for a unit.
func record(t *testing.T, unit string) *upset.Record {
	t.Helper()
	text, err := os.ReadFile("../../docs/data/upset/" + unit + ".json")
	if err != nil {
		t.Fatal(err)
	}
	var r upset.Record
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	again, err := rows.Marshal(r)
	if err != nil || string(again) != string(text) {
		t.Errorf("%s.json is not as nicgen upset writes it (%v)", unit, err)
	}
	return &r
}

// again reports whether a unit's record is listed as due.
func again(t *testing.T, unit string) bool {
	t.Helper()
	list, err := due.Read(os.DirFS("../../docs"))
	if err != nil {
		t.Fatal(err)
	}
	return list.Has(unit, "upset")
}

// Every unit has a record of the configurations that its bench names, in which it was
// always legal again, and its page leads to the one that sums it up.
func TestRecords(t *testing.T) {
	for _, u := range registry.Units {
		name := u.New().Unit()
		if u.Upset == nil {
			continue // package registry reports those
		}
		r := record(t, name)
		var settings []string
		for _, x := range r.Results {
			settings = append(settings, x.Settings)
			if !x.OK() || x.Sum().Elements == 0 || x.Unit != name {
				t.Errorf("%s %s: %d elements of %s, legal again: %t", name, x.Settings, x.Sum().Elements, x.Unit, x.OK())
			}
		}
		text, err := os.ReadFile("../../docs/units/" + name + ".md")
		if err != nil || !strings.Contains(string(text), "("+name+"_evidence.md)") {
			t.Errorf("%s.md does not lead to %s_evidence.md (%v)", name, name, err)
		}
		if again(t, name) {
			continue
		}
		if r.Unit != name || !slices.Equal(settings, u.Upset.Settings) || !strings.HasPrefix(r.Command, "nicgen upset "+name+" --seed 1 ") {
			t.Errorf("%s.json is stale: it is of %s, made by %s, of the configurations %q: run make upset", name, r.Unit, r.Command, settings)
		}
	}
}

// A sample of the measurement: no unit hangs or stays illegal, and the record has each
// register and memory of the RTL. A short test takes some of the units.
func TestSample(t *testing.T) {
	units := slices.DeleteFunc(slices.Clone(registry.Units), func(u registry.Unit) bool { return u.Upset == nil || u.Upset.Sample == 0 })
	if len(units) == 0 {
		t.Error("no unit says that it is a sample")
	}
	runs := sample.Chosen(units, func(u registry.Unit) string { return t.Name() + "/" + u.New().Unit() })
	for i, u := range units {
		if !runs[i] {
			continue
		}
		name := u.New().Unit()
		t.Run(name, func(t *testing.T) {
			p, err := upset.NewPlan(u.New(), u.Upset.Settings[0], u.Bench, u.Upset)
			if err != nil {
				t.Fatal(err)
			}
			p.Seed, p.Runs, p.Flips, p.Cycles = 1, 2, 4, u.Upset.Sample
			r, err := upset.Run(t.Context(), p)
			if err != nil {
				t.Fatal(err)
			}
			if !r.OK() {
				t.Errorf("%s: %+v", r.Sentence(), slices.DeleteFunc(r.Elements, func(e upset.Element) bool { return e.Never == 0 }))
			}
			if again(t, name) {
				return
			}
			s, err := r.Summary()
			if err != nil {
				t.Fatal(err)
			}
			if known := record(t, name).Results[0]; known.Names != s.Names {
				t.Errorf("%s.json is stale: it is of %d registers and memories, and the RTL has %d, or others: run make upset", name, known.Sum().Elements, len(r.Elements))
			}
		})
	}
}

// Upsets of protected elements are never seen: many flips of only these elements.
func TestMasked(t *testing.T) {
	some := false
	for _, u := range registry.Units {
		name := u.New().Unit()
		if u.Upset == nil || u.Upset.Masked == nil {
			continue
		}
		for _, settings := range u.Upset.Settings {
			p, err := upset.NewPlan(u.New(), settings, u.Bench, u.Upset)
			if err != nil {
				t.Fatal(err)
			}
			if p.Masked == nil {
				continue
			}
			some = true
			t.Run(name+" "+settings, func(t *testing.T) {
				p.Seed, p.Runs, p.Flips, p.Cycles, p.Only = 1, 4, 2000, 16*upset.Step, true
				r, err := upset.Run(t.Context(), p)
				if err != nil {
					t.Fatal(err)
				}
				if !r.OK() {
					t.Errorf("%s: %+v", r.Sentence(), r.Elements)
				}
			})
		}
	}
	if !some {
		t.Error("no unit says what it protects")
	}
}

// A result is not in order if an output showed an upset of a masked element, even if it recovered.
func TestMaskedIsSeen(t *testing.T) {
	for _, c := range []struct {
		masked bool
		unseen int
		ok     bool
	}{{true, 4, true}, {true, 3, false}, {false, 3, true}} {
		r := upset.Result{Elements: []upset.Element{{Flips: 4, Masked: c.masked, Fates: upset.Fates{Unseen: c.unseen, Right: 4 - c.unseen}}}}
		if r.OK() != c.ok {
			t.Errorf("%+v: in order %t", c, r.OK())
		}
	}
}

// The elements of an instance are summed, including its copies; the worst come first.
func TestSummary(t *testing.T) {
	element := func(name string, right, legal, never int, events uint64) upset.Element {
		return upset.Element{Name: name, Flips: 4, Fates: upset.Fates{Right: right, Legal: legal, Never: never}, Again: upset.Span{MaxEvents: events}}
	}
	r := upset.Result{Elements: []upset.Element{element("a_q", 1, 0, 0, 9), element("lane[0].x_q", 2, 0, 0, 3), element("lane[1].part.x_q", 2, 1, 0, 5),
		element("b_q", 1, 0, 0, 2), element("other.y_q", 0, 0, 1, 0)}}
	got := ""
	sum, err := r.Summary()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range sum.Instances {
		got += fmt.Sprintf("%q: %d elements, %d flips, %d right after %d, %d legal, %d never\n", s.Name, s.Elements, s.Flips, s.Right, s.Again, s.Legal, s.Never)
	}
	const want = `"other": 1 elements, 4 flips, 0 right after 0, 0 legal, 1 never
"lane": 2 elements, 8 flips, 4 right after 5, 1 legal, 0 never
"": 2 elements, 8 flips, 2 right after 9, 0 legal, 0 never
`
	if got != want {
		t.Errorf("got\n%swant\n%s", got, want)
	}
	if sum.OK() || sum.Sum().Flips != 20 || sum.Sentence() != r.Sentence() {
		t.Errorf("in order %t, %d flips, %s: want 20 flips, one of them not legal again, as in %s", sum.OK(), sum.Sum().Flips, sum.Sentence(), r.Sentence())
	}
	slow := upset.Notable{List: []upset.Value{{Name: "a_q", Value: 9}, {Name: "lane[1].part.x_q", Value: 5}, {Name: "lane[0].x_q", Value: 3}, {Name: "b_q", Value: 2}}}
	if d := cmp.Diff(slow, sum.Slow); d != "" {
		t.Errorf("the slowest (-want +got):\n%s", d)
	}
	// Another fate changes the digest of the elements, and another name also changes the digest of
	// the names.
	fate, name := r, r
	fate.Elements, name.Elements = slices.Clone(r.Elements), slices.Clone(r.Elements)
	fate.Elements[1].Kept++
	name.Elements[1].Name = "lane[0].y_q"
	for _, c := range []struct {
		result          upset.Result
		elements, names bool // the digests are the same
	}{{r, true, true}, {fate, false, true}, {name, false, false}} {
		s, err := c.result.Summary()
		if err != nil || (s.Elements == sum.Elements) != c.elements || (s.Names == sum.Names) != c.names {
			t.Errorf("%+v: digests %s and %s (%v)", c.result.Elements[1], s.Elements, s.Names, err)
		}
	}
}
