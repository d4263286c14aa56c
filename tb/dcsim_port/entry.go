// SPDX-License-Identifier: Apache-2.0

package dcsimport

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:    bench.Reservations,
	New:      params.New,
	Bench:    func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:  Measure,
	Proofs:   proofs,
	Mutation: mutation,
	Upset:    upset,
}

// Measure is a port at full load: a descriptor in every cycle, and a line that never pauses.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := bench.MeasureEvents(p, p.Contract())
	o.Idle, o.Mask["s_frame_class"] = 2, 3
	o.Fixed["s_frame_valid"], o.Fixed["m_frame_ready"], o.Fixed["s_frame_len"] = 1, 1, 64
	return o
}
