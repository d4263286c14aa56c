// SPDX-License-Identifier: Apache-2.0

package gen_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/toy"
)

// Any text is a configuration that can be applied, or is refused with places.
func FuzzReadYAML(f *testing.F) {
	for _, text := range []string{
		"", "# nothing\n", "toy:\n  step: 3\n", "step: 3\n", "toy: {step: 3, kind: up}\n", "toy:\n  step: 3\n  step: 4\n",
		"toy:\n  step: &a 3\n  top: *a\n", "toy: !!map {step: !!int '3'}\n", "a: b: c", "---\ntoy:\n---\ntoy:\n", "toy:\n\tstep: 1\n",
		"? toy\n: {step: 1}\n", "toy:\n  <<: {step: 1}\n", "toy: |\n  step: 1\n", "\"toy\": {\"step\": \"1\"}\n", "toy: [[[[", "toy: {a: {a: {a: ",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		cfg := toy.New()
		settings, err := gen.ReadYAML("f.yaml", []byte(text), []string{cfg.Unit()}, cfg.Unit())
		refused(t, err)
		for _, s := range settings {
			if s.Line < 1 || s.Column < 1 {
				t.Errorf("%+v has no place", s)
			}
		}
		refused(t, gen.Apply([]gen.Config{cfg}, settings))
	})
}

// Any argument of --set changes a value to one that is allowed, or is refused.
func FuzzSet(f *testing.F) {
	for _, arg := range []string{"", "=", "step=3", "toy.step=3", "step=0x10", "step=1e3", "step=-0", "step=9223372036854775808", "on=yes", " step = 3 ", "a.b.c=d", "step"} {
		f.Add(arg)
	}
	f.Fuzz(func(t *testing.T, arg string) {
		cfg := toy.New()
		err := gen.Set(cfg, arg)
		refused(t, err)
		if err != nil {
			return
		}
		for _, x := range cfg.Fields() {
			if x.Int != nil && (*x.Int < x.Min || *x.Int > x.Max) {
				t.Errorf("%s is %d, outside of %d to %d", x.Key, *x.Int, x.Min, x.Max)
			}
		}
	})
}

// refused checks that an error describes the problem.
func refused(t *testing.T, err error) {
	t.Helper()
	var bad *gen.Invalid
	if err == nil {
		return
	}
	if !errors.As(err, &bad) || len(bad.Problems) == 0 {
		t.Fatalf("error %T %v, want a *gen.Invalid with problems", err, err)
	}
	for _, p := range bad.Problems {
		if p.Where == "" || strings.TrimSpace(p.Found) == "" && p.Allowed == "" {
			t.Errorf("%+v says neither what is wrong nor where", p)
		}
	}
}

// The longest configuration that is read is refused or read quickly: some texts take a parser more
// than linear time.
func TestReadYAMLLong(t *testing.T) {
	for name, text := range map[string]string{
		"brackets": "toy: " + strings.Repeat("[", gen.MaxYAML),
		"braces":   "toy: " + strings.Repeat("{a: ", gen.MaxYAML),
		"lists":    "toy:\n " + strings.Repeat("- ", gen.MaxYAML),
		"sections": strings.Repeat("toy:\n", gen.MaxYAML),
		"comment":  strings.Repeat("#", 2*gen.MaxYAML),
	} {
		_, err := gen.ReadYAML("f.yaml", []byte(text), []string{"toy"}, "toy")
		if err == nil || !strings.Contains(err.Error(), "at most 32768 bytes") {
			t.Errorf("%s of %d bytes: error %v, want the limit", name, len(text), err)
		}
		if _, err := gen.ReadYAML("f.yaml", []byte(text[:gen.MaxYAML]), []string{"toy"}, "toy"); err == nil != (name == "comment") {
			t.Errorf("%s at the limit: error %v", name, err)
		}
	}
}
