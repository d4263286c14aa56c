// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// ports are the buffer's ports that a host uses: each acknowledgement carries an EV.
type ports struct {
	rst, ready bench.Pin
	frozen     bench.Pin // pulse
	time       bench.Wires[params.Time]
	set        bench.Wires[params.Settings]
	seeds      bench.Wires[params.Seed]
	acks       bench.Wires[params.ACK]
	fails      bench.Wires[params.Fail]
	sends      bench.Wires[params.Send]
	answers    bench.Wires[params.Answer]
}

func (x *ports) bind(p *params.Params, l *cosim.Layout) error {
	return bench.Wire(p.Unit(), l, p.Contract(), bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready), bench.WirePin("evt_freeze", &x.frozen),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(params.Seeds, &x.seeds), bench.WireIn(params.ACKs, &x.acks), bench.WireIn(params.Fails, &x.fails),
		bench.WireIn(params.Sends, &x.sends), bench.WireOut(params.Answers, &x.answers))
}
