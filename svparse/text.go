// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// WriteText describes a file for people: packages, modules, parameters, ports with their widths
// under default parameters, instances and binds. A width that cannot be evaluated is shown as "?",
// with the reason below the table.
func WriteText(w io.Writer, f *File) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "file %s\n", f.Name)
	for _, d := range f.Directives {
		fmt.Fprintf(b, "  `%s\n", strings.TrimSpace(d.Name+" "+d.Arg))
	}
	for _, p := range f.Packages {
		fmt.Fprintf(b, "\npackage %s\n", p.Name)
		writeDoc(b, p.Doc)
		writeParams(b, p.Params)
		table(b, "types", len(p.Types), func(t io.Writer) {
			for _, x := range p.Types {
				row(t, x.Name, width(x.Width), x.Type+x.Unpacked, x.Doc)
			}
		})
		var why []string
		for _, x := range p.Types {
			why = append(why, x.Unknown)
		}
		unknown(b, why)
		table(b, "functions", len(p.Functions), func(t io.Writer) {
			for _, x := range p.Functions {
				row(t, x)
			}
		})
	}
	for _, m := range f.Modules {
		word := "module"
		if m.Interface {
			word = "interface"
		}
		fmt.Fprintf(b, "\n%s %s\n", word, m.Name)
		writeDoc(b, m.Doc)
		writeParams(b, m.Params)
		table(b, "ports", len(m.Ports), func(t io.Writer) {
			for _, p := range m.Ports {
				dir, size := p.Dir, width(p.Width)
				switch {
				case p.Interface:
					dir, size = "interface", p.Type
				case p.Signed:
					size += " signed"
				}
				shape := p.Range + p.Unpacked
				if p.Type != "logic" && !p.Interface {
					shape = p.Type + shape
				}
				row(t, dir, p.Name, size, shape, p.Doc)
			}
		})
		var why []string
		for _, p := range m.Ports {
			why = append(why, p.Unknown)
		}
		unknown(b, why)
		table(b, "instances", len(m.Instances), func(t io.Writer) {
			for _, i := range m.Instances {
				row(t, i.Name, i.Module)
			}
		})
	}
	if len(f.Binds) > 0 {
		fmt.Fprintln(b)
	}
	for _, x := range f.Binds {
		fmt.Fprintf(b, "bind %s: %s %s\n", x.Target, x.Instance.Module, x.Instance.Name)
	}
	return b.Flush()
}

func writeDoc(w io.Writer, doc string) {
	if line, _, _ := strings.Cut(doc, "\n"); line != "" {
		fmt.Fprintf(w, "  %s\n", line)
	}
}

func writeParams(w io.Writer, ps []Param) {
	for _, kind := range []string{"parameter", "localparam"} {
		n := 0
		for _, p := range ps {
			if p.Kind == kind {
				n++
			}
		}
		table(w, kind+"s", n, func(t io.Writer) {
			for _, p := range ps {
				if p.Kind != kind {
					continue
				}
				value := p.Default
				if p.Value != "" && p.Value != p.Default {
					value += " = " + p.Value
				}
				row(t, p.Name, p.Type, value, p.Doc)
			}
		})
	}
}

// unknown lists the reasons of widths that are shown as "?", each once.
func unknown(w io.Writer, reasons []string) {
	said := map[string]bool{"": true}
	for _, r := range reasons {
		if !said[r] {
			fmt.Fprintf(w, "    ? %s\n", r)
		}
		said[r] = true
	}
}

func width(n int) string {
	if n == 0 {
		return "?"
	}
	return fmt.Sprint(n)
}

// table writes n rows under a heading, or nothing.
func table(w io.Writer, heading string, n int, rows func(io.Writer)) {
	if n == 0 {
		return
	}
	fmt.Fprintf(w, "  %s\n", heading)
	var text strings.Builder
	t := tabwriter.NewWriter(&text, 0, 1, 2, ' ', 0)
	rows(t)
	t.Flush() // to memory: cannot fail
	for _, line := range strings.SplitAfter(text.String(), "\n") {
		if line = strings.TrimRight(line, " \n"); line != "" {
			fmt.Fprintln(w, line)
		}
	}
}

func row(w io.Writer, cells ...string) {
	for i := range cells {
		cells[i], _, _ = strings.Cut(cells[i], "\n")
	}
	fmt.Fprintf(w, "    %s\n", strings.Join(cells, "\t"))
}
