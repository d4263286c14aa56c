// SPDX-License-Identifier: Apache-2.0

package fabric

// MaxHops is how many switches a packet's telemetry has room for.
const MaxHops = 8

// Hop is what a switch's port writes into a packet as it begins to send it: in-band network telemetry as HPCC has it (Li et
// al., SIGCOMM 2019, §4.1) and PowerTCP takes over.
type Hop struct {
	Queue int64   // bytes of its class that wait behind it
	Bytes uint64  // that the port has begun to send before it, all classes
	At    Instant // when
	Gbps  float64 // of the link
}

// LinkRates gives the rate of a link in bytes per ns by its link-rate code; 0 marks
// an unused code. The codes are those of the HPCC header.
var LinkRates = [8]float64{3.125, 6.25, 12.5, 25, 50, 0, 0, 5}

// Telemetry is what the switches on a packet's way have written, the first one first. Those beyond MaxHops write nothing.
type Telemetry struct {
	next *Telemetry // free ones
	n    int
	hops [MaxHops]Hop
}

// Hops are those of the way so far; nil: the packet collects none. They are valid until the packet ends.
func (p *Packet) Hops() []Hop {
	if p.telemetry == nil {
		return nil
	}
	return p.telemetry.hops[:p.telemetry.n]
}

// Collect has a packet collect telemetry. Its answer has that of its own way there: answers collect none.
func (n *Network) Collect(p *Packet) {
	if p.telemetry != nil {
		p.telemetry.n = 0
		return
	}
	t := n.telemetry
	if t == nil {
		t = &Telemetry{}
	} else {
		n.telemetry = t.next
	}
	t.n = 0
	p.telemetry = t
}

// stamp is the port's part: hosts write nothing.
func (p *Port) stamp(n *Network, x *Packet) {
	t := x.telemetry
	if t.n == MaxHops || p.source != nil || x.Kind != Data {
		return
	}
	t.hops[t.n] = Hop{p.bytes[x.Class] - int64(x.Size), p.begun, n.now, p.gbps}
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
