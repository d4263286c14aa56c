// SPDX-License-Identifier: Apache-2.0

package nicqueue

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_queue"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
	"github.com/nicgen/nicgen/tb/plant"
)

// small is a configuration of few cells, for simulators that take long.
const small = "kib=64 connections=5 conn_bits=3 meta_bits=8"

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:       bench.NIC,
	New:         params.New,
	Bench:       func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:     Measure,
	Mutation:    mutation,
	Proofs:      proofs,
	Upset:       upset,
	Unreachable: []bench.Unreachable{lib.SecondStep},
	Evidence: bench.Evidence{
		Small: small, SmallInIcarus: true,
		CoverageCycles:  3_200_000, // a full buffer is rare
		SimulatorSample: &bench.Mistake{File: cellsFile, Edits: plant.Edits{"kept_q <= take_d;", "kept_q <= take_q;"}},
	},
}

// Measure is the unit at full load: packets of some beats in every cycle, and visits of random
// connections.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	known := uint64(1)<<(sv.CntW(p.Connections)-1) - 1 // a power of two of them
	return cosim.MeasureOptions{
		Idle: uint64(p.ReadyDelay()) + 2,
		Fixed: map[string]uint64{
			"rst": 0, "s_axis_tvalid": 1, "s_axis_tkeep": ^uint64(0), "s_axis_tuser": 0, "s_axis_store": 1,
			"s_pop_discard": 0, "m_axis_ready": 1, "m_flow_ready": 1,
			"cfg_quota": uint64(p.Quota), "cfg_xoff": uint64(p.Xoff), "cfg_xon": uint64(p.Xon),
			"cfg_free_off": uint64(p.FreeOff), "cfg_free_on": uint64(p.FreeOn), "cfg_shim": uint64(p.Shim),
		},
		Mask: map[string]uint64{"s_axis_conn": known, "s_pop_conn": known, "s_pop_budget": 0xfff},
	}
}
