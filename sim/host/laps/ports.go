// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapspick "github.com/nicgen/nicgen/gen/laps_pick"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/bench"
)

// ports holds the unit's ports that a host with its own clock uses. The loss detector's ports are optional.
type ports struct {
	lostReady bench.Pin
	set       bench.Wires[params.Settings]
	packets   bench.Wires[params.Packet]
	answers   bench.Wires[params.Answer]
	acks      bench.Wires[params.ACK]
	opens     bench.Wires[lapsrate.Open]
	changes   bench.Wires[lapspaths.Change]
	seeds     bench.Wires[lapspick.Seed]

	paths  bench.Wires[lapspaths.Path]
	probes bench.Wires[lapspaths.Probe]
	rates  bench.Wires[lapsrate.Rate]
	acked  bench.Wires[lapsloss.Done]
	losses bench.Wires[lapsloss.Lost]
}

func (x *ports) bind(p *params.Params, l *cosim.Layout) error {
	list := []bench.Binder{
		bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Packets, &x.packets), bench.WireIn(params.Answers, &x.answers), bench.WireIn(params.ACKs, &x.acks),
		bench.WireIn(params.Opens, &x.opens), bench.WireIn(params.Changes, &x.changes), bench.WireIn(params.Seeds, &x.seeds),
		bench.WireOut(params.Chosen, &x.paths), bench.WireOut(params.Probes, &x.probes), bench.WireOut(params.Rates, &x.rates),
	}
	if p.Loss {
		list = append(list, bench.WirePin("m_lost_ready", &x.lostReady), bench.WireOut(params.Acked, &x.acked), bench.WireOut(params.Losses, &x.losses))
	}
	return bench.Wire(p.Unit(), l, p.Contract(), list...)
}
