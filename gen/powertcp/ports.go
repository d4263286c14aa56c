// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	// wide is the width of a port that no parameter changes.
	wide := func(bits int64) string {
		if bits == 1 {
			return ""
		}
		return fmt.Sprint(bits)
	}
	const flag = "flag"
	conn := "connection, 0 to CONNECTIONS-1"

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards every connection is made new.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("low from the cycle after rst rises, and for CONNECTIONS + %d cycles after it falls", p.ReadyLatency()-int(p.Connections)), "Low while connections are made new: nothing is accepted then.")
	if p.HasTheta() {
		in("now_ns", wide(p.NowBits), p.NowBits, fmt.Sprintf("unsigned, ns, modulo 2^%d", p.NowBits), "with s_ack_valid", "Time at which the ACK arrived.")
	}

	l.Group = "ACK"
	switch {
	case p.HasINT() && p.Throughput == PerHop:
		in("s_ack_valid", "", 1, flag, "held until accepted", "A beat of an ACK: max(1, s_ack_hop_cnt) beats, one a hop, all with the same header.")
	default:
		in("s_ack_valid", "", 1, flag, "held until accepted", "An ACK.")
	}
	out("s_ack_ready", "", 1, flag, "combinational from s_ack_valid, s_ack_conn and s_flush_conn",
		"The beat is accepted. Low before the first beat while an ACK or flush of the same connection is in progress; never low between beats.")
	in("s_ack_conn", "CONN_BITS", p.ConnBits, conn, "with s_ack_valid", "Its connection.")
	in("s_ack_seq", wide(SeqBits), SeqBits, "unsigned, bytes, modulo 2^32", "with s_ack_valid", "Acknowledged sequence number.")
	in("s_ack_snd_nxt", wide(SeqBits), SeqBits, "unsigned, bytes, modulo 2^32", "with s_ack_valid", "Next sequence number that the connection sends.")
	in("s_ack_path", "PATH_BITS", p.PathBits, "identifier", "with s_ack_valid", "Path of the acknowledged packet.")
	if p.Variant == Both {
		in("s_ack_theta", "", 1, flag, "with s_ack_valid", "It has a round-trip time instead of telemetry, in one beat.")
	}
	if p.HasINT() {
		l := p.Lanes()
		which := "Hop of the beat"
		times := func(bits int64) string { return fmt.Sprint(bits) }
		if l > 1 {
			which = "Each hop, hop 0 in the low bits"
			times = func(bits int64) string { return fmt.Sprintf("%d*%d", l, bits) }
		}
		in("s_ack_hop_cnt", wide(HopCntBits), HopCntBits, fmt.Sprintf("unsigned, 0 to 31; of more than %d hops only the first %d are used", p.Hops, p.Hops), "with s_ack_valid", "Number of hops of the packet's path.")
		if p.HopFormat == Word {
			in("s_ack_hop", times(p.WordBits()), l*p.WordBits(),
				fmt.Sprintf("from bit 0: rate code %d, time %d, bytes sent %d, queue length %d bits", p.RateBits, p.TimeBits, p.TxBits, p.QlenBits),
				"with s_ack_valid", which+": telemetry.")
		} else {
			in("s_ack_hop_rate", times(p.RateBits), l*p.RateBits, "link-rate code", "with s_ack_valid", which+": bandwidth.")
			in("s_ack_hop_time", times(p.TimeBits), l*p.TimeBits, fmt.Sprintf("unsigned, ns, modulo 2^%d", p.TimeBits), "with s_ack_valid", which+": time at which the packet left.")
			in("s_ack_hop_bytes", times(p.TxBits), l*p.TxBits, fmt.Sprintf("unsigned, × %d bytes, modulo 2^%d", p.TxUnit, p.TxBits), "with s_ack_valid", which+": bytes sent until then.")
			in("s_ack_hop_qlen", times(p.QlenBits), l*p.QlenBits, fmt.Sprintf("unsigned, × %d bytes", p.QlenUnit), "with s_ack_valid", which+": queue length then.")
		}
	}
	if p.HasRTT() {
		in("s_ack_rtt_valid", "", 1, flag, "with s_ack_valid", "The round-trip time is valid.")
		in("s_ack_rtt_ns", wide(p.RTTBits), p.RTTBits, "unsigned, ns; 0 is none", "with s_ack_valid", "The round-trip time.")
	}

	l.Group = "Flush request"
	in("s_flush_valid", "", 1, flag, "held until accepted", "Make a connection new: its next ACK counts as its first.")
	out("s_flush_ready", "", 1, flag, "combinational from s_ack_valid, s_ack_conn and s_flush_conn",
		"The flush is accepted in this cycle, in place of an ACK: none is offered, none is between two beats, and none of the connection is in progress.")
	in("s_flush_conn", "CONN_BITS", p.ConnBits, conn, "with s_flush_valid", "Which connection.")

	lat := fmt.Sprintf("last beat + %d cycles", p.WindowLatency())
	l.Group = "Window"
	out("m_win_valid", "", 1, flag, lat, "The answer to an ACK: one for each, in order.")
	out("m_win_conn", "CONN_BITS", p.ConnBits, "as in the ACK", lat, "Its connection.")
	out("m_win_bytes", wide(WindowBits), WindowBits, "UQ23.2, bytes", lat, "Congestion window.")
	out("m_win_rate", wide(PaceBits), PaceBits, "UQ8.16, bytes per ns, saturates", lat, "Pacing rate: window / τ.")
	out("m_win_norm", wide(NormBits), NormBits, "UQ8.18, saturates", lat, "Normalised power of the computation; 0 if there was none.")
	out("m_win_power", wide(NormBits), NormBits, "UQ8.18", lat, "Smoothed power.")
	if p.HasINT() {
		out("m_win_hop", wide(HopBits), HopBits, "hop, 0 is the first", lat, "The bottleneck: the hop of that normalised power; 0 if there was none.")
	}
	out("m_win_cause", "3", 3, p.causes(), lat, "Effect of the ACK.")

	if p.HasINT() {
		l.Group = "Link-rate table"
		in("s_rate_valid", "", 1, flag, "held until accepted", "Write an entry; beats accepted in the same cycle or later see it.")
		out("s_rate_ready", "", 1, flag, fmt.Sprintf("low for %d cycles after a write", p.RateHold()), "The write is accepted, also during reset.")
		in("s_rate_code", wide(p.RateBits), p.RateBits, "link-rate code", "with s_rate_valid", "Which entry.")
		in("s_rate_entry", wide(EntryBits), EntryBits,
			"from bit 0: valid 1, C0 mantissa 16, C0 exponent 6 (signed), C1 17, shift 2, floor mantissa 16, floor exponent 6 (signed)",
			"with s_rate_valid", "The link's constants. A reset keeps them.")
	}

	l.Group = "Run-time settings"
	setting := func(name string, bits int64, format, meaning string) {
		in(name, wide(bits), bits, format, p.sampled(name), meaning)
	}
	setting("cfg_gamma", GammaBits, "UQ1.16", "γ.")
	setting("cfg_beta", BetaBits, "UQ20.2, bytes", "β.")
	if p.HasINT() && !p.Observes() {
		setting("cfg_inv_tau_m", InvTauBits, "1/τ = m × 2^-(16+e) per ns; bit 16 is taken as set", "Mantissa m of 1/τ.")
		setting("cfg_inv_tau_e", InvTauExp, "unsigned", "Exponent e of 1/τ.")
	}
	meaning := "τ; it must match 1/τ."
	switch {
	case p.Variant == Theta, p.Observes():
		meaning = "Initial value of the running minimum of the round-trip time."
	case p.Variant == Both:
		meaning = "τ of ACKs with telemetry, it must match 1/τ; initial value of the running minimum of the round-trip time."
	}
	setting("cfg_tau_ns", p.RTTBits, "unsigned, ns", meaning)
	if p.HasTheta() {
		setting("cfg_theta_floor", GammaBits, "UQ1.16, above 0", "Lower bound of θ̇ + 1.")
		setting("cfg_inv_target", GammaBits, "UQ1.16, 1 to below 2; bit 16 is taken as set", "1 / target utilisation.")
	}
	setting("cfg_min_window", WindowBits, "UQ23.2, bytes", "Smallest window.")
	setting("cfg_max_window", WindowBits, "UQ23.2, bytes; at least cfg_min_window", "Largest window, and the window of a new connection.")
	setting("cfg_init_power", NormBits, "UQ8.18", "Smoothed power of a new connection: 1 / target utilisation.")

	if p.Protection == Triple {
		l.Group = "Events"
		out("evt_corrected", "", 1, "pulse", "within 3 cycles of the read", "Copies of a link-rate entry or a τ differed; they are made equal.")
	}

	l.Group = "Counters"
	doc := map[string]string{
		"ack":          "ACKs from which a window was computed (causes 0 and 4).",
		"first":        "First ACKs of a connection (cause 1).",
		"path":         "ACKs of another path, hop count or variant than the previous one (cause 2).",
		"no_sample":    "ACKs without telemetry or round-trip time (cause 3).",
		"stale_hop":    "Hops with the same time as in the previous ACK.",
		"excess":       fmt.Sprintf("ACKs of more than %d hops.", p.Hops),
		"rate_code":    "Hops with an unknown link-rate code.",
		"clamp_low":    "Windows clamped to cfg_min_window.",
		"clamp_high":   "Windows clamped to cfg_max_window.",
		"in_rtt":       "ACKs within the round-trip time, or at the time of the previous sample (cause 5).",
		"flush":        "Connections flushed on request.",
		"illegal_conn": "ACKs and flushes for a connection that does not exist.",
		"not_ready":    "Cycles in which an ACK was offered while sts_ready was low, and such of a flush: what is withdrawn before it is accepted is lost.",
	}
	for _, c := range p.CounterNames() {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", p.counted(c), doc[c])
	}
	if p.Protection == Triple {
		out("sts_corrected_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", "a cycle after evt_corrected", "Cycles in which different copies were found.")
	}
	return l.Ports
}

// counted describes the time at which a counter shows an event.
func (p *Params) counted(name string) string {
	if name == "not_ready" {
		return fmt.Sprintf("+ %d cycles", p.CounterLatency(name))
	}
	return fmt.Sprintf("last beat + %d cycles", p.CounterLatency(name))
}

// causes documents m_win_cause.
func (p *Params) causes() string {
	s := "0 updated, 1 first ACK: stored only, "
	switch p.Variant {
	case INT:
		s += "2 path or hop count changed: stored only, "
	case Theta:
		s += "2 path changed: stored only, "
	case Both:
		s += "2 path, hop count or variant changed: stored only, "
	}
	s += "3 no telemetry or round-trip time, "
	if p.HasINT() {
		s += "4 updated with the old power: no hop counted, "
	}
	if p.HasTheta() {
		s += "5 within the round-trip time, "
	}
	return s + "6 no such connection: all else is 0"
}

// sampled describes the time at which an ACK reads a setting.
func (p *Params) sampled(port string) string {
	at := func(n int) string { return fmt.Sprintf("last beat + %d cycles", n) }
	theta := p.HasTheta() && (port == "cfg_tau_ns" || port == "cfg_theta_floor" || port == "cfg_inv_target")
	switch {
	case p.Variant == Both && port == "cfg_tau_ns":
		return fmt.Sprintf("%s; θ: + %d", at(p.SettingLatency(port)), p.ThetaSettingLatency(port))
	case theta:
		return at(p.ThetaSettingLatency(port))
	case p.Variant == INT && (port == "cfg_inv_tau_m" || port == "cfg_inv_tau_e"):
		return fmt.Sprintf("%s for the power, + %d for the rate", at(p.SettingLatency(port)), p.PaceLatency())
	}
	return at(p.SettingLatency(port))
}
