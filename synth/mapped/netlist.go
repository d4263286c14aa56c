// SPDX-License-Identifier: Apache-2.0

// Package mapped represents a design as instances of the device family's primitives: the netlist
// that Yosys writes, and the function of each primitive between its pins.
package mapped

import (
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Bit is the number of a net, or Constant.
type Bit int

// Constant stands for a bit that no net drives: 0, 1, x or z.
const Constant Bit = -1

// UnmarshalJSON reads a net's number, or a constant "0", "1", "x" or "z".
func (b *Bit) UnmarshalJSON(p []byte) error {
	if len(p) > 0 && p[0] == '"' {
		*b = Constant
		return nil
	}
	n, err := strconv.Atoi(string(p))
	*b = Bit(n)
	return err
}

// Netlist is one module as Yosys' write_json shows it.
type Netlist struct {
	Ports    map[string]Port
	Cells    map[string]*Cell
	Netnames map[string]Wire
	Sources  []string // names of the design's own files
	names    map[Bit]string
}

// Port is a port of the design.
type Port struct {
	Direction string
	Bits      []Bit
}

// Wire is a name that nets have in the design.
type Wire struct {
	HideName   int `json:"hide_name"` // 1 if the tool made the name
	Bits       []Bit
	Attributes Attrs
}

// Cell is an instance of a primitive, or of a memory before it is mapped.
type Cell struct {
	Type           string
	Parameters     Attrs
	Attributes     Attrs
	PortDirections map[string]string `json:"port_directions"`
	Connections    map[string][]Bit
}

// Attrs are attributes or parameters: text, or a number as a text of bits.
type Attrs map[string]any

// Text returns the value of a textual parameter or attribute, or "".
func (a Attrs) Text(key string) string {
	s, _ := a[key].(string)
	return strings.TrimRight(s, " ")
}

// Number returns the value of a numeric parameter, or def if it is missing.
func (a Attrs) Number(key string, def int64) int64 {
	switch v := a[key].(type) {
	case string:
		if n, ok := new(big.Int).SetString(v, 2); ok && n.IsInt64() {
			return n.Int64()
		}
	case float64:
		return int64(v)
	case json.Number:
		if n, err := v.Int64(); err == nil {
			return n
		}
	}
	return def
}

// Source returns the first place in the design's own files of an object, "file:line.column"; Yosys
// also lists its library's files.
func (n *Netlist) Source(a Attrs) string {
	for _, s := range strings.Split(a.Text("src"), "|") {
		file, _, _ := strings.Cut(s, ":")
		from, _, _ := strings.Cut(s, "-")
		if slices.Contains(n.Sources, file) && !strings.HasSuffix(from, ":0.0") {
			return from
		}
	}
	return ""
}

// NetName returns the designer's name of a net, or "". Of several names it returns the shortest,
// then the alphabetically first.
func (n *Netlist) NetName(b Bit) string {
	if n.names == nil {
		n.names = map[Bit]string{}
		for _, name := range slices.Sorted(maps.Keys(n.Netnames)) {
			w := n.Netnames[name]
			if w.HideName != 0 || strings.HasPrefix(name, "$") {
				continue
			}
			for i, b := range w.Bits {
				s := name
				if len(w.Bits) > 1 {
					s = fmt.Sprintf("%s[%d]", name, i)
				}
				if old, ok := n.names[b]; b != Constant && (!ok || len(s) < len(old)) {
					n.names[b] = s
				}
			}
		}
	}
	return n.names[b]
}

// OutputName returns the designer's name of the first named net that a cell drives, or "".
func (n *Netlist) OutputName(c *Cell) string {
	for _, port := range slices.Sorted(maps.Keys(c.Connections)) {
		if c.PortDirections[port] != "output" {
			continue
		}
		for _, b := range c.Connections[port] {
			if s := n.NetName(b); s != "" {
				return s
			}
		}
	}
	return ""
}

// NameOf returns the designer's name of a net, or its number.
func (n *Netlist) NameOf(b Bit) string {
	if s := n.NetName(b); s != "" {
		return s
	}
	return fmt.Sprintf("net %d", b)
}

// Indexed returns the name of one bit of a port.
func Indexed(name string, i, width int) string {
	if width == 1 {
		return name
	}
	return fmt.Sprintf("%s[%d]", name, i)
}

// LoopError is the error for logic that feeds back on itself without a
// register.
type LoopError struct {
	Cells []string // along the loop: type and the name of the net it drives
}

// Error lists the cells of the loop.
func (e *LoopError) Error() string {
	return "combinational loop: " + strings.Join(e.Cells, " → ") + " → back: break it with a register"
}
