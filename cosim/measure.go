// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unsafe"

	"github.com/ebitengine/purego"
)

// The ways of driving a device that Measure compares.
const (
	PlainLoop        = "C++ loop"              // stimulus and checksum in C++: the yardstick
	Checksummed      = "Go, checksum"          // batches from Go, every output word in a checksum
	GoldenSequential = "Go, golden model"      // every output compared, in one thread
	GoldenConcurrent = "Go, golden, 2 threads" // every output compared, golden model in a separate goroutine
)

// MeasureOptions are the circumstances of a measurement.
type MeasureOptions struct {
	Seed   uint64
	Cycles uint64 // in each round; 0 means 500,000
	Rounds int    // 0 means 5
	Batch  int    // cycles for each call in the sequential modes; 0: chosen by the engine

	Idle     uint64                   // cycles between reset and traffic, for devices that prepare themselves
	Fixed    map[string]uint64        // inputs that keep a value during the traffic; the reset keeps zero
	Mask     map[string]uint64        // bits of an input that toggle; all of them without an entry
	Traffic  NewTraffic               // in place of random bits; nil: none
	Progress func(done, total uint64) // called after every round of a mode, if set
	Status   func(what string)        // see BuildOptions
	Optimize int                      // the compiler's -O, 1 to 3; 0 means 1
}

// NewTraffic returns a stimulus of packets for a measurement, the same one for the same seed.
// The measurement begins when its hook Ready, if it has one, reports true. The plain loop and the
// checksum get the same vectors, recorded before.
type NewTraffic func(l *Layout, seed uint64) (Stimulus, error)

// Speed is one row of a measurement.
type Speed struct {
	Mode             string  `json:"mode"`
	CyclesPerSecond  float64 `json:"cycles_per_second"` // median of the rounds
	Ratio            float64 `json:"ratio"`             // to the plain loop, median of the rounds' ratios
	PacketsPerSecond float64 `json:"packets_per_second,omitempty"`
	BitsPerSecond    float64 `json:"bits_per_second,omitempty"` // of packets, in a second of the wall's clock
}

// Disagreement is the error of a measurement in which two ways of driving a
// device did not give the same outputs.
type Disagreement struct {
	Mode string // the mode that differs
	What string // from what, and how
}

// Error names the mode and the difference.
func (d *Disagreement) Error() string { return d.Mode + ": " + d.What }

// Measurement holds a device's speed in each mode.
type Measurement struct {
	Cycles   uint64  `json:"cycles"` // in each round
	Rounds   int     `json:"rounds"`
	Checksum string  `json:"checksum"`          // over all outputs of all cycles: the same from C++ and from Go
	Packets  uint64  `json:"packets,omitempty"` // in all rounds; traffic of packets only
	Bytes    uint64  `json:"bytes,omitempty"`   // of them
	Speeds   []Speed `json:"speeds"`
}

// noise is the stimulus of a measurement: r & mask | fixed in every word.
type noise struct {
	Autonomous
	state       uint64
	mask, fixed []uint64
}

// Next fills in the next vector.
func (s *noise) Next(in []uint64) { s.fill(in) }

// fill fills in any number of vectors.
func (s *noise) fill(in []uint64) {
	state, n := s.state, len(s.mask) // in registers: the loop depends on it
	fixed := s.fixed[:n]
	for ; len(in) >= n; in = in[n:] {
		v := in[:n]
		for w, m := range s.mask {
			state += 0x9e3779b97f4a7c15
			v[w] = mix64(state)&m | fixed[w]
		}
	}
	s.state = state
}

// mix64 is the generator's output function, the same as in the shim's random64.
func mix64(z uint64) uint64 {
	z = (z ^ z>>32) * 0xd6e8feb86659fd93
	return z ^ z>>32
}

// checksum continues the shim's checksum.
func checksum(sum uint64, out []uint64) uint64 {
	for _, w := range out {
		sum = (sum ^ w) * 0x100000001b3
	}
	return sum
}

// Measure runs a device in interleaved rounds of all modes under the same random
// inputs, or the same traffic. The error is a *Disagreement if modes disagree, on the checksum or with
// the golden model.
func Measure(ctx context.Context, bench Bench, o MeasureOptions) (*Measurement, error) {
	lib, err := Build(ctx, bench.Source(), BuildOptions{Optimize: max(o.Optimize, 1), Status: o.Status})
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	l := lib.Layout()
	if l.InWords == 0 || l.OutWords == 0 {
		return nil, fmt.Errorf("module %s: a measurement needs inputs and outputs besides the clock", lib.src.Top)
	}
	if o.Cycles == 0 {
		o.Cycles = 500_000
	}
	if o.Rounds <= 0 {
		o.Rounds = 5
	}
	if o.Batch <= 0 {
		o.Batch = sequentialBatch
	}
	mask, fixed, prologue, err := o.inputs(lib)
	if err != nil {
		return nil, err
	}
	var rec *recorder
	if o.Traffic != nil {
		if rec, err = newRecorder(ctx, lib, o); err != nil {
			return nil, err
		}
		defer rec.inst.Close()
		prologue = rec.in
	}
	modes := []*mode{{name: PlainLoop}, {name: Checksummed}, {name: GoldenSequential}, {name: GoldenConcurrent}}
	for _, m := range modes {
		m.noise = noise{state: o.Seed, mask: mask, fixed: fixed}
		inst, err := lib.New(InstanceOptions{Seed: o.Seed})
		if err != nil {
			return nil, err
		}
		defer inst.Close()
		p, err := bench.NewPredictor(l, true)
		if err != nil {
			return nil, fmt.Errorf("golden model: %w", err)
		}
		m.c = checker{layout: l, instance: inst, golden: p, batch: o.Batch}
		live := rec != nil && (m.name == GoldenSequential || m.name == GoldenConcurrent)
		m.c.stimulus = &vectors{words: l.InWords, v: prologue}
		if live {
			if m.c.stimulus, err = o.Traffic(l, o.Seed); err != nil {
				return nil, fmt.Errorf("traffic: %w", err)
			}
		}
		// The prologue is compared in every mode.
		if err := m.compare(ctx, uint64(len(prologue)/l.InWords), m.c.run); err != nil {
			return nil, err
		}
		if rec == nil {
			m.c.stimulus = &m.noise
		}
		if m.name == GoldenConcurrent {
			m.c.batch = concurrentBatch(l)
		}
	}
	res := &Measurement{Cycles: o.Cycles, Rounds: o.Rounds}
	packets, bytes := modes[2].carried()
	for r := range o.Rounds {
		if rec != nil {
			if err := rec.record(ctx, o.Cycles); err != nil {
				return nil, err
			}
		}
		for i, m := range modes {
			start := time.Now()
			m.aside = 0
			if rec != nil {
				err = m.replay(ctx, rec.in)
			} else {
				err = m.round(ctx, o.Cycles)
			}
			if err != nil {
				return nil, err
			}
			m.seconds = append(m.seconds, (time.Since(start) - m.aside).Seconds())
			if o.Progress != nil {
				o.Progress(uint64(r*len(modes)+i+1), uint64(o.Rounds*len(modes)))
			}
		}
	}
	if modes[0].sum != modes[1].sum {
		return nil, &Disagreement{Checksummed, fmt.Sprintf("checksum of %d cycles from C++ is %#x, from Go %#x", o.Cycles*uint64(o.Rounds), modes[0].sum, modes[1].sum)}
	}
	res.Checksum = fmt.Sprintf("%#016x", modes[0].sum)
	res.Packets, res.Bytes = modes[2].carried()
	res.Packets, res.Bytes = res.Packets-packets, res.Bytes-bytes
	for _, m := range modes {
		s := Speed{Mode: m.name, CyclesPerSecond: float64(o.Cycles) / median(m.seconds)}
		if rec != nil {
			rounds := float64(o.Rounds) * median(m.seconds)
			s.PacketsPerSecond, s.BitsPerSecond = float64(res.Packets)/rounds, 8*float64(res.Bytes)/rounds
		}
		var ratios []float64
		for r, t := range m.seconds {
			ratios = append(ratios, modes[0].seconds[r]/t)
		}
		s.Ratio = median(ratios)
		res.Speeds = append(res.Speeds, s)
	}
	return res, nil
}

func median(x []float64) float64 {
	y := slices.Sorted(slices.Values(x))
	return (y[(len(y)-1)/2] + y[len(y)/2]) / 2
}

// inputs are the masks and constants of the traffic and the vectors before it.
func (o *MeasureOptions) inputs(lib *Library) (mask, fixed, prologue []uint64, err error) {
	l := lib.Layout()
	mask, fixed = make([]uint64, l.InWords), make([]uint64, l.InWords)
	input := func(name string) (Slot, error) {
		s, ok := l.Slot(name)
		if !ok || !slices.Contains(l.Inputs, s) {
			return s, fmt.Errorf("module %s has no input %q, its inputs are %s", lib.src.Top, name, strings.Join(names(l.Inputs), ", "))
		}
		return s, nil
	}
	ones := slices.Repeat([]uint64{^uint64(0)}, l.InWords)
	for _, s := range l.Inputs {
		s.Write(mask, s.Read(ones))
	}
	for name, m := range o.Mask {
		s, err := input(name)
		if err != nil {
			return nil, nil, nil, err
		}
		s.Set(mask, m)
	}
	for name, v := range o.Fixed {
		s, err := input(name)
		if err != nil {
			return nil, nil, nil, err
		}
		s.Write(mask, nil)
		s.Write(fixed, []uint64{v})
	}
	const resetCycles = 4
	rst, hasReset := l.Slot(lib.src.ResetPort())
	if hasReset {
		rst.Write(mask, nil)
		rst.Write(fixed, nil)
	}
	for i := range resetCycles + o.Idle {
		in := slices.Clone(fixed)
		if hasReset && i < resetCycles {
			rst.Set(in, 1)
		}
		prologue = append(prologue, in...)
	}
	return mask, fixed, prologue, nil
}

// recorder drives a separate device and records its inputs, so that others get the same.
type recorder struct {
	traffic Stimulus
	hooks   StimulusHooks
	inst    *Instance
	in, out []uint64 // vectors of the last recording; outputs of a cycle
}

// newRecorder records until the traffic is ready.
func newRecorder(ctx context.Context, lib *Library, o MeasureOptions) (*recorder, error) {
	traffic, err := o.Traffic(lib.layout, o.Seed)
	if err != nil {
		return nil, fmt.Errorf("traffic: %w", err)
	}
	r := &recorder{traffic: traffic, hooks: traffic.Hooks(), out: make([]uint64, lib.layout.OutWords)}
	if r.inst, err = lib.New(InstanceOptions{Seed: o.Seed}); err != nil {
		return nil, err
	}
	const most = 10_000_000
	for n := 0; r.hooks.Ready != nil && !r.hooks.Ready(); n++ {
		if n == most {
			return nil, errors.Join(fmt.Errorf("module %s: the device is not ready for traffic after %d cycles", lib.src.Top, most), r.inst.Close())
		}
		if err := r.cycle(ctx); err != nil {
			return nil, errors.Join(err, r.inst.Close())
		}
	}
	return r, nil
}

// record records some cycles.
func (r *recorder) record(ctx context.Context, cycles uint64) error {
	r.in = r.in[:0]
	for range cycles {
		if err := r.cycle(ctx); err != nil {
			return err
		}
	}
	return nil
}

func (r *recorder) cycle(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	at, n := len(r.in), r.inst.lib.layout.InWords
	r.in = append(r.in, make([]uint64, n)...)
	r.traffic.Next(r.in[at:])
	if _, err := r.inst.Run(r.in[at:], r.out); err != nil {
		return err
	}
	if r.hooks.React != nil {
		r.hooks.React(r.out)
	}
	return nil
}

// mode is one way of driving the device, with a separate instance.
type mode struct {
	name    string
	noise   noise
	c       checker
	sum     uint64
	seconds []float64
	aside   time.Duration // of the round, that does not count
	in, out []uint64
}

// carried returns the golden model's counts of packets.
func (m *mode) carried() (packets, bytes uint64) {
	if count := m.c.golden.Hooks().Carried; count != nil {
		return count()
	}
	return 0, 0
}

// replay is round with recorded vectors, in the modes that do not drive the device themselves.
func (m *mode) replay(ctx context.Context, in []uint64) error {
	iw, ow := m.c.layout.InWords, m.c.layout.OutWords
	batch := m.c.batch
	switch m.name {
	case GoldenSequential:
		return m.compare(ctx, uint64(len(in)/iw), m.c.run)
	case GoldenConcurrent:
		return m.compare(ctx, uint64(len(in)/iw), m.c.runConcurrent)
	case PlainLoop:
		batch = replayBatch
	}
	if len(m.out) < batch*ow {
		m.out = make([]uint64, batch*ow)
	}
	for len(in) > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := min(len(in)/iw, batch)
		out := m.out[:k*ow]
		if _, err := m.c.instance.Run(in[:k*iw], out); err != nil {
			return err
		}
		in = in[k*iw:]
		start := time.Now()
		m.sum = checksum(m.sum, out)
		if m.name == PlainLoop { // the loop is all that counts
			m.aside += time.Since(start)
		}
	}
	return nil
}

// replayBatch is the number of cycles that the loop in C++ runs before it returns.
const replayBatch = 8192

func (m *mode) round(ctx context.Context, n uint64) error {
	switch m.name {
	case PlainLoop:
		return m.plain(ctx, n)
	case Checksummed:
		return m.checksummed(ctx, n)
	case GoldenSequential:
		return m.compare(ctx, n, m.c.run)
	default:
		return m.compare(ctx, n, m.c.runConcurrent)
	}
}

func (m *mode) compare(ctx context.Context, n uint64, run func(context.Context, uint64) (uint64, *Finding, error)) error {
	_, f, err := run(ctx, n)
	if err != nil || f == nil {
		return err
	}
	return &Disagreement{m.name, f.describe(m.c.layout, make([]uint64, m.c.layout.InWords), "").Summary()}
}

func (m *mode) plain(ctx context.Context, n uint64) error {
	i := m.c.instance
	if err := ctx.Err(); err != nil {
		return err
	}
	done, _, _ := purego.SyscallN(i.lib.fnBench, i.model, uintptr(n), uintptr(unsafe.Pointer(&m.noise.mask[0])),
		uintptr(unsafe.Pointer(&m.noise.fixed[0])), uintptr(unsafe.Pointer(&m.noise.state)), uintptr(unsafe.Pointer(&m.sum)))
	if uint64(done) < n {
		return i.ended()
	}
	return nil
}

func (m *mode) checksummed(ctx context.Context, n uint64) error {
	iw, ow := m.c.layout.InWords, m.c.layout.OutWords
	if m.in == nil {
		m.in, m.out = make([]uint64, m.c.batch*iw), make([]uint64, m.c.batch*ow)
	}
	for n > 0 {
		if err := ctx.Err(); err != nil {
			return err
		}
		k := int(min(n, uint64(m.c.batch)))
		in, out := m.in[:k*iw], m.out[:k*ow]
		m.noise.fill(in)
		if _, err := m.c.instance.Run(in, out); err != nil {
			return err
		}
		m.sum = checksum(m.sum, out)
		n -= uint64(k)
	}
	return nil
}
