// SPDX-License-Identifier: Apache-2.0

package event

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

// Contract is the interface that a configuration of a unit promises to its environment.
type Contract struct {
	// Events are the input streams, in the order in which events of one cycle take effect.
	Events []*Stream
	// Answers are the output streams.
	Answers []Answer
	// Settings are the run-time settings, sampled with each event, or nil.
	Settings *Stream
	// Ambient are the inputs that take effect in every cycle, such as the time; it may be nil.
	Ambient *Stream
	// Reset is the number of cycles from rst until the reset acts.
	Reset int
	// Registered is set if rst passes a register before it takes effect: in its first cycle the
	// unit is still ready and accepts events.
	Registered bool
	// Sweep is the number of cycles from the reset until the unit is ready. 0 means that the unit
	// is ready immediately, or that its golden side decides.
	Sweep int64
	// Counters returns the event counters, in the order of their ports.
	Counters []Counter
	// Illegal is the counter of illegal events, Dropped the counter of events that arrive while the
	// unit is not ready; either may be empty.
	Illegal, Dropped string
	// Pulse is the output that signals an illegal event PulseAfter cycles after it; empty if the
	// unit has no such output.
	Pulse      string
	PulseAfter int
	// Lanes is the width in bits of an element of each port that is an array, by port. A port
	// without an entry is an array of 64-bit words.
	Lanes map[string]int
	// Rare are ports that most callers of this configuration leave at 0, besides the fields that are
	// always Rare.
	Rare []string
	// Others are ports that belong to no stream; the golden side handles them itself.
	Others []string
}

// Answer is an output stream of a contract.
type Answer struct {
	*Stream
	To    string // the streams that it answers, one for one and in order, separated by spaces; may be empty
	After int    // cycles from the event; 0: it varies
}

// Counter is an event counter.
type Counter struct {
	Name  string // "ack" of the port sts_ack_cnt
	After int    // cycles from the cause to the port
	Most  uint64 // that it gains in a cycle; 0: MostCounts
}

// MostCounts is the default of the largest step of a counter in a cycle.
const MostCounts = 63

// Contracted is a Config with a contract.
type Contracted interface {
	gen.Config
	Contract() *Contract
}

// Of returns the contract of a configuration, or nil.
func Of(cfg gen.Config) *Contract {
	if c, ok := cfg.(Contracted); ok {
		return c.Contract()
	}
	return nil
}

// Counters returns counters in the order of their ports. after has the delays of some of them by name, and
// the delay of the others under "".
func Counters(names []string, after map[string]int) (list []Counter) {
	for _, n := range names {
		d, ok := after[n]
		if !ok {
			d = after[""]
		}
		list = append(list, Counter{Name: n, After: d})
	}
	return list
}

// Streams lists all streams and groups of a contract.
func (c *Contract) Streams() (list []*Stream) {
	list = append(list, c.Events...)
	for _, a := range c.Answers {
		list = append(list, a.Stream)
	}
	for _, s := range []*Stream{c.Settings, c.Ambient} {
		if s != nil {
			list = append(list, s)
		}
	}
	return list
}

// Check compares a contract with the ports of a configuration: each port must be in exactly one
// place, and each name must be a port with the right direction that fits its Go type. It returns
// one line for each fault, sorted.
func (c *Contract) Check(cfg gen.Config) []string {
	k := checker{left: map[string]gen.Port{}, lanes: c.Lanes}
	for _, p := range cfg.Ports() {
		k.left[p.Name] = p
	}
	for _, a := range c.Answers {
		for _, name := range strings.Fields(a.To) {
			if !slices.ContainsFunc(c.Events, func(s *Stream) bool { return s.Name == name }) {
				k.fault("%s: answers %s, which is no event of the contract", a.Valid, name)
			}
		}
		for _, f := range a.Fields {
			if f.Only != "" && !slices.ContainsFunc(a.Fields, func(x Field) bool { return x.Bool && x.Port == a.Prefix+f.Only }) {
				k.fault("%s: only with %s, which is no flag of the answer", f.Port, f.Only)
			}
		}
	}
	for _, s := range c.Streams() {
		in := !slices.ContainsFunc(c.Answers, func(a Answer) bool { return a.Stream == s })
		k.stream(s, in)
	}
	for _, x := range c.Counters {
		k.take("sts_"+x.Name+"_cnt", gen.Out)
	}
	k.take("clk", gen.In)
	k.take("rst", gen.In)
	if c.Sweep > 0 {
		k.take("sts_ready", gen.Out)
	}
	if c.Pulse != "" {
		k.take(c.Pulse, gen.Out)
	}
	for _, n := range c.Others {
		if p, ok := k.left[n]; ok {
			k.take(n, p.Dir)
		} else {
			k.fault("%s: no such port, or named twice", n)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(k.left)) {
		k.fault("%s: the contract does not name this port", n)
	}
	slices.Sort(k.bad)
	return k.bad
}

// checker takes ports away from those that are left.
type checker struct {
	left  map[string]gen.Port
	lanes map[string]int
	bad   []string
}

func (k *checker) fault(format string, args ...any) {
	k.bad = append(k.bad, fmt.Sprintf(format, args...))
}

func (k *checker) take(name string, dir gen.Dir) (p gen.Port, ok bool) {
	p, ok = k.left[name]
	delete(k.left, name)
	switch {
	case !ok:
		k.fault("%s: no such port, or named twice", name)
	case p.Dir != dir:
		k.fault("%s: the port has the other direction", name)
	}
	return p, ok
}

func (k *checker) stream(s *Stream, in bool) {
	dir, back := gen.In, gen.Out
	if !in {
		dir, back = back, dir
	}
	if s.Valid != "" {
		k.take(s.Valid, dir)
	}
	if s.Ready != "" {
		k.take(s.Ready, back)
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if f.Bits > int(8*f.Size) {
			k.fault("%s: %d bits of an element, but field %s holds %d", f.Port, f.Bits, f.Name, 8*f.Size)
		}
		if _, ok := k.left[f.Port]; !ok && f.Optional || f.Low > 0 {
			continue // a port that fields share is taken with the first of them
		}
		p, ok := k.take(f.Port, dir)
		if !ok {
			continue
		}
		if most := f.bits(k.lanes[f.Port]); p.Bits > most {
			k.fault("%s: %d bits, but field %s holds %d", f.Port, p.Bits, f.Name, most)
		}
		if f.Bits > 0 && p.Bits%f.Step != 0 {
			k.fault("%s: %d bits, but its elements have %d", f.Port, p.Bits, f.Step)
		}
	}
}

// bits returns the number of bits that a field holds, with elements of the given width, or 64 if it is 0.
func (f *Field) bits(lane int) int {
	switch {
	case f.Bool:
		return 1
	case f.Elements == 0:
		return int(8 * f.Size)
	case f.Bits > 0:
		lane = f.Step
	case lane == 0:
		lane = int(8 * f.Size)
	}
	if f.Bits == 0 {
		lane = min(lane, int(8*f.Size))
	}
	return f.Elements * lane
}
