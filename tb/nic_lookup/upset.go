// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the legal behaviour of the search after a bit of its state changed: it may miss, or
// find another connection.
var upset = &bench.Upset{
	Settings: []string{"rows=256 key_bits=16 ways=2 connections=16 conn_bits=5"},
	Lifetime: "**The bound.** A wrong bit of an entry stays until its place is written again: its key misses then, another key that no connection has may hit, " +
		"or the wrong connection is told. Software finds it by reading back what it has a copy of. A bit in the pipeline is gone with its search. An upset " +
		"of the ready flag makes the unit clear all places: software has to write them again. An operation that is held is lost, or carried out with the wrong bit.",
	Sample: 4096,
	Law:    newLaw,
}

// opMost is the number of cycles in which an operation begins in the bench's traffic, where port B has
// searches in every cycle for an episode.
const opMost = 3000

// newLaw demands an answer to every search in its cycle, that operations are taken, and that the table
// becomes ready.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p := cfg.(*params.Params)
	var x wires
	err := x.bind(p, l)
	laws := bench.Laws{
		bench.NewSame(l, "m_a_valid", "m_b_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(p.Rows) + 8},
		&bench.Ready{Pin: x.opReady, Max: opMost + uint64(p.Rows)},
	}
	for i := range x.founds {
		laws = append(laws, bench.Check(func(_, _, _, got []uint64) bool {
			var a params.Found
			return !x.founds[i].Read(got, &a) || !a.Hit || int64(a.Conn) < p.Connections
		}))
	}
	return laws, err
}
