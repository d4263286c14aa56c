// SPDX-License-Identifier: Apache-2.0

package nicqueue

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	cells := int64(p.CellIdxBits() + 1)
	const (
		flag    = "flag"
		conn    = "connection, 0 to CONNECTIONS-1"
		beat    = "with s_axis_tvalid"
		first   = "with the first beat of a packet"
		bytes   = "byte 0 of the beat is [7:0]"
		count   = "unsigned, cells"
		sampled = "sampled 1 cycle after the last beat"
		done    = "with m_done_valid"
		wraps   = "unsigned, modulo 2^24"
	)
	entered := fmt.Sprintf("last beat + %d cycles", ToStore+1)
	leaves := fmt.Sprintf("pop + %d cycles at the earliest", ToWalk+p.ReadLatency())

	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset: all queues are empty afterwards.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("high %d cycles after rst", p.ReadyDelay()), "Low while queues are cleared: packets that begin are not stored then, and pops wait.")

	l.Group = "Packets in"
	in("s_axis_tdata", "", DataBits, bytes, beat, "Bytes of the packet, from the Ethernet header on.")
	in("s_axis_tkeep", "", KeepBits, "bit i: byte i is there; contiguous from bit 0", beat, "The bytes that are there; all but in the last beat.")
	in("s_axis_tvalid", "", 1, flag, "taken every cycle", "A beat.")
	in("s_axis_tlast", "", 1, flag, beat, "The last beat of the packet.")
	in("s_axis_tuser", "", 1, flag, "with the last beat", "The packet is bad: it is dropped.")
	in("s_axis_conn", "CONN_BITS", p.ConnBits, conn, first, "Its connection.")
	in("s_axis_store", "", 1, flag, first, "It is for a queue; others are passed over.")
	in("s_axis_bytes", "", BytesBits, "unsigned", first, "Its IP bytes: IPv4 total length, or IPv6 payload length + 40.")
	in("s_axis_tags", "", TagsBits, "unsigned", first, "Its VLAN tags, 4 bytes each.")
	in("s_axis_meta", "META_BITS", p.MetaBits, "any", first, "What goes with it.")

	l.Group = "Packet entered"
	out("m_enter_valid", "", 1, flag, entered, "A packet for a queue has ended; in order.")
	out("m_enter_conn", "CONN_BITS", p.ConnBits, "as given", "with m_enter_valid", "Its connection.")
	out("m_enter_dropped", "", 1, flag, "with m_enter_valid", "It was dropped, and left no trace.")
	out("m_enter_reason", "", ReasonBits, "0 stored, 1 unknown connection, 2 bad, 3 too long, 4 no free cell, 5 quota", "with m_enter_valid", "Why; the first one of those that apply.")
	out("m_enter_bytes", "", BytesBits, "unsigned", "with m_enter_valid", "Its IP bytes.")

	l.Group = "Pop"
	in("s_pop_valid", "", 1, flag, "held until taken", "A visit of a queue.")
	out("s_pop_ready", "", 1, flag, "combinational, of registers", "It is taken: fewer than 4 others wait.")
	in("s_pop_conn", "CONN_BITS", p.ConnBits, conn, "with s_pop_valid", "Its connection.")
	in("s_pop_budget", "", BudgetBits, "unsigned, bytes", "with s_pop_valid", "The next packet goes while it is above 0, and takes its IP bytes of it; the first goes anyway.")
	in("s_pop_discard", "", 1, flag, "with s_pop_valid", "All packets are discarded instead.")

	l.Group = "Packets out"
	in("m_axis_ready", "", 1, flag, fmt.Sprintf("sampled before each packet; %d beats may follow after it fell", p.Overrun()), "A packet may begin.")
	out("m_axis_tdata", "", DataBits, bytes+"; bytes that are not there may be anything", leaves, "Bytes of the packet.")
	out("m_axis_tkeep", "", KeepBits, "bit i: byte i is there", leaves, "The bytes that are there.")
	out("m_axis_tvalid", "", 1, flag, leaves, "A beat; those of a packet come without gaps.")
	out("m_axis_tlast", "", 1, flag, leaves, "The last beat of the packet.")
	out("m_axis_first", "", 1, flag, leaves, "The first one.")
	out("m_axis_conn", "CONN_BITS", p.ConnBits, conn, leaves, "Its connection.")
	out("m_axis_bytes", "", BytesBits, "unsigned", "with m_axis_first", "Its IP bytes.")
	out("m_axis_tags", "", TagsBits, "unsigned", "with m_axis_first", "Its VLAN tags.")
	out("m_axis_final", "", 1, flag, "with m_axis_first", "It is the last packet of its visit.")
	out("m_axis_meta", "META_BITS", p.MetaBits, "as given", "with m_axis_first", "What goes with it.")

	l.Group = "Visit done"
	out("m_done_valid", "", 1, flag, fmt.Sprintf("pop + %d cycles at the earliest", ToWalk+3), "The last packet of a visit has begun, or there is none; in the order of pops.")
	out("m_done_conn", "CONN_BITS", p.ConnBits, conn, done, "The connection.")
	out("m_done_discard", "", 1, flag, done, "Its packets were discarded.")
	out("m_done_packets", "", CountBits, "unsigned", done, "Packets that left or were discarded.")
	out("m_done_bytes", "", SumBits, wraps, done, "Their IP bytes.")
	out("m_done_wire", "", SumBits, wraps, done, "Their bytes on the wire, with preamble, FCS and gap; 0 if discarded.")
	out("m_done_empty", "", 1, flag, done, "The queue is empty: every packet whose m_enter came before is gone. One whose m_enter comes in the same cycle does not count.")

	l.Group = "Flow control"
	out("m_flow_valid", "", 1, flag, "held until taken", "A connection has crossed a threshold.")
	in("m_flow_ready", "", 1, flag, "any", "It is told.")
	out("m_flow_conn", "CONN_BITS", p.ConnBits, conn, "with m_flow_valid", "The connection.")
	out("m_flow_off", "", 1, "0 may go on, 1 should stop", "with m_flow_valid", "What it is told; each time the other one.")
	out("sts_off", "", 1, "0 may go on, 1 should stop", "2 cycles after the free cells change", "The same for all connections, by the free cells.")
	out("sts_free_cells", "", cells, count, "1 cycle after a cell is taken or free again", "Cells that are free.")

	l.Group = "Run-time settings"
	in("cfg_quota", "", cells, count, sampled, "The most cells of a connection, with those of a visit that has not ended; never more than all.")
	in("cfg_xoff", "", cells, count, "sampled every cycle", "Cells of a connection from which on it should stop.")
	in("cfg_xon", "", cells, count, "sampled every cycle", "Cells down to which it should go on.")
	in("cfg_free_off", "", cells, count, "sampled every cycle", "Free cells below which all should stop.")
	in("cfg_free_on", "", cells, count, "sampled every cycle", "Free cells from which on they may go on.")
	in("cfg_shim", "", ShimBits, "unsigned, bytes", "sampled 3 cycles before m_done, or for packets before the last one when they begin", "Bytes that are added to each packet behind the queues.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", fmt.Sprintf("last beat + %d cycles, or a pop's turn + 2", ToStore+2), "A packet or a pop of a connection that does not exist; it changed nothing.")

	l.Group = "Counters"
	after := fmt.Sprintf("last beat + %d cycles", ToStore+2)
	doc := map[string][2]string{
		"stored":  {after, "Packets that were stored."},
		"unknown": {after, "Packets of connections that do not exist."}, "bad": {after, "Packets that were bad."},
		"long": {after, "Packets that were too long."}, "full": {after, "Packets for which there was no free cell."},
		"quota":       {after, "Packets that would have exceeded the quota."},
		"not_ready":   {"first beat + 2 cycles", "Packets for a queue that began while sts_ready was low."},
		"sent":        {"2 cycles after the length is known", "Packets that left."},
		"discarded":   {"2 cycles after the length is known", "Packets that were discarded."},
		"empty":       {"2 cycles after its turn", "Visits of empty queues."},
		"pop_unknown": {"2 cycles after its turn", "Pops of connections that do not exist."},
	}
	for _, c := range CounterNames {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", doc[c][0], doc[c][1])
	}
	return l.Ports
}
