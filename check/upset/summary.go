// SPDX-License-Identifier: Apache-2.0

package upset

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/internal/rows"
)

// Record is the part of a Report that a unit's record keeps.
type Record struct {
	Unit    string    `json:"unit"`
	Command string    `json:"command"` // repeats it
	Results []Summary `json:"results"`
}

// Record sums the results up.
func (r *Report) Record() (*Record, error) {
	out := &Record{Unit: r.Unit, Command: r.Command}
	for i := range r.Results {
		s, err := r.Results[i].Summary()
		if err != nil {
			return nil, err
		}
		out.Results = append(out.Results, *s)
	}
	return out, nil
}

// Summary is the result for one configuration, by instance. The digests represent the list of
// elements: equal digests mean equal lists.
type Summary struct {
	Setup
	Elements  string     `json:"elements_sha256"` // of Result.Elements
	Names     string     `json:"names_sha256"`    // of their names alone
	Instances []Instance `json:"instances"`       // those with the worst fates first
	Never     Notable    `json:"most_never"`      // elements with flips after which the unit never became legal again
	Legal     Notable    `json:"most_legal"`      // by flips after which it was legal only
	Slow      Notable    `json:"slowest"`         // by events until the outputs were right again
}

// Instance summarises the elements of an instance in the unit's top module, or of the top module
// itself.
type Instance struct {
	Name     string `json:"instance"` // empty: the top module's own
	Elements int    `json:"elements"`
	Flips    int    `json:"flips"`
	Fates
	Shown int    `json:"shown,omitempty"` // flips of masked elements that changed an output
	Kept  int    `json:"kept"`            // flips, unseen or recovered, after which the state still differed at the end
	Again uint64 `json:"again"`           // events, at most, until the outputs were right
	Law   uint64 `json:"law"`             // events, at most, until they were legal
}

// add puts elements or instances together: fates, and the longest times.
func (i *Instance) add(x Instance) {
	i.Elements += x.Elements
	i.Flips += x.Flips
	i.Unseen += x.Unseen
	i.Right += x.Right
	i.Legal += x.Legal
	i.Never += x.Never
	i.Shown += x.Shown
	i.Kept += x.Kept
	i.Again, i.Law = max(i.Again, x.Again), max(i.Law, x.Law)
}

// Notable names the elements with the largest values of some kind.
type Notable struct {
	List []Value `json:"list,omitempty"`
	More int     `json:"more,omitempty"`    // elements that are not named
	Most int     `json:"at_most,omitempty"` // their largest value
}

// Value is an element's.
type Value struct {
	Name  string `json:"name"`
	Value int    `json:"value"`
}

// named is the number of elements that a Notable names.
const named = 6

var index = regexp.MustCompile(`\[\d+\]`)

// Summary sums a result up. Copies of an instance that a loop makes are one.
func (r *Result) Summary() (*Summary, error) {
	s := &Summary{Setup: r.Setup,
		Never: r.notable(func(e *Element) int { return e.Never }),
		Legal: r.notable(func(e *Element) int { return e.Legal }),
		Slow:  r.notable(func(e *Element) int { return int(e.Again.MaxEvents) })}
	var err error
	if s.Elements, err = rows.Digest(r.Elements); err != nil {
		return nil, err
	}
	if s.Names, err = rows.Digest(r.names()); err != nil {
		return nil, err
	}
	for i := range r.Elements {
		x := instance(&r.Elements[i])
		k := slices.IndexFunc(s.Instances, func(o Instance) bool { return o.Name == x.Name })
		if k < 0 {
			k = len(s.Instances)
			s.Instances = append(s.Instances, Instance{Name: x.Name})
		}
		s.Instances[k].add(x)
	}
	slices.SortFunc(s.Instances, func(a, b Instance) int {
		return cmp.Or(cmp.Compare(b.Never, a.Never), cmp.Compare(b.Legal, a.Legal), cmp.Compare(b.Again, a.Again), cmp.Compare(a.Name, b.Name))
	})
	return s, nil
}

// instance returns an element as part of an instance.
func instance(e *Element) Instance {
	name, _, inside := strings.Cut(e.Name, ".")
	if name = index.ReplaceAllString(name, ""); !inside {
		name = ""
	}
	x := Instance{Name: name, Elements: 1, Flips: e.Flips, Fates: e.Fates, Kept: e.Kept, Again: e.Again.MaxEvents, Law: e.Law.MaxEvents}
	if e.Masked {
		x.Shown = e.Flips - e.Unseen
	}
	return x
}

// names returns the names of the elements, in order.
func (r *Result) names() []string {
	names := []string{}
	for _, e := range r.Elements {
		names = append(names, e.Name)
	}
	return names
}

// notable names the elements with the largest values, if these are not 0.
func (r *Result) notable(value func(e *Element) int) (n Notable) {
	list := slices.DeleteFunc(slices.Clone(r.Elements), func(e Element) bool { return value(&e) == 0 })
	slices.SortStableFunc(list, func(a, b Element) int { return value(&b) - value(&a) })
	for i, e := range list {
		if i < named {
			n.List = append(n.List, Value{e.Name, value(&e)})
		} else if n.More++; i == named {
			n.Most = value(&e)
		}
	}
	return n
}

// Sum returns all instances together.
func (s *Summary) Sum() (sum Instance) {
	for _, i := range s.Instances {
		sum.add(i)
	}
	return sum
}

// OK reports whether the unit was legal again after every upset, and no output showed an upset of a
// masked element.
func (s *Summary) OK() bool {
	sum := s.Sum()
	return sum.Never == 0 && sum.Shown == 0
}

// Sentence returns the result in one sentence.
func (s *Summary) Sentence() string { return sentence(&s.Setup, s.Sum()) }

// Sentence returns the result in one sentence.
func (r *Result) Sentence() string {
	var sum Instance
	for i := range r.Elements {
		sum.add(instance(&r.Elements[i]))
	}
	return sentence(&r.Setup, sum)
}

func sentence(r *Setup, s Instance) string {
	text := fmt.Sprintf("Of %s flips in %s registers and memories, %s changed no output, and after %s the outputs were right again, at the latest %s events (%s cycles) later",
		commas(s.Flips), commas(s.Elements), commas(s.Unseen), commas(s.Right), commas(int(s.Again)), commas(int(r.AgainCycles)))
	if s.Legal > 0 {
		text += fmt.Sprintf("; after %s they were other ones than without the flip for as long as it was watched, and legal at the latest %s events (%s cycles) later",
			commas(s.Legal), commas(int(s.Law)), commas(int(r.LegalCycles)))
	}
	if s.Never > 0 {
		return text + fmt.Sprintf("; after %s they were **not legal at the end**.", commas(s.Never))
	}
	return text + "; the unit never hung and never stayed illegal."
}

// commas writes a number with separators.
func commas(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
