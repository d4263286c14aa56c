// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_edit"
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
	Evidence: evidence,
}

// Measure is an editor at full load: a beat in every cycle, frames of several beats.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := bench.MeasureEvents(p, p.Contract())
	o.Idle = 2
	o.Fixed["s_axis_tvalid"], o.Fixed["s_edit_v6"], o.Fixed["s_edit_tags"], o.Fixed["s_edit_lane"], o.Fixed["s_edit_udp_len"] = 1, 0, 0, 8, 40
	return o
}

// evidence are the runs behind the editor's records.
var evidence = bench.Evidence{
	Configurations: []string{"icrc=false flow_label=false"},
	Syntheses: []bench.Synthesis{
		{Name: "port", Settings: "flow_label=false traffic_class=false becn=false ask=false udp_zero=false"}, {Name: "plain", Settings: "icrc=false"},
	},
	NetlistCycles:   200_000,
	SimulatorCycles: 5_000,
}
