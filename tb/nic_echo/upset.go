// SPDX-License-Identifier: Apache-2.0

package nicecho

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_echo"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the unit's legal behaviour after a bit of its state changed: it may give ACKs other
// entropy values and marks, and return other lists. No flush restores the state.
var upset = &bench.Upset{
	Settings: []string{
		"connections=4 ring=16 list=4 shim_bits=16 ring_memory=bram",
		"connections=4 ring=16 list=0 shim_bits=0 ring_memory=uram",
	},
	Quiet: []string{"s_flush_valid"},
	Lifetime: "**The bound.** A wrong bit of an entry in the ring stays until the next packet with a PSN of its place, one of marks and shims until the next ACK " +
		"of the connection, one of a list until it went out: meanwhile ACKs may have another entropy value or mark, and a list other packets. " +
		"Nothing stops the unit: every ACK is answered after its cycles, and lists go out; an upset of the ready flag makes it empty its connections again.",
	Sample: 16384,
	Law:    newLaw,
}

// behind is the number of lists that an undisturbed unit gives in the time in which the unit gives one.
const behind = 64

// newLaw demands that every ACK is answered in its cycle, that what has no hit has no entropy value, and
// that lists of legal lengths go out.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	if err := x.bind(p, l); err != nil {
		return nil, err
	}
	laws := bench.Laws{
		bench.NewSame(l, "m_echo_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(p.Ring)<<sv.IdxW(p.Connections) + 8},
		bench.Check(func(_, _, _, got []uint64) bool {
			var a params.Echo
			return !x.echoes.Read(got, &a) || a.Hit || a.EV == 0
		}),
	}
	if p.List > 0 {
		laws = append(laws,
			&bench.Range{When: x.fb, Port: x.fbCount, Min: 1, Max: uint64(p.List)},
			&bench.Range{When: x.fb, Port: x.fbConn, Max: uint64(p.Connections - 1)},
			&bench.Progress{Valid: x.fb, Ready: x.fbReady, Most: behind})
	}
	return laws, nil
}
