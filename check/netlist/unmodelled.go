// SPDX-License-Identifier: Apache-2.0

package netlist

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/synth"
)

// Unmodelled is the error for a cell without a model, or with a setting that its model does not
// support.
type Unmodelled struct {
	Cell, Type string // the instance, if it is one, and the primitive
	What       string // the parameter or the pin
	Found      string // its value
	Allowed    string // the values that the model supports
}

// Error names the cell, the value found and the values allowed.
func (u *Unmodelled) Error() string {
	if u.What == "" {
		return fmt.Sprintf("cell %s: %s", u.Type, u.Found)
	}
	return fmt.Sprintf("%s %s: %s is %s, the simulation model allows: %s", u.Type, u.Cell, u.What, u.Found, u.Allowed)
}

// A rule holds the values that a model allows for a parameter, or for a pin that must be constant.
type rule struct {
	name    string
	pin     bool
	allowed []string // values of a parameter; or of a pin, as bits of any width, "-" for unconnected
	missing bool     // a parameter that is not given has an allowed value
}

func number(name string, allowed ...string) rule { return rule{name: name, allowed: allowed} }

func zero(pin string) rule { return rule{name: pin, pin: true, allowed: []string{"0", "-"}} }

// optional returns a parameter that may be left at its default, the first value.
func optional(name string, allowed ...string) rule {
	return rule{name: name, allowed: allowed, missing: true}
}

func bram(widths ...string) []rule {
	rules := []rule{zero("SLEEP"),
		optional("CASCADE_ORDER_A", "NONE"), optional("CASCADE_ORDER_B", "NONE"),
		optional("EN_ECC_PIPE", "FALSE"), optional("EN_ECC_READ", "FALSE"), optional("EN_ECC_WRITE", "FALSE"),
		optional("RDADDRCHANGEA", "FALSE"), optional("RDADDRCHANGEB", "FALSE"),
		optional("ENADDRENA", "FALSE"), optional("ENADDRENB", "FALSE"),
	}
	for _, p := range []string{"CLKARDCLK", "CLKBWRCLK", "ENARDEN", "ENBWREN", "RSTRAMARSTRAM", "RSTRAMB", "RSTREGARSTREG", "RSTREGB"} {
		rules = append(rules, optional("IS_"+p+"_INVERTED", "0"))
	}
	for _, s := range []string{"A", "B"} {
		pair := widths[len(widths)-1]
		read, write := widths, widths[:len(widths)-1]
		if s == "B" {
			read, write = write, append(append([]string{}, write...), pair)
		}
		rules = append(rules, number("DO"+s+"_REG", "0"),
			number("READ_WIDTH_"+s, read...), number("WRITE_WIDTH_"+s, write...),
			number("WRITE_MODE_"+s, "NO_CHANGE", "READ_FIRST", "WRITE_FIRST"))
	}
	return rules
}

func dsp() []rule {
	var rules []rule
	for _, r := range []string{"ACASC", "AD", "ALUMODE", "A", "BCASC", "B", "CARRYIN", "CARRYINSEL", "C", "D", "INMODE", "M", "OPMODE", "P"} {
		rules = append(rules, number(r+"REG", "0"))
	}
	return append(rules,
		number("USE_MULT", "MULTIPLY"), number("USE_SIMD", "ONE48"), optional("USE_PATTERN_DETECT", "NO_PATDET"),
		number("A_INPUT", "DIRECT"), number("B_INPUT", "DIRECT"), number("AMULTSEL", "A"), number("BMULTSEL", "B"),
		optional("PREADDINSEL", "A"), optional("XORSIMD", "XOR24_48_96"),
		rule{name: "OPMODE", pin: true, allowed: []string{"101"}},
		zero("INMODE"), zero("ALUMODE"), zero("CARRYINSEL"), zero("CARRYIN"))
}

func uram() []rule {
	rules := []rule{optional("IS_CLK_INVERTED", "0"), number("EN_AUTO_SLEEP_MODE", "FALSE"), zero("SLEEP")}
	for _, s := range []string{"A", "B"} {
		rules = append(rules, optional("CASCADE_ORDER_"+s, "NONE"),
			optional("EN_ECC_RD_"+s, "FALSE"), optional("EN_ECC_WR_"+s, "FALSE"),
			optional("IREG_PRE_"+s, "FALSE"), optional("OREG_"+s, "FALSE"), number("RST_MODE_"+s, "SYNC", "ASYNC"),
			optional("IS_EN_"+s+"_INVERTED", "0"), optional("IS_RDB_WR_"+s+"_INVERTED", "0"), optional("IS_RST_"+s+"_INVERTED", "0"),
			number("BWE_MODE_"+s, "PARITY_INDEPENDENT", "PARITY_INTERLEAVED"),
			zero("INJECT_SBITERR_"+s), zero("INJECT_DBITERR_"+s))
	}
	return rules
}

// rules are the restrictions of the models in cells/.
var rules = map[string][]rule{
	"DSP48E2":  dsp(),
	"RAMB18E2": bram("0", "1", "2", "4", "9", "18", "36"),
	"RAMB36E2": bram("0", "1", "2", "4", "9", "18", "36", "72"),
	"URAM288":  uram(),
}

// check refuses the cells that the models do not stand for.
func check(n *synth.Netlist) error {
	for i := range n.Cells {
		c := &n.Cells[i]
		for _, r := range rules[c.Type] {
			if err := r.check(c); err != nil {
				return err
			}
		}
		var err *Unmodelled
		switch c.Type {
		case "RAMB18E2", "RAMB36E2":
			err = checkPorts(c)
		case "URAM288":
			if err = checkAddress(c); err == nil {
				err = checkReset(c)
			}
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (r rule) check(c *synth.Cell) error {
	found, ok := "", false
	what := "parameter " + r.name
	if r.pin {
		what = "pin " + r.name
		found, ok = c.Constant(r.name)
		switch {
		case ok:
			if found = strings.TrimLeft(found, "0"); found == "" {
				found = "0"
			}
		case len(c.Pins[r.name]) == 0:
			found = "-"
		default:
			found = "a net"
		}
	} else {
		found, ok = c.Params[r.name]
		if !ok && r.missing {
			return nil
		}
		if found = value(found); !ok {
			found = "not given"
		}
	}
	for _, a := range r.allowed {
		if a == found {
			return nil
		}
	}
	return &Unmodelled{Cell: c.Name, Type: c.Type, What: what, Found: found, Allowed: strings.Join(r.allowed, ", ")}
}

// value reads a parameter as Yosys writes it: text, with a trailing blank if it looks like a
// number, or a number as bits.
func value(s string) string {
	if n, err := strconv.ParseInt(s, 2, 64); err == nil {
		return strconv.FormatInt(n, 10)
	}
	return strings.TrimRight(s, " ")
}

// checkPorts demands one clock, and one width for a read-write port.
func checkPorts(c *synth.Cell) *Unmodelled {
	used := func(s string) bool {
		return value(c.Params["READ_WIDTH_"+s]) != "0" || value(c.Params["WRITE_WIDTH_"+s]) != "0"
	}
	for _, s := range []string{"A", "B"} {
		r, w := value(c.Params["READ_WIDTH_"+s]), value(c.Params["WRITE_WIDTH_"+s])
		if r != "0" && w != "0" && r != w {
			return &Unmodelled{Cell: c.Name, Type: c.Type, What: "parameter WRITE_WIDTH_" + s, Found: w, Allowed: "0, " + r + " (READ_WIDTH_" + s + ")"}
		}
	}
	a, b := strings.Join(c.Pins["CLKARDCLK"], ""), strings.Join(c.Pins["CLKBWRCLK"], "")
	if used("A") && used("B") && a != b {
		return &Unmodelled{Cell: c.Name, Type: c.Type, What: "pin CLKBWRCLK", Found: "another net than CLKARDCLK", Allowed: "the same net"}
	}
	return nil
}

// checkReset demands that an asynchronous reset, which the model does not have, is never used.
func checkReset(c *synth.Cell) *Unmodelled {
	for _, s := range []string{"A", "B"} {
		bits, ok := c.Constant("RST_" + s)
		if value(c.Params["RST_MODE_"+s]) == "ASYNC" && len(c.Pins["RST_"+s]) > 0 && !(ok && bits == "0") {
			return &Unmodelled{Cell: c.Name, Type: c.Type, What: "pin RST_" + s, Found: "used, with RST_MODE_" + s + " ASYNC", Allowed: "0, -"}
		}
	}
	return nil
}

// checkAddress demands that an UltraRAM is one block: its upper address bits choose among the
// blocks of a cascade.
func checkAddress(c *synth.Cell) *Unmodelled {
	for _, pin := range []string{"ADDR_A", "ADDR_B"} {
		for i, b := range c.Pins[pin] {
			if i >= 12 && b != "0" && b != "x" {
				return &Unmodelled{Cell: c.Name, Type: c.Type, What: fmt.Sprintf("pin %s[%d]", pin, i), Found: "a net", Allowed: "0"}
			}
		}
	}
	return nil
}
