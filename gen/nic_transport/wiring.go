// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// byRegister are the streams of software that share a port of a part with the block.
var byRegister = []string{"gate_s_window", "pace_s_rate"}

var (
	words = regexp.MustCompile(`\w+`)
	ports = regexp.MustCompile(`(?m)^  (?:input  wire|output     ) logic (?:\[[^\]]*\] )?(\w+)`)
)

// wiring declares a net for each port of each part in a module, and instantiates the parts. A
// part's port that the module has too, and for which the text names no net, is connected to the
// module's; a port of software is connected to its place in cfg or sts. A net that the text does
// not name is unused.
func (p *Params) wiring(m module, at layout, text string) (nets, instances string) {
	named, has := map[string]bool{}, map[string]bool{}
	for _, w := range words.FindAllString(text, -1) {
		named[w] = true
	}
	for _, x := range ports.FindAllStringSubmatch(text, -1) {
		has[x[1]] = true
	}
	var decl, inst, resets strings.Builder
	declare := func(bits int, name string) {
		r := sv.Range(width(bits))
		if r != "" {
			r += " "
		}
		fmt.Fprintf(&decl, "  logic %s%s;\n", r, name)
	}
	for _, part := range p.Parts() {
		if !slices.Contains(m.Parts, part.Name) {
			continue
		}
		fmt.Fprintf(&resets, "  (* dont_touch = \"true\" *) logic %s;\n", resetOf(part.Name))
		fmt.Fprintf(&decl, "\n  // %s\n", part.Name)
		connect := map[string]string{"rst": resetOf(part.Name)}
		var soft []string
		for _, q := range part.Config.Ports() {
			net := part.Name + "_" + q.Name
			place, isSoft := at.port[net]
			shared := isSoft && slices.ContainsFunc(byRegister, func(s string) bool { return strings.HasPrefix(net, s+"_") })
			switch {
			case q.Name == "clk", q.Name == "rst":
				continue
			case q.Name == "now_ns":
				connect[q.Name] = "now"
				if q.Bits < at.now[m.Name] {
					connect[q.Name] += span(0, q.Bits)
				}
				continue
			case shared:
				declare(q.Bits, net+"_by_register")
				soft = append(soft, fmt.Sprintf("  assign %s_by_register = %s;\n", net, place))
			case isSoft && named[net]: // an input whose setting other parts have too
				soft = append(soft, fmt.Sprintf("  assign %s = %s;\n", net, place))
			case isSoft:
				connect[q.Name] = place.String()
				continue
			case !named[net] && has[q.Name]:
				connect[q.Name] = q.Name
				continue
			case q.Dir == gen.Out && !named[net]:
				net = "unused_" + net
			}
			connect[q.Name] = net
			declare(q.Bits, net)
		}
		if len(soft) > 0 {
			decl.WriteString("\n" + strings.Join(soft, ""))
		}
		for _, f := range sv.Overridable(part.Config) {
			connect[f.SV] = sv.Literal(f)
		}
		fmt.Fprintf(&inst, "%s\n", indent(sv.Instance(part.Config, part.Name, connect)))
	}
	if len(m.Parts) == 0 {
		return "", ""
	}
	return fmt.Sprintf("\n%s%s\n%s", resets.String(), decl.String(), resetting(m.Parts)), inst.String()
}

// resetOf returns the register of rst that a part has.
func resetOf(part string) string { return "rst_" + part + "_q" }

// resetting loads the registers of rst.
func resetting(parts []string) string {
	n := 0
	for _, x := range parts {
		n = max(n, len(resetOf(x)))
	}
	var b strings.Builder
	b.WriteString("  always_ff @(posedge clk) begin\n")
	for _, x := range parts {
		fmt.Fprintf(&b, "    %-*s <= rst_next;\n", n, resetOf(x))
	}
	b.WriteString("  end\n")
	return b.String()
}

// csr instantiates the registers.
func (p *Params) csr(at layout) string {
	connect := map[string]string{own + "_sts_ready": "ready", own + "_evt_recovered": "evt_recovered",
		own + "_cfg_label_high": "cfg_label_high", own + "_cfg_ask": "cfg_ask", own + "_cfg_recover": "cfg_recover",
		own + "_s_profile_valid": "m_profile_valid", own + "_s_profile_conn": "m_profile_conn", own + "_s_profile_word": "m_profile_word"}
	for _, c := range Counters {
		connect[own+"_sts_"+c.Name+"_cnt"] = c.Name + "_cnt_q"
	}
	for _, c := range Outside {
		connect[own+"_sts_"+c.Name+"_cnt"] = "s_" + c.Name + "_cnt"
	}
	for net, place := range at.abs {
		connect[net] = place.String()
	}
	return indent(sv.Instance(p.registers(), "csr", connect))
}

// allReady returns the conjunction of the parts' ready signals.
func (p *Params) allReady() string {
	at := p.layout()
	terms := []string{"!profile_busy"}
	for _, part := range p.Parts() {
		if x, ok := at.abs[part.Name+"_sts_ready"]; ok {
			terms = append(terms, x.String())
		}
	}
	return strings.Join(terms, " && ")
}

// indent moves a text two columns to the right.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

var (
	blanks     = regexp.MustCompile(`\n\n\n+`)
	connection = regexp.MustCompile(`^( +)\.(\w+) +(\(.*)$`)
	assignment = regexp.MustCompile(`^( +assign )(\w+(?:\[[^\]]*\])?) +(= .*)$`)
)

// blank leaves one empty line of several.
func blank(text string) string {
	return blanks.ReplaceAllString(text, "\n\n")
}

// columns aligns the values of an instance's connections in one column.
func columns(text string) string {
	lines := strings.Split(text, "\n")
	for at := 0; at < len(lines); at++ {
		if !connection.MatchString(lines[at]) {
			continue
		}
		end, w := at, 0
		for ; end < len(lines); end++ {
			m := connection.FindStringSubmatch(lines[end])
			if m != nil {
				w = max(w, len(m[2]))
			} else if strings.HasPrefix(strings.TrimSpace(lines[end]), ")") {
				break
			}
		}
		for k := at; k < end; k++ {
			if m := connection.FindStringSubmatch(lines[k]); m != nil {
				lines[k] = fmt.Sprintf("%s.%-*s %s", m[1], w, m[2], m[3])
			}
		}
		at = end
	}
	return strings.Join(lines, "\n")
}

// assigns aligns the expressions of neighbouring assignments in one column.
func assigns(text string) string {
	lines := strings.Split(text, "\n")
	for at := 0; at < len(lines); at++ {
		end, w := at, 0
		for ; end < len(lines); end++ {
			m := assignment.FindStringSubmatch(lines[end])
			if m == nil {
				break
			}
			w = max(w, len(m[2]))
		}
		for k := at; k < end; k++ {
			m := assignment.FindStringSubmatch(lines[k])
			lines[k] = fmt.Sprintf("%s%-*s %s", m[1], w, m[2], m[3])
		}
		at = max(at, end-1)
	}
	return strings.Join(lines, "\n")
}
