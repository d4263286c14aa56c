// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
)

// Hop is the telemetry of a switch.
type Hop struct {
	QLen uint64 // bytes queued behind the packet
	Tx   uint64 // bytes that the port sent before the packet; does not wrap
	TS   uint64 // time in ns; does not wrap
	Rate int    // link-rate code, an index of fabric.LinkRates
}

// Ack is one acknowledgement as it reaches the sender: in a recorded trace, or in a host of a simulated network.
// Counters and times do not wrap: the hardware truncates them to its widths.
type Ack struct {
	Conn   uint32 // connection, from 0
	Seq    uint32 // next sequence number that the receiver expects
	SndNxt uint32 // next sequence number to be sent
	Path   uint16 // identifier of the path
	Hops   []Hop  // in path order; valid during the call
	RTT    uint64 // round-trip time of the packet, in ns
	Now    uint64 // time of arrival, in ns
}

// Beats returns the number of cycles that an ACK takes at the port.
func (a *Ack) Beats(p *params.Params) int {
	if !p.HasINT() {
		return 1
	}
	return max(1, (len(a.Hops)+int(p.Lanes())-1)/int(p.Lanes()))
}

// Beat returns a beat of an ACK in the formats of the unit's ports. A unit of both variants takes one without hops for θ.
func (a *Ack) Beat(p *params.Params, beat int) params.ACK {
	rtt := a.PortRTT(p)
	e := params.ACK{Conn: a.Conn, Seq: a.Seq, SndNxt: a.SndNxt, Path: uint32(a.Path), Theta: len(a.Hops) == 0, HopCnt: uint8(len(a.Hops)),
		RTTValid: rtt > 0, RTT: rtt}
	first := beat * int(p.Lanes())
	for lane := range min(int(p.Lanes()), len(a.Hops)-first) {
		h, rate := a.Hops[first+lane].Port(p)
		e.Rate[lane], e.Time[lane], e.Bytes[lane], e.Qlen[lane] = rate, h.Time, h.Tx, h.Qlen
	}
	return e
}

// Port returns telemetry in the formats of the unit's ports, without its link, and the link-rate code.
func (h *Hop) Port(p *params.Params) (hop model.Hop, rate uint8) {
	return model.Hop{
		Time: uint32(h.TS & (1<<p.TimeBits - 1)),
		Tx:   uint32(h.Tx / uint64(p.TxUnit) & (1<<p.TxBits - 1)),
		Qlen: uint32(min(h.QLen/uint64(p.QlenUnit), 1<<p.QlenBits-1)),
	}, uint8(h.Rate)
}

// PortRTT returns the round-trip time in the format of its port; 0 is none.
func (a *Ack) PortRTT(p *params.Params) uint32 { return uint32(min(a.RTT, 1<<p.RTTBits-1)) }
