// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/model/laps_paths/place"
	lapspick "github.com/nicgen/nicgen/model/laps_pick"
	"github.com/nicgen/nicgen/sim/spray"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// Controller implements spray.Maker: paths, rates and losses of simulated hosts come
// from the golden models behind the unit's ports, or from the RTL with the bench's
// assertions attached, in lockstep with the golden models: every output must be equal
// in every cycle.
//
// One device stands for the NICs of all hosts under test: the unit's state belongs to a
// pair of hosts, a path or a flow, so hosts share only the random generator. The tables
// are placed and written as nicgen place does. The clock runs until an event is answered
// and stands still between events; events bring the time.
func Controller(ctx context.Context, m transport.Model, sc *spray.Scenario, s spray.Settings) (spray.Controller, error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	hw := shape(sc)
	p, err := configure(hw, s)
	if err != nil {
		return nil, err
	}
	c := &controller{p: p, sc: sc}
	switch m {
	case transport.Golden:
		c.dev, err = newChain(p)
	case transport.RTL:
		c.dev, err = newRTL(ctx, hw, p)
	default:
		return nil, fmt.Errorf("tb/%s: model: found %q, allowed: %s or %s", unitName, m, transport.Golden, transport.RTL)
	}
	if err == nil {
		err = c.place(s.Beta)
	}
	if err == nil {
		err = c.start(s.Seed)
	}
	if err != nil {
		return nil, errors.Join(err, c.Close())
	}
	return c, nil
}

// perByte is a byte per ns in the unit of the device's rates, 1/256 Mb/s.
const perByte = 8000 * 256

// shape is the configuration of the hardware: 64 destinations, 512 paths in 8 banks and
// 64 flows, or as many as the scenario needs, else the default configuration.
func shape(sc *spray.Scenario) *params.Params {
	p := params.Default()
	p.Tables.Destinations, p.Tables.Banks, p.Tables.Rows, p.Rate.Flows = 64, 8, 64, 64
	pairs, paths, most := map[int]bool{}, int64(0), int64(0)
	count := map[int]int64{}
	for i := range sc.Paths {
		if pair := sc.Paths[i].Pair; sc.Pairs[pair].UnderTest {
			pairs[pair] = true
			count[pair]++
			paths, most = paths+1, max(most, count[pair])
		}
	}
	for _, x := range []struct {
		have *int64
		need int64
	}{
		{&p.Tables.Destinations, int64(len(pairs))}, {&p.Tables.Banks, most}, {&p.Rate.Flows, int64(len(sc.FlowsUnderTest()))},
	} {
		for *x.have < x.need {
			*x.have *= 2
		}
	}
	for p.Tables.Paths() < paths {
		p.Tables.Rows *= 2
	}
	return p
}

// configure is a shape with run-time settings.
func configure(shape *params.Params, s spray.Settings) (*params.Params, error) {
	with := *shape
	p := &with
	var errs []error
	rate := func(to *int64, name string, value float64) {
		if *to = int64(math.Round(value * perByte)); math.Abs(float64(*to)-value*perByte) > 1e-6 {
			errs = append(errs, fmt.Errorf("%s: found %v bytes/ns, allowed: a multiple of 1/256 Mb/s", name, value))
		}
	}
	rate(&p.Rate.MaxRate, "largest rate", s.MaxRate)
	rate(&p.Rate.MinRate, "least rate", s.MinRate)
	p.Rate.Stages, p.Detector.RTOMinNS = int64(s.Stages), int64(s.RTOMin)
	if errs != nil {
		return nil, errors.Join(errs...)
	}
	return p, gen.Validate(p)
}

// device is the unit behind its ports: RTL or golden models.
type device interface {
	layout() *cosim.Layout
	// run clocks it once for every input vector of in.
	run(in, out []uint64) error
	close() error
}

// chain is the golden models of the parts as a device.
type chain struct {
	l         *cosim.Layout
	predictor cosim.Predictor
	care      []uint64
}

func newChain(p *params.Params) (device, error) {
	var in, out []cosim.Slot
	for _, x := range p.Ports() {
		if s := (cosim.Slot{Name: x.Name, Width: int32(x.Bits)}); x.Dir != gen.In {
			out = append(out, s)
		} else if x.Name != "clk" {
			in = append(in, s)
		}
	}
	l, err := cosim.NewLayout(in, out)
	if err != nil {
		return nil, err
	}
	m, err := newPredictor(p, l, true)
	return &chain{l, m, make([]uint64, l.OutWords)}, err
}

func (c *chain) layout() *cosim.Layout { return c.l }

func (c *chain) run(in, out []uint64) error {
	clear(out)
	for ; len(in) > 0; in, out = in[c.l.InWords:], out[c.l.OutWords:] {
		clear(c.care)
		c.predictor.Step(in[:c.l.InWords], out[:c.l.OutWords], c.care)
	}
	return nil
}

func (c *chain) close() error { return nil }

// rtl is the RTL as a device, in lockstep with the golden models.
type rtl struct {
	lib        *cosim.Library
	inst       *cosim.Instance
	predictor  cosim.Predictor
	want, care []uint64
}

// newRTL compiles a shape. Settings enter by ports: one RTL serves all of them.
func newRTL(ctx context.Context, shape, p *params.Params) (_ device, err error) {
	b := Unit.Bench(shape)
	if err := b.Prepare(); err != nil {
		return nil, err
	}
	lib, err := cosim.Build(ctx, b.Source(), cosim.BuildOptions{})
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
				return &spray.Difference{Port: s.Name, Cycles: cycle, RTL: s.Hex(out), Golden: s.Hex(r.want)}
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
	current, pathAnchors bench.Pin
}

// controller drives the ports.
type controller struct {
	p   *params.Params
	sc  *spray.Scenario
	dev device
	x   loopPins

	placed *place.Placement
	pid    []uint32 // by path of the scenario
	path   []int    // by path number
	dst    []uint32 // by pair
	flow   []uint32 // by flow of the scenario
	flows  []int    // by number

	iw, ow  int
	idle    []uint64 // inputs of a cycle: the settings
	in, out []uint64
	last    []uint64 // outputs of the last cycles that ran
	now     uint64   // ns
	events  uint64   // events answered so far
	event   string   // the current event
	of      int      // its flow or path
	cycles  int      // since it began
	lost    []spray.Lost
	backed  bool // the host has a timer of its own for a segment that no ring had room for
}

const (
	span = 256 // the most cycles that are clocked at once
	none = math.MaxUint32

	patience = 4096 // cycles in which every request is answered
	skipped  = 1    // cause of an ACK that skips segments
)

// place assigns the paths of pairs under test to banks.
func (c *controller) place(beta float64) error {
	t := &place.Table{}
	for i := range c.sc.Paths {
		x := &c.sc.Paths[i]
		if c.sc.Pairs[x.Pair].UnderTest {
			t.Paths = append(t.Paths, place.Path{Name: int64(i), Destination: int64(x.Pair), BaseNS: x.Base, LatencyNS: x.Base, Anchors: x.Anchors})
		}
	}
	var err error
	if c.placed, err = place.Assign(c.p.Parts().Paths, t, beta); err != nil {
		return err
	}
	c.pid, c.path = make([]uint32, len(c.sc.Paths)), make([]int, c.p.Tables.Paths())
	c.dst, c.flow = make([]uint32, len(c.sc.Pairs)), make([]uint32, len(c.sc.Flows))
	for i := range c.pid {
		c.pid[i] = none
	}
	for i := range c.dst {
		c.dst[i] = none
	}
	for i := range c.flow {
		c.flow[i] = none
	}
	for _, e := range c.placed.Entries {
		c.pid[e.Name], c.path[e.Pid], c.dst[e.Destination] = e.Pid, int(e.Name), e.Dst
	}
	c.flows = c.sc.FlowsUnderTest()
	if int64(len(c.flows)) > c.p.Rate.Flows {
		return fmt.Errorf("flows under test: found %d, allowed: at most %d", len(c.flows), c.p.Rate.Flows)
	}
	for n, i := range c.flows {
		c.flow[i] = uint32(n)
	}
	return nil
}

// start resets the device, seeds its picker and writes its tables.
func (c *controller) start(seed uint64) error {
	l := c.dev.layout()
	ports := bench.NewPorts(unitName, l)
	x, err := newPins(l)
	if err != nil {
		return err
	}
	c.x = loopPins{pins: x, current: ports.Pin("m_rate_current"), pathAnchors: ports.Pin("m_path_anchors")}
	if err := ports.Err(); err != nil {
		return err
	}
	c.iw, c.ow = l.InWords, l.OutWords
	c.idle, c.in, c.out = make([]uint64, c.iw), make([]uint64, span*c.iw), make([]uint64, span*c.ow)
	x.beta.Put(c.idle, uint64(c.p.Tables.Beta))
	x.maxRate.Put(c.idle, uint64(c.p.Rate.MaxRate))
	x.minRate.Put(c.idle, uint64(c.p.Rate.MinRate))
	x.stages.Put(c.idle, uint64(c.p.Rate.Stages))
	x.rtoMin.Put(c.idle, uint64(c.p.Detector.RTOMinNS))
	x.lostReady.Raise(c.idle)
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
		err := c.offer(&x.cfgReady, func(in []uint64) {
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
		})
		if err != nil {
			return err
		}
	}
	return c.run(c.p.Delays().Window+1, nil)
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
			var d *spray.Difference
			if errors.As(err, &d) {
				d.Events, d.Event, d.Cycles = c.events, fmt.Sprintf("%s %d at %d ns", c.event, c.of, c.now), d.Cycles+c.cycles
			}
			return err
		}
		for v := out; len(v) > 0; v = v[c.ow:] {
			if c.x.lost.On(v) {
				c.lost = append(c.lost, c.report(v))
			}
		}
		c.cycles += k
		n -= k
	}
	return nil
}

// report reads a lost segment from the ports.
func (c *controller) report(out []uint64) spray.Lost {
	x := &c.x
	l := spray.Lost{Path: c.path[x.lostPid.Get(out)], Timeout: x.lostTimer.On(out)}
	l.Flow, l.Seq = uint32(c.flows[x.lostFlow.Get(out)]), uint32(x.lostSeq.Get(out))
	return l
}

// offer drives a request until it is taken.
func (c *controller) offer(ready *bench.Pin, drive func(in []uint64)) error {
	for range patience {
		if err := c.run(1, drive); err != nil {
			return err
		}
		if ready.On(c.last) {
			return nil
		}
	}
	return fmt.Errorf("module %s: not ready for %d cycles", c.p.Top(), patience)
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
	c.now, c.cycles, c.lost = now, 0, c.lost[:0]
	c.event, c.of = event, of
}

// end counts an event that was answered.
func (c *controller) end() { c.events++ }

// number returns the device's number of a pair, path or flow, and refuses one that is
// not under test.
func number(what string, list []uint32, i int) (uint64, error) {
	if i < 0 || i >= len(list) || list[i] == none {
		return 0, fmt.Errorf("%s: found %d, allowed: one that is under test", what, i)
	}
	return uint64(list[i]), nil
}

// Open implements spray.Controller.
func (c *controller) Open(flow int, now uint64) (float64, error) {
	n, err := number("flow", c.flow, flow)
	if err != nil {
		return 0, err
	}
	c.begin(now, "opening of flow", flow)
	x := &c.x
	err = c.offer(&x.openReady, func(in []uint64) {
		x.open.Raise(in)
		x.openFlow.Put(in, n)
	})
	if err != nil {
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

// Packet implements spray.Controller.
func (c *controller) Packet(p *spray.Packet) (spray.Choice, error) {
	nothing := spray.Choice{Path: -1, Probe: -1}
	dst, err := number("pair", c.dst, p.Pair)
	if err != nil {
		return nothing, err
	}
	flow, err := number("flow", c.flow, int(p.Flow))
	if err != nil {
		return nothing, err
	}
	c.begin(p.Now, "packet of flow", int(p.Flow))
	x := &c.x
	err = c.run(1, func(in []uint64) {
		x.packet.Raise(in)
		x.packetDst.Put(in, dst)
		x.packetTag.Put(in, uint64(p.Seq))
		x.packetFlow.Put(in, flow)
		x.packetSeq.Put(in, uint64(p.Seq))
		if p.Track {
			x.track.Raise(in)
		}
	})
	if err != nil {
		return nothing, err
	}
	after := c.p.PacketLatency()
	if p.Track {
		after = c.p.Latency()["packet to stored"]
	}
	a, err := c.answers(after, &x.path, &x.probe, &x.sent)
	if err != nil {
		return nothing, err
	}
	path, probe, sent := a[0], a[1], a[2]
	if path == nil || p.Track && sent == nil {
		return nothing, c.silent("path")
	}
	choice := nothing
	if !x.pathNone.On(path) {
		choice.Path = c.path[x.pathPid.Get(path)]
		if p.Track && !x.stored.On(sent) && !c.backed {
			return nothing, fmt.Errorf("%s %d at %d ns: the ring of path %d is full: lower the rate or raise depth", c.event, c.of, c.now, choice.Path)
		}
	}
	if probe != nil {
		choice.Probe = c.path[x.probePid.Get(probe)]
	}
	choice.Lost = c.lost
	c.end()
	return choice, nil
}

// causes are those of the unit, by number.
var causes = map[uint64]spray.Cause{0: spray.Held, 1: spray.Decreased, 2: spray.Increased, 3: spray.Doubled}

// Ack implements spray.Controller.
func (c *controller) Ack(a *spray.Ack) (spray.Reaction, error) {
	pid, err := number("path", c.pid, a.Path)
	if err != nil {
		return spray.Reaction{}, err
	}
	flow, err := number("flow", c.flow, int(a.Flow))
	if err != nil {
		return spray.Reaction{}, err
	}
	c.begin(a.Now, "ACK of flow", int(a.Flow))
	x := &c.x
	err = c.offer(&x.ackReady, func(in []uint64) {
		x.ack.Raise(in)
		x.ackPid.Put(in, pid)
		x.ackFlow.Put(in, flow)
		x.ackSeq.Put(in, uint64(a.Seq))
		x.ackDelay.Put(in, a.Delay)
	})
	if err != nil {
		return spray.Reaction{}, err
	}
	// The loss detector answers when it has searched the ring, and reports each of the
	// lost segments then.
	search := c.p.Latency()["ACK in order to answer"]
	answer, err := c.answers(max(c.p.RateLatency(), search), &x.rate, &x.acked)
	if err != nil {
		return spray.Reaction{}, err
	}
	rate, acked := answer[0], answer[1]
	if rate == nil {
		return spray.Reaction{}, c.silent("rate")
	}
	cause, ok := causes[x.rateCause.Get(rate)]
	if !ok {
		return spray.Reaction{}, fmt.Errorf("module %s: %s %d at %d ns: cause %d, want 0 to 3", c.p.Top(), c.event, c.of, c.now, x.rateCause.Get(rate))
	}
	r := spray.Reaction{Rate: float64(x.current.Get(rate)) / perByte, Cause: cause}
	if !c.p.Loss {
		c.end()
		return r, nil
	}
	for left := patience; acked == nil; left -= search {
		if left < 0 {
			return r, c.silent("search")
		}
		if answer, err = c.answers(search, &x.acked); err != nil {
			return r, err
		}
		acked = answer[0]
	}
	for n := -1; n < len(c.lost); {
		n = len(c.lost)
		if x.ackedCause.Get(acked) != skipped {
			break
		}
		if err := c.run(search, nil); err != nil {
			return r, err
		}
	}
	r.Lost = c.lost
	c.end()
	return r, nil
}

// Answer implements spray.Controller.
func (c *controller) Answer(a *spray.Answer) error {
	pid, err := number("path", c.pid, a.Path)
	if err != nil {
		return err
	}
	c.begin(a.Now, "answer of path", a.Path)
	x := &c.x
	err = c.offer(&x.answerReady, func(in []uint64) {
		x.answer.Raise(in)
		x.answerPid.Put(in, pid)
		x.answerDelay.Put(in, a.Delay)
	})
	if err == nil {
		err = c.run(c.p.Delays().Window+1, nil)
	}
	c.end()
	return err
}

// Tick implements spray.Controller: it runs for as long as a scan of all timers takes,
// with three more cycles per path for the reports of expired ones.
func (c *controller) Tick(now uint64) ([]spray.Lost, error) {
	c.begin(now, "timers", 0)
	err := c.run((c.p.Detector.ScanCycles()+3)*int(c.p.Tables.Paths()+2), nil)
	c.end()
	return c.lost, err
}

// Close frees the device.
func (c *controller) Close() error {
	if c.dev == nil {
		return nil
	}
	return c.dev.close()
}
