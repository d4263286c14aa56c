// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
)

// Counter is an event counter of a part, and the port that shows it.
type Counter struct {
	Part string // "paths", "pick", "rate" or "loss"
	Name string // in the part: "ack"
	Port string // "sts_rate_ack_cnt"
}

// Counters lists the counters in the order of the ports. A name that several parts have is preceded
// by the part's name.
func (p *Params) Counters() []Counter {
	var list []Counter
	for _, part := range p.counted() {
		for _, n := range part.names {
			port := n
			if n == "ack" || n == "no_path" {
				port = part.name + "_" + n
			}
			list = append(list, Counter{part.name, n, "sts_" + port + "_cnt"})
		}
	}
	return list
}

// counted is a part with its counters.
type counted struct {
	name  string
	ports []gen.Port
	names []string
}

// notReady is the counter of events that arrive while a unit is not ready. The parts count none, as
// no event reaches them before all of them are ready.
const notReady = "sts_not_ready_cnt"

func (p *Params) counted() []counted {
	var list []counted
	for _, part := range p.Parts().list() {
		c := counted{name: strings.TrimPrefix(part.Unit(), "laps_"), ports: part.Ports()}
		for _, port := range c.ports {
			if n, ok := strings.CutSuffix(port.Name, "_cnt"); ok && port.Name != notReady {
				c.names = append(c.names, strings.TrimPrefix(n, "sts_"))
			}
		}
		list = append(list, c)
	}
	return list
}

// pick returns the port of that name.
func pick(ports []gen.Port, name string) gen.Port {
	return ports[slices.IndexFunc(ports, func(p gen.Port) bool { return p.Name == name })]
}

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const (
		flag = "flag"
		wait = "held until taken"
	)
	parts, delays := p.Parts(), p.Delays()
	tables, rate := parts.Paths.Ports(), parts.Rate.Ports()
	// from shows a part's ports unchanged, except for the condition.
	from := func(ports []gen.Port, timing func(gen.Port) string, names ...string) {
		for _, n := range names {
			x := pick(ports, n)
			x.Group = l.Group
			if timing != nil {
				x.Timing = timing(x)
			}
			if n == "m_rate_flow" {
				x.Width = fmt.Sprint(x.Bits)
			}
			l.Ports = append(l.Ports, x)
		}
	}
	at := func(t string) func(gen.Port) string { return func(gen.Port) string { return t } }
	pid := pick(tables, "m_path_pid").Format
	tag, flow, seq := p.Tables.TagBits, p.Rate.FlowBits, p.Detector.SeqBits
	path := fmt.Sprintf("packet + %d cycles", p.PacketLatency())

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards all tables are emptied and all flows opened.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("high %d cycles after rst", p.ReadyDelay()), "Low while a part empties its tables: nothing is accepted then.")
	in("now_ns", "", p.Tables.TimeBits, fmt.Sprintf("unsigned, ns, modulo 2^%d", p.Tables.TimeBits), "sampled where the parts sample it",
		"Time of this cycle; may stand still or jump ahead.")

	l.Group = "Packet"
	in("s_packet_valid", "", 1, flag, "taken every cycle", "A packet is to be sent.")
	from(tables, nil, "s_packet_dst")
	in("s_packet_tag", "TAG_BITS", tag, "any", "with s_packet_valid", "Returned on m_path_tag.")
	if p.Loss {
		in("s_packet_track", "", 1, flag, "with s_packet_valid", "It is a data segment: detect its loss.")
		in("s_packet_flow", "", flow, "any number", "with s_packet_track", "Its flow.")
		in("s_packet_seq", "", seq, "any number", "with s_packet_track", "Its sequence number.")
	}

	l.Group = "Path of a packet"
	out("m_path_valid", "", 1, flag, path, "The path of a packet; there is one for each, in order.")
	out("m_path_tag", "TAG_BITS", tag, "as given", path, "The packet's tag.")
	out("m_path_none", "", 1, flag, path, "The destination has no path (or does not exist): hold the packet. It is not tracked.")
	from(tables, at(path+"; for m_route_valid too"), "m_path_pid", "m_path_anchors")
	if p.Loss {
		t := fmt.Sprintf("path + %d cycles", delays.Send)
		out("m_send_valid", "", 1, flag, t, "Whether a packet is tracked; one for each that came with s_packet_track and has a path, in order.")
		out("m_send_stored", "", 1, flag, t, "It is tracked. Else the path's ring is full, and a loss of the segment goes undetected.")
	}

	l.Group = "Probe request"
	from(tables, nil, "m_probe_valid", "m_probe_pid", "m_probe_dst")
	l.Group = "Route request"
	from(tables, nil, "s_route_valid", "s_route_ready", "s_route_pid", "m_route_valid")
	slot := "in a cycle without a packet and not reserved for a probe"
	if p.Tables.AckLookup == lapspaths.Own {
		slot = "in a cycle not reserved for a probe"
	}

	l.Group = "Answer to a probe"
	in("s_answer_valid", "", 1, flag, wait, "A probe's answer has arrived; it changes no rate.")
	out("s_answer_ready", "", 1, flag, "combinational: high "+slot, "Taken.")
	in("s_answer_pid", "PID_BITS", p.Tables.PidBits, pid, "with s_answer_valid", "The path that was probed.")
	in("s_answer_delay_ns", "", lapspaths.DelayBits, "signed, ns; below 0 counts as 0", "with s_answer_valid", "Its one-way delay.")

	ready := "combinational: high " + slot + ", without s_answer_valid,"
	if p.Loss {
		ready += " while the queue of its path has room"
	}
	l.Group = "ACK"
	in("s_ack_valid", "", 1, flag, wait, "A data segment's ACK has arrived.")
	out("s_ack_ready", "", 1, flag, ready, "All parts accept it.")
	in("s_ack_pid", "PID_BITS", p.Tables.PidBits, pid, "with s_ack_valid", "The path of the segment.")
	in("s_ack_flow", "", flow, pick(rate, "s_ack_flow").Format, "with s_ack_valid", "The segment's flow.")
	if p.Loss {
		in("s_ack_seq", "", seq, "any number", "with s_ack_valid", "The segment's sequence number.")
	}
	in("s_ack_delay_ns", "", lapspaths.DelayBits, "signed, ns; below 0 counts as 0", "with s_ack_valid", "The segment's one-way delay.")

	l.Group = "Opening of a flow"
	from(rate, nil, "s_open_valid")
	out("s_open_ready", "", 1, flag, fmt.Sprintf("combinational: low %d cycles after an ACK", delays.Operands), "Taken.")
	in("s_open_flow", "", flow, pick(rate, "s_open_flow").Format, "with s_open_valid", "Which flow.")

	l.Group = "Rate of a flow"
	from(rate, at(fmt.Sprintf("ACK + %d or opening + %d cycles", p.RateLatency(), delays.Rate)),
		"m_rate_valid", "m_rate_flow", "m_rate_cause", "m_rate_current", "m_rate_expected")

	if p.Loss {
		fixed := func(ports []gen.Port, names ...string) {
			from(ports, nil, names...)
			for i := range names {
				x := &l.Ports[len(l.Ports)-1-i]
				x.Format = strings.ReplaceAll(x.Format, "path, 0 to PATHS-1", pid)
			}
		}
		loss := parts.Loss.Ports()
		l.Group = "Answer of the loss detector to an ACK"
		fixed(loss, "m_ack_valid", "m_ack_pid", "m_ack_flow", "m_ack_seq", "m_ack_cause")
		l.Group = "Lost segments, to be sent again before new data"
		fixed(loss, "m_lost_valid", "m_lost_ready", "m_lost_pid", "m_lost_flow", "m_lost_seq", "m_lost_timeout")
	}

	l.Group = "Configuration"
	from(tables, func(x gen.Port) string {
		return strings.NewReplacer("without s_ack_valid", "without an ACK or answer that could be accepted or waits for a packet",
			"also without sts_hold", "also in one not reserved for a probe").Replace(x.Timing)
	}, "s_cfg_valid", "s_cfg_ready", "s_cfg_op", "s_cfg_pid", "s_cfg_dst", "s_cfg_scale", "s_cfg_latency", "s_cfg_base", "s_cfg_anchors")
	l.Group = "Random generator"
	from(parts.Pick.Ports(), nil, "s_seed_valid", "s_seed_word")

	l.Group = "Run-time settings"
	from(tables, func(x gen.Port) string {
		return strings.ReplaceAll(x.Timing, "an ACK or a path", "an ACK, an answer or a path")
	}, "cfg_beta")
	from(rate, at(fmt.Sprintf("sampled %d cycles after each ACK, %d after each opening", delays.Operands+delays.Settings, delays.Settings)),
		"cfg_max_rate", "cfg_min_rate", "cfg_stages")
	if p.Loss {
		from(parts.Loss.Ports(), at("sampled with the path of each tracked packet, and on each ACK's last pass through the loss detector"), "cfg_rto_min_ns")
	}

	l.Group = "Events"
	for _, x := range []struct {
		name  string
		ports []gen.Port
		when  string
	}{{"paths", tables, ""}, {"rate", rate, fmt.Sprintf("ACK + %d or opening + %d cycles", p.RateLatency(), delays.Rate)}} {
		e := pick(x.ports, "evt_illegal")
		e.Name, e.Group = "evt_"+x.name+"_illegal", l.Group
		if x.when != "" {
			e.Timing = x.when
		}
		l.Ports = append(l.Ports, e)
	}
	if p.Tables.StateProtection == lapspaths.Parity {
		from(tables, nil, "evt_corrupt_set", "evt_corrupt_dst", "evt_corrupt_path", "evt_corrupt_pid")
	}
	l.Group = "Counters"
	counters := p.Counters()
	for _, part := range p.counted() {
		for range part.names {
			c := counters[0]
			counters = counters[1:]
			x := pick(part.ports, "sts_"+c.Name+"_cnt")
			x.Name, x.Group = c.Port, l.Group
			switch part.name {
			case "pick":
				x.Timing = fmt.Sprintf("packet + %d cycles", delays.Cand+delays.Pick+1)
			case "rate":
				x.Timing = fmt.Sprintf("ACK + %d or opening + %d cycles", p.RateLatency()+1, delays.Rate+1)
			}
			l.Ports = append(l.Ports, x)
		}
	}
	out(notReady, "COUNTER_BITS", p.Tables.CounterBits, "unsigned, wraps", "packet + 2 cycles", "Packets that came while sts_ready was low, and were dropped. What has a ready waits.")
	return l.Ports
}

// Notes implements gen.Noted.
func (p *Params) Notes() string {
	n := "## Surroundings\n\n" +
		"- `nicgen place` writes the sequence for the `s_cfg_` ports from path tables.\n" +
		"- A probe request comes without anchors: request them on `s_route_`, which waits for picks. The probe's answer goes to `s_answer_`.\n" +
		"- `m_rate_current` goes to the pacer whenever `m_rate_valid` is high; it starts with `cfg_max_rate` for all flows.\n"
	if p.Loss {
		n += "- Take `m_lost_` before new data. A segment sent again is a packet like any other, on whatever path it gets.\n"
	}
	return n
}
