// SPDX-License-Identifier: Apache-2.0

package sv_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen/sv"
)

func TestTidy(t *testing.T) {
	long := "  assign x = {" + strings.Repeat("some_name, ", 12) + "last};"
	for _, c := range []struct{ name, text, want string }{
		{"declarations", "  logic [18-1:0] a;\n  logic b;  // one\n\n  logic [W-1:0] c;\n", "  logic [17:0] a;\n  logic        b;  // one\n\n  logic [W-1:0] c;\n"},
		{"other indent", "  logic [3:0] a;\n    logic b;\n", "  logic [3:0] a;\n    logic b;\n"},
		{"long", long, "  assign x = {some_name, some_name, some_name, some_name, some_name, some_name, some_name,\n" +
			"              some_name, some_name, some_name, some_name, some_name, last};"},
		{"comment", "  // " + strings.Repeat("word ", 30), "  // " + strings.Repeat("word ", 30)},
	} {
		if d := cmp.Diff(c.want, sv.Tidy(c.text)); d != "" {
			t.Errorf("%s: -want +got:\n%s", c.name, d)
		}
	}
}
