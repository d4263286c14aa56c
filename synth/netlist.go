// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// bit is the number of a net, or constant.
type bit int

const constant bit = -1 // 0, 1, x or z

// UnmarshalJSON reads a net's number, or a constant "0", "1", "x" or "z".
func (b *bit) UnmarshalJSON(p []byte) error {
	if len(p) > 0 && p[0] == '"' {
		*b = constant
		return nil
	}
	n, err := strconv.Atoi(string(p))
	*b = bit(n)
	return err
}

// netlist is one module as Yosys' write_json shows it.
type netlist struct {
	Ports map[string]struct {
		Direction string
		Bits      []bit
	}
	Cells    map[string]*cell
	Netnames map[string]struct {
		HideName   int `json:"hide_name"`
		Bits       []bit
		Attributes attrs
	}
	sources []string
	names   map[bit]string
}

type cell struct {
	Type           string
	Parameters     attrs
	Attributes     attrs
	PortDirections map[string]string `json:"port_directions"`
	Connections    map[string][]bit
}

// attrs are attributes or parameters: text, or a number as a text of bits.
type attrs map[string]any

func (a attrs) text(key string) string {
	s, _ := a[key].(string)
	return strings.TrimRight(s, " ")
}

// number is the value of a numeric parameter, or def when there is none.
func (a attrs) number(key string, def int64) int64 {
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

// source is the first place in the design's own files that an object comes
// from, "file:line.column"; Yosys also lists its library's files.
func (n *netlist) source(a attrs) string {
	for _, s := range strings.Split(a.text("src"), "|") {
		file, _, _ := strings.Cut(s, ":")
		from, _, _ := strings.Cut(s, "-")
		if slices.Contains(n.sources, file) && !strings.HasSuffix(from, ":0.0") {
			return from
		}
	}
	return ""
}

// netName is the designer's name of a net, "" if it has none. Of several the
// shortest counts, then the first in the alphabet.
func (n *netlist) netName(b bit) string {
	if n.names == nil {
		n.names = map[bit]string{}
		for _, name := range sortedKeys(n.Netnames) {
			w := n.Netnames[name]
			if w.HideName != 0 || strings.HasPrefix(name, "$") {
				continue
			}
			for i, b := range w.Bits {
				s := name
				if len(w.Bits) > 1 {
					s = fmt.Sprintf("%s[%d]", name, i)
				}
				if old, ok := n.names[b]; b != constant && (!ok || len(s) < len(old)) {
					n.names[b] = s
				}
			}
		}
	}
	return n.names[b]
}

// outputName is the designer's name of the first net that a cell drives, ""
// if none of them has one.
func (n *netlist) outputName(c *cell) string {
	for _, port := range sortedKeys(c.Connections) {
		if c.PortDirections[port] != "output" {
			continue
		}
		for _, b := range c.Connections[port] {
			if s := n.netName(b); s != "" {
				return s
			}
		}
	}
	return ""
}
