// SPDX-License-Identifier: Apache-2.0

package dcsimresponder

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the receiving host's legal behaviour after a bit of its state changed: it may
// name other DATAs, or fewer, always of a flow that exists.
var upset = &bench.Upset{
	Settings: []string{"flows=4 flow_bits=3 port_bits=8 tag_bits=8 sim_acks=4"},
	Lifetime: "**The bound.** A SIM-ACK, a tag, a DATA-ACK that is being made are gone when they have left; a stamp is renewed when nothing waits. A pointer of a flow " +
		"that is wrong stays so until the next reset: the flow has tags acknowledged again, or `places` of them not. Acknowledged in error, they are lost if the DATA is, " +
		"which the transport above has to see; not acknowledged, the source sends them again.",
	Sample: 1024,
	Law:    newLaw,
}

// newLaw demands that the unit becomes ready, and that answers are to flows that exist.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p := cfg.(*params.Params)
	var x wires
	err := x.bind(p, l)
	return bench.Laws{
		&bench.Ready{Pin: x.ready, Max: uint64(p.ReadyDelay()) + 8},
		bench.Check(func(_, _, _, got []uint64) bool {
			var sim params.Answer
			var tag params.Ack
			return (!x.simAcks.Read(got, &sim) || sim.Flow < uint64(p.Flows)) && (!x.acks.Read(got, &tag) || tag.Flow < uint64(p.Flows))
		}),
	}, err
}
