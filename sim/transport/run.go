// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/workload"
)

// Settings are what all hosts have in common.
type Settings struct {
	Payload  int    `json:"payload_bytes"` // of a full packet
	Headers  int    `json:"header_bytes"`  // of a packet with payload
	RTO      uint64 `json:"rto_ns"`        // after which a packet that is not acknowledged is sent again
	Deadline uint64 `json:"deadline_ns"`   // a run with a flow that is longer has failed
	// Until ends the run at a time in ns, whatever flows are left; 0: it ends with the last flow.
	Until uint64 `json:"until_ns,omitempty"`
	// GoBackN is RoCEv2's recovery: a receiver takes packets in order only. It answers the first one behind a gap with a Nack, and
	// the sender goes on from there; so it does after a time-out.
	GoBackN bool `json:"go_back_n,omitempty"`
	// Telemetry has packets with payload collect what switches write, in a layout: they and their acknowledgements carry its bytes.
	Telemetry bool          `json:"telemetry,omitempty"`
	Layout    fabric.Layout `json:"layout,omitempty"`
}

// collects is the bytes of telemetry in a packet.
func (s *Settings) collects() int32 {
	if !s.Telemetry {
		return 0
	}
	return s.Layout.Size()
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
	rule("until", s.Until, 0, s.Deadline)
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
	Probes     uint64
	Found      uint64 // segments that a Sprayer found lost
	Order      Order
	Routes     [MaxCables + 1]Share // by the cables of a route, where sources choose among some
	Counts     fabric.Counts
}

// MaxCables is the most cables of a route.
const MaxCables = 15

// Share is what routes of a length carried.
type Share struct {
	Packets uint64
	Even    float64 // packets, if each flow's were spread evenly over its routes
}

// Order is what receivers hold back because packets of a flow before it are missing, as each packet finds it when it comes.
type Order struct {
	Late  uint64                  // packets that found one of a higher number there before
	Early uint64                  // packets that had to wait
	Bytes float64                 // sum of what waits of its flow, with it
	Over  [len(OrderSteps)]uint64 // packets that found more than so many bytes of payload
}

// OrderSteps are the bytes of Order.Over.
var OrderSteps = [...]int64{0, 1000, 4000, 16_000, 30_000, 100_000}

// Done is how a flow ended, in ps.
type Done struct {
	Flow     workload.Flow
	Received fabric.Instant // its last byte
	Acked    fabric.Instant // and the sender knows
	Calls    []Call         // of a Loop
}

// Call is a message of a Loop that is complete, in ps.
type Call struct {
	Start fabric.Instant
	Acked fabric.Instant
}

// Last is when the last flow was acknowledged, in µs.
func (r *Result) Last() float64 {
	var last fabric.Instant
	for i := range r.Flows {
		last = max(last, r.Flows[i].Acked)
	}
	return float64(last) / 1e6
}

// Network is a network with hosts at its edge. If it also has Routes, sources choose one of them for each packet, by the EV: the
// number of the route, modulo how many there are.
type Network interface {
	Edge() (*fabric.Network, []*fabric.Port)
}

// Routed is a Network whose sources choose routes.
type Routed interface {
	Routes(src, dst int) []fabric.Route
}

// Run sends flows through a network. make gives each host that sends its transport, once, with
// the number of its connections. It fails if a flow does not end before the deadline.
func Run(ctx context.Context, t Network, flows []workload.Flow, s *Settings, make func(host, conns int) (Transport, error)) (res *Result, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	net, ports := t.Edge()
	r := &run{net: net, set: s, left: len(flows)}
	r.routed, _ = t.(Routed)
	defer func() {
		for _, h := range r.hosts {
			err = errors.Join(err, closeAll(h.by))
		}
	}()
	if err := r.open(ports, flows, make); err != nil {
		return nil, err
	}
	late := false
	if r.left > 0 {
		if s.Until > 0 {
			r.net.At(fabric.Instant(s.Until)*1000, r.net.Stop)
		} else {
			r.net.At(fabric.Instant(s.Deadline)*1000, func() { late = true; r.net.Stop() })
		}
		if err := r.net.Run(ctx); err != nil {
			return nil, err
		}
	}
	if late {
		return nil, fmt.Errorf("%d of %d flows are not complete after %d ns", r.left, len(flows), s.Deadline)
	}
	r.res.Counts = r.net.Count
	for i := range r.flows {
		d := r.flows[i].done
		d.Calls = slices.DeleteFunc(d.Calls, func(c Call) bool { return c.Acked == 0 })
		r.res.Flows = append(r.res.Flows, d)
	}
	return &r.res, nil
}

type run struct {
	net    *fabric.Network
	routed Routed // nil: switches choose
	set    *Settings
	hosts  []*host
	flows  []flow
	left   int // flows that are not complete
	res    Result
}

// flow is a flow at its sender and at its receiver.
type flow struct {
	done    Done
	host    *host
	conn    int
	message int // packets of a message
	before  int // flows that it still waits for
	then    []*flow
	packets []packet
	over    int           // packets of a flow that is complete, whose packets are forgotten
	una     uint32        // the first that is not acknowledged
	gap     func() uint64 // of a Loop: ps until the next message
	comes   bool          // of a Loop that is open: there will be one
	unacked []int         // of a Loop: packets of each message that are not acknowledged
	next    uint32        // the first that was never sent
	again   []uint32      // to be sent again, from the first on
	left    int           // packets that are not acknowledged
	missing int           // packets that have not come
	flying  int64         // bytes
	grant   Grant
	routes  []fabric.Route
	ready   bool           // in the host's list
	waits   bool           // for soonest: a timer is set
	soonest fabric.Instant // for the next packet, by its rate
	sends   []send         // in the order of time, from first on
	first   int
	timed   bool   // a timer is set
	index   uint32 // among those of the run
	asked   uint32 // at the receiver: 1 above the packet that a Nack asked for
	expect  uint32 // at the receiver: the first packet that has not come
	last    uint32 // and the number behind the last one that has
	held    int64  // payload of those between them that have
	hops    []fabric.Hop
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
	spray  Sprayer        // by, if it is one
	clock  Clocked        // by, if it is one
	asked  []asked        // packets that have no Choice yet, in order
	due    fabric.Instant // for which a timer for an answer is set; 0: none
	timer  uint32
	ready  []*flow // that may have something to send, in turn
	probes []probe // to be sent
	own    []*flow // by connection
	open   int     // flows that have begun and are not complete
	ticks  bool    // the timer of the Sprayer is set
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
	tick = ^uint32(0) // of a Sprayer
	due  = tick - 1   // an answer of a Clocked comes
)

// mostPackets is how many packets a workload may have: what is known of each takes some bytes.
const mostPackets = 1 << 30

// open puts hosts at all ports and begins the flows.
func (r *run) open(ports []*fabric.Port, flows []workload.Flow, make func(host, conns int) (Transport, error)) error {
	for i, p := range ports {
		h := &host{run: r, number: i, port: p}
		h.timer = r.net.Register(h)
		p.Attach(h, h)
		r.hosts = append(r.hosts, h)
	}
	var packets uint64
	for i, f := range flows {
		if f.Src < 0 || f.Src >= len(r.hosts) || f.Dst < 0 || f.Dst >= len(r.hosts) || f.Src == f.Dst {
			return fmt.Errorf("flow %d: found from host %d to %d, allowed: two of the %d hosts", i, f.Src, f.Dst, len(r.hosts))
		}
		if f.Bytes < 1 || f.Bytes > 1<<36 {
			return fmt.Errorf("flow %d: found %d bytes, allowed: 1 to 2^36", i, f.Bytes)
		}
		for _, k := range f.After {
			if k < 0 || k >= i || flows[k].Loop != nil || flows[k].Src != f.Src && flows[k].Dst != f.Src {
				return fmt.Errorf("flow %d: found flow %d before it, allowed: one of a lower number, without a loop, that begins or ends at host %d", i, k, f.Src)
			}
		}
		h := r.hosts[f.Src]
		n := int((f.Bytes + uint64(r.set.Payload) - 1) / uint64(r.set.Payload))
		if packets += uint64(n); packets > mostPackets {
			return fmt.Errorf("workload: found more than %d packets of %d bytes in the first %d of %d flows, allowed: at most %d, which take some 8 GB: send less, or in larger packets",
				mostPackets, r.set.Payload, i+1, len(flows), mostPackets)
		}
		r.flows = append(r.flows, flow{done: Done{Flow: f}, host: h, conn: len(h.own), message: n, left: n, missing: n, index: uint32(i)})
		h.own = append(h.own, nil)
	}
	for _, h := range r.hosts {
		if len(h.own) == 0 {
			continue
		}
		by, err := make(h.number, len(h.own))
		if err != nil {
			return fmt.Errorf("host %d: %w", h.number, err)
		}
		h.by = by
		h.spray, _ = by.(Sprayer)
		if h.clock, _ = by.(Clocked); h.clock != nil {
			h.port.Lengthen(h.clock.Latency())
		}
	}
	for i := range r.flows {
		f := &r.flows[i]
		f.host.own[f.conn] = f
		if r.routed != nil {
			f.routes = r.routed.Routes(f.done.Flow.Src, f.done.Flow.Dst)
			for k := range f.routes {
				if n := len(f.routes[k].Ports); n > MaxCables {
					return fmt.Errorf("flow %d: route %d: found %d cables, allowed: at most %d", i, k, n, MaxCables)
				}
			}
		}
		for _, k := range f.done.Flow.After {
			r.flows[k].then = append(r.flows[k].then, f)
		}
		if f.before = len(f.done.Flow.After); f.before == 0 {
			r.net.At(fabric.Instant(f.done.Flow.Start), f.begin)
		}
	}
	return nil
}

// ended tells the flows of a host that wait for this one that it has ended there.
func (f *flow) ended(n *fabric.Network, host int) {
	for _, x := range f.then {
		if x.host.number == host {
			if x.before--; x.before == 0 {
				n.At(n.Now()+fabric.Instant(x.done.Flow.Start), x.begin)
			}
		}
	}
}

func (f *flow) begin() {
	h := f.host
	h.open++
	if loop := f.done.Flow.Loop; loop != nil {
		f.gap = loop.Gaps()
		f.left, f.missing = 0, 0
		f.call()
	} else {
		f.packets = make([]packet, f.message)
	}
	if h.spray != nil && !h.ticks {
		h.ticks = true
		h.net.Wake(h.timer, h.net.Now()+fabric.Instant(h.spray.Every())*1000, tick)
	}
	f.granted(f.host.by.Open(f.conn, f.host.net.Now().NS()))
}

// at is what is known of a packet.
func (f *flow) at(seq uint32) *packet {
	if f.over > 0 {
		return &packet{acked: true, came: true}
	}
	return &f.packets[seq]
}

// count is the number of packets.
func (f *flow) count() int { return max(f.over, len(f.packets)) }

// forget frees what is known of the packets of a flow that is complete, with no copy of one under way: a run has many flows.
func (f *flow) forget() {
	if f.left == 0 && f.missing == 0 && f.flying == 0 && f.gap == nil {
		f.over = f.count()
		f.packets, f.sends, f.first, f.again = nil, nil, 0, nil
	}
}

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

// missing sends again what the Sprayer found lost.
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

// size is the bytes of a packet on the wire.
func (f *flow) size(seq uint32) int32 {
	payload := f.host.set.Payload
	if k := int(seq) % f.message; k == f.message-1 {
		payload = int(f.done.Flow.Bytes - uint64(k)*uint64(payload))
	}
	return int32(payload+f.host.set.Headers) + f.host.set.collects()
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

// stamp is the time in a packet that the port takes. A Sprayer measures the time on the way, from where its unit is left on.
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

// stopped tells whether the flow sends nothing any more for the first time.
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

// Fire implements fabric.Timer: a flow may send again by its rate, the time of its oldest packet is over, or that of a Sprayer's
// look at its timers has come.
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
	// What is sent meanwhile sets no timer of its own.
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

// tick lets a Sprayer look at its timers.
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

// Receive implements fabric.Node.
func (h *host) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	f := &h.flows[p.Flow]
	switch p.Kind {
	case fabric.Data, fabric.Header:
		h.answer(n, f, p)
	case fabric.Ack:
		f.acked(n, p)
		n.Received(p)
	case fabric.Probe:
		h.back(n, p, fabric.Reply)
	case fabric.Reply:
		if err := h.spray.Answer(f.conn, &Ack{At: n.Now(), Now: n.Now().NS(), EV: p.EV(), Delay: (p.Delay + 500).NS()}); err != nil {
			n.Fail(fmt.Errorf("host %d at %d ns: %w", h.number, n.Now().NS(), err))
		}
		n.Received(p)
	case fabric.Nack:
		h.res.Nacks++
		if x := f.at(p.Seq); x.flying && (x.try == p.Try || h.set.GoBackN) {
			f.lost(n, p.Seq, p.EV(), true)
		}
		n.Received(p)
	}
}

// answer sends a packet back to its sender as an acknowledgement, with its EV and its mark.
func (h *host) answer(n *fabric.Network, f *flow, p *fabric.Packet) {
	kind := fabric.Nack
	if h.set.GoBackN && p.Kind == fabric.Data && p.Seq > f.expect {
		if f.asked == f.expect+1 { // the sender knows
			n.Received(p)
			return
		}
		f.asked = f.expect + 1
		p.Seq = f.expect
	} else if p.Kind == fabric.Data {
		kind = fabric.Ack
		x := f.at(p.Seq)
		if x.came {
			h.res.Duplicates++
		} else {
			x.came = true
			f.arrived(p.Seq)
			if f.missing--; f.missing == 0 {
				f.done.Received = n.Now()
				f.ended(n, f.done.Flow.Dst)
			}
		}
	}
	h.back(n, p, kind)
}

// back sends a packet back as another kind, by the way that it came if its source chose that.
func (h *host) back(n *fabric.Network, p *fabric.Packet, kind fabric.Kind) {
	n.Answered()
	p.Src, p.Dst = p.Dst, p.Src
	p.Kind, p.Class, p.Size, p.Echo, p.Marked = kind, fabric.Control, fabric.HeaderSize, p.Marked, false
	if kind == fabric.Ack {
		p.Size += h.set.collects()
	}
	p.Delay = n.Now() - p.Sent
	p.Back()
	h.port.Put(n, p)
}

// arrived counts what waits at the receiver because packets before it are missing.
func (f *flow) arrived(seq uint32) {
	o := &f.host.res.Order
	if seq+1 < f.last {
		o.Late++
	}
	f.last = max(f.last, seq+1)
	payload := func(seq uint32) int64 {
		return int64(f.size(seq)-f.host.set.collects()) - int64(f.host.set.Headers)
	}
	if seq != f.expect {
		o.Early++
		f.held += payload(seq)
	} else {
		for f.expect++; int(f.expect) < f.count() && f.at(f.expect).came; f.expect++ {
			f.held -= payload(f.expect)
		}
	}
	o.Bytes += float64(f.held)
	for i, step := range OrderSteps {
		if f.held > step {
			o.Over[i]++
		}
	}
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

// call begins a message of a Loop, and has the next one come if that is open.
func (f *flow) call() {
	n := f.host.net
	f.packets = append(f.packets, make([]packet, f.message)...)
	f.left, f.missing = f.left+f.message, f.missing+f.message
	f.done.Calls, f.unacked = append(f.done.Calls, Call{Start: n.Now()}), append(f.unacked, f.message)
	if f.done.Flow.Loop.Open {
		f.comes = f.another()
	}
}

// another has the next message of a Loop begin, if there is one.
func (f *flow) another() bool {
	n := f.host.net
	at := n.Now() + fabric.Instant(f.gap())
	if uint64(at) > f.done.Flow.Loop.Until {
		return false
	}
	n.At(at, func() {
		f.call()
		f.wake()
	})
	return true
}

// called takes the acknowledgement of a packet of a Loop, and tells whether there are more messages.
func (f *flow) called(n *fabric.Network, seq uint32) bool {
	k := int(seq) / f.message
	if f.unacked[k]--; f.unacked[k] > 0 {
		return true
	}
	f.done.Calls[k].Acked = n.Now()
	if f.left > 0 || f.comes {
		return true
	}
	return !f.done.Flow.Loop.Open && f.another()
}
