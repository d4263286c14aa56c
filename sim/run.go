// SPDX-License-Identifier: Apache-2.0

package sim

import (
	"container/heap"
	"context"
	"fmt"
)

// Run plays a scenario. Settings give the senders' first windows; everything else
// comes from the controller. progress, which may be nil, is told now and then how
// many ns of how many are done. When the context ends, so does the run, with the
// context's error.
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

// instant is a time in ps: the gaps of paced packets are no whole numbers of ns.
type instant int64

const ps = 1000 // in a ns

func (t instant) ns() uint64 { return uint64(t) / ps }

// packet is a packet and, later, its acknowledgement.
type packet struct {
	flow int
	end  uint32 // sequence number of the byte after it
	sent instant
	hop  Hop
}

// kind says what happens at an event.
type kind uint8

const (
	send    kind = iota // a sender may be allowed to send
	arrive              // a packet reaches the switch
	depart              // the egress port has sent a packet
	receive             // an acknowledgement reaches the sender
)

type event struct {
	at    instant
	order uint64 // among events of one instant: as they were made
	kind  kind
	packet
}

// events is a heap by time and order.
type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(i, j int) bool {
	return e[i].at < e[j].at || e[i].at == e[j].at && e[i].order < e[j].order
}
func (e events) Swap(i, j int) { e[i], e[j] = e[j], e[i] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

type sender struct {
	stop     instant
	last     instant // when it began to send its last packet
	wake     instant // the only send event that counts
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
	events   events
	order    uint64
	senders  []sender
	queue    []packet // waits at the egress port, first in first out
	busy     bool     // the egress port sends
	tx       uint64   // bytes that it has begun to send
}

func (l *link) schedule(at instant, k kind, p packet) {
	heap.Push(&l.events, event{at, l.order, k, p})
	l.order++
}

// wake makes a sender look at an instant whether it may send, and at no other.
func (l *link) wake(flow int, at instant) {
	l.senders[flow].wake = at
	l.schedule(at, send, packet{flow: flow})
}

func (l *link) run(ctx context.Context, progress func(done, total uint64)) error {
	const nowAndThen = 1 << 12 // events
	for n := 0; len(l.events) > 0; n++ {
		e := heap.Pop(&l.events).(event)
		if e.at >= l.end {
			break
		}
		if n%nowAndThen == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(e.at.ns(), l.sc.End)
			}
		}
		l.meter.advance(e.at)
		switch e.kind {
		case send:
			if e.at == l.senders[e.flow].wake {
				l.send(e.flow, e.at)
			}
		case arrive:
			l.queue = append(l.queue, e.packet)
			if !l.busy {
				l.transmit(e.at)
			}
			l.meter.queued(e.at, uint64(len(l.queue))*l.sc.Segment)
		case depart:
			l.meter.delivered(e.flow, l.sc.Segment)
			l.schedule(e.at+3*instant(l.sc.Delay)*ps, receive, e.packet)
			l.busy = false
			if len(l.queue) > 0 {
				l.transmit(e.at)
				l.meter.queued(e.at, uint64(len(l.queue))*l.sc.Segment)
			}
		case receive:
			if err := l.receive(e.packet, e.at); err != nil {
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
	p.hop = Hop{QLen: uint64(len(l.queue)) * l.sc.Segment, Tx: l.tx, TS: now.ns(), Rate: l.sc.RateCode}
	l.tx += l.sc.Segment
	l.busy = true
	l.schedule(now+l.linkTime, depart, p)
}

// send sends a packet if window, rate and the host's link allow it, and otherwise
// waits for what is missing.
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

// gap is the time between the starts of two packets of a sender.
func (l *link) gap(s *sender) instant {
	// A rate close to 0 would not fit: such a sender is silent to the end.
	paced := min(float64(l.sc.Segment)/s.window.Rate*ps, float64(l.end))
	return max(l.hostTime, instant(paced))
}

// receive gives an acknowledgement to the controller.
func (l *link) receive(p packet, now instant) error {
	s := &l.senders[p.flow]
	s.inFlight -= l.sc.Segment
	hops := [1]Hop{p.hop}
	w, err := l.ctl.Ack(&Ack{Conn: uint32(p.flow), Seq: p.end, SndNxt: s.next, Hops: hops[:], RTT: (now - p.sent).ns(), Now: now.ns()})
	if err == nil {
		err = w.legal()
	}
	if err != nil {
		return fmt.Errorf("acknowledgement %d of connection %d at %d ns: %w", p.end, p.flow, now.ns(), err)
	}
	s.window = w
	l.meter.acked(p.flow, w)
	l.send(p.flow, now)
	return nil
}
