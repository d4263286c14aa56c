// SPDX-License-Identifier: Apache-2.0

// Package lapspaths is the bench of the LAPS path tables: the stimulus that looks
// for trouble, the golden model behind the unit's ports, and the coverage points.
package lapspaths

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_laps_paths_sva.sv
var assertions string

const unitName = "laps_paths"

// Unit makes benches of the path tables.
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

// Measure keeps the tables still and the traffic legal while the speed of the unit
// is measured. The sets are empty: what a packet costs does not depend on them.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	below := func(n int64) uint64 { // a mask whose numbers are all below n
		m := uint64(1)
		for int64(m) <= n/2 {
			m *= 2
		}
		return m - 1
	}
	dst, pid := below(p.Destinations), below(p.Paths())
	return cosim.MeasureOptions{
		Idle:  uint64(p.ReadyDelay()) + 1,
		Fixed: map[string]uint64{"rst": 0, "cfg_beta": uint64(p.Beta), "s_cfg_valid": 0},
		Mask:  map[string]uint64{"s_packet_dst": dst, "s_ack_pid": pid, "s_route_pid": pid},
	}
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst, now                                          bench.Pin     `port:"rst now_ns"`
	packet, packetDst, packetTag                      bench.Pin     `port:"s_packet_valid s_packet_dst s_packet_tag"`
	pick, pickID, pickIndex, pickNone                 bench.Pin     `port:"s_pick_valid s_pick_id s_pick_index s_pick_none"`
	route, routePid                                   bench.Pin     `port:"s_route_valid s_route_pid"`
	ack, ackPid, ackDelay, ackProbe, ackTag           bench.Pin     `port:"s_ack_valid s_ack_pid s_ack_delay_ns s_ack_probe s_ack_tag"`
	cfg, cfgOp, cfgPid, cfgDst, cfgScale              bench.Pin     `port:"s_cfg_valid s_cfg_op s_cfg_pid s_cfg_dst s_cfg_scale"`
	cfgLatency, cfgBase, cfgAnchors, beta             bench.Pin     `port:"s_cfg_latency s_cfg_base s_cfg_anchors cfg_beta"`
	ready, ackReady, cfgReady, routeReady, hold       bench.Pin     `port:"sts_ready s_ack_ready s_cfg_ready s_route_ready sts_hold"`
	cand, candID, candUsable, candLatency             bench.Pin     `port:"m_cand_valid m_cand_id m_cand_usable m_cand_latency"`
	probe, probePid, probeDst                         bench.Pin     `port:"m_probe_valid m_probe_pid m_probe_dst"`
	path, pathTag, pathNone, pathPid, anchors, routed bench.Pin     `port:"m_path_valid m_path_tag m_path_none m_path_pid m_path_anchors m_route_valid"`
	pathLatency                                       bench.Pin     `optional:"m_path_latency"` // if there is one
	rate, rateTag, rateDst, rateUsable                bench.Pin     `port:"m_rate_valid m_rate_tag m_rate_dst m_rate_usable"`
	rateLatency, evtIllegal                           bench.Pin     `port:"m_rate_latency evt_illegal"`
	rateBase, rateMaxBase                             bench.Pin     `optional:"m_rate_base m_rate_max_base"`                      // one of them
	corruptSet, corruptPath, corruptCount             bench.Pin     `optional:"evt_corrupt_set evt_corrupt_path sts_corrupt_cnt"` // if there are any
	counter                                           [10]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
