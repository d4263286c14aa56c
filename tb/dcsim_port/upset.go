// SPDX-License-Identifier: Apache-2.0

package dcsimport

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the port's legal behaviour after a bit of its state changed: it may send
// other frames, more or fewer of them. An offer never follows one that was taken in the
// cycle before.
var upset = &bench.Upset{
	Settings: []string{small},
	Lifetime: "**The bound.** A row is wrong until its frame was sent, a token or the time on the line until the next one. A pointer or a count of a " +
		"queue stays wrong until the next reset: frames are sent twice or not at all, or fewer find room. The surroundings see it by the tags, " +
		"each of which is to come back once.",
	Sample: 1024,
	Law:    newLaw,
}

// small is a port with few rows, of which all are soon in use.
const small = "descriptors=32 queue_depth=4 queue=4 tag_bits=8 byte_bits=16 token_bits=24 counter_bits=8 data_packets=20 data_bytes=50000"

// newLaw demands that frames never begin in consecutive cycles, and that illegal descriptors are
// told.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	a := &apart{}
	err := a.x.bind(cfg.(*params.Params), l)
	return bench.Laws{a}, err
}

// apart is the law that an offer that is taken ends.
type apart struct {
	x     wires
	taken bool
}

// Clone implements bench.Law.
func (a *apart) Clone() bench.Law {
	c := *a
	return &c
}

// Lawful implements bench.Law.
func (a *apart) Lawful(in, _, _, got []uint64) bool {
	ok := !(a.taken && a.x.offered.On(got))
	a.taken = a.x.offered.On(got) && a.x.ready.On(in)
	return ok
}
