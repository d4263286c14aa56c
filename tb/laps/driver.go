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
	modelpick "github.com/nicgen/nicgen/model/laps_pick"
	"github.com/nicgen/nicgen/tb/bench"
)

// Device is the unit behind its ports: RTL or golden models.
type Device interface {
	Layout() *cosim.Layout
	// Run clocks it once for every input vector of in.
	Run(in, out []uint64) error
	Close() error
}

// Difference is the error of an output that differs between RTL and golden models. A Device sets Port, Cycles, RTL and
// Golden; the Driver adds the event.
type Difference struct {
	Events uint64 // on which they agreed
	Event  string // on which they did not
	Port   string
	Cycles int    // since the event
	RTL    string // value of the port
	Golden string // expected value
}

// Error names the event, the port and both values.
func (d *Difference) Error() string {
	return fmt.Sprintf("after %d equal events: %s: %d cycles later rtl shows %s on %s, golden %s", d.Events, d.Event, d.Cycles, d.RTL, d.Port, d.Golden)
}

// Driver drives the ports of a device, one event after the other: it returns from each when the device has answered. The
// trace player and the host of a simulated network use it.
type Driver struct {
	// Backed is set if the host has a separate timer for a segment that no ring has room for.
	Backed bool

	p   *params.Params
	t   *Tables
	dev Device
	x   wires

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
	found   []Lost
}

// span is the most cycles that are clocked at once.
const span = 256

// NewDriver resets a device, seeds its picker and writes its tables.
func NewDriver(p *params.Params, t *Tables, dev Device, seed uint64) (*Driver, error) {
	d := &Driver{p: p, t: t, dev: dev}
	return d, d.start(seed)
}

// start resets the device, seeds its picker and writes its tables.
func (d *Driver) start(seed uint64) error {
	if err := d.bind(d.dev.Layout()); err != nil {
		return err
	}
	d.in, d.out = make([]uint64, span*d.iw), make([]uint64, span*d.ow)
	x := &d.x
	// The outputs in the first cycle of a reset depend on power-up.
	for range 2 {
		if err := d.run(1, x.rst.Raise); err != nil {
			return err
		}
	}
	for left := d.p.ReadyDelay() + span; !x.ready.On(d.last[len(d.last)-d.ow:]); left -= span {
		if left < 0 {
			return fmt.Errorf("module %s: not ready %d cycles after a reset", d.p.Top(), d.p.ReadyDelay())
		}
		if err := d.run(span, nil); err != nil {
			return err
		}
	}
	d.up = true
	for _, word := range SeedWords(d.p, seed) {
		err := d.run(1, func(in []uint64) {
			x.seeds.Drive(in, &lapspick.Seed{Word: word})
		})
		if err != nil {
			return err
		}
	}
	for i := range d.t.Changes {
		change := PortChange(&d.t.Changes[i])
		if err := d.offer(&x.changeReady, func(in []uint64) { x.changes.Drive(in, &change) }); err != nil {
			return err
		}
	}
	return d.run(d.p.Delays().Window+1, nil)
}

// bind finds the ports, and sets the inputs of a cycle without events.
func (d *Driver) bind(l *cosim.Layout) error {
	if err := d.x.bind(d.p, l); err != nil {
		return err
	}
	set, err := bench.SettingsOf(params.SettingPorts, d.p)
	if err != nil {
		return err
	}
	d.iw, d.ow = l.InWords, l.OutWords
	d.idle = make([]uint64, d.iw)
	d.x.set.Drive(d.idle, &set)
	d.x.lostReady.Raise(d.idle)
	return nil
}

// SeedWords returns the words that set all of the picker's state.
func SeedWords(p *params.Params, seed uint64) []uint16 {
	rnd := rand.New(rand.NewPCG(seed, 4))
	words := make([]uint16, (p.Parts().Pick.StateBits()+modelpick.WordBits-1)/modelpick.WordBits)
	for i := range words {
		words[i] = uint16(rnd.Uint64() >> (64 - modelpick.WordBits))
	}
	return words
}

// run lets n cycles pass; drive, which may be nil, sets the inputs of the first one except
// settings and time. Segments reported lost meanwhile are kept.
func (d *Driver) run(n int, drive func(in []uint64)) error {
	for n > 0 {
		k := min(n, span)
		in, out := d.in[:k*d.iw], d.out[:k*d.ow]
		for v := in; len(v) > 0; v = v[d.iw:] {
			copy(v, d.idle)
			d.x.time.Drive(v, &params.Time{Now: d.now})
		}
		if drive != nil {
			drive(in)
			drive = nil
		}
		d.last = out
		if err := d.dev.Run(in, out); err != nil {
			var x *Difference
			if errors.As(err, &x) {
				x.Events, x.Event, x.Cycles = d.events, fmt.Sprintf("%s %d at %d ns", d.event, d.of, d.now), x.Cycles+d.cycles
			}
			return err
		}
		for v := out; d.up && len(v) > 0; v = v[d.ow:] {
			if l, ok := d.report(v); ok {
				d.found = append(d.found, l)
			}
		}
		d.cycles += k
		n -= k
	}
	return nil
}

// report reads a lost segment from the ports. It returns false if no segment is reported.
func (d *Driver) report(out []uint64) (Lost, bool) {
	var l lapsloss.Lost
	if !d.x.losses.Read(out, &l) {
		return Lost{}, false
	}
	return d.t.Lost(&l), true
}

// Patience returns the number of cycles in which every request is answered. The longest is an ACK that skips all segments
// of a ring: a slot of the barrel, up to 16 cycles, for each of them and for each row.
func Patience(p *params.Params) int { return 4096 + 2*16*int(p.Detector.Depth) }

// offer drives a request until it is taken.
func (d *Driver) offer(ready *bench.Pin, drive func(in []uint64)) error {
	for range Patience(d.p) {
		if err := d.run(1, drive); err != nil {
			return err
		}
		if ready.On(d.last) {
			return nil
		}
	}
	return fmt.Errorf("module %s: not ready for %d cycles", d.p.Top(), Patience(d.p))
}

// answers lets n cycles pass after the one that took an event, and calls read with the outputs of each.
func (d *Driver) answers(n int, read func(out []uint64)) error {
	if err := d.run(n, nil); err != nil {
		return err
	}
	for out := d.last; len(out) > 0; out = out[d.ow:] {
		read(out)
	}
	return nil
}

// begin starts an event; its name appears in the message of a difference.
func (d *Driver) begin(now uint64, event string, of int) {
	d.now, d.cycles, d.found = now, 0, d.found[:0]
	d.event, d.of = event, of
}

// end counts an event that was answered.
func (d *Driver) end() { d.events++ }

// Open starts a new flow and returns its rate in bytes per ns.
func (d *Driver) Open(flow int, now uint64) (float64, error) {
	d.begin(now, "opening of flow", flow)
	x := &d.x
	if err := d.offer(&x.openReady, func(in []uint64) { x.opens.Drive(in, &lapsrate.Open{Flow: uint32(flow)}) }); err != nil {
		return 0, err
	}
	var a lapsrate.Rate
	told := false
	err := d.answers(d.p.Delays().Rate, func(out []uint64) { told = x.rates.Read(out, &a) || told })
	if err != nil {
		return 0, err
	}
	if !told {
		return 0, d.silent("rate")
	}
	d.end()
	return float64(a.Current) / PerByte, nil
}

// silent is the error of a missing answer.
func (d *Driver) silent(what string) error {
	return fmt.Errorf("module %s: %s %d at %d ns: no %s within %d cycles", d.p.Top(), d.event, d.of, d.now, what, d.cycles)
}

// Packet chooses a path.
func (d *Driver) Packet(p *Packet) (Choice, error) {
	nothing := Choice{Path: -1, Probe: -1}
	d.begin(p.Now, "packet of flow", int(p.Flow))
	x := &d.x
	e := d.t.Packet(p)
	if err := d.run(1, func(in []uint64) { x.packets.Drive(in, &e) }); err != nil {
		return nothing, err
	}
	after := d.p.PacketLatency()
	if p.Track {
		after = d.p.Latency()["packet to stored"]
	}
	var (
		chosen                  lapspaths.Path
		probe                   lapspaths.Probe
		sent                    lapsloss.Sent
		isPath, isProbe, isSent bool
	)
	err := d.answers(after, func(out []uint64) {
		isPath = x.paths.Read(out, &chosen) || isPath
		isProbe = x.probes.Read(out, &probe) || isProbe
		isSent = x.sent.Read(out, &sent) || isSent
	})
	if err != nil {
		return nothing, err
	}
	if !isPath || p.Track && !isSent {
		return nothing, d.silent("path")
	}
	out := nothing
	if !chosen.None {
		out.Path = d.t.Path[chosen.PID]
		if p.Track && !sent.Stored && !d.Backed {
			return nothing, fmt.Errorf("%s %d at %d ns: the ring of path %d is full: lower the rate or raise depth", d.event, d.of, d.now, out.Path)
		}
	}
	if isProbe {
		out.Probe = d.t.Path[probe.PID]
	}
	out.Lost = d.found
	d.end()
	return out, nil
}

// Ack records a latency, decides the rate, and detects losses.
func (d *Driver) Ack(a *Feedback) (Reaction, error) {
	d.begin(a.Now, "ACK of flow", int(a.Flow))
	x := &d.x
	e := d.t.ACK(a)
	if err := d.offer(&x.ackReady, func(in []uint64) { x.acks.Drive(in, &e) }); err != nil {
		return Reaction{}, err
	}
	// The loss detector answers when it has searched the ring, and reports each of the
	// lost segments then.
	search := d.p.Latency()["ACK in order to answer"]
	var (
		rate            lapsrate.Rate
		acked           lapsloss.Done
		isRate, isAcked bool
	)
	read := func(out []uint64) {
		isRate = x.rates.Read(out, &rate) || isRate
		isAcked = x.acked.Read(out, &acked) || isAcked
	}
	if err := d.answers(max(d.p.RateLatency(), search), read); err != nil {
		return Reaction{}, err
	}
	if !isRate {
		return Reaction{}, d.silent("rate")
	}
	r := Reaction{Rate: float64(rate.Current) / PerByte, Cause: Cause(rate.Cause)}
	if r.Cause > Doubled {
		return Reaction{}, fmt.Errorf("module %s: %s %d at %d ns: cause %d, want 0 to 3", d.p.Top(), d.event, d.of, d.now, r.Cause)
	}
	if !d.p.Loss {
		d.end()
		return r, nil
	}
	for left := Patience(d.p); !isAcked; left -= search {
		if left < 0 {
			return r, d.silent("search")
		}
		if err := d.answers(search, read); err != nil {
			return r, err
		}
	}
	for n := -1; n < len(d.found); {
		n = len(d.found)
		if acked.Cause != Skipped {
			break
		}
		if err := d.run(search, nil); err != nil {
			return r, err
		}
	}
	r.Lost = d.found
	d.end()
	return r, nil
}

// Answer records the latency that a probe measured.
func (d *Driver) Answer(a *Answer) error {
	d.begin(a.Now, "answer of path", a.Path)
	x := &d.x
	e := d.t.Answer(a)
	err := d.offer(&x.answerReady, func(in []uint64) { x.answers.Drive(in, &e) })
	if err == nil {
		err = d.run(d.p.Delays().Window+1, nil)
	}
	d.end()
	return err
}

// TimerLap returns the number of cycles in which all timers are checked once.
func TimerLap(p *params.Params) int { return (p.Detector.ScanCycles() + 3) * int(p.Tables.Paths()+2) }

// Tick checks the timers and returns the segments that they declare lost: it runs for as long as a scan of all timers takes,
// with three more cycles per path for the reports of expired ones.
func (d *Driver) Tick(now uint64) ([]Lost, error) {
	d.begin(now, "timers", 0)
	err := d.run(TimerLap(d.p), nil)
	d.end()
	return d.found, err
}

// Close frees the device.
func (d *Driver) Close() error { return d.dev.Close() }
