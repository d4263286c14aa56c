// SPDX-License-Identifier: Apache-2.0

// Package device clocks one NIC block as RTL: frames enter from its host and from its wire at
// given times, frames that leave are returned with the times of their cycles, and its registers
// are read and written by name.
//
// The wire behind the block is a MAC: it takes beats into a short FIFO, and each frame keeps the line
// for its own bytes, FCS, preamble and gap. While the FIFO is full, m_axis_tx_tready is low.
package device

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/sim/agenda"
)

// Beat is the number of bytes of a beat.
const Beat = 64

// Gap is the number of bytes that a frame takes on a wire in addition to its own: FCS,
// preamble, gap.
const Gap = 24

// Sizes of the device's surroundings.
const (
	fifoBytes = 2048 // of the MAC's FIFO
	batch     = 32   // cycles: as many beats as the FIFO takes
	calm      = 512  // cycles in which nothing moves, after which nothing is under way
)

// Periods of the clocks that the block is made for, in ps.
const (
	Period250 agenda.Instant = 4000
	Period322 agenda.Instant = 3103 // 322.265625 MHz: 3,103.03 ps
)

// Config is a device and its surroundings.
type Config struct {
	Library  *cosim.Library
	Map      *csr.Map       // of its registers; nil: none are used
	Period   agenda.Instant // of the clock, in ps; 0: Period250
	LineRate float64        // of the wire, in bytes per ns; 0: 12.5
	Seed     uint64         // of what registers hold at power-up, and of the patterns below

	// Patterns, as the probability of each cycle: the host does not take a beat; the host, or
	// the wire, has no beat although a frame is there.
	HostStall, HostIdle, WireIdle float64

	// Pauses lets time jump ahead while nothing is inside and nothing is to come in for long; nil: it does not.
	Pauses *Pauses

	// Trace is a file for a waveform from cycle TraceFrom on, if the library was built for one; empty:
	// none. A cycle takes 10 ns of it.
	Trace     string
	TraceFrom uint64

	// Follow sees each cycle's inputs and outputs, in order; nil: nobody does. Its error ends
	// the run.
	Follow func(in, out []uint64) error
}

// Left is a frame that left the device.
type Left struct {
	ToHost bool
	First  agenda.Instant // the cycle of its first beat
	Last   agenda.Instant // time of its last beat
	Gone   agenda.Instant // when its last byte was on the wire; to the host: as Last
	Bad    bool
	Data   []byte
}

// Entered is a frame that the device took.
type Entered struct {
	FromHost    bool
	Number      int // of its side, from 0, in the order of Host's or Wire's calls
	First, Last agenda.Instant
}

// Device is a NIC block that runs.
type Device struct {
	Config
	inst    *cosim.Instance
	rng     *rand.Rand
	in, out []uint64 // of a batch
	iw, ow  int
	pin     pins

	cycle uint64
	now   agenda.Instant // of the next cycle
	base  agenda.Instant // offset of now_ns from now
	moved uint64         // the cycle after the last one in which something moved
	since uint64         // the cycle of the last jump of the time
	held  int            // packets in the block's queues

	host, wire   source
	toHost, line sink
	free         agenda.Instant // when the line has sent what the MAC has

	left    []Left
	Entered func(Entered) // may be nil
	Gaps    uint64        // cycles without a beat within a frame to the wire, though the MAC would have taken one
	Skipped agenda.Instant
	traced  bool
}

// source is an input of frames.
type source struct {
	valid, last, keep, data, user, ready cosim.Slot
	queue                                []input
	number                               int // of queue[0]
	at                                   int // beats of it that went in
	offered                              bool
	first                                agenda.Instant
}

type input struct {
	at   agenda.Instant
	data []byte
	bad  bool
}

// sink is an output of frames.
type sink struct {
	valid, last, keep, data, user, ready cosim.Slot
	frame                                []byte
	first                                agenda.Instant
}

// pins are the ports that are not of streams of frames.
type pins struct {
	rst, now                        cosim.Slot
	flow                            cosim.Slot
	enter, enterDropped, release    cosim.Slot
	cpl                             cosim.Slot
	hasFlow, hasTrace, hasRegisters bool
	axil                            map[string]cosim.Slot
}

// New powers up a device and resets it.
func New(c Config) (*Device, error) {
	if c.Period == 0 {
		c.Period = Period250
	}
	if c.LineRate == 0 {
		c.LineRate = 12.5
	}
	d := &Device{Config: c, rng: rand.New(rand.NewPCG(c.Seed, 0xDE))}
	l := c.Library.Layout()
	d.iw, d.ow = l.InWords, l.OutWords
	d.in, d.out = make([]uint64, batch*d.iw), make([]uint64, batch*d.ow)
	var missing []string
	find := func(name string) cosim.Slot {
		s, ok := l.Slot(name)
		if !ok {
			missing = append(missing, name)
		}
		return s
	}
	optional := func(name string) (cosim.Slot, bool) { return l.Slot(name) }
	for _, s := range []struct {
		name string
		to   *source
	}{{"s_axis_tx", &d.host}, {"s_axis_rx", &d.wire}} {
		*s.to = source{valid: find(s.name + "_tvalid"), last: find(s.name + "_tlast"), keep: find(s.name + "_tkeep"),
			data: find(s.name + "_tdata"), user: find(s.name + "_tuser"), ready: find(s.name + "_tready")}
	}
	for _, s := range []struct {
		name string
		to   *sink
	}{{"m_axis_rx", &d.toHost}, {"m_axis_tx", &d.line}} {
		*s.to = sink{valid: find(s.name + "_tvalid"), last: find(s.name + "_tlast"), keep: find(s.name + "_tkeep"),
			data: find(s.name + "_tdata"), user: find(s.name + "_tuser"), ready: find(s.name + "_tready")}
	}
	p := &d.pin
	p.rst, p.now = find("rst"), find("now_ns")
	p.flow, p.hasFlow = optional("m_flow_ready")
	p.enter, p.hasTrace = optional("m_trace_enter_valid")
	p.enterDropped, _ = optional("m_trace_enter_dropped")
	p.release, _ = optional("m_trace_release_valid")
	p.cpl, _ = optional("m_cpl_valid")
	p.axil = map[string]cosim.Slot{}
	if c.Map != nil {
		for _, n := range strings.Fields("awaddr awvalid awready wdata wstrb wvalid wready bresp bvalid bready araddr arvalid arready rdata rresp rvalid rready") {
			p.axil[n] = find("s_axil_" + n)
		}
	}
	if missing != nil {
		return nil, fmt.Errorf("the block has no port %s", strings.Join(missing, ", "))
	}
	var err error
	if d.inst, err = c.Library.New(cosim.InstanceOptions{Seed: c.Seed}); err != nil {
		return nil, err
	}
	p.rst.Set(d.in, 1)
	for range 4 {
		if err := d.cycles(1); err != nil {
			return nil, errors.Join(err, d.Close())
		}
	}
	p.rst.Set(d.in, 0)
	return d, nil
}

// Close frees the device.
func (d *Device) Close() error { return d.inst.Close() }

// Now is the time of the next cycle.
func (d *Device) Now() agenda.Instant { return d.now }

// Cycle is the number of cycles so far.
func (d *Device) Cycle() uint64 { return d.cycle }

// Rebase makes the present time 0. The block's own clock, now_ns, goes on. Nothing may wait to
// go in, or be on the line.
func (d *Device) Rebase() {
	d.base += d.now
	d.free = max(0, d.free-d.now)
	d.now = 0
}

// Advance sets the block's own clock, now_ns, ahead.
func (d *Device) Advance(by agenda.Instant) { d.base += by }

// Host gives a frame of the host's, from an instant on.
func (d *Device) Host(at agenda.Instant, frame []byte) {
	d.host.queue = append(d.host.queue, input{at: at, data: frame})
}

// Wire gives a frame from the wire, whose last byte came at an instant.
func (d *Device) Wire(at agenda.Instant, frame []byte) {
	d.wire.queue = append(d.wire.queue, input{at: at, data: frame})
}

// WireBad gives a frame that the MAC found to be bad.
func (d *Device) WireBad(at agenda.Instant, frame []byte) {
	d.wire.queue = append(d.wire.queue, input{at: at, data: frame, bad: true})
}

// Waiting is the number of frames that were given and are not whole in the device.
func (d *Device) Waiting() (host, wire int) { return len(d.host.queue), len(d.wire.queue) }

// Held is the number of packets in the block's queues.
func (d *Device) Held() int { return d.held }

// Busy reports whether a frame waits, is held, or may be under way.
func (d *Device) Busy() bool {
	least := uint64(calm)
	if d.Pauses != nil {
		least = max(least, d.Pauses.Calm)
	}
	return len(d.host.queue)+len(d.wire.queue) > 0 || d.held > 0 || d.cycle-d.moved < least
}

// Run lets time go on until an instant, and tells what left meanwhile.
func (d *Device) Run(ctx context.Context, until agenda.Instant, left func(Left)) error {
	for n := 0; d.now < until; n++ {
		if n%1024 == 0 {
			if err := ctx.Err(); err != nil {
				return err
			}
		}
		if d.Pauses != nil && d.skip(until) {
			continue
		}
		if err := d.step(until); err != nil {
			return err
		}
	}
	for _, l := range d.left {
		left(l)
	}
	d.left = d.left[:0]
	return nil
}

// Next returns the arrival of the next frame already given, if any.
func (d *Device) Next() (agenda.Instant, bool) {
	at, ok := agenda.Instant(0), false
	for _, s := range []*source{&d.host, &d.wire} {
		if len(s.queue) > 0 && (!ok || s.queue[0].at < at) {
			at, ok = s.queue[0].at, true
		}
	}
	return at, ok
}

// skip lets time jump, if nothing is inside and nothing comes for long.
func (d *Device) skip(until agenda.Instant) bool {
	if d.held > 0 || d.cycle-d.moved < max(calm, d.Pauses.Calm) || d.free > d.now {
		return false
	}
	to := until
	if at, ok := d.Next(); ok {
		to = min(to, at)
	}
	if to-d.now < 4*calm*d.Period {
		return false
	}
	d.Pauses.ran(d.cycle - d.since)
	by := d.Pauses.jump(to - d.now)
	if by == 0 {
		return false
	}
	d.Pauses.jumps(by)
	d.Skipped += by
	d.now += by
	d.since = d.cycle
	return true
}

// step runs a cycle, or as many as need no decision.
func (d *Device) step(until agenda.Instant) error {
	n := 1
	if at, ok := d.Next(); !d.host.offered && !d.wire.offered && d.HostStall == 0 && d.room() {
		to := until
		if ok {
			to = min(to, at)
		}
		// Each cycle may bring a beat that the FIFO has to take.
		most := (fifoBytes - int(float64(max(0, d.free-d.now))*d.LineRate/agenda.PS)) / (Beat + Gap)
		n = max(1, min(batch, most, int((to-d.now+d.Period-1)/d.Period)))
	}
	return d.cycles(n)
}

// room reports whether the MAC takes a beat.
func (d *Device) room() bool {
	return float64(d.free-d.now)*d.LineRate < fifoBytes*agenda.PS
}

// cycles runs some cycles. More than one needs that nothing goes in.
func (d *Device) cycles(n int) error {
	in := d.in[:d.iw]
	d.offer(&d.host, in, d.HostIdle)
	d.offer(&d.wire, in, d.WireIdle)
	bit := func(on bool) uint64 {
		if on {
			return 1
		}
		return 0
	}
	d.line.ready.Set(in, bit(d.room()))
	d.toHost.ready.Set(in, bit(d.HostStall == 0 || d.rng.Float64() >= d.HostStall))
	if d.pin.hasFlow {
		d.pin.flow.Set(in, 1)
	}
	for i := range n {
		at := d.in[i*d.iw : (i+1)*d.iw]
		if i > 0 {
			copy(at, in)
		}
		d.pin.now.Set(at, (d.base + d.now + agenda.Instant(i)*d.Period).NS())
	}
	if d.Trace != "" && !d.traced && d.cycle+uint64(n) > d.TraceFrom {
		d.traced = true
		if err := d.inst.Trace(d.Trace); err != nil {
			return err
		}
	}
	if _, err := d.inst.Run(d.in[:n*d.iw], d.out[:n*d.ow]); err != nil {
		return err
	}
	for i := range n {
		in, out := d.in[i*d.iw:(i+1)*d.iw], d.out[i*d.ow:(i+1)*d.ow]
		if d.Follow != nil {
			if err := d.Follow(in, out); err != nil {
				return fmt.Errorf("cycle %d, %d ns: %w", d.cycle, d.now.NS(), err)
			}
		}
		if d.pin.rst.Get(in) == 0 {
			d.look(in, out)
		}
		d.cycle++
		d.now += d.Period
	}
	return nil
}

// offer puts a beat onto a source's ports, or none. An offered beat stays until it is
// taken.
func (d *Device) offer(s *source, in []uint64, idle float64) {
	if s.offered {
		return
	}
	if len(s.queue) == 0 || s.queue[0].at > d.now || idle > 0 && d.rng.Float64() < idle {
		s.valid.Set(in, 0)
		return
	}
	f := &s.queue[0]
	rest := f.data[s.at*Beat:]
	n := min(len(rest), Beat)
	var words [Beat / 8]uint64
	for i, b := range rest[:n] {
		words[i/8] |= uint64(b) << (i % 8 * 8)
	}
	s.data.Write(in, words[:])
	s.keep.Set(in, ^uint64(0)>>(Beat-n))
	last := n == len(rest)
	s.valid.Set(in, 1)
	user := uint64(0)
	if last {
		s.last.Set(in, 1)
		if f.bad {
			user = 1
		}
	} else {
		s.last.Set(in, 0)
	}
	if s.user.Width > 1 && s.user.Width <= 64 {
		// The packet's tag, with its top bit set: a network controller's own.
		w := uint(s.user.Width) - 1
		user |= (uint64(s.number)&(1<<w-1) | 1<<(w-1)) << 1
	}
	s.user.Set(in, user)
	s.offered = true
}

// look takes part in the handshakes of a cycle.
func (d *Device) look(in, out []uint64) {
	moves := d.take(&d.host, in, out, true)
	moves = d.take(&d.wire, in, out, false) || moves
	moves = d.gather(&d.toHost, in, out, true) || moves
	moves = d.gather(&d.line, in, out, false) || moves
	if d.pin.hasTrace {
		if d.pin.enter.Get(out) != 0 && d.pin.enterDropped.Get(out) == 0 {
			d.held++
		}
		if d.pin.release.Get(out) != 0 {
			d.held--
			moves = true
		}
	}
	if moves {
		d.moved = d.cycle + 1
	}
}

// take lets a source go on if its beat was taken.
func (d *Device) take(s *source, in, out []uint64, fromHost bool) bool {
	if !s.offered || s.ready.Get(out) == 0 {
		return s.offered
	}
	s.offered = false
	if s.at == 0 {
		s.first = d.now
	}
	s.at++
	if s.last.Get(in) != 0 {
		if d.Entered != nil {
			d.Entered(Entered{FromHost: fromHost, Number: s.number, First: s.first, Last: d.now})
		}
		s.queue[0].data = nil
		s.queue = s.queue[1:]
		s.number++
		s.at = 0
	}
	return true
}

// gather takes a beat of a frame that leaves.
func (d *Device) gather(s *sink, in, out []uint64, toHost bool) bool {
	if s.valid.Get(out) == 0 {
		if !toHost && len(s.frame) > 0 && s.ready.Get(in) != 0 {
			d.Gaps++
		}
		return len(s.frame) > 0
	}
	if s.ready.Get(in) == 0 {
		return true
	}
	if len(s.frame) == 0 {
		s.first = d.now
		if !toHost {
			d.free = max(d.free, d.now) + d.lineTime(Gap)
		}
	}
	n := 0
	for keep := s.keep.Get(out); keep&1 != 0; keep >>= 1 {
		n++
	}
	w := out[s.data.Word : s.data.Word+Beat/8]
	for i := range n {
		s.frame = append(s.frame, byte(w[i/8]>>(i%8*8)))
	}
	if !toHost {
		d.free += d.lineTime(n)
	}
	if s.last.Get(out) == 0 {
		return true
	}
	l := Left{ToHost: toHost, First: s.first, Last: d.now, Gone: d.now, Bad: s.user.Get(out)&1 != 0, Data: s.frame}
	if !toHost {
		d.free += d.lineTime(max(0, 60-len(s.frame)))
		l.Gone = max(d.free, d.now)
	}
	d.left = append(d.left, l)
	s.frame = nil
	return true
}

func (d *Device) lineTime(bytes int) agenda.Instant {
	return agenda.Instant(float64(bytes) / d.LineRate * agenda.PS)
}

// WireTime returns how long a frame keeps the line.
func (d *Device) WireTime(bytes int) agenda.Instant { return d.lineTime(max(bytes, 60) + Gap) }

// Clock is now_ns in the next cycle.
func (d *Device) Clock() uint64 { return (d.base + d.now).NS() }
