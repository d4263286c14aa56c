// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"fmt"

	"github.com/nicgen/nicgen/sim/fabric"
)

// host is a host: around its transport, what every host does. Its port asks it for packets.
type host struct {
	*run
	number int
	port   *fabric.Port
	by     Transport
	spray  Tracker        // by, if it is one
	clock  Clocked        // by, if it is one
	asked  []asked        // packets that have no Choice yet, in order
	due    fabric.Instant // for which a timer for an answer is set; 0: none
	timer  uint32
	ready  []*flow // that may have something to send, in turn
	probes []probe // to be sent
	own    []*flow // by connection
	open   int     // flows that have begun and are not complete
	ticks  bool    // the timer of the Tracker is set
}

// probe is a probe of a flow on a route.
type probe struct {
	flow *flow
	on   uint32
}

// asked is a packet that left before its Choice came.
type asked struct {
	flow   *flow
	packet *fabric.Packet
	send   send
}

// Arguments of the host's timer that are of no flow.
const (
	tick = ^uint32(0) // of a Tracker
	due  = tick - 1   // an answer of a Clocked comes
)

// granted takes what the transport says, and sends if that allows it.
func (f *flow) granted(g Grant, err error) {
	h := f.host
	if err == nil {
		err = f.take(g)
	}
	if err != nil {
		h.net.Fail(fmt.Errorf("host %d, connection %d at %d ns: %w", h.number, f.conn, h.net.Now().NS(), err))
		return
	}
	if h.spray != nil {
		h.missing()
	}
	h.await()
	f.wake()
}

// take takes a Grant, if it is one.
func (f *flow) take(g Grant) error {
	if !(g.Window > 0) || !(g.Rate >= 0) {
		return fmt.Errorf("found window %v, rate %v, allowed: above 0, and 0 or more", g.Window, g.Rate)
	}
	f.grant = g
	return nil
}

// await sets a timer for the next answer.
func (h *host) await() {
	if h.clock == nil {
		return
	}
	if at, ok := h.clock.Due(); ok && (h.due == 0 || at < h.due) {
		h.due = max(at, h.net.Now())
		h.net.Wake(h.timer, h.due, due)
	}
}

// answers takes what a Clocked says up to now.
func (h *host) answers(n *fabric.Network) error {
	list, err := h.clock.Answers(n.Now())
	if err != nil {
		return fmt.Errorf("host %d at %d ns: %w", h.number, n.Now().NS(), err)
	}
	if h.spray != nil {
		h.missing()
	}
	for i := range list {
		a := &list[i]
		if a.Grants {
			f := h.own[a.Conn]
			if err := f.take(a.Grant); err != nil {
				return fmt.Errorf("host %d, connection %d at %d ns: %w", h.number, a.Conn, n.Now().NS(), err)
			}
			f.wake()
			continue
		}
		if len(h.asked) == 0 || h.asked[0].flow.conn != a.Conn {
			return fmt.Errorf("host %d at %d ns: a choice for connection %d that no packet waits for", h.number, n.Now().NS(), a.Conn)
		}
		x := h.asked[0]
		h.asked = append(h.asked[:0], h.asked[1:]...)
		// A packet that was lost before it left the cable may be another one by now.
		if p := x.packet; p.Kind == fabric.Data && p.Flow == int32(x.flow.index) && p.Seq == x.send.seq && p.Try == x.send.try {
			x.flow.chosen(p, a.Choice.EV)
		}
		x.flow.counts(a.Choice.EV)
		for k := len(x.flow.sends) - 1; k >= x.flow.first; k-- {
			if s := &x.flow.sends[k]; s.seq == x.send.seq && s.try == x.send.try {
				s.ev = a.Choice.EV
				break
			}
		}
		if a.Choice.Probe {
			x.flow.probe(a.Choice.On)
			h.port.Kick(n)
		}
	}
	return nil
}

// chosen lets a packet travel by an EV.
func (f *flow) chosen(p *fabric.Packet, ev uint32) {
	p.SetEV(ev)
	if f.routes != nil {
		p.Route = &f.routes[ev%uint32(len(f.routes))]
	}
}

// counts counts a packet on its route.
func (f *flow) counts(ev uint32) {
	if len(f.routes) < 2 {
		return
	}
	r := &f.host.res.Routes
	r[len(f.routes[ev%uint32(len(f.routes))].Ports)].Packets++
	for i := range f.routes {
		r[len(f.routes[i].Ports)].Even += 1 / float64(len(f.routes))
	}
}

// probe has a probe sent.
func (f *flow) probe(on uint32) {
	f.host.res.Probes++
	f.host.probes = append(f.host.probes, probe{f, on})
}

// Seal implements fabric.Sealer: a Clocked has to have chosen.
func (h *host) Seal(n *fabric.Network, p *fabric.Packet) error {
	if len(h.asked) == 0 {
		return nil
	}
	if err := h.answers(n); err != nil {
		return err
	}
	for _, x := range h.asked {
		if x.packet == p {
			return fmt.Errorf("host %d at %d ns: a packet of connection %d has no choice yet", h.number, n.Now().NS(), x.flow.conn)
		}
	}
	return nil
}

// missing sends again what the Tracker found lost.
func (h *host) missing() {
	for _, s := range h.spray.Missing() {
		f := h.own[s.Conn]
		x := f.at(s.Seq)
		h.res.Found++
		if !x.flying { // it is acknowledged, or known to be lost
			continue
		}
		x.flying = false
		f.flying -= int64(f.size(s.Seq))
		f.again = append(f.again, s.Seq)
		f.wake()
	}
}

// wake puts a flow into its host's list.
func (f *flow) wake() {
	if !f.ready {
		f.ready = true
		f.host.ready = append(f.host.ready, f)
	}
	f.host.port.Kick(f.host.net)
}

// Next implements fabric.Source: the first flow in turn that may send.
func (h *host) Next(n *fabric.Network, _ *fabric.Port) *fabric.Packet {
	if len(h.probes) > 0 {
		x := h.probes[0]
		h.probes = append(h.probes[:0], h.probes[1:]...)
		p := x.flow.packet(n, x.on)
		p.Kind, p.Size, p.Sent = fabric.Probe, fabric.HeaderSize, h.stamp(n)
		return p
	}
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

// stamp is the time in a packet that the port takes. A Tracker measures the time on the way, from where its unit is left on.
func (h *host) stamp(n *fabric.Network) fabric.Instant {
	if h.clock == nil || h.spray == nil {
		return n.Now()
	}
	return n.Now() + h.clock.Latency()
}

// send is the flow's next packet; nil if it has none, or its window or rate allow none.
func (f *flow) send(n *fabric.Network) *fabric.Packet {
	for len(f.again) > 0 && f.at(f.again[0]).acked {
		f.again = f.again[1:]
	}
	for int(f.next) < f.count() && f.at(f.next).acked { // before the sender went back
		f.next++
	}
	seq := f.next
	if len(f.again) > 0 {
		seq = f.again[0]
	} else if int(seq) == f.count() || f.stopped(n) {
		return nil
	}
	h, size := f.host, f.size(seq)
	if f.flying > 0 && float64(f.flying+int64(size)) > f.grant.Window {
		return nil
	}
	if n.Now() < f.soonest {
		if !f.waits {
			f.waits = true
			n.Wake(h.timer, f.soonest, f.index<<1|1)
		}
		return nil
	}
	var c Choice
	var err error
	switch {
	case h.clock != nil:
		err = h.clock.Ask(f.conn, seq, n.Now())
	case h.spray != nil:
		c, err = h.spray.Segment(f.conn, seq, n.Now().NS())
	default:
		c, err = h.by.Send(f.conn, n.Now().NS())
	}
	if err != nil {
		n.Fail(fmt.Errorf("host %d, connection %d at %d ns: %w", h.number, f.conn, n.Now().NS(), err))
		return nil
	}
	x := f.at(seq)
	if len(f.again) > 0 {
		f.again = f.again[1:]
	} else {
		f.next++
	}
	if x.try > 0 {
		h.res.Again++
	}
	h.res.Packets++
	x.try++
	x.flying = true
	f.flying += int64(size)
	if f.grant.Rate > 0 {
		f.soonest = n.Now() + fabric.Instant(float64(size)/f.grant.Rate*1000)
	}
	f.remember(n, send{n.Now(), c.EV, seq, x.try})
	if h.spray != nil {
		h.missing()
	}
	if c.Probe {
		f.probe(c.On)
	}
	p := f.packet(n, c.EV)
	p.Kind, p.Seq, p.Try, p.Size, p.Sent = fabric.Data, seq, x.try, size, h.stamp(n)
	if h.clock != nil {
		h.asked = append(h.asked, asked{f, p, send{seq: seq, try: x.try}})
		h.await()
	} else {
		f.counts(c.EV)
	}
	if h.set.Telemetry {
		n.Collect(p, h.set.Layout)
	}
	return p
}

// stopped reports, once, that the flow sends nothing any more.
func (f *flow) stopped(n *fabric.Network) bool {
	stop := fabric.Instant(f.done.Flow.Stop)
	return stop > 0 && n.Now() >= stop
}

// packet is an empty packet of a flow with an EV, by the route that it chooses.
func (f *flow) packet(n *fabric.Network, ev uint32) *fabric.Packet {
	p := n.Packet()
	p.Flow, p.Src, p.Dst, p.Class = int32(f.index), int32(f.host.number), int32(f.done.Flow.Dst), fabric.Bulk
	f.chosen(p, ev)
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

// Fire implements fabric.Timer: a flow may send again by its rate, the time of its oldest packet is over, or a Tracker's timer
// tick is due.
func (h *host) Fire(n *fabric.Network, arg uint32) {
	switch arg {
	case tick:
		h.tick(n)
		return
	case due:
		if n.Now() >= h.due {
			h.due = 0
		}
		if err := h.answers(n); err != nil {
			n.Fail(err)
			return
		}
		h.await()
		return
	}
	f := &h.flows[arg>>1]
	if arg&1 == 1 {
		f.waits = false
		f.wake()
		return
	}
	// Packets sent meanwhile set no separate timer.
	for ; f.first < len(f.sends); f.first++ {
		s := f.sends[f.first]
		x := f.at(s.seq)
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

// goBack makes the sender go on from a packet.
func (f *flow) goBack(from uint32) {
	for seq := from; seq < f.next; seq++ {
		if x := f.at(seq); x.flying {
			x.flying = false
			f.flying -= int64(f.size(seq))
		}
	}
	f.next = min(f.next, from)
}

// tick lets a Tracker look at its timers.
func (h *host) tick(n *fabric.Network) {
	if h.ticks = h.open > 0; !h.ticks {
		return
	}
	if err := h.spray.Tick(n.Now().NS()); err != nil {
		n.Fail(fmt.Errorf("host %d at %d ns: %w", h.number, n.Now().NS(), err))
		return
	}
	h.missing()
	h.await()
	n.Wake(h.timer, n.Now()+fabric.Instant(h.spray.Every())*1000, tick)
}

// lost sends a packet again.
func (f *flow) lost(n *fabric.Network, seq, ev uint32, trimmed bool) {
	if f.host.set.GoBackN {
		f.goBack(seq)
	} else {
		f.at(seq).flying = false
		f.flying -= int64(f.size(seq))
		f.again = append(f.again, seq)
	}
	f.granted(f.host.by.Lost(f.conn, &Loss{At: n.Now(), Now: n.Now().NS(), EV: ev, Trimmed: trimmed}))
}

// counted gives hops of INT-MD the bytes that they do not have: what the link has carried since the last acknowledgement, by the utilisation that it
// tells. It is the host's part: transports know counts.
func (f *flow) counted(hops []fabric.Hop) []fabric.Hop {
	if len(f.hops) != len(hops) {
		f.hops = append(f.hops[:0], hops...)
		return f.hops
	}
	for i, h := range hops {
		was := f.hops[i]
		if h.Bytes = was.Bytes; h.At > was.At {
			h.Bytes += uint64(h.Used * h.Gbps / 8 * float64(h.At-was.At) / 1000)
		}
		f.hops[i] = h
	}
	return f.hops
}

// acked takes an acknowledgement.
func (f *flow) acked(n *fabric.Network, p *fabric.Packet) {
	x := f.at(p.Seq)
	a := Ack{At: n.Now(), Now: n.Now().NS(), RTT: (n.Now() - p.Sent).NS(), EV: p.EV(), Marked: p.Echo, Again: x.acked,
		Seq: p.Seq, Delay: (p.Delay + 500).NS(), Next: f.next, Hops: p.Hops()}
	if h := f.host.set; h.Telemetry && h.Layout == fabric.INTMD {
		a.Hops = f.counted(a.Hops)
	}
	if x.flying {
		x.flying = false
		f.flying -= int64(f.size(p.Seq))
	}
	if !x.acked {
		x.acked = true
		f.left--
		for int(f.una) < f.count() && f.at(f.una).acked {
			f.una++
		}
	}
	a.First = f.una
	f.granted(f.host.by.Ack(f.conn, &a))
	defer f.forget()
	if !a.Again && (f.gap == nil || !f.called(n, p.Seq)) && f.left == 0 {
		f.done.Acked = n.Now()
		f.ended(n, f.done.Flow.Src)
		f.host.open--
		if f.host.left--; f.host.left == 0 {
			n.Stop()
		}
	}
}
