// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const (
		flag = "flag"
		dst  = "destination, 0 to DESTINATIONS-1"
		ns   = "unsigned, ns; all ones: that or longer"
	)
	pid := fmt.Sprintf("path, 0 to %d", p.Paths()-1)
	perBank := func(bits int64) string { return fmt.Sprintf("%d bits a bank, bank 0 lowest", bits) }

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards all sets are emptied and all paths removed.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("high max(destinations, paths) + 2 = %d cycles after rst", p.ReadyDelay()), "Low while the tables are emptied: nothing is accepted then.")
	out("sts_hold", "", 1, flag, fmt.Sprintf("registered; packet + %d cycles", WriteWindow), fmt.Sprintf("The write bus is reserved for a probe: no ACK and no path is accepted. High in at most one of %d cycles.", HoldEvery))
	in("now_ns", "", p.TimeBits, fmt.Sprintf("unsigned, ns, modulo 2^%d", p.TimeBits), "sampled with each event", "Time of the events of this cycle; may stand still or jump ahead.")

	l.Group = "Packet"
	in("s_packet_valid", "", 1, flag, "taken every cycle", "A packet is to be sent.")
	in("s_packet_dst", "DST_BITS", p.DstBits, dst, "with s_packet_valid", "Its destination.")
	in("s_packet_tag", "TAG_BITS", p.TagBits, "any", "with s_packet_valid", "Returned on m_path_tag.")

	lat := fmt.Sprintf("packet + %d cycles", CandLatency)
	l.Group = "Candidates, for the picker"
	out("m_cand_valid", "", 1, flag, lat, "The candidates of a packet; one set for each packet, in order.")
	out("m_cand_id", "", IDBits, "0 to 31 in turn", lat, "Must be returned with the pick.")
	out("m_cand_usable", "", p.Banks, "1 bit a bank, bank 0 lowest", lat, "Banks in which the destination has a path.")
	out("m_cand_latency", "", p.Banks*WeightBits, perBank(WeightBits)+", UQ5.9 octaves; all ones: dead", lat, "Scaled latencies, those of probed paths doubled; undefined for banks that are not usable.")

	l.Group = "Probe request"
	out("m_probe_valid", "", 1, flag, lat, "Send a probe packet; no back-pressure.")
	out("m_probe_pid", "PID_BITS", p.PidBits, pid, lat, "On this path.")
	out("m_probe_dst", "DST_BITS", p.DstBits, dst, lat, "To this destination.")

	l.Group = "Pick"
	in("s_pick_valid", "", 1, flag, fmt.Sprintf("at most %d cycles after the candidates", PickWindow), "The picker's answer.")
	in("s_pick_id", "", IDBits, "as m_cand_id", "with s_pick_valid", "The packet that it is for.")
	in("s_pick_index", "", int64(p.BankBits()), "bank", "with s_pick_valid", "The bank of the path that was chosen.")
	in("s_pick_none", "", 1, flag, "with s_pick_valid", "No candidate was usable.")

	lat = fmt.Sprintf("pick + %d cycles", PathLatency)
	l.Group = "Path of a packet"
	out("m_path_valid", "", 1, flag, lat, "The path of a packet.")
	out("m_path_tag", "TAG_BITS", p.TagBits, "as given", lat, "The packet's tag.")
	if p.StateProtection == Parity {
		out("m_path_none", "", 1, flag, lat+"; for m_route_valid too; combinational from the anchors", "No usable path, or no such destination: hold the packet. For a route request: the anchors are corrupt.")
	} else {
		out("m_path_none", "", 1, flag, lat, "The destination has no path (or does not exist): hold the packet.")
	}
	out("m_path_pid", "PID_BITS", p.PidBits, pid, lat+"; for m_route_valid too", "The path.")
	out("m_path_anchors", "", p.Anchors*AnchorBits, "32 bits an anchor, the first lowest", lat+"; for m_route_valid too", "Its anchors.")
	if p.PathLatency {
		out("m_path_latency", "", p.LatBits, ns, lat+"; for m_route_valid too", fmt.Sprintf("Its realVal, with changes made %d or more cycles before the pick; undefined for a path not written since reset.", WriteWindow))
	}

	l.Group = "Route request"
	in("s_route_valid", "", 1, flag, "held until taken", "Requests the anchors of a path, for a probe.")
	out("s_route_ready", "", 1, flag, "combinational: high in a cycle without a pick", "Taken.")
	in("s_route_pid", "PID_BITS", p.PidBits, pid, "with s_route_valid", "The path.")
	out("m_route_valid", "", 1, flag, fmt.Sprintf("route request + %d cycles", PathLatency), "m_path_pid and m_path_anchors are those of a route request.")

	l.Group = "ACK or probe answer"
	wait := "held until taken"
	ready := "combinational: high in a cycle without a packet and without sts_hold"
	if p.AckLookup == Own {
		ready = "high once sts_ready is, in a cycle without sts_hold"
	}
	in("s_ack_valid", "", 1, flag, wait, "A path's latency was measured.")
	out("s_ack_ready", "", 1, flag, ready, "Taken.")
	in("s_ack_pid", "PID_BITS", p.PidBits, pid, "with s_ack_valid", "The path.")
	in("s_ack_delay_ns", "", DelayBits, "signed, ns; below 0 counts as 0", "with s_ack_valid", "One-way delay.")
	in("s_ack_probe", "", 1, flag, "with s_ack_valid", "It is a probe's answer: rate control does not get it.")
	in("s_ack_tag", "TAG_BITS", p.TagBits, "any", "with s_ack_valid", "Returned on m_rate_tag.")

	lat = fmt.Sprintf("ACK + %d cycles", RateLatency)
	l.Group = "Operands of rate control"
	out("m_rate_valid", "", 1, flag, lat, "The operands of an ACK; probe answers and ACKs of unknown paths have none.")
	out("m_rate_tag", "TAG_BITS", p.TagBits, "as given", lat, "The ACK's tag.")
	out("m_rate_dst", "DST_BITS", p.DstBits, dst, lat, "The destination that the ACK's path belongs to.")
	out("m_rate_usable", "", p.Banks, "1 bit a bank, bank 0 lowest", lat, "Banks in which the destination has a path.")
	out("m_rate_latency", "", p.Banks*p.LatBits, perBank(p.LatBits)+", "+ns, lat, "realVal of these paths, the ACK's measurement included; t is the smallest.")
	if p.Baselines == Longest {
		out("m_rate_max_base", "", p.LatBits, ns, lat, "T: the largest baseVal of the set's paths, each as of when the path was listed.")
	} else {
		out("m_rate_base", "", p.Banks*p.LatBits, perBank(p.LatBits)+", "+ns, lat, "baseVal of these paths; T is the largest.")
	}

	l.Group = "Configuration"
	in("s_cfg_valid", "", 1, flag, wait, "The control plane changes the tables.")
	out("s_cfg_ready", "", 1, flag, "combinational: high in a cycle without s_ack_valid; for path, also without sts_hold", "Taken.")
	in("s_cfg_op", "", 2, "0 list, 1 commit, 2 path, 3 remove", "with s_cfg_valid", "The operation.")
	in("s_cfg_pid", "PID_BITS", p.PidBits, pid, "list, path, remove", "The path.")
	in("s_cfg_dst", "DST_BITS", p.DstBits, dst, "commit, path", "The destination; for path: the one that the path belongs to.")
	in("s_cfg_scale", "", ScaleBits, fmt.Sprintf("mantissa m in the low %d bits, exponent e above: m / 2^e in 2^-9 octaves a ns", MantissaBits), "commit", "Factor from a latency to octaves: β′·log2(e)/T.")
	in("s_cfg_latency", "", p.LatBits, ns, "path", "Initial realVal.")
	in("s_cfg_base", "", p.LatBits, ns, "path", "baseVal.")
	in("s_cfg_anchors", "", p.Anchors*AnchorBits, "32 bits an anchor, the first lowest", "path", "The anchors.")

	l.Group = "Run-time settings"
	in("cfg_beta", "", 16, "UQ1.15", fmt.Sprintf("read %d cycles after an ACK or a path is taken", BetaDelay), "Factor on the scale of every destination.")

	l.Group = "Events"
	if p.StateProtection == Parity {
		lat := "not fixed"
		out("evt_corrupt_set", "", 1, "pulse", lat, "Parity error in a destination's set, scale or T, or in a baseline of its paths. The word is not used.")
		out("evt_corrupt_dst", "DST_BITS", p.DstBits, dst, "with evt_corrupt_set", "The destination: write its paths and its set again.")
		out("evt_corrupt_path", "", 1, "pulse", lat, "Parity error in a path's destination, baseVal or anchors. The word is not used.")
		out("evt_corrupt_pid", "PID_BITS", p.PidBits, pid, "with evt_corrupt_path", "The path: write it again.")
	}
	out("evt_illegal", "", 1, "pulse", fmt.Sprintf("event + %d cycles", CountDelay), "An event named a destination or path that does not exist, or listed a path that was not written; it changed nothing.")

	l.Group = "Counters"
	doc := map[string]string{
		"packet": "Packets.", "no_path": "Packets without a candidate.", "probe": "Probes.",
		"probe_wait": "Packets that found an expired path but did not probe it because another write was due.",
		"ack":        "ACKs of known paths.", "answer": "Probe answers of known paths.",
		"stray":  "ACKs and probe answers of paths that belong to no destination; they change nothing.",
		"config": "Changes of the tables.", "illegal": "Events that name a destination or path that does not exist, or list one that was not written.",
		"not_ready": "Packets and picks that came while sts_ready was low and are lost; one each.",
	}
	for _, c := range CounterNames {
		t := fmt.Sprintf("event + %d cycles", CountDelay)
		if c == "no_path" || c == "probe" || c == "probe_wait" {
			t = fmt.Sprintf("packet + %d cycles", CandLatency+1)
		}
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", t, doc[c])
	}
	if p.StateProtection == Parity {
		out("sts_corrupt_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", "evt_corrupt_set or evt_corrupt_path + 1 cycle", "Pulses of evt_corrupt_set and evt_corrupt_path.")
	}
	return l.Ports
}

// Notes implements gen.Noted.
func (p *Params) Notes() string {
	return "## Beside the picker\n\n" +
		fmt.Sprintf("Connect `m_cand_valid`, `m_cand_usable`, `m_cand_latency` and `m_cand_id` to the picker's request of %d paths, the last as its tag, and its answer to `s_pick_`. ", p.Banks) +
		"The picker must answer within " + fmt.Sprint(PickWindow) + " cycles, whatever its latency.\n\n" +
		"`nicgen place` writes the sequence for the `s_cfg_` ports from path tables."
}
