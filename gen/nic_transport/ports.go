// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// axis adds an AXI4-Stream of frames.
func axis(l *gen.PortList, name string, master bool, user int64, tag string) {
	fwd, back := l.In, l.Out
	held := "held until " + name + "_tready"
	if master {
		fwd, back = l.Out, l.In
	}
	bad := "The frame is bad."
	if user > 1 {
		bad = fmt.Sprintf("Bit 0, with tlast: the frame is bad. Above it %s.", tag)
	}
	fwd(name+"_tdata", "", DataBits, "byte 0 of the beat is [7:0]", held, "Bytes of the frame, from the Ethernet header on, without FCS.")
	fwd(name+"_tkeep", "", DataBytes, "bit i: byte i is there; contiguous from bit 0, all but in the last beat", held, "The bytes that are there.")
	fwd(name+"_tvalid", "", 1, "flag", held, "A beat.")
	back(name+"_tready", "", 1, "flag", "", "The beat is taken.")
	fwd(name+"_tlast", "", 1, "flag", held, "The last beat of the frame.")
	fwd(name+"_tuser", "", user, "flag; tag", held, bad)
}

// A TraceEvent is an event inside the block that is visible on ports.
type TraceEvent struct {
	Name, Meaning string
	Fields        []TraceField
}

// A TraceField is a field of one.
type TraceField struct {
	Name   string
	Bits   int64
	Format string
}

// TraceEvents returns the visible events, in the order in which the events of a cycle take effect.
func (p *Params) TraceEvents() []TraceEvent {
	conn := TraceField{"conn", ConnBits, "connection"}
	psn := TraceField{"psn", p.PSNBits(), "unsigned"}
	ev := TraceField{"ev", EVBits, "any"}
	flag := func(name string) TraceField { return TraceField{name, 1, "flag"} }
	list := []TraceEvent{
		{"release", "A packet leaves its queue.", []TraceField{conn, {"psn", p.PSNBits(), "unsigned; 0 of a READ response"}}},
		{"enter", "A queued packet has ended.", []TraceField{conn, psn, flag("dropped")}},
		{"ack", "An ACK goes to nic_gate.", []TraceField{conn, psn, flag("nak")}},
		{"sample", "The answer to an ACK.", []TraceField{conn, flag("hit"), {"rtt", 25, "unsigned, ns"}, {"una", 32, "unsigned, bytes"}, {"nxt", 32, "unsigned, bytes"}}},
		{"win", "A window and a rate go to gate and pacer.", []TraceField{conn, {"bytes", 24, "unsigned, bytes"}, {"inv", 26, "ns a byte, UQ10.16"}}},
		{"back", "An entropy value comes back to the path unit.", []TraceField{conn, ev, flag("mark")}},
		{"fail", "A failure goes to the path unit.", []TraceField{conn}},
		{"send", "The path unit is asked for an entropy value.", []TraceField{conn, flag("direct")}},
		{"measure", "A path's delay goes to LAPS, of an ACK.", []TraceField{conn, psn, {"pid", 16, "path"}, {"delay", 32, "signed, ns"}}},
		{"rate", "A rate of LAPS goes to the pacer.", []TraceField{conn, {"inv", 26, "ns a byte, UQ10.16"}}},
		{"lost", "LAPS takes a packet for lost.", []TraceField{conn, psn, flag("timeout")}},
		{"data", "A packet received goes to nic_echo.", []TraceField{conn, psn, ev, flag("ce")}},
		{"echo", "An ACK on its way out asks nic_echo.", []TraceField{conn, psn}},
		{"recover", "A recovery begins: what is under way is dropped.", nil},
	}
	var out []TraceEvent
	for _, e := range list {
		switch e.Name {
		case "win":
			if !p.HasWindow() {
				continue
			}
		case "back", "fail":
			if !p.HasPath() || p.HasLAPS() {
				continue
			}
		case "send":
			if !p.HasPath() {
				continue
			}
		case "measure", "rate", "lost":
			if !p.HasLAPS() {
				continue
			}
		}
		out = append(out, e)
	}
	return out
}

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const flag = "flag"

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset: frames inside are lost, tables are emptied, settings take their reset values.")
	in("now_ns", "", NowBits, "unsigned, ns, modulo 2^48", "sampled in every cycle", "The time; it never goes back.")

	l.Group = "Frames from the host"
	axis(&l, "s_axis_tx", false, p.TxUserBits, "the packet's tag")
	l.Group = "Frames to the wire"
	axis(&l, "m_axis_tx", true, p.TxUserBits, "the packet's tag; 0 of packets that were queued or made here")
	l.Group = "Frames from the wire"
	axis(&l, "s_axis_rx", false, p.RxUserBits, "what goes with the packet, as in its first beat")
	l.Group = "Frames to the host"
	axis(&l, "m_axis_rx", true, p.RxUserBits, "what came with the packet")

	l.Group = "Completion"
	out("m_cpl_valid", "", 1, flag, "one cycle", "A packet has entered a queue or was dropped there: its sender is done with it.")
	out("m_cpl_tag", "", p.TxUserBits-1, "as given", "with m_cpl_valid", "Its tag.")

	l.Group = "Flow control"
	out("m_flow_valid", "", 1, flag, "held until taken", "A connection's queue has crossed a threshold.")
	in("m_flow_ready", "", 1, flag, "any", "It is told; high if nobody listens.")
	out("m_flow_conn", "", ConnBits, "connection", "with m_flow_valid", "The connection.")
	out("m_flow_off", "", 1, "0 may go on, 1 should stop", "with m_flow_valid", "What it is told.")

	l.Group = "Drops outside"
	for _, c := range Outside {
		in("s_"+c.Name+"_cnt", "", p.CounterBits, "unsigned, wraps", "counts at most one a cycle; 0 after rst", c.Meaning+" Software reads it as transport.sts_"+c.Name+"_cnt.")
	}

	l.Group = "Registers, AXI4-Lite"
	for _, q := range p.registers().Ports() {
		if len(q.Name) > 7 && q.Name[:7] == "s_axil_" || q.Name == "irq" {
			q.Group = l.Group
			l.Ports = append(l.Ports, q)
		}
	}

	l.Group = "Trace"
	for _, e := range p.TraceEvents() {
		name := "m_trace_" + e.Name
		out(name+"_valid", "", 1, flag, "one cycle", e.Meaning)
		for _, f := range e.Fields {
			out(name+"_"+f.Name, "", f.Bits, f.Format, "with "+name+"_valid", "Its "+f.Name+".")
		}
	}
	return l.Ports
}
