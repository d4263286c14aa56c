// SPDX-License-Identifier: Apache-2.0

package soak

import (
	_ "embed"
	"fmt"

	"github.com/goccy/go-yaml"
)

//go:embed unreachable.yaml
var unreachableText []byte

// unreachable is a line of the RTL that no stimulus reaches.
type unreachable struct {
	Unit   string `yaml:"unit"` // the only one in which it is; empty: all
	File   string `yaml:"file"`
	Line   string `yaml:"line"`   // its text and the branch, as a Result has them
	Chance bool   `yaml:"chance"` // what power-up leaves may reach it
	Reason string `yaml:"reason"`
}

// A Line is one that need not be executed.
type Line struct {
	Chance bool   // it may be all the same
	Reason string // why
}

// Unreachable are the lines on record that no stimulus of a unit's ports reaches, for a Plan.
func Unreachable(unit string) (map[string]Line, error) {
	var list []unreachable
	if err := yaml.UnmarshalWithOptions(unreachableText, &list, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("unreachable.yaml: %w", err)
	}
	m := map[string]Line{}
	for _, u := range list {
		if u.File == "" || u.Line == "" || u.Reason == "" {
			return nil, fmt.Errorf("unreachable.yaml: %+v: want file, line and reason", u)
		}
		if u.Unit == "" || u.Unit == unit {
			m[u.File+": "+u.Line] = Line{u.Chance, u.Reason}
		}
	}
	return m, nil
}
