// SPDX-License-Identifier: Apache-2.0

// Package dcsimsource is the bench of DCSIM's source host: the stimulus that looks for
// trouble, the golden model behind the unit's ports, and the coverage points.
package dcsimsource

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_dcsim_source_sva.sv
var assertions string

const unitName = "dcsim_source"

// Unit makes benches of the source host.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// wires are the unit's ports.
type wires struct {
	rst, ready          bench.Pin
	newReady            bench.Pin
	simReady, dataReady bench.Pin
	news                bench.Wires[params.NewData]
	simAcks             bench.Wires[params.SIMAck]
	dataAcks            bench.Wires[params.DataAck]
	seeds               bench.Wires[params.Seed]
	set                 bench.Wires[params.Settings]
	sims                bench.Wires[params.SIM]
	datas               bench.Wires[params.Data]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(unitName, l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready), bench.WirePin("s_data_ready", &x.newReady),
		bench.WirePin("m_sim_ready", &x.simReady), bench.WirePin("m_data_ready", &x.dataReady), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.News, &x.news), bench.WireIn(params.SIMAcks, &x.simAcks), bench.WireIn(params.DataAcks, &x.dataAcks), bench.WireIn(params.Seeds, &x.seeds),
		bench.WireOut(params.SIMs, &x.sims), bench.WireOut(params.Datas, &x.datas))
}
