// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"unsafe"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
)

// move is one field between a vector and a Go struct.
type move struct {
	mask  uint64
	off   uintptr
	word  int32
	shift uint8
}

// lanes is a field that is an array, on one port of any width.
type lanes struct {
	pin   Pin
	off   uintptr
	size  uintptr
	width []uint8 // bits of each element; 0: the port does not reach that far
	step  int     // bits from one element to the next
	words bool    // the elements are whole words of the vector
}

// codec moves the fields of a struct: one list for each size, so that no step has to choose.
type codec struct {
	by8, by4, by2, by1 []move
	wide               []lanes
	valid              Pin
	free               bool // no valid: a value in every cycle
}

// newCodec binds the fields of a stream to the ports of a layout, or those that only selects.
func newCodec(ports *Ports, s *event.Stream, widths map[string]int, only func(*event.Field) bool) (c codec) {
	if c.free = s.Valid == ""; !c.free {
		c.valid = ports.Pin(s.Valid)
	}
	for i := range s.Fields {
		f := &s.Fields[i]
		if only != nil && !only(f) || f.Optional && !ports.Has(f.Port) {
			continue
		}
		pin := ports.Pin(f.Port)
		if f.Elements > 0 {
			c.wide = append(c.wide, newLanes(ports, f, pin, widths[f.Port]))
			continue
		}
		list := map[uintptr]*[]move{8: &c.by8, 4: &c.by4, 2: &c.by2, 1: &c.by1}[f.Size]
		*list = append(*list, move{pin.Mask, f.Offset, int32(pin.Word), uint8(pin.Shift)})
	}
	return c
}

func newLanes(ports *Ports, f *event.Field, pin Pin, width int) lanes {
	if width == 0 {
		width = int(8 * f.Size)
	}
	x := lanes{pin: pin, off: f.Offset, size: f.Size, step: width}
	left := ports.Width(f.Port)
	for range f.Elements {
		bits := max(0, min(width, left))
		x.width = append(x.width, uint8(bits))
		left -= bits
	}
	x.words = pin.Shift == 0 && width == 64 && left >= 0 && x.width[f.Elements-1] == 64
	return x
}

// decode reads a struct from a vector.
func (c *codec) decode(v []uint64, e unsafe.Pointer) {
	for i := range c.by8 {
		m := &c.by8[i]
		*(*uint64)(unsafe.Add(e, m.off)) = v[m.word] >> (m.shift & 63) & m.mask
	}
	for i := range c.by4 {
		m := &c.by4[i]
		*(*uint32)(unsafe.Add(e, m.off)) = uint32(v[m.word] >> (m.shift & 63) & m.mask)
	}
	for i := range c.by2 {
		m := &c.by2[i]
		*(*uint16)(unsafe.Add(e, m.off)) = uint16(v[m.word] >> (m.shift & 63) & m.mask)
	}
	for i := range c.by1 {
		m := &c.by1[i]
		*(*uint8)(unsafe.Add(e, m.off)) = uint8(v[m.word] >> (m.shift & 63) & m.mask)
	}
	for i := range c.wide {
		c.wide[i].decode(v, e)
	}
}

func (x *lanes) decode(v []uint64, e unsafe.Pointer) {
	if x.words {
		copy(unsafe.Slice((*uint64)(unsafe.Add(e, x.off)), len(x.width)), v[x.pin.Word:])
		return
	}
	for i, bits := range x.width {
		var w uint64
		if bits > 0 {
			w = x.pin.Bits(v, i*x.step, int(bits))
		}
		store(unsafe.Add(e, x.off+uintptr(i)*x.size), x.size, w)
	}
}

// encode writes a struct where zeros are, each field cut to the width of its port.
func (c *codec) encode(v []uint64, e unsafe.Pointer) {
	for i := range c.by8 {
		m := &c.by8[i]
		v[m.word] |= *(*uint64)(unsafe.Add(e, m.off)) & m.mask << (m.shift & 63)
	}
	for i := range c.by4 {
		m := &c.by4[i]
		v[m.word] |= uint64(*(*uint32)(unsafe.Add(e, m.off))) & m.mask << (m.shift & 63)
	}
	for i := range c.by2 {
		m := &c.by2[i]
		v[m.word] |= uint64(*(*uint16)(unsafe.Add(e, m.off))) & m.mask << (m.shift & 63)
	}
	for i := range c.by1 {
		m := &c.by1[i]
		v[m.word] |= uint64(*(*uint8)(unsafe.Add(e, m.off))) & m.mask << (m.shift & 63)
	}
	for i := range c.wide {
		c.wide[i].encode(v, e)
	}
}

func (x *lanes) encode(v []uint64, e unsafe.Pointer) {
	if x.words {
		to := v[x.pin.Word:][:len(x.width)]
		for i, w := range unsafe.Slice((*uint64)(unsafe.Add(e, x.off)), len(x.width)) {
			to[i] |= w
		}
		return
	}
	for i, bits := range x.width {
		if bits > 0 {
			x.pin.PutBits(v, i*x.step, int(bits), load(unsafe.Add(e, x.off+uintptr(i)*x.size), x.size))
		}
	}
}

func load(p unsafe.Pointer, size uintptr) uint64 {
	switch size {
	case 8:
		return *(*uint64)(p)
	case 4:
		return uint64(*(*uint32)(p))
	case 2:
		return uint64(*(*uint16)(p))
	default:
		return uint64(*(*uint8)(p))
	}
}

func store(p unsafe.Pointer, size uintptr, x uint64) {
	switch size {
	case 8:
		*(*uint64)(p) = x
	case 4:
		*(*uint32)(p) = uint32(x)
	case 2:
		*(*uint16)(p) = uint16(x)
	default:
		*(*uint8)(p) = uint8(x)
	}
}

// wordMask is a set of bits of one word of a vector.
type wordMask struct {
	word int
	mask uint64
}

// masks are the bits of the fields, by word of the vector.
func (c *codec) masks(words int) (list []wordMask) {
	v := make([]uint64, words)
	for _, l := range [][]move{c.by8, c.by4, c.by2, c.by1} {
		for _, m := range l {
			v[m.word] |= m.mask << m.shift
		}
	}
	for i := range c.wide {
		x := &c.wide[i]
		for k, bits := range x.width {
			if bits > 0 {
				x.pin.PutBits(v, k*x.step, int(bits), ^uint64(0))
			}
		}
	}
	for w, m := range v {
		if m != 0 {
			list = append(list, wordMask{w, m})
		}
	}
	return list
}

// Wires are the ports of a stream or group in the vectors of a layout, with values of type E: stimuli,
// laws, hosts and golden models drive and read the unit by them. The zero value has no ports.
type Wires[E any] struct {
	codec  codec
	fast   event.Fast[E]
	places []event.Place
	e      E          // what generated code moves: callers' events stay on their stacks
	masks  []wordMask // of Set
}

// Drive writes a transfer where zeros are.
func (w *Wires[E]) Drive(v []uint64, e *E) {
	v[w.codec.valid.Word] |= w.codec.valid.Bit
	w.Fields(v, e)
}

// Fields writes the fields of a transfer that is not offered where zeros are: junk beside a valid that
// is low.
func (w *Wires[E]) Fields(v []uint64, e *E) {
	if w.fast.Encode != nil {
		w.e = *e
		w.fast.Encode(&w.e, w.places, v)
		return
	}
	w.codec.encode(v, unsafe.Pointer(e))
}

// On reports whether there is a transfer in a cycle.
func (w *Wires[E]) On(v []uint64) bool { return w.codec.valid.On(v) }

// Read reads the transfer of a cycle; false: there is none.
func (w *Wires[E]) Read(v []uint64, e *E) bool {
	if !w.codec.free && !w.codec.valid.On(v) {
		return false
	}
	w.ReadFields(v, e)
	return true
}

// ReadFields reads the fields of a cycle, whether there is a transfer or not.
func (w *Wires[E]) ReadFields(v []uint64, e *E) {
	if w.fast.Decode != nil {
		w.fast.Decode(&w.e, w.places, v)
		*e = w.e
	} else {
		w.codec.decode(v, unsafe.Pointer(e))
	}
}

// ReadShared is Read for laws, which judge upsets in several goroutines at once with the same wires.
func (w *Wires[E]) ReadShared(v []uint64, e *E) bool {
	if !w.codec.free && !w.codec.valid.On(v) {
		return false
	}
	w.codec.decode(v, unsafe.Pointer(e))
	return true
}

// Set replaces the values of a group of ports.
func (w *Wires[E]) Set(v []uint64, e *E) {
	if w.masks == nil {
		w.masks = w.codec.masks(len(v))
	}
	for _, m := range w.masks {
		v[m.word] &^= m.mask
	}
	w.codec.encode(v, unsafe.Pointer(e))
}

// Binder binds one thing to the ports of a unit.
type Binder func(ports *Ports, c *event.Contract)

// WireIn binds the ports of an input stream.
func WireIn[E any](s event.In[E], w *Wires[E]) Binder { return wire(s.Stream, w) }

// WireOut binds the ports of an output stream.
func WireOut[A any](s event.Out[A], w *Wires[A]) Binder { return wire(s.Stream, w) }

// WireGroup binds a group of ports.
func WireGroup[S any](s event.Group[S], w *Wires[S]) Binder { return wire(s.Stream, w) }

func wire[E any](s *event.Stream, w *Wires[E]) Binder {
	return func(ports *Ports, c *event.Contract) {
		w.codec, w.fast = newCodec(ports, s, c.Lanes, nil), event.FastOf[E]()
		w.places = ports.places(s)
	}
}

// WirePin binds a port that belongs to no stream.
func WirePin(name string, to *Pin) Binder {
	return func(ports *Ports, _ *event.Contract) { *to = ports.Pin(name) }
}

// Wire binds ports of a unit; unit is for the message of the error.
func Wire(unit string, l *cosim.Layout, c *event.Contract, list ...Binder) error {
	ports := NewPorts(unit, l)
	for _, b := range list {
		b(ports, c)
	}
	if err := ports.Err(); err != nil {
		return fmt.Errorf("%w; its contract names it", err)
	}
	return nil
}
