// SPDX-License-Identifier: Apache-2.0

// Package niccsr is the golden model of the registers of a NIC: one access or event at a time, by the
// register map.
package niccsr

import (
	"math/big"

	"github.com/nicgen/nicgen/gen/csr"
)

// Registers are the blocks of a map.
type Registers struct {
	m      *csr.Map
	words  map[uint32]word // the map's registers, by address
	blocks []block
	total  uint32 // the high word of the total whose low word was read last
}

// word is the target of an address.
type word struct {
	block int
	reg   *csr.Register
	n     uint    // the word of the register
	w     *Window // whose command or data it is
}

// block is the state of one.
type block struct {
	next, now      map[string]uint64  // settings: as they were written, as they count
	high           map[string]*uint32 // of counters, set by reading the low word; totals share one
	pending        bool
	events, enable uint32
	windows        []*Window
	resets         map[string]uint64
}

// A Window is a stream that software drives.
type Window struct {
	Offered, Missed bool
	Data            map[string]*big.Int // by the unit's port
}

// New returns the registers in their state after reset.
func New(m *csr.Map) *Registers {
	c := &Registers{m: m, words: map[uint32]word{}, blocks: make([]block, len(m.Blocks))}
	for i, b := range m.Blocks {
		x := &c.blocks[i]
		x.resets, x.high = map[string]uint64{}, map[string]*uint32{}
		windows := map[*csr.Register]*Window{}
		for _, w := range b.Windows {
			s := &Window{Data: map[string]*big.Int{}}
			x.windows = append(x.windows, s)
			windows[w.Start] = s
			for _, f := range w.Fields {
				s.Data[f.Port] = new(big.Int)
				windows[f] = s
			}
		}
		for _, r := range b.Registers {
			switch {
			case r.Kind == csr.Setting:
				x.resets[r.Port] = r.Reset
			case r.Kind == csr.Counter && r.Narrow > 0:
				x.high[r.Port] = &c.total
			case r.Kind == csr.Counter:
				x.high[r.Port] = new(uint32)
			}
			for n := range r.Words() {
				c.words[b.Base+r.Offset+4*n] = word{i, r, uint(n), windows[r]}
			}
		}
	}
	c.Reset()
	return c
}

// Reset gives all registers their reset values.
func (c *Registers) Reset() {
	for i := range c.blocks {
		b := &c.blocks[i]
		b.next, b.now = map[string]uint64{}, map[string]uint64{}
		for _, high := range b.high {
			*high = 0
		}
		for k, v := range b.resets {
			b.next[k], b.now[k] = v, v
		}
		b.pending, b.events, b.enable = false, 0, 0
		for _, w := range b.windows {
			w.Offered, w.Missed = false, false
			for _, d := range w.Data {
				d.SetUint64(0)
			}
		}
	}
}

// Setting returns the value of a cfg_ port.
func (c *Registers) Setting(block int, port string) uint64 { return c.blocks[block].now[port] }

// Interrupt reports whether a block raises the interrupt.
func (c *Registers) Interrupt(block int) bool {
	return c.blocks[block].events&c.blocks[block].enable != 0
}

// Windows returns the windows of a block, in the map's order.
func (c *Registers) Windows(block int) []*Window { return c.blocks[block].windows }

// Pending reports whether settings of a block were written that are not in effect yet.
func (c *Registers) Pending(block int) bool { return c.blocks[block].pending }

// Raise are events of a block.
func (c *Registers) Raise(block int, events uint32) { c.blocks[block].events |= events }

// Take takes the word that a window offers.
func (w *Window) Take() { w.Offered = false }

// Read reads the word at an address; level returns the values of the ports of levels and counters.
// ok is false, and the data is 0, if it cannot be read.
func (c *Registers) Read(address uint32, level func(block int, port string) uint64) (data uint32, ok bool) {
	w, ok := c.words[address&^3]
	if !ok || !w.reg.Readable() {
		return 0, false
	}
	b, r := &c.blocks[w.block], w.reg
	part := func(v uint64) uint32 { return uint32(v >> (32 * w.n)) }
	switch r.Kind {
	case csr.Header, csr.Parameter:
		return part(r.Reset), true
	case csr.Status:
		for _, f := range r.Bit {
			data |= uint32(level(w.block, f.Port)) << f.Bit
		}
		return data, true
	case csr.Commit:
		return bit(b.pending, csr.CommitBit), true
	case csr.Events:
		return b.events, true
	case csr.Enable:
		return b.enable, true
	case csr.Setting:
		return part(b.next[r.Port]), true
	case csr.Counter:
		if w.n == 1 {
			return *b.high[r.Port], true
		}
		v := level(w.block, r.Port)
		*b.high[r.Port] = uint32(v >> 32)
		return uint32(v), true
	}
	return bit(w.w.Offered, csr.WindowStart) | bit(w.w.Missed, csr.WindowMissed), true
}

// Write writes the word at an address. It returns false, and nothing changes, if it cannot be
// written.
func (c *Registers) Write(address, data uint32) bool {
	w, ok := c.words[address&^3]
	if !ok || !w.reg.Writable() {
		return false
	}
	b, r := &c.blocks[w.block], w.reg
	mask := uint64(1)<<32 - 1
	if left := uint(r.Bits) - 32*w.n; left < 32 {
		mask = 1<<left - 1
	}
	value := uint64(data) & mask
	switch r.Kind {
	case csr.Commit:
		if data>>csr.CommitBit&1 != 0 {
			for k, v := range b.next {
				b.now[k] = v
			}
			b.pending = false
		}
	case csr.Events:
		b.events &^= data
	case csr.Enable:
		b.enable = uint32(value)
	case csr.Setting:
		b.next[r.Port] = b.next[r.Port]&^(mask<<(32*w.n)) | value<<(32*w.n)
		b.pending = true
	case csr.Command:
		if data>>csr.WindowMissed&1 != 0 {
			w.w.Missed = false
		}
		if data>>csr.WindowStart&1 != 0 {
			w.w.Missed = w.w.Missed || w.w.Offered
			w.w.Offered = true
		}
	case csr.Data:
		if w.w.Offered {
			w.w.Missed = true
			break
		}
		d := w.w.Data[r.Port]
		var old, in big.Int
		old.And(d, in.Lsh(in.SetUint64(mask), 32*w.n))
		d.Xor(d, &old)
		d.Or(d, in.Lsh(in.SetUint64(value), 32*w.n))
	}
	return true
}

func bit(on bool, at uint) uint32 {
	if on {
		return 1 << at
	}
	return 0
}
