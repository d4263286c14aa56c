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
	rst, now                                                  bench.Pin
	packet, packetDst, packetTag                              bench.Pin
	track, packetFlow, packetSeq                              bench.Pin
	route, routePid                                           bench.Pin
	answer, answerPid, answerDelay                            bench.Pin
	ack, ackPid, ackFlow, ackSeq, ackDelay                    bench.Pin
	open, openFlow                                            bench.Pin
	lostReady                                                 bench.Pin
	cfg, cfgOp, cfgPid, cfgDst, cfgScale                      bench.Pin
	cfgLatency, cfgBase, cfgAnchors                           bench.Pin
	seed, seedWord                                            bench.Pin
	beta, maxRate, minRate, stages, rtoMin                    bench.Pin
	ready, routeReady, answerReady, ackReady, openReady       bench.Pin
	cfgReady                                                  bench.Pin
	path, pathTag, pathNone, pathPid                          bench.Pin
	probe, probePid                                           bench.Pin
	rate, rateCause                                           bench.Pin
	sent, stored, acked, ackedCause, lost, lostPid, lostTimer bench.Pin
	lostFlow, lostSeq                                         bench.Pin
}

func newPins(p *params.Params, l *cosim.Layout) (*pins, error) {
	ports := bench.NewPorts(unitName, l)
	at := ports.Pin
	x := &pins{
		rst: at("rst"), now: at("now_ns"),
		packet: at("s_packet_valid"), packetDst: at("s_packet_dst"), packetTag: at("s_packet_tag"),
		route: at("s_route_valid"), routePid: at("s_route_pid"),
		answer: at("s_answer_valid"), answerPid: at("s_answer_pid"), answerDelay: at("s_answer_delay_ns"),
		ack: at("s_ack_valid"), ackPid: at("s_ack_pid"), ackFlow: at("s_ack_flow"), ackDelay: at("s_ack_delay_ns"),
		open: at("s_open_valid"), openFlow: at("s_open_flow"),
		cfg: at("s_cfg_valid"), cfgOp: at("s_cfg_op"), cfgPid: at("s_cfg_pid"), cfgDst: at("s_cfg_dst"), cfgScale: at("s_cfg_scale"),
		cfgLatency: at("s_cfg_latency"), cfgBase: at("s_cfg_base"), cfgAnchors: at("s_cfg_anchors"),
		seed: at("s_seed_valid"), seedWord: at("s_seed_word"),
		beta: at("cfg_beta"), maxRate: at("cfg_max_rate"), minRate: at("cfg_min_rate"), stages: at("cfg_stages"),
		ready: at("sts_ready"), routeReady: at("s_route_ready"), answerReady: at("s_answer_ready"), ackReady: at("s_ack_ready"),
		openReady: at("s_open_ready"), cfgReady: at("s_cfg_ready"),
		path: at("m_path_valid"), pathTag: at("m_path_tag"), pathNone: at("m_path_none"), pathPid: at("m_path_pid"),
		probe: at("m_probe_valid"), probePid: at("m_probe_pid"),
		rate: at("m_rate_valid"), rateCause: at("m_rate_cause"),
	}
	if p.Loss {
		x.track, x.packetFlow, x.packetSeq = at("s_packet_track"), at("s_packet_flow"), at("s_packet_seq")
		x.ackSeq, x.lostReady, x.rtoMin = at("s_ack_seq"), at("m_lost_ready"), at("cfg_rto_min_ns")
		x.sent, x.stored, x.acked, x.ackedCause = at("m_send_valid"), at("m_send_stored"), at("m_ack_valid"), at("m_ack_cause")
		x.lost, x.lostPid, x.lostTimer = at("m_lost_valid"), at("m_lost_pid"), at("m_lost_timeout")
		x.lostFlow, x.lostSeq = at("m_lost_flow"), at("m_lost_seq")
	}
	return x, ports.Err()
}
