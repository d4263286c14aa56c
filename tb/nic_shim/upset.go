// SPDX-License-Identifier: Apache-2.0

package nicshim

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/event"
	params "github.com/nicgen/nicgen/gen/nic_shim"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the legal behaviour of the shims after a bit of their state changed: they may
// assemble a frame wrongly, or lose it.
var upset = &bench.Upset{
	Settings: []string{""},
	Lifetime: "**The bound.** A bit of a beat that is kept is wrong in the frame that has it. Whether the unit is inside of a frame, and with which shim, is " +
		"known again with the frame's last beat: until then beats may be moved by another number of bytes, be left out, or be taken for a first one. " +
		"A record is wrong until the next one.",
	Sample: 1024,
	Law:    newLaw,
}

// newLaw demands that an offer stands, that no beat waits without reason, and that records are of shims
// that are known.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, x := cfg.(*params.Params), &wires{}
	err := x.bind(p, l)
	return bench.Laws{
		&offer{x: x},
		bench.Check(func(_, _, _, got []uint64) bool {
			var e params.Record
			if !x.records.Read(got, &e) {
				return true
			}
			return p.Size(int(e.Subtype)) != 0 && e.End == (e.Subtype == params.LAPS && e.Type >= 2)
		}),
	}, err
}

// offer is the law of the stream to the network: a beat that is not taken stays, and none is refused in
// two cycles that the line could take one in.
type offer struct {
	x       *wires
	valid   bool // a beat was offered and not taken
	last    bool
	keep    uint64
	refused bool
}

// Clone implements bench.Law.
func (o *offer) Clone() bench.Law {
	c := *o
	return &c
}

// Lawful implements bench.Law.
func (o *offer) Lawful(in, _, _, got []uint64) bool {
	x := o.x
	var b event.Beat
	valid := x.outs.Read(got, &b)
	last, keep := b.Last, b.Keep
	free := x.outReady.On(in) || !valid
	refused := free && !x.taken.On(got)
	ok := !(o.valid && (!valid || last != o.last || keep != o.keep)) && !(refused && o.refused)
	rst := x.rst.On(in)
	o.valid, o.last, o.keep = valid && !free && !rst, last, keep
	o.refused = refused && !rst
	return ok
}
