// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/tb/powertcp"
)

const repaired = protected + "state_protection=triple hops=2"

// repairs writes rows of the link-rate table again and again, and changes a bit of a copy of
// the row, or of the one before it, at every moment from before the write until after it. It
// reports the first row that does not hold the last written value, three times. Random traffic
// with upsets does not write the table, and without upsets nothing is repaired.
func repairs(t *testing.T, edits ...string) (wrong []string) {
	t.Helper()
	p := suite.Configure(t, repaired)
	b := powertcp.Unit.Bench(p)
	made := 0
	b.Edit = func(_, text string) string {
		for i := 0; i < len(edits); i += 2 {
			made += strings.Count(text, edits[i])
			text = strings.Replace(text, edits[i], edits[i+1], 1)
		}
		return text
	}
	if err := b.Prepare(); err != nil {
		t.Fatal(err)
	}
	if made != len(edits)/2 {
		t.Fatalf("of %q %d are there, want each once", edits, made)
	}
	src := b.Source()
	src.Bind = nil // assertions speak of what a reset has ended
	lib, err := cosim.Build(t.Context(), src, cosim.BuildOptions{State: true})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	inst, err := lib.New(cosim.InstanceOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer inst.Close()
	m := &table{t: t, lib: lib, inst: inst, in: make([]uint64, lib.Layout().InWords), out: make([]uint64, lib.Layout().OutWords)}
	m.set("rst", 1)
	m.idle(100) // until the contents at power-up are gone
	m.set("rst", 0)
	const rows = 8
	entries := [2]uint64{p.Rate(0).Entry(), p.Rate(2).Entry() &^ 1} // the second is not valid
	var holds [rows]uint64
	for code := range holds {
		holds[code] = p.Rate(code).Entry()
	}
	for _, x := range []struct {
		memory string
		behind int // the row whose bit changes, from the one that is written on
	}{{"rates", 0}, {"knowns", 0}, {"rates", rows - 1}, {"knowns", rows - 1}} {
		e := m.element(x.memory)
		for moment := range 2 * p.RateHold() {
			for turn := range rows { // the row that a lane without a hop looks at as the write begins
				for m.cycles%rows != turn {
					m.step()
				}
				code, entry := uint64(moment*3%rows), entries[turn%2]
				holds[code] = entry
				changed := (int(code) + x.behind) % rows
				m.write(code, entry, func(cycle int) {
					if cycle == moment {
						m.flip(e, changed, (moment*7+turn)%e.Width)
					}
				})
				for row, entry := range holds {
					if why := m.differs(uint64(row), entry); why != "" {
						wrong = append(wrong, fmt.Sprintf("%s: a bit of row %d changed %d cycles from the start of a write of row %d: row %d: %s", x.memory, changed, moment, code, row, why))
						return wrong
					}
				}
			}
		}
	}
	return wrong
}

// table is a unit of which only the link-rate table is used.
type table struct {
	t       testing.TB
	lib     *cosim.Library
	inst    *cosim.Instance
	in, out []uint64
	cycles  int
}

// element is a memory of the first lane's copy of the table.
func (m *table) element(name string) cosim.Element {
	for _, e := range m.lib.Elements() {
		if e.Depth > 0 && strings.HasSuffix(e.Name, "[0]."+name) {
			return e
		}
	}
	m.t.Fatalf("no memory %s", name)
	return cosim.Element{}
}

func (m *table) set(port string, v uint64) { m.lib.Layout().MustSlot(port).Set(m.in, v) }

func (m *table) step() {
	m.cycles++
	if _, err := m.inst.Run(m.in, m.out); err != nil {
		m.t.Fatal(err)
	}
}

func (m *table) idle(cycles int) {
	for range cycles {
		m.step()
	}
}

// write hands an entry to the unit and waits until the write is done and repairs are, too.
// Before each cycle it calls at, from some cycles before the entry is taken on.
func (m *table) write(code, entry uint64, at func(cycle int)) {
	const before, after = 4, 40
	m.set("s_rate_code", code)
	m.set("s_rate_entry", entry)
	for cycle := range before + after {
		at(cycle)
		if cycle == before {
			m.set("s_rate_valid", 1)
		}
		m.step()
		if cycle == before {
			if m.lib.Layout().MustSlot("s_rate_ready").Get(m.out) != 1 {
				m.t.Fatal("a write must wait")
			}
			m.set("s_rate_valid", 0)
		}
	}
}

func (m *table) state() []byte {
	s, err := m.inst.State(nil)
	if err != nil {
		m.t.Fatal(err)
	}
	return s
}

func (m *table) flip(e cosim.Element, row, bit int) {
	s := m.state()
	e.Flip(s, row, bit)
	if err := m.inst.SetState(s); err != nil {
		m.t.Fatal(err)
	}
}

// differs returns the difference of a row from the value written, three times.
func (m *table) differs(code, entry uint64) string {
	s := m.state()
	for _, x := range []struct {
		memory string
		want   uint64
		bits   int
	}{{"knowns", entry & 1, 1}, {"rates", entry >> 1, params.EntryBits - 1}} {
		e := m.element(x.memory)
		at := e.Offset + int(code)*(e.Bytes/e.Words())
		for c := range 3 {
			for b := range x.bits {
				i := c*x.bits + b
				if uint64(s[at+i/8]>>(i%8)&1) != x.want>>b&1 {
					return fmt.Sprintf("bit %d of copy %d of %s is not that of the entry", b, c, x.memory)
				}
			}
		}
	}
	return ""
}

// A row of the protected table that is repaired while it is written holds the value
// written.
func TestRepairBesideWrite(t *testing.T) {
	for _, w := range repairs(t) {
		t.Error(w)
	}
}

// A repair that undoes a write of the same moment is noticed.
func TestRepairBesideWriteNotices(t *testing.T) {
	for _, b := range []struct {
		name  string
		edits []string
	}{
		{"an entry is written back over one that is written as it is looked at", []string{"late_differ && !new_q[RATE_LAT];", "late_differ;"}},
		{"the same of whether there is an entry", []string{"p1_differ && !new_q[0];", "p1_differ;"}},
		{"an entry is written back in place of one that is written", []string{"new_q[RATE_LAT] ? code_q : back_code_q;", "back_q ? back_code_q : code_q;"}},
	} {
		if sample.LeftOut(t.Name() + "/" + b.name) {
			continue
		}
		t.Run(b.name, func(t *testing.T) {
			if len(repairs(t, b.edits...)) == 0 {
				t.Error("not noticed")
			}
		})
	}
}
