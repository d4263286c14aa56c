// SPDX-License-Identifier: Apache-2.0

package gen

import "fmt"

// PortList collects the ports of a unit in their order.
type PortList struct {
	Group string // heading of the ports that are added from now on
	Ports []Port
}

// In adds an input. An empty width with more than one bit is a constant, which no overridable
// parameter changes. The other arguments are the fields of Port.
func (l *PortList) In(name, width string, bits int64, format, timing, meaning string) {
	l.add(In, name, width, bits, format, timing, meaning)
}

// Out adds an output; see In.
func (l *PortList) Out(name, width string, bits int64, format, timing, meaning string) {
	l.add(Out, name, width, bits, format, timing, meaning)
}

func (l *PortList) add(d Dir, name, width string, bits int64, format, timing, meaning string) {
	if width == "" && bits > 1 {
		width = fmt.Sprint(bits)
	}
	l.Ports = append(l.Ports, Port{Name: name, Dir: d, Width: width, Bits: int(bits), Group: l.Group,
		Format: format, Timing: timing, Meaning: meaning})
}
