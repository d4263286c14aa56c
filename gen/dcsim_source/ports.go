// SPDX-License-Identifier: Apache-2.0

package dcsimsource

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
		flow   = "flow, 0 to FLOWS-1"
		clocks = "unsigned, clocks"
		held   = "held until taken"
	)
	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge, and times are counts of it.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; nothing is known of any packet afterwards.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("high %d cycles after rst", p.ReadyDelay()), "Low while memories are cleared: nothing is accepted then.")

	l.Group = "New DATAs"
	in("s_data_valid", "", 1, flag, held, "DATAs of a flow are there to be sent.")
	out("s_data_ready", "", 1, flag, "combinational, of registers: at most every other cycle", "They are taken.")
	in("s_data_flow", "FLOW_BITS", p.FlowBits, flow, "with s_data_valid", "Their flow.")
	in("s_data_count", "", CountBits, "unsigned, at least 1", "with s_data_valid", "How many: they have the next numbers of the flow.")

	l.Group = "SIM"
	out("m_sim_valid", "", 1, flag, held, "A SIM may be sent; the cycle in which it is taken is its time.")
	in("m_sim_ready", "", 1, flag, "any", "It begins to leave.")
	out("m_sim_flow", "FLOW_BITS", p.FlowBits, flow, "with m_sim_valid", "Its flow.")
	out("m_sim_port", "", p.PortBits, "unsigned", "with m_sim_valid", "Its source port, less the first port of the range.")

	l.Group = "SIM-ACK"
	in("s_sim_ack_valid", "", 1, flag, "taken every cycle", "A SIM-ACK arrived.")
	in("s_sim_ack_port", "", p.PortBits, "as m_sim_port", "with s_sim_ack_valid", "The source port of its SIM.")

	l.Group = "DATA"
	out("m_data_valid", "", 1, flag, fmt.Sprintf("SIM + RTTmax + %d cycles, or when those before it were taken; %s", Release, held), "A DATA may be sent.")
	in("m_data_ready", "", 1, flag, "any", "It begins to leave.")
	out("m_data_flow", "FLOW_BITS", p.FlowBits, flow, "with m_data_valid", "Its flow.")
	out("m_data_port", "", p.PortBits, "as m_sim_port", "with m_data_valid", "Its source port, that of its SIM.")
	out("m_data_seq", "", p.SeqBits, fmt.Sprintf("unsigned, modulo 2^%d", p.SeqBits), "with m_data_valid", "Which DATA of the flow, in the order in which they came, from 0.")
	out("m_data_tag", "", p.TagBits, "tag", "with m_data_valid", "What its DATA-ACK has to return.")

	l.Group = "DATA-ACK"
	in("s_data_ack_valid", "", 1, flag, "taken every cycle", "A DATA is acknowledged. One DATA-ACK packet acknowledges several, one after the other.")
	in("s_data_ack_tag", "", p.TagBits, "as m_data_tag", "with s_data_ack_valid", "Its tag.")

	l.Group = "Given back"
	out("m_lost_valid", "", 1, "pulse", "with the timeout", "A DATA timed out and there is no place to keep it: it is to come again as a new one.")
	out("m_lost_flow", "FLOW_BITS", p.FlowBits, flow, "with m_lost_valid", "Its flow.")
	out("m_lost_seq", "", p.SeqBits, "as m_data_seq", "with m_lost_valid", "Its number.")

	l.Group = "Random ports"
	in("s_seed_valid", "", 1, flag, "taken every cycle", "Some bits of the random generator's state.")
	in("s_seed_word", "", int64(p.RandomBits()), "any", "with s_seed_valid", "They follow one another; bit 0 is taken as 1.")

	l.Group = "Run-time settings"
	in("cfg_token_gain", "", p.TokenBits, "unsigned, at most cfg_token_cost", "sampled every cycle", "Tokens that are earned in cfg_token_cost clocks.")
	in("cfg_token_cost", "", p.TokenBits, "unsigned, above 0", "sampled every cycle", "Clocks in which cfg_token_gain tokens are earned.")
	in("cfg_rtt_max", "", p.TimeBits, fmt.Sprintf("%s, 8 to 2^%d - 1", clocks, p.TimeBits-1), "sampled every cycle", "RTTmax: from a SIM to its DATA.")
	in("cfg_sim_queue", "", QueueBits, "packets, 1 to 32", "sampled every cycle", "B: the most SIMs that wait.")
	in("cfg_data_timeout", "", p.TimeBits, fmt.Sprintf("%s, 8 to 2^%d - 1", clocks, p.TimeBits-1), "sampled every cycle", "From a DATA to its being sent again.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", "SIM-ACK or DATA-ACK + 3 cycles", "Something that was counted as missed or refused; it changed nothing.")

	l.Group = "Counters"
	doc := map[string]string{
		"data": "New DATAs that were accepted.", "sim": "SIMs that were sent.", "sim_ack": "SIM-ACKs that gave a DATA its time.",
		"sim_timeout": "SIMs without a SIM-ACK within RTTmax.", "data_sent": "DATAs that were sent.", "data_ack": "DATAs that were acknowledged.",
		"data_timeout": "DATAs that timed out and are sent again.", "lost": "DATAs that timed out and were given back.",
		"sim_ack_missed":  "SIM-ACKs of a port that no SIM in flight has: late, repeated, or of nothing that was sent.",
		"data_ack_missed": "DATA-ACKs of a tag that no DATA in flight has, or repeated.",
		"refused":         "Offers of new DATAs that were refused: an unknown flow, a count of 0, too many.",
		"not_ready":       "SIM-ACKs and DATA-ACKs that came while sts_ready was low, and were dropped.",
	}
	for _, c := range CounterNames {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", "1 cycle after the event shows", doc[c])
	}
	return l.Ports
}

// Notes implements gen.Noted.
func (p *Params) Notes() string {
	return "## Beside it\n\n" +
		"`m_sim` and `m_data` go to the port that sends: it takes a SIM before a SIM-ACK, a DATA-ACK or a DATA, and never interrupts a packet. Its own token " +
		"bucket for SIMs is not needed, as the unit has one: with `cfg_token_gain` = `cfg_token_cost` it never holds a SIM back. The DATAs themselves stay with the host, by flow and number, until they are acknowledged or given back.\n\n" +
		"A SIM's time is the cycle in which `m_sim` is taken. For the time at which it begins on the line, raise `m_sim_ready` only when the line is given to it. " +
		"If a port's queue takes it before, it may wait there: Eq. 5 counts the NIC as a hop, so that RTTmax has that wait in it.\n"
}
