// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"errors"
	"fmt"
	contract "github.com/nicgen/nicgen/gen/event"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	detector "github.com/nicgen/nicgen/gen/reps_detector"
	csrmodel "github.com/nicgen/nicgen/model/nic_csr"
	parse "github.com/nicgen/nicgen/model/nic_parse"
	model "github.com/nicgen/nicgen/model/nic_transport"
)

const unitName = "nic_transport"

// Checker holds a block against the golden model, cycle by cycle. It sees the block's inputs and outputs. What
// order is free, and when something happens, it takes from the traced events and from the frames that leave; what
// happens, it predicts:
//
//   - each frame to the wire and to the host, every byte, tuser, each exactly once and in the order of its class,
//     queue or direction;
//   - each traced event: that it is due, that it is the next one, and its fields;
//   - completions.
//
// No packet leaves its queue while its connection's window or ring is shut, except by the stall
// rule.
//
// Rates and times of departure are not predicted, nor which packets a full queue drops; a drop while there is room
// is a fault. With LAPS neither are the choice among a destination's paths, when a probe is sent, a rate within its
// limits, and which of the packets that were sent are lost: that is the bench of laps. Settings of powertcp and the
// detector may change while their connections are quiet.
type Checker struct {
	Count Counts

	p    *params.Params
	pins *pins
	b    *model.Block
	bus_ bus
	// contracts are the parts' that a setting was written of, by block.
	contracts map[string]*contract.Contract

	profiles []profileWrite
	softly   *softWindow
	flushes  []uint32 // connections that the gate flushes
	empty    empty

	flushCommand uint32          // address of its command
	commands     map[uint32]bool // addresses of commands of all windows
	stallNS      uint64

	in    [2]side
	toTX  collector // to the wire
	toRX  collector // to the host
	cycle uint64
	known bool
	rest  int // cycles since the last reset in which outputs may still be from before it
	quiet uint64

	lanes    lanes
	limits   limits
	gap      int // bytes of the frame to the wire before its first gap
	timeouts []pending
	done     []uint64 // tags of completions that are due
	cells    cells
	nows     [nowRing]uint64
	loses    uint64            // samples that the window unit must have lost
	gone_    [32]*model.Packet // that have left last, for messages
	silent   []*model.Packet   // by connection: the last one that left, if nothing will answer it

	seenPacket func(*model.Packet) // told of what has come in whole; may be nil
	seenFrame  func(*model.Frame)
}

// nowRing is the number of cycles whose times are kept.
const nowRing = 256

// Counts holds the numbers of frames and events seen.
type Counts struct {
	Packets   uint64            // from the host
	Frames    uint64            // to the wire
	Feedback  uint64            // of them, made by the block
	ToHost    uint64            // frames to the host
	Bytes     uint64            // of frames to wire and host
	Beats     uint64            // taken on the four streams
	Dropped   uint64            // queued packets that were dropped for lack of room
	MustDrop  uint64            // and those that had to be
	Discarded uint64            // packets that a flush took out of their queues
	Lost      uint64            // samples that the window unit had no room for
	Limited   uint64            // packets that left their queue under a window
	Stalled   uint64            // and those that left by the stall rule
	Events    map[string]uint64 // traced
}

// A Fault is what the block did wrong.
type Fault struct {
	Cycle uint64
	Port  string // the port that shows it
	Text  string
}

// Error implements error.
func (f *Fault) Error() string { return fmt.Sprintf("cycle %d, %s: %s", f.Cycle, f.Port, f.Text) }

func (c *Checker) fault(port, format string, args ...any) error {
	return &Fault{c.cycle, port, fmt.Sprintf(format, args...)}
}

// pending is a failure that comes.
type pending struct {
	conn uint32
	due  uint64 // cycle
}

// cells counts the packet queues' cells that may be in use, because the end of a visit is not
// visible.
type cells struct {
	all   uint64
	conn  []uint64
	total uint64
	free  []freeing
}

type freeing struct {
	cycle, cells uint64
	conn         uint32
}

// visit is the number of cycles that a visit of a queue may take.
const visit = 4096

// New returns a checker for a block as it is before its first reset.
func New(p *params.Params, l *cosim.Layout) (*Checker, error) {
	x, err := newPins(p, l)
	if err != nil {
		return nil, err
	}
	m, err := p.Map()
	if err != nil {
		return nil, err
	}
	c := &Checker{p: p, pins: x, b: model.New(p), contracts: map[string]*contract.Contract{}}
	c.Count.Events = map[string]uint64{}
	c.silent = make([]*model.Packet, p.Connections)
	c.bus_ = bus{m: m, regs: csrmodel.New(m)}
	at, err := m.Find("gate.s_flush.command")
	if err != nil {
		return nil, err
	}
	c.flushCommand = at.Address()
	c.commands = map[uint32]bool{}
	for _, x := range m.Places() {
		if strings.HasSuffix(x.Register.Name, ".command") {
			c.commands[x.Address()] = true
		}
	}
	c.reset()
	return c, nil
}

// reset forgets all that was under way.
func (c *Checker) reset() {
	c.b.Reset()
	c.bus_.regs.Reset()
	c.bus_ = bus{m: c.bus_.m, regs: c.bus_.regs, changed: true}
	_ = c.software()
	c.sides(c.p)
	c.toTX, c.toRX = collector{s: &c.pins.wireTX}, collector{s: &c.pins.hostRX}
	c.timeouts, c.done, c.lanes, c.profiles = nil, nil, c.newLanes(), nil
	c.cells = cells{all: uint64(c.p.Queue().Cells()), conn: make([]uint64, c.p.Connections)}
	c.limits, c.softly, c.flushes = c.newLimits(), nil, nil
	c.empty = empty{}
	c.rest, c.gap = 3, 0
}

// busy notes that frames are under way.
func (c *Checker) busy() { c.quiet = 0 }

// Step takes a cycle: the block's inputs, and the outputs that it showed. The error, a Fault, tells what is wrong; there
// is no point in going on after it.
func (c *Checker) Step(in, got []uint64) error {
	defer func() { c.cycle++ }()
	if c.pins.rst.On(in) {
		err := c.End() // of the conversation before
		c.known, c.quiet = true, 0
		c.reset()
		return err
	}
	if !c.known {
		return nil
	}
	if c.rest > 0 {
		c.rest--
		got = append([]uint64(nil), got...)
		c.mute(got)
	}
	now := c.pins.now.Get(in)
	c.nows[c.cycle%nowRing] = now
	now = c.time(1) // the block samples it once: a part sees the previous cycle's value
	c.quiet++
	if c.b.Path != nil {
		c.b.Path.Tick(now)
	}
	if err := c.software(); err != nil {
		return err
	}
	c.profiled()
	for len(c.cells.free) > 0 && c.cells.free[0].cycle <= c.cycle {
		f := c.cells.free[0]
		c.cells.free = c.cells.free[1:]
		c.cells.conn[f.conn] -= f.cells
		c.cells.total -= f.cells
	}
	c.classify()
	if err := c.input(in, got); err != nil {
		return err
	}
	if err := c.trace(got, now); err != nil {
		return err
	}
	win := c.pins.trace["win"]
	c.soft(win != nil && win.valid.On(got))
	if err := c.gate(); err != nil {
		return err
	}
	if err := c.output(in, got); err != nil {
		return err
	}
	return c.bus(in, got)
}

// mute clears the outputs that tell of something.
func (c *Checker) mute(got []uint64) {
	x := c.pins
	list := []*pin{&x.cpl, &x.wireTX.valid, &x.hostRX.valid}
	for _, e := range x.trace {
		list = append(list, &e.valid)
	}
	for _, p := range list {
		got[p.Word] &^= p.Bit
	}
}

// trace takes the traced events of a cycle, in the order in which they take effect.
func (c *Checker) trace(got []uint64, now uint64) error {
	for _, x := range []struct {
		name string
		f    func(e *event, got []uint64, now uint64) error
	}{
		{"release", c.release}, {"enter", c.enter}, {"ack", c.ack}, {"sample", c.sample}, {"win", c.win}, {"back", c.back},
		{"fail", c.fail}, {"send", c.send}, {"measure", c.measure}, {"rate", c.rate}, {"lost", c.lost}, {"data", c.data}, {"echo", c.echo}, {"recover", c.recover},
	} {
		e := c.pins.trace[x.name]
		if e == nil || !e.valid.On(got) {
			continue
		}
		if x.name != "lost" { // by timers, long after
			c.busy()
		}
		c.Count.Events[x.name]++
		if err := x.f(e, got, now); err != nil {
			return err
		}
	}
	for _, t := range c.timeouts {
		if t.due <= c.cycle {
			return c.fault("m_trace_fail_valid", "connection %d: its timeout is a failure, and it has not come", t.conn)
		}
	}
	return nil
}

// want compares a field of an event.
func (c *Checker) want(e *event, got []uint64, field string, want uint64, what string) error {
	pin := e.field[field]
	if have := pin.Get(got); have != want&pin.Mask {
		return c.fault("m_trace_"+e.name+"_"+field, "%s, %s: %d (%#x), want %d (%#x)", e.name, what, have, have, want, want)
	}
	return nil
}

// first is the first error.
func first(errs ...error) error {
	for _, e := range errs {
		if e != nil {
			return e
		}
	}
	return nil
}

// early is an event that is not due.
func (c *Checker) early(e *event, got []uint64, err error) error {
	var fields []string
	for name, pin := range e.field {
		fields = append(fields, fmt.Sprintf("%s %d", name, pin.Get(got)))
	}
	return c.fault("m_trace_"+e.name+"_valid", "%s (%s): %v", e.name, strings.Join(fields, ", "), err)
}

// recover is never due: it is for upsets.
func (c *Checker) recover(e *event, got []uint64, _ uint64) error {
	return c.early(e, got, errors.New("nothing stands still"))
}

func (c *Checker) release(e *event, got []uint64, now uint64) error {
	conn := uint32(e.get(got, "conn"))
	o, err := c.b.Release(conn)
	if err != nil {
		return c.early(e, got, err)
	}
	c.laneOf(0).release = o
	if o.Header.Kind == parse.Response && e.get(got, "psn") == 0 {
		return nil // nothing needs it
	}
	return c.want(e, got, "psn", o.Header.PSN, describe(o))
}

// size is the number of cells of a packet.
func size(o *model.Packet) uint64 { return uint64(len(o.Frame)+127) / 128 }

func (c *Checker) enter(e *event, got []uint64, now uint64) error {
	dropped := e.get(got, "dropped") == 1
	o := c.b.Entering()
	if o == nil {
		return c.early(e, got, fmt.Errorf("no packet is about to enter a queue"))
	}
	must := o.Ended && c.b.MustDrop(o)
	o, err := c.b.Enter(dropped)
	if err != nil {
		return c.early(e, got, err)
	}
	c.done = append(c.done, o.Tag)
	if err := first(c.want(e, got, "conn", uint64(o.Conn), describe(o)), c.want(e, got, "psn", o.Header.PSN, describe(o))); err != nil {
		return err
	}
	n, k := size(o), &c.cells
	switch {
	case must:
		c.Count.MustDrop++
	case dropped:
		c.Count.Dropped++
		if k.conn[o.Conn]+n <= min(c.b.Settings.Quota, k.all) && k.total+n <= k.all {
			return c.fault("m_trace_enter_dropped", "%s is dropped, though it has %d cells, its connection at most %d of %d, all at most %d of %d",
				describe(o), n, k.conn[o.Conn], c.b.Settings.Quota, k.total, k.all)
		}
	default:
		k.conn[o.Conn] += n
		k.total += n
	}
	if !dropped {
		c.laneOf(0).enter = o
	}
	return nil
}

// timedOut handles a host's timeout: with a detector, in the cycle in which the detector is notified, after the round-trip time
// of the cycle; otherwise in the previous cycle.
func (c *Checker) timedOut(conn uint32) {
	t := c.b.Timeout(conn, c.time(1))
	if !t.Fail {
		return
	}
	later := uint64(1)
	if c.b.Detector != nil {
		later = uint64(detector.VerdictLatency)
	}
	c.timeouts = append(c.timeouts, pending{conn, c.cycle + later})
}

// gone notes that a packet that was queued has left: its cells are free when its visit is over.
func (c *Checker) gone(o *model.Packet) {
	// A visit that ends with a packet that the block cannot edit is not judged.
	if c.silent[o.Conn] = nil; o.MayAsk() && !o.Answered() && c.b.Settings.Ask {
		c.silent[o.Conn] = o
	}
	c.cells.free = append(c.cells.free, freeing{c.cycle + visit, size(o), o.Conn})
}

func (c *Checker) ack(e *event, got []uint64, now uint64) error {
	a, err := c.b.Ack()
	if err != nil {
		return c.early(e, got, err)
	}
	c.laneOf(0).ack = a
	what := fmt.Sprintf("ACK of connection %d", a.Conn)
	return first(c.want(e, got, "conn", uint64(a.Conn), what), c.want(e, got, "psn", a.PSN, what), c.want(e, got, "nak", bit(a.NAK), what))
}

func bit(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

func (c *Checker) sample(e *event, got []uint64, now uint64) error {
	s, err := c.b.Sample(now)
	if err != nil {
		return c.early(e, got, err)
	}
	what := fmt.Sprintf("ACK of PSN %d of connection %d", s.PSN, s.Conn)
	err = first(c.want(e, got, "conn", uint64(s.Conn), what), c.want(e, got, "hit", bit(s.Hit), what), c.want(e, got, "nxt", s.Nxt, what),
		c.want(e, got, "rtt", s.RTT, what))
	if err == nil && s.Hit {
		err = c.want(e, got, "una", s.Una, what)
	}
	return err
}

func (c *Checker) win(e *event, got []uint64, now uint64) error {
	conn := uint32(e.get(got, "conn"))
	for list := c.b.PowerSamples(); len(list) > 0 && list[0].Conn != conn && c.b.Lose(); list = c.b.PowerSamples() {
		c.Count.Lost++
	}
	w, err := c.b.Win(c.nows[(c.cycle-c.winLatency())%nowRing])
	if err != nil {
		return c.early(e, got, err)
	}
	what := fmt.Sprintf("answer of cause %d to the sample of connection %d, window %d/4", w.Result.Cause, w.Conn, w.Result.Window)
	if err := first(c.want(e, got, "conn", uint64(w.Conn), what), c.want(e, got, "bytes", w.Bytes, what)); err != nil {
		return err
	}
	inv := e.get(got, "inv")
	if !model.InverseOK(w.Result.Rate, inv) {
		return c.fault("m_trace_win_inv", "%s, rate %d/65536: inverse %d, want about %d", what, w.Result.Rate, inv, model.Inverse(w.Result.Rate))
	}
	c.window(w.Conn, w.Bytes)
	return nil
}

// winLatency returns the latency from a sample's entry into the window unit, whose time counts, to its
// window and inverse.
func (c *Checker) winLatency() uint64 {
	const inverse = 11
	return uint64(c.p.PowerTCP().WindowLatency()) + inverse + 1
}

func (c *Checker) back(e *event, got []uint64, now uint64) error {
	conn, ev, mark := uint32(e.get(got, "conn")), uint32(e.get(got, "ev")), e.get(got, "mark") == 1
	s, list := c.b.Returns()
	var text []string
	if s != nil {
		of := c.b.BackOf(s)
		known := of != nil && of.Known && !of.None
		if s.Conn == conn && s.Mark == mark && (!known || of.Value == ev) {
			c.b.Back(false, ev, now)
			return nil
		}
		x := fmt.Sprintf("of an ACK: connection %d, mark %t", s.Conn, s.Mark)
		if known {
			x += fmt.Sprintf(", EV %#x", of.Value)
		}
		text = append(text, x)
	}
	if list != nil {
		if *list == (model.Back{Conn: conn, EV: ev, Mark: mark}) {
			c.b.Back(true, ev, now)
			return nil
		}
		text = append(text, fmt.Sprintf("of a feedback packet: connection %d, mark %t, EV %#x", list.Conn, list.Mark, list.EV))
	}
	if text == nil {
		return c.early(e, got, fmt.Errorf("no EV is due"))
	}
	return c.fault("m_trace_back_ev", "connection %d, mark %t, EV %#x comes back, want one %s", conn, mark, ev, strings.Join(text, "; or one "))
}

func (c *Checker) fail(e *event, got []uint64, now uint64) error {
	conn := uint32(e.get(got, "conn"))
	for i, t := range c.timeouts {
		if t.conn == conn && t.due == c.cycle {
			c.timeouts = append(c.timeouts[:i], c.timeouts[i+1:]...)
			c.b.Path.Fail(conn, now)
			return nil
		}
	}
	return c.early(e, got, fmt.Errorf("no failure is due"))
}

func (c *Checker) send(e *event, got []uint64, now uint64) error {
	o, err := c.b.Send(e.get(got, "direct") == 1, now)
	if err != nil {
		return c.early(e, got, err)
	}
	return c.want(e, got, "conn", uint64(o.Conn), describe(o))
}

func (c *Checker) measure(e *event, got []uint64, _ uint64) error {
	if err := c.b.Measure(uint32(e.get(got, "conn")), e.get(got, "psn"), uint16(e.get(got, "pid")), uint32(e.get(got, "delay"))); err != nil {
		return c.fault("m_trace_measure_valid", "measure: %v", err)
	}
	return nil
}

func (c *Checker) rate(e *event, got []uint64, _ uint64) error {
	if err := c.b.Rate(uint32(e.get(got, "conn")), e.get(got, "inv")); err != nil {
		return c.fault("m_trace_rate_valid", "rate: %v", err)
	}
	return nil
}

func (c *Checker) lost(e *event, got []uint64, _ uint64) error {
	if err := c.b.Lost(uint32(e.get(got, "conn")), e.get(got, "psn")); err != nil {
		return c.fault("m_trace_lost_valid", "lost: %v", err)
	}
	return nil
}

func (c *Checker) data(e *event, got []uint64, now uint64) error {
	d, err := c.b.Data(now)
	if err != nil {
		return c.early(e, got, err)
	}
	what := fmt.Sprintf("packet received of connection %d", d.Conn)
	return first(c.want(e, got, "conn", uint64(d.Conn), what), c.want(e, got, "psn", d.Packet.PSN, what),
		c.want(e, got, "ev", d.Packet.EV, what), c.want(e, got, "ce", bit(d.Packet.CE), what))
}

func (c *Checker) echo(e *event, got []uint64, _ uint64) error {
	o, err := c.b.AskEcho()
	if err != nil {
		return c.early(e, got, err)
	}
	return first(c.want(e, got, "conn", uint64(o.Conn), describe(o)), c.want(e, got, "psn", o.Header.PSN, describe(o)))
}

// output takes completions and the frames that leave.
func (c *Checker) output(in, got []uint64) error {
	if c.pins.cpl.On(got) {
		tag := c.pins.cplTag.Get(got)
		if len(c.done) == 0 {
			return c.fault("m_cpl_valid", "a completion with tag %x, and none is due", tag)
		}
		if tag != c.done[0] {
			return c.fault("m_cpl_tag", "a completion with tag %x, want %x", tag, c.done[0])
		}
		c.done = c.done[1:]
	}
	inside := c.toTX.inside
	b, err := c.toTX.take(got, in)
	if err != nil {
		return c.fault("m_axis_tx_tvalid", "%v", err)
	}
	if inside && !c.pins.wireTX.valid.On(got) && c.gap == 0 {
		c.gap = len(c.toTX.frame)
	}
	if b.taken {
		c.busy()
		c.Count.Beats++
		if b.user>>1 != c.toTX.first>>1 {
			return c.fault("m_axis_tx_tuser", "the tag changes within a frame, from %x to %x", c.toTX.first>>1, b.user>>1)
		}
		if b.last {
			if gap := c.gap; gap > 0 && len(c.toTX.frame) <= longest { // D12
				return c.fault("m_axis_tx_tvalid", "dropped inside of a frame of %d bytes, after %d", len(c.toTX.frame), gap)
			}
			c.gap = 0
			c.Count.Bytes += uint64(len(c.toTX.frame))
			if err := c.leaves(c.toTX.frame, b.user); err != nil {
				return err
			}
		}
	}
	if b, err = c.toRX.take(got, in); err != nil {
		return c.fault("m_axis_rx_tvalid", "%v", err)
	}
	if b.taken {
		c.busy()
		c.Count.Beats++
		if b.last {
			c.Count.Bytes += uint64(len(c.toRX.frame))
			return c.arrives(c.toRX.frame, c.toRX.first, b.user)
		}
	}
	return nil
}

// longest is the number of bytes up to which a frame has no gaps.
const longest = 32 << 10

// Settled is the number of cycles without a frame or an event after which nothing is in flight, except packets in
// queues.
const Settled = 2048

// End returns the fault of a leftover at the end of a run. Frames and events in flight are not a fault, unless
// nothing has moved for Settled cycles.
func (c *Checker) End() error {
	if !c.known || c.quiet < Settled {
		return nil
	}
	left := c.b.Left()
	for side, name := range []string{"from the host", "from the wire"} {
		if n := len(c.in[side].list); n > 0 && !c.in[side].c.inside {
			left = append(left, fmt.Sprintf("%d frames %s have not ended", n, name))
		}
	}
	for conn, o := range c.silent {
		if o != nil {
			left = append(left, fmt.Sprintf("connection %d stands: it is waiting for an ACK, and %s, the last one that left, does not ask for one", conn, describe(o)))
		}
	}
	if len(c.done) > 0 {
		left = append(left, fmt.Sprintf("%d completions have not come", len(c.done)))
	}
	if len(left) > 0 {
		return c.fault("m_axis_tx_tvalid", "nothing has moved for %d cycles, and left over are: %s", c.quiet, strings.Join(left, "; "))
	}
	return nil
}

// String returns what was compared.
func (c *Checker) String() string {
	n := &c.Count
	return fmt.Sprintf("%d packets from the host, %d frames to the wire, %d to the host, %d packets dropped for lack of room, %d as they were bad", n.Packets, n.Frames, n.ToHost, n.Dropped, n.MustDrop)
}
