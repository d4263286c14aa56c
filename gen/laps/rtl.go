// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"embed"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/gen/names"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// PartModule returns the name that a part's module has in LAPS: nic_laps_laps_rate for nic_laps_rate.
// LAPS has other configurations of the parts than the standalone units, and must fit into one
// design with them.
func PartModule(name string) string { return "nic_laps" + strings.TrimPrefix(name, "nic") }

// Files implements gen.Config: the files of the parts, each once, and the top that wires them.
func (p *Params) Files() ([]gen.File, error) {
	var shared, parts []gen.File
	for _, part := range p.Parts().list() {
		list, err := part.Files()
		if err != nil {
			return nil, err
		}
		for _, f := range list {
			to := &parts
			if strings.HasPrefix(f.Name, rtl.PartPrefix) {
				to = &shared
			}
			if !slices.ContainsFunc(*to, func(g gen.File) bool { return g.Name == f.Name }) {
				*to = append(*to, f)
			}
		}
	}
	own, err := texts.Modules(p, map[string]any{
		"Loss": p.Loss, "Own": p.Tables.AckLookup == lapspaths.Own,
		"Banks": p.Tables.Banks, "Longest": p.Tables.Baselines == lapspaths.Longest, "LatW": p.Tables.LatBits, "WeightW": lapspaths.WeightBits, "DelayW": lapspaths.DelayBits,
		"PathCount": p.Tables.Paths(), "IDW": lapspaths.IDBits, "BankW": p.Tables.BankBits(), "FlowW": p.Rate.FlowBits, "SeqW": p.Detector.SeqBits,
		"NotReady": p.notReadyOf(), "PacketLatency": p.PacketLatency(), "RateLatency": p.RateLatency(), "CarryMost": mostCarried, "Picker": p.Picker.Picker,
		"Paths": p.instance("paths"), "Pick": p.instance("pick"), "Rate": p.instance("rate"), "Detector": p.instance("loss"),
	}, "laps")
	mine := names.Changes(parts, PartModule)
	return slices.Concat(shared, mine.Files(slices.Concat(parts, own))), err
}

// wires returns the connections of those ports of a part that are not connected to nets with their
// own names, and the part's parameters.
var wires = map[string]map[string]string{
	"paths": {
		"TAG_BITS":       "CARRY_W",
		"sts_ready":      "paths_ready",
		"sts_hold":       "tables_hold",
		"s_packet_valid": "packet_valid", "s_packet_tag": "packet_tag",
		"m_cand_valid": "cand_valid", "m_cand_id": "cand_id", "m_cand_usable": "cand_usable", "m_cand_latency": "cand_latency",
		"s_pick_valid": "pick_valid && sts_ready", "s_pick_id": "pick_id", "s_pick_index": "pick_index", "s_pick_none": "pick_none",
		"m_path_tag": "path_tag", "s_route_valid": "route_valid", "s_route_ready": "route_ready",
		"m_path_latency": "path_latency",
		"s_ack_valid":    "measured", "s_ack_ready": "unused_measured_ready", "s_ack_pid": "measured_pid", "s_ack_delay_ns": "measured_delay",
		"s_ack_probe": "s_answer_valid", "s_ack_tag": "measured_tag",
		"m_rate_valid": "operands_valid", "m_rate_tag": "operands_tag", "m_rate_dst": "unused_operands_dst",
		"m_rate_usable": "operands_usable", "m_rate_latency": "operands_latency", "m_rate_base": "operands_base", "m_rate_max_base": "operands_base",
		"s_cfg_valid": "cfg_valid", "s_cfg_ready": "cfg_ready",
		"evt_illegal": "evt_paths_illegal",
	},
	"pick": {
		"TAG_BITS":     "ID_W",
		"s_pick_valid": "cand_valid", "s_pick_usable": "cand_usable", "s_pick_latency": "cand_latency", "s_pick_tag": "cand_id",
		"m_pick_valid": "pick_valid", "m_pick_none": "pick_none", "m_pick_saturated": "unused_pick_saturated",
		"m_pick_index": "pick_index", "m_pick_tag": "pick_id",
	},
	"rate": {
		"FLOW_BITS":   "FLOW_W",
		"sts_ready":   "rate_ready",
		"s_ack_valid": "operands_valid", "s_ack_flow": "operands_tag[FLOW_W-1:0]", "s_ack_usable": "operands_usable",
		"s_ack_latency_ns": "operands_latency", "s_ack_base_ns": "operands_base", "s_ack_max_base_ns": "operands_base",
		"s_open_valid": "open_valid", "s_open_ready": "open_ready",
		"evt_illegal": "evt_rate_illegal",
	},
	"loss": {
		"PATHS": "PATH_N", "RAM_LATENCY": "RAM_LATENCY", "RING_LATENCY": "RING_LATENCY",
		"sts_ready":    "loss_ready",
		"s_send_valid": "send_valid", "s_send_pid": "m_path_pid", "s_send_flow": "path_tag[SEQ_W +: FLOW_W]",
		"s_send_seq": "path_tag[SEQ_W-1:0]", "s_send_latency_ns": "path_latency",
		"s_ack_valid": "loss_ack_valid", "s_ack_ready": "loss_ack_ready", "s_ack_latency_ns": "ack_latency",
	},
}

// shared are the parameters that the parts have in common with the unit.
var shared = []string{"DESTINATIONS", "DST_BITS", "PID_BITS", "FLOWS", "RAM_LATENCY", "COUNTER_BITS"}

// notReadyOf names the parts that count events before they are ready.
func (p *Params) notReadyOf() []string {
	var list []string
	for _, c := range p.counted() {
		if slices.ContainsFunc(c.ports, func(x gen.Port) bool { return x.Name == notReady }) {
			list = append(list, c.name)
		}
	}
	return list
}

// Apart implements gen.Composite.
func (p *Params) Apart() (modules []string) {
	for _, part := range p.Parts().list() {
		modules = append(modules, PartModule(part.Top()))
	}
	return modules
}

// instance returns the text of a part's instance, indented, or "".
func (p *Params) instance(name string) string {
	for _, part := range p.Parts().list() {
		if part.Unit() != "laps_"+name {
			continue
		}
		connect := map[string]string{}
		for _, s := range shared {
			connect[s] = s
		}
		connect[notReady] = "unused_" + name + "_not_ready"
		for port, net := range wires[name] {
			connect[port] = net
		}
		for _, c := range p.Counters() {
			if c.Part == name {
				connect["sts_"+c.Name+"_cnt"] = c.Port
			}
		}
		return "  " + strings.ReplaceAll(strings.TrimRight(sv.Instance(part, name, connect), "\n"), "\n", "\n  ")
	}
	return ""
}
