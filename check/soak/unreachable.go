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
	File   string `yaml:"file"`
	Line   string `yaml:"line"` // its text and the branch, as a Result has them
	Reason string `yaml:"reason"`
}

// Unreachable are the lines on record that no stimulus of ports reaches, for a Plan.
func Unreachable() (map[string]string, error) {
	var list []unreachable
	if err := yaml.UnmarshalWithOptions(unreachableText, &list, yaml.Strict()); err != nil {
		return nil, fmt.Errorf("unreachable.yaml: %w", err)
	}
	m := map[string]string{}
	for _, u := range list {
		if u.File == "" || u.Line == "" || u.Reason == "" {
			return nil, fmt.Errorf("unreachable.yaml: %+v: want file, line and reason", u)
		}
		m[u.File+": "+u.Line] = u.Reason
	}
	return m, nil
}
