// SPDX-License-Identifier: Apache-2.0

// Package pair is a network of two hosts, each behind a NIC, with several paths between them:
// real RoCEv2 frames, with their checksums, all the way round. Host 0 requests, host 1 responds.
// Between the NICs are two switches: the first one chooses a path by a hash of the frame's
// addresses, ports and flow label (ECMP), and each path has a rate, a queue, marks (ECN),
// telemetry (INT), losses, and may fail.
//
// A NIC is any implementation of the interface: RTL, or the plain one of this package, which
// changes nothing. A run depends only on its scenario and its NICs.
package pair

import (
	"errors"
	"fmt"
	"net/netip"

	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/fabric"
)

// LineRate is the rate of a NIC's wire in bytes per ns: 100 Gb/s.
const LineRate = 12.5

// Gap is the number of bytes that a frame takes on a wire in addition to its own: FCS,
// preamble, gap.
const Gap = 24

// WireTime returns how long a frame keeps a wire with a rate in bytes per ns.
func WireTime(bytes int, rate float64) agenda.Instant {
	return agenda.Instant(float64(wireBytes(bytes)) / rate * agenda.PS)
}

// wireBytes is the bytes of a wire that a frame takes.
func wireBytes(frame int) int { return max(frame, 60) + Gap }

// Link is a queue and the cable behind it, in each direction. Times are in ns.
type Link struct {
	Name     string
	Rate     float64 // bytes per ns
	Delay    uint64
	Buffer   uint64 // bytes that may wait; 0: any
	Mark     Mark
	INT      bool // writes into INT shims
	Loss     float64
	Fails    uint64 // from here on it delivers nothing ...
	Repaired uint64 // ... to here; equal to Fails: it never fails
	Load     Load
}

// Load is background traffic on a path from host 0. Its frames wait and occupy the wire like any others, and end
// behind it.
type Load struct {
	Share    float64 // of the rate, in the mean; gaps are random
	Bytes    int     // of a frame
	From, To uint64
}

// Mark is the rule for ECN marks of frames that enter a queue: never below Low bytes,
// always from High on, and between them with a probability that grows from 0 to Most. Equal
// Low and High give a step; both 0 disable marks.
type Mark struct {
	Low, High uint64
	Most      float64
}

// Operation is the type of a flow's messages.
type Operation string

// Operations.
const (
	Write Operation = "write"
	Send  Operation = "send"
)

// Flow is a connection and its messages, all of one length, one after the other.
type Flow struct {
	Op       Operation
	IPv6     bool
	MTU      int    // bytes of payload in a packet
	Message  int    // bytes
	Count    int    // messages; 0: until Scenario.Stop
	Start    uint64 // ns
	Window   int    // packets without ACK, at most: the host's own limit
	Timeout  uint64 // ns without ACK: packets are sent again
	Every    int    // packets per ACK; the last packet of a message requests one
	Place    bool   // the responder accepts packets in any order, and acknowledges each one separately
	FirstPSN uint32
}

// Scenario is the network and the course of events in it. Times are in ns.
type Scenario struct {
	Name, Title string
	Paths       []Link // between the switches
	Access      Link   // between a NIC and its switch: the queue is the switch's
	Turn        uint64 // from a frame's arrival at a host to the answer
	Flows       []Flow
	Seed        uint64
	Event       uint64 // when the observed event begins
	Repair      uint64 // when it ends
	Stop        uint64 // no new messages from here on
	End         uint64 // the run fails if it takes longer
	Sample      uint64 // time between samples
}

// Addresses of the hosts.
var (
	ipv4 = [2]netip.Addr{netip.MustParseAddr("10.0.0.1"), netip.MustParseAddr("10.0.0.2")}
	ipv6 = [2]netip.Addr{netip.MustParseAddr("fd4e:47::1"), netip.MustParseAddr("fd4e:47::2")}
)

// Address is the IP address of a host for a flow.
func (f *Flow) Address(host int) netip.Addr {
	if f.IPv6 {
		return ipv6[host]
	}
	return ipv4[host]
}

// QP is the number of a flow's queue pair at a host.
func QP(flow, host int) uint32 { return uint32(0x100+0x1000*host) + uint32(flow) }

// PerMessage is the number of packets of a message.
func (f *Flow) PerMessage() int { return max(1, (f.Message+f.MTU-1)/f.MTU) }

// Step returns how far, in ns, one part may run ahead of the others: a frame that leaves a NIC
// cannot affect the input of a NIC earlier than this.
func (sc *Scenario) Step() uint64 { return min(sc.Turn, sc.Access.Delay) }

// Check returns every error in a scenario.
func (sc *Scenario) Check() error {
	var bad []error
	rule := func(ok bool, what string, found any, allowed string) {
		if !ok {
			bad = append(bad, fmt.Errorf("%s: found %v, allowed: %s", what, found, allowed))
		}
	}
	link := func(name string, l *Link) {
		rule(l.Rate > 0 && l.Rate <= 1000, name+": rate", l.Rate, "above 0, at most 1000 bytes/ns")
		rule(l.Delay < 1<<30, name+": delay", l.Delay, "less than 2^30 ns")
		rule(l.Mark.Low <= l.Mark.High && l.Mark.Most >= 0 && l.Mark.Most <= 1, name+": mark", l.Mark, "low at most high, a probability from 0 to 1")
		rule(l.Loss >= 0 && l.Loss < 1, name+": loss", l.Loss, "from 0, below 1")
		rule(l.Fails <= l.Repaired, name+": fails, repaired", []uint64{l.Fails, l.Repaired}, "fails at most repaired")
		rule(l.Load.Share >= 0 && l.Load.Share < 1, name+": load", l.Load.Share, "from 0, below 1")
		rule(l.Load.Share == 0 || l.Load.Bytes >= 60 && l.Load.Bytes <= 9214, name+": load's frames", l.Load.Bytes, "60 to 9214 bytes")
		rule(l.Load.From <= l.Load.To, name+": load from, to", []uint64{l.Load.From, l.Load.To}, "from at most to")
		rule(!l.INT || rateCode(l.Rate) >= 0, name+": rate", l.Rate, fmt.Sprintf("one that INT has a code for: %v", fabric.LinkRates))
	}
	rule(len(sc.Paths) >= 1 && len(sc.Paths) <= 256, "paths", len(sc.Paths), "1 to 256")
	for i := range sc.Paths {
		link(fmt.Sprintf("path %d", i), &sc.Paths[i])
	}
	link("access", &sc.Access)
	rule(sc.Access.Load == Load{}, "access: load", sc.Access.Load, "none")
	rule(sc.Step() >= 50, "turn, access delay", []uint64{sc.Turn, sc.Access.Delay}, "at least 50 ns each")
	rule(sc.Sample > 0, "sample", sc.Sample, "at least 1 ns")
	rule(sc.Event <= sc.Repair && sc.Stop <= sc.End && sc.End < 1<<40, "event, repair, stop, end", []uint64{sc.Event, sc.Repair, sc.Stop, sc.End}, "in this order, below 2^40 ns")
	rule(len(sc.Flows) >= 1 && len(sc.Flows) <= 0x1000, "flows", len(sc.Flows), "1 to 4096")
	for i := range sc.Flows {
		f := &sc.Flows[i]
		name := func(what string) string { return fmt.Sprintf("flow %d: %s", i, what) }
		rule(f.Op == Write || f.Op == Send, name("operation"), f.Op, "write, send")
		rule(!f.Place || f.Op == Write, name("operation"), f.Op, "write, if packets are placed in any order: a SEND has no address in each packet")
		rule(f.MTU >= 256 && f.MTU <= 4096 && f.MTU%4 == 0, name("MTU"), f.MTU, "256 to 4096, a multiple of 4")
		rule(f.Message >= 1 && f.Message < 1<<30, name("message"), f.Message, "1 to 2^30 - 1 bytes")
		rule(f.Count >= 0, name("messages"), f.Count, "0 or more")
		rule(f.Window >= 1 && f.Window <= 1<<16, name("window"), f.Window, "1 to 65536 packets")
		rule(f.Timeout >= 1000, name("timeout"), f.Timeout, "at least 1000 ns")
		rule(f.Every >= 1 && f.Every <= 64, name("packets an ACK"), f.Every, "1 to 64")
		rule(f.Every <= f.Window, name("packets an ACK"), f.Every, "at most the window")
		rule(!f.Place || f.Every == 1, name("packets an ACK"), f.Every, "1, if packets are placed in any order")
		rule(f.FirstPSN < 1<<24, name("first PSN"), f.FirstPSN, "below 2^24")
	}
	if bad != nil {
		return fmt.Errorf("scenario %s: %w", sc.Name, errors.Join(bad...))
	}
	return nil
}

// rateCode returns INT's code for a rate, or -1.
func rateCode(rate float64) int {
	for i, r := range fabric.LinkRates {
		if r != 0 && r == rate {
			return i
		}
	}
	return -1
}
