// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
)

// again is a stimulus with a fresh device, if it needs one.
type again struct {
	stimulus Stimulus
	device   *Instance          // nil if there is no device or it has ended
	react    func(got []uint64) // nil: the stimulus does not see outputs
	got      []uint64
}

// newAgain begins a stimulus once more. needed: what the device shows is needed for other reasons
// than the stimulus.
func newAgain(lib *Library, seed uint64, s Stimulus, needed bool) (*again, error) {
	a := &again{stimulus: s, react: s.Hooks().React, got: make([]uint64, lib.Layout().OutWords)}
	if a.react == nil && !needed {
		return a, nil
	}
	device, err := lib.New(InstanceOptions{Seed: seed})
	if fault := (*SimError)(nil); err != nil && !errors.As(err, &fault) {
		return nil, err
	} else if err == nil {
		a.device = device
	}
	return a, nil
}

// next makes the next vector, and runs the device with it, as long as it runs.
func (a *again) next(in []uint64) {
	a.stimulus.Next(in)
	if a.device == nil {
		return
	}
	if _, err := a.device.Run(in, a.got); err != nil {
		a.close()
		return
	}
	if a.react != nil {
		a.react(a.got)
	}
}

func (a *again) close() {
	if a.device != nil {
		a.device.Close()
		a.device = nil
	}
}

// stepTo runs a fresh golden model up to and with the cycle of a finding, and returns that
// cycle's inputs and what the model says of them. A model that observes the device gets a fresh one; where
// that shows nothing, as in the cycle in which it ends, there is no explanation.
func stepTo(ctx context.Context, lib *Library, bench Bench, seed uint64, s Stimulus, f *Finding) (Predictor, []uint64, string, error) {
	l := lib.Layout()
	p, err := bench.NewPredictor(l, false)
	if err != nil {
		return nil, nil, "", fmt.Errorf("golden model: %w", err)
	}
	observe := p.Hooks().Observe
	a, err := newAgain(lib, seed, s, observe != nil)
	if err != nil {
		return nil, nil, "", err
	}
	defer a.close()
	in, want, care := make([]uint64, l.InWords), make([]uint64, l.OutWords), make([]uint64, l.OutWords)
	for i := uint64(0); i <= f.Cycle; i++ {
		if i%8192 == 0 && ctx.Err() != nil {
			return nil, nil, "", ctx.Err()
		}
		clear(in)
		clear(want)
		clear(care)
		a.next(in)
		if observe != nil {
			if a.device == nil {
				continue
			}
			observe(a.got)
		}
		p.Step(in, want, care)
	}
	if observe != nil && a.device == nil {
		return p, in, "", nil
	}
	return p, in, p.Explain(in), nil
}

// Explain returns what a fresh golden model says of the cycle of a finding, after recorded input
// vectors up to it.
func Explain(ctx context.Context, lib *Library, bench Bench, seed uint64, v []uint64, f *Finding) (string, error) {
	_, _, text, err := stepTo(ctx, lib, bench, seed, &vectors{words: lib.Layout().InWords, v: v}, f)
	return text, err
}

// Compare runs a fresh device and a fresh golden model with n cycles of recorded input vectors, and
// returns the first thing that goes wrong, or nil.
func Compare(ctx context.Context, lib *Library, bench Bench, seed uint64, v []uint64, n uint64) (*Finding, error) {
	i, err := lib.New(InstanceOptions{Seed: seed})
	var fault *SimError
	if errors.As(err, &fault) {
		return &Finding{Fault: fault}, nil
	} else if err != nil {
		return nil, err
	}
	defer i.Close()
	p, err := bench.NewPredictor(lib.layout, false)
	if err != nil {
		return nil, fmt.Errorf("golden model: %w", err)
	}
	c := &checker{layout: lib.layout, instance: i, golden: p, batch: int(min(max(n, 1), 256)),
		stimulus: &vectors{words: lib.layout.InWords, v: v}}
	_, f, err := c.run(ctx, n)
	return f, err
}

// Record returns the input vectors of the first n cycles of a stimulus.
func Record(ctx context.Context, lib *Library, seed uint64, s Stimulus, n uint64) ([]uint64, error) {
	l := lib.Layout()
	a, err := newAgain(lib, seed, s, false)
	if err != nil {
		return nil, err
	}
	defer a.close()
	v := make([]uint64, int(n)*l.InWords)
	for i := range int(n) {
		if i%8192 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		a.next(v[i*l.InWords : (i+1)*l.InWords : (i+1)*l.InWords])
	}
	return v, nil
}
