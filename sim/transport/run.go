// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/workload"
)

// Settings are what all hosts have in common.
type Settings struct {
	Payload  int    `json:"payload_bytes"` // of a full packet
	Headers  int    `json:"header_bytes"`  // of a packet with payload
	RTO      uint64 `json:"rto_ns"`        // after which a packet that is not acknowledged is sent again
	Deadline uint64 `json:"deadline_ns"`   // a run with a flow that is longer has failed
}

// Check returns every error in the settings.
func (s *Settings) Check() error {
	var bad []string
	rule := func(name string, n, least, most uint64) {
		if n < least || n > most {
			bad = append(bad, fmt.Sprintf("%s: found %d, allowed: %d to %d", name, n, least, most))
		}
	}
	rule("payload", uint64(s.Payload), 1, 1<<16)
	rule("headers", uint64(s.Headers), 0, 1<<10)
	rule("RTO", s.RTO, 1, 1e12)
	rule("deadline", s.Deadline, 1, 1e13)
	if bad != nil {
		return errors.New("hosts: " + strings.Join(bad, "; "))
	}
	return nil
}

// Result is the outcome of a run.
type Result struct {
	Flows      []Done // in the order of the workload
	Packets    uint64 // with payload, again included
	Again      uint64 // of these, sent again
	Duplicates uint64 // that came although they had come before
	Timeouts   uint64
	Nacks      uint64
	Counts     fabric.Counts
}

// Done is how a flow ended, in ps.
type Done struct {
	Flow     workload.Flow
	Received fabric.Instant // its last byte
	Acked    fabric.Instant // and the sender knows
}

// Last is when the last flow was acknowledged, in µs.
func (r *Result) Last() float64 {
	var last fabric.Instant
	for i := range r.Flows {
		last = max(last, r.Flows[i].Acked)
	}
	return float64(last) / 1e6
}

// Run sends flows through a network. make gives each host that sends its transport, once, with
// the number of its connections. It fails if a flow does not end before the deadline.
func Run(ctx context.Context, t *topo.Tree, flows []workload.Flow, s *Settings, make func(host, conns int) (Transport, error)) (res *Result, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	r := &run{net: t.Network, set: s, left: len(flows)}
	defer func() {
		for _, h := range r.hosts {
			err = errors.Join(err, closeAll(h.by))
		}
	}()
	if err := r.open(t, flows, make); err != nil {
		return nil, err
	}
	late := false
	if r.left > 0 {
		r.net.At(fabric.Instant(s.Deadline)*1000, func() { late = true; r.net.Stop() })
		if err := r.net.Run(ctx); err != nil {
			return nil, err
		}
	}
	if late {
		return nil, fmt.Errorf("%d of %d flows are not complete after %d ns", r.left, len(flows), s.Deadline)
	}
	r.res.Counts = r.net.Count
	for i := range r.flows {
		r.res.Flows = append(r.res.Flows, r.flows[i].done)
	}
	return &r.res, nil
}

type run struct {
	net   *fabric.Network
	set   *Settings
	hosts []*host
	flows []flow
	left  int // flows that are not complete
	res   Result
}

// flow is a flow at its sender and at its receiver.
type flow struct {
	done    Done
	host    *host
	conn    int
	packets []packet
	next    uint32   // the first that was never sent
	again   []uint32 // to be sent again, from the first on
	left    int      // packets that are not acknowledged
	missing int      // packets that have not come
	flying  int64    // bytes
	grant   Grant
	ready   bool           // in the host's list
	soonest fabric.Instant // for the next packet, by its rate
	sends   []send         // in the order of time, from first on
	first   int
	timed   bool   // a timer is set
	index   uint32 // among those of the run
}

// packet is what is known of a packet of a flow.
type packet struct {
	try    uint16 // times that it was sent
	flying bool   // the last of these is under way
	acked  bool
	came   bool
}

type send struct {
	at  fabric.Instant
	ev  uint32
	seq uint32
	try uint16
}

// host is a host: around its transport, what every host does. Its port asks it for packets.
type host struct {
	*run
	number int
	port   *fabric.Port
	by     Transport
	timer  uint32
	ready  []*flow // that may have something to send, in turn
	conns  int
}

// open puts hosts at all ports and begins the flows.
func (r *run) open(t *topo.Tree, flows []workload.Flow, make func(host, conns int) (Transport, error)) error {
	for i, p := range t.Hosts {
		h := &host{run: r, number: i, port: p}
		h.timer = r.net.Register(h)
		p.Attach(h, h)
		r.hosts = append(r.hosts, h)
	}
	for i, f := range flows {
		if f.Src < 0 || f.Src >= len(r.hosts) || f.Dst < 0 || f.Dst >= len(r.hosts) || f.Src == f.Dst {
			return fmt.Errorf("flow %d: found from host %d to %d, allowed: two of the %d hosts", i, f.Src, f.Dst, len(r.hosts))
		}
		if f.Bytes < 1 || f.Bytes > 1<<36 {
			return fmt.Errorf("flow %d: found %d bytes, allowed: 1 to 2^36", i, f.Bytes)
		}
		h := r.hosts[f.Src]
		n := int((f.Bytes + uint64(r.set.Payload) - 1) / uint64(r.set.Payload))
		r.flows = append(r.flows, flow{done: Done{Flow: f}, host: h, conn: h.conns, left: n, missing: n, index: uint32(i)})
		h.conns++
	}
	for _, h := range r.hosts {
		if h.conns == 0 {
			continue
		}
		by, err := make(h.number, h.conns)
		if err != nil {
			return fmt.Errorf("host %d: %w", h.number, err)
		}
		h.by = by
	}
	for i := range r.flows {
		f := &r.flows[i]
		r.net.At(fabric.Instant(f.done.Flow.Start), func() { f.begin() })
	}
	return nil
}

func (f *flow) begin() {
	f.packets = make([]packet, f.left)
	f.granted(f.host.by.Open(f.conn, f.host.net.Now().NS()))
}

// granted takes what the transport says, and sends if that allows it.
func (f *flow) granted(g Grant, err error) {
	h := f.host
	if err == nil && (!(g.Window > 0) || g.Rate < 0) {
		err = fmt.Errorf("found window %v, rate %v, allowed: above 0, and 0 or more", g.Window, g.Rate)
	}
	if err != nil {
		h.net.Fail(fmt.Errorf("host %d, connection %d at %d ns: %w", h.number, f.conn, h.net.Now().NS(), err))
		return
	}
	f.grant = g
	f.wake()
}

// wake puts a flow into its host's list.
func (f *flow) wake() {
	if !f.ready {
		f.ready = true
		f.host.ready = append(f.host.ready, f)
	}
	f.host.port.Kick(f.host.net)
}

// size is the bytes of a packet on the wire.
func (f *flow) size(seq uint32) int32 {
	payload := f.host.set.Payload
	if int(seq) == len(f.packets)-1 {
		payload = int(f.done.Flow.Bytes - uint64(seq)*uint64(payload))
	}
	return int32(payload + f.host.set.Headers)
}

// Next implements fabric.Source: the first flow in turn that may send.
func (h *host) Next(n *fabric.Network, _ *fabric.Port) *fabric.Packet {
	for len(h.ready) > 0 {
		f := h.ready[0]
		h.ready = append(h.ready[:0], h.ready[1:]...)
		f.ready = false
		if p := f.send(n); p != nil {
			f.ready = true
			h.ready = append(h.ready, f)
			return p
		}
	}
	return nil
}

// send is the flow's next packet; nil if it has none, or its window or rate allow none.
func (f *flow) send(n *fabric.Network) *fabric.Packet {
	for len(f.again) > 0 && f.packets[f.again[0]].acked {
		f.again = f.again[1:]
	}
	seq := f.next
	if len(f.again) > 0 {
		seq = f.again[0]
	} else if int(seq) == len(f.packets) {
		return nil
	}
	h, size := f.host, f.size(seq)
	if f.flying > 0 && float64(f.flying+int64(size)) > f.grant.Window {
		return nil
	}
	if n.Now() < f.soonest {
		n.Wake(h.timer, f.soonest, f.index<<1|1)
		return nil
	}
	c, err := h.by.Send(f.conn, n.Now().NS())
	if err != nil {
		n.Fail(fmt.Errorf("host %d, connection %d at %d ns: %w", h.number, f.conn, n.Now().NS(), err))
		return nil
	}
	x := &f.packets[seq]
	if len(f.again) > 0 {
		f.again = f.again[1:]
		h.res.Again++
	} else {
		f.next++
	}
	h.res.Packets++
	x.try++
	x.flying = true
	f.flying += int64(size)
	if f.grant.Rate > 0 {
		f.soonest = n.Now() + fabric.Instant(float64(size)/f.grant.Rate*1000)
	}
	f.remember(n, send{n.Now(), c.EV, seq, x.try})
	p := n.Packet()
	p.Flow, p.Src, p.Dst, p.Seq, p.Try = int32(f.index), int32(h.number), int32(f.done.Flow.Dst), seq, x.try
	p.Kind, p.Class, p.Size, p.Sent = fabric.Data, fabric.Bulk, size, n.Now()
	p.SetEV(c.EV)
	return p
}

// remember starts the packet's timer. The first of a flow is the only one that is set.
func (f *flow) remember(n *fabric.Network, s send) {
	if f.first == len(f.sends) {
		f.sends, f.first = f.sends[:0], 0
	} else if f.first > 1024 && f.first > len(f.sends)/2 {
		f.sends = f.sends[:copy(f.sends, f.sends[f.first:])]
		f.first = 0
	}
	if f.sends = append(f.sends, s); !f.timed {
		f.timed = true
		n.Wake(f.host.timer, s.at+fabric.Instant(f.host.set.RTO)*1000, f.index<<1)
	}
}

// Fire implements fabric.Timer: a flow may send again by its rate, or the time of its oldest packet is over.
func (h *host) Fire(n *fabric.Network, arg uint32) {
	f := &h.flows[arg>>1]
	if arg&1 == 1 {
		f.wake()
		return
	}
	// What is sent meanwhile sets no timer of its own.
	for ; f.first < len(f.sends); f.first++ {
		s := f.sends[f.first]
		x := &f.packets[s.seq]
		if !x.flying || x.try != s.try {
			continue
		}
		if over := s.at + fabric.Instant(h.set.RTO)*1000; over > n.Now() {
			n.Wake(h.timer, over, arg)
			return
		}
		h.res.Timeouts++
		f.lost(n, s.seq, s.ev, false)
	}
	f.timed = false
}

// lost sends a packet again.
func (f *flow) lost(n *fabric.Network, seq, ev uint32, trimmed bool) {
	f.packets[seq].flying = false
	f.flying -= int64(f.size(seq))
	f.again = append(f.again, seq)
	f.granted(f.host.by.Lost(f.conn, &Loss{Now: n.Now().NS(), EV: ev, Trimmed: trimmed}))
}

// Receive implements fabric.Node.
func (h *host) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	f := &h.flows[p.Flow]
	switch p.Kind {
	case fabric.Data, fabric.Header:
		h.answer(n, f, p)
	case fabric.Ack:
		f.acked(n, p)
		n.Received(p)
	case fabric.Nack:
		h.res.Nacks++
		if x := &f.packets[p.Seq]; x.flying && x.try == p.Try {
			f.lost(n, p.Seq, p.EV(), true)
		}
		n.Received(p)
	}
}

// answer sends a packet back to its sender as an acknowledgement, with its EV and its mark.
func (h *host) answer(n *fabric.Network, f *flow, p *fabric.Packet) {
	kind := fabric.Nack
	if p.Kind == fabric.Data {
		kind = fabric.Ack
		x := &f.packets[p.Seq]
		if x.came {
			h.res.Duplicates++
		} else {
			x.came = true
			if f.missing--; f.missing == 0 {
				f.done.Received = n.Now()
			}
		}
	}
	n.Answered()
	p.Src, p.Dst = p.Dst, p.Src
	p.Kind, p.Class, p.Size, p.Echo, p.Marked = kind, fabric.Control, fabric.HeaderSize, p.Marked, false
	h.port.Put(n, p)
}

// acked takes an acknowledgement.
func (f *flow) acked(n *fabric.Network, p *fabric.Packet) {
	x := &f.packets[p.Seq]
	a := Ack{Now: n.Now().NS(), RTT: (n.Now() - p.Sent).NS(), EV: p.EV(), Marked: p.Echo, Again: x.acked}
	if x.flying {
		x.flying = false
		f.flying -= int64(f.size(p.Seq))
	}
	if !x.acked {
		x.acked = true
		f.left--
	}
	f.granted(f.host.by.Ack(f.conn, &a))
	if !a.Again && f.left == 0 {
		f.done.Acked = n.Now()
		if f.host.left--; f.host.left == 0 {
			n.Stop()
		}
	}
}
