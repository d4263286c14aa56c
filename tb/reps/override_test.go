// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl/lib"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/reps"
)

// overrides are configurations of which one is emitted and the other made of it by
// overriding SystemVerilog parameters at instantiation.
var overrides = []struct{ name, emitted, set string }{
	{"evs_bits", "", "evs_bits=3"},
	{"evs_bits upwards", "evs_bits=1", "evs_bits=16"},
	{"buffer_depth", "", "buffer_depth=32"},
	{"buffer_depth downwards", "buffer_depth=64 explore_stride=2", "buffer_depth=2"},
	{"connections", "", "connections=5"},
	{"connections upwards, in LUTRAM", "connections=2 conn_bits=10", "connections=700"},
	{"conn_bits", "", "conn_bits=8"},
	{"explore_stride", "", "explore_stride=1"},
	{"timer_bits", "freezing_timeout_ns=32767", "timer_bits=16"},
	{"timer_bits upwards", "", "timer_bits=64"},
	{"nic_ports", "", "nic_ports=8"},
	{"nic_ports downwards", "nic_ports=6", "nic_ports=1"},
	{"counter_bits", "", "counter_bits=8"},
	{"all", "freezing_timeout_ns=1000",
		"evs_bits=5 buffer_depth=16 connections=33 conn_bits=6 explore_stride=16 timer_bits=20 nic_ports=3 counter_bits=11"},
	{"several, reuse", "ack_coalescing=reuse ack_coalescing_ratio=4", "buffer_depth=4 connections=9 conn_bits=4 evs_bits=9 explore_stride=2"},
	{"several, carry", "ack_coalescing=carry ack_coalescing_ratio=4", "buffer_depth=4 connections=9 conn_bits=4 evs_bits=9 explore_stride=2"},
}

// Parameters overridden at instantiation behave as those set at emission: the
// overridden design equals the golden model of the configuration that results.
func TestOverride(t *testing.T) {
	for i, c := range overrides {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			emitted, p := configure(t, c.emitted), configure(t, c.emitted+" "+c.set)
			b := &reps.Bench{P: p, Emitted: emitted, Override: map[string]string{}}
			was := sv.Overridable(emitted)
			for j, f := range sv.Overridable(p) {
				if f.Value() != was[j].Value() {
					b.Override[f.SV] = sv.Literal(f)
				}
			}
			if len(b.Override) == 0 {
				t.Fatal("nothing is overridden")
			}
			r := run(t, b, uint64(i)+1, 600_000)
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
	{"g_check_evs_bits", map[string]string{"EVS_BITS": "0"}},
	{"g_check_evs_bits", map[string]string{"EVS_BITS": "17"}},
	{"g_check_buffer_depth", map[string]string{"BUFFER_DEPTH": "1", "EXPLORE_STRIDE": "1"}},
	{"g_check_buffer_depth", map[string]string{"BUFFER_DEPTH": "12"}},
	{"g_check_buffer_depth", map[string]string{"BUFFER_DEPTH": "128"}},
	{"g_check_connections", map[string]string{"CONNECTIONS": "0"}},
	{"g_check_connections", map[string]string{"CONNECTIONS": "65537", "CONN_BITS": "17"}},
	{"g_check_conn_bits", map[string]string{"CONN_BITS": "0"}},
	{"g_check_conn_fits", map[string]string{"CONN_BITS": "7"}},
	{"g_check_conn_fits", map[string]string{"CONNECTIONS": "65536", "CONN_BITS": "15"}},
	{"g_check_conn_bits", map[string]string{"CONN_BITS": "25"}},
	{"g_check_explore_stride", map[string]string{"EXPLORE_STRIDE": "0"}},
	{"g_check_explore_stride", map[string]string{"EXPLORE_STRIDE": "6"}},
	{"g_check_explore_stride", map[string]string{"EXPLORE_STRIDE": "128"}},
	{"g_check_stride", map[string]string{"EXPLORE_STRIDE": "16"}},
	{"g_check_timer_bits", map[string]string{"TIMER_BITS": "15"}},
	{"g_check_timer_bits", map[string]string{"TIMER_BITS": "65"}},
	{"g_check_nic_ports", map[string]string{"NIC_PORTS": "0"}},
	{"g_check_nic_ports", map[string]string{"NIC_PORTS": "9"}},
	{"g_check_counter_bits", map[string]string{"COUNTER_BITS": "7"}},
	{"g_check_counter_bits", map[string]string{"COUNTER_BITS": "65"}},
}

var checkBlock = regexp.MustCompile(`begin : (g_check_\w+)\s+\$error\("([^"]*)"\);`)

// checksOf lists the sentences of a text's elaboration checks by the block's name,
// which must be the only one of that name.
func checksOf(t *testing.T, text string) map[string]string {
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

// stops demands that both Verilator and Yosys refuse a design with a sentence.
func stops(t *testing.T, r synth.LintRequest, sentence string) {
	t.Helper()
	if sentence == "" {
		t.Fatal("the text has no such check")
	}
	findings, err := synth.Lint(t.Context(), r)
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
}

// Illegal overrides stop elaboration with the sentence of their check.
func TestIllegalOverride(t *testing.T) {
	files := texts(t, params.Default())
	checks := checksOf(t, files[len(files)-1].Text)
	fired := map[string]bool{}
	for _, c := range illegal {
		fired[c.check] = true
		name := c.check
		for _, k := range slices.Sorted(maps.Keys(c.params)) {
			name += " " + k + "=" + c.params[k]
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stops(t, synth.LintRequest{Top: "nic_reps", Files: files, Params: c.params}, checks[c.check])
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

// The checks of the parts in the library stop elaboration as well.
func TestPartsCheckTheirParameters(t *testing.T) {
	illegal := map[string][]map[string]string{
		"nic_lib_fifo_lut g_check_depth": {{"DEPTH": "1"}, {"DEPTH": "12"}},
	}
	parts, err := lib.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range parts {
		top := strings.TrimSuffix(f.Name, ".sv")
		for check, sentence := range checksOf(t, f.Text) {
			list := illegal[top+" "+check]
			if len(list) == 0 {
				t.Errorf("nothing makes %s of %s fire", check, top)
			}
			for _, p := range list {
				stops(t, synth.LintRequest{Top: top, Files: []synth.File{synth.File(f)}, Params: p}, sentence)
			}
			delete(illegal, top+" "+check)
		}
	}
	for name := range illegal {
		t.Errorf("there is no check %s", name)
	}
}

// Rules over several parameters are the same in Go: what the text refuses, the
// generator refuses.
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
