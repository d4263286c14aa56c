// SPDX-License-Identifier: Apache-2.0

// Package clocked runs the RTL of a simulated host with its own clock, cycle by cycle alongside its golden model: an event of the network
// enters in the first cycle from its time on in which its port is free, so several ports may have events in one cycle. Cycles in which nothing
// can happen are left out; the time that the RTL sees jumps over them.
package clocked

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/sim/agenda"
)

// Period is the clock period in ps: 322.265625 MHz, as of the U280's 100 Gb/s MAC.
const Period agenda.Instant = 3103

const batch = 64 // cycles, at most, that are simulated at once

// Config is a unit and what it needs to know of it.
type Config struct {
	Library *cosim.Library
	Golden  cosim.Predictor // predicts the outputs of every cycle
	Inputs  []uint64        // of a cycle without events: the settings
	Calm    uint64          // cycles after the last event in which its outputs come, and after which cycles may be left out

	// See is shown the outputs of each cycle whose inputs were of an event, and of Calm cycles behind it.
	See func(cycle uint64, out []uint64) error
}

// Unit is RTL that runs. Cycle k is at k times Period.
type Unit struct {
	Config
	Cycles  uint64 // that were simulated after the reset
	LeftOut uint64 // in which nothing could happen: they were not simulated

	observe func(got []uint64) // of Golden; nil: it does not see the device
	inst    *cosim.Instance
	now     cosim.Slot
	timed   bool // there is such a port
	iw, ow  int
	cycle   uint64 // the next one
	last    uint64 // from which on nothing is under way
	free    []uint64
	pending []entry // in the order of cycles
	ports   []*port
	in, out []uint64
	want    []uint64
	care    []uint64
}

type entry struct {
	cycle uint64
	in    []uint64
}

// port is one with a handshake.
type port struct {
	name   string // of its ready output
	ready  cosim.Slot
	offers []offer // in order
}

// due reports whether an event is offered in a cycle.
func (p *port) due(cycle uint64) bool { return len(p.offers) > 0 && p.offers[0].cycle <= cycle }

// offer is an event that stays at its port until it is taken.
type offer struct {
	cycle uint64 // from which on
	set   func(in []uint64)
}

// Open powers a unit up and resets it: with the reset in ports, until ready is 1, for at most the given number of cycles. lanes is
// the number of ports for events.
func Open(c Config, lanes int, reset, ready string, most int) (*Unit, error) {
	l := c.Library.Layout()
	u := &Unit{Config: c, observe: c.Golden.Hooks().Observe, iw: l.InWords, ow: l.OutWords, free: make([]uint64, lanes)}
	u.in, u.out = make([]uint64, batch*u.iw), make([]uint64, batch*u.ow)
	u.want, u.care = make([]uint64, u.ow), make([]uint64, u.ow)
	rst, ok := l.Slot(reset)
	up, ok2 := l.Slot(ready)
	if !ok || !ok2 {
		return nil, fmt.Errorf("clocked: the unit lacks one of the ports %s and %s", reset, ready)
	}
	u.now, u.timed = l.Slot("now_ns")
	var err error
	if u.inst, err = c.Library.New(cosim.InstanceOptions{Seed: 1}); err != nil {
		return nil, err
	}
	for n := range most {
		copy(u.in, u.Inputs)
		if n == 0 {
			rst.Set(u.in, 1)
		}
		if err = u.simulate(1); err == nil && n > 0 && up.Get(u.out) == 1 {
			return u, nil
		}
		if err != nil {
			return nil, errors.Join(err, u.Close())
		}
	}
	return nil, errors.Join(fmt.Errorf("clocked: %s is 0 %d cycles after a reset", ready, most), u.Close())
}

// Close frees the unit.
func (u *Unit) Close() error { return u.inst.Close() }

// At is the time of a cycle.
func At(cycle uint64) agenda.Instant { return agenda.Instant(cycle) * Period }

// Drive lets an event at a time enter by a port, in the first cycle in which it is free, and returns that cycle. set sets the inputs.
func (u *Unit) Drive(lane int, at agenda.Instant, set func(in []uint64)) uint64 {
	cycle := max(uint64((at+Period-1)/Period), u.cycle, u.free[lane])
	u.free[lane] = cycle + 1
	i := len(u.pending)
	for i > 0 && u.pending[i-1].cycle >= cycle {
		i--
	}
	if i == len(u.pending) || u.pending[i].cycle != cycle {
		u.pending = append(u.pending, entry{})
		copy(u.pending[i+1:], u.pending[i:])
		u.pending[i] = entry{cycle, append([]uint64(nil), u.Inputs...)}
	}
	set(u.pending[i].in)
	return cycle
}

// Setup drives inputs before time begins, until ready is 1 (empty: for one cycle), for at most the given
// number of cycles.
func (u *Unit) Setup(ready string, most int, set func(in []uint64)) error {
	for range most {
		copy(u.in, u.Inputs)
		set(u.in)
		if err := u.simulate(1); err != nil {
			return err
		}
		if ready == "" || u.Library.Layout().MustSlot(ready).Get(u.out) == 1 {
			return nil
		}
	}
	return fmt.Errorf("clocked: %s is 0 for %d cycles", ready, most)
}

// Hold offers an event at a time by the port whose ready output has that name: it stays until it is taken, and those behind it at the same port wait.
// It returns the cycle in which it is offered if nothing waits.
func (u *Unit) Hold(ready string, at agenda.Instant, set func(in []uint64)) uint64 {
	i := slices.IndexFunc(u.ports, func(p *port) bool { return p.name == ready })
	if i < 0 {
		i = len(u.ports)
		u.ports = append(u.ports, &port{name: ready, ready: u.Library.Layout().MustSlot(ready)})
	}
	cycle := max(uint64((at+Period-1)/Period), u.cycle)
	u.ports[i].offers = append(u.ports[i].offers, offer{cycle, set})
	return cycle
}

// Keep lets the clock run up to a cycle, and Calm cycles beyond: something is under way that no event shows.
func (u *Unit) Keep(cycle uint64) { u.last = max(u.last, cycle+u.Calm) }

// Cycle is the next cycle.
func (u *Unit) Cycle() uint64 { return u.cycle }

// Run simulates the cycles up to a time.
func (u *Unit) Run(to agenda.Instant) error {
	behind := uint64(to/Period) + 1
	for u.cycle < behind {
		if u.cycle > u.last { // nothing is under way
			next := behind
			if len(u.pending) > 0 {
				next = min(next, u.pending[0].cycle)
			}
			for _, p := range u.ports {
				if len(p.offers) > 0 {
					next = min(next, max(u.cycle, p.offers[0].cycle))
				}
			}
			u.LeftOut += next - u.cycle
			if u.cycle = next; u.cycle == behind {
				return nil
			}
		}
		n := int(min(batch, behind-u.cycle))
		offered := false
		for i := range n {
			in, cycle := u.in[i*u.iw:][:u.iw], u.cycle+uint64(i)
			if len(u.pending) > 0 && u.pending[0].cycle == cycle {
				copy(in, u.pending[0].in)
				u.pending = append(u.pending[:0], u.pending[1:]...)
				u.Keep(cycle)
			} else {
				copy(in, u.Inputs)
			}
			if u.timed {
				u.now.Set(in, At(cycle).NS()&u.now.Mask())
			}
			for _, p := range u.ports {
				if p.due(cycle) {
					p.offers[0].set(in)
					u.Keep(cycle)
					offered = true
				}
			}
			if offered || cycle == u.last {
				n = i + 1
				break
			}
		}
		if err := u.simulate(n); err != nil {
			return err
		}
		for _, p := range u.ports {
			if offered && p.due(u.cycle+uint64(n-1)) && p.ready.Get(u.out[(n-1)*u.ow:]) == 1 {
				p.offers = append(p.offers[:0], p.offers[1:]...)
			}
		}
		for i := range n {
			if err := u.See(u.cycle+uint64(i), u.out[i*u.ow:][:u.ow]); err != nil {
				return err
			}
		}
		u.cycle += uint64(n)
		u.Cycles += uint64(n)
	}
	return nil
}

// simulate runs cycles whose inputs are set, and compares.
func (u *Unit) simulate(n int) error {
	if _, err := u.inst.Run(u.in[:n*u.iw], u.out[:n*u.ow]); err != nil {
		return err
	}
	for i := range n {
		in, out := u.in[i*u.iw:][:u.iw], u.out[i*u.ow:][:u.ow]
		if u.observe != nil {
			u.observe(out)
		}
		clear(u.want)
		clear(u.care)
		u.Golden.Step(in, u.want, u.care)
		for w := range out {
			if (out[w]^u.want[w])&u.care[w] != 0 {
				return &Difference{u.cycle + uint64(i), cosim.Diffs(u.Library.Layout(), u.want, u.care, out), u.Golden.Explain(in)}
			}
		}
	}
	return nil
}

// Difference is the error of RTL that is not what its golden model says.
type Difference struct {
	Cycle   uint64
	Diffs   []cosim.Diff
	Explain string // of the golden model
}

// Error names the ports with what they are, and what they should be.
func (d *Difference) Error() string {
	var ports []string
	for _, x := range d.Diffs {
		ports = append(ports, fmt.Sprintf("%s is 0x%s, want 0x%s", x.Port, x.Got, x.Want))
	}
	return fmt.Sprintf("cycle %d, %d ns: %s; the golden model: %s", d.Cycle, At(d.Cycle).NS(), strings.Join(ports, ", "), d.Explain)
}
