// SPDX-License-Identifier: Apache-2.0

// Package follow checks that captured RoCEv2 conversations are faithful: that PSNs follow each
// other, messages are whole, retransmissions equal the originals, and every request of a reliable
// connection is answered. It uses only the connections and the frames, independently of the
// generator.
package follow

import (
	"bytes"
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"time"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/traffic"
)

// Summary counts the observed packets.
type Summary struct {
	Packets, Messages, Reads, Atomics int
	ACKs, NAKs, RNRs, CNPs            int
	Again, Marked, Wraps              int // repeated requests; packets with CE; flows beyond PSN 0xffffff
	Lost                              int // PSNs of UC and UD that did not come
	Shared                            int // ACKs for more than one packet that requests one
	// Ignored are NAKs without a subsequent retransmission. They occur only if the network
	// duplicates or reorders packets, so that a refused packet arrived once more.
	Ignored int
}

// Sides of a connection: the NIC's host, and its peer.
const (
	host = 0
	peer = 1
)

// sent is a request's packet.
type sent struct {
	*roce.Packet
	times int
	span  int // PSNs; 0 of the rest of a READ
}

// reply is an answer, to be checked when all requests are known.
type reply struct {
	*roce.Packet
	at int
}

// flow is the known state of a side's requests.
type flow struct {
	conn     *traffic.Conn
	side     int
	requests map[int]*sent // by position: PSN - first PSN
	starts   map[int]bool  // PSNs at which READ requests begin
	answers  map[int]*roce.Packet
	replies  []reply
	next     int // after the last position seen
	expect   int // the largest position that the responder can wait for; known if the responder is the host
	acked    int // after the last position acknowledged
	asked    int // ACKs requested since the last ACK
}

type follower struct {
	Summary
	ends  map[end]*flow // by whom requests go to
	flows []*flow
	ce    map[*traffic.Conn]bool
	bad   []error
}

type end struct {
	ip netip.Addr
	qp uint32
}

// Check follows the frames, which are in the order of time. It returns all faults; rateMbs is the
// rate of the wire in Mb/s, or 0 to skip this check.
func Check(conns []traffic.Conn, frames []traffic.Frame, rateMbs int) (Summary, error) {
	f := &follower{ends: map[end]*flow{}, ce: map[*traffic.Conn]bool{}}
	for i := range conns {
		c := &conns[i]
		for side := range c.Sides {
			x := &flow{conn: c, side: side, requests: map[int]*sent{}, starts: map[int]bool{}, answers: map[int]*roce.Packet{}}
			f.flows = append(f.flows, x)
			f.ends[end{c.Sides[1-side].IP, c.Sides[1-side].QP}] = x
		}
	}
	var last, free time.Time
	for i := range frames {
		fr := &frames[i]
		if fr.Time.Before(last) {
			f.fault("frame %d: earlier than the one before", i)
		}
		last = fr.Time
		if fr.Dir == capture.TX && rateMbs > 0 {
			if fr.Time.Before(free) {
				f.fault("frame %d: sent %v before the wire is free", i, free.Sub(fr.Time))
			}
			wire := int64(max(len(fr.Data), 60)+24) * 8 * 1000 / int64(rateMbs)
			free = fr.Time.Add(time.Duration(wire - 1)) // times are cut to ns
		}
		if fr.Kind != traffic.Conversation {
			continue
		}
		if err := f.frame(fr); err != nil {
			f.fault("frame %d, %s: %w", i, fr.What, err)
		}
	}
	for _, x := range f.flows {
		f.finish(x)
	}
	return f.Summary, errors.Join(f.bad...)
}

func (f *follower) fault(format string, args ...any) {
	if len(f.bad) < 20 {
		f.bad = append(f.bad, fmt.Errorf(format, args...))
	}
}

func (f *follower) frame(fr *traffic.Frame) error {
	if err := roce.Verify(fr.Data); err != nil {
		return err
	}
	p, err := roce.Parse(fr.Data)
	if err != nil {
		return err
	}
	f.Packets++
	var src, dst netip.Addr
	var class uint8
	var label uint32
	if p.IPv4 != nil {
		src, _ = netip.AddrFromSlice(p.IPv4.SrcIP)
		dst, _ = netip.AddrFromSlice(p.IPv4.DstIP)
		class = p.IPv4.TOS
		sum := uint32(0)
		for i := 0; i < 20; i += 2 {
			sum += uint32(p.IPv4.Contents[i])<<8 | uint32(p.IPv4.Contents[i+1])
		}
		if sum = sum&0xFFFF + sum>>16; sum != 0xFFFF {
			return errors.New("wrong IPv4 checksum")
		}
	} else {
		src, _ = netip.AddrFromSlice(p.IPv6.SrcIP)
		dst, _ = netip.AddrFromSlice(p.IPv6.DstIP)
		class, label = p.IPv6.TrafficClass, p.IPv6.FlowLabel
	}
	x := f.ends[end{dst, p.BTH.DestQP}]
	if x == nil {
		return fmt.Errorf("no connection has %v, queue pair 0x%x", dst, p.BTH.DestQP)
	}
	c, from := x.conn, x.side
	s, d := &c.Sides[from], &c.Sides[1-from]
	switch {
	case (fr.Dir == capture.TX) != (from == host) || fr.Dir == capture.Unknown:
		return fmt.Errorf("direction %v, from side %d", fr.Dir, from)
	case src != s.IP || !bytes.Equal(p.Ethernet.SrcMAC, s.MAC) || !bytes.Equal(p.Ethernet.DstMAC, d.MAC):
		return errors.New("addresses are not the connection's")
	case uint16(p.UDP.SrcPort) != s.Port || p.IPv6 != nil && label != s.Flow:
		return errors.New("entropy is not the connection's")
	case p.BTH.Version != 0 || p.BTH.PKey != 0xFFFF || p.UDP.Checksum != 0 || len(p.Tags) != len(c.Tags):
		return errors.New("version, P_Key, UDP checksum or tags")
	case class&3 == 3 && from == host:
		return errors.New("marked before it was on the network")
	}
	if class&3 == 3 {
		f.Marked++
		f.ce[c] = true
	}
	if p.BTH.Opcode == roce.CNP {
		f.CNPs++
		if !p.BTH.BECN || p.BTH.PSN != 0 {
			return errors.New("a CNP has BECN, and PSN 0")
		}
		if from == host && !f.ce[c] {
			return errors.New("no packet of the connection was marked")
		}
		return nil
	}
	if p.BTH.Opcode.Service() != c.Service {
		return fmt.Errorf("the connection is %v", c.Service)
	}
	op := p.BTH.Opcode.Operation()
	if op >= roce.ResponseFirst && op <= roce.AtomicAck {
		return f.answer(f.of(c, 1-from), p, op)
	}
	return f.request(x, p, op)
}

// of returns the flow of a side's requests.
func (f *follower) of(c *traffic.Conn, side int) *flow {
	return f.ends[end{c.Sides[1-side].IP, c.Sides[1-side].QP}]
}

// position of a PSN: the nearest one to the next.
func (x *flow) position(psn uint32) int {
	d := int((psn - x.conn.Sides[x.side].FirstPSN - uint32(x.next)) & roce.Mask24)
	if d >= 1<<23 {
		d -= 1 << 24
	}
	return x.next + d
}

func (f *follower) request(x *flow, p *roce.Packet, op roce.Opcode) error {
	at, span := x.position(p.BTH.PSN), 1
	if at < 0 {
		return fmt.Errorf("PSN 0x%06x is before the first one", p.BTH.PSN)
	}
	if op == roce.ReadRequest {
		n := int(roce.Find[roce.RETH](p).Length)
		span = max(1, (n+x.conn.MTU-1)/x.conn.MTU)
		x.starts[at] = true
	}
	if x.side == peer && at == x.expect {
		x.expect += span
	}
	if p.BTH.AckReq {
		x.asked++
	}
	switch {
	case at > x.next && x.side == host:
		return fmt.Errorf("PSN 0x%06x is %d too early", p.BTH.PSN, at-x.next)
	case at < x.next && x.conn.Service != roce.RC && x.side == host:
		return fmt.Errorf("PSN 0x%06x is repeated", p.BTH.PSN)
	case at >= x.next:
		x.next = at + span
	}
	old := x.requests[at]
	if old == nil {
		for i := at - 1; i >= 0 && op == roce.ReadRequest; i-- { // the rest of an earlier READ
			r := x.requests[i]
			if r == nil || r.span == 0 {
				continue
			}
			if i+r.span > at {
				f.Again++
				r.times++
				a, b := roce.Find[roce.RETH](r.Packet), roce.Find[roce.RETH](p)
				if done := uint64((at - i) * x.conn.MTU); b == nil || b.VA != a.VA+done || uint64(b.Length) != uint64(a.Length)-done || a.RKey != b.RKey {
					return fmt.Errorf("the rest of a READ is %+v, the whole was %+v", b, a)
				}
				x.requests[at] = &sent{p, 2, 0}
				return nil
			}
			break
		}
		if x.side == host && x.next != at+span {
			return fmt.Errorf("PSN 0x%06x was not sent before, but later ones were", p.BTH.PSN)
		}
		x.requests[at] = &sent{p, 1, span}
		return nil
	}
	old.times++
	f.Again++
	if old.BTH.Opcode != p.BTH.Opcode || !bytes.Equal(old.Payload, p.Payload) || !slices.EqualFunc(old.Headers, p.Headers, sameHeader) {
		return fmt.Errorf("PSN 0x%06x differs from its first transmission", p.BTH.PSN)
	}
	return nil
}

func sameHeader(a, b roce.Header) bool { return bytes.Equal(a.LayerContents(), b.LayerContents()) }

func (f *follower) answer(x *flow, p *roce.Packet, op roce.Opcode) error {
	if x.conn.Service != roce.RC {
		return errors.New("the service has no answers")
	}
	at := x.position(p.BTH.PSN)
	if at < 0 || at >= x.next {
		return fmt.Errorf("PSN 0x%06x was not requested", p.BTH.PSN)
	}
	x.replies = append(x.replies, reply{p, at})
	kind, value := roce.ACK, uint8(0)
	if a := roce.Find[roce.AETH](p); a != nil {
		kind, value = a.Kind()
	}
	done := at + 1 // acknowledged before this
	switch {
	case op != roce.Acknowledge:
		if old := x.answers[at]; old != nil && !bytes.Equal(old.Payload, p.Payload) {
			return fmt.Errorf("the answer of PSN 0x%06x differs from its first transmission", p.BTH.PSN)
		}
		x.answers[at] = p
		if op >= roce.ResponseFirst && op <= roce.ResponseOnly {
			if first := op == roce.ResponseFirst || op == roce.ResponseOnly; first && !x.starts[at] {
				return fmt.Errorf("a first response, and no READ request began at PSN 0x%06x", p.BTH.PSN)
			}
		}
	case kind == roce.ACK:
		f.ACKs++
		if x.asked > 1 {
			f.Shared++
		}
		x.asked = 0
	case kind == roce.RNR:
		f.RNRs++
		done = at
		if value == 0 {
			return errors.New("an RNR NAK of 655 ms")
		}
	case kind == roce.NAK && value == roce.NAKSequence:
		f.NAKs++
		done = at
	default:
		return fmt.Errorf("AETH of kind %d, value %d", kind, value)
	}
	if x.side == peer && done > x.expect {
		return fmt.Errorf("acknowledged to PSN 0x%06x, but not all packets before it have arrived", p.BTH.PSN)
	}
	x.acked = max(x.acked, done)
	return nil
}

// finish checks messages and answers.
func (f *follower) finish(x *flow) {
	c := x.conn
	fault := func(at int, format string, args ...any) {
		f.fault("%v, side %d, PSN 0x%06x: %w", c.Service, x.side, (c.Sides[x.side].FirstPSN+uint32(at))&roce.Mask24, fmt.Errorf(format, args...))
	}
	if int(c.Sides[x.side].FirstPSN)+x.next > 1<<24 {
		f.Wraps++
	}
	messages := make([]uint32, x.next+1) // [i]: that are whole before position i
	var whole uint32
	inside, want, got := roce.Opcode(0xFF), 0, 0 // the open message: its kind, announced length, bytes so far
	hole := false
	for at := 0; at < x.next; {
		messages[at] = whole
		r := x.requests[at]
		if r == nil {
			if c.Service == roce.RC {
				fault(at, "never sent")
				return
			}
			f.Lost++
			hole, inside = true, 0xFF
			at++
			continue
		}
		o, op := r.BTH.Opcode, r.BTH.Opcode.Operation()
		n := len(r.Payload)
		kind := roce.SendFirst
		if op >= roce.WriteFirst && op <= roce.WriteOnlyImm {
			kind = roce.WriteFirst
		}
		ends := true
		switch {
		case op == roce.ReadRequest:
			f.Reads++
			x.read(at, r, fault)
		case op == roce.CompareSwap || op == roce.FetchAdd:
			f.Atomics++
			if a := x.answers[at]; a == nil || a.BTH.Opcode.Operation() != roce.AtomicAck {
				fault(at, "an atomic without answer")
			}
		case hole && !o.Begins(): // of a message whose beginning was lost
			ends = false
		default:
			hole = false
			if (inside == 0xFF) != o.Begins() || inside != 0xFF && inside != kind {
				fault(at, "%v within a message, or outside", o)
			}
			if o.Begins() {
				inside, want, got = kind, -1, 0
				if h := roce.Find[roce.RETH](r.Packet); h != nil {
					want = int(h.Length)
				}
			}
			got += n
			ends = o.Ends()
			low, high := c.MTU, c.MTU // a first or middle one
			if ends {
				low = 1
				if o.Begins() {
					low = 0
				}
			}
			if n < low || n > high {
				fault(at, "%v of %d bytes, MTU %d", o, n, c.MTU)
			}
			if ends {
				if inside == roce.WriteFirst && want != got {
					fault(at, "a WRITE of %d bytes has %d", want, got)
				}
				inside = 0xFF
			}
			if h := roce.Find[roce.DETH](r.Packet); h != nil && (h.SrcQP != c.Sides[x.side].QP || h.QKey != c.QKey) {
				fault(at, "DETH %+v", h)
			}
			if c.Service != roce.RC && r.BTH.AckReq {
				fault(at, "requests an ACK")
			}
		}
		if ends {
			f.Messages++
			whole++
		}
		for i := 1; i < r.span; i++ {
			messages[at+i] = whole - 1
		}
		at += r.span
	}
	messages[x.next] = whole
	if inside != 0xFF && c.Service == roce.RC {
		fault(x.next, "the last message is not whole")
	}
	if c.Service == roce.RC && x.acked < x.next {
		fault(x.acked, "not acknowledged")
	}
	for _, a := range x.replies {
		h := roce.Find[roce.AETH](a.Packet)
		if h == nil {
			continue
		}
		switch kind, _ := h.Kind(); {
		case a.BTH.Opcode.Operation() != roce.Acknowledge:
			// Counts the request itself; later ones too, if it is executed again.
			if h.MSN <= messages[a.at] || h.MSN > whole {
				fault(a.at, "MSN %d of an answer, %d messages before", h.MSN, messages[a.at])
			}
		case kind == roce.ACK:
			if h.MSN != messages[a.at+1] {
				fault(a.at, "MSN %d of an ACK, %d messages", h.MSN, messages[a.at+1])
			}
		default:
			if h.MSN != messages[a.at] {
				fault(a.at, "MSN %d of a NAK, %d messages before", h.MSN, messages[a.at])
			}
			if r := x.requests[a.at]; x.side == host && (r == nil || r.times < 2) {
				f.Ignored++
			}
		}
	}
}

// read checks the answers of a READ.
func (x *flow) read(at int, r *sent, fault func(int, string, ...any)) {
	left := int(roce.Find[roce.RETH](r.Packet).Length)
	for i := range r.span {
		n := min(left, x.conn.MTU)
		left -= n
		a := x.answers[at+i]
		if a == nil {
			fault(at+i, "a READ without this response")
			continue
		}
		op := a.BTH.Opcode.Operation()
		if last := op == roce.ResponseLast || op == roce.ResponseOnly; last != (i == r.span-1) || op == roce.AtomicAck {
			fault(at+i, "%v is number %d of %d", a.BTH.Opcode, i+1, r.span)
		}
		if len(a.Payload) != n {
			fault(at+i, "a response of %d bytes, want %d", len(a.Payload), n)
		}
	}
}
