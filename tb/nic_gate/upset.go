// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset is what the gate may do after a bit of its state changed.
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

// behind is how many words of a stream an undisturbed unit gives in the time in which the unit gives one.
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
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	return bench.Laws{
		bench.NewSame(l, "m_sample_valid", "m_sample_conn", "m_sample_tag"),
		bench.Check(func(_, _, _, got []uint64) bool {
			return !x.sample.On(got) || (x.hit.On(got) || x.sampleEV.Get(got) == 0 && !x.measured.On(got)) &&
				(x.measured.On(got) || x.rtt.Get(got) == 0) && (x.moved.On(got) || x.acked.Get(got) == 0 && x.psns.Get(got) == 0)
		}),
		bench.Check(func(_, _, _, got []uint64) bool {
			return !x.pop.On(got) || x.discard.On(got) || x.budget.Get(got) > 0 && x.budget.Get(got) < 1<<16
		}),
		&bench.Ready{Pin: x.ready, Max: 2*uint64(p.Sweep()) + 8},
		&bench.Ready{Pin: x.dueReady, Max: 4096},
		&bench.Progress{Valid: x.push, Ready: x.pushReady, Most: behind},
		&bench.Progress{Valid: x.pop, Ready: x.popReady, Most: behind},
		&bench.Progress{Valid: x.send, Most: behind},
		&bench.Progress{Valid: x.over, Most: behind},
	}, nil
}
