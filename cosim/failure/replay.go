// SPDX-License-Identifier: Apache-2.0

package failure

import (
	"context"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
)

// Replay repeats a recording with the bench of its unit and parameters. Unit, Params, Seed and Cycles of the
// options come from the recording; the report's notes report a different outcome than the recorded one.
// Recorded outputs are compared with the golden model's and count for the verdict.
func Replay(ctx context.Context, r *Recording, bench cosim.Bench, o cosim.RunOptions) (*cosim.Report, error) {
	o.Unit, o.Params, o.Seed, o.Cycles = r.Unit, r.Params, r.Seed, r.Cycles
	if r.Cycles == 0 {
		return nil, r.fail("0 cycles, want at least 1")
	}
	lib, err := cosim.Build(ctx, bench.Source(), o.Build())
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	v, err := r.vectors(lib.Layout())
	if err != nil {
		return nil, err
	}
	if len(r.Outputs) > 0 {
		w := &witnessed{Bench: bench}
		l := lib.Layout()
		if w.changes, err = r.changes(l, "output", r.Outputs, l.Outputs, r.outs); err != nil {
			return nil, err
		}
		bench = w
	}
	o.Vectors = append(v, 0)[:len(v)] // not nil even if the module has no inputs
	rep, err := cosim.RunOn(ctx, lib, bench, o)
	if err != nil {
		return nil, err
	}
	if r.Expect.Kind == cosim.Pass {
		return rep, nil
	}
	where := ""
	if f := rep.Failure; f != nil && f.Kind == cosim.Fault {
		where = fmt.Sprintf("%s:%d", f.File, f.Line)
	} else if f != nil {
		where = f.Port
	}
	want := fmt.Sprintf("%s of %s at cycle %d", r.Expect.Kind, r.Expect.Where, r.Expect.Cycle)
	switch f := rep.Failure; {
	case f == nil:
		rep.Notes = append(rep.Notes, "the recorded failure does not occur any more: "+want)
	case f.Kind != r.Expect.Kind || where != r.Expect.Where || f.Cycle != r.Expect.Cycle:
		rep.Notes = append(rep.Notes, "another failure than the recorded one, which was "+want)
	}
	return rep, nil
}

// witnessed is a bench whose golden model is compared with recorded outputs.
type witnessed struct {
	cosim.Bench
	changes []change
}

func (b *witnessed) NewPredictor(l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	p, err := b.Bench.NewPredictor(l, bare)
	return &witness{Predictor: p, layout: l, left: b.changes, now: make([]uint64, l.OutWords)}, err
}

// witness is a golden model that checks recorded outputs.
type witness struct {
	cosim.Predictor
	layout *cosim.Layout
	left   []change
	now    []uint64 // recorded outputs
	cycle  uint64
	err    error // the first difference
}

// Step implements cosim.Predictor.
func (w *witness) Step(in, want, care []uint64) {
	w.Predictor.Step(in, want, care)
	w.left = apply(w.left, w.cycle, w.now)
	if w.err == nil && cosim.Differ(want, care, w.now) {
		var list []string
		for _, d := range cosim.Diffs(w.layout, want, care, w.now) {
			list = append(list, fmt.Sprintf("output %s was recorded as %s, the golden model has %s", d.Port, d.Got, d.Want))
		}
		w.err = fmt.Errorf("cycle %d: %s", w.cycle, strings.Join(list, "; "))
	}
	w.cycle++
}

// Hooks implements cosim.Predictor: the recorded outputs and the golden model's own records count.
func (w *witness) Hooks() cosim.PredictorHooks {
	h := w.Predictor.Hooks()
	verdict := h.Verdict
	h.Verdict = func() error {
		if verdict != nil && w.err == nil {
			return verdict()
		}
		return w.err
	}
	h.Account = func() string {
		return fmt.Sprintf("in all %d cycles the recorded outputs are those of the golden model, where they matter", w.cycle)
	}
	return h
}
