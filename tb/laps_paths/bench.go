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
		Idle:  uint64(max(p.Destinations, p.Paths())) + 2,
		Fixed: map[string]uint64{"rst": 0, "cfg_beta": uint64(p.Beta), "s_cfg_valid": 0},
		Mask:  map[string]uint64{"s_packet_dst": dst, "s_ack_pid": pid, "s_route_pid": pid},
	}
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst, now                                          bench.Pin
	packet, packetDst, packetTag                      bench.Pin
	pick, pickID, pickIndex, pickNone                 bench.Pin
	route, routePid                                   bench.Pin
	ack, ackPid, ackDelay, ackProbe, ackTag           bench.Pin
	cfg, cfgOp, cfgPid, cfgDst, cfgScale              bench.Pin
	cfgLatency, cfgBase, cfgAnchors, beta             bench.Pin
	ready, ackReady, cfgReady, routeReady, hold       bench.Pin
	cand, candID, candUsable, candLatency             bench.Pin
	probe, probePid, probeDst                         bench.Pin
	path, pathTag, pathNone, pathPid, anchors, routed bench.Pin
	pathLatency                                       bench.Pin // if there is one
	rate, rateTag, rateDst, rateUsable                bench.Pin
	rateLatency, evtIllegal                           bench.Pin
	rateBase, rateMaxBase                             bench.Pin // one of them
	corruptSet, corruptPath, corruptCount             bench.Pin // if there are any
	counter                                           [9]bench.Pin
}

func newPins(l *cosim.Layout) (*pins, error) {
	ports := bench.NewPorts(unitName, l)
	at := ports.Pin
	x := &pins{
		rst: at("rst"), now: at("now_ns"),
		packet: at("s_packet_valid"), packetDst: at("s_packet_dst"), packetTag: at("s_packet_tag"),
		pick: at("s_pick_valid"), pickID: at("s_pick_id"), pickIndex: at("s_pick_index"), pickNone: at("s_pick_none"),
		route: at("s_route_valid"), routePid: at("s_route_pid"),
		ack: at("s_ack_valid"), ackPid: at("s_ack_pid"), ackDelay: at("s_ack_delay_ns"), ackProbe: at("s_ack_probe"), ackTag: at("s_ack_tag"),
		cfg: at("s_cfg_valid"), cfgOp: at("s_cfg_op"), cfgPid: at("s_cfg_pid"), cfgDst: at("s_cfg_dst"), cfgScale: at("s_cfg_scale"),
		cfgLatency: at("s_cfg_latency"), cfgBase: at("s_cfg_base"), cfgAnchors: at("s_cfg_anchors"), beta: at("cfg_beta"),
		ready: at("sts_ready"), ackReady: at("s_ack_ready"), cfgReady: at("s_cfg_ready"), routeReady: at("s_route_ready"), hold: at("sts_hold"),
		cand: at("m_cand_valid"), candID: at("m_cand_id"), candUsable: at("m_cand_usable"), candLatency: at("m_cand_latency"),
		probe: at("m_probe_valid"), probePid: at("m_probe_pid"), probeDst: at("m_probe_dst"),
		path: at("m_path_valid"), pathTag: at("m_path_tag"), pathNone: at("m_path_none"), pathPid: at("m_path_pid"),
		anchors: at("m_path_anchors"), routed: at("m_route_valid"),
		rate: at("m_rate_valid"), rateTag: at("m_rate_tag"), rateDst: at("m_rate_dst"), rateUsable: at("m_rate_usable"),
		rateLatency: at("m_rate_latency"), evtIllegal: at("evt_illegal"),
	}
	for name, pin := range map[string]*bench.Pin{
		"m_path_latency": &x.pathLatency, "m_rate_base": &x.rateBase, "m_rate_max_base": &x.rateMaxBase,
		"evt_corrupt_set": &x.corruptSet, "evt_corrupt_path": &x.corruptPath, "sts_corrupt_cnt": &x.corruptCount,
	} {
		if _, ok := l.Slot(name); ok {
			*pin = at(name)
		}
	}
	for i, c := range params.CounterNames {
		x.counter[i] = at("sts_" + c + "_cnt")
	}
	return x, ports.Err()
}
