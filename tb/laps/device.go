// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps"
	modelpaths "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/model/laps_paths/place"
	lapspick "github.com/nicgen/nicgen/model/laps_pick"
	"github.com/nicgen/nicgen/tb/bench"
)

// perByte is a byte per ns in the unit of the device's rates, 1/256 Mb/s.
const perByte = 8000 * 256

// packet is a data segment that needs a path. Times do not wrap: the device truncates them to its width.
type packet struct {
	model.Segment
	pair  int    // the pair whose paths it may take
	track bool   // report it if it is lost
	now   uint64 // ns
}

// choice is the answer to a packet.
type choice struct {
	path  int    // -1: no path
	probe int    // the path to probe; -1: none
	lost  []lost // as in reaction
}

// feedback is an acknowledgement as it reaches the sender.
type feedback struct {
	model.Segment
	path  int
	delay uint64 // of the segment, one way, in ns
	now   uint64 // ns
}

// cause is the effect of an acknowledgement on its flow's rate, by the number that the unit gives it.
type cause uint8

const (
	held      cause = iota // unchanged
	decreased              // halved: every path is slower than the longest baseline
	increased              // raised by half of the difference to the expected rate
	doubled                // as increased, after the expected rate was doubled
)

// reaction is the answer to an acknowledgement.
type reaction struct {
	rate  float64 // of the flow from now on, in bytes per ns
	cause cause
	lost  []lost // in the order of detection; valid until the next call
}

// answer is the answer to a probe as it reaches the sender.
type answer struct {
	path  int
	delay uint64 // of the probe, one way, in ns
	now   uint64 // ns
}

// lost is a segment that is declared lost.
type lost struct {
	model.Segment
	path  int  // the path that it was sent on
	timer bool // found by a timer, not by the ACK of a later segment
}

// algorithms are Algorithms 1 to 3 of LAPS in one sender: paths, rates and losses of its segments. Calls are in order of time.
type algorithms interface {
	// open starts a new flow and returns its rate in bytes per ns.
	open(flow int, now uint64) (float64, error)
	// packet chooses a path.
	packet(p *packet) (choice, error)
	// ack records a latency, decides the rate, and detects losses.
	ack(a *feedback) (reaction, error)
	// answer records the latency that a probe measured.
	answer(a *answer) error
	// tick checks the timers and returns the segments that they declare lost.
	tick(now uint64) ([]lost, error)
}

// path is one of the paths of a pair of hosts.
type path struct {
	pair    int
	base    uint32   // baseVal, ns
	anchors []uint32 // nodes that distinguish it from the pair's other paths
}

// routes are what a sender has in its tables.
type routes struct {
	pairs, flows int
	paths        []path
}

// difference is the error of an output that differs between RTL and golden models.
type difference struct {
	events uint64 // on which they agreed
	event  string // on which they did not
	port   string
	cycles int    // since the event
	rtl    string // value of the port
	golden string // expected value
}

// Error names the event, the port and both values.
func (d *difference) Error() string {
	return fmt.Sprintf("after %d equal events: %s: %d cycles later rtl shows %s on %s, golden %s", d.events, d.event, d.cycles, d.rtl, d.port, d.golden)
}

// device is the unit behind its ports: RTL or golden models.
type device interface {
	layout() *cosim.Layout
	// run clocks it once for every input vector of in.
	run(in, out []uint64) error
	close() error
}

// rtl is the RTL as a device, in lockstep with the golden models.
type rtl struct {
	lib        *cosim.Library
	inst       *cosim.Instance
	predictor  cosim.Predictor
	want, care []uint64
}

// newRTL compiles a shape. Settings enter by ports: one RTL serves all of them.
func newRTL(ctx context.Context, shape, p *params.Params) (_ device, err error) {
	lib, err := bench.Compile(ctx, Unit.Bench(shape))
	if err != nil {
		return nil, err
	}
	r := &rtl{lib: lib}
	l := lib.Layout()
	r.want, r.care = make([]uint64, l.OutWords), make([]uint64, l.OutWords)
	if r.inst, err = lib.New(cosim.InstanceOptions{Seed: 1}); err == nil {
		r.predictor, err = newPredictor(p, l, true)
	}
	if err != nil {
		return nil, errors.Join(err, r.close())
	}
	return r, nil
}

func (r *rtl) layout() *cosim.Layout { return r.lib.Layout() }

func (r *rtl) run(in, out []uint64) error {
	if _, err := r.inst.Run(in, out); err != nil {
		return err
	}
	l := r.lib.Layout()
	for cycle := 0; len(in) > 0; cycle++ {
		clear(r.want)
		clear(r.care)
		r.predictor.Step(in[:l.InWords], r.want, r.care)
		for i, x := range out[:l.OutWords] {
			if (x^r.want[i])&r.care[i] != 0 {
				return r.differ(out[:l.OutWords], cycle)
			}
		}
		in, out = in[l.InWords:], out[l.OutWords:]
	}
	return nil
}

// differ names the first port with a wrong value.
func (r *rtl) differ(out []uint64, cycle int) error {
	for _, s := range r.lib.Layout().Outputs {
		have, want, care := s.Read(out), s.Read(r.want), s.Read(r.care)
		for i := range have {
			if (have[i]^want[i])&care[i] != 0 {
				return &difference{port: s.Name, cycles: cycle, rtl: s.Hex(out), golden: s.Hex(r.want)}
			}
		}
	}
	return errors.New("rtl and golden differ, but not on a port")
}

func (r *rtl) close() error {
	var err error
	if r.inst != nil {
		err = r.inst.Close()
	}
	return errors.Join(err, r.lib.Close())
}

// loopPins are the ports that the loop uses.
type loopPins struct {
	*pins
	current, rateFlow, pathAnchors bench.Pin
}

// controller drives the ports.
type controller struct {
	p   *params.Params
	net *routes
	dev device
	x   loopPins

	placed *place.Placement
	pid    []uint32 // by path
	path   []int    // by path number
	dst    []uint32 // by pair

	iw, ow  int
	idle    []uint64 // inputs of a cycle: the settings
	in, out []uint64
	last    []uint64 // outputs of the last cycles that ran
	up      bool     // it was reset: before that outputs are what they are at power-up
	now     uint64   // ns
	events  uint64   // events answered so far
	event   string   // the current event
	of      int      // its flow or path
	cycles  int      // since it began
	found   []lost
	backed  bool // the host has a timer of its own for a segment that no ring had room for
}

const (
	span = 256 // the most cycles that are clocked at once

	skipped = 1 // cause of an ACK that skips segments
	opened  = 4 // of a rate that an opening has
)

// place assigns the paths to banks.
func (c *controller) place(beta float64) error {
	t := &place.Table{}
	for i, x := range c.net.paths {
		t.Paths = append(t.Paths, place.Path{Name: int64(i), Destination: int64(x.pair), BaseNS: x.base, LatencyNS: x.base, Anchors: x.anchors})
	}
	var err error
	if c.placed, err = place.Assign(c.p.Parts().Paths, t, beta); err != nil {
		return err
	}
	c.pid, c.path, c.dst = make([]uint32, len(c.net.paths)), make([]int, c.p.Tables.Paths()), make([]uint32, c.net.pairs)
	for _, e := range c.placed.Entries {
		c.pid[e.Name], c.path[e.Pid], c.dst[e.Destination] = e.Pid, int(e.Name), e.Dst
	}
	if int64(c.net.flows) > c.p.Rate.Flows {
		return fmt.Errorf("flows: found %d, allowed: at most %d", c.net.flows, c.p.Rate.Flows)
	}
	return nil
}

// start resets the device, seeds its picker and writes its tables.
func (c *controller) start(seed uint64) error {
	if err := c.bind(c.dev.layout()); err != nil {
		return err
	}
	c.in, c.out = make([]uint64, span*c.iw), make([]uint64, span*c.ow)
	x := &c.x
	// What the outputs are in the first cycle of a reset is left to power-up.
	for range 2 {
		if err := c.run(1, x.rst.Raise); err != nil {
			return err
		}
	}
	for left := c.p.ReadyDelay() + span; !x.ready.On(c.last[len(c.last)-c.ow:]); left -= span {
		if left < 0 {
			return fmt.Errorf("module %s: not ready %d cycles after a reset", c.p.Top(), c.p.ReadyDelay())
		}
		if err := c.run(span, nil); err != nil {
			return err
		}
	}
	c.up = true
	for _, word := range seedWords(c.p, seed) {
		err := c.run(1, func(in []uint64) {
			x.seed.Raise(in)
			x.seedWord.Put(in, word)
		})
		if err != nil {
			return err
		}
	}
	for _, w := range c.placed.Sequence() {
		if err := c.offer(&x.cfgReady, func(in []uint64) { x.change(in, &w) }); err != nil {
			return err
		}
	}
	return c.run(c.p.Delays().Window+1, nil)
}

// bind finds the ports, and sets the inputs of a cycle without events.
func (c *controller) bind(l *cosim.Layout) error {
	ports := bench.NewPorts(unitName, l)
	x, err := newPins(l)
	if err != nil {
		return err
	}
	c.x = loopPins{pins: x, current: ports.Pin("m_rate_current"), rateFlow: ports.Pin("m_rate_flow"), pathAnchors: ports.Pin("m_path_anchors")}
	c.iw, c.ow = l.InWords, l.OutWords
	c.idle = make([]uint64, c.iw)
	x.beta.Put(c.idle, uint64(c.p.Tables.Beta))
	x.maxRate.Put(c.idle, uint64(c.p.Rate.MaxRate))
	x.minRate.Put(c.idle, uint64(c.p.Rate.MinRate))
	x.stages.Put(c.idle, uint64(c.p.Rate.Stages))
	x.rtoMin.Put(c.idle, uint64(c.p.Detector.RTOMinNS))
	x.lostReady.Raise(c.idle)
	return ports.Err()
}

// change drives a change of the tables.
func (x *loopPins) change(in []uint64, w *modelpaths.Change) {
	x.cfg.Raise(in)
	x.cfgOp.Put(in, uint64(w.Op))
	x.cfgPid.Put(in, uint64(w.Pid))
	x.cfgDst.Put(in, uint64(w.Dst))
	x.cfgScale.Put(in, w.Scale.Word())
	x.cfgLatency.Put(in, uint64(w.Delay))
	x.cfgBase.Put(in, uint64(w.Base))
	for i, a := range w.Anchors {
		x.cfgAnchors.PutBits(in, lapspaths.AnchorBits*i, lapspaths.AnchorBits, uint64(a))
	}
}

// offerOpen drives the opening of a flow.
func (c *controller) offerOpen(in []uint64, flow int) {
	c.x.open.Raise(in)
	c.x.openFlow.Put(in, uint64(flow))
}

// offerPacket drives a packet.
func (c *controller) offerPacket(in []uint64, p *packet) {
	x := &c.x
	x.packet.Raise(in)
	x.packetDst.Put(in, uint64(c.dst[p.pair]))
	x.packetTag.Put(in, p.Seq)
	x.packetFlow.Put(in, uint64(p.Flow))
	x.packetSeq.Put(in, p.Seq)
	if p.track {
		x.track.Raise(in)
	}
}

// offerAck drives an ACK.
func (c *controller) offerAck(in []uint64, a *feedback) {
	x := &c.x
	x.ack.Raise(in)
	x.ackPid.Put(in, uint64(c.pid[a.path]))
	x.ackFlow.Put(in, uint64(a.Flow))
	x.ackSeq.Put(in, a.Seq)
	x.ackDelay.Put(in, a.delay)
}

// offerAnswer drives the answer to a probe.
func (c *controller) offerAnswer(in []uint64, a *answer) {
	x := &c.x
	x.answer.Raise(in)
	x.answerPid.Put(in, uint64(c.pid[a.path]))
	x.answerDelay.Put(in, a.delay)
}

// seedWords are those that set all of the picker's state.
func seedWords(p *params.Params, seed uint64) []uint64 {
	rnd := rand.New(rand.NewPCG(seed, 4))
	words := make([]uint64, (p.Parts().Pick.StateBits()+lapspick.WordBits-1)/lapspick.WordBits)
	for i := range words {
		words[i] = rnd.Uint64() >> (64 - lapspick.WordBits)
	}
	return words
}

// run lets n cycles pass; drive, which may be nil, sets the inputs of the first one,
// apart from settings and time. Segments reported lost meanwhile are kept.
func (c *controller) run(n int, drive func(in []uint64)) error {
	for n > 0 {
		k := min(n, span)
		in, out := c.in[:k*c.iw], c.out[:k*c.ow]
		for v := in; len(v) > 0; v = v[c.iw:] {
			copy(v, c.idle)
			c.x.now.Put(v, c.now)
		}
		if drive != nil {
			drive(in)
			drive = nil
		}
		c.last = out
		if err := c.dev.run(in, out); err != nil {
			var d *difference
			if errors.As(err, &d) {
				d.events, d.event, d.cycles = c.events, fmt.Sprintf("%s %d at %d ns", c.event, c.of, c.now), d.cycles+c.cycles
			}
			return err
		}
		for v := out; len(v) > 0; v = v[c.ow:] {
			if c.up && c.x.lost.On(v) {
				c.found = append(c.found, c.report(v))
			}
		}
		c.cycles += k
		n -= k
	}
	return nil
}

// report reads a lost segment from the ports.
func (c *controller) report(out []uint64) lost {
	x := &c.x
	return lost{model.Segment{Flow: uint32(x.lostFlow.Get(out)), Seq: x.lostSeq.Get(out)}, c.path[x.lostPid.Get(out)], x.lostTimer.On(out)}
}

// patience is the cycles in which every request is answered. The longest is an ACK that skips all segments of a ring: a slot of the barrel, up
// to 16 cycles, for each of them and for each row.
func patience(p *params.Params) int { return 4096 + 2*16*int(p.Detector.Depth) }

// offer drives a request until it is taken.
func (c *controller) offer(ready *bench.Pin, drive func(in []uint64)) error {
	for range patience(c.p) {
		if err := c.run(1, drive); err != nil {
			return err
		}
		if ready.On(c.last) {
			return nil
		}
	}
	return fmt.Errorf("module %s: not ready for %d cycles", c.p.Top(), patience(c.p))
}

// answers lets n cycles pass after the one that took an event, and returns the outputs
// of the cycle in which an output is high; nil if it never is.
func (c *controller) answers(n int, valid ...*bench.Pin) ([][]uint64, error) {
	if err := c.run(n, nil); err != nil {
		return nil, err
	}
	found := make([][]uint64, len(valid))
	for out := c.last; len(out) > 0; out = out[c.ow:] {
		for i, v := range valid {
			if v.On(out) {
				found[i] = out[:c.ow]
			}
		}
	}
	return found, nil
}

// begin starts an event; its name appears in the message of a difference.
func (c *controller) begin(now uint64, event string, of int) {
	c.now, c.cycles, c.found = now, 0, c.found[:0]
	c.event, c.of = event, of
}

// end counts an event that was answered.
func (c *controller) end() { c.events++ }

// open implements algorithms.
func (c *controller) open(flow int, now uint64) (float64, error) {
	c.begin(now, "opening of flow", flow)
	x := &c.x
	if err := c.offer(&x.openReady, func(in []uint64) { c.offerOpen(in, flow) }); err != nil {
		return 0, err
	}
	a, err := c.answers(c.p.Delays().Rate, &x.rate)
	if err != nil {
		return 0, err
	}
	if a[0] == nil {
		return 0, c.silent("rate")
	}
	c.end()
	return float64(x.current.Get(a[0])) / perByte, nil
}

// silent is the error of a missing answer.
func (c *controller) silent(what string) error {
	return fmt.Errorf("module %s: %s %d at %d ns: no %s within %d cycles", c.p.Top(), c.event, c.of, c.now, what, c.cycles)
}

// packet implements algorithms.
func (c *controller) packet(p *packet) (choice, error) {
	nothing := choice{path: -1, probe: -1}
	c.begin(p.now, "packet of flow", int(p.Flow))
	x := &c.x
	if err := c.run(1, func(in []uint64) { c.offerPacket(in, p) }); err != nil {
		return nothing, err
	}
	after := c.p.PacketLatency()
	if p.track {
		after = c.p.Latency()["packet to stored"]
	}
	a, err := c.answers(after, &x.path, &x.probe, &x.sent)
	if err != nil {
		return nothing, err
	}
	chosen, probe, sent := a[0], a[1], a[2]
	if chosen == nil || p.track && sent == nil {
		return nothing, c.silent("path")
	}
	out := nothing
	if !x.pathNone.On(chosen) {
		out.path = c.path[x.pathPid.Get(chosen)]
		if p.track && !x.stored.On(sent) && !c.backed {
			return nothing, fmt.Errorf("%s %d at %d ns: the ring of path %d is full: lower the rate or raise depth", c.event, c.of, c.now, out.path)
		}
	}
	if probe != nil {
		out.probe = c.path[x.probePid.Get(probe)]
	}
	out.lost = c.found
	c.end()
	return out, nil
}

// ack implements algorithms.
func (c *controller) ack(a *feedback) (reaction, error) {
	c.begin(a.now, "ACK of flow", int(a.Flow))
	x := &c.x
	if err := c.offer(&x.ackReady, func(in []uint64) { c.offerAck(in, a) }); err != nil {
		return reaction{}, err
	}
	// The loss detector answers when it has searched the ring, and reports each of the
	// lost segments then.
	search := c.p.Latency()["ACK in order to answer"]
	got, err := c.answers(max(c.p.RateLatency(), search), &x.rate, &x.acked)
	if err != nil {
		return reaction{}, err
	}
	rate, acked := got[0], got[1]
	if rate == nil {
		return reaction{}, c.silent("rate")
	}
	r := reaction{rate: float64(x.current.Get(rate)) / perByte, cause: cause(x.rateCause.Get(rate))}
	if r.cause > doubled {
		return reaction{}, fmt.Errorf("module %s: %s %d at %d ns: cause %d, want 0 to 3", c.p.Top(), c.event, c.of, c.now, r.cause)
	}
	if !c.p.Loss {
		c.end()
		return r, nil
	}
	for left := patience(c.p); acked == nil; left -= search {
		if left < 0 {
			return r, c.silent("search")
		}
		if got, err = c.answers(search, &x.acked); err != nil {
			return r, err
		}
		acked = got[0]
	}
	for n := -1; n < len(c.found); {
		n = len(c.found)
		if x.ackedCause.Get(acked) != skipped {
			break
		}
		if err := c.run(search, nil); err != nil {
			return r, err
		}
	}
	r.lost = c.found
	c.end()
	return r, nil
}

// answer implements algorithms.
func (c *controller) answer(a *answer) error {
	c.begin(a.now, "answer of path", a.path)
	x := &c.x
	err := c.offer(&x.answerReady, func(in []uint64) { c.offerAnswer(in, a) })
	if err == nil {
		err = c.run(c.p.Delays().Window+1, nil)
	}
	c.end()
	return err
}

// timerLap is the cycles of a look at all timers.
func timerLap(p *params.Params) int { return (p.Detector.ScanCycles() + 3) * int(p.Tables.Paths()+2) }

// tick implements algorithms: it runs for as long as a scan of all timers takes,
// with three more cycles per path for the reports of expired ones.
func (c *controller) tick(now uint64) ([]lost, error) {
	c.begin(now, "timers", 0)
	err := c.run(timerLap(c.p), nil)
	c.end()
	return c.found, err
}

// Close frees the device.
func (c *controller) Close() error {
	if c.dev == nil {
		return nil
	}
	return c.dev.close()
}
