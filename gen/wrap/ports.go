// SPDX-License-Identifier: Apache-2.0

package wrap

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// A parameter is a numeric parameter of a module.
type parameter struct{ name, value string }

// A port is a port of another project's module.
type port struct {
	name  string
	dir   gen.Dir
	width string // SystemVerilog expression
}

// list collects a module's ports by group.
type list struct {
	group string
	ports []port
	under []string // the group of each
}

func (l *list) add(d gen.Dir, name, width string) {
	l.ports, l.under = append(l.ports, port{name, d, width}), append(l.under, l.group)
}

// bus adds ports that share a prefix, each as "name width" or "name"; one with a < in front has the other
// direction than d.
func (l *list) bus(d gen.Dir, prefix string, signals ...string) {
	for _, s := range signals {
		name, width, _ := strings.Cut(s, " ")
		name, back := strings.CutPrefix(name, "<")
		to := d
		if back {
			to = gen.Out - d
		}
		if width == "" {
			width = "1"
		}
		l.add(to, prefix+name, width)
	}
}

// lite adds an AXI4-Lite port: m of a master, from the module's side.
func (l *list) lite(d gen.Dir, prefix, addr, data, strb string) {
	l.bus(d, prefix, "awaddr "+addr, "awprot 3", "awvalid", "<awready", "wdata "+data, "wstrb "+strb, "wvalid", "<wready",
		"<bresp 2", "<bvalid", "bready", "araddr "+addr, "arprot 3", "arvalid", "<arready", "<rdata "+data, "<rresp 2", "<rvalid", "rready")
}

// times returns a width for each of several.
func times(count, width string) string {
	switch {
	case count == "" || count == "1":
		return width
	case width == "" || width == "1":
		return count
	}
	return count + "*" + width
}

// header returns the module's header, from "module" to ");".
func (l *list) header(name string, params []parameter) string {
	var b strings.Builder
	b.WriteString("module " + name)
	if len(params) > 0 {
		b.WriteString(" #(\n")
		wide := 0
		for _, p := range params {
			wide = max(wide, len(p.name))
		}
		for i, p := range params {
			line := fmt.Sprintf("  parameter int unsigned %-*s = %s%s\n", wide, p.name, p.value, comma(i, len(params)))
			if len(line) > sv.Columns+1 {
				line = fmt.Sprintf("  parameter int unsigned %s = %s%s\n", p.name, p.value, comma(i, len(params)))
			}
			b.WriteString(line)
		}
		b.WriteString(")")
	}
	b.WriteString(" (\n")
	wide := 0
	for _, p := range l.ports {
		wide = max(wide, len(sv.Range(p.width)))
	}
	for i, p := range l.ports {
		if i == 0 || l.under[i] != l.under[i-1] {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(&b, "  // %s\n", l.under[i])
		}
		kind := "input  wire logic "
		if p.dir == gen.Out {
			kind = "output      logic "
		}
		fmt.Fprintf(&b, "  %s%-*s %s%s\n", kind, wide, sv.Range(p.width), p.name, comma(i, len(l.ports)))
	}
	b.WriteString(");\n")
	return b.String()
}

func comma(i, n int) string {
	if i == n-1 {
		return ""
	}
	return ","
}

// nets maps the ports of the unit to the nets that they are connected to.
type nets map[string]string

// instance returns an instance of the unit with each port connected as n says. An output that n
// does not name is connected to a net unused_<port>, which is declared before the instance. Each
// line starts with indent. It is an error if n omits an input or has a name that the unit does not
// have.
func instance(cfg gen.Config, name, indent string, n nets) (string, error) {
	var b strings.Builder
	all := map[string]string{}
	for _, p := range cfg.Ports() {
		v, ok := n[p.Name]
		switch {
		case !ok && p.Dir == gen.In:
			return "", fmt.Errorf("%s: input %s is connected to nothing", cfg.Unit(), p.Name)
		case !ok:
			v = "unused_" + p.Name
			fmt.Fprintf(&b, "%slogic %s%s;\n", indent, space(sv.Range(p.Width)), v)
		}
		all[p.Name] = v
	}
	for _, name := range sortedKeys(n) {
		if _, ok := all[name]; !ok {
			return "", fmt.Errorf("%s: there is no port %s", cfg.Unit(), name)
		}
	}
	if b.Len() > 0 {
		b.WriteByte('\n')
	}
	for _, l := range strings.SplitAfter(strings.TrimSuffix(sv.Instance(cfg, name, all), "\n"), "\n") {
		b.WriteString(indent + l)
	}
	return b.String() + "\n", nil
}

func space(s string) string {
	if s == "" {
		return ""
	}
	return s + " "
}

// bits returns the width of a port of the unit.
func bits(cfg gen.Config, name string) (int, error) {
	for _, p := range cfg.Ports() {
		if p.Name == name {
			return p.Bits, nil
		}
	}
	return 0, fmt.Errorf("%s: there is no port %s", cfg.Unit(), name)
}

// sink declares a net that collects expressions that nothing else reads.
func sink(name, indent string, expressions []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%slogic %s;\n\n%sassign %s = &{\n", indent, name, indent, name)
	line := indent + "  1'b0"
	for _, e := range expressions {
		if len(line)+len(e)+3 > sv.Columns {
			b.WriteString(line + ",\n")
			line = indent + "  " + e
			continue
		}
		line += ", " + e
	}
	b.WriteString(line + "\n" + indent + "};\n")
	return b.String()
}
