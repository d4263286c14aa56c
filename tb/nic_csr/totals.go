// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	"slices"

	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_csr"
)

// totals are the counters that are gathered, as they are in memory.
type totals struct {
	blocks      []int // of each, and its port
	ports       []string
	slots       int
	read, write int // cycles from a sample to these
	mask        uint64

	values []uint64
	turn   int
	since  int     // cycles since the reset
	ways   []onway // samples on their way, the newest first
	shown  uint64  // the value that the current access reads
}

// onway is a sample.
type onway struct {
	index      int
	count, old uint64
	clear      bool
	dropped    bool
}

func (t *totals) init(p *params.Params, m *csr.Map) {
	if t.blocks, t.ports = p.TotalPorts(m); len(t.ports) == 0 {
		return
	}
	t.slots = p.Slots(m)
	t.read, t.write = p.TotalTimes(m)
	_, r, _ := m.At(m.Blocks[t.blocks[0]].Base + csr.AtCounters)
	t.mask = 1<<r.Narrow - 1
	t.values = make([]uint64, t.slots)
	t.ways = make([]onway, t.write+1)
	t.reset()
}

func (t *totals) reset() {
	t.turn, t.since = 0, 0
	for i := range t.ways {
		t.ways[i] = onway{dropped: true}
	}
}

// has reports whether a port is gathered.
func (t *totals) has(block int, port string) bool { return t.index(block, port) >= 0 }

func (t *totals) index(block int, port string) int {
	for i, b := range t.blocks {
		if b == block && t.ports[i] == port {
			return i
		}
	}
	return -1
}

// step runs a cycle; address is the address of an access whose data is read in it, or negative.
func (t *totals) step(address int64, m *csr.Map, port func(block int, port string) uint64) {
	if t.slots == 0 {
		return
	}
	hit := false
	if address >= 0 {
		if b, r, _ := m.At(uint32(address)); r != nil && r.Narrow > 0 {
			hit = true
			if t.shown = 0; t.since >= t.slots+t.write {
				t.shown = t.values[t.index(slices.Index(m.Blocks, b), r.Port)]
			}
		}
	}
	copy(t.ways[1:], t.ways)
	t.ways[0] = onway{index: t.turn, clear: t.since < t.slots}
	if t.turn < len(t.ports) {
		t.ways[0].count = port(t.blocks[t.turn], t.ports[t.turn])
	}
	if w := &t.ways[t.read]; !w.dropped {
		w.dropped = hit && !w.clear
		w.old = t.values[w.index]
	}
	if w := &t.ways[t.write]; !w.dropped {
		if t.values[w.index] = 0; !w.clear {
			t.values[w.index] = w.old + (w.count-w.old)&t.mask
		}
	}
	if t.turn++; t.turn == t.slots {
		t.turn = 0
	}
	t.since++
}
