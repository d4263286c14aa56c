// SPDX-License-Identifier: Apache-2.0

// Package nicedit is the bench of the packet editor: stimulus, golden model behind the unit's
// ports, coverage points, and what the unit brings for the checks.
package nicedit

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_edit"
	model "github.com/nicgen/nicgen/model/nic_edit"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_edit"

//go:embed nic_nic_edit_sva.sv
var assertions string

// Unit makes benches of the editor.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst                           bench.Pin `port:"rst"`
	data, keep, valid, last, user bench.Pin `port:"s_axis_tdata s_axis_tkeep s_axis_tvalid s_axis_tlast s_axis_tuser"`

	v6, tags, lane, evOn, ev bench.Pin `port:"s_edit_v6 s_edit_tags s_edit_lane s_edit_ev_valid s_edit_ev"`
	flow                     bench.Pin `optional:"s_edit_flow"`
	dscpOn, dscp, ecnOn, ecn bench.Pin `optional:"s_edit_dscp_valid s_edit_dscp s_edit_ecn_valid s_edit_ecn"`
	becnOn, becn, udpZero    bench.Pin `optional:"s_edit_becn_valid s_edit_becn s_edit_udp_zero"`
	icrc, udpLen             bench.Pin `optional:"s_edit_icrc s_edit_udp_len"`

	mData, mKeep, mValid, mLast, mUser bench.Pin `port:"m_axis_tdata m_axis_tkeep m_axis_tvalid m_axis_tlast m_axis_tuser"`
	evtIllegal, frames, illegals       bench.Pin `port:"evt_illegal sts_frame_cnt sts_illegal_cnt"`
	patches                            bench.Pin `optional:"sts_icrc_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x)
}

// command is what the ports say in a cycle.
func (x *pins) command(in []uint64) model.Command {
	return model.Command{
		V6: x.v6.On(in), Tags: int(x.tags.Get(in)), Lane: int(x.lane.Get(in)),
		EVOn: x.evOn.On(in), EV: uint32(x.ev.Get(in)), Flow: x.flow.On(in),
		DSCPOn: x.dscpOn.On(in), DSCP: byte(x.dscp.Get(in)), ECNOn: x.ecnOn.On(in), ECN: byte(x.ecn.Get(in)),
		BECNOn: x.becnOn.On(in), BECN: x.becn.On(in), UDPZero: x.udpZero.On(in),
		ICRC: x.icrc.On(in), UDPLen: int(x.udpLen.Get(in)),
	}
}
