// SPDX-License-Identifier: Apache-2.0

package nicecho

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_echo"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

// small is a configuration that is soon ready, for simulators that take long.
const small = "connections=16 ring=16"

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
	Evidence:    bench.Evidence{Small: small, SmallInIcarus: true},
}

// Measure is a receiver at full load: a packet and an ACK in every cycle, of connections that exist.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	return cosim.MeasureOptions{Idle: uint64(p.Ring*p.Connections) + 4, Fixed: map[string]uint64{
		"rst": 0, "s_data_valid": 1, "s_ack_valid": 1, "s_data_conn": 0, "s_ack_conn": 0, "s_flush_valid": 0, "m_fb_ready": 1}}
}
