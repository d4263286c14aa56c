// SPDX-License-Identifier: Apache-2.0

package csr_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nicgen/nicgen/gen/csr"
)

// ReadJSON returns the map that was written, including the parts that the JSON does not hold.
func TestReadJSON(t *testing.T) {
	for _, set := range settings {
		m := regs(t, set)
		back, err := csr.ReadJSON(render(t, m, "json"))
		if err != nil {
			t.Fatalf("%q: %v", set, err)
		}
		if d := cmp.Diff(m, back, cmpopts.IgnoreFields(csr.Block{}, "Ports"), cmpopts.IgnoreFields(csr.Register{}, "Narrow"), cmpopts.EquateEmpty()); d != "" {
			t.Errorf("%q (-map +read):\n%s", set, d)
		}
		if !bytes.Equal(m.Image(), back.Image()) {
			t.Errorf("%q: another image", set)
		}
	}
}

// A map that is not as one that is written is refused.
func TestReadJSONRefuses(t *testing.T) {
	text := string(render(t, regs(t, ""), "json"))
	for want, edit := range map[string][2]string{
		"it was edited":                         {`"name": "cfg_mode"`, `"name": "cfg_mood"`},
		"unknown field":                         {`"version": 16777216,`, `"version": 16777216, "more": 1,`},
		"layout has version 0x02000000":         {`"version": 16777216`, `"version": 33554432`},
		"block 1 of the map has no unique name": {`"name": "reps",`, `"name": "csr",`},
		"block reps begins at 0x1400":           {`"base": 4096`, `"base": 5120`},
		"share the word":                        {`"offset": 4164`, `"offset": 4160`},
		"no register map":                       {`{`, `[`},
		"text follows it":                       {"\n}\n", "\n}\n{}"},
		`register "Id"`:                         {`"name": "id"`, `"name": "Id"`},
		`kind "set"`:                            {`"kind": "setting"`, `"kind": "set"`},
		"flag evt_hole is bit 5 of 3":           {`"bit": 0`, `"bit": 5`},
		"no next at 0x008":                      {`"name": "next"`, `"name": "nest"`},
		"vendor 0x4E47":                         {`1313275905`, `905`},
		"window s_sees has no command":          {`"name": "s_seed",`, `"name": "s_sees",`},
		"settings without commit":               {`"kind": "commit"`, `"kind": "status"`},
		"whole words of the block":              {`"offset": 40`, `"offset": 4294967292`},
		"a register or window is null":          {`"registers": [`, `"registers": [null,`},
	} {
		edited := strings.ReplaceAll(text, edit[0], edit[1])
		if want == "no register map" {
			edited = edit[1] + text
		}
		if strings.HasPrefix(want, "share") {
			edited = strings.ReplaceAll(text, `"offset": 68`, `"offset": 64`)
		}
		if edited == text {
			t.Errorf("%s: nothing to edit", want)
			continue
		}
		if _, err := csr.ReadJSON([]byte(edited)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want %s", err, want)
		}
	}
	if _, err := csr.ReadJSON([]byte(`{"version": 16777216, "hash": 0, "blocks": []}`)); err == nil {
		t.Error("a map without blocks")
	}
}

// Any text is a map that can be used, or refused.
func FuzzReadJSON(f *testing.F) {
	p := regs(f, "path=none window=none")
	text, err := p.Render("json", "nic_regs")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"version": 16777216, "hash": 0, "blocks": [{"name": "csr", "registers": [null]}]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		m, err := csr.ReadJSON(text)
		if err != nil {
			return
		}
		if len(m.Image()) != int(m.Size()) {
			t.Errorf("%d bytes of image, want %d", len(m.Image()), m.Size())
		}
		for _, p := range m.Places() {
			if at, r, _ := m.At(p.Address()); at != p.Block || r != p.Register {
				t.Errorf("%s is not where it is", p.Name())
			}
		}
	})
}
