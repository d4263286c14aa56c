// SPDX-License-Identifier: Apache-2.0

// Package lapspaths is the bench of the LAPS path tables: the stimulus that looks
// for trouble, the golden model behind the unit's ports, and the coverage points.
package lapspaths

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

//go:embed nic_laps_paths_sva.sv
var assertions string

const unitName = "laps_paths"

// Unit makes benches of the path tables.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:       bench.PathChoice,
	New:         params.New,
	Bench:       New,
	Measure:     Measure,
	Published:   Published,
	Mutation:    Mutation,
	Proofs:      Proofs,
	Upset:       Upset,
	Unreachable: []bench.Unreachable{lib.SecondStep},
	Evidence: bench.Evidence{
		Small:     "banks=2 rows=16 destinations=16 anchors=1",
		Syntheses: []bench.Synthesis{{Name: "parity", Settings: "state_protection=parity"}},
	},
}

// Published are the figures of the paper's FPGA prototype for PST and PIT together:
// 1,024 destinations, 8,192 paths in 32 sub-tables, 4 anchors.
var Published = &synth.Published{
	Source: "LAPS prototype, PST and PIT (LAPS Table V, Vivado)",
	Figures: []synth.Figure{
		{Resource: "LUT", Value: "3,024"},
		{Resource: "FF", Value: "3,153"},
		{Resource: "CARRY8", Value: "0"},
		{Resource: "RAMB36", Value: "120"},
	},
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// Measure keeps the tables still and the traffic legal while the speed of the unit
// is measured. The sets are empty: what a packet costs does not depend on them.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	below := func(n int64) uint64 { // a mask whose numbers are all below n
		m := uint64(1)
		for int64(m) <= n/2 {
			m *= 2
		}
		return m - 1
	}
	dst, pid := below(p.Destinations), below(p.Paths())
	return cosim.MeasureOptions{
		Idle:  uint64(p.ReadyDelay()) + 1,
		Fixed: map[string]uint64{"rst": 0, "cfg_beta": uint64(p.Beta), "s_cfg_valid": 0},
		Mask:  map[string]uint64{"s_packet_dst": dst, "s_ack_pid": pid, "s_route_pid": pid},
	}
}

// wires are the unit's ports.
type wires struct {
	rst, ready        bench.Pin
	ackReady          bench.Pin
	pathNone, pathPid bench.Pin // with m_path_valid and m_route_valid
	time              bench.Wires[params.Time]
	set               bench.Wires[params.Settings]
	acks              bench.Wires[params.ACK]
	changes           bench.Wires[params.Change]
	packets           bench.Wires[params.Packet]
	picks             bench.Wires[params.Pick]
	routes            bench.Wires[params.Route]
	cands             bench.Wires[params.Candidates]
	probes            bench.Wires[params.Probe]
	chosen            bench.Wires[params.Path]
	rates             bench.Wires[params.Operands]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WirePin("s_ack_ready", &x.ackReady), bench.WirePin("m_path_none", &x.pathNone), bench.WirePin("m_path_pid", &x.pathPid),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.ACKs, &x.acks), bench.WireIn(params.Changes, &x.changes), bench.WireIn(params.Packets, &x.packets),
		bench.WireIn(params.Picks, &x.picks), bench.WireIn(params.Routes, &x.routes), bench.WireOut(params.Cands, &x.cands),
		bench.WireOut(params.Probes, &x.probes), bench.WireOut(params.Chosen, &x.chosen), bench.WireOut(params.Rates, &x.rates))
}
