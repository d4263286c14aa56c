// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"cmp"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/synth"
)

// An Override is a configuration that is emitted, and settings made of it by
// overriding SystemVerilog parameters at instantiation.
type Override struct{ Name, Emitted, Set string }

// overrides demands that parameters overridden at instantiation behave like parameters set
// at emission: the overridden design is clean, and in a number of cycles equals the golden
// model of the configuration that results. Each parameter that may be overridden must be
// overridden alone somewhere. The seed is the place in the list, from 1.
func (s Suite[P]) overrides(t *testing.T) {
	for _, f := range sv.Overridable(s.Default()) {
		if !slices.ContainsFunc(s.Overrides, func(o Override) bool {
			key, _, _ := strings.Cut(o.Set, "=")
			return key == f.Key && !strings.Contains(o.Set, " ")
		}) {
			t.Errorf("no test overrides %s alone", f.SV)
		}
	}
	runs := sample.Chosen(s.Overrides, func(o Override) string { return s.Name + "/" + o.Name })
	for i, o := range s.Overrides {
		emitted := s.Configure(t, o.Emitted)
		b := s.Bench(s.Configure(t, o.Emitted+" "+o.Set))
		b.Emitted, b.Override = emitted, map[string]string{}
		was := sv.Overridable(emitted)
		for j, f := range sv.Overridable(b.P) {
			if f.Value() != was[j].Value() {
				b.Override[f.SV] = sv.Literal(f)
			}
		}
		if len(b.Override) == 0 {
			t.Errorf("%s: nothing is overridden", o.Name)
		}
		if !runs[i] {
			continue
		}
		t.Run(o.Name, func(t *testing.T) {
			t.Parallel()
			r := s.Run(t, b, uint64(i)+1, s.OverrideCycles)
			if r.Events < LeastEvents {
				t.Errorf("%d events, want at least %d: raise the cycles", r.Events, LeastEvents)
			}
			clean(t, synth.LintRequest{Top: emitted.Top(), Files: Texts(t, emitted), Params: b.Override})
		})
	}
}

// An Illegal is an override that must stop elaboration.
type Illegal struct {
	Check  string            // the block of the check that does it: "g_check_timer_bits"
	Params map[string]string // SystemVerilog parameters: {"TIMER_BITS": "65"}
	// Messages of Verilator and Yosys if they stop before they reach the check; empty: the
	// sentence of the check.
	Verilator, Yosys string
}

// name is the check and the override.
func (x Illegal) name() string {
	name := x.Check
	for _, k := range slices.Sorted(maps.Keys(x.Params)) {
		name += " " + k + "=" + x.Params[k]
	}
	return name
}

// NoWidth is Verilator's message for a vector of a part without bits.
const NoWidth = "left < right of bit range: [-1:0]; In instance"

// illegal are the unit's overrides that stop elaboration, and before them those that follow
// from the field table: a number one below its range and one above, or one that is no power
// of two and one twice too large; a choice that does not exist. One of the unit's with the
// same parameters takes the place of one that follows.
func (s Suite[P]) illegal() []Illegal {
	var list []Illegal
	for _, f := range sv.Overridable(s.Default()) {
		add := func(v int64) {
			params := map[string]string{f.SV: fmt.Sprint(v)}
			if !slices.ContainsFunc(s.Illegal, func(x Illegal) bool { return maps.Equal(x.Params, params) }) {
				list = append(list, Illegal{Check: "g_check_" + strings.ToLower(f.SV), Params: params})
			}
		}
		switch {
		case f.Kind() == gen.Enum:
			add(int64(len(f.Choices)))
		case f.Kind() == gen.Bool: // any number is true or false
		case f.PowerOfTwo:
			add(f.Max / 2 * 3 / 2)
			add(f.Max * 2)
		default:
			add(f.Max + 1)
		}
		if f.Kind() == gen.Int && f.Min > 0 {
			add(f.Min - 1)
		}
	}
	return append(list, s.Illegal...)
}

// illegalOverrides demands that illegal overrides stop elaboration, in Verilator and in
// Yosys, with the sentence of their check; that every check of the top module is triggered;
// and that every parameter that may be overridden has its own check, g_check_<parameter>.
func (s Suite[P]) illegalOverrides(t *testing.T) {
	p := s.Default()
	files := Texts(t, p)
	checks := Checks(t, files[len(files)-1].Text)
	fired := map[string]bool{}
	illegal := s.illegal()
	runs := sample.Chosen(illegal, func(x Illegal) string { return s.Name + "/" + x.name() })
	for i, c := range illegal {
		fired[c.Check] = true
		if !runs[i] {
			continue
		}
		t.Run(c.name(), func(t *testing.T) {
			t.Parallel()
			Refused(t, synth.LintRequest{Top: p.Top(), Files: files, Params: c.Params}, checks[c.Check], c.Verilator, c.Yosys)
		})
	}
	for name := range checks {
		if !fired[name] {
			t.Errorf("no override makes %s fire", name)
		}
	}
	for _, f := range sv.Overridable(p) {
		if checks["g_check_"+strings.ToLower(f.SV)] == "" {
			t.Errorf("%s may be overridden but is not checked", f.SV)
		}
	}
}

// illegalConfigurations demands that what the text refuses the generator refuses.
func (s Suite[P]) illegalConfigurations(t *testing.T) {
	for _, c := range s.illegal() {
		p := s.Default()
		var refused error
		for _, f := range sv.Overridable(p) {
			if v, ok := c.Params[f.SV]; ok {
				if err := gen.Set(p, f.Key+"="+v); err != nil {
					refused = err
				}
			}
		}
		if refused == nil {
			refused = gen.Validate(p)
		}
		if refused == nil {
			t.Errorf("%v stops elaboration but is a legal configuration", c.Params)
		}
	}
}

var checkBlock = regexp.MustCompile(`begin : (g_check_\w+)\s+\$error\("([^"]*)"\);`)

// Checks lists the sentences of a text's elaboration checks by the block's name,
// which must be the only one of that name.
func Checks(t *testing.T, text string) map[string]string {
	t.Helper()
	checks := map[string]string{}
	for _, m := range checkBlock.FindAllStringSubmatch(text, -1) {
		if checks[m[1]] != "" {
			t.Errorf("two blocks are named %s", m[1])
		}
		checks[m[1]] = m[2]
	}
	return checks
}

// Refused demands that both Verilator and Yosys refuse a design with a sentence, one of
// Checks, or a tool with another one if that is not empty.
func Refused(t *testing.T, r synth.LintRequest, sentence, verilator, yosys string) {
	t.Helper()
	if sentence == "" {
		t.Fatal("the text has no such check")
	}
	wants := map[string]string{"verilator": cmp.Or(verilator, sentence), "yosys": cmp.Or(yosys, sentence)}
	findings, err := synth.Lint(t.Context(), r)
	if err != nil && mayLack(t, err, tool.Yosys) {
		delete(wants, "yosys")
	} else if err != nil {
		t.Fatal(err)
	}
	for name, want := range wants {
		if !slices.ContainsFunc(findings, func(f synth.Finding) bool { return f.Tool == name && strings.Contains(f.Text, want) }) {
			t.Errorf("%s does not say %q; findings: %v", name, want, findings)
		}
	}
}
