// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/tb/bench"
)

// Report is the grade of a unit's bench. It holds no times: the same program and tools
// give the same report.
type Report struct {
	Unit           string          `json:"unit"`
	Command        string          `json:"command"` // repeats it
	Tool           string          `json:"tool"`    // the Yosys that drew the mutants
	Seed           uint64          `json:"seed"`    // of the draw
	Configurations []Configuration `json:"configurations"`
	Model          *Model          `json:"model,omitempty"` // mutants of the golden model
}

// Configuration is the part of a report on one configuration.
type Configuration struct {
	Name       string         `json:"name"`
	Why        string         `json:"why"`
	Settings   string         `json:"settings"`             // on top of the default
	Invariants []string       `json:"invariants,omitempty"` // proved invariants, by which mutants were shown equivalent
	Text       string         `json:"text"`                 // gen.DesignDigest of the emitted files
	Design     string         `json:"design"`               // mutant.Design.Hash
	Steps      []Step         `json:"steps"`                // stimuli before an attempt to show that a mutant is equivalent
	Long       []Step         `json:"long"`                 // those after it
	Mutants    int            `json:"mutants"`
	Killed     int            `json:"killed"`
	Equivalent int            `json:"equivalent"`
	Listed     int            `json:"listed"`   // survived, and the reason is known
	Survived   int            `json:"survived"` // survived, and it is not
	Errors     int            `json:"errors"`
	KilledIn   []int          `json:"killed_in"` // number of kills by each stimulus: Steps, then Long
	Modes      map[string]int `json:"modes"`     // mutants by kind
	Ports      map[string]int `json:"ports"`     // kills by the output that differed
	Open       []Finding      `json:"open"`      // survivors without a reason, and errors
	Survivors  []Finding      `json:"survivors"` // those with one
}

// Finding is a mutant that was not killed.
type Finding struct {
	Number int      `json:"number"`
	Mutant string   `json:"mutant"`
	Source []string `json:"-"` // current places in the source; records identify the mutant by its text
	Status string   `json:"status"`
	Note   string   `json:"note,omitempty"`   // of an error
	Reason string   `json:"reason,omitempty"` // of a survivor that is listed
}

// Score returns the share of the mutants that can be killed which were killed.
func Score(killed, mutants, equivalent int) float64 {
	if mutants == equivalent {
		return 1
	}
	return float64(killed) / float64(mutants-equivalent)
}

// Percent returns a score for people, rounded down, so that only a full score is 100 %.
func Percent(score float64) string {
	n := int(score * 10000)
	if n == 10000 {
		return "100 %"
	}
	return fmt.Sprintf("%d.%02d %%", n/100, n%100)
}

// Summarise makes the part of a report on one run. Survivors that known lists for this
// configuration are reported separately.
func (r *Result) Summarise(t bench.Target, known []Survivor) Configuration {
	c := Configuration{Name: t.Name, Why: t.Why, Settings: t.Settings, Invariants: t.Invariants, Text: r.Text, Design: r.Design.Hash(), Steps: t.Steps, Long: t.Long,
		Mutants: len(r.Outcomes), KilledIn: make([]int, len(t.Steps)+len(t.Long)), Modes: map[string]int{}, Ports: map[string]int{},
		Open: []Finding{}, Survivors: []Finding{}}
	all := append(slices.Clone(t.Steps), t.Long...)
	for _, o := range r.Outcomes {
		m := &r.Mutants[o.Number-1]
		c.Modes[m.Mode]++
		f := Finding{Number: o.Number, Mutant: m.String(), Source: m.Source, Status: o.Status, Note: o.Note}
		switch o.Status {
		case Killed:
			c.Killed++
			c.Ports[o.Port]++
			if i := slices.IndexFunc(all, func(s Step) bool { return s.Seed == o.Seed }); i >= 0 {
				c.KilledIn[i]++
			}
		case Equivalent:
			c.Equivalent++
		case Errored:
			c.Errors++
			c.Open = append(c.Open, f)
		case Survived:
			i := slices.IndexFunc(known, func(s Survivor) bool { return s.Configuration == t.Name && s.Mutant == f.Mutant })
			if i < 0 {
				c.Survived++
				c.Open = append(c.Open, f)
				continue
			}
			c.Listed++
			f.Reason = known[i].Reason
			c.Survivors = append(c.Survivors, f)
		}
	}
	return c
}

// Stale lists the entries for a configuration that match no survivor of this run: the mutant is no
// longer drawn, or was killed or shown equivalent.
func (r *Result) Stale(configuration string, known []Survivor) []Survivor {
	var stale []Survivor
	for _, s := range known {
		if s.Configuration != configuration {
			continue
		}
		alive := slices.ContainsFunc(r.Outcomes, func(o Outcome) bool {
			return o.Status == Survived && r.Mutants[o.Number-1].String() == s.Mutant
		})
		if !alive {
			stale = append(stale, s)
		}
	}
	return stale
}

// Sum returns the counts of all configurations together.
func (r *Report) Sum() (sum Configuration) {
	for i := range r.Configurations {
		c := &r.Configurations[i]
		sum.Mutants += c.Mutants
		sum.Killed += c.Killed
		sum.Equivalent += c.Equivalent
		sum.Listed += c.Listed
		sum.Survived += c.Survived
		sum.Errors += c.Errors
	}
	return sum
}
