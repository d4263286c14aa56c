// SPDX-License-Identifier: Apache-2.0

package wrap

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/svparse"
	"github.com/nicgen/nicgen/synth"
)

// standIn has the ports of the unit and, in place of its text, one that is quickly read.
type standIn struct{ *nictransport.Params }

// Files implements gen.Config.
func (s standIn) Files() ([]gen.File, error) {
	b, err := os.ReadFile("testdata/stand_in.sv")
	var quiet strings.Builder
	for _, p := range s.Ports() {
		if strings.HasPrefix(p.Name, "m_trace_") {
			quiet.WriteString("  assign " + p.Name + " = '0;\n")
		}
	}
	text := strings.NewReplacer("// HEADER\n", sv.Header(s), "  // QUIET\n", quiet.String()).Replace(string(b))
	return []gen.File{{Name: "nic_transport.sv", Text: text}}, err
}

// emission is the stand-in, emitted for a wrapper.
func emission(t *testing.T, kind, settings string) gen.Emission {
	t.Helper()
	cfg := standIn{nictransport.Default()}
	base, err := Settings(kind)
	if err != nil {
		t.Fatal(err)
	}
	if err := gen.Configure(cfg, base+" "+settings); err != nil {
		t.Fatal(err)
	}
	return gen.Emission{Config: cfg, Sources: []string{"nic_transport.sv"}}
}

// design is all SystemVerilog of a wrapper around the stand-in.
func design(t *testing.T, w *Wrapper, e gen.Emission) []synth.File {
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

// facts are the lines of a record of somebody else's ports and parameters.
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

// plain is an expression without blanks, with the shorter form of a condition, and without parentheses around the whole of it.
func plain(s string) string {
	s = strings.ReplaceAll(strings.ReplaceAll(s, " ", ""), "!=0", "")
	if inner, ok := strings.CutPrefix(s, "("); ok && strings.IndexByte(s, ')') == len(s)-1 {
		return strings.TrimSuffix(inner, ")")
	}
	return s
}

// The application block has the ports and parameters that Corundum connects, in their order; only the
// number of the application is ours.
func TestCorundumPorts(t *testing.T) {
	var got []string
	for _, p := range corundumParameters() {
		got = append(got, "parameter "+p.name+" "+plain(p.value))
	}
	for _, p := range corundumPorts().ports {
		got = append(got, []string{"input", "output"}[p.dir]+" "+p.name+" "+plain(p.width))
	}
	var want []string
	for _, l := range facts(t, "corundum") {
		f := strings.Fields(l)
		if f[2] = plain(f[2]); f[1] == "APP_ID" {
			f[2] = fmt.Sprintf("32'h%08X", AppID)
		}
		want = append(want, strings.Join(f, " "))
	}
	if d := cmp.Diff(want, got); d != "" {
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
	e := emission(t, "corundum", "")
	w, err := Make("corundum", e)
	if err != nil {
		t.Fatal(err)
	}
	for name, params := range map[string]map[string]string{
		"one port": {"AXIL_APP_CTRL_ADDR_WIDTH": "24"},
		"two":      {"AXIL_APP_CTRL_ADDR_WIDTH": "24", "IF_COUNT": "2"},
		"four":     {"AXIL_APP_CTRL_ADDR_WIDTH": "24", "IF_COUNT": "2", "PORTS_PER_IF": "2", "CLK_PERIOD_NS_NUM": "32", "CLK_PERIOD_NS_DENOM": "10"},
	} {
		t.Run(name, func(t *testing.T) { lint(t, synth.LintRequest{Top: w.Top, Files: design(t, w, e), Params: params}) })
	}
}

// The user logic has the signals of the box, in their order, but for the box's own reset and parameters.
func TestOpenNICPorts(t *testing.T) {
	var got, want []string
	for _, p := range openNICPorts().ports {
		got = append(got, []string{"input", "output"}[p.dir]+" "+p.name+" "+p.width)
	}
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
	if d := cmp.Diff(want, got); d != "" {
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
			w, err := Make("opennic", e)
			if err != nil {
				t.Fatal(err)
			}
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
			w, err := Make("axis", e)
			if err != nil {
				t.Fatal(err)
			}
			lint(t, synth.LintRequest{Top: w.Top, Files: design(t, w, e), Params: c.params})
		})
	}
}

// What is emitted beside the SystemVerilog names each file that is needed, once, and says what to do.
func TestTexts(t *testing.T) {
	for _, kind := range Kinds() {
		t.Run(kind, func(t *testing.T) {
			e := emission(t, kind, "")
			w, err := Make(kind, e)
			if err != nil {
				t.Fatal(err)
			}
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
