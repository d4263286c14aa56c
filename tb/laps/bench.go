// SPDX-License-Identifier: Apache-2.0

// Package laps is the bench of the LAPS pipeline: traffic that lives from what the
// pipeline answers, the parts' golden models in a chain behind the unit's ports, and
// the coverage points.
package laps

import (
	_ "embed"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapspick "github.com/nicgen/nicgen/gen/laps_pick"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	parts "github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
	tbloss "github.com/nicgen/nicgen/tb/laps_loss"
	tbrate "github.com/nicgen/nicgen/tb/laps_rate"
)

//go:embed nic_laps_sva.sv
var assertions string

const unitName = "laps"

// Unit makes benches of the pipeline.
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
	Trace:       NewTrace,
	Measure:     Measure,
	Published:   Published,
	Mutation:    Mutation,
	Proofs:      Proofs,
	Upset:       Upset,
	Unreachable: unreachable(),
	Evidence: bench.Evidence{
		// Paths and rates from the RTL: a path fails and is repaired.
		Tour: []bench.TourStep{{
			Title: "LAPS: closed loop, outage",
			Run:   "sim outage --svg REPORT/laps-outage.svg --csv REPORT/laps-outage.csv --json REPORT/laps-outage.json --beta 4",
			Show:  " β′ |[0-9] of [0-9]",
		}},
		Small:         "banks=2 rows=16 destinations=16 anchors=1 flows=64 depth=8 lanes=2 ack_queues=2",
		SmallInIcarus: true,
		Syntheses:     []bench.Synthesis{{Name: "prototype", Settings: "loss=false"}},
	},
}

// unreachable lists the lines of the loss detector that only an upset reaches, and the lines
// of the rate control that elaboration decides. Their modules have other names here, except
// the library's.
func unreachable() []bench.Unreachable {
	list := slices.Concat(tbloss.Entry.Unreachable, tbrate.Entry.Unreachable)
	for i, u := range list {
		if !strings.HasPrefix(u.File, parts.PartPrefix) {
			list[i].File = params.PartModule(u.File)
		}
	}
	return list
}

// Published are the figures of the paper's FPGA prototype: PST, PIT, Softmax and rate
// limiting tables, without Algorithm 3; 1,024 destinations of 8 paths, 8,192 paths in
// 32 sub-tables, 4 anchors, 1,024 flows. They are the sum of the table's rows: its totals
// of 33,808 LUT, 16,711 FF, 1,909 CARRY8 and 135.5 block RAMs also contain parser and
// deparser, which are not in this unit.
var Published = &synth.Published{
	Source: "LAPS prototype: PST, PIT, Softmax and rate limiting tables (rows of LAPS Table V, Vivado)",
	Figures: []synth.Figure{
		{Resource: "LUT", Value: "32,985"},
		{Resource: "FF", Value: "14,957"},
		{Resource: "CARRY8", Value: "1,871"},
		{Resource: "RAMB36", Value: "128"},
	},
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// Measure keeps the tables still and the traffic legal while the speed of the unit is
// measured. The sets are empty: what a packet costs does not depend on them.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	below := func(n int64) uint64 { // a mask whose numbers are all below n
		m := uint64(1)
		for int64(m) <= n/2 {
			m *= 2
		}
		return m - 1
	}
	dst, pid, flow := below(p.Tables.Destinations), below(p.Tables.Paths()), below(p.Rate.Flows)
	o := cosim.MeasureOptions{
		Idle: uint64(p.ReadyDelay()),
		Fixed: map[string]uint64{
			"rst": 0, "cfg_beta": uint64(p.Tables.Beta), "s_cfg_valid": 0, "s_seed_valid": 0,
			"cfg_max_rate": uint64(p.Rate.MaxRate), "cfg_min_rate": uint64(p.Rate.MinRate), "cfg_stages": uint64(p.Rate.Stages),
		},
		Mask: map[string]uint64{
			"s_packet_dst": dst, "s_ack_pid": pid, "s_answer_pid": pid, "s_route_pid": pid, "s_ack_flow": flow, "s_open_flow": flow,
		},
	}
	if p.Loss {
		o.Fixed["cfg_rto_min_ns"] = uint64(1) << (p.Tables.TimeBits - 4)
		o.Mask["s_packet_flow"], o.Mask["s_packet_seq"], o.Mask["s_ack_seq"] = flow, 3, 3
	}
	return o
}

// wires are the unit's ports. The ports of the loss detector are optional.
type wires struct {
	rst, ready, notReady              bench.Pin
	routeReady, answerReady, ackReady bench.Pin
	openReady, changeReady, lostReady bench.Pin
	time                              bench.Wires[params.Time]
	set                               bench.Wires[params.Settings]
	packets                           bench.Wires[params.Packet]
	routes                            bench.Wires[lapspaths.Route]
	answers                           bench.Wires[params.Answer]
	acks                              bench.Wires[params.ACK]
	opens                             bench.Wires[lapsrate.Open]
	changes                           bench.Wires[lapspaths.Change]
	seeds                             bench.Wires[lapspick.Seed]

	paths  bench.Wires[lapspaths.Path]
	probes bench.Wires[lapspaths.Probe]
	rates  bench.Wires[lapsrate.Rate]
	sent   bench.Wires[lapsloss.Sent]
	acked  bench.Wires[lapsloss.Done]
	losses bench.Wires[lapsloss.Lost]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	list := []bench.Binder{
		bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready), bench.WirePin("sts_not_ready_cnt", &x.notReady),
		bench.WirePin("s_route_ready", &x.routeReady), bench.WirePin("s_answer_ready", &x.answerReady), bench.WirePin("s_ack_ready", &x.ackReady),
		bench.WirePin("s_open_ready", &x.openReady), bench.WirePin("s_cfg_ready", &x.changeReady),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Packets, &x.packets), bench.WireIn(params.Routes, &x.routes), bench.WireIn(params.Answers, &x.answers),
		bench.WireIn(params.ACKs, &x.acks), bench.WireIn(params.Opens, &x.opens), bench.WireIn(params.Changes, &x.changes), bench.WireIn(params.Seeds, &x.seeds),
		bench.WireOut(params.Chosen, &x.paths), bench.WireOut(params.Probes, &x.probes), bench.WireOut(params.Rates, &x.rates),
	}
	if p.Loss {
		list = append(list, bench.WirePin("m_lost_ready", &x.lostReady), bench.WireOut(params.Sent, &x.sent),
			bench.WireOut(params.Acked, &x.acked), bench.WireOut(params.Losses, &x.losses))
	}
	return bench.Wire(unitName, l, p.Contract(), list...)
}
