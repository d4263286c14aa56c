// SPDX-License-Identifier: Apache-2.0

package lapsrate

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
		flow = "flow, 0 to FLOWS-1"
		ns   = "unsigned, ns; all ones: that or longer"
		rate = "unsigned, in the unit of the settings"
		with = "with s_ack_valid"
	)
	perPath := fmt.Sprintf("%d bits a path, path 0 lowest, unsigned, ns; all ones: that or longer", p.LatBits)

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards every flow is opened.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("high FLOWS + %d cycles after rst", readyDelay), "Low while flows are opened: nothing is accepted then.")
	in("now_ns", "", p.TimeBits, fmt.Sprintf("unsigned, ns, modulo 2^%d", p.TimeBits), "sampled with each event", "Time of the events of this cycle; may stand still or jump ahead.")

	l.Group = "ACK"
	in("s_ack_valid", "", 1, flag, "taken every cycle", "An ACK that is not a probe's has arrived.")
	in("s_ack_flow", "FLOW_BITS", p.FlowBits, flow, with, "Its flow.")
	switch p.Operands {
	case ExtremesOp:
		in("s_ack_usable", "", 1, flag, with, "The flow's destination has a valid path.")
		in("s_ack_min_latency_ns", "", p.LatBits, ns, with, "t: the least realVal of its valid paths, the ACK's measurement included.")
		if p.Decrease == Most {
			in("s_ack_max_latency_ns", "", p.LatBits, ns, with, "The largest realVal of its valid paths, the ACK's measurement included.")
		}
		in("s_ack_max_base_ns", "", p.LatBits, ns, with, "T: the largest baseVal of its valid paths.")
	default:
		in("s_ack_usable", "", p.Paths, "1 bit a path, path 0 lowest", with, "The valid paths of the flow's destination.")
		in("s_ack_latency_ns", "", p.Paths*p.LatBits, perPath, with, "Their realVal, the ACK's measurement included; any value for paths that are not valid.")
		if p.Operands == LatenciesOp {
			in("s_ack_max_base_ns", "", p.LatBits, ns, with, "T: the largest baseVal of the valid paths.")
		} else {
			in("s_ack_base_ns", "", p.Paths*p.LatBits, perPath, with, "Their baseVal; any value for paths that are not valid.")
		}
	}

	l.Group = "Opening of a flow"
	in("s_open_valid", "", 1, flag, "held until taken", "A flow starts: both of its rates become cfg_max_rate.")
	out("s_open_ready", "", 1, flag, "combinational: high in a cycle without an ACK", "The opening is accepted in this cycle, in place of an ACK.")
	in("s_open_flow", "FLOW_BITS", p.FlowBits, flow, "with s_open_valid", "The flow.")

	lat := fmt.Sprintf("ACK or opening + %d cycles", p.RateLatency())
	l.Group = "Rate of a flow"
	out("m_rate_valid", "", 1, flag, lat, "The answer to an ACK or an opening; there is one for each, in order.")
	out("m_rate_flow", "FLOW_BITS", p.FlowBits, "as given", lat, "Its flow.")
	out("m_rate_cause", "", 3, "0 held, 1 decreased, 2 increased, 3 increased and the expected rate doubled, 4 opened, 5 no valid path, 6 no such flow", lat,
		"What happened; on 0, 5 and 6 the rates are unchanged.")
	out("m_rate_current", "", p.RateBits, rate, lat, "The flow's rate from now on, curRate; 0 if there is no such flow.")
	out("m_rate_expected", "", p.RateBits, rate, lat, "The rate that increases move towards, expRate; 0 if there is no such flow.")

	at := fmt.Sprintf("sampled %d cycles after each ACK or opening", p.SettingsDelay())
	l.Group = "Run-time settings"
	in("cfg_max_rate", "", p.RateBits, rate, at, "Rate of a flow when it is opened, and upper limit of both rates.")
	in("cfg_min_rate", "", p.RateBits, rate+", at least 1", at, "Lower limit of a decrease.")
	in("cfg_stages", "", StageBits, "unsigned", at, "Increases after a decrease or an opening before each further one doubles the expected rate.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", lat, "An event named a flow that does not exist; it changed nothing.")

	l.Group = "Counters"
	doc := map[string]string{
		"ack": "ACKs of flows that exist.", "congested": "Of these, ACKs that found every path above T.",
		"decrease": "Decreases.", "increase": "Increases, with or without doubling.", "hyper": "Of these, with doubling.",
		"no_path": "ACKs without a valid path; they change nothing.", "open": "Flows opened on request.",
		"illegal_flow": "Events for a flow that does not exist.", "not_ready": "ACKs that came while sts_ready was low, and were dropped.",
	}
	for _, c := range CounterNames {
		when := fmt.Sprintf("ACK or opening + %d cycles", p.RateLatency()+1)
		if c == "not_ready" {
			when = "ACK + 2 cycles"
		}
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", when, doc[c])
	}
	return l.Ports
}

// Notes implements gen.Noted.
func (p *Params) Notes() string {
	n := "## Beside the pacer\n\n" +
		"Every change of a rate comes out on `m_rate_`, openings included: a pacer keeps a table of the flows' rates in whatever form it needs, " +
		"initialised to `cfg_max_rate` for all flows.\n"
	if p.Operands != ExtremesOp {
		from, to, table := "m_rate_base", "s_ack_base_ns", "paths"
		if p.Operands == LatenciesOp {
			from, to, table = "m_rate_max_base", "s_ack_max_base_ns", "longest"
		}
		n += "\n## Behind the path tables\n\n" +
			"Emit `nic_laps_paths` with `baselines` " + table + ". Connect its `m_rate_valid`, `m_rate_tag`, `m_rate_usable`, `m_rate_latency` and `" + from +
			"` to `s_ack_valid`, `s_ack_flow`, `s_ack_usable`, `s_ack_latency_ns` and `" + to + "`, with the flow as the ACK's tag. Answers to probes give no " +
			"operands, so they change no rate.\n"
	}
	return n
}
