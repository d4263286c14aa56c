// SPDX-License-Identifier: Apache-2.0

// Package axil implements a device of package registers whose words are accessed through the
// AXI4-Lite slave of a simulated design.
package axil

import (
	"errors"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/registers"
)

// patience is the largest number of cycles that an access may take.
const patience = 10_000

// ErrRefused is an access that the slave answers with an error.
var ErrRefused = errors.New("the slave answers with an error")

// Bus is a master in front of a simulation with ports s_axil_. Time advances during accesses, and
// while its server is idle if Free is set.
type Bus struct {
	sim  *cosim.Sim
	bits int64
	// Free is the number of cycles that pass at a time while no access is made, or 0.
	Free int
	// Each, if set, is called before each clock edge: it may read and drive other ports.
	Each func(s *cosim.Sim)
}

// New resets a design and gives its inputs values with which it works alone: 1 to inputs whose name
// ends in _ready, so that all of its output is taken, and 0 to the others.
func New(s *cosim.Sim) (*Bus, error) {
	b := &Bus{sim: s}
	for _, p := range s.Layout().Inputs {
		v := uint64(0)
		if strings.HasSuffix(p.Name, "_ready") {
			v = 1
		}
		s.Set(p.Name, v)
	}
	address, ok := s.Layout().Slot("s_axil_araddr")
	if !ok {
		return nil, errors.New("the design has no port s_axil_araddr")
	}
	b.bits = int64(address.Width)
	s.Set("s_axil_bready", 0)
	s.Set("s_axil_rready", 0)
	s.Set("rst", 1)
	b.Step(2)
	s.Set("rst", 0)
	return b, s.Err()
}

// Step lets cycles pass.
func (b *Bus) Step(n int) {
	for range n {
		if b.Each != nil {
			b.Each(b.sim)
		}
		b.sim.Step(1)
	}
}

// Idle implements registers.Idler.
func (b *Bus) Idle() bool {
	b.Step(b.Free)
	return b.Free > 0 && b.sim.Err() == nil
}

// Size implements registers.Device.
func (b *Bus) Size() uint64 { return 1 << b.bits }

// Close implements registers.Device. The simulation stays open.
func (b *Bus) Close() error { return nil }

// offer raises the valid signals of channels until each is taken.
func (b *Bus) offer(channels ...string) error {
	left := map[string]bool{}
	for _, c := range channels {
		b.sim.Set("s_axil_"+c+"valid", 1)
		left[c] = true
	}
	for range patience {
		var taken []string
		for _, c := range channels {
			if left[c] && b.sim.Get("s_axil_"+c+"ready") != 0 {
				taken = append(taken, c)
			}
		}
		b.Step(1)
		for _, c := range taken {
			b.sim.Set("s_axil_"+c+"valid", 0)
			delete(left, c)
		}
		if len(left) == 0 || b.sim.Err() != nil {
			return b.sim.Err()
		}
	}
	return fmt.Errorf("the slave does not take an access within %d cycles", patience)
}

// answer waits for an answer, takes it, and returns the value of a port at that time.
func (b *Bus) answer(channel, port string) (uint64, error) {
	b.sim.Set("s_axil_"+channel+"ready", 1)
	defer b.sim.Set("s_axil_"+channel+"ready", 0)
	for range patience {
		valid := b.sim.Get("s_axil_"+channel+"valid") != 0
		v, response := b.sim.Get("s_axil_"+port), b.sim.Get("s_axil_"+channel+"resp")
		b.Step(1)
		switch {
		case b.sim.Err() != nil:
			return 0, b.sim.Err()
		case valid && response != 0:
			return v, fmt.Errorf("response %d: %w", response, ErrRefused)
		case valid:
			return v, nil
		}
	}
	return 0, fmt.Errorf("the slave does not answer within %d cycles", patience)
}

// address sets the address of an access.
func (b *Bus) address(port string, at uint32) error {
	if at%4 != 0 || uint64(at) >= b.Size() {
		return fmt.Errorf("address 0x%x: want a multiple of 4 below 0x%x", at, b.Size())
	}
	b.sim.Set(port, uint64(at))
	return nil
}

// Read32 implements registers.Device.
func (b *Bus) Read32(at uint32) (uint32, error) {
	if err := b.address("s_axil_araddr", at); err != nil {
		return 0, err
	}
	if err := b.offer("ar"); err != nil {
		return 0, err
	}
	v, err := b.answer("r", "rdata")
	return uint32(v), err
}

// Write32 implements registers.Device.
func (b *Bus) Write32(at, value uint32) error {
	if err := b.address("s_axil_awaddr", at); err != nil {
		return err
	}
	b.sim.Set("s_axil_wdata", uint64(value))
	b.sim.Set("s_axil_wstrb", 15)
	if err := b.offer("aw", "w"); err != nil {
		return err
	}
	_, err := b.answer("b", "bresp")
	return err
}

var (
	_ registers.Device = (*Bus)(nil)
	_ registers.Idler  = (*Bus)(nil)
)
