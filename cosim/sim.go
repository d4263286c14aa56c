// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Sim drives one instance of a design by port names, for directed tests and for
// designs that nicgen did not write:
//
//	m, err := cosim.Open(ctx, src)
//	…
//	defer m.Close()
//	m.Set("up", 1)
//	m.Step(3)
//	fmt.Println(m.Get("count"), m.Err())
//
// The first error, such as a port that does not exist, a value that does not
// fit or a failed assertion, makes every later call idle; Err returns it.
type Sim struct {
	lib     *Library
	inst    *Instance
	in, out []uint64 // of the present cycle
	fresh   bool     // out shows what the device answers to in
	cycle   uint64
	err     error
}

// Open compiles a design, or takes it from the cache, and powers up one instance whose
// registers hold random values until they are reset. It returns the errors of Build and
// New.
func Open(ctx context.Context, src Source) (*Sim, error) {
	lib, err := Build(ctx, src, BuildOptions{})
	if err != nil {
		return nil, err
	}
	inst, err := lib.New(InstanceOptions{Seed: 1})
	if err != nil {
		return nil, errors.Join(err, lib.Close())
	}
	l := lib.Layout()
	return &Sim{lib: lib, inst: inst, in: make([]uint64, l.InWords), out: make([]uint64, l.OutWords)}, nil
}

// Layout is the place of the ports in a vector; it also lists them.
func (s *Sim) Layout() *Layout { return s.lib.Layout() }

// Err returns the first error of the calls so far.
func (s *Sim) Err() error { return s.err }

// Cycle is the number of clock edges so far.
func (s *Sim) Cycle() uint64 { return s.cycle }

// input finds an input port.
func (s *Sim) input(port string) (Slot, bool) {
	if s.err != nil {
		return Slot{}, false
	}
	p, ok := s.lib.layout.Slot(port)
	if !ok || !slices.Contains(s.lib.layout.Inputs, p) {
		s.err = fmt.Errorf("module %s has no input %q, its inputs are %s", s.lib.src.Top, port, strings.Join(names(s.lib.layout.Inputs), ", "))
		return p, false
	}
	return p, true
}

func names(slots []Slot) []string {
	n := make([]string, len(slots))
	for i, s := range slots {
		n[i] = s.Name
	}
	return n
}

// Set gives an input a value, from now on. The value must fit the port; ports
// wider than 64 bits take it in their low bits, the others becoming zero.
func (s *Sim) Set(port string, v uint64) { s.SetWide(port, v) }

// SetWide gives an input of any width a value, low word first; missing words are
// zero.
func (s *Sim) SetWide(port string, words ...uint64) {
	p, ok := s.input(port)
	if !ok {
		return
	}
	fits := len(words) <= p.Words() || !slices.ContainsFunc(words[p.Words():], func(w uint64) bool { return w != 0 })
	if p.Width%64 != 0 && len(words) >= p.Words() {
		fits = fits && words[p.Words()-1]>>(p.Width%64) == 0
	}
	if !fits {
		s.err = fmt.Errorf("input %s of module %s has %d bits: value %#x does not fit", port, s.lib.src.Top, p.Width, words)
		return
	}
	p.Write(s.in, words)
	s.fresh = false
}

// Step lets n clock edges happen, with the inputs as they are set.
func (s *Sim) Step(n int) {
	for range n {
		if s.err != nil {
			return
		}
		_, s.err = s.inst.Run(s.in, s.out)
		if s.err == nil {
			s.cycle++
		}
		s.fresh = false
	}
}

// GetWide returns the value of a port of any width, low word first: of an output
// as it is after the edges so far and with the inputs as they are set, of an
// input as it was set. After an error it is nil.
func (s *Sim) GetWide(port string) []uint64 {
	if s.err != nil {
		return nil
	}
	p, ok := s.lib.layout.Slot(port)
	if !ok {
		s.err = fmt.Errorf("module %s has no port %q, its outputs are %s", s.lib.src.Top, port, strings.Join(names(s.lib.layout.Outputs), ", "))
		return nil
	}
	if slices.Contains(s.lib.layout.Inputs, p) {
		return p.Read(s.in)
	}
	if !s.fresh {
		if s.err = s.inst.peek(s.in, s.out); s.err != nil {
			return nil
		}
		s.fresh = true
	}
	return p.Read(s.out)
}

// Get returns the low 64 bits of a port; see GetWide. After an error it is zero.
func (s *Sim) Get(port string) uint64 {
	if w := s.GetWide(port); len(w) > 0 {
		return w[0]
	}
	return 0
}

// Log returns what the design has printed.
func (s *Sim) Log() string { return s.inst.Log() }

// Close frees the instance.
func (s *Sim) Close() error { return errors.Join(s.inst.Close(), s.lib.Close()) }
