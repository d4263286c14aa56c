// SPDX-License-Identifier: Apache-2.0

package failure

import (
	"context"
	"errors"
	"hash/maphash"
	"math/bits"
	"slices"
	"unsafe"

	"github.com/nicgen/nicgen/cosim"
)

// Bounds of a search for a shorter stimulus: runs, cycles in all of them, and
// words of stimulus that are kept.
const (
	maxTries  = 5000
	maxCycles = 20_000_000
	maxWords  = 1 << 27
)

// shrinker looks for the shortest stimulus that makes a device fail as it did
// with the one at hand.
//
// It starts with as few of the last cycles as suffice, then removes ranges of cycles, sets
// inputs to zero and makes values smaller, as long as the failure stays. The cycles of the
// first reset precede them: a device that was never reset fails for other reasons.
type shrinker struct {
	ctx   context.Context
	lib   *cosim.Library
	bench cosim.Bench
	seed  uint64
	goal  *cosim.Finding
	reset []uint64 // input vectors of the first reset, kept

	best   []uint64       // shortest stimulus so far, without the reset
	found  *cosim.Finding // its effect
	tries  int
	cycles uint64
	seen   map[uint64]bool // hashes of stimuli that were tried
}

var hashSeed = maphash.MakeSeed()

// errSpent ends a search whose bounds are reached; the best result stands.
var errSpent = errors.New("search is at its bounds")

// shrink returns the shortest failing stimulus with its effect, counted from its own first
// cycle.
func shrink(ctx context.Context, lib *cosim.Library, bench cosim.Bench, seed uint64, stimulus []uint64, goal *cosim.Finding) (*shrinker, error) {
	s := &shrinker{ctx: ctx, lib: lib, bench: bench, seed: seed, goal: goal, seen: map[uint64]bool{}}
	w := lib.Layout().InWords
	n := 0
	if rst, ok := lib.Layout().Slot(lib.Source().ResetPort()); ok && w > 0 {
		for n*w < len(stimulus) && rst.Get(stimulus[n*w:]) == 1 {
			n++
		}
		if n*w == len(stimulus) {
			n = 0 // it fails within the reset
		}
	}
	s.reset = slices.Clone(stimulus[:n*w])
	ok, err := s.try(stimulus[n*w:])
	if err == nil && !ok {
		return nil, errors.New("the failure does not repeat: the design draws random numbers of its own")
	}
	if err == nil && w > 0 {
		err = s.search()
	}
	if err != nil && !errors.Is(err, errSpent) {
		return nil, err
	}
	return s, nil
}

// vectors is the whole stimulus found, up to and with the failing cycle.
func (s *shrinker) vectors() []uint64 { return slices.Concat(s.reset, s.best) }

// try runs a stimulus, and keeps it if the device fails with it as it should.
func (s *shrinker) try(body []uint64) (bool, error) {
	l := s.lib.Layout()
	v := slices.Concat(s.reset, body)
	n := uint64(len(v) / max(l.InWords, 1))
	if l.InWords == 0 {
		n = s.goal.Cycle + 1
	}
	// Removing any one idle cycle gives the same stimulus.
	if len(v) > 0 {
		h := maphash.Bytes(hashSeed, unsafe.Slice((*byte)(unsafe.Pointer(&v[0])), 8*len(v)))
		if s.seen[h] {
			return false, nil
		}
		s.seen[h] = true
	}
	if s.tries++; s.found != nil && (s.tries > maxTries || s.cycles > maxCycles) {
		return false, errSpent
	}
	s.cycles += n
	f, err := cosim.Compare(s.ctx, s.lib, s.bench, s.seed, v, n)
	if err != nil || f == nil || !f.Same(s.goal) {
		return false, err
	}
	// Cycles after the failing one are useless.
	end := min(len(v), int(f.Cycle+1)*l.InWords)
	if end < len(s.reset) {
		return false, nil
	}
	s.best, s.found = v[len(s.reset):end], f
	return true, nil
}

// count is the number of cycles that the body of the stimulus has.
func (s *shrinker) count() int { return len(s.best) / s.lib.Layout().InWords }

func (s *shrinker) search() error {
	w := s.lib.Layout().InWords
	// The last few cycles usually suffice.
	for k := 8; k < s.count(); k *= 4 {
		ok, err := s.try(s.best[len(s.best)-k*w:])
		if err != nil {
			return err
		}
		if ok {
			break
		}
	}
	// One cycle of reset usually suffices.
	for len(s.reset) > w {
		kept := s.reset
		s.reset = kept[:len(kept)/w/2*w]
		ok, err := s.try(s.best)
		if !ok {
			s.reset = kept
		}
		if err != nil {
			return err
		}
		if !ok {
			break
		}
	}
	// Other inputs during the reset hardly ever matter.
	kept := s.reset
	rst, _ := s.lib.Layout().Slot(s.lib.Source().ResetPort())
	s.reset = make([]uint64, len(kept))
	for at := 0; at < len(kept); at += w {
		rst.Set(s.reset[at:], 1)
	}
	if ok, err := s.try(s.best); !ok {
		if s.reset = kept; err != nil {
			return err
		}
	}
	for before := -1; before != s.size() && s.count() > 0; {
		before = s.size()
		for _, pass := range []func() error{s.removeCycles, s.zeroPorts, s.zeroCycles, s.zeroInputs, s.removeCycles, s.smallerValues} {
			if err := pass(); err != nil {
				return err
			}
		}
	}
	return nil
}

// size returns the quantity that the search reduces: cycles, inputs that are not zero, and
// bits that are set.
func (s *shrinker) size() int {
	l := s.lib.Layout()
	n := s.count() << 32
	for at := 0; at < len(s.best); at += l.InWords {
		for _, p := range l.Inputs {
			if !p.IsZero(s.best[at:]) {
				n += 1 << 16
				n += int(p.Get(s.best[at:]) & 0xff)
			}
		}
	}
	return n
}

// ranges calls f for ranges of cycles, long ones first and late ones first.
func (s *shrinker) ranges(f func(lo, hi int) (bool, error)) error {
	for size := (s.count() + 1) / 2; size >= 1; size /= 2 {
		for hi := s.count(); hi > 0; hi -= size {
			hi = min(hi, s.count())
			if _, err := f(max(0, hi-size), hi); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *shrinker) removeCycles() error {
	w := s.lib.Layout().InWords
	return s.ranges(func(lo, hi int) (bool, error) {
		return s.try(slices.Concat(s.best[:lo*w], s.best[hi*w:]))
	})
}

// varying lists the inputs that are not the same in every cycle. The others are
// settings: they are changed for all cycles or not at all.
func (s *shrinker) varying() []cosim.Slot {
	l := s.lib.Layout()
	var list []cosim.Slot
	if s.count() == 0 {
		return nil
	}
	for _, p := range l.Inputs {
		first := p.Read(s.best)
		for at := l.InWords; at < len(s.best); at += l.InWords {
			if !slices.Equal(first, p.Read(s.best[at:])) {
				list = append(list, p)
				break
			}
		}
	}
	return list
}

// change tries a copy of the stimulus in which f has changed cycles lo to hi. It
// does not run what f left as it was.
func (s *shrinker) change(lo, hi int, f func(v []uint64)) (bool, error) {
	w := s.lib.Layout().InWords
	v := slices.Clone(s.best)
	for i := lo; i < hi; i++ {
		f(v[i*w : (i+1)*w])
	}
	if slices.Equal(v, s.best) {
		return false, nil
	}
	return s.try(v)
}

func (s *shrinker) zeroPorts() error {
	for _, p := range s.lib.Layout().Inputs {
		if _, err := s.change(0, s.count(), func(v []uint64) { p.Write(v, nil) }); err != nil {
			return err
		}
	}
	return nil
}

func (s *shrinker) zeroCycles() error {
	varying := s.varying()
	return s.ranges(func(lo, hi int) (bool, error) {
		return s.change(lo, hi, func(v []uint64) {
			for _, p := range varying {
				p.Write(v, nil)
			}
		})
	})
}

func (s *shrinker) zeroInputs() error {
	for _, p := range s.varying() {
		for i := s.count() - 1; i >= 0; i-- {
			if i >= s.count() {
				continue // the stimulus has become shorter
			}
			if _, err := s.change(i, i+1, func(v []uint64) { p.Write(v, nil) }); err != nil {
				return err
			}
		}
	}
	return nil
}

// smallerValues replaces values by small ones: first in all inputs of a width
// at once, so that what belongs together stays equal, then one by one.
func (s *shrinker) smallerValues() error {
	l := s.lib.Layout()
	type key struct {
		width int32
		value uint64
	}
	var keys []key
	seen := map[key]bool{}
	for at := 0; at < len(s.best); at += l.InWords {
		for _, p := range l.Inputs {
			k := key{p.Width, p.Get(s.best[at:])}
			if p.Width > 1 && p.Width <= 64 && k.value > 1 && !seen[k] {
				seen[k] = true
				keys = append(keys, k)
			}
		}
	}
	for _, k := range keys {
		err := descend(k.value, func(from, to uint64) (bool, error) {
			return s.change(0, s.count(), func(v []uint64) {
				for _, p := range l.Inputs {
					if p.Width == k.width && p.Get(v) == from {
						p.Set(v, to)
					}
				}
			})
		})
		if err != nil {
			return err
		}
	}
	for _, p := range s.varying() {
		for i := 0; i < s.count(); i++ {
			x := p.Read(s.best[i*l.InWords:])
			for j, word := range x {
				err := descend(word, func(from, to uint64) (bool, error) {
					if i >= s.count() {
						return false, nil // the stimulus has become shorter
					}
					x[j] = to
					ok, err := s.change(i, i+1, func(v []uint64) { p.Write(v, x) })
					if !ok {
						x[j] = from
					}
					return ok, err
				})
				if err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// descend replaces a value by smaller ones as long as accept takes one.
func descend(x uint64, accept func(from, to uint64) (bool, error)) error {
	for again := true; again; {
		again = false
		for _, to := range smaller(x) {
			ok, err := accept(x, to)
			if err != nil {
				return err
			}
			if ok {
				x, again = to, true
				break
			}
		}
	}
	return nil
}

// smaller lists values to try in place of x, the best first.
func smaller(x uint64) []uint64 {
	if x == 0 {
		return nil
	}
	var list []uint64
	for _, y := range []uint64{0, 1, 2, 3, x >> 32, x >> 16, x >> 8, x >> 4, x >> 2, x >> 1, x &^ (1 << (bits.Len64(x) - 1)), x & (x - 1)} {
		if y < x && !slices.Contains(list, y) {
			list = append(list, y)
		}
	}
	return list
}
