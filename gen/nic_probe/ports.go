// SPDX-License-Identifier: Apache-2.0

package nicprobe

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const (
		flag   = "flag"
		dst    = "destination, 0 to DESTINATIONS-1"
		record = "with s_shim_valid"
	)

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards no destination has addresses, and nothing waits.")
	out("sts_ready", "", 1, flag, "low the cycle after rst, high DESTINATIONS + 2 cycles after it", "Low while addresses are cleared: probes wait.")
	in("now_ns", "", NowBits, "unsigned, ns, modulo 2^48", "sampled with what comes and what leaves", "The time, the same in all NICs.")

	l.Group = "Addresses"
	in("s_address_valid", "", 1, flag, "held until s_address_ready", "Write the addresses of a destination.")
	out("s_address_ready", "", 1, flag, "sts_ready", "They are written.")
	in("s_address_dst", "DST_BITS", p.DstBits, dst, "with s_address_valid", "The destination.")
	in("s_address_set", "", 1, flag, "with s_address_valid", "It has addresses; 0: it has none.")
	in("s_address_bytes", "", 8*Addresses, "byte 0 of the frame is [7:0]", "with s_address_valid", "Destination and source address of its probes.")

	l.Group = "Probe that is wanted"
	in("s_probe_valid", "", 1, flag, "taken every cycle", "The path tables want a probe.")
	in("s_probe_pid", "PID_BITS", p.PidBits, "any", "with s_probe_valid", "Its path.")
	in("s_probe_dst", "DST_BITS", p.DstBits, dst, "with s_probe_valid", "Its destination.")

	l.Group = "Anchors of its path"
	out("m_route_valid", "", 1, flag, fmt.Sprintf("held until m_route_ready; probe + %d cycles", RouteLatency), "Asks the path tables for the anchors.")
	in("m_route_ready", "", 1, flag, "", "It is taken.")
	out("m_route_pid", "PID_BITS", p.PidBits, "as given", "with m_route_valid", "The path.")
	in("s_route_valid", "", 1, flag, "one for each request, in a later cycle", "The anchors are here; without a request nothing.")
	in("s_route_anchors", "", 32*p.Anchors, "32 bits an anchor, the first lowest", "with s_route_valid", "The anchors.")

	l.Group = "Shim of a frame that came"
	in("s_shim_valid", "", 1, flag, "taken every cycle", "A frame with a shim has come.")
	in("s_shim_bad", "", 1, flag, record, "It is bad.")
	in("s_shim_subtype", "", 4, "1 LAPS; others are none of this unit's", record, "Its subtype.")
	in("s_shim_type", "", 2, "2 probe, 3 answer; others are none of this unit's", record, "Its type.")
	in("s_shim_body", "", BodyBits, "byte 16 of the frame is [7:0]", record, "Path, and time or delay.")
	in("s_shim_addresses", "", 8*Addresses, "byte 0 of the frame is [7:0]", record, "Its addresses.")

	l.Group = "Delay of a path"
	out("m_answer_valid", "", 1, flag, fmt.Sprintf("held until m_answer_ready; record + %d cycles", ResultLatency), "A probe was answered.")
	in("m_answer_ready", "", 1, flag, "", "It is taken.")
	out("m_answer_pid", "PID_BITS", p.PidBits, "any", "with m_answer_valid", "Its path.")
	out("m_answer_delay_ns", "", DelayBits, "signed, ns; beyond it the nearest", "with m_answer_valid", "One-way delay of the probe.")

	l.Group = "Frames that leave"
	out("m_frame_valid", "", 1, flag, fmt.Sprintf("held until m_frame_ready; record + %d, anchors + %d cycles", AnswerLatency, ProbeLatency), "A probe or an answer leaves.")
	in("m_frame_ready", "", 1, flag, "", "It is taken.")
	out("m_frame_data", "", 8*HeadBytes, "byte 0 of the frame is [7:0]", "with m_frame_valid", fmt.Sprintf("Its first %d bytes; %d of zero follow.", HeadBytes, FrameBytes-HeadBytes))

	l.Group = "Run-time settings"
	in("cfg_ether_type", "", 16, "any", "sampled with each frame", "EtherType of shims.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", fmt.Sprintf("address + 1, probe + %d, record + 2 cycles", RouteLatency), "A destination that does not exist, or an answer whose path is wider than PID_BITS.")

	l.Group = "Counters"
	doc := map[string][2]string{
		"probe":          {"with m_frame_valid", "Probes sent."},
		"answer":         {"with m_frame_valid", "Answers sent."},
		"result":         {"with m_answer_valid", "Answers received that wait for the path tables, or went to them."},
		"probe_dropped":  {"probe + 1 cycle", fmt.Sprintf("Probes wanted while %d wait.", FIFO)},
		"answer_dropped": {"record + 2 cycles", fmt.Sprintf("Probes received while %d answers wait.", FIFO)},
		"result_dropped": {"record + 2 cycles", fmt.Sprintf("Answers received while %d wait.", FIFO)},
		"no_address":     {fmt.Sprintf("probe + %d cycles", RouteLatency), "Probes to a destination without addresses."},
		"bad":            {"record + 2 cycles", "Probes and answers received that are bad."},
		"illegal":        {"evt_illegal + 1 cycle", "What evt_illegal says."},
	}
	for _, c := range CounterNames {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", doc[c][0], doc[c][1])
	}
	return l.Ports
}
