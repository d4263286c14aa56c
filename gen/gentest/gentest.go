// SPDX-License-Identifier: Apache-2.0

// Package gentest is what the tests of units' parameters have in common. What holds of the
// text of every unit is tested in package registry.
package gentest

import (
	"testing"

	"github.com/nicgen/nicgen/gen"
)

// Set makes the changes of a text, a "key=value" a word, and returns the configuration. It
// need not be valid: see gen.Configure.
func Set[P gen.Config](t testing.TB, cfg P, settings string) P {
	t.Helper()
	if err := gen.SetAll(cfg, settings); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// A Rule is a configuration and what Check says of it: nothing, or the parameter to change
// first, the value found and those allowed.
type Rule struct{ Set, Key, Found, Allowed string }

// Rules demands that Check says of the default configuration with settings what each rule
// does, and nothing else.
func Rules[P gen.Config](t *testing.T, defaults func() P, rules []Rule) {
	for _, r := range rules {
		got := Set(t, defaults(), r.Set).Check()
		want := gen.Problem{Key: r.Key, Found: r.Found, Allowed: r.Allowed}
		if r.Key == "" && len(got) > 0 || r.Key != "" && (len(got) != 1 || got[0] != want) {
			t.Errorf("%s: %+v, want %+v", r.Set, got, want)
		}
	}
}
