// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
	tbpowertcp "github.com/nicgen/nicgen/tb/powertcp"
)

// ports are the unit's ports that a host uses. Those that a variant does not have stay without a place.
type ports struct {
	rst, ready                    bench.Pin
	ackReady, winValid, rateReady bench.Pin
	time                          bench.Wires[params.Time]
	set                           bench.Wires[params.Settings]
	acks                          bench.Wires[params.ACK]
	writes                        bench.Wires[params.Write]
	windows                       bench.Wires[params.Window]
}

func (x *ports) bind(p *params.Params, l *cosim.Layout) error {
	list := []bench.Binder{
		bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WirePin("s_ack_ready", &x.ackReady), bench.WirePin("m_win_valid", &x.winValid),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(p.ACKs(), &x.acks), bench.WireOut(params.Windows, &x.windows),
	}
	if p.HasINT() {
		list = append(list, bench.WirePin("s_rate_ready", &x.rateReady), bench.WireIn(params.Writes, &x.writes))
	}
	return bench.Wire(p.Unit(), l, p.Contract(), list...)
}

// offer drives a beat of an ACK.
func (x *ports) offer(p *params.Params, a *tbpowertcp.Ack, beat int, in []uint64) {
	x.time.Drive(in, &params.Time{Now: a.Now})
	e := a.Beat(p, beat)
	x.acks.Drive(in, &e)
}
