// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
)

// Pin is the place of a port in a vector, in the form that is quickest to use. The
// zero Pin is a port that a configuration does not have: it reads as zero, and what
// is written to it is lost.
type Pin struct {
	Word  int    // of the vector, the port's first
	Shift uint   // of the port's lowest bit in Word
	Mask  uint64 // ones for the port's width, up to 64 bits, at bit 0
	Bit   uint64 // the port's lowest bit, in place
}

// Get reads the port, its low 64 bits if it is wider.
func (p *Pin) Get(v []uint64) uint64 { return v[p.Word] >> (p.Shift & 63) & p.Mask }

// On reports whether the port's lowest bit is set.
func (p *Pin) On(v []uint64) bool { return v[p.Word]&p.Bit != 0 }

// Raise sets the port's lowest bit.
func (p *Pin) Raise(v []uint64) { v[p.Word] |= p.Bit }

// Put writes x, cut to the port's width, where zeros are.
func (p *Pin) Put(v []uint64, x uint64) { v[p.Word] |= (x & p.Mask) << (p.Shift & 63) }

// Add adds n to the port, modulo its width.
func (p *Pin) Add(v []uint64, n uint64) {
	was := p.Get(v)
	v[p.Word] += (was+n)&p.Mask<<(p.Shift&63) - was<<(p.Shift&63)
}

// Bits reads bits lo to lo+n-1 (1 ≤ n ≤ 64) of a port of any width.
func (p *Pin) Bits(v []uint64, lo, n int) uint64 {
	i := int(p.Shift) + lo
	w, sh := p.Word+i/64, i%64
	x := v[w] >> sh
	if sh+n > 64 {
		x |= v[w+1] << (64 - sh)
	}
	return x & (^uint64(0) >> (64 - n))
}

// PutBits writes x, cut to n bits, to bits lo to lo+n-1 (1 ≤ n ≤ 64) of a port of
// any width, where zeros are.
func (p *Pin) PutBits(v []uint64, lo, n int, x uint64) {
	x &= ^uint64(0) >> (64 - n)
	i := int(p.Shift) + lo
	w, sh := p.Word+i/64, i%64
	v[w] |= x << sh
	if sh+n > 64 {
		v[w+1] |= x >> (64 - sh)
	}
}

// Ports finds pins by the names of ports, and remembers the first that is missing.
type Ports struct {
	unit    string
	layout  *cosim.Layout
	missing error
}

// NewPorts looks ports up in a layout; unit is for the message.
func NewPorts(unit string, l *cosim.Layout) *Ports { return &Ports{unit: unit, layout: l} }

// Pin returns the pin of a port, or the zero Pin if there is none.
func (p *Ports) Pin(name string) Pin {
	s, ok := p.layout.Slot(name)
	if !ok {
		if p.missing == nil {
			p.missing = fmt.Errorf("tb/%s: the module has no port %s", p.unit, name)
		}
		return Pin{}
	}
	return Pin{Word: s.Word, Shift: uint(s.Shift), Mask: s.Mask(), Bit: 1 << s.Shift}
}

// Err names the first port that was not found; nil if all were.
func (p *Ports) Err() error { return p.missing }
