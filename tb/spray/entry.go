// SPDX-License-Identifier: Apache-2.0

package spray

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:         params.New,
	Bench:       func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:     Measure,
	Unreachable: []bench.Unreachable{lib.SecondStep},
	Mutation:    mutation,
	Proofs:      proofs,
	Upset:       upset,
}

// Measure keeps the settings still and the traffic legal while the speed of the unit is
// measured: all events toggle, over a power of two of the connections.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	conn, port := uint64(1)<<(sv.CntW(p.Connections)-1)-1, uint64(1)<<(sv.CntW(p.NICPorts)-1)-1
	return cosim.MeasureOptions{
		Idle: uint64(p.Entries()) + 4,
		Fixed: map[string]uint64{
			"cfg_mode": 0, "cfg_evs": uint64(p.EVs), "cfg_flowlet_timeout_ns": uint64(p.FlowletTimeoutNS), "cfg_hash_seed": uint64(p.HashSeed),
			"cfg_ev_base": uint64(p.EVBase), "s_seed_valid": 0, "rst": 0,
		},
		Mask: map[string]uint64{
			"s_ack_conn": conn, "s_fail_conn": conn, "s_flush_conn": conn, "s_send_conn": conn,
			"s_ack_port": port, "s_fail_port": port, "s_flush_port": port, "s_send_port": port,
		},
	}
}
