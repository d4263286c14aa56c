// SPDX-License-Identifier: Apache-2.0

// Package powertcp is the bench of the PowerTCP window unit: constrained random
// stimulus, the golden model behind the unit's ports, and the coverage points.
package powertcp

import (
	_ "embed" // the assertions

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// assertions are attached to the unit by bind: invariants of its
// ports, independent of the golden model.
//
//go:embed nic_powertcp_sva.sv
var assertions string

const unitName = "powertcp"

// Unit makes benches of the PowerTCP window unit.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// maxAckHops is the largest number of hops that an ACK can name.
const maxAckHops = 1<<params.HopCntBits - 1

// wires are the unit's ports. Those that a variant does not have stay without a place.
type wires struct {
	rst, ready                          bench.Pin
	ackValid, ackReady, ackConn, hopCnt bench.Pin
	winValid, winConn                   bench.Pin
	time                                bench.Wires[params.Time]
	set                                 bench.Wires[params.Settings]
	acks                                bench.Wires[params.ACK]
	flushes                             bench.Wires[params.Flush]
	writes                              bench.Wires[params.Write]
	windows                             bench.Wires[params.Window]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	list := []bench.Binder{
		bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready),
		bench.WirePin("s_ack_valid", &x.ackValid), bench.WirePin("s_ack_ready", &x.ackReady), bench.WirePin("s_ack_conn", &x.ackConn),
		bench.WirePin("m_win_valid", &x.winValid), bench.WirePin("m_win_conn", &x.winConn),
		bench.WireGroup(params.TimePorts, &x.time), bench.WireGroup(params.SettingPorts, &x.set),
		bench.WireIn(p.ACKs(), &x.acks), bench.WireIn(params.Flushes, &x.flushes), bench.WireOut(params.Windows, &x.windows),
	}
	if p.HasINT() {
		list = append(list, bench.WirePin("s_ack_hop_cnt", &x.hopCnt), bench.WireIn(params.Writes, &x.writes))
	}
	return bench.Wire(unitName, l, p.Contract(), list...)
}
