// SPDX-License-Identifier: Apache-2.0

package fabric

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// MaxHops is the number of switches that a packet's telemetry has room for.
const MaxHops = 8

// Layout is the format of telemetry in packets, which determines its precision.
type Layout uint8

// Layouts.
const (
	// Exact has the numbers as they are, in no bytes of the packet.
	Exact Layout = iota
	// HPCC is the header of HPCC's simulator, which PowerTCP's has too: 42 bytes, with room for five hops of 64 bits. Times are in ns, bytes in
	// units of 128 and queues in units of 80, up to 2^17 of them. What wraps there, times in 16.8 ms and bytes in 128 MiB, does not
	// here: receivers know which of the possible numbers it is, if acknowledgements are less than that apart.
	HPCC
	// INTMD is In-band Network Telemetry of P4.org, version 2, in its mode MD: 12 bytes, and room for five hops of 16 with what bits 3, 5
	// and 7 of its bitmap ask for: the queue's bytes, up to 2^24 - 1, the time in ns at which the packet leaves, and the utilisation of
	// the link, in 2^-32. There is no count of bytes: Hop.Bytes is 0.
	INTMD
)

var layoutNames = []string{"exact", "hpcc", "int-md"}

// String is the layout's name.
func (l Layout) String() string { return layoutNames[l] }

// Layouts returns the names of the layouts.
func Layouts() []string { return slices.Clone(layoutNames) }

// ParseLayout returns a layout by its name.
func ParseLayout(name string) (Layout, error) {
	for l, n := range layoutNames {
		if n == name {
			return Layout(l), nil
		}
	}
	return 0, fmt.Errorf("telemetry: found %q, allowed: %s", name, strings.Join(layoutNames, ", "))
}

const room = 5 // hops in a packet of the layouts but Exact

// Size is the bytes of telemetry in a packet.
func (l Layout) Size() int32 { return [...]int32{0, 8*room + 2, 12 + 16*room}[l] }

// Room returns the number of hops that a packet has room for.
func (l Layout) Room() int {
	if l == Exact {
		return MaxHops
	}
	return room
}

// Pass returns a hop's values as a receiver reads them in this layout.
func (l Layout) Pass(h Hop) Hop {
	const ps = 1000
	units := func(x, unit, most uint64) uint64 { return min(x/unit, most) * unit }
	switch l {
	case HPCC:
		h.Queue, h.Bytes, h.Used = int64(units(uint64(h.Queue), 80, 1<<17-1)), h.Bytes&^127, 0
		h.At -= h.At % ps
	case INTMD:
		h.Queue, h.Bytes = int64(units(uint64(h.Queue), 1, 1<<24-1)), 0
		h.At -= h.At % ps
		h.Used = math.Floor(h.Used*(1<<32-1)) / (1<<32 - 1)
	}
	return h
}

// Hop holds the values that a switch's port writes into a packet when it starts to send it: the in-band network telemetry
// of HPCC (Li et al., SIGCOMM 2019, §4.1), which PowerTCP adopts.
type Hop struct {
	Queue int64   // bytes of its class that wait behind it
	Bytes uint64  // that the port has begun to send before it, all classes
	At    Instant // when
	Gbps  float64 // of the link
	Used  float64 // fraction of the rate that the port has used in the window of time before, UseWindow or longer
}

// UseWindow is the time over which a port measures Hop.Used; P4's specification leaves it to the switch.
const UseWindow = 5_000_000

// LinkRates gives the rate of a link in bytes per ns by its link-rate code; 0 marks an
// unused code. The codes are the HPCC header's.
var LinkRates = [8]float64{3.125, 6.25, 12.5, 25, 50, 0, 0, 5}

// Telemetry holds the hops written by the switches on a packet's way, in order. Switches beyond MaxHops write nothing.
type Telemetry struct {
	next   *Telemetry // free ones
	layout Layout
	n      int
	hops   [MaxHops]Hop
}

// Hops returns the hops written so far, or nil if the packet collects none. They are valid until the
// packet ends.
func (p *Packet) Hops() []Hop {
	if p.telemetry == nil {
		return nil
	}
	return p.telemetry.hops[:p.telemetry.n]
}

// Collect has a packet collect telemetry in a layout. Its answer carries the telemetry of the packet's way; answers
// collect none.
func (n *Network) Collect(p *Packet, l Layout) {
	if p.telemetry != nil {
		p.telemetry.n, p.telemetry.layout = 0, l
		return
	}
	t := n.telemetry
	if t == nil {
		t = &Telemetry{}
	} else {
		n.telemetry = t.next
	}
	t.n, t.layout = 0, l
	p.telemetry = t
}

// stamp is the port's part: hosts write nothing.
func (p *Port) stamp(n *Network, x *Packet) {
	t := x.telemetry
	if t.n == t.layout.Room() || p.source != nil || x.Kind != Data {
		return
	}
	if span := n.now - p.use.since; span >= UseWindow {
		p.use.is = min(float64(p.begun-p.use.begun)*p.rate/float64(span), 1)
		p.use.since, p.use.begun = n.now, p.begun
	}
	t.hops[t.n] = t.layout.Pass(Hop{p.bytes[x.Class] - int64(x.Size), p.begun, n.now, p.gbps, p.use.is})
	t.n++
}

// forget ends a packet's telemetry.
func (n *Network) forget(p *Packet) {
	if t := p.telemetry; t != nil {
		p.telemetry = nil
		t.next = n.telemetry
		n.telemetry = t
	}
}
