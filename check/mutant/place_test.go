// SPDX-License-Identifier: Apache-2.0

package mutant_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/check/mutant"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/registry"
)

// cell is a cell of a design: its kind, and the text of its source line.
type cell struct{ Type, Parameters, Line string }

var (
	sourceAttr = regexp.MustCompile(`^  attribute \\src "([^"]*)"`)
	cellHead   = regexp.MustCompile(`^  cell (\S+) (\S+)$`)
)

// cellsOf returns the cells of a flattened design by their places.
func cellsOf(t *testing.T, files []cosim.File, top string) map[string]cell {
	t.Helper()
	d, err := mutant.Elaborate(t.Context(), cosim.Source{Top: top, Files: files}, false)
	if err != nil {
		t.Fatal(err)
	}
	dir, err := d.Folder()
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	rtlil, err := os.ReadFile(filepath.Join(dir, "design.il"))
	if err != nil {
		t.Fatal(err)
	}
	lines := map[string][]string{}
	for _, f := range files {
		lines[f.Name] = strings.Split(f.Text, "\n")
	}
	cells := map[string]cell{}
	src, place := "", ""
	for line := range strings.Lines(string(rtlil)) {
		line = strings.TrimRight(line, "\n")
		if m := sourceAttr.FindStringSubmatch(line); m != nil {
			src = m[1]
		} else if m := cellHead.FindStringSubmatch(line); m != nil {
			place = d.Place(strings.TrimPrefix(m[2], `\`))
			if _, ok := cells[place]; ok || place == "" {
				t.Fatalf("cell %s: place %q belongs to two cells, or is empty", m[2], place)
			}
			cells[place] = cell{Type: m[1], Line: sourceLines(t, lines, src)}
			src = ""
		} else if line == "  end" {
			place, src = "", ""
		} else if place != "" && strings.HasPrefix(line, "    parameter ") && !strings.Contains(line, "$") {
			c := cells[place]
			c.Parameters += strings.TrimSpace(line) + "\n"
			cells[place] = c
		}
	}
	return cells
}

// sourceLines returns the texts of the lines that an attribute src names: "a.sv:3.5-3.9|b.sv:7.1".
func sourceLines(t *testing.T, lines map[string][]string, src string) string {
	t.Helper()
	var texts []string
	for _, at := range strings.Split(src, "|") {
		file, where, _ := strings.Cut(at, ":")
		number, _, _ := strings.Cut(where, ".")
		n, err := strconv.Atoi(number)
		if err != nil || lines[file] == nil || n == 0 {
			continue // of Yosys' own
		}
		texts = append(texts, strings.TrimSpace(lines[file][n-1]))
	}
	slices.Sort(texts)
	return strings.Join(texts, "\n")
}

// Comments above and within modules move all lines, across the end of two digits as well, and no place of a cell: each
// names a cell of the same type, with the same parameters, from the same text. Two units of some size show it.
func TestPlacesStay(t *testing.T) {
	type unit struct {
		top   string
		files []gen.File
		size  int
	}
	var units []unit
	for _, u := range registry.Units {
		cfg := u.New()
		files, err := cfg.Files()
		if err != nil {
			t.Fatal(err)
		}
		x := unit{top: cfg.Top(), files: files}
		for _, f := range files {
			x.size += len(f.Text)
		}
		units = append(units, x)
	}
	slices.SortFunc(units, func(a, b unit) int { return a.size - b.size })
	shown := 0
	for _, u := range units {
		var files, commented []cosim.File
		for i, f := range u.files {
			files = append(files, cosim.File(f))
			text := strings.Repeat("// One line more.\n", 1+7*i)
			for line := range strings.Lines(f.Text) {
				text += line
				if strings.HasSuffix(line, ";\n") && strings.HasPrefix(line, "  ") {
					text += "  // And one here.\n"
				}
			}
			commented = append(commented, cosim.File{Name: f.Name, Text: text})
		}
		before := cellsOf(t, files, u.top)
		if len(before) < 300 {
			continue
		}
		if d := cmp.Diff(before, cellsOf(t, commented, u.top)); d != "" {
			t.Errorf("%s (-before +after):\n%.3000s", u.top, d)
		}
		if shown++; shown == 2 {
			return
		}
	}
	t.Errorf("%d units have 300 cells or more, want 2", shown)
}

// A place identifies a cell's position in the design and its kind.
func TestPlaces(t *testing.T) {
	d, err := mutant.Elaborate(t.Context(), cosim.Source{Top: "top", Files: []cosim.File{{Name: "top.sv", Text: `
module part (input wire [3:0] a, output wire [3:0] y);
  assign y = a + 4'd1;
endmodule
module top (input wire clk, input wire rst, input wire [3:0] a, output reg [3:0] y);
  wire [3:0] x [2];
  for (genvar i = 0; i < 2; i++) begin : g_lane
    part more (.a(a ^ 4'd3), .y(x[i]));
  end
  always @(posedge clk) begin
    y <= x[0] + x[1] + a;
    if (rst) y <= 4'd0;
  end
endmodule
`}}}, false)
	if err != nil {
		t.Fatal(err)
	}
	list, err := d.List(t.Context(), 200, 1)
	if err != nil {
		t.Fatal(err)
	}
	places := map[string]bool{}
	for _, m := range list {
		places[m.Place] = true
		if want := fmt.Sprintf("port %s bit %d of %s", m.Port, m.PortBit, m.Place); !strings.Contains(m.String(), want) {
			t.Errorf("%s, want it to have %q", &m, want)
		}
	}
	for _, want := range []string{"$add#1", "$add#2", "$procdff#1", "$procmux#1", "g_lane[0].more.$add#1", "g_lane[1].more.$add#1"} {
		if !places[want] {
			t.Errorf("no mutant of %s, found mutants of %v", want, places)
		}
	}
}
