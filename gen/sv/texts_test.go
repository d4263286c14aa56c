// SPDX-License-Identifier: Apache-2.0

package sv_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/internal/toy"
)

// A module's file has the name of the module, and its text the values, the header and the checks,
// for any module.
func TestModules(t *testing.T) {
	cfg := toy.New()
	texts := sv.NewTexts(fstest.MapFS{
		"toy.sv.tmpl":  {Data: []byte("{{.Header}}{{.Checks}}\n// {{.Step}}\n")},
		"part.sv.tmpl": {Data: []byte("// part {{.Step}}\n")},
	})
	got, err := texts.Modules(cfg, map[string]any{"Step": 3}, "part", "toy")
	if err != nil {
		t.Fatal(err)
	}
	want := []gen.File{
		{Name: "nic_toy_part.sv", Text: "// part 3\n"},
		{Name: "nic_toy.sv", Text: sv.Header(cfg) + strings.TrimSuffix(sv.Checks(cfg), "\n") + "\n// 3\n"},
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

// A value that is missing, a text that is, and one that is no template are errors that
// name the file.
func TestModulesErrors(t *testing.T) {
	for _, c := range []struct{ name, text, module, want string }{
		{"value", "{{.Other}}", "toy", `nic_toy.sv: template: toy.sv.tmpl:1:2: executing "toy.sv.tmpl" at <.Other>: map has no entry for key "Other"`},
		{"text", "", "other", `nic_toy_other.sv: template: no template "other.sv.tmpl" associated with template ""`},
		{"template", "{{.Other", "toy", "template: toy.sv.tmpl:1: unclosed action"},
	} {
		t.Run(c.name, func(t *testing.T) {
			texts := sv.NewTexts(fstest.MapFS{"toy.sv.tmpl": {Data: []byte(c.text)}})
			if _, err := texts.Modules(toy.New(), nil, c.module); err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}
