// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_gate"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the gate's legal behaviour after a bit of its state changed.
var upset = &bench.Upset{
	Settings: []string{"connections=8 conn_bits=4 ring=16 ring_latency=3"},
	Lifetime: "**The bound.** A wrong bit of a window stays until the next one, one of bytes or PSNs in flight until nothing is or until a flush, one of an " +
		"entry until the next packet with its PSN. A wrong pointer of a queue brings connections or POPs that nobody wanted, or loses some, until it was read to its " +
		"end: whether there is a place, or room, follows from its pointers in each cycle. A wrong bit of whether a connection has its turns, or of how many " +
		"packets it has, can take it out of the pacer or put it there twice; its events may be illegal, which `evt_illegal` tells, until it is flushed; a bit " +
		"of the flush can do so, too. A flush that waits for a turn, or for a DONE, that is lost ends when `cfg_flush_force` rises. Other connections go on: the scan visits each, and what lanes do " +
		"follows from the events that come. An upset of the ready flag makes the unit empty its connections again.",
	Stimulus: crowd,
	Sample:   4096,
	Law:      newLaw,
}

// behind is the number of words of a stream that an undisturbed unit may give until the disturbed unit
// gives one.
const behind = 128

// crowd is traffic of all connections: where one has lost its turn, the others' show that the unit goes on.
func crowd(cfg gen.Config, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	return newTraffic(p, l, seed, true)
}

// newLaw demands that every ACK has its sample, with what came with it, that a sample and a POP tell what can be, and
// that all goes on: DUEs are taken, and there are PUSHes, POPs, SENDs and DONEs.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	if err := x.bind(p, l); err != nil {
		return nil, err
	}
	return bench.Laws{
		bench.NewSame(l, "m_sample_valid", "m_sample_conn", "m_sample_tag"),
		bench.Check(func(_, _, _, got []uint64) bool {
			var s params.Sample
			return !x.samples.Read(got, &s) || (s.Hit || s.EV == 0 && !s.Measured) &&
				(s.Measured || s.RTT == 0) && (s.Moved || s.Acked == 0 && s.PSNs == 0)
		}),
		bench.Check(func(_, _, _, got []uint64) bool {
			var v params.Pop
			return !x.visits.Read(got, &v) || v.Discard || v.Budget > 0 && v.Budget < 1<<16
		}),
		&bench.Ready{Pin: x.ready, Max: 2*uint64(p.Sweep()) + 8},
		&bench.Ready{Pin: x.dueReady, Max: 4096},
		&bench.Progress{Valid: x.push, Ready: x.pushReady, Most: behind},
		&bench.Progress{Valid: x.pop, Ready: x.popReady, Most: behind},
		&bench.Progress{Valid: x.send, Most: behind},
		&bench.Progress{Valid: x.over, Most: behind},
	}, nil
}
