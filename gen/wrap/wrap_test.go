// SPDX-License-Identifier: Apache-2.0

package wrap_test

import (
	"fmt"
	"maps"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/gen/wrap"
	"github.com/nicgen/nicgen/internal/standin"
	"github.com/nicgen/nicgen/svparse"
	"github.com/nicgen/nicgen/synth"
)

// emission returns the stand-in, emitted for a wrapper.
func emission(t *testing.T, kind, settings string) gen.Emission {
	t.Helper()
	cfg := standin.New()
	base, err := wrap.Settings(kind)
	if err != nil {
		t.Fatal(err)
	}
	if err := gen.Configure(cfg, base+" "+settings); err != nil {
		t.Fatal(err)
	}
	return gen.Emission{Config: cfg, Sources: []string{"nic_transport.sv"}}
}

// design returns all SystemVerilog of a wrapper around the stand-in.
func design(t *testing.T, w *wrap.Wrapper, e gen.Emission) []synth.File {
	t.Helper()
	own, err := e.Files()
	if err != nil {
		t.Fatal(err)
	}
	var out []synth.File
	for _, list := range [][]gen.File{w.Parts, own, w.Sources} {
		for _, f := range list {
			out = append(out, synth.File(f))
		}
	}
	return out
}

// facts returns the lines of a record of another project's ports and parameters.
func facts(t *testing.T, name string) []string {
	t.Helper()
	b, err := os.ReadFile("testdata/" + name + ".txt")
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for l := range strings.Lines(string(b)) {
		if !strings.HasPrefix(l, "#") {
			out = append(out, strings.TrimSpace(l))
		}
	}
	return out
}

// plain returns an expression without blanks, with the shorter form of a condition, and without parentheses around the whole of it.
func plain(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), "!=0", "")
	if inner, ok := strings.CutPrefix(s, "("); ok && strings.IndexByte(s, ')') == len(s)-1 {
		return strings.TrimSuffix(inner, ")")
	}
	return s
}

// described returns the parameters and ports of a wrapper's top module, in the form of the records.
func described(t *testing.T, kind string) []string {
	t.Helper()
	w := made(t, kind, emission(t, kind, ""))
	last := w.Sources[len(w.Sources)-1]
	f, err := svparse.Parse(last.Name, last.Text)
	if err != nil {
		t.Fatal(err)
	}
	m := f.Modules[0]
	if m.Name != w.Top {
		t.Fatalf("the last file has module %s, want %s", m.Name, w.Top)
	}
	var out []string
	for _, p := range m.Params {
		if p.Header {
			out = append(out, "parameter "+p.Name+" "+plain(p.Default))
		}
	}
	for _, p := range m.Ports {
		width := "1"
		if p.Range != "" {
			width = strings.TrimSuffix(strings.TrimPrefix(p.Range, "["), ":0]")
			if n, err := strconv.Atoi(width); err == nil {
				width = strconv.Itoa(n + 1)
			}
		}
		out = append(out, p.Dir+" "+p.Name+" "+plain(strings.TrimSuffix(width, "-1")))
	}
	return out
}

// made returns a wrapper around an emission.
func made(t *testing.T, kind string, e gen.Emission) *wrap.Wrapper {
	t.Helper()
	w, err := wrap.Make(kind, e)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// The application block has the ports and parameters that Corundum connects, in their order; only the
// number of the application is ours.
func TestCorundumPorts(t *testing.T) {
	var want []string
	for _, l := range facts(t, "corundum") {
		f := strings.Fields(l)
		if f[2] = plain(f[2]); f[1] == "APP_ID" {
			f[2] = fmt.Sprintf("32'h%08X", wrap.AppID)
		}
		want = append(want, strings.Join(f, " "))
	}
	if d := cmp.Diff(want, described(t, "corundum")); d != "" {
		t.Errorf("-recorded +ours:\n%s", d)
	}
}

// lint demands that no tool finds anything.
func lint(t *testing.T, r synth.LintRequest) {
	t.Helper()
	for _, f := range r.Files {
		tree, err := svparse.Parse(f.Name, f.Text)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range svparse.Check(tree) {
			t.Error(x)
		}
		for i, l := range strings.Split(f.Text, "\n") {
			if len(l) > sv.Columns+5 && !strings.HasPrefix(l, "//") || strings.TrimRight(l, " ") != l {
				t.Errorf("%s:%d: %d columns, or blanks at its end: %q", f.Name, i+1, len(l), l)
			}
		}
	}
	found, err := synth.Lint(t.Context(), r)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range found {
		t.Error(f)
	}
}

func TestCorundumLint(t *testing.T) {
	for name, c := range map[string]struct {
		settings string
		params   map[string]string
	}{
		"one port":    {"", nil},
		"two":         {"", map[string]string{"IF_COUNT": "2"}},
		"four":        {"", map[string]string{"IF_COUNT": "2", "PORTS_PER_IF": "2", "CLK_PERIOD_NS_NUM": "32", "CLK_PERIOD_NS_DENOM": "10"}},
		"time of day": {"path=laps window=none", nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := emission(t, "corundum", c.settings)
			w := made(t, "corundum", e)
			params := map[string]string{"AXIL_APP_CTRL_ADDR_WIDTH": "24"}
			maps.Copy(params, c.params)
			lint(t, synth.LintRequest{Top: w.Top, Files: design(t, w, e), Params: params})
		})
	}
}

// The user logic has the signals of the box, in their order, except for the box's own reset and
// parameters.
func TestOpenNICPorts(t *testing.T) {
	want := []string{"parameter NUM_CMAC_PORT 1"}
	for _, l := range facts(t, "opennic") {
		f := strings.Fields(l)
		switch {
		case f[0] == "parameter", strings.HasPrefix(f[1], "box_"):
			continue
		case strings.HasPrefix(f[1], "mod_"):
			f[2] = "1" // the rest is for other modules in the box
		}
		want = append(want, strings.Join(f, " "))
	}
	if d := cmp.Diff(want, described(t, "opennic")); d != "" {
		t.Errorf("-recorded +ours:\n%s", d)
	}
}

func TestOpenNICLint(t *testing.T) {
	for name, c := range map[string]struct {
		settings string
		params   map[string]string
	}{
		"one port": {"", nil}, "two": {"rx_user_bits=1", map[string]string{"NUM_CMAC_PORT": "2"}}, "wide": {"rx_user_bits=97 tx_user_bits=2", nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := emission(t, "opennic", c.settings)
			w := made(t, "opennic", e)
			lint(t, synth.LintRequest{Top: w.Top, Files: design(t, w, e), Params: c.params})
		})
	}
}

func TestAxisLint(t *testing.T) {
	for name, c := range map[string]struct {
		settings string
		params   map[string]string
	}{
		"one clock": {"", nil}, "three": {"rx_user_bits=97", map[string]string{"MAC_CLOCK": "1", "CLK_NUM": "512", "CLK_DENOM": "165"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := emission(t, "axis", c.settings)
			w := made(t, "axis", e)
			lint(t, synth.LintRequest{Top: w.Top, Files: design(t, w, e), Params: c.params})
		})
	}
}

// The files emitted with the SystemVerilog name each needed file once and give instructions.
func TestTexts(t *testing.T) {
	for _, kind := range wrap.Kinds() {
		t.Run(kind, func(t *testing.T) {
			e := emission(t, kind, "")
			w := made(t, kind, e)
			names := map[string]int{}
			for _, f := range append(append([]gen.File{}, w.Sources...), w.Others...) {
				if names[f.Name]++; names[f.Name] > 1 || f.Text == "" || strings.Contains(f.Text, "<no value>") || !strings.HasSuffix(f.Text, "\n") {
					t.Errorf("%s: %q", f.Name, f.Text)
				}
			}
			if names["README.md"] != 1 {
				t.Error("no README")
			}
			lists := map[string]string{"corundum": "files.mk", "opennic": "build_box_322mhz.tcl"}
			for _, f := range w.Others {
				if f.Name != lists[kind] {
					continue
				}
				for _, want := range w.Files(e) {
					if strings.Count(f.Text, want) != 1 {
						t.Errorf("%s names %s %d times:\n%s", f.Name, want, strings.Count(f.Text, want), f.Text)
					}
				}
			}
		})
	}
}
