// SPDX-License-Identifier: Apache-2.0

package verilator

import (
	"fmt"
	"regexp"
	"sort"
	"strconv"
	"strings"
)

// glueVersion changes with the text that Glue writes for the same ports.
const glueVersion = "glue 2"

// Port is a port of a verilated top module.
type Port struct {
	Name  string // in SystemVerilog
	Ident string // in C++
	Input bool
	Width int // bits
}

var (
	portRE   = regexp.MustCompile(`(?m)^\s*VL_(INOUT|IN|OUT)(?:8|16|64|W)?\(&?(\(?&?[\w]+\)?(?:\[\d+\])*),(-?\d+),(-?\d+)(?:,\d+)?\);`)
	escapeRE = regexp.MustCompile(`__0([0-9A-Fa-f]{2})`)
)

// Ports reads the ports, with their widths as elaborated, from the header that Verilator wrote for
// the top module. Ports that are not plain vectors are refused by name.
func Ports(header string) ([]Port, error) {
	var ports []Port
	for _, m := range portRE.FindAllStringSubmatch(header, -1) {
		ident := strings.Trim(m[2], "(&)")
		if i := strings.IndexAny(ident, ")["); i >= 0 {
			return nil, fmt.Errorf("port %s is an unpacked array, want a packed vector", svName(ident[:i]))
		}
		p := Port{Name: svName(ident), Ident: ident, Input: m[1] == "IN"}
		if m[1] == "INOUT" {
			return nil, fmt.Errorf("port %s is an inout, want an input or an output", p.Name)
		}
		msb, _ := strconv.Atoi(m[3])
		lsb, _ := strconv.Atoi(m[4])
		if p.Width = msb - lsb; p.Width < 0 {
			p.Width = -p.Width
		}
		p.Width++
		ports = append(ports, p)
	}
	if len(ports) == 0 {
		return nil, fmt.Errorf("the top module has no ports")
	}
	return ports, nil
}

// svName undoes Verilator's encoding of names that C++ cannot hold.
func svName(ident string) string {
	ident = strings.TrimPrefix(ident, "__SYM__")
	return escapeRE.ReplaceAllStringFunc(ident, func(s string) string {
		n, _ := strconv.ParseUint(s[3:], 16, 8)
		return string(rune(n))
	})
}

// Pin is the place of a Port in a vector of 64-bit words: within one word if it has at most 64
// bits, and starting at bit 0 of a word if it has more.
type Pin struct {
	Port
	Word  int
	Shift uint
}

// Glue writes the C++ that moves ports to and from vectors.
func Glue(clock Port, in, out []Pin, inWords, outWords int) string {
	var b strings.Builder
	fmt.Fprintf(&b, "#define GLUE_IN %d\n#define GLUE_OUT %d\n", inWords, outWords)
	fmt.Fprintf(&b, "static inline void glue_clk(Vm& t, bool v) { t.%s = v; }\n", clock.Ident)
	b.WriteString("static inline void glue_in(Vm& t, const uint64_t* v) {\n")
	for _, p := range in {
		switch {
		case p.Width <= 64:
			fmt.Fprintf(&b, "  t.%s = (v[%d] >> %d) & 0x%xULL;\n", p.Ident, p.Word, p.Shift, mask(p.Width))
		default:
			for i := 0; i < (p.Width+31)/32; i++ {
				fmt.Fprintf(&b, "  t.%s[%d] = (v[%d] >> %d) & 0x%xULL;\n",
					p.Ident, i, p.Word+i/2, i%2*32, mask(min(32, p.Width-32*i)))
			}
		}
	}
	b.WriteString("}\nstatic inline void glue_out(Vm& t, uint64_t* v) {\n")
	terms := map[int][]string{}
	for _, p := range out {
		if p.Width <= 64 {
			terms[p.Word] = append(terms[p.Word], fmt.Sprintf("(uint64_t)t.%s << %d", p.Ident, p.Shift))
			continue
		}
		for i := 0; i < (p.Width+31)/32; i++ {
			w := p.Word + i/2
			terms[w] = append(terms[w], fmt.Sprintf("(uint64_t)t.%s[%d] << %d", p.Ident, i, i%2*32))
		}
	}
	words := make([]int, 0, len(terms))
	for w := range terms {
		words = append(words, w)
	}
	sort.Ints(words)
	for _, w := range words {
		fmt.Fprintf(&b, "  v[%d] = %s;\n", w, strings.Join(terms[w], " | "))
	}
	b.WriteString("}\n")
	return b.String()
}

func mask(width int) uint64 {
	if width >= 64 {
		return ^uint64(0)
	}
	return 1<<width - 1
}
