// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"fmt"
	"sort"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// page returns the interface documentation of a configuration, in Markdown: purpose, ports,
// parameters, latency and run-time settings, an instantiation, and the unit's own notes.
func (d description) page() (string, error) {
	cfg := d.Config
	var b strings.Builder
	fmt.Fprintf(&b, "# %s: %s\n\n", cfg.Top(), cfg.Title())
	fmt.Fprintf(&b, "Source: %s.\n\n", strings.TrimSuffix(cfg.Paper(), "."))
	b.WriteString("Files, in compile order: `" + strings.Join(d.Sources, "`, `") + "`")
	if len(d.Parts) > 0 {
		b.WriteString("; before them from `" + d.Library() + "`, which units share: `" + strings.Join(d.Parts, "`, `") + "`")
	}
	b.WriteString(".\n")

	b.WriteString("\n## Interface\n\n" + Ports(cfg))
	b.WriteString("\n## Parameters\n\nA parameter with a name in the last column may be overridden at " +
		"instantiation; the others are fixed in the text.\n\n")
	b.WriteString(Parameters(cfg, false))
	b.WriteString("\n## Latency\n\n" + Latency(cfg))
	if hasRuntime(cfg) {
		b.WriteString("\n## Run-time settings\n\nPorts that are set while the unit runs, with the values of this configuration. They are inputs of `clk`: from\nregisters of another clock they come through a handshake, never directly.\n\n")
		b.WriteString(Parameters(cfg, true))
	}
	consts, err := constants(cfg)
	if err != nil {
		return "", err
	}
	b.WriteString("\n## Instantiation\n\nEvery port is connected; the run-time settings have the values of this configuration.\n\n```systemverilog\n")
	b.WriteString(sv.Instance(cfg, "u_"+d.Name(), consts))
	b.WriteString("```\n")
	if n, ok := cfg.(gen.Noted); ok {
		b.WriteString("\n" + strings.TrimSpace(n.Notes()) + "\n")
	}
	return d.change.Text(b.String()), nil
}

// Ports returns the interface table.
func Ports(cfg gen.Config) string {
	rows := [][]string{{"Port", "Direction", "Width", "Bits", "Format", "Timing", "Meaning"}}
	group := ""
	for _, p := range cfg.Ports() {
		if p.Group != group {
			group = p.Group
			rows = append(rows, []string{"**" + group + "**", "", "", "", "", "", ""})
		}
		dir, width := "in", p.Width
		if p.Dir == gen.Out {
			dir = "out"
		}
		if width == "" {
			width = "1"
		}
		rows = append(rows, []string{"`" + p.Name + "`", dir, "`" + width + "`", fmt.Sprint(p.Bits), p.Format, p.Timing, p.Meaning})
	}
	return Table(rows)
}

// Parameters returns the table of the fields that shape the hardware, or of the run-time settings,
// with the values in use, and the rules behind them.
func Parameters(cfg gen.Config, runtime bool) string {
	last := "SystemVerilog parameter"
	if runtime {
		last = "Port"
	}
	rows := [][]string{{"Key", "Value", "Unit", "Allowed", "Meaning", "Cost", "Reference", last}}
	for _, f := range cfg.Fields() {
		if f.Runtime != runtime {
			continue
		}
		name := f.SV
		if runtime {
			name = f.Port
		}
		if name != "" {
			name = "`" + name + "`"
		}
		value := "`" + f.Value() + "`"
		if f.IsAuto() {
			value += "; " + gen.Auto + ": " + f.Auto.Text
		}
		rows = append(rows, []string{"`" + f.Key + "`", value, f.Unit, f.Allowed(), f.Doc, f.Cost, f.Ref, name})
	}
	return Table(rows)
}

// Latency returns the table of latencies.
func Latency(cfg gen.Config) string {
	l := cfg.Latency()
	var names []string
	for n := range l {
		names = append(names, n)
	}
	sort.Strings(names)
	rows := [][]string{{"From what to what", "Cycles"}}
	for _, n := range names {
		rows = append(rows, []string{n, fmt.Sprint(l[n])})
	}
	return Table(rows)
}

func hasRuntime(cfg gen.Config) bool {
	for _, f := range cfg.Fields() {
		if f.Runtime {
			return true
		}
	}
	return false
}

// Table writes a Markdown table; the first row is the heading. Line ends in a cell become spaces,
// and column separators are escaped.
func Table(rows [][]string) string {
	var b strings.Builder
	for i, r := range rows {
		b.WriteString("|")
		for _, c := range r {
			// A cell is one line and has no unescaped column separator.
			c = strings.ReplaceAll(strings.Join(strings.Fields(c), " "), "|", `\|`)
			b.WriteString(" " + c + " |")
		}
		b.WriteString("\n")
		if i == 0 {
			b.WriteString(strings.Repeat("|---", len(r)) + "|\n")
		}
	}
	return b.String()
}

// constants gives each cfg_ port the value of its field as a literal.
func constants(cfg gen.Config) (map[string]string, error) {
	m := map[string]string{}
	if d, ok := cfg.(gen.Driven); ok {
		values := d.PortValues()
		for _, p := range cfg.Ports() {
			v, ok := values[p.Name]
			switch {
			case !ok:
			case p.Bits < 64 && v>>p.Bits != 0:
				return nil, fmt.Errorf("%d does not fit port %s of %d bits", v, p.Name, p.Bits)
			default:
				m[p.Name] = fmt.Sprintf("%d'd%d", p.Bits, v)
			}
		}
		return m, nil
	}
	bits := map[string]int{}
	for _, p := range cfg.Ports() {
		bits[p.Name] = p.Bits
	}
	for _, f := range cfg.Fields() {
		if !f.Runtime {
			continue
		}
		n, ok := bits[f.Port]
		if !ok {
			return nil, fmt.Errorf("%s drives port %q, which does not exist", f.Key, f.Port)
		}
		v, err := constant(f, n)
		if err != nil {
			return nil, err
		}
		m[f.Port] = v
	}
	return m, nil
}

// constant returns a field's value as a literal of a port of n bits. A choice is its index in
// Field.Choices; a port with room for several choices or switches gets the same value for each of
// them.
func constant(f gen.Field, n int) (string, error) {
	repeat := func(times int, lit string) string {
		if times == 1 {
			return lit
		}
		return fmt.Sprintf("{%d{%s}}", times, lit)
	}
	switch f.Kind() {
	case gen.Bool:
		return repeat(n, sv.Literal(f)), nil
	case gen.Enum:
		w := sv.IdxW(int64(len(f.Choices)))
		if n%w == 0 {
			return repeat(n/w, fmt.Sprintf("%d'd%s", w, sv.Literal(f))), nil
		}
		if n > w {
			return fmt.Sprintf("%d'd%s", n, sv.Literal(f)), nil
		}
		return "", fmt.Errorf("%s has %d choices, port %s has %d bits", f.Key, len(f.Choices), f.Port, n)
	}
	v := *f.Int
	switch {
	case v < 0 && n < 64 && v < -1<<(n-1), v >= 0 && n < 63 && v >= 1<<n:
		return "", fmt.Errorf("%s %d does not fit port %s of %d bits", f.Key, v, f.Port, n)
	case v < 0:
		return fmt.Sprintf("-%d'sd%d", n, -v), nil
	}
	return fmt.Sprintf("%d'd%d", n, v), nil
}
