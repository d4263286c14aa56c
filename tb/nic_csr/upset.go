// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the legal behaviour of the registers after a bit of their state changed.
var upset = &bench.Upset{
	Settings: []string{"window=none addr_bits=14"},
	Lifetime: "**The bound.** A wrong bit of a setting stays until the next commit, one of what was written for it until it is written again, one of an event " +
		"until its clear, of a window's word until it is taken. An access under way may be lost, done twice or answered wrongly; the next one is not. " +
		"Nothing stops the bus.",
	Sample: 2048,
	Law:    newLaw,
}

// newLaw demands that the bus continues, and answers only requests.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	x := &wires{}
	err := x.bind(cfg.(*params.Params), l)
	return bench.Laws{
		&answered{waits: func(got []uint64) bool { return !x.awReady.On(got) && !x.wReady.On(got) && !x.writeAnswers.On(got) }},
		&answered{waits: func(got []uint64) bool { return !x.arReady.On(got) && !x.readAnswers.On(got) }},
		bench.Check(func(_, _, _, got []uint64) bool {
			var a params.WriteAnswer
			write := !x.writeAnswers.Read(got, &a) || !x.awReady.On(got) && !x.wReady.On(got) && a.Resp&1 == 0
			return write && (!x.readAnswers.On(got) || !x.arReady.On(got)) && x.rResp.Get(got) == 0
		}),
	}, err
}

// longest is more than the cycles that an access is under way.
const longest = 8

// answered demands that an access that was taken is answered in some cycles.
type answered struct {
	waits func(got []uint64) bool
	since int
}

// Clone implements bench.Law.
func (a *answered) Clone() bench.Law {
	c := *a
	return &c
}

// Lawful implements bench.Law.
func (a *answered) Lawful(_, _, _, got []uint64) bool {
	if a.since++; !a.waits(got) {
		a.since = 0
	}
	return a.since < longest
}
