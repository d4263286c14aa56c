// SPDX-License-Identifier: Apache-2.0

package niclookup

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
		key  = "as docs/units/nic_lookup.md builds it"
		op   = "with s_write_valid"
		done = "with m_write_valid"
	)
	answer := fmt.Sprintf("search + %d cycles", p.SearchLatency())

	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset: searches and an operation inside are lost, and the table is cleared.")
	out("sts_ready", "", 1, flag, fmt.Sprintf("high %d cycles after rst", p.Rows+1), "Low while the table is cleared: searches then find nothing.")

	for _, x := range [][2]string{{"a", "the sender's"}, {"b", "the receiver's"}} {
		port := x[0]
		l.Group = fmt.Sprintf("Search on port %s, %s", x[0], x[1])
		in("s_"+port+"_valid", "", 1, flag, "taken every cycle", "A search.")
		in("s_"+port+"_key", "", p.KeyBits, key, "with s_"+port+"_valid", "The key that is looked for.")
		out("m_"+port+"_valid", "", 1, flag, answer, "The answer to a search; one for each, in order.")
		out("m_"+port+"_hit", "", 1, flag, answer, "The table has the key.")
		out("m_"+port+"_conn", "CONN_BITS", p.ConnBits, conn, answer, "With a hit: the number of its entry in the lowest way that has one.")
	}

	l.Group = "Operation on the table"
	in("s_write_valid", "", 1, flag, "", "An operation.")
	out("s_write_ready", "", 1, flag, "low from the transfer to the answer", "It is taken.")
	in("s_write_read", "", 1, "0 write, 1 read back", op, "What to do.")
	in("s_write_way", "", WayBits, fmt.Sprintf("0 to %d", p.Ways-1), op, "The way.")
	in("s_write_row", "", RowBits, fmt.Sprintf("0 to %d", p.Rows-1), op, "The row.")
	in("s_write_set", "", 1, "1 entry, 0 none", op, "Write: whether the place has an entry from now on.")
	in("s_write_key", "", p.KeyBits, key, op, "Write: its key.")
	in("s_write_conn", "CONN_BITS", p.ConnBits, conn, op, "Write: its connection.")
	out("m_write_valid", "", 1, flag, fmt.Sprintf("transfer + %d cycles, and one for each cycle of waiting", p.WriteLatency()),
		"The answer to an operation. Searches answered later see a write, searches answered now or earlier do not.")
	out("m_write_error", "", 1, flag, done, "The operation was illegal and changed nothing.")
	out("m_write_set", "", 1, flag, "with m_write_valid, of a legal read", "The place has an entry.")
	out("m_write_key", "", p.KeyBits, key, "with m_write_set", "Its key.")
	out("m_write_conn", "CONN_BITS", p.ConnBits, conn, "with m_write_set", "Its connection.")

	l.Group = "Events"
	out("evt_illegal", "", 1, "pulse", done, "An operation named a way, a row, or (with s_write_set) a connection that does not exist.")
	for _, port := range []string{"a", "b"} {
		out("evt_"+port+"_conflict", "", 1, "pulse", fmt.Sprintf("search + %d cycles", p.SearchLatency()+1),
			"Several entries have the key of this search and not all the same connection: software has erred.")
	}

	l.Group = "Counters"
	for _, c := range p.counters() {
		out("sts_"+c.name+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", c.timing, c.doc)
	}
	return l.Ports
}

// counter is an event counter.
type counter struct{ name, timing, doc string }

// counters returns the event counters, in port order.
func (p *Params) counters() []counter {
	var out []counter
	after := fmt.Sprintf("search + %d cycles", p.SearchLatency()+1)
	for _, port := range []string{"a", "b"} {
		out = append(out,
			counter{port + "_search", after, "Searches on port " + port + "."},
			counter{port + "_hit", after, "Those that found their key."},
			counter{port + "_miss", after, "Those that did not."},
			counter{port + "_conflict", fmt.Sprintf("search + %d cycles", p.SearchLatency()+2), "Those with a conflict."})
	}
	return append(out,
		counter{"write", "m_write_valid + 1 cycle", "Writes that were carried out."},
		counter{"wait", "1 cycle later", "Cycles in which an operation waited for a cycle without a search on port b."},
		counter{"illegal", "m_write_valid + 1 cycle", "Illegal operations."})
}

// CounterNames returns the event counters in port order.
func (p *Params) CounterNames() []string {
	var out []string
	for _, c := range p.counters() {
		out = append(out, c.name)
	}
	return out
}
