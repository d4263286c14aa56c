// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapspick "github.com/nicgen/nicgen/gen/laps_pick"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	model "github.com/nicgen/nicgen/model/laps"
	modelpaths "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/model/laps_paths/place"
	modelpick "github.com/nicgen/nicgen/model/laps_pick"
	"github.com/nicgen/nicgen/tb/bench"
)

// controller drives the ports.
type controller struct {
	p   *params.Params
	net *routes
	dev device
	x   wires

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
	backed  bool // the host has a separate timer for a segment that no ring had room for
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
	// The outputs in the first cycle of a reset depend on power-up.
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
			x.seeds.Drive(in, &lapspick.Seed{Word: word})
		})
		if err != nil {
			return err
		}
	}
	for _, w := range c.placed.Sequence() {
		if err := c.offer(&x.changeReady, func(in []uint64) { x.change(in, &w) }); err != nil {
			return err
		}
	}
	return c.run(c.p.Delays().Window+1, nil)
}

// bind finds the ports, and sets the inputs of a cycle without events.
func (c *controller) bind(l *cosim.Layout) error {
	if err := c.x.bind(c.p, l); err != nil {
		return err
	}
	set, err := bench.SettingsOf(params.SettingPorts, c.p)
	if err != nil {
		return err
	}
	c.iw, c.ow = l.InWords, l.OutWords
	c.idle = make([]uint64, c.iw)
	c.x.set.Drive(c.idle, &set)
	c.x.lostReady.Raise(c.idle)
	return nil
}

// change drives a change of the tables.
func (x *wires) change(in []uint64, w *modelpaths.Change) {
	e := lapspaths.Change{
		Op: uint8(w.Op), PID: w.Pid, Dst: w.Dst, Scale: uint32(w.Scale.Word()), Latency: uint32(w.Delay), Base: w.Base,
	}
	copy(e.Anchors[:], w.Anchors)
	x.changes.Drive(in, &e)
}

// offerOpen drives the opening of a flow.
func (c *controller) offerOpen(in []uint64, flow int) {
	c.x.opens.Drive(in, &lapsrate.Open{Flow: uint32(flow)})
}

// offerPacket drives a packet.
func (c *controller) offerPacket(in []uint64, p *packet) {
	c.x.packets.Drive(in, &params.Packet{Dst: c.dst[p.pair], Tag: p.Seq, Track: p.track, Flow: p.Flow, Seq: p.Seq})
}

// offerAck drives an ACK.
func (c *controller) offerAck(in []uint64, a *feedback) {
	c.x.acks.Drive(in, &params.ACK{PID: c.pid[a.path], Flow: a.Flow, Seq: a.Seq, Delay: uint32(a.delay)})
}

// offerAnswer drives the answer to a probe.
func (c *controller) offerAnswer(in []uint64, a *answer) {
	c.x.answers.Drive(in, &params.Answer{PID: c.pid[a.path], Delay: uint32(a.delay)})
}

// seedWords returns the words that set all of the picker's state.
func seedWords(p *params.Params, seed uint64) []uint16 {
	rnd := rand.New(rand.NewPCG(seed, 4))
	words := make([]uint16, (p.Parts().Pick.StateBits()+modelpick.WordBits-1)/modelpick.WordBits)
	for i := range words {
		words[i] = uint16(rnd.Uint64() >> (64 - modelpick.WordBits))
	}
	return words
}

// run lets n cycles pass; drive, which may be nil, sets the inputs of the first one except
// settings and time. Segments reported lost meanwhile are kept.
func (c *controller) run(n int, drive func(in []uint64)) error {
	for n > 0 {
		k := min(n, span)
		in, out := c.in[:k*c.iw], c.out[:k*c.ow]
		for v := in; len(v) > 0; v = v[c.iw:] {
			copy(v, c.idle)
			c.x.time.Drive(v, &params.Time{Now: c.now})
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
		for v := out; c.up && len(v) > 0; v = v[c.ow:] {
			if l, ok := c.report(v); ok {
				c.found = append(c.found, l)
			}
		}
		c.cycles += k
		n -= k
	}
	return nil
}

// report reads a lost segment from the ports. It returns false if no segment is reported.
func (c *controller) report(out []uint64) (lost, bool) {
	var l lapsloss.Lost
	if !c.x.losses.Read(out, &l) {
		return lost{}, false
	}
	return lost{model.Segment{Flow: l.Flow, Seq: l.Seq}, c.path[l.PID], l.Timeout}, true
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

// answers lets n cycles pass after the one that took an event, and calls read with the outputs of each.
func (c *controller) answers(n int, read func(out []uint64)) error {
	if err := c.run(n, nil); err != nil {
		return err
	}
	for out := c.last; len(out) > 0; out = out[c.ow:] {
		read(out)
	}
	return nil
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
	var a lapsrate.Rate
	told := false
	err := c.answers(c.p.Delays().Rate, func(out []uint64) { told = x.rates.Read(out, &a) || told })
	if err != nil {
		return 0, err
	}
	if !told {
		return 0, c.silent("rate")
	}
	c.end()
	return float64(a.Current) / perByte, nil
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
	var (
		chosen                  lapspaths.Path
		probe                   lapspaths.Probe
		sent                    lapsloss.Sent
		isPath, isProbe, isSent bool
	)
	err := c.answers(after, func(out []uint64) {
		isPath = x.paths.Read(out, &chosen) || isPath
		isProbe = x.probes.Read(out, &probe) || isProbe
		isSent = x.sent.Read(out, &sent) || isSent
	})
	if err != nil {
		return nothing, err
	}
	if !isPath || p.track && !isSent {
		return nothing, c.silent("path")
	}
	out := nothing
	if !chosen.None {
		out.path = c.path[chosen.PID]
		if p.track && !sent.Stored && !c.backed {
			return nothing, fmt.Errorf("%s %d at %d ns: the ring of path %d is full: lower the rate or raise depth", c.event, c.of, c.now, out.path)
		}
	}
	if isProbe {
		out.probe = c.path[probe.PID]
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
	var (
		rate            lapsrate.Rate
		acked           lapsloss.Done
		isRate, isAcked bool
	)
	read := func(out []uint64) {
		isRate = x.rates.Read(out, &rate) || isRate
		isAcked = x.acked.Read(out, &acked) || isAcked
	}
	if err := c.answers(max(c.p.RateLatency(), search), read); err != nil {
		return reaction{}, err
	}
	if !isRate {
		return reaction{}, c.silent("rate")
	}
	r := reaction{rate: float64(rate.Current) / perByte, cause: cause(rate.Cause)}
	if r.cause > doubled {
		return reaction{}, fmt.Errorf("module %s: %s %d at %d ns: cause %d, want 0 to 3", c.p.Top(), c.event, c.of, c.now, r.cause)
	}
	if !c.p.Loss {
		c.end()
		return r, nil
	}
	for left := patience(c.p); !isAcked; left -= search {
		if left < 0 {
			return r, c.silent("search")
		}
		if err := c.answers(search, read); err != nil {
			return r, err
		}
	}
	for n := -1; n < len(c.found); {
		n = len(c.found)
		if acked.Cause != skipped {
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

// timerLap returns the number of cycles in which all timers are checked once.
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
