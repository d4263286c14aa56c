// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"fmt"
	"slices"

	"github.com/goccy/go-yaml"

	"github.com/nicgen/nicgen/internal/plainyaml"
)

// Survivor is an entry of the list of known survivors, with the reason why no bench notices it.
type Survivor struct {
	Configuration string `yaml:"configuration"` // name of the bench.Target
	Mutant        string `yaml:"mutant"`        // mutant.Mutant.String
	Reason        string `yaml:"reason"`
}

// ReadSurvivors reads the list of a unit: a YAML list of entries with configuration, mutant and
// reason, all of them required and unique.
func ReadSurvivors(name string, text []byte) ([]Survivor, error) {
	text = plainyaml.Text(text)
	if e := plainyaml.Check(text, 1); e != nil {
		return nil, fmt.Errorf("%s:%w", name, e)
	}
	var list []Survivor
	if err := yaml.UnmarshalWithOptions(text, &list, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, s := range list {
		if s.Configuration == "" || s.Mutant == "" || s.Reason == "" {
			return nil, fmt.Errorf("%s: entry %d: found configuration %q, mutant %q and reason %q, want all three", name, i+1, s.Configuration, s.Mutant, s.Reason)
		}
		if slices.ContainsFunc(list[:i], func(o Survivor) bool { return o.Configuration == s.Configuration && o.Mutant == s.Mutant }) {
			return nil, fmt.Errorf("%s: entry %d: %s is there twice", name, i+1, s.Mutant)
		}
	}
	return list, nil
}
