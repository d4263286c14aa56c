// SPDX-License-Identifier: Apache-2.0

// Package laps is the bench of the LAPS pipeline: traffic that lives from what the
// pipeline answers, the parts' golden models in a chain behind the unit's ports, and
// the coverage points.
package laps

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps"
	"github.com/nicgen/nicgen/tb/bench"
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

// pins are the places of the unit's ports in the vectors, of those that the bench
// itself looks at. Without the loss detector some are not there.
type pins struct {
	rst, now                                                  bench.Pin `port:"rst now_ns"`
	packet, packetDst, packetTag                              bench.Pin `port:"s_packet_valid s_packet_dst s_packet_tag"`
	track, packetFlow, packetSeq                              bench.Pin `optional:"s_packet_track s_packet_flow s_packet_seq"`
	route, routePid                                           bench.Pin `port:"s_route_valid s_route_pid"`
	answer, answerPid, answerDelay                            bench.Pin `port:"s_answer_valid s_answer_pid s_answer_delay_ns"`
	ack, ackPid, ackFlow, ackDelay                            bench.Pin `port:"s_ack_valid s_ack_pid s_ack_flow s_ack_delay_ns"`
	ackSeq                                                    bench.Pin `optional:"s_ack_seq"`
	open, openFlow                                            bench.Pin `port:"s_open_valid s_open_flow"`
	lostReady                                                 bench.Pin `optional:"m_lost_ready"`
	cfg, cfgOp, cfgPid, cfgDst, cfgScale                      bench.Pin `port:"s_cfg_valid s_cfg_op s_cfg_pid s_cfg_dst s_cfg_scale"`
	cfgLatency, cfgBase, cfgAnchors                           bench.Pin `port:"s_cfg_latency s_cfg_base s_cfg_anchors"`
	seed, seedWord                                            bench.Pin `port:"s_seed_valid s_seed_word"`
	beta, maxRate, minRate, stages                            bench.Pin `port:"cfg_beta cfg_max_rate cfg_min_rate cfg_stages"`
	rtoMin                                                    bench.Pin `optional:"cfg_rto_min_ns"`
	ready, routeReady, answerReady, ackReady, openReady       bench.Pin `port:"sts_ready s_route_ready s_answer_ready s_ack_ready s_open_ready"`
	cfgReady, notReady                                        bench.Pin `port:"s_cfg_ready sts_not_ready_cnt"`
	path, pathTag, pathNone, pathPid                          bench.Pin `port:"m_path_valid m_path_tag m_path_none m_path_pid"`
	probe, probePid                                           bench.Pin `port:"m_probe_valid m_probe_pid"`
	rate, rateCause                                           bench.Pin `port:"m_rate_valid m_rate_cause"`
	sent, stored, acked, ackedCause, lost, lostPid, lostTimer bench.Pin `optional:"m_send_valid m_send_stored m_ack_valid m_ack_cause m_lost_valid m_lost_pid m_lost_timeout"`
	lostFlow, lostSeq                                         bench.Pin `optional:"m_lost_flow m_lost_seq"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x)
}
