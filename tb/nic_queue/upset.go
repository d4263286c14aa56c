// SPDX-License-Identifier: Apache-2.0

package nicqueue

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the legal behaviour of the queues after a bit of their state changed.
var upset = &bench.Upset{
	Settings: []string{"kib=64 connections=5 conn_bits=3 meta_bits=8 max_frame=1024 ram_latency=1"},
	Lifetime: "**The bound.** A wrong bit of a beat, of a length or of meta stays until the packet left. A wrong bit of a link, of a queue's words or of the ring " +
		"of free cells can lose cells, or give one to two packets: these may then have other bytes or lengths, and connections more or fewer cells than " +
		"they seem to have, until the unit is reset. Visits end nevertheless, after as many cells as there are at most, and nothing stops the unit.",
	Sample: 4096,
	Law:    newLaw,
}

// behind is the number of words that an undisturbed unit gives in the time in which the unit gives one.
const behind = 2048

// newLaw demands that every packet's end is reported in its cycle, and that visits, packets and
// messages continue.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	ports := bench.NewPorts(unitName, l)
	return bench.Laws{
		bench.NewSame(l, "m_enter_valid"),
		&bench.Ready{Pin: ports.Pin("sts_ready"), Max: uint64(p.Connections) + 16},
		&bench.Progress{Valid: ports.Pin("m_done_valid"), Most: behind},
		&bench.Progress{Valid: ports.Pin("m_flow_valid"), Ready: ports.Pin("m_flow_ready"), Most: behind},
	}, ports.Err()
}
