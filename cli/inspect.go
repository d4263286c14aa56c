// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"

	"github.com/nicgen/nicgen/cosim/svparse"
)

// inspectText is a parsed file for people.
func inspectText(f *svparse.File) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", f.Name)
	for _, p := range f.Packages {
		fmt.Fprintf(&b, "\npackage %s\n", p.Name)
		params(&b, p.Params)
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, t := range p.Types {
			fmt.Fprintf(w, "  type\t%s\t%s\t%s\n", t.Name, t.Type, width(t.Width))
		}
		w.Flush()
		for _, fn := range p.Functions {
			fmt.Fprintf(&b, "  function  %s\n", fn)
		}
	}
	for _, m := range f.Modules {
		kind := "module"
		if m.Interface {
			kind = "interface"
		}
		fmt.Fprintf(&b, "\n%s %s\n", kind, m.Name)
		params(&b, m.Params)
		w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, p := range m.Ports {
			dir := p.Dir
			if p.Interface {
				dir = "interface"
			}
			typ := strings.Join(strings.Fields(p.Net+" "+p.Type+" "+sign(p.Signed)+" "+p.Range+" "+p.Unpacked), " ")
			fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", dir, p.Name, typ, width(p.Width))
		}
		w.Flush()
		for _, i := range m.Instances {
			fmt.Fprintf(&b, "  instance  %s of %s\n", i.Name, i.Module)
		}
	}
	for _, x := range f.Binds {
		fmt.Fprintf(&b, "\nbind %s to %s\n", x.Instance.Module, x.Target)
	}
	return b.String()
}

func params(b *strings.Builder, list []svparse.Param) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, p := range list {
		value := p.Default
		if p.Value != "" && p.Value != p.Default {
			value += " = " + p.Value
		}
		fmt.Fprintf(w, "  %s\t%s\t%s\t%s\n", p.Kind, p.Name, p.Type, value)
	}
	w.Flush()
}

func sign(signed bool) string {
	if signed {
		return "signed"
	}
	return ""
}

func width(bits int) string {
	switch bits {
	case 0:
		return "width not known"
	case 1:
		return "1 bit"
	}
	return fmt.Sprintf("%d bits", bits)
}
