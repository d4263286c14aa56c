// SPDX-License-Identifier: Apache-2.0

package niccsr_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/tb/benchtest"
	niccsr "github.com/nicgen/nicgen/tb/nic_csr"
)

// totalling is the RTL with totals in lockstep with the model.
type totalling struct {
	*benchtest.Lockstep
	t         *testing.T
	slots     int
	counters  []string // ports, in the order in which they are gathered; empty: none
	addresses []uint32 // of their totals' low words
	totals    []uint64 // the expected totals
	mask      uint64   // of a counter
}

func openTotals(t *testing.T, p *params.Params) *totalling {
	t.Helper()
	regs, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	m := &totalling{Lockstep: suite.Lockstep(t, p, cosim.BuildOptions{State: true}), t: t, slots: p.Slots(regs), mask: 1<<p.CounterBits - 1}
	blocks, ports := p.TotalPorts(regs)
	for i, port := range ports {
		b := regs.Blocks[blocks[i]]
		for _, r := range b.Registers {
			if r.Port == port && r.Kind == csr.Counter {
				m.addresses = append(m.addresses, csr.Place{Block: b, Register: r}.Address())
			}
		}
		name := b.Name + "_" + port
		if blocks[i] == 0 {
			name = "" // counted by the unit itself
		}
		m.counters = append(m.counters, name)
	}
	if len(m.addresses) != len(ports) {
		t.Fatalf("%d addresses of %d totals", len(m.addresses), len(ports))
	}
	m.totals = make([]uint64, len(ports))
	m.Set("rst", 1)
	m.Step(4)
	m.Set("rst", 0)
	m.Step(3 * m.slots)
	return m
}

// load puts a value into total i, in a cycle in which it is not on its way.
func (m *totalling) load(i int, v uint64) {
	m.t.Helper()
	m.Set(m.counters[i], v&m.mask)
	m.Step(3 * m.slots) // its low bits are that, whatever they were
	var turn cosim.Element
	var slices []cosim.Element // of the memory, low bits first
	for _, e := range m.Library.Elements() {
		switch {
		case strings.HasSuffix(e.Name, ".t0_turn_q"):
			turn = e
		case strings.Contains(e.Name, ".rows.g_slice[") && e.Depth > 0:
			slices = append(slices, e)
		}
	}
	for range m.slots {
		s, err := m.Instance.State(nil)
		if err != nil {
			m.t.Fatal(err)
		}
		if int(s[turn.Offset]) == (i+m.slots/2)%m.slots {
			from := 0
			for _, e := range slices {
				for bit := range e.Width {
					at := e.Offset + i*e.Bytes/e.Words() + bit/8
					s[at] = s[at]&^(1<<(bit%8)) | byte(v>>from&1)<<(bit%8)
					from++
				}
			}
			if from != 64 {
				m.t.Fatalf("a total has %d bits: %+v", from, slices)
			}
			if err := m.Instance.SetState(s); err != nil {
				m.t.Fatal(err)
			}
			niccsr.SetTotal(m.Model, i, v)
			m.totals[i] = v
			return
		}
		m.Step(1)
	}
	m.t.Fatal("its turn never comes")
}

// count has counter i count n events.
func (m *totalling) count(i int, n uint64) {
	m.totals[i] += n
	m.Set(m.counters[i], m.totals[i]&m.mask)
}

// read reads a word.
func (m *totalling) read(address uint32) uint64 {
	m.t.Helper()
	m.Set("s_axil_araddr", uint64(address))
	m.Set("s_axil_arvalid", 1)
	m.Await("s_axil_arready", 100)
	m.Set("s_axil_arvalid", 0)
	m.Set("s_axil_rready", 1)
	m.Await("s_axil_rvalid", 100)
	m.Set("s_axil_rready", 0)
	return m.Get("s_axil_rdata")
}

// both reads a total, low word first.
func (m *totalling) both(i int) uint64 {
	m.t.Helper()
	low := m.read(m.addresses[i])
	return m.read(m.addresses[i]+4)<<32 | low
}

// TestTotalsCarry has totals count across 2^32 and other powers of two up to 2^64, where 32 bits are 4 GB and less than
// half a second of a line, while software reads them: the two words always belong to the same moment, whatever the
// order of the counter, the update of its total and the two reads. Everything is compared with the model, and the
// values read with a sum in the test.
func TestTotalsCarry(t *testing.T) {
	m := openTotals(t, suite.Configure(t, "path=spray window=none totals=true counter_bits=13"))
	before, after := 0, 0
	for _, x := range []struct{ start, n uint64 }{
		{1<<32 - 1, 1}, {1<<33 - 700, 701}, {1<<31 - 1, 1}, {1<<48 - 1, 8191}, {1<<63 - 1, 1}, {1<<64 - 1, 1}, {5<<32 - 4096, 8191},
	} {
		for lead := range 2 * m.slots {
			i := lead % len(m.counters)
			if m.counters[i] == "" {
				continue
			}
			m.load(i, x.start)
			if got := m.both(i); got != x.start {
				t.Fatalf("%s: 0x%x, want 0x%x", m.counters[i], got, x.start)
			}
			// A read of both words some cycles after it has counted.
			m.count(i, x.n)
			m.Step(lead)
			switch got := m.both(i); got {
			case x.start:
				before++
			case m.totals[i]:
				after++
			default:
				t.Fatalf("%s: 0x%x while it goes from 0x%x to 0x%x", m.counters[i], got, x.start, m.totals[i])
			}
			m.Step(2 * m.slots)
			if got := m.both(i); got != m.totals[i] {
				t.Fatalf("%s: 0x%x after it went from 0x%x to 0x%x", m.counters[i], got, x.start, m.totals[i])
			}
			// It counts between the two words.
			m.load(i, x.start)
			low := m.read(m.addresses[i])
			m.count(i, x.n)
			m.Step(lead)
			if got := m.read(m.addresses[i]+4)<<32 | low; got != x.start {
				t.Fatalf("%s: 0x%x, want 0x%x: its high word is that of another moment", m.counters[i], got, x.start)
			}
			m.Step(2 * m.slots)
			if got := m.both(i); got != m.totals[i] {
				t.Fatalf("%s: 0x%x, want 0x%x", m.counters[i], got, m.totals[i])
			}
		}
	}
	// All totals share one high word, which belongs to the last low word read.
	m.load(1, 7<<32|5) // number 0 is the unit's own
	m.load(2, 9<<32|3)
	first, second := m.read(m.addresses[1]), m.read(m.addresses[2])
	if high := m.read(m.addresses[1] + 4); first != 5 || second != 3 || high != 9 {
		t.Errorf("low words %d and %d, and then the high one %d; want 5, 3 and 9", first, second, high)
	}
	if before == 0 || after == 0 {
		t.Errorf("%d reads found a total before it counted, %d after it", before, after)
	}
}
