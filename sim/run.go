// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"context"
	"fmt"

	"github.com/nicgen/nicgen/sim/agenda"
)

// Run simulates a scenario. Settings give the senders' first windows, the controller
// all later ones. progress, which may be nil, is called now and then with the ns
// simulated and their total. When the context ends, the run returns its error.
func Run(ctx context.Context, sc *Scenario, s Settings, c Controller, progress func(done, total uint64)) (*Result, error) {
	if err := sc.Check(); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	if err := s.First().legal(); err != nil {
		return nil, fmt.Errorf("first %w", err)
	}
	l := &link{sc: sc, ctl: c, meter: newMeter(sc), end: instant(sc.End) * ps,
		hostTime: instant(float64(sc.Segment) / sc.HostRate * ps), linkTime: instant(float64(sc.Segment) / sc.LinkRate * ps)}
	first := s.First()
	for i, f := range sc.Flows {
		l.senders = append(l.senders, sender{stop: instant(f.Stop) * ps, last: -1 << 62, window: first})
		l.meter.window[i] = first.Bytes
		l.wake(i, instant(f.Start+f.Jitter)*ps)
	}
	if err := l.run(ctx, progress); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	return l.meter.result(), nil
}

type instant = agenda.Instant

const ps = agenda.PS // in a ns

// packet is a packet and, later, its acknowledgement.
type packet struct {
	flow int
	end  uint32 // sequence number of the byte after it
	sent instant
	hop  Hop
}

// kind is the kind of an event.
type kind uint8

const (
	send    kind = iota // a sender checks whether it may send
	arrive              // a packet reaches the switch
	depart              // the egress port has sent a packet
	receive             // an acknowledgement reaches the sender
)

type event struct {
	kind kind
	packet
}

type sender struct {
	stop     instant
	last     instant // start of its last packet
	wake     instant // time of the valid send event; others are stale
	next     uint32  // sequence number
	inFlight uint64  // bytes
	window   Window
}

type link struct {
	sc       *Scenario
	ctl      Controller
	meter    *meter
	end      instant
	hostTime instant // of a packet on a host's link
	linkTime instant // of a packet on the bottleneck
	events   agenda.Agenda[event]
	senders  []sender
	queue    []packet // at the egress port, first in first out
	busy     bool     // the egress port is sending
	tx       uint64   // bytes of packets that it has started to send
}

func (l *link) schedule(at instant, k kind, p packet) { l.events.Add(at, event{k, p}) }

// wake schedules when a sender next checks whether it may send; any earlier schedule
// becomes stale.
func (l *link) wake(flow int, at instant) {
	l.senders[flow].wake = at
	l.schedule(at, send, packet{flow: flow})
}

func (l *link) run(ctx context.Context, progress func(done, total uint64)) error {
	const checkEvery = 1 << 12 // events
	for n := 0; l.events.Len() > 0; n++ {
		now, e := l.events.Next()
		if now >= l.end {
			break
		}
		if n%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(now.NS(), l.sc.End)
			}
		}
		l.meter.advance(now)
		switch e.kind {
		case send:
			if now == l.senders[e.flow].wake {
				l.send(e.flow, now)
			}
		case arrive:
			l.queue = append(l.queue, e.packet)
			if !l.busy {
				l.transmit(now)
			}
			l.meter.queued(now, uint64(len(l.queue))*l.sc.Segment)
		case depart:
			l.meter.delivered(e.flow, l.sc.Segment)
			l.schedule(now+3*instant(l.sc.Delay)*ps, receive, e.packet)
			l.busy = false
			if len(l.queue) > 0 {
				l.transmit(now)
				l.meter.queued(now, uint64(len(l.queue))*l.sc.Segment)
			}
		case receive:
			if err := l.receive(e.packet, now); err != nil {
				return err
			}
		}
	}
	l.meter.advance(l.end)
	return nil
}

// transmit takes the first packet out of the queue and stamps it.
func (l *link) transmit(now instant) {
	p := l.queue[0]
	l.queue = l.queue[1:]
	p.hop = Hop{QLen: uint64(len(l.queue)) * l.sc.Segment, Tx: l.tx, TS: now.NS(), Rate: l.sc.RateCode}
	l.tx += l.sc.Segment
	l.busy = true
	l.schedule(now+l.linkTime, depart, p)
}

// send sends a packet if window, rate and the host's link allow it. If only the rate or
// the link does not, it schedules another check.
func (l *link) send(flow int, now instant) {
	s := &l.senders[flow]
	// A window below a packet lets one packet out at a time.
	if now >= s.stop || s.inFlight > 0 && float64(s.inFlight+l.sc.Segment) > s.window.Bytes {
		return
	}
	// The gap follows the rate of this instant, not that of the last packet.
	if next := s.last + l.gap(s); now < next {
		l.wake(flow, next)
		return
	}
	s.last = now
	s.next += uint32(l.sc.Segment)
	s.inFlight += l.sc.Segment
	l.schedule(now+l.hostTime+instant(l.sc.Delay)*ps, arrive, packet{flow: flow, end: s.next, sent: now})
	l.wake(flow, now+l.gap(s))
}

// gap is the least time between the starts of two packets of a sender.
func (l *link) gap(s *sender) instant {
	// The gap of a rate close to 0 would overflow: such a sender stays silent.
	paced := min(float64(l.sc.Segment)/s.window.Rate*ps, float64(l.end))
	return max(l.hostTime, instant(paced))
}

// receive passes an acknowledgement to the controller.
func (l *link) receive(p packet, now instant) error {
	s := &l.senders[p.flow]
	s.inFlight -= l.sc.Segment
	hops := [1]Hop{p.hop}
	w, err := l.ctl.Ack(&Ack{Conn: uint32(p.flow), Seq: p.end, SndNxt: s.next, Hops: hops[:], RTT: (now - p.sent).NS(), Now: now.NS()})
	if err == nil {
		err = w.legal()
	}
	if err != nil {
		return fmt.Errorf("acknowledgement %d of connection %d at %d ns: %w", p.end, p.flow, now.NS(), err)
	}
	s.window = w
	l.meter.acked(p.flow, w)
	l.send(p.flow, now)
	return nil
}
