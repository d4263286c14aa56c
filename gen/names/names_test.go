// SPDX-License-Identifier: Apache-2.0

package names

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
)

var sample = []gen.File{
	{Name: "part_pkg.sv", Text: "package part_pkg;\nendpackage\n"},
	{Name: "nic_part.sv", Text: "// The module nic_part of nic_parts.\n" +
		"`define NIC_WIDE 8 // `define NOT_THIS\n" +
		"/* module hidden;\nmodule also_hidden; */\n" +
		"(* keep *) module automatic nic_part (output logic nic_part_q);\n" +
		"  import part_pkg::x;  // nic_part.sv says\n" +
		"  initial $display(\"; module quoted;\");\n" +
		"  logic [`NIC_WIDE-1:0] my_nic_part, nic_part$x;\n" +
		"endmodule : nic_part\n"},
	{Name: "sub/nic_top.sv", Text: "module nic_top;\n  nic_part u_part (.nic_part_q ());\nendmodule\ninterface nic_bus;\nendinterface\n"},
}

func TestDefined(t *testing.T) {
	want := []Definition{
		{"package", "part_pkg", "part_pkg.sv"},
		{"`define", "NIC_WIDE", "nic_part.sv"},
		{"module", "nic_part", "nic_part.sv"},
		{"module", "nic_top", "sub/nic_top.sv"},
		{"interface", "nic_bus", "sub/nic_top.sv"},
	}
	if d := cmp.Diff(want, Defined(sample)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// Names change as whole words, and nothing else does.
func TestChange(t *testing.T) {
	c := Changes(sample, func(n string) string {
		if n == "nic_top" {
			return n
		}
		return "a_" + n
	})
	want := []gen.File{
		{Name: "a_part_pkg.sv", Text: "package a_part_pkg;\nendpackage\n"},
		{Name: "a_nic_part.sv", Text: "// The module a_nic_part of nic_parts.\n" +
			"`define a_NIC_WIDE 8 // `define NOT_THIS\n" +
			"/* module hidden;\nmodule also_hidden; */\n" +
			"(* keep *) module automatic a_nic_part (output logic nic_part_q);\n" +
			"  import a_part_pkg::x;  // a_nic_part.sv says\n" +
			"  initial $display(\"; module quoted;\");\n" +
			"  logic [`a_NIC_WIDE-1:0] my_nic_part, nic_part$x;\n" +
			"endmodule : a_nic_part\n"},
		{Name: "sub/nic_top.sv", Text: "module nic_top;\n  a_nic_part u_part (.nic_part_q ());\nendmodule\ninterface a_nic_bus;\nendinterface\n"},
	}
	if d := cmp.Diff(want, c.Files(sample)); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
	if n, ok := c["nic_top"]; ok {
		t.Errorf("nic_top stays, and yet it becomes %s", n)
	}
	if c.File("table.mem") != "table.mem" {
		t.Error("a file that is named after nothing does not keep its name")
	}
}
