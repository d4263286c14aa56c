// SPDX-License-Identifier: Apache-2.0

package nicpace

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
		conn = "connection, 0 to CONNECTIONS-1"
	)

	l.Group = "Clock, reset, time"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; afterwards the wheel is emptied.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("low the cycle after rst, high %d cycles after it", p.Sweep()+2), "Low while the wheel is emptied: events do nothing then, but are counted.")
	in("now_ns", "", p.TimerBits, fmt.Sprintf("unsigned, ns, modulo 2^%d", p.TimerBits), "sampled in every cycle", "The time. It never goes back.")

	l.Group = "A connection wants its turn"
	in("s_push_valid", "", 1, flag, "held until s_push_ready", "A connection that had its turn, or is new, has packets again.")
	out("s_push_ready", "", 1, flag, fmt.Sprintf("low while %d wait", FIFO), "It is taken.")
	in("s_push_conn", "CONN_BITS", p.ConnBits, conn, "with s_push_valid", "Its number.")

	l.Group = "A connection's turn"
	out("m_due_valid", "", 1, flag, "held until m_due_ready", "It is a connection's turn: its departure time has come.")
	in("m_due_ready", "", 1, flag, "", "It is taken.")
	out("m_due_conn", "CONN_BITS", p.ConnBits, conn, "with m_due_valid", "Its number.")

	l.Group = "A turn is over"
	in("s_done_valid", "", 1, flag, "accepted every cycle", "A connection's packets have left, at most once for each DUE.")
	in("s_done_conn", "CONN_BITS", p.ConnBits, conn, "with s_done_valid", "Its number.")
	in("s_done_bytes", "", ByteBits, "bytes", "with s_done_valid", "Bytes on the wire.")
	in("s_done_again", "", 1, flag, "with s_done_valid", "It has more packets, and wants its next turn.")

	l.Group = "Rate"
	in("s_rate_valid", "", 1, flag, "accepted every cycle", "A connection has a new rate, for DONE from the next cycle on.")
	in("s_rate_conn", "CONN_BITS", p.ConnBits, conn, "with s_rate_valid", "Its number.")
	in("s_rate_inv", "", p.RateBits(), fmt.Sprintf("ns a byte, UQ%d.%d; 0: not paced", WholeBits, p.FracBits), "with s_rate_valid", "The time that a byte takes.")

	l.Group = "Flush request"
	in("s_flush_valid", "", 1, flag, "held until accepted", "Empty a connection: it is then as after reset.")
	out("s_flush_ready", "", 1, flag, "when it is neither in the wheel nor due", "It is empty.")
	in("s_flush_conn", "CONN_BITS", p.ConnBits, conn, "with s_flush_valid", "Its number.")

	l.Group = "Run-time settings"
	in("cfg_allowance_ns", "", p.TimerBits, fmt.Sprintf("unsigned, ns, below 2^%d", p.TimerBits-2), "sampled with each DONE", "How much time a connection that was late may make up for.")
	in("cfg_idle_ns", "", p.TimerBits, fmt.Sprintf("unsigned, ns, below 2^%d", p.TimerBits-2), "sampled when the lane takes a PUSH", "How much time a connection that was idle may make up for.")
	in("cfg_flush_force", "", 1, flag, "FLUSH taken + 3 cycles", "A flush does not wait for its connection's turn, which must not come any longer: an upset has lost it.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", "DONE + 4 cycles, RATE + 3", "An event was not legal; it changed nothing.")

	l.Group = "Counters"
	doc := map[string][2]string{
		"push":      {"s_push_ready + 7 cycles at least", "Connections that wanted a turn."},
		"done":      {"DONE + 5 cycles", "Turns that are over."},
		"due":       {"DUE + 2 cycles", "Turns."},
		"rate":      {"RATE + 3 cycles", "New rates."},
		"beyond":    {"DONE + 8 cycles, or PUSH, or a look", "Times that a departure time was beyond the wheel."},
		"late":      {"the slot + 2 cycles", "Slots whose lists were taken a slot or more late."},
		"flush":     {"s_flush_ready + 1 cycle", "Connections emptied on request."},
		"illegal":   {"evt_illegal + 1 cycle", "Events that were not legal."},
		"not_ready": {"event + 2 cycles", "Events that came while sts_ready was low."},
	}
	for _, c := range CounterNames() {
		out("sts_"+c+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", doc[c][0], doc[c][1])
	}
	return l.Ports
}
