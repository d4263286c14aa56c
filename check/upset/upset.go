// SPDX-License-Identifier: Apache-2.0

// Package upset measures the behaviour of a unit after a single-event upset: it flips one bit of a
// register or a memory during traffic, and compares all outputs with the undisturbed golden model,
// until the unit's whole state equals an undisturbed one again, or for as long as a plan says.
//
// It runs the emitted RTL. Each upset begins in a saved state of a recorded run: upsets are
// independent of each other, and the same for the same seed on every machine.
package upset

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"maps"
	"math/rand/v2"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/tb/bench"
)

// Plan is a plan of measurements.
type Plan struct {
	Unit     string
	Settings string      // the configuration, for the result
	RTL      string      // its emit.DesignDigest, for the result
	Bench    cosim.Bench // of that configuration; its assertions are left out
	Law      func(l *cosim.Layout) (bench.Law, error)
	Hold     map[string]uint64                                          // inputs that keep a value
	Quiet    []string                                                   // inputs that are zero once traffic has been under way for a while
	Streams  []string                                                   // streams whose beats stay until they are taken
	Stimulus func(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) // in place of the bench's, if set

	Masked *regexp.Regexp // elements in which no upset may change an output; may be nil
	Only   bool           // measures the masked ones alone

	Of func(name string) bool // selects elements by name; nil selects all

	Seed   uint64
	Runs   int // recorded runs over which the upsets are distributed, each with its own seed, from Seed on; at least 1
	Flips  int // of each register and memory, at least 1
	Cycles int // for which an upset is watched, a multiple of Step

	Status   func(what string)        // called at the start of a long step with its name, if set
	Progress func(done, total uint64) // called with the number of upsets so far, if set
}

// Step is the number of cycles from one saved state to the next.
const Step = 64

// Fates of an upset, each of which counts once.
type Fates struct {
	Unseen int `json:"unseen"` // no output ever differed
	Right  int `json:"right"`  // outputs differed, and were right again
	Legal  int `json:"legal"`  // outputs differ at the end, and are legal
	Never  int `json:"never"`  // outputs are illegal at the end
}

// Span is the duration of recovery, over some upsets.
type Span struct {
	MedianEvents uint64 `json:"median_events"` // events of all kinds that the unit took meanwhile
	MaxEvents    uint64 `json:"max_events"`
	MaxCycles    uint64 `json:"-"` // Result has the most of all elements
}

// IsZero omits spans without events from a record, as a record that is read again does not have the
// cycles.
func (s Span) IsZero() bool { return s.MedianEvents == 0 && s.MaxEvents == 0 }

// Element is the result for one register or memory.
type Element struct {
	Name  string `json:"name"`
	Bits  int    `json:"bits"`  // of a word
	Words int    `json:"words"` // 1 of a register
	Flips int    `json:"flips"`
	Fates
	Masked bool `json:"masked,omitempty"` // no flip may ever change an output
	Kept   int  `json:"kept"`             // flips, unseen or recovered, after which the state still differs at the end
	Again  Span `json:"again,omitzero"`   // from the flip until the outputs are right, of the flips that recovered
	Law    Span `json:"law,omitzero"`     // from the flip until the outputs are legal, of the flips that only became legal
}

// Setup describes the measurement of one configuration.
type Setup struct {
	Unit        string `json:"unit"`
	Settings    string `json:"settings"`
	RTL         string `json:"rtl,omitempty"` // emit.DesignDigest of the configuration
	Seed        uint64 `json:"seed"`
	Runs        int    `json:"runs"`
	Flips       int    `json:"flips"`        // of each element
	Cycles      int    `json:"cycles"`       // for which each was watched
	Events      uint64 `json:"events"`       // of those cycles, on average
	AgainCycles uint64 `json:"again_cycles"` // the longest time until outputs were right again
	LegalCycles uint64 `json:"legal_cycles"` // and until they were legal, for flips that only became legal
}

// Result is the result for one configuration.
type Result struct {
	Setup
	Elements []Element `json:"elements"`
}

// OK reports whether the unit was legal again after every upset, and no output showed an upset of a
// masked element.
func (r *Result) OK() bool {
	return !slices.ContainsFunc(r.Elements, func(e Element) bool { return e.Never > 0 || e.Masked && e.Unseen < e.Flips })
}

// counts reports whether an output, or the register in a part of the unit that drives it, only
// counts events: a difference stays in it until the reset, and nothing depends on it. A unit's
// reports of upsets count as well.
func counts(name string) bool {
	return strings.HasPrefix(name, "sts_") && strings.HasSuffix(name, "_cnt") || name == "evt_corrected"
}

// record is a run of the undisturbed unit.
type record struct {
	layout         *cosim.Layout
	in, want, care []uint64
	events         []uint64    // before each cycle, and after the last one
	states         [][]byte    // before each cycle that is a multiple of Step
	laws           []bench.Law // after the cycles before each state
	first          int         // cycle from which upsets begin
	streams        []*offers   // streams whose beats stay until they are taken
}

// Lengths of the recorded run: traffic before the first upset, and the part in which upsets begin.
const (
	warmUp = 64 * Step
	spread = 256 * Step
)

// Run executes the plan. It returns an error if the context ends, a tool fails, or the undisturbed
// unit differs from its golden model.
func Run(ctx context.Context, p Plan) (*Result, error) {
	if p.Runs < 1 || p.Flips < 1 || p.Cycles < 4*Step || p.Cycles%Step != 0 {
		return nil, fmt.Errorf("upset: %d runs, %d flips and %d cycles, want at least 1, at least 1 and a multiple of %d from %d", p.Runs, p.Flips, p.Cycles, Step, 4*Step)
	}
	src := p.Bench.Source()
	src.Bind = nil // assertions would end the run that they judge
	lib, err := cosim.Build(ctx, src, cosim.BuildOptions{State: true, Status: p.Status})
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	records := make([]*record, p.Runs)
	var events, cycles uint64
	for i := range records {
		r, err := p.record(ctx, lib, p.Seed+uint64(i))
		if err == nil {
			for _, name := range p.Streams {
				r.streams = append(r.streams, r.offers(name))
			}
			err = p.lawful(r)
		}
		if err != nil {
			return nil, fmt.Errorf("upset: %s, seed %d: %w", p.Unit, p.Seed+uint64(i), err)
		}
		records[i] = r
		events, cycles = events+r.events[len(r.events)-1]-r.events[r.first], cycles+uint64(len(r.events)-1-r.first)
	}
	elements := lib.Elements()
	compare := compared(elements)
	masked := func(e cosim.Element) bool { return p.Masked != nil && p.Masked.MatchString(e.Name) }
	if p.Masked != nil && !slices.ContainsFunc(elements, masked) {
		return nil, fmt.Errorf("upset: %s: no register or memory matches %s", p.Unit, p.Masked)
	}
	if p.Only {
		elements = slices.DeleteFunc(elements, func(e cosim.Element) bool { return !masked(e) })
	}
	if p.Of != nil {
		elements = slices.DeleteFunc(elements, func(e cosim.Element) bool { return !p.Of(e.Name) })
	}
	res := &Result{Setup: Setup{Unit: p.Unit, Settings: p.Settings, RTL: p.RTL, Seed: p.Seed, Runs: p.Runs, Flips: p.Flips, Cycles: p.Cycles,
		Events: events * uint64(p.Cycles) / cycles}, Elements: make([]Element, len(elements))}
	var next, done atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for range runtime.NumCPU() {
		g.Go(func() error {
			x, err := p.newWatcher(lib, records, compare)
			if err != nil {
				return err
			}
			defer x.instance.Close()
			for {
				i := int(next.Add(1)) - 1
				if i >= len(elements) {
					return nil
				}
				e, err := x.element(ctx, p, elements[i], func() {
					if n := done.Add(1); p.Progress != nil {
						p.Progress(uint64(n), uint64(len(elements)*p.Flips))
					}
				})
				if err != nil {
					return fmt.Errorf("upset: %s: %s: %w", p.Unit, elements[i].Name, err)
				}
				e.Masked = masked(elements[i])
				res.Elements[i] = e
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, err
	}
	for _, e := range res.Elements {
		res.AgainCycles, res.LegalCycles = max(res.AgainCycles, e.Again.MaxCycles), max(res.LegalCycles, e.Law.MaxCycles)
	}
	slices.SortFunc(res.Elements, func(a, b Element) int { return strings.Compare(a.Name, b.Name) })
	return res, nil
}

// compared returns the byte ranges of a state that must equal the undisturbed unit's: everything
// except counters of events.
func compared(elements []cosim.Element) (list [][2]int) {
	for _, e := range elements {
		if counts(e.Name[strings.LastIndexByte(e.Name, '.')+1:]) {
			continue
		}
		if n := len(list); n > 0 && list[n-1][1] == e.Offset {
			list[n-1][1] += e.Bytes
		} else {
			list = append(list, [2]int{e.Offset, e.Offset + e.Bytes})
		}
	}
	return list
}

// record runs the undisturbed unit against its golden model. After the first reset there is no
// other one: it would repair everything.
func (p *Plan) record(ctx context.Context, lib *cosim.Library, seed uint64) (*record, error) {
	l := lib.Layout()
	r := &record{layout: l}
	newStimulus := p.Bench.NewStimulus
	if p.Stimulus != nil {
		newStimulus = p.Stimulus
	}
	stimulus, err := newStimulus(l, seed)
	if err != nil {
		return nil, err
	}
	golden, err := p.Bench.NewPredictor(l, true)
	if err != nil {
		return nil, err
	}
	// A model that follows its device cannot predict an undisturbed device. The outputs that it
	// accepts define one.
	observe, react := golden.Hooks().Observe, stimulus.Hooks().React
	if react != nil && observe == nil {
		return nil, errors.New("the stimulus sees its device, and the golden model does not")
	}
	valids := payloads(l)
	instance, err := lib.New(cosim.InstanceOptions{Seed: seed})
	if err != nil {
		return nil, err
	}
	defer instance.Close()
	rst, hasReset := l.Slot("rst")
	for _, name := range slices.AppendSeq(slices.Clone(p.Quiet), maps.Keys(p.Hold)) {
		if _, ok := l.Slot(name); !ok {
			return nil, fmt.Errorf("no input %s to hold", name)
		}
	}
	iw, ow := l.InWords, l.OutWords
	got := make([]uint64, Step*ow)
	was, resets := false, 0
	for at := 0; r.first == 0 || at < r.first+spread+p.Cycles; at += Step {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		state, err := instance.State(nil)
		if err != nil {
			return nil, err
		}
		r.states = append(r.states, state)
		r.in = append(r.in, make([]uint64, Step*iw)...)
		r.want, r.care = append(r.want, make([]uint64, Step*ow)...), append(r.care, make([]uint64, Step*ow)...)
		for i := at; i < at+Step; i++ {
			in := r.in[i*iw : (i+1)*iw]
			stimulus.Next(in)
			for name, x := range p.Hold {
				l.MustSlot(name).Set(in, x)
			}
			if r.first != 0 && i >= r.first-warmUp/2 {
				for _, name := range p.Quiet {
					l.MustSlot(name).Set(in, 0)
				}
			}
			if hasReset {
				on := rst.Get(in) != 0
				if on && !was {
					resets++
				}
				was = on
				if resets > 1 {
					rst.Set(in, 0)
				}
			}
			r.events = append(r.events, golden.Events())
			want, care := r.want[i*ow:(i+1)*ow], r.care[i*ow:(i+1)*ow]
			if observe == nil {
				golden.Step(in, want, care)
				continue
			}
			out := got[(i-at)*ow : (i-at+1)*ow]
			if _, err := instance.Run(in, out); err != nil {
				return nil, err
			}
			observe(out)
			golden.Step(in, want, care)
			if w := r.differs(i, out, nil); w >= 0 {
				return nil, fmt.Errorf("the undisturbed unit differs from its golden model in cycle %d: %s", i, golden.Explain(in))
			}
			copy(want, out)
			valids.care(out, care)
			if react != nil {
				react(out)
			}
		}
		if observe == nil {
			if _, err := instance.Run(r.in[at*iw:], got); err != nil {
				return nil, err
			}
		}
		if w := r.differs(at, got, nil); w >= 0 {
			return nil, fmt.Errorf("the undisturbed unit differs from its golden model in cycle %d", at+w)
		}
		if r.first == 0 && golden.Events() > 0 {
			r.first = at + Step + warmUp
		}
		if at > 1<<20 && golden.Events() == 0 {
			return nil, fmt.Errorf("the unit took no event in %d cycles", at)
		}
	}
	r.events = append(r.events, golden.Events())
	return r, nil
}

// payload are the outputs that go with one whose name ends in valid.
type payload struct {
	valid cosim.Slot
	with  []cosim.Slot
}

// payloads returns the payload ports of a layout: every port that begins with the name of a valid
// port without its ending.
func payloads(l *cosim.Layout) (list stream) {
	for _, v := range l.Outputs {
		prefix, ok := strings.CutSuffix(v.Name, "valid")
		if !ok || v.Width != 1 {
			continue
		}
		x := payload{valid: v}
		for _, s := range l.Outputs {
			if s.Name != v.Name && strings.HasPrefix(s.Name, prefix) {
				x.with = append(x.with, s)
			}
		}
		list = append(list, x)
	}
	return list
}

type stream []payload

// care has all bits of an output vector except payloads of an output that is not valid.
func (list stream) care(out, care []uint64) {
	for i := range care {
		care[i] = ^uint64(0)
	}
	for _, x := range list {
		if x.valid.Get(out) == 0 {
			for _, s := range x.with {
				s.Write(care, make([]uint64, s.Words()))
			}
		}
	}
}

// lawful checks that the law holds for the undisturbed unit, and keeps its states.
func (p *Plan) lawful(r *record) error {
	law, err := p.Law(r.layout)
	if err != nil {
		return err
	}
	iw, ow := r.layout.InWords, r.layout.OutWords
	for i := range len(r.events) - 1 {
		if i%Step == 0 {
			r.laws = append(r.laws, law.Clone())
		}
		want := r.want[i*ow : (i+1)*ow]
		if !law.Lawful(r.in[i*iw:(i+1)*iw], want, r.care[i*ow:(i+1)*ow], want) && i >= r.first {
			return fmt.Errorf("the golden model's own outputs are not legal in cycle %d: the law is wrong", i)
		}
	}
	return nil
}

// differs returns the first cycle, counted from at, whose outputs differ from the wanted ones, or
// -1. ignore, if set, has ones in bits that do not count.
func (r *record) differs(at int, got, ignore []uint64) int {
	ow := r.layout.OutWords
	for i := range len(got) / ow {
		lo := (at + i) * ow
		for w := range ow {
			d := (r.want[lo+w] ^ got[i*ow+w]) & r.care[lo+w]
			if ignore != nil {
				d &^= ignore[w]
			}
			if d != 0 {
				return i
			}
		}
	}
	return -1
}

// watcher watches one instance after upsets.
type watcher struct {
	records  []*record
	instance *cosim.Instance
	ignore   []uint64 // of an output vector: counters
	compare  [][2]int
	got      []uint64
	state    []byte
	cycles   int
}

func (p *Plan) newWatcher(lib *cosim.Library, records []*record, compare [][2]int) (*watcher, error) {
	l := lib.Layout()
	x := &watcher{records: records, ignore: make([]uint64, l.OutWords), compare: compare, got: make([]uint64, Step*l.OutWords), cycles: p.Cycles}
	for _, s := range l.Outputs {
		if counts(s.Name) {
			ones := make([]uint64, s.Words())
			for i := range ones {
				ones[i] = ^uint64(0)
			}
			s.Write(x.ignore, ones)
		}
	}
	var err error
	if x.instance, err = lib.New(cosim.InstanceOptions{Seed: p.Seed}); err != nil {
		return nil, err
	}
	if _, err := x.instance.Run(records[0].in[:l.InWords], x.got[:l.OutWords]); err != nil {
		return nil, err
	}
	return x, nil
}

// end is the end of one upset.
type end struct {
	begin   int // cycle of the flip
	right   int // cycle from which the outputs are right
	lawful  int // cycle from which they are legal
	healed  bool
	unseen  bool
	isRight bool
	isLegal bool
}

// element makes all upsets of one register or memory.
func (x *watcher) element(ctx context.Context, p Plan, e cosim.Element, done func()) (Element, error) {
	h := fnv.New64a()
	h.Write([]byte(e.Name))
	rng := rand.New(rand.NewPCG(p.Seed, h.Sum64()))
	out := Element{Name: e.Name, Bits: e.Width, Words: e.Words(), Flips: p.Flips}
	var again, law [][2]uint64 // cycles and events
	bit := rng.IntN(e.Width)
	for i := range p.Flips {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		// Every bit of a word has its turn.
		r := x.records[i%len(x.records)]
		begin := r.first + rng.IntN(spread)
		f, err := x.upset(r, e, rng.IntN(e.Words()), bit, begin)
		if err != nil {
			return out, err
		}
		bit = (bit + 1) % e.Width
		span := func(to int) [2]uint64 {
			return [2]uint64{uint64(to - begin), r.events[to] - r.events[begin]}
		}
		switch {
		case f.unseen:
			out.Unseen++
		case f.isRight:
			out.Right++
			again = append(again, span(f.right))
		case f.isLegal:
			out.Legal++
			law = append(law, span(f.lawful))
		default:
			out.Never++
		}
		if (f.unseen || f.isRight) && !f.healed {
			out.Kept++
		}
		done()
	}
	out.Again, out.Law = spanOf(again), spanOf(law)
	return out, nil
}

func spanOf(list [][2]uint64) (s Span) {
	if len(list) == 0 {
		return s
	}
	column := func(i int) (median, max uint64) {
		var v []uint64
		for _, x := range list {
			v = append(v, x[i])
		}
		slices.Sort(v)
		return v[len(v)/2], v[len(v)-1]
	}
	_, s.MaxCycles = column(0)
	s.MedianEvents, s.MaxEvents = column(1)
	return s
}

// upset flips one bit before cycle begin, and watches.
func (x *watcher) upset(r *record, e cosim.Element, word, bit, begin int) (end, error) {
	iw, ow := r.layout.InWords, r.layout.OutWords
	f := end{begin: begin, right: begin, lawful: begin, unseen: true}
	// Advance to the cycle of the flip, from the saved state before it.
	at := begin / Step * Step
	law := r.laws[at/Step].Clone()
	for i := at; i < begin; i++ {
		law.Lawful(r.in[i*iw:(i+1)*iw], r.want[i*ow:(i+1)*ow], r.care[i*ow:(i+1)*ow], r.want[i*ow:(i+1)*ow])
	}
	if err := x.instance.SetState(r.states[at/Step]); err != nil {
		return f, err
	}
	if n := begin - at; n > 0 {
		if _, err := x.instance.Run(r.in[at*iw:begin*iw], x.got[:n*ow]); err != nil {
			return f, err
		}
		if r.differs(at, x.got[:n*ow], nil) >= 0 {
			return f, fmt.Errorf("a saved state does not continue as the run that it was saved in: report this as a fault of nicgen")
		}
	}
	var err error
	if x.state, err = x.instance.State(x.state[:0]); err != nil {
		return f, err
	}
	e.Flip(x.state, word, bit)
	if err := x.instance.SetState(x.state); err != nil {
		return f, err
	}
	stop := begin + x.cycles
	beats := r.beats(begin)
	for at = begin; at < stop; {
		n := min(Step-at%Step, stop-at)
		got := x.got[:n*ow]
		if beats == nil {
			if _, err := x.instance.Run(r.in[at*iw:(at+n)*iw], got); err != nil {
				return f, err
			}
		} else {
			for i := range n {
				in := beats.next(at + i)
				out := got[i*ow : (i+1)*ow]
				if _, err := x.instance.Run(in, out); err != nil {
					return f, err
				}
				beats.taken(in, out)
			}
		}
		for i := range n {
			lo, hi := (at+i)*ow, (at+i+1)*ow
			out := got[i*ow : (i+1)*ow]
			if r.differs(at+i, out, x.ignore) >= 0 {
				f.right, f.unseen = at+i+1, false
			}
			if !law.Lawful(r.in[(at+i)*iw:(at+i+1)*iw], r.want[lo:hi], r.care[lo:hi], out) {
				f.lawful = at + i + 1
			}
		}
		if at += n; at%Step == 0 {
			if x.state, err = x.instance.State(x.state[:0]); err != nil {
				return f, err
			}
			if f.healed = beats.upTo(at) && x.same(r.states[at/Step]); f.healed {
				break
			}
		}
	}
	// Without the proof by equal states, a quarter of the time without a difference must suffice.
	quiet := stop - x.cycles/4
	f.isRight = f.healed || f.right <= quiet
	f.isLegal = f.healed || f.lawful <= quiet
	return f, nil
}

// same compares the state with one of the undisturbed unit.
func (x *watcher) same(state []byte) bool {
	for _, s := range x.compare {
		if !bytes.Equal(x.state[s[0]:s[1]], state[s[0]:s[1]]) {
			return false
		}
	}
	return true
}
