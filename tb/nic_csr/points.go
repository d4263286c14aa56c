// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index; followed by the points of each word.
const (
	ptHole = iota
	ptBeyond
	ptLost
	ptLostRead
	ptStrobe
	ptBoth
	ptCommit
	ptCommitNone
	ptTorn
	ptClearEvent
	ptStart
	ptMissedStart
	ptMissedData
	ptMissedClear
	ptHighLatched
	ptResetWrite
	ptResetRead
	ptResetWindow
	ptWord
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	m, err := p.Map()
	if err != nil {
		panic(err) // a configuration is checked first
	}
	var settings, events, windows, waits, data, wide, wideSetting bool
	for _, b := range m.Blocks {
		windows = windows || len(b.Windows) > 0
		for _, w := range b.Windows { // without a ready, a word is gone before the next access
			waits = waits || w.Ready
			data = data || w.Ready && len(w.Fields) > 0
		}
		for _, r := range b.Registers {
			settings = settings || r.Kind == csr.Setting
			events = events || r.Kind == csr.Events && b.Base > 0
			wide = wide || r.Kind == csr.Counter && r.Bits > 32 && r.Narrow == 0 && b.Base > 0 // no run counts so far
			wideSetting = wideSetting || r.Kind == csr.Setting && r.Bits > 32
		}
	}
	var list bench.Points
	add := list.Add
	add("hole", "a read of a word in a block that cannot be read", true)
	add("hole/beyond", "a read behind the last block", uint64(m.Size()) < 1<<p.AddrBits)
	add("lost", "a write to a word that is none", true)
	add("lost/read_only", "a write to a word that is only read", true)
	add("strobe", "a write without all strobes", true)
	add("illegal/both", "an illegal read and an illegal write in one cycle", true)
	add("commit", "settings wait, and a commit makes them count", settings)
	add("commit/none", "a commit while none wait", settings)
	add("commit/torn", "one word of a wide setting is written, and a commit follows before the other", wideSetting)
	add("event/clear", "an event in the cycle in which it is cleared", events)
	add("window/start", "a window offers a word", windows)
	add("window/missed_start", "a window is to offer a word while it offers one", waits)
	add("window/missed_data", "data is written while a word is offered", data)
	add("window/missed_clear", "the flag of what was missed is cleared", waits)
	add("counter/high", "the high word of a counter is read when it is not what it was", wide)
	add("reset/write", "a reset while a write is under way", true)
	add("reset/read", "a reset while a read is under way", true)
	add("reset/window", "a reset while a word is offered", waits)
	for _, b := range m.Blocks {
		for _, r := range b.Registers {
			for n := range r.Words() {
				name := fmt.Sprintf("%s.%s/%d", b.Name, r.Name, n)
				add("read/"+name, "the word is read", r.Readable())
				add("write/"+name, "the word is written", true)
			}
		}
	}
	return list
}

// coverage holds the memory of the coverage points.
type coverage struct {
	at   map[uint32]int // the first point of a word
	torn map[string]bool
}

func newCoverage(m *csr.Map) coverage {
	c := coverage{at: map[uint32]int{}, torn: map[string]bool{}}
	at := ptWord
	for _, b := range m.Blocks {
		for _, r := range b.Registers {
			for n := range r.Words() {
				c.at[b.Base+r.Offset+4*n] = at
				at += 2
			}
		}
	}
	return c
}

func (g *golden) hit(point int, is bool) {
	if is {
		g.Reached[point]++
	}
}

// coverReset looks at a reset.
func (g *golden) coverReset() {
	g.hit(ptResetWrite, g.bus.haveAddr && g.bus.haveW)
	g.hit(ptResetRead, g.bus.busy)
	for i := range g.blocks {
		for _, w := range g.regs.Windows(i) {
			g.hit(ptResetWindow, w.Offered)
		}
	}
	clear(g.cov.torn)
}

// coverRead looks at a read, after the model did it.
func (g *golden) coverRead(address uint32, ok bool) {
	g.hit(ptHole, !ok && address < g.m.Size())
	g.hit(ptBeyond, !ok && address >= g.m.Size())
	if at, is := g.cov.at[address&^3]; is && ok {
		g.Reached[at]++
	}
	if b, reg, n := g.m.At(address); reg != nil && reg.Kind == csr.Counter && n == 1 {
		i := int(b.Base / csr.BlockSize)
		high, _ := g.regs.Read(address, g.level)
		g.hit(ptHighLatched, uint64(high) != g.level(i, reg.Port)>>32)
	}
}

// coverWrite looks at a write before the model does it.
func (g *golden) coverWrite(address, data uint32) {
	b, reg, n := g.m.At(address)
	if reg == nil {
		g.Reached[ptLost]++
		return
	}
	g.Reached[g.cov.at[address&^3]+1]++
	g.hit(ptLostRead, !reg.Writable())
	i := int(b.Base / csr.BlockSize)
	name := fmt.Sprintf("%d.", i)
	switch reg.Kind {
	case csr.Setting:
		if reg.Bits > 32 {
			g.cov.torn[name+reg.Name] = n == 0
		}
	case csr.Commit:
		if data&1 != 0 {
			g.hit(ptCommit, g.regs.Pending(i))
			g.hit(ptCommitNone, !g.regs.Pending(i))
			for _, s := range b.Registers {
				g.hit(ptTorn, g.cov.torn[name+s.Name])
				delete(g.cov.torn, name+s.Name)
			}
		}
	case csr.Command, csr.Data:
		for k, w := range b.Windows {
			x := g.regs.Windows(i)[k]
			if w.Start == reg {
				g.hit(ptStart, data&1 != 0 && !x.Offered)
				g.hit(ptMissedStart, data&1 != 0 && x.Offered)
				g.hit(ptMissedClear, data&2 != 0 && x.Missed)
			}
			for _, f := range w.Fields {
				g.hit(ptMissedData, f == reg && x.Offered)
			}
		}
	}
}

// coverOwn looks at how many illegal accesses count in a cycle.
func (g *golden) coverOwn(n uint64) {
	g.hit(ptStrobe, g.bus.own[2])
	g.hit(ptBoth, n == 2)
}

// coverClear looks at events in the cycle of a write.
func (g *golden) coverClear(block int, address, data, events uint32) {
	if b, reg, _ := g.m.At(address); reg != nil && reg.Kind == csr.Events && int(b.Base/csr.BlockSize) == block {
		g.hit(ptClearEvent, data&events != 0)
	}
}
