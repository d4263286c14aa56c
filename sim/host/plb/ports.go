// SPDX-License-Identifier: Apache-2.0

package plb

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/tb/bench"
)

// ports are the unit's ports that a host uses.
type ports struct {
	rst, ready bench.Pin
	illegal    bench.Pin // counter
	time       bench.Wires[params.Time]
	set        bench.Wires[params.Settings]
	seeds      bench.Wires[params.Seed]
	acks       bench.Wires[params.ACK]
	rtos       bench.Wires[params.RTO]
	sends      bench.Wires[params.Send]
	labels     bench.Wires[params.Label]
}

func (x *ports) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(p.Unit(), l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready), bench.WirePin("sts_illegal_cnt", &x.illegal),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Seeds, &x.seeds), bench.WireIn(params.ACKs, &x.acks), bench.WireIn(params.RTOs, &x.rtos),
		bench.WireIn(params.Sends, &x.sends), bench.WireOut(params.Labels, &x.labels))
}
