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

// Run plays a scenario. The controller c has the pairs under test; background, which
// may be nil if there are none, has the others. progress, which may be nil, is told
// now and then how many ns of how many are done. When the context ends, so does the
// run, with the context's error.
func Run(ctx context.Context, sc *Scenario, c, background Controller, progress func(done, total uint64)) (*Result, error) {
	if err := sc.Check(); err != nil {
		return nil, err
	}
	n := &network{sc: sc, links: make([]link, len(sc.Links)), flows: make([]flow, len(sc.Flows)),
		messages: rand.New(rand.NewPCG(sc.Seed, 2)), losses: rand.New(rand.NewPCG(sc.Seed, 3)),
		end: agenda.At(sc.End), meter: newMeter(sc)}
	for i := range sc.Links {
		x := &sc.Links[i]
		n.links[i] = link{fails: agenda.At(x.Fails), mended: agenda.At(x.Mended), delay: agenda.At(x.Delay),
			byteTime: agenda.PS / x.Rate, buffer: float64(x.Buffer) * agenda.PS / x.Rate}
	}
	for i := range sc.Paths {
		n.back = append(n.back, n.reverse(&sc.Paths[i]))
	}
	n.host(c, background)
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

// kind says what happens at an event.
type kind uint8

const (
	open    kind = iota // a flow starts
	message             // a flow has more to send
	wire                // a host looks whether it can send
	hop                 // a packet or probe reaches the queue before a link, or its destination
	back                // an ACK or a probe's answer reaches its sender
	tick                // timers
)

// event is what happens, and to which packet.
type event struct {
	kind  kind
	probe bool
	hop   uint8 // links behind it
	flow  uint32
	seq   uint32
	path  int32
	host  int32
	sent  agenda.Instant // wire: the only one that counts
	delay uint64         // ns, of back
}

type link struct {
	free          agenda.Instant // when the last packet in its queue has been sent
	fails, mended agenda.Instant
	delay         agenda.Instant
	byteTime      float64 // ps
	buffer        float64 // ps that may lie before free, 0: any
	longest       agenda.Instant
}

// down tells whether something that is in a queue or on a link from an instant to
// another gets lost there.
func (l *link) down(from, to agenda.Instant) bool {
	return from < l.mended && to >= l.fails && l.fails < l.mended
}

type flow struct {
	rate    float64 // bytes/ns
	last    agenda.Instant
	next    uint32 // number of the next new segment
	waiting uint64 // new segments that are to be sent
	resend  []uint32
	got     []uint64 // bitmap of segments that arrived
	greedy  bool     // there is always a new segment
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
	back     []agenda.Instant // by path: how long an ACK takes
	hosts    []host
	hostOf   []int32 // by flow
	uplink   []int   // by flow: the link on which its host is connected
	flows    []flow
	messages *rand.Rand
	losses   *rand.Rand
	end      agenda.Instant
	meter    *meter
	ticking  []Controller
}

func (n *network) add(at agenda.Instant, e event) { n.agenda.Add(at, e) }

// reverse is the time of an ACK along a path: it has priority over data.
func (n *network) reverse(p *Path) agenda.Instant {
	var sum agenda.Instant
	for _, l := range p.Links {
		x := &n.links[l]
		sum += x.delay + agenda.Instant(float64(n.sc.Ack)*x.byteTime)
	}
	return sum
}

// host groups the flows by their hosts.
func (n *network) host(c, background Controller) {
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
			if p.Under {
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
	const nowAndThen = 1 << 12 // events
	for k := 0; n.agenda.Len() > 0; k++ {
		now, e := n.agenda.Next()
		if now >= n.end {
			break
		}
		if k%nowAndThen == 0 {
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
			n.schedule(int(e.flow), now)
			err = n.look(n.hostOf[e.flow], now)
		case wire:
			if h := &n.hosts[e.host]; h.wake == now && e.sent == now {
				h.wake = -1
				err = n.look(e.host, now)
			}
		case hop:
			n.forward(&e, now)
		case back:
			err = n.returned(&e, now)
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
		n.schedule(i, now)
		return nil
	}
	return n.look(n.hostOf[i], now)
}

// schedule adds the flow's next message: one begins with the same chance in the time
// of each segment.
func (n *network) schedule(i int, now agenda.Instant) {
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
			err = n.lost(lost, now)
		}
		if err != nil {
			return err
		}
	}
	n.add(now+agenda.At(n.sc.Tick), event{kind: tick})
	return nil
}

// ready tells whether a flow has a segment to send, and when it may.
func (n *network) ready(i int, now agenda.Instant) (agenda.Instant, bool) {
	f, x := &n.flows[i], &n.sc.Flows[i]
	if !f.open {
		return 0, false
	}
	if len(f.resend) == 0 && (!f.greedy && f.waiting == 0 || f.greedy && now >= agenda.At(x.Stop) || x.Limit > 0 && f.next >= x.Limit) {
		return 0, false
	}
	// A rate close to 0 would not fit: such a flow is silent to the end.
	gap := agenda.Instant(min(float64(n.sc.Segment)/f.rate*agenda.PS, float64(n.end)))
	return f.last + gap, true
}

// look sends a segment if the host's link is free and a flow may send, and otherwise
// waits for what comes first.
func (n *network) look(h int32, now agenda.Instant) error {
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
			return n.look(h, now)
		}
		first = min(first, at)
	}
	if first < math.MaxInt64 && (x.wake < 0 || x.wake <= now || first < x.wake) {
		x.wake = first
		n.add(first, event{kind: wire, host: h, sent: first})
	}
	return nil
}

// send asks for a path and puts the flow's next segment onto it.
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
		err = cmp.Or(n.belongs(c.Path, x.Pair), n.belongs(c.Probe, x.Pair))
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
	return n.lost(c.Lost, now)
}

// belongs refuses a path that is not one of the pair's; -1 is none.
func (n *network) belongs(path, pair int) error {
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
	r.kind, r.delay = back, delay
	n.add(at, r)
}

// returned gives an ACK or a probe's answer to the controller.
func (n *network) returned(e *event, now agenda.Instant) error {
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
	if err := n.lost(r.Lost, now); err != nil {
		return err
	}
	return n.look(n.hostOf[i], now)
}

// lost queues segments to be sent again, before new ones.
func (n *network) lost(all []Lost, now agenda.Instant) error {
	for _, l := range all {
		if int(l.Flow) >= len(n.flows) || l.Seq >= n.flows[l.Flow].next {
			return fmt.Errorf("segment %d of flow %d is lost, want one that was sent", l.Seq, l.Flow)
		}
		n.meter.reported(n, l, now)
		n.flows[l.Flow].resend = append(n.flows[l.Flow].resend, l.Seq)
		// Not from here: this may be called while the host looks.
		h := n.hostOf[l.Flow]
		if x := &n.hosts[h]; x.wake != now {
			x.wake = now
			n.add(now, event{kind: wire, host: h, sent: now})
		}
	}
	return nil
}

// legal refuses a rate with which a sender would not go on.
func legal(rate float64) error {
	if !(rate > 0) || math.IsInf(rate, 0) {
		return fmt.Errorf("rate: found %v, allowed: a finite number above 0", rate)
	}
	return nil
}
