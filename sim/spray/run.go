// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/nicgen/nicgen/sim/agenda"
)

// Run simulates a scenario. The controller c serves the pairs under test; background
// serves the others and may be nil if there are none. progress, which may be nil, is
// called now and then with the ns simulated and their total. When the context ends, the
// run returns its error.
func Run(ctx context.Context, sc *Scenario, c, background Controller, progress func(done, total uint64)) (*Result, error) {
	if err := sc.Check(); err != nil {
		return nil, err
	}
	n := &network{sc: sc, links: make([]link, len(sc.Links)), flows: make([]flow, len(sc.Flows)),
		messages: rand.New(rand.NewPCG(sc.Seed, 2)), losses: rand.New(rand.NewPCG(sc.Seed, 3)),
		end: agenda.At(sc.End), meter: newMeter(sc)}
	for i := range sc.Links {
		x := &sc.Links[i]
		n.links[i] = link{fails: agenda.At(x.Fails), repaired: agenda.At(x.Repaired), delay: agenda.At(x.Delay),
			byteTime: agenda.PS / x.Rate, buffer: float64(x.Buffer) * agenda.PS / x.Rate}
	}
	n.addHosts(c, background)
	for i := range sc.Flows {
		n.add(agenda.At(sc.Flows[i].Start), event{kind: open, flow: uint32(i)})
	}
	if sc.Tick > 0 {
		n.add(agenda.At(sc.Tick), event{kind: tick})
	}
	if err := n.run(ctx, progress); err != nil {
		return nil, fmt.Errorf("scenario %s: %w", sc.Name, err)
	}
	return n.meter.result(n), nil
}

// kind is the kind of an event.
type kind uint8

const (
	open    kind = iota // a flow starts
	message             // a flow has more to send
	wakeup              // a host checks whether it can send
	hop                 // a packet or probe reaches the queue before a link, or its destination
	reply               // an ACK or a probe's answer reaches its sender
	tick                // controllers check their timers
)

// event is one event of the simulation and its packet, flow or host.
type event struct {
	kind  kind
	probe bool
	hop   uint8 // links passed so far
	flow  uint32
	seq   uint32
	path  int32
	host  int32
	sent  agenda.Instant // of wakeup: its time, to tell stale ones
	delay uint64         // ns, of reply
}

type link struct {
	free            agenda.Instant // when the last packet in its queue has been sent
	fails, repaired agenda.Instant
	delay           agenda.Instant
	byteTime        float64 // ps
	buffer          float64 // size of the queue in ps; 0: unbounded
	longest         agenda.Instant
}

// down reports whether a packet in the queue or on the link between two instants is
// lost.
func (l *link) down(from, to agenda.Instant) bool {
	return from < l.repaired && to >= l.fails && l.fails < l.repaired
}

type flow struct {
	rate    float64 // bytes/ns
	last    agenda.Instant
	next    uint32 // number of the next new segment
	waiting uint64 // new segments to send
	resend  []uint32
	got     []uint64 // bitmap of segments that arrived
	greedy  bool     // it always has a new segment to send
	open    bool
}

type host struct {
	flows []int
	turn  int
	wake  agenda.Instant
	ctl   Controller
}

type network struct {
	sc       *Scenario
	agenda   agenda.Agenda[event]
	links    []link
	hosts    []host
	hostOf   []int32 // by flow
	uplink   []int   // by flow: its host's link
	flows    []flow
	messages *rand.Rand
	losses   *rand.Rand
	end      agenda.Instant
	meter    *meter
	ticking  []Controller
}

func (n *network) add(at agenda.Instant, e event) { n.agenda.Add(at, e) }

// addHosts groups the flows by their hosts.
func (n *network) addHosts(c, background Controller) {
	at, uplink := map[int]int32{}, make([]int, len(n.sc.Pairs))
	for i := range n.sc.Paths {
		uplink[n.sc.Paths[i].Pair] = n.sc.Paths[i].Links[0]
	}
	for i := range n.sc.Flows {
		p := &n.sc.Pairs[n.sc.Flows[i].Pair]
		n.uplink = append(n.uplink, uplink[n.sc.Flows[i].Pair])
		h, ok := at[p.Source]
		if !ok {
			h = int32(len(n.hosts))
			at[p.Source] = h
			ctl := background
			if p.UnderTest {
				ctl = c
			}
			n.hosts = append(n.hosts, host{ctl: ctl, wake: -1})
		}
		n.hosts[h].flows = append(n.hosts[h].flows, i)
		n.hostOf = append(n.hostOf, h)
	}
	n.ticking = []Controller{c}
	if background != nil {
		n.ticking = append(n.ticking, background)
	}
}

func (n *network) run(ctx context.Context, progress func(done, total uint64)) error {
	const checkEvery = 1 << 12 // events
	for k := 0; n.agenda.Len() > 0; k++ {
		now, e := n.agenda.Next()
		if now >= n.end {
			break
		}
		if k%checkEvery == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
			if progress != nil {
				progress(now.NS(), n.sc.End)
			}
		}
		n.meter.advance(n, now)
		var err error
		switch e.kind {
		case open:
			err = n.open(int(e.flow), now)
		case message:
			n.flows[e.flow].waiting += uint64(n.sc.Message)
			n.scheduleMessage(int(e.flow), now)
			err = n.trySend(n.hostOf[e.flow], now)
		case wakeup:
			if h := &n.hosts[e.host]; h.wake == now && e.sent == now {
				h.wake = -1
				err = n.trySend(e.host, now)
			}
		case hop:
			n.forward(&e, now)
		case reply:
			err = n.reply(&e, now)
		case tick:
			err = n.timers(now)
		}
		if err != nil {
			return fmt.Errorf("at %d ns: %w", now.NS(), err)
		}
	}
	n.meter.advance(n, n.end)
	return nil
}

func (n *network) open(i int, now agenda.Instant) error {
	f, x := &n.flows[i], &n.sc.Flows[i]
	rate, err := n.hosts[n.hostOf[i]].ctl.Open(i, now.NS())
	if err != nil {
		return err
	}
	if err := legal(rate); err != nil {
		return err
	}
	f.rate, f.last, f.open, f.greedy = rate, -1<<60, true, x.Load == 0
	n.meter.rate[i] = rate
	if !f.greedy {
		n.scheduleMessage(i, now)
		return nil
	}
	return n.trySend(n.hostOf[i], now)
}

// scheduleMessage adds the flow's next message. One begins with the same chance in each
// segment time.
func (n *network) scheduleMessage(i int, now agenda.Instant) {
	x := &n.sc.Flows[i]
	slot := float64(n.sc.Segment) * agenda.PS / n.sc.Links[n.uplink[i]].Rate
	mean := float64(n.sc.Segment) * float64(n.sc.Message) * agenda.PS / x.Load // between messages
	chance := uint64(slot / mean * (1 << 32))
	slots := 1
	for chance < 1<<32 && n.messages.Uint64()>>32 >= chance && slots < 1<<20 {
		slots++
	}
	at := now + agenda.Instant(float64(slots)*slot)
	if at < agenda.At(x.Stop) {
		n.add(at, event{kind: message, flow: uint32(i)})
	}
}

func (n *network) timers(now agenda.Instant) error {
	for _, c := range n.ticking {
		lost, err := c.Tick(now.NS())
		if err == nil {
			err = n.resend(lost, now)
		}
		if err != nil {
			return err
		}
	}
	n.add(now+agenda.At(n.sc.Tick), event{kind: tick})
	return nil
}

// ready reports whether a flow has a segment to send, and when it may send it.
func (n *network) ready(i int, now agenda.Instant) (agenda.Instant, bool) {
	f, x := &n.flows[i], &n.sc.Flows[i]
	if !f.open {
		return 0, false
	}
	if len(f.resend) == 0 && (!f.greedy && f.waiting == 0 || f.greedy && now >= agenda.At(x.Stop) || x.Limit > 0 && f.next >= x.Limit) {
		return 0, false
	}
	// The gap of a rate close to 0 would overflow: such a flow stays silent.
	gap := agenda.Instant(min(float64(n.sc.Segment)/f.rate*agenda.PS, float64(n.end)))
	return f.last + gap, true
}

// trySend sends segments while the host's link is free and a flow may send, then schedules
// a wakeup for the earliest time at which that is so again.
func (n *network) trySend(h int32, now agenda.Instant) error {
	x := &n.hosts[h]
	first := agenda.Instant(math.MaxInt64)
	for k := range x.flows {
		i := x.flows[(x.turn+k)%len(x.flows)]
		at, ok := n.ready(i, now)
		if !ok {
			continue
		}
		at = max(at, n.links[n.uplink[i]].free)
		if at <= now {
			x.turn = (x.turn + k + 1) % len(x.flows)
			if err := n.send(i, now); err != nil {
				return err
			}
			return n.trySend(h, now)
		}
		first = min(first, at)
	}
	if first < math.MaxInt64 && (x.wake < 0 || x.wake <= now || first < x.wake) {
		x.wake = first
		n.add(first, event{kind: wakeup, host: h, sent: first})
	}
	return nil
}

// send asks the controller for a path and sends the flow's next segment on it.
func (n *network) send(i int, now agenda.Instant) error {
	f, x := &n.flows[i], &n.sc.Flows[i]
	again := len(f.resend) > 0
	seq := f.next
	if again {
		seq = f.resend[0]
	}
	s := Segment{uint32(i), seq}
	c, err := n.hosts[n.hostOf[i]].ctl.Packet(&Packet{Segment: s, Pair: x.Pair, Track: x.Track, Now: now.NS()})
	if err == nil && c.Path < 0 {
		err = fmt.Errorf("segment %d of flow %d: no path, want one", seq, i)
	}
	if err == nil {
		err = cmp.Or(n.checkPath(c.Path, x.Pair), n.checkPath(c.Probe, x.Pair))
	}
	if err != nil {
		return err
	}
	if again {
		f.resend = f.resend[1:]
	} else {
		f.next++
		if !f.greedy {
			f.waiting--
		}
	}
	f.last = now
	n.meter.sent(n, i, seq, c.Path, again, now)
	n.forward(&event{kind: hop, flow: s.Flow, seq: seq, path: int32(c.Path), sent: now}, now)
	if c.Probe >= 0 {
		n.meter.probed(c.Probe, now)
		n.forward(&event{kind: hop, probe: true, flow: s.Flow, path: int32(c.Probe), sent: now}, now)
	}
	return n.resend(c.Lost, now)
}

// checkPath refuses a path of another pair; -1 is no path.
func (n *network) checkPath(path, pair int) error {
	if path >= len(n.sc.Paths) || path >= 0 && n.sc.Paths[path].Pair != pair {
		return fmt.Errorf("path: found %d, allowed: one of pair %d", path, pair)
	}
	return nil
}

// forward puts a packet into the queue before its next link, or delivers it.
func (n *network) forward(e *event, now agenda.Instant) {
	p := &n.sc.Paths[e.path]
	if int(e.hop) == len(p.Links) {
		n.deliver(e, now)
		return
	}
	at := p.Links[e.hop]
	l := &n.links[at]
	bytes := n.sc.Segment
	if e.probe {
		bytes = n.sc.Probe
	}
	waits := max(l.free-now, 0)
	if l.buffer > 0 && float64(waits) > l.buffer {
		n.meter.dropped(n, e, now)
		return
	}
	l.longest = max(l.longest, waits)
	l.free = now + waits + agenda.Instant(float64(bytes)*l.byteTime)
	there := l.free + l.delay
	lost := l.down(now, there)
	if rate := n.sc.Links[at].Loss; rate > 0 && !e.probe && uint32(n.losses.Uint64()>>32) < rate {
		lost = true
	}
	if lost {
		n.meter.dropped(n, e, now)
		return
	}
	next := *e
	next.hop++
	n.add(there, next)
}

// deliver sends an ACK or a probe's answer back.
func (n *network) deliver(e *event, now agenda.Instant) {
	delay := (now - e.sent + agenda.PS/2).NS()
	if !e.probe {
		n.meter.delivered(n, e, now, delay)
	}
	p := &n.sc.Paths[e.path]
	at := now
	for k := len(p.Links) - 1; k >= 0; k-- {
		l := &n.links[p.Links[k]]
		there := at + l.delay + agenda.Instant(float64(n.sc.Ack)*l.byteTime)
		if l.down(at, there) { // the cable's other direction fails with it
			return
		}
		at = there
	}
	r := *e
	r.kind, r.delay = reply, delay
	n.add(at, r)
}

// reply passes an ACK or a probe's answer to the controller.
func (n *network) reply(e *event, now agenda.Instant) error {
	i := int(e.flow)
	ctl := n.hosts[n.hostOf[i]].ctl
	n.meter.measured(e, now)
	if e.probe {
		return ctl.Answer(&Answer{Path: int(e.path), Delay: e.delay, Now: now.NS()})
	}
	r, err := ctl.Ack(&Ack{Segment: Segment{e.flow, e.seq}, Path: int(e.path), Delay: e.delay, Now: now.NS()})
	if err == nil {
		err = legal(r.Rate)
	}
	if err != nil {
		return err
	}
	f := &n.flows[i]
	f.rate = r.Rate
	n.meter.acked(n, i, &r, now)
	if err := n.resend(r.Lost, now); err != nil {
		return err
	}
	return n.trySend(n.hostOf[i], now)
}

// resend queues lost segments for retransmission, ahead of new ones.
func (n *network) resend(segments []Lost, now agenda.Instant) error {
	for _, l := range segments {
		if int(l.Flow) >= len(n.flows) || l.Seq >= n.flows[l.Flow].next {
			return fmt.Errorf("segment %d of flow %d is lost, want one that was sent", l.Seq, l.Flow)
		}
		n.meter.reported(n, l, now)
		n.flows[l.Flow].resend = append(n.flows[l.Flow].resend, l.Seq)
		// Not at once: trySend may be the caller.
		h := n.hostOf[l.Flow]
		if x := &n.hosts[h]; x.wake != now {
			x.wake = now
			n.add(now, event{kind: wakeup, host: h, sent: now})
		}
	}
	return nil
}

// legal refuses a rate that would stop a sender.
func legal(rate float64) error {
	if !(rate > 0) || math.IsInf(rate, 0) {
		return fmt.Errorf("rate: found %v, allowed: a finite number above 0", rate)
	}
	return nil
}
