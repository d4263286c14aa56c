// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"
)

// Finding is the first thing that went wrong in a comparison.
type Finding struct {
	Cycle uint64
	Diffs []Diff    // outputs that differ, or
	Fault *SimError // the device ended
}

// Same reports whether two findings look like the same bug.
func (f *Finding) Same(g *Finding) bool {
	switch {
	case f.Fault != nil && g.Fault != nil:
		return f.Fault.Kind == g.Fault.Kind && f.Fault.File == g.Fault.File && f.Fault.Line == g.Fault.Line
	case f.Fault == nil && g.Fault == nil:
		return f.Diffs[0].Port == g.Diffs[0].Port
	}
	return false
}

// Diffs lists the outputs of a cycle that differ within the bits that matter.
func Diffs(l *Layout, want, care, got []uint64) []Diff {
	var d []Diff
	for _, s := range l.Outputs {
		m := s.Read(care)
		w, g := s.Read(want), s.Read(got)
		equal := true
		for i := range m {
			w[i] &= m[i]
			g[i] &= m[i]
			equal = equal && w[i] == g[i]
		}
		if equal {
			continue
		}
		v := make([]uint64, l.OutWords)
		s.Write(v, w)
		wh := s.Hex(v)
		s.Write(v, g)
		d = append(d, Diff{Port: s.Name, Want: wh, Got: s.Hex(v)})
	}
	return d
}

// Differ reports whether the outputs of a cycle differ within the bits that matter.
func Differ(want, care, got []uint64) bool {
	var x uint64
	care, got = care[:len(want)], got[:len(want)]
	for i, w := range want {
		x |= (w ^ got[i]) & care[i]
	}
	return x != 0
}

// A checker compares one instance with one golden model, cycle by cycle.
type checker struct {
	layout   *Layout
	instance *Instance
	stimulus Stimulus
	golden   Predictor
	batch    int
	report   func(done uint64) // called after every batch
	wave     *waveFile         // written along, if set
}

// run compares n cycles, or fewer if something is found. The error is the context's or a
// tool's.
func (c *checker) run(ctx context.Context, n uint64) (done uint64, f *Finding, err error) {
	l := c.layout
	iw, ow := l.InWords, l.OutWords
	in, out := make([]uint64, c.batch*iw), make([]uint64, c.batch*ow)
	want, care := make([]uint64, ow), make([]uint64, ow)
	hooks := c.golden.Hooks()
	for done < n {
		if err := ctx.Err(); err != nil {
			return done, nil, err
		}
		k := int(min(uint64(c.batch), n-done))
		ran, err := c.advance(done, in, out, k)
		var fault *SimError
		if err != nil && !errors.As(err, &fault) {
			return done, nil, err
		}
		for i := range ran {
			if !hooks.Overwrites {
				clear(want)
				clear(care)
			}
			got := out[i*ow : (i+1)*ow]
			if hooks.Observe != nil {
				hooks.Observe(got)
			}
			c.golden.Step(in[i*iw:(i+1)*iw], want, care)
			c.instance.known(i*ow, want, care, got)
			if Differ(want, care, got) {
				return done + uint64(i), &Finding{Cycle: done + uint64(i), Diffs: Diffs(l, want, care, got)}, nil
			}
		}
		done += uint64(ran)
		if fault != nil {
			return done, &Finding{Cycle: done, Fault: fault}, nil
		}
		if c.report != nil {
			c.report(done)
		}
	}
	return done, nil, nil
}

// fill takes the next vectors from the stimulus.
func (c *checker) fill(in []uint64) {
	if s, ok := c.stimulus.(*noise); ok {
		s.fill(in)
		return
	}
	clear(in)
	iw := c.layout.InWords
	for at := 0; at < len(in); at += iw {
		c.stimulus.Next(in[at : at+iw : at+iw])
	}
}

// advance takes the next n vectors, the first one for cycle at, and runs the device with them.
func (c *checker) advance(at uint64, in, out []uint64, n int) (done int, err error) {
	iw, ow := c.layout.InWords, c.layout.OutWords
	react := c.stimulus.Hooks().React
	if react == nil {
		c.fill(in[:n*iw])
		return c.simulate(at, in, out, n)
	}
	for done < n && err == nil {
		v, got := in[done*iw:(done+1)*iw], out[done*ow:(done+1)*ow]
		c.fill(v)
		var ran int
		if ran, err = c.simulate(at+uint64(done), v, got, 1); ran > 0 {
			react(got)
		}
		done += ran
	}
	return done, err
}

// simulate runs the device for n cycles, the first of which is cycle at. It
// stops on the way where a waveform begins or ends.
func (c *checker) simulate(at uint64, in, out []uint64, n int) (done int, err error) {
	iw, ow := c.layout.InWords, c.layout.OutWords
	for done < n {
		k := n - done
		if c.wave != nil {
			if k, err = c.wave.at(at+uint64(done), k); err != nil {
				return done, err
			}
		}
		ran, err := c.instance.Run(in[done*iw:(done+k)*iw], out[done*ow:(done+k)*ow])
		if done += ran; err != nil {
			return done, err
		}
	}
	return done, nil
}

// batch is some cycles on their way from the side that runs ahead to the one behind it.
type batch struct {
	n          int
	in         []uint64
	out        []uint64  // of the device, if that is ahead
	fault      *SimError // the end after the n cycles, if it ended
	want, care []uint64  // of the golden model, if that is ahead
}

// ahead fills the next n cycles of a batch, the first of which is cycle at.
type ahead func(b *batch, at uint64, n int) error

// behind compares a batch whose first cycle is cycle at. It returns the number of cycles that
// were equal.
type behind func(b *batch, at uint64) (equal int, f *Finding, err error)

// runConcurrent is run with the golden model in a separate goroutine, some batches ahead of
// the device, or behind it if it observes the device. A model that is ahead ends beyond the
// finding.
func (c *checker) runConcurrent(ctx context.Context, n uint64) (done uint64, f *Finding, err error) {
	follows, reacts := c.golden.Hooks().Observe != nil, c.stimulus.Hooks().React != nil
	iw, ow := c.batch*c.layout.InWords, c.batch*c.layout.OutWords
	switch {
	case c.instance.process != nil && (follows || reacts), reacts && !follows:
		return c.run(ctx, n) // of a process, what is unknown is known of the last batch only
	case follows:
		return c.pipeline(ctx, n, func() *batch { return &batch{in: make([]uint64, iw), out: make([]uint64, ow)} },
			c.following(), c.device)
	}
	return c.pipeline(ctx, n, func() *batch {
		return &batch{in: make([]uint64, iw), want: make([]uint64, ow), care: make([]uint64, ow)}
	},
		c.comparing(), c.drive, c.predict)
}

// drive is a stimulus ahead of the golden model.
func (c *checker) drive(b *batch, _ uint64, n int) error {
	b.n = n
	c.fill(b.in[:n*c.layout.InWords])
	return nil
}

// predict is a golden model ahead of the device.
func (c *checker) predict(b *batch, _ uint64, n int) error {
	iw, ow := c.layout.InWords, c.layout.OutWords
	if !c.golden.Hooks().Overwrites {
		clear(b.want)
		clear(b.care)
	}
	for i := range n {
		c.golden.Step(b.in[i*iw:(i+1)*iw:(i+1)*iw], b.want[i*ow:(i+1)*ow:(i+1)*ow], b.care[i*ow:(i+1)*ow:(i+1)*ow])
	}
	return nil
}

// comparing is a device behind the golden model.
func (c *checker) comparing() behind {
	ow := c.layout.OutWords
	out := make([]uint64, c.batch*ow)
	return func(b *batch, at uint64) (int, *Finding, error) {
		ran, err := c.simulate(at, b.in, out, b.n)
		var fault *SimError
		if err != nil && !errors.As(err, &fault) {
			return 0, nil, err
		}
		for i := range ran {
			lo, hi := i*ow, (i+1)*ow
			c.instance.known(lo, b.want[lo:hi], b.care[lo:hi], out[lo:hi])
			if Differ(b.want[lo:hi], b.care[lo:hi], out[lo:hi]) {
				return i, &Finding{Cycle: at + uint64(i), Diffs: Diffs(c.layout, b.want[lo:hi], b.care[lo:hi], out[lo:hi])}, nil
			}
		}
		if fault != nil {
			return ran, &Finding{Cycle: at + uint64(ran), Fault: fault}, nil
		}
		return ran, nil, nil
	}
}

// device is a device ahead of a golden model that follows it.
func (c *checker) device(b *batch, at uint64, n int) (err error) {
	if b.n, err = c.advance(at, b.in, b.out, n); err != nil && !errors.As(err, &b.fault) {
		return err
	}
	return nil
}

// following is a golden model behind the device.
func (c *checker) following() behind {
	hooks := c.golden.Hooks()
	iw, ow := c.layout.InWords, c.layout.OutWords
	want, care := make([]uint64, ow), make([]uint64, ow)
	return func(b *batch, at uint64) (int, *Finding, error) {
		for i := range b.n {
			if !hooks.Overwrites {
				clear(want)
				clear(care)
			}
			got := b.out[i*ow : (i+1)*ow]
			hooks.Observe(got)
			c.golden.Step(b.in[i*iw:(i+1)*iw], want, care)
			if Differ(want, care, got) {
				return i, &Finding{Cycle: at + uint64(i), Diffs: Diffs(c.layout, want, care, got)}, nil
			}
		}
		if b.fault != nil {
			return b.n, &Finding{Cycle: at + uint64(b.n), Fault: b.fault}, nil
		}
		return b.n, nil, nil
	}
}

// pipeline compares n cycles, or fewer if something is found. Each stage runs in a goroutine, some
// batches ahead of the next one, and last is behind all of them.
func (c *checker) pipeline(ctx context.Context, n uint64, empty func() *batch, last behind, stages ...ahead) (done uint64, f *Finding, err error) {
	const depth = 4
	free := make(chan *batch, depth)
	for range depth {
		free <- empty()
	}
	g, gctx := errgroup.WithContext(ctx)
	stop := make(chan struct{})
	from := free
	for i, stage := range stages {
		in, out, first := from, make(chan *batch, depth), i == 0
		from = out
		g.Go(func() error {
			defer close(out)
			for at := uint64(0); at < n; {
				var b *batch
				select {
				case b = <-in:
				case <-stop:
					return nil
				case <-gctx.Done():
					return gctx.Err()
				}
				if b == nil { // the stage before has ended
					return nil
				}
				size := b.n
				if first {
					size = int(min(uint64(c.batch), n-at))
				}
				if err := stage(b, at, size); err != nil {
					return err
				}
				at += uint64(b.n)
				out <- b // never blocks: there are depth batches
				if b.fault != nil {
					return nil
				}
			}
			return nil
		})
	}
	g.Go(func() error {
		defer close(stop)
		for b := range from {
			if err := gctx.Err(); err != nil {
				return err
			}
			equal, found, err := last(b, done)
			if err != nil {
				return err
			}
			if done += uint64(equal); found != nil {
				f = found
				return nil
			}
			free <- b
			if c.report != nil {
				c.report(done)
			}
		}
		return nil
	})
	err = g.Wait()
	return done, f, err
}

// vectors is a stimulus that was recorded: one vector after the other.
type vectors struct {
	Autonomous
	words int
	v     []uint64
	at    int
}

// Next gives the recorded vectors, and zeros after them.
func (s *vectors) Next(in []uint64) {
	if s.at+s.words <= len(s.v) {
		copy(in, s.v[s.at:])
		s.at += s.words
	}
}

// describe turns a finding into a failure of the run.
func (f *Finding) describe(l *Layout, in []uint64, explain string) *Failure {
	x := &Failure{Cycle: f.Cycle, Inputs: l.NonZero(in), Explain: explain}
	if f.Fault != nil {
		x.Kind, x.Message, x.File, x.Line = Fault, f.Fault.Message, f.Fault.File, f.Fault.Line
		x.Log = tail(f.Fault.Log, 20)
		return x
	}
	x.Kind, x.Diffs = Mismatch, f.Diffs
	x.Port, x.Want, x.Got = f.Diffs[0].Port, f.Diffs[0].Want, f.Diffs[0].Got
	return x
}

// tail returns the last n lines of a text.
func tail(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

var errNoOutputs = fmt.Errorf("the module has neither inputs nor outputs besides its clock")
