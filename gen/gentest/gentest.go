// SPDX-License-Identifier: Apache-2.0

// Package gentest holds helpers for the tests of units' parameters. Package registry tests the
// properties of every unit's text.
package gentest

import (
	"testing"

	"github.com/nicgen/nicgen/gen"
)

// Set applies the changes in a text, one "key=value" per word, and returns the configuration. It
// need not be valid: see gen.Configure.
func Set[P gen.Config](t testing.TB, cfg P, settings string) P {
	t.Helper()
	if err := gen.SetAll(cfg, settings); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// A Rule is a configuration and the result of Check: nothing, or the first parameter to change, the
// value found and the values allowed.
type Rule struct{ Set, Key, Found, Allowed string }

// Rules demands that Check's result for the default configuration with settings equals each rule's.
func Rules[P gen.Config](t *testing.T, defaults func() P, rules []Rule) {
	for _, r := range rules {
		got := Set(t, defaults(), r.Set).Check()
		want := gen.Problem{Key: r.Key, Found: r.Found, Allowed: r.Allowed}
		if r.Key == "" && len(got) > 0 || r.Key != "" && (len(got) != 1 || got[0] != want) {
			t.Errorf("%s: %+v, want %+v", r.Set, got, want)
		}
	}
}
