// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Assert is an assertion about the ports of a unit: a property of SystemVerilog, in the names of ports
// and parameters, that holds in every cycle without reset.
type Assert struct{ Name, Property, Message string }

// assertions returns the module with assertions about the ports of a configuration, bound to its top.
func assertions(cfg gen.Config, list []Assert) string {
	var head, params, ports strings.Builder
	comma := func(b *strings.Builder, format string, args ...any) {
		if b.Len() > 0 {
			b.WriteString(",\n")
		}
		fmt.Fprintf(b, "  "+format, args...)
	}
	said := ""
	for _, a := range list {
		said += a.Property + "\n"
	}
	names := func(name string) bool { return regexp.MustCompile(`\b` + name + `\b`).MatchString(said) }
	used := slices.DeleteFunc(cfg.Ports(), func(p gen.Port) bool { return p.Name != "clk" && p.Name != "rst" && !names(p.Name) })
	for _, p := range used {
		said += p.Width + "\n"
	}
	for _, f := range sv.Overridable(cfg) {
		if !names(f.SV) {
			continue
		}
		comma(&head, "parameter %s %s = %s", sv.Type(f), f.SV, sv.Literal(f))
		comma(&params, ".%[1]s (%[1]s)", f.SV)
	}
	name := cfg.Top() + "_sva"
	var b strings.Builder
	b.WriteString("`resetall\n`timescale 1ns / 1ps\n`default_nettype none\n\nmodule " + name)
	if head.Len() > 0 {
		b.WriteString(" #(\n" + head.String() + "\n)")
	}
	head.Reset()
	for _, p := range used {
		comma(&head, "%s", strings.Join(strings.Fields("input wire logic "+sv.Range(p.Width)+" "+p.Name), " "))
		comma(&ports, ".%[1]s (%[1]s)", p.Name)
	}
	b.WriteString(" (\n" + head.String() + "\n);\n")
	for _, a := range list {
		fmt.Fprintf(&b, "\n  %s : assert property (@(posedge clk) disable iff (rst)\n    %s)\n    else $error(%q);\n", a.Name, a.Property, a.Message)
	}
	fmt.Fprintf(&b, "\nendmodule\n\nbind %s %s", cfg.Top(), name)
	if params.Len() > 0 {
		b.WriteString(" #(\n" + params.String() + "\n)")
	}
	b.WriteString(" sva (\n" + ports.String() + "\n);\n\n`resetall\n")
	return b.String()
}
