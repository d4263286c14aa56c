// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"context"
	"errors"
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	model "github.com/nicgen/nicgen/model/laps"
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

// routes holds the routes in a sender's tables.
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
