// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"context"
	"errors"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	"github.com/nicgen/nicgen/tb/bench"
	tblaps "github.com/nicgen/nicgen/tb/laps"
)

// algorithms are Algorithms 1 to 3 of LAPS in one sender: paths, rates and losses of its segments. Calls are in order of time.
type algorithms interface {
	// Open starts a new flow and returns its rate in bytes per ns.
	Open(flow int, now uint64) (float64, error)
	// Packet chooses a path.
	Packet(p *tblaps.Packet) (tblaps.Choice, error)
	// Ack records a latency, decides the rate, and detects losses.
	Ack(a *tblaps.Feedback) (tblaps.Reaction, error)
	// Answer records the latency that a probe measured.
	Answer(a *tblaps.Answer) error
	// Tick checks the timers and returns the segments that they declare lost.
	Tick(now uint64) ([]tblaps.Lost, error)
}

// rtl is the RTL as a device, in lockstep with the golden models.
type rtl struct {
	lib        *cosim.Library
	inst       *cosim.Instance
	predictor  cosim.Predictor
	want, care []uint64
}

// newRTL compiles a shape. Settings enter by ports: one RTL serves all of them.
func newRTL(ctx context.Context, shape, p *params.Params) (_ tblaps.Device, err error) {
	lib, err := bench.Compile(ctx, tblaps.Unit.Bench(shape))
	if err != nil {
		return nil, err
	}
	r := &rtl{lib: lib}
	l := lib.Layout()
	r.want, r.care = make([]uint64, l.OutWords), make([]uint64, l.OutWords)
	if r.inst, err = lib.New(cosim.InstanceOptions{Seed: 1}); err == nil {
		r.predictor, err = tblaps.Unit.Predictor(p, l, true)
	}
	if err != nil {
		return nil, errors.Join(err, r.Close())
	}
	return r, nil
}

// Layout implements tblaps.Device.
func (r *rtl) Layout() *cosim.Layout { return r.lib.Layout() }

// Run implements tblaps.Device.
func (r *rtl) Run(in, out []uint64) error {
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
				return &tblaps.Difference{Port: s.Name, Cycles: cycle, RTL: s.Hex(out), Golden: s.Hex(r.want)}
			}
		}
	}
	return errors.New("rtl and golden differ, but not on a port")
}

// Close implements tblaps.Device.
func (r *rtl) Close() error {
	var err error
	if r.inst != nil {
		err = r.inst.Close()
	}
	return errors.Join(err, r.lib.Close())
}
