// SPDX-License-Identifier: Apache-2.0

package soak

import (
	_ "embed"
	"fmt"

	"github.com/goccy/go-yaml"
)

//go:embed unreachable.yaml
var unreachableText []byte

// A Line is one that no stimulus of a unit's ports reaches.
type Line struct {
	Chance bool   `yaml:"chance"` // what power-up leaves may reach it
	Reason string `yaml:"reason"`
}

// Unreachable are the lines on record that no stimulus of a unit's ports reaches, for a Plan.
func Unreachable(unit string) (map[string]Line, error) {
	var list []struct {
		Unit string `yaml:"unit"` // the only one in which it is; empty: all
		File string `yaml:"file"`
		Text string `yaml:"line"` // and the branch, as a Result has them
		Why  Line   `yaml:",inline"`
	}
	if err := yaml.UnmarshalWithOptions(unreachableText, &list, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("unreachable.yaml: %w", err)
	}
	m := map[string]Line{}
	for _, u := range list {
		if u.File == "" || u.Text == "" || u.Why.Reason == "" {
			return nil, fmt.Errorf("unreachable.yaml: %+v: want file, line and reason", u)
		}
		if u.Unit == "" || u.Unit == unit {
			m[u.File+": "+u.Text] = u.Why
		}
	}
	return m, nil
}
