// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/sync/errgroup"
)

// finding is the first thing that went wrong in a comparison.
type finding struct {
	cycle uint64
	diffs []Diff    // outputs that differ, or
	fault *SimError // the device ended
}

// same tells whether two findings look like the same bug.
func (f *finding) same(g *finding) bool {
	switch {
	case f.fault != nil && g.fault != nil:
		return f.fault.Kind == g.fault.Kind && f.fault.File == g.fault.File && f.fault.Line == g.fault.Line
	case f.fault == nil && g.fault == nil:
		return f.diffs[0].Port == g.diffs[0].Port
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

// differ is the comparison of one cycle in its fast form.
func differ(want, care, got []uint64) bool {
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

// run compares n cycles, or fewer if something is found. The error is the
// context's, or that of a tool.
func (c *checker) run(ctx context.Context, n uint64) (done uint64, f *finding, err error) {
	l := c.layout
	iw, ow := l.InWords, l.OutWords
	in, out := make([]uint64, c.batch*iw), make([]uint64, c.batch*ow)
	want, care := make([]uint64, ow), make([]uint64, ow)
	_, whole := c.golden.(Overwriter)
	follower, _ := c.golden.(Follower)
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
			if !whole {
				clear(want)
				clear(care)
			}
			got := out[i*ow : (i+1)*ow]
			if follower != nil {
				follower.Observe(got)
			}
			c.golden.Step(in[i*iw:(i+1)*iw], want, care)
			c.instance.known(i*ow, want, care, got)
			if differ(want, care, got) {
				return done + uint64(i), &finding{cycle: done + uint64(i), diffs: Diffs(l, want, care, got)}, nil
			}
		}
		done += uint64(ran)
		if fault != nil {
			return done, &finding{cycle: done, fault: fault}, nil
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

// advance takes the next n vectors, the first of which is that of cycle at, and runs the device with them.
func (c *checker) advance(at uint64, in, out []uint64, n int) (done int, err error) {
	iw, ow := c.layout.InWords, c.layout.OutWords
	r, ok := c.stimulus.(Reactive)
	if !ok {
		c.fill(in[:n*iw])
		return c.simulate(at, in, out, n)
	}
	for done < n && err == nil {
		v, got := in[done*iw:(done+1)*iw], out[done*ow:(done+1)*ow]
		c.fill(v)
		var ran int
		if ran, err = c.simulate(at+uint64(done), v, got, 1); ran > 0 {
			r.React(got)
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

// block is a batch on its way from the golden model to the comparison.
type block struct {
	n              int
	in, want, care []uint64
}

// followed is a batch on its way from the device to a Follower.
type followed struct {
	n       int // cycles that ran
	in, out []uint64
	fault   *SimError
}

// runFollowing is run with the device in a goroutine of its own, some batches ahead of the
// golden model.
func (c *checker) runFollowing(ctx context.Context, follower Follower, n uint64) (done uint64, f *finding, err error) {
	const depth = 4
	l := c.layout
	iw, ow := l.InWords, l.OutWords
	free, full := make(chan *followed, depth), make(chan *followed, depth)
	for range depth {
		free <- &followed{in: make([]uint64, c.batch*iw), out: make([]uint64, c.batch*ow)}
	}
	g, gctx := errgroup.WithContext(ctx)
	stop := make(chan struct{})
	g.Go(func() error {
		defer close(full)
		for at := uint64(0); at < n; {
			var b *followed
			select {
			case b = <-free:
			case <-stop:
				return nil
			case <-gctx.Done():
				return gctx.Err()
			}
			k := int(min(uint64(c.batch), n-at))
			ran, err := c.advance(at, b.in, b.out, k)
			if b.n = ran; err != nil && !errors.As(err, &b.fault) {
				return err
			}
			at += uint64(ran)
			full <- b // never blocks: there are depth blocks
			if b.fault != nil {
				return nil
			}
		}
		return nil
	})
	g.Go(func() error {
		defer close(stop)
		want, care := make([]uint64, ow), make([]uint64, ow)
		for b := range full {
			if err := gctx.Err(); err != nil {
				return err
			}
			for i := range b.n {
				clear(want)
				clear(care)
				got := b.out[i*ow : (i+1)*ow]
				follower.Observe(got)
				follower.Step(b.in[i*iw:(i+1)*iw], want, care)
				if differ(want, care, got) {
					done += uint64(i)
					f = &finding{cycle: done, diffs: Diffs(l, want, care, got)}
					return nil
				}
			}
			if done += uint64(b.n); b.fault != nil {
				f = &finding{cycle: done, fault: b.fault}
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

// runConcurrent is run with the golden model in a goroutine of its own, some
// batches ahead of the device, or behind it if it is a Follower. It leaves a model that
// is ahead beyond what is found.
func (c *checker) runConcurrent(ctx context.Context, n uint64) (done uint64, f *finding, err error) {
	follower, follows := c.golden.(Follower)
	_, reacts := c.stimulus.(Reactive)
	switch {
	case c.instance.process != nil && (follows || reacts), reacts && !follows:
		return c.run(ctx, n) // of a process, what is unknown is known of the last batch only
	case follows:
		return c.runFollowing(ctx, follower, n)
	}
	const depth = 4
	l := c.layout
	iw, ow := l.InWords, l.OutWords
	free, full := make(chan *block, depth), make(chan *block, depth)
	for range depth {
		free <- &block{in: make([]uint64, c.batch*iw), want: make([]uint64, c.batch*ow), care: make([]uint64, c.batch*ow)}
	}
	g, gctx := errgroup.WithContext(ctx)
	stop := make(chan struct{})
	g.Go(func() error {
		defer close(full)
		for left := n; left > 0; {
			var b *block
			select {
			case b = <-free:
			case <-stop:
				return nil
			case <-gctx.Done():
				return gctx.Err()
			}
			b.n = int(min(uint64(c.batch), left))
			c.fill(b.in[:b.n*iw])
			clear(b.want)
			clear(b.care)
			for i := range b.n {
				in := b.in[i*iw : (i+1)*iw : (i+1)*iw]
				c.golden.Step(in, b.want[i*ow:(i+1)*ow:(i+1)*ow], b.care[i*ow:(i+1)*ow:(i+1)*ow])
			}
			left -= uint64(b.n)
			full <- b // never blocks: there are depth blocks
		}
		return nil
	})
	g.Go(func() error {
		defer close(stop)
		out := make([]uint64, c.batch*ow)
		for b := range full {
			if err := gctx.Err(); err != nil {
				return err
			}
			ran, err := c.simulate(done, b.in, out, b.n)
			var fault *SimError
			if err != nil && !errors.As(err, &fault) {
				return err
			}
			for i := range ran {
				lo, hi := i*ow, (i+1)*ow
				c.instance.known(lo, b.want[lo:hi], b.care[lo:hi], out[lo:hi])
				if differ(b.want[lo:hi], b.care[lo:hi], out[lo:hi]) {
					f = &finding{cycle: done + uint64(i), diffs: Diffs(l, b.want[lo:hi], b.care[lo:hi], out[lo:hi])}
					done += uint64(i)
					return nil
				}
			}
			done += uint64(ran)
			if fault != nil {
				f = &finding{cycle: done, fault: fault}
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
func (f *finding) describe(l *Layout, in []uint64, explain string) *Failure {
	x := &Failure{Cycle: f.cycle, Inputs: named(l, in), Explain: explain}
	if f.fault != nil {
		x.Kind, x.Message, x.File, x.Line = Fault, f.fault.Message, f.fault.File, f.fault.Line
		x.Log = tail(f.fault.Log, 20)
		return x
	}
	x.Kind, x.Diffs = Mismatch, f.diffs
	x.Port, x.Want, x.Got = f.diffs[0].Port, f.diffs[0].Want, f.diffs[0].Got
	return x
}

// tail returns the last n lines of a text.
func tail(s string, n int) string {
	lines := strings.Split(strings.TrimRight(s, "\n"), "\n")
	return strings.Join(lines[max(0, len(lines)-n):], "\n")
}

var errNoOutputs = fmt.Errorf("the module has neither inputs nor outputs besides its clock")
