// SPDX-License-Identifier: Apache-2.0

package nicfeedback

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_feedback"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:    bench.NIC,
	New:      params.New,
	Bench:    func(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) },
	Measure:  Measure,
	Mutation: mutation,
	Proofs:   proofs,
	Upset:    upset,
}

// Measure is a NIC at full load: always a list, always a beat, and nothing is held.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	return cosim.MeasureOptions{Idle: uint64(p.Connections) + 4, Fixed: map[string]uint64{
		"rst": 0, "s_fb_valid": 1, "s_fb_conn": 0, "s_fb_count": uint64(p.List), "m_axis_tready": 1,
		"s_axis_tvalid": 1, "s_list_valid": 1, "s_list_lane": 8, "s_list_words": 15, "s_list_good": 1, "m_back_ready": 1}}
}
