// SPDX-License-Identifier: Apache-2.0

// Package sv renders the parts of a SystemVerilog file that follow from a
// unit's tables: the module header, the elaboration checks of the parameters
// that may be overridden, and an instantiation that connects every port.
// Every text is aligned, indented by two spaces and ends with a newline.
package sv

import (
	"fmt"
	"math/bits"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

// Columns is the widest line that the package writes on purpose.
const Columns = 100

// CLog2 returns $clog2(n): the smallest k such that n is at most 2^k; 0 for n below 2.
func CLog2(n int64) int {
	if n < 2 {
		return 0
	}
	return bits.Len64(uint64(n - 1))
}

// IdxW returns the width in bits of an index into n things, at least 1: IdxW(8) is 3.
func IdxW(n int64) int {
	return max(1, CLog2(n))
}

// CntW returns the width in bits of a count of up to n things: CntW(8) is 4.
func CntW(n int64) int {
	if n < 1 {
		return 1
	}
	return bits.Len64(uint64(n))
}

// Type returns the SystemVerilog type of the parameter for f: `bit` for a switch, `int unsigned`
// for a choice (its index in Field.Choices) and for a number, or the narrowest type that holds the
// number's range.
func Type(f gen.Field) string {
	switch {
	case f.Kind() == gen.Bool:
		return "bit"
	case f.Kind() == gen.Enum:
		return "int unsigned"
	case f.Min < 0 && f.Min >= -1<<31 && f.Max < 1<<31:
		return "int"
	case f.Min >= 0 && f.Max < 1<<32:
		return "int unsigned"
	case f.Min < 0:
		return "logic signed [63:0]"
	default:
		return "logic [63:0]"
	}
}

// Literal returns the value of f as a SystemVerilog literal of Type(f).
func Literal(f gen.Field) string {
	switch f.Kind() {
	case gen.Bool:
		if *f.Bool {
			return "1'b1"
		}
		return "1'b0"
	case gen.Enum:
		return strconv.Itoa(choice(f))
	}
	return number(f, *f.Int)
}

// number writes v in the form that a constant of Type(f) needs.
func number(f gen.Field, v int64) string {
	switch Type(f) {
	case "logic signed [63:0]":
		if v < 0 {
			return fmt.Sprintf("-64'sd%d", -v)
		}
		return fmt.Sprintf("64'sd%d", v)
	case "logic [63:0]":
		return fmt.Sprintf("64'd%d", v)
	case "int unsigned":
		// A plain literal is a signed 32-bit number.
		if v >= 1<<31 {
			return fmt.Sprintf("32'd%d", v)
		}
	}
	return strconv.FormatInt(v, 10)
}

// choice returns the index of an Enum's value, or 0 if the value is not among them.
func choice(f gen.Field) int {
	for i, c := range f.Choices {
		if c == *f.Enum {
			return i
		}
	}
	return 0
}

// Overridable returns the fields that stay SystemVerilog parameters.
func Overridable(cfg gen.Config) []gen.Field {
	var out []gen.Field
	for _, f := range cfg.Fields() {
		if f.SV != "" {
			out = append(out, f)
		}
	}
	return out
}

// Range returns the packed range of a port, "[W-1:0]", or "" for a single bit.
func Range(width string) string {
	w := strings.TrimSpace(width)
	if w == "" || w == "1" {
		return ""
	}
	if n, err := strconv.Atoi(w); err == nil {
		return fmt.Sprintf("[%d:0]", n-1)
	}
	// An operator that binds weaker than minus would swallow the "-1".
	if strings.ContainsAny(w, "?:<>=&|^") && !enclosed(w) {
		w = "(" + w + ")"
	}
	return "[" + w + "-1:0]"
}

// enclosed reports whether the whole of s is one call or one pair of
// parentheses: "$clog2(A<<1)" and "(a|b)" are, "(a)|(b)" is not.
func enclosed(s string) bool {
	open := strings.IndexByte(s, '(')
	if open < 0 || strings.ContainsAny(s[:open], "?:<>=&|^ ") {
		return false
	}
	depth := 0
	for i := open; i < len(s); i++ {
		switch s[i] {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return i == len(s)-1
			}
		}
	}
	return false
}

// Header returns the module header of cfg's top module, from `module` to `);`: the
// overridable fields as parameters, then the ports, each group under a comment.
func Header(cfg gen.Config) string {
	var b strings.Builder
	b.WriteString("module " + cfg.Top())
	if fields := Overridable(cfg); len(fields) > 0 {
		b.WriteString(" #(\n")
		var rows []row
		for _, f := range fields {
			rows = append(rows, row{f.Group, []string{"parameter", Type(f), f.SV, "= " + Literal(f)}})
		}
		table(&b, rows)
		b.WriteString(")")
	}
	b.WriteString(" (\n")
	var rows []row
	for _, p := range cfg.Ports() {
		dir := "input"
		typ := "wire logic"
		if p.Dir == gen.Out {
			dir, typ = "output", "logic"
		}
		rows = append(rows, row{p.Group, []string{dir, typ, Range(p.Width), p.Name}})
	}
	table(&b, rows)
	b.WriteString(");\n")
	return b.String()
}

// row is one line of an aligned list under the heading group.
type row struct {
	group string
	cells []string
}

// table writes rows in columns, separated by commas, with a comment line where
// the group changes. A column in which every cell is empty takes no space.
func table(b *strings.Builder, rows []row) {
	var widths []int
	for _, r := range rows {
		for i, c := range r.cells {
			if i == len(widths) {
				widths = append(widths, 0)
			}
			widths[i] = max(widths[i], len(c))
		}
	}
	group := ""
	for i, r := range rows {
		if r.group != group && r.group != "" {
			if i > 0 {
				b.WriteByte('\n')
			}
			fmt.Fprintf(b, "  // %s\n", r.group)
		}
		group = r.group
		line := " "
		for j, c := range r.cells {
			if widths[j] == 0 {
				continue
			}
			line += " " + c
			if j < len(r.cells)-1 {
				line += strings.Repeat(" ", widths[j]-len(c))
			}
		}
		if i < len(rows)-1 {
			line += ","
		}
		b.WriteString(line + "\n")
	}
}

// Checks returns the elaboration checks of the overridable fields: one generate block each that
// stops the tool when the value is out of the field's range. They belong at module level.
func Checks(cfg gen.Config) string {
	var b strings.Builder
	for _, f := range Overridable(cfg) {
		var bad, rule string
		switch f.Kind() {
		case gen.Bool:
			continue
		case gen.Enum:
			bad = fmt.Sprintf("%s > %d", f.SV, len(f.Choices)-1)
			rule = fmt.Sprintf("must be 0 to %d", len(f.Choices)-1)
		default:
			var conds []string
			// Comparing an unsigned number with 0 causes a lint warning.
			if f.Min != 0 {
				conds = append(conds, fmt.Sprintf("%s < %s", f.SV, number(f, f.Min)))
			}
			if !(Type(f) == "int unsigned" && f.Max == 1<<32-1) {
				conds = append(conds, fmt.Sprintf("%s > %s", f.SV, number(f, f.Max)))
			}
			rule = fmt.Sprintf("must be %d to %d", f.Min, f.Max)
			if f.PowerOfTwo {
				conds = append(conds, fmt.Sprintf("(%s & (%s - 1)) != 0", f.SV, f.SV))
				rule = fmt.Sprintf("must be a power of two, %d to %d", f.Min, f.Max)
			}
			bad = strings.Join(conds, " || ")
		}
		if bad == "" {
			continue
		}
		line := fmt.Sprintf("  if (%s) begin : g_check_%s\n", bad, strings.ToLower(f.SV))
		if i := strings.LastIndex(bad, " || "); len(line) > Columns+1 && i >= 0 {
			line = fmt.Sprintf("  if (%s ||\n      %s) begin : g_check_%s\n", bad[:i], bad[i+4:], strings.ToLower(f.SV))
		}
		b.WriteString(line)
		fmt.Fprintf(&b, "    $error(\"%s %s\");\n", f.SV, rule)
		b.WriteString("  end\n")
	}
	return b.String()
}

// Instance returns an instantiation of cfg's top module under the given instance
// name. An overridable parameter is set to the expression in connect, or to the value
// in cfg. A port is connected to the expression in connect, or to a net of the port's
// own name.
func Instance(cfg gen.Config, name string, connect map[string]string) string {
	var b strings.Builder
	b.WriteString(cfg.Top())
	if fields := Overridable(cfg); len(fields) > 0 {
		b.WriteString(" #(\n")
		var names, values []string
		for _, f := range fields {
			v, ok := connect[f.SV]
			if !ok {
				v = Literal(f)
			}
			names = append(names, f.SV)
			values = append(values, v)
		}
		connections(&b, names, values)
		b.WriteString(")")
	}
	b.WriteString(" " + name + " (\n")
	var names, values []string
	for _, p := range cfg.Ports() {
		names = append(names, p.Name)
		v, ok := connect[p.Name]
		if !ok {
			v = p.Name
		}
		values = append(values, v)
	}
	connections(&b, names, values)
	b.WriteString(");\n")
	return b.String()
}

// connections writes `.name (value)` lines with the values aligned.
func connections(b *strings.Builder, names, values []string) {
	w := 0
	for _, n := range names {
		w = max(w, len(n))
	}
	for i, n := range names {
		comma := ","
		if i == len(names)-1 {
			comma = ""
		}
		fmt.Fprintf(b, "  .%-*s (%s)%s\n", w, n, values[i], comma)
	}
}
