// SPDX-License-Identifier: Apache-2.0

// Package lapsloss is the bench of the LAPS loss detector: the stimulus that looks
// for trouble, the golden model behind the unit's ports, and the coverage points.
package lapsloss

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

//go:embed nic_laps_loss_sva.sv
var assertions string

const unitName = "laps_loss"

// Unit makes benches of the loss detector.
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
	Mutation:    Mutation,
	Proofs:      Proofs,
	Upset:       Upset,
	Unreachable: unreachable,
	Evidence: bench.Evidence{
		Small:          "paths=16 depth=8 lanes=2 ack_queues=2",
		CoverageCycles: 3_200_000, // an ACK of a whole ring at once is rare
	},
}

// unreachable are a line that only an upset reaches, and one that is decided before there is
// a stimulus.
var unreachable = []bench.Unreachable{
	{
		File: "nic_laps_loss_watch.sv",
		Line: "end else if (told_full && doubt_q == DOUBT_EMPTY && told_same_q) begin (elsif)",
		Reason: "A send finds a ring full of which the timer told that nothing is outstanding: only an upset " +
			"leaves that behind. The upset runs reach it, and mend such a ring (nicgen upset laps_loss).",
	},
	lib.SecondStep,
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// Measure keeps the settings still and the paths legal while the speed of the unit
// is measured: a send and an ACK toggle, over all paths.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	o := bench.Measure(cfg)
	o.Fixed["cfg_rto_min_ns"] = uint64(1) << (cfg.(*params.Params).TimeBits - 4)
	o.Mask["s_send_flow"], o.Mask["s_ack_flow"], o.Mask["s_send_seq"], o.Mask["s_ack_seq"] = 1, 1, 3, 3
	return o
}

// wires are the unit's ports.
type wires struct {
	rst, ready bench.Pin
	lostReady  bench.Pin
	time       bench.Wires[params.Time]
	set        bench.Wires[params.Settings]
	sends      bench.Wires[params.Segment]
	acks       bench.Wires[params.Segment]
	losses     bench.Wires[params.Lost]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready), bench.WirePin("m_lost_ready", &x.lostReady),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Sends, &x.sends), bench.WireIn(params.ACKs, &x.acks), bench.WireOut(params.Losses, &x.losses))
}
