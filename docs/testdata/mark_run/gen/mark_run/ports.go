// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	answer, counted := fmt.Sprintf("ACK + %d cycles", Latency), fmt.Sprintf("ACK + %d cycles", Latency+1)
	const conn = "connection, 0 to CONNECTIONS-1"

	l.Group = "Clock, reset"
	l.In("clk", "", 1, "flag", "", "Clock; everything happens on its rising edge.")
	l.In("rst", "", 1, "flag", "synchronous, active high", "Reset; then every run is cleared.")
	l.Out("sts_ready", "", 1, "flag", "high CONNECTIONS + 1 cycles after rst", "Low while runs are cleared: ACKs are then not taken.")

	l.Group = "Acknowledgement"
	l.In("s_ack_valid", "", 1, "flag", "taken every cycle", "An ACK arrived.")
	l.In("s_ack_conn", "CONN_BITS", p.ConnBits, conn, "with s_ack_valid", "Its connection.")
	l.In("s_ack_ecn", "", 1, "flag", "with s_ack_valid", "It echoes an ECN mark.")

	l.Group = "Run"
	l.Out("m_ack_valid", "", 1, "flag", answer, "The answer to an ACK of a connection that exists; in order.")
	l.Out("m_ack_conn", "CONN_BITS", p.ConnBits, conn, answer, "Its connection.")
	l.Out("m_ack_run", "RUN_BITS", p.RunBits, "unsigned, saturates at all ones", answer, "Marked ACKs in a row up to this one; 0 if it is not marked.")
	l.Out("m_ack_hot", "", 1, "flag", answer, "The run is at or above the threshold.")

	l.Group = "Run-time settings"
	l.In("cfg_threshold", "RUN_BITS", p.RunBits, "unsigned", "sampled with each ACK", "Runs from it upwards are hot.")

	l.Group = "Events"
	l.Out("evt_illegal", "", 1, "pulse", answer, "An ACK named a connection that does not exist; it changed nothing.")

	l.Group = "Counters"
	for _, c := range [][2]string{
		{"sts_ack_cnt", "ACKs of connections that exist."}, {"sts_marked_cnt", "Marked ones."}, {"sts_hot_cnt", "Hot ones."},
		{"sts_illegal_cnt", "ACKs of connections that do not exist."},
	} {
		l.Out(c[0], "COUNTER_BITS", p.CounterBits, "unsigned, wraps", counted, c[1])
	}
	return l.Ports
}
