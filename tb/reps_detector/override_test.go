// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/synth"
	bench "github.com/nicgen/nicgen/tb/reps_detector"
)

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []struct{ name, emitted, set string }{
	{"connections", "", "connections=5"},
	{"connections upwards, in LUTRAM", "connections=2 conn_bits=10", "connections=700"},
	{"conn_bits", "", "conn_bits=8"},
	{"rtt_bits", "rtt_threshold_ns=200", "rtt_bits=8"},
	{"rtt_bits upwards", "", "rtt_bits=32"},
	{"timer_bits", "window_ns=1000", "timer_bits=16"},
	{"timer_bits upwards", "", "timer_bits=64"},
	{"counter_bits", "", "counter_bits=8"},
	{"all", "window_ns=1000", "connections=33 conn_bits=6 rtt_bits=17 timer_bits=20 counter_bits=11"},
}

// Parameters overridden at instantiation behave as those set at emission: the
// overridden design equals the golden model of the configuration that results.
func TestOverride(t *testing.T) {
	for i, c := range overrides {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			emitted, p := configure(t, c.emitted), configure(t, c.emitted+" "+c.set)
			b := &bench.Bench{P: p, Emitted: emitted, Override: map[string]string{}}
			was := sv.Overridable(emitted)
			for j, f := range sv.Overridable(p) {
				if f.Value() != was[j].Value() {
					b.Override[f.SV] = sv.Literal(f)
				}
			}
			if len(b.Override) == 0 {
				t.Fatal("nothing is overridden")
			}
			r := run(t, b, uint64(i)+1, 400_000)
			if r.Events < cornerEvents {
				t.Errorf("%d events, want at least %d", r.Events, cornerEvents)
			}
			findings, err := synth.Lint(t.Context(), synth.LintRequest{Top: p.Top(), Files: texts(t, emitted), Params: b.Override})
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range findings {
				t.Error(x)
			}
		})
	}
}

// Each parameter that may be overridden is overridden somewhere by itself.
func TestEveryParameterIsOverridden(t *testing.T) {
	for _, f := range sv.Overridable(params.Default()) {
		found := false
		for _, c := range overrides {
			key, _, _ := strings.Cut(c.set, "=")
			found = found || key == f.Key && !strings.Contains(c.set, " ")
		}
		if !found {
			t.Errorf("no test overrides %s alone", f.SV)
		}
	}
}

// illegal are overrides that must stop elaboration, by the check that does it.
var illegal = []struct {
	check  string
	params map[string]string
}{
	{"g_check_connections", map[string]string{"CONNECTIONS": "0"}},
	{"g_check_connections", map[string]string{"CONNECTIONS": "65537", "CONN_BITS": "17"}},
	{"g_check_conn_bits", map[string]string{"CONN_BITS": "0"}},
	{"g_check_conn_bits", map[string]string{"CONN_BITS": "25"}},
	{"g_check_conn_fits", map[string]string{"CONN_BITS": "7"}},
	{"g_check_conn_fits", map[string]string{"CONNECTIONS": "65536", "CONN_BITS": "15"}},
	{"g_check_rtt_bits", map[string]string{"RTT_BITS": "7"}},
	{"g_check_rtt_bits", map[string]string{"RTT_BITS": "33"}},
	{"g_check_timer_bits", map[string]string{"TIMER_BITS": "15"}},
	{"g_check_timer_bits", map[string]string{"TIMER_BITS": "65"}},
	{"g_check_counter_bits", map[string]string{"COUNTER_BITS": "7"}},
	{"g_check_counter_bits", map[string]string{"COUNTER_BITS": "65"}},
}

var checkBlock = regexp.MustCompile(`begin : (g_check_\w+)\s+\$error\("([^"]*)"\);`)

// Illegal overrides stop elaboration, in Verilator and in Yosys, with the sentence
// of their check.
func TestIllegalOverride(t *testing.T) {
	files := texts(t, params.Default())
	checks := map[string]string{}
	for _, m := range checkBlock.FindAllStringSubmatch(files[len(files)-1].Text, -1) {
		if checks[m[1]] != "" {
			t.Errorf("two blocks are named %s", m[1])
		}
		checks[m[1]] = m[2]
	}
	fired := map[string]bool{}
	for _, c := range illegal {
		fired[c.check] = true
		name := c.check
		for _, k := range slices.Sorted(maps.Keys(c.params)) {
			name += " " + k + "=" + c.params[k]
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			sentence := checks[c.check]
			if sentence == "" {
				t.Fatalf("the emitted text has no block %s", c.check)
			}
			findings, err := synth.Lint(t.Context(), synth.LintRequest{Top: params.Default().Top(), Files: files, Params: c.params})
			if err != nil {
				t.Fatal(err)
			}
			for _, tool := range []string{"verilator", "yosys"} {
				if !slices.ContainsFunc(findings, func(f synth.Finding) bool {
					return f.Tool == tool && strings.Contains(f.Text, sentence)
				}) {
					t.Errorf("%s does not say %q; findings: %v", tool, sentence, findings)
				}
			}
		})
	}
	for name := range checks {
		if !fired[name] {
			t.Errorf("no override makes %s fire", name)
		}
	}
	for _, f := range sv.Overridable(params.Default()) {
		if checks["g_check_"+strings.ToLower(f.SV)] == "" {
			t.Errorf("%s may be overridden but is not checked", f.SV)
		}
	}
}

// What the text refuses, the generator refuses.
func TestIllegalConfiguration(t *testing.T) {
	for _, c := range illegal {
		p := params.Default()
		var failed error
		for k, v := range c.params {
			for _, f := range sv.Overridable(p) {
				if f.SV == k {
					if err := gen.Set(p, f.Key+"="+v); err != nil {
						failed = err
					}
				}
			}
		}
		if failed == nil {
			failed = gen.Validate(p)
		}
		if failed == nil {
			t.Errorf("%v stops elaboration but is a legal configuration", c.params)
		}
	}
}
