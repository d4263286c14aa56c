// SPDX-License-Identifier: Apache-2.0

package sv

import (
	"testing"

	"github.com/nicgen/nicgen/gen"
)

// Names of neighbours are aligned in one column, and nothing else moves.
func TestAlign(t *testing.T) {
	files := []gen.File{{Text: "  logic a;\n  logic [7:0]    b;  // one\n\n  logic c;\n    logic d;\n  assign a = b;\n"}}
	Align(files)
	if want := "  logic       a;\n  logic [7:0] b;  // one\n\n  logic c;\n    logic d;\n  assign a = b;\n"; files[0].Text != want {
		t.Errorf("%q, want %q", files[0].Text, want)
	}
}
