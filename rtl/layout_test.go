// SPDX-License-Identifier: Apache-2.0

package rtl_test

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var (
	// literalWidth is a number that a template left for the reader to work out: [18-1:0].
	literalWidth = regexp.MustCompile(`\[\d+-1:0\]`)
	declaration  = regexp.MustCompile(`^( *)((?:input  wire |output      |localparam )?logic(?: signed)?(?: \[[^\]]*\])*)( +)\w`)
)

// untidy lists lines that are hard to read: widths as differences of numbers, and neighbouring
// declarations whose names are not aligned in one column.
func untidy(text string) (list []string) {
	indent, column := "", 0
	for i, l := range strings.Split(text, "\n") {
		if w := literalWidth.FindString(l); w != "" {
			list = append(list, fmt.Sprintf("line %d: %s", i+1, w))
		}
		m := declaration.FindStringSubmatch(l)
		if m == nil {
			column = 0
			continue
		}
		at := len(m[0])
		if column > 0 && m[1] == indent && at != column {
			list = append(list, fmt.Sprintf("line %d: the name is in column %d, want %d as above", i+1, at, column))
		}
		indent, column = m[1], at
	}
	return list
}

// untidyYet are the texts that are not tidy yet: the test says when one is.
var untidyYet = []string{
	"nic_transport/nic_transport_csr_totals.sv",
	"nic_transport/nic_transport_powertcp.sv",
	"powertcp/nic_powertcp.sv",
}

func TestTextsAreTidy(t *testing.T) {
	var files []string
	for _, pattern := range []string{"*/*.sv", variants + "/*/*.sv"} {
		list, err := filepath.Glob(pattern)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %d files: %v", pattern, len(list), err)
		}
		files = append(files, list...)
	}
	var bad []string
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		list := untidy(string(text))
		if len(list) == 0 {
			continue
		}
		bad = append(bad, name)
		if !slices.Contains(untidyYet, name) {
			t.Errorf("%s:\n  %s", name, strings.Join(list, "\n  "))
		}
	}
	if d := cmp.Diff(untidyYet, bad); d != "" {
		t.Errorf("texts that are not tidy (-listed +found)\n%s", d)
	}
}

func TestUntidy(t *testing.T) {
	const text = "  logic [18-1:0] a;\n  logic          b;\n\n  logic [3:0] c;\n  logic       d;\n    logic e;\n  logic [N-1:0]   f;\n  logic  g;\n  assign x = y[4-1:0];\n"
	want := []string{"line 1: [18-1:0]", "line 8: the name is in column 10, want 19 as above", "line 9: [4-1:0]"}
	if d := cmp.Diff(want, untidy(text)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
