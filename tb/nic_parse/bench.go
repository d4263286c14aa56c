// SPDX-License-Identifier: Apache-2.0

// Package nicparse is the bench of the NIC's parser: frames of all kinds, golden model behind the
// unit's ports, coverage points, and what the unit brings for the checks.
package nicparse

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_parse"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_parse"

//go:embed nic_nic_parse_sva.sv
var assertions string

// Unit makes benches of the parser.
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
	rocePort, uetPort, maxFrame   bench.Pin `optional:"cfg_roce_port cfg_uet_port cfg_max_frame"`

	mValid, kind, reason, placed, lane, dscp, ecn           bench.Pin `port:"m_hdr_valid m_hdr_kind m_hdr_reason m_hdr_placed m_hdr_lane m_hdr_dscp m_hdr_ecn"`
	sport, udpLen, ipBytes, opcode, qp, psn, becn, ack, msn bench.Pin `port:"m_hdr_sport m_hdr_udp_len m_hdr_ip_bytes m_hdr_opcode m_hdr_qp m_hdr_psn m_hdr_becn m_hdr_ack_req m_hdr_msn"`
	v6, tags, flow, src, dst, fecn, pad, syndrome, icrc     bench.Pin `optional:"m_hdr_v6 m_hdr_tags m_hdr_flow m_hdr_src m_hdr_dst m_hdr_fecn m_hdr_pad m_hdr_syndrome m_hdr_icrc"`

	end, endBytes, bad, short                      bench.Pin `port:"m_end_valid m_end_bytes m_end_bad m_end_short"`
	illegal                                        bench.Pin `port:"evt_illegal"`
	frames, others, truncated, malformed, shortCnt bench.Pin `port:"sts_frame_cnt sts_other_cnt sts_truncated_cnt sts_malformed_cnt sts_short_cnt"`
	unplaced                                       bench.Pin `port:"sts_unplaced_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x)
}
