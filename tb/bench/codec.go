// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"unsafe"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
)

// move is a field, or an element of an array, between a word of a vector and a Go struct.
type move struct {
	mask  uint64
	off   uintptr
	word  int32
	shift uint8
}

// moves are fields: one list for each size, so that no step has to choose.
type moves struct{ by8, by4, by2, by1 []move }

// across is an element of an array that lies in two words of a vector.
type across struct {
	pin       Pin
	at, bits  int // within the port
	off, size uintptr
}

// codec moves the fields of a struct: first those that generated code may move instead, then the
// elements of arrays.
type codec struct {
	single, arrays moves
	across         []across
	more           bool // there are arrays
	valid          Pin
	free           bool // no valid: a value in every cycle
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
			c.more = true
			c.array(f, pin, ports.Width(f.Port), widths[f.Port])
			continue
		}
		c.single.add(f.Size, move{pin.Mask, f.Offset, int32(pin.Word), uint8(pin.Shift)})
	}
	return c
}

// array adds the elements that a port reaches; nothing touches the others.
func (c *codec) array(f *event.Field, pin Pin, end, width int) {
	for i, x := range elements(f, end, width) {
		off, place := f.Offset+uintptr(i)*f.Size, int(pin.Shift)+x.at
		if place%64+x.bits > 64 {
			c.across = append(c.across, across{pin, x.at, x.bits, off, f.Size})
			continue
		}
		c.arrays.add(f.Size, move{^uint64(0) >> (64 - x.bits), off, int32(pin.Word + place/64), uint8(place % 64)})
	}
}

// element is the place of an element of an array within its port.
type element struct{ at, bits int }

// elements returns the elements that a port of end bits reaches, each of the given width, or of its Go type's
// full width if that is 0.
func elements(f *event.Field, end, width int) (list []element) {
	if width == 0 {
		width = int(8 * f.Size)
	}
	low, step := 0, width
	if f.Bits > 0 {
		low, width, step = f.Low, f.Bits, f.Step
	}
	for i := 0; i < f.Elements && low+i*step < end; i++ {
		list = append(list, element{low + i*step, min(width, end-low-i*step)})
	}
	return list
}

func (m *moves) add(size uintptr, x move) {
	list := map[uintptr]*[]move{8: &m.by8, 4: &m.by4, 2: &m.by2, 1: &m.by1}[size]
	*list = append(*list, x)
}

// decode reads fields from a vector.
func (m *moves) decode(v []uint64, e unsafe.Pointer) {
	for i := range m.by8 {
		m := &m.by8[i]
		*(*uint64)(unsafe.Add(e, m.off)) = v[m.word] >> (m.shift & 63) & m.mask
	}
	for i := range m.by4 {
		m := &m.by4[i]
		*(*uint32)(unsafe.Add(e, m.off)) = uint32(v[m.word] >> (m.shift & 63) & m.mask)
	}
	for i := range m.by2 {
		m := &m.by2[i]
		*(*uint16)(unsafe.Add(e, m.off)) = uint16(v[m.word] >> (m.shift & 63) & m.mask)
	}
	for i := range m.by1 {
		m := &m.by1[i]
		*(*uint8)(unsafe.Add(e, m.off)) = uint8(v[m.word] >> (m.shift & 63) & m.mask)
	}
}

// encode writes fields where zeros are, each cut to its width.
func (m *moves) encode(v []uint64, e unsafe.Pointer) {
	for i := range m.by8 {
		m := &m.by8[i]
		v[m.word] |= *(*uint64)(unsafe.Add(e, m.off)) & m.mask << (m.shift & 63)
	}
	for i := range m.by4 {
		m := &m.by4[i]
		v[m.word] |= uint64(*(*uint32)(unsafe.Add(e, m.off))) & m.mask << (m.shift & 63)
	}
	for i := range m.by2 {
		m := &m.by2[i]
		v[m.word] |= uint64(*(*uint16)(unsafe.Add(e, m.off))) & m.mask << (m.shift & 63)
	}
	for i := range m.by1 {
		m := &m.by1[i]
		v[m.word] |= uint64(*(*uint8)(unsafe.Add(e, m.off))) & m.mask << (m.shift & 63)
	}
}

// decode reads a struct from a vector.
func (c *codec) decode(v []uint64, e unsafe.Pointer) {
	c.single.decode(v, e)
	c.decodeArrays(v, e)
}

// decodeArrays reads the arrays, which generated code leaves out.
func (c *codec) decodeArrays(v []uint64, e unsafe.Pointer) {
	if c.more {
		c.decodeMore(v, e)
	}
}

func (c *codec) decodeMore(v []uint64, e unsafe.Pointer) {
	c.arrays.decode(v, e)
	for i := range c.across {
		x := &c.across[i]
		store(unsafe.Add(e, x.off), x.size, x.pin.Bits(v, x.at, x.bits))
	}
}

// encode writes a struct where zeros are, each field cut to the width of its port.
func (c *codec) encode(v []uint64, e unsafe.Pointer) {
	c.single.encode(v, e)
	c.encodeArrays(v, e)
}

// encodeArrays writes the arrays.
func (c *codec) encodeArrays(v []uint64, e unsafe.Pointer) {
	if c.more {
		c.encodeMore(v, e)
	}
}

func (c *codec) encodeMore(v []uint64, e unsafe.Pointer) {
	c.arrays.encode(v, e)
	for i := range c.across {
		x := &c.across[i]
		x.pin.PutBits(v, x.at, x.bits, load(unsafe.Add(e, x.off), x.size))
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
	for _, k := range []*moves{&c.single, &c.arrays} {
		for _, l := range [][]move{k.by8, k.by4, k.by2, k.by1} {
			for _, m := range l {
				v[m.word] |= m.mask << m.shift
			}
		}
	}
	for i := range c.across {
		c.across[i].pin.PutBits(v, c.across[i].at, c.across[i].bits, ^uint64(0))
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
	e      E          // of Of, and of Fields: callers' events stay on their stacks
	masks  []wordMask // of Set
}

// Drive writes a transfer where zeros are.
func (w *Wires[E]) Drive(v []uint64, e *E) {
	v[w.codec.valid.Word] |= w.codec.valid.Bit
	w.Fields(v, e)
}

// Fields writes junk fields of a transfer while its valid is low, in place of zeros.
func (w *Wires[E]) Fields(v []uint64, e *E) {
	if w.fast.Encode != nil {
		w.e = *e
		w.fast.Encode(&w.e, w.places, v)
		w.codec.encodeArrays(v, unsafe.Pointer(e))
		return
	}
	w.codec.encode(v, unsafe.Pointer(e))
}

// On reports whether there is a transfer in a cycle.
func (w *Wires[E]) On(v []uint64) bool { return w.codec.valid.On(v) }

// Poll is Read that moves the fields by generated code if there is any: it is faster if e is a field of
// something that stays. A variable of the caller would be put on the heap in every call.
func (w *Wires[E]) Poll(v []uint64, e *E) bool {
	if !w.codec.free && !w.codec.valid.On(v) {
		return false
	}
	w.ReadFields(v, e)
	return true
}

// Of returns the transfer of a cycle, or nil. It is valid until the next call of a method.
func (w *Wires[E]) Of(v []uint64) *E {
	if !w.codec.free && !w.codec.valid.On(v) {
		return nil
	}
	w.ReadFields(v, &w.e)
	return &w.e
}

// ReadFields reads the fields of a cycle, whether there is a transfer or not; e as for Poll.
func (w *Wires[E]) ReadFields(v []uint64, e *E) {
	if w.fast.Decode != nil {
		w.fast.Decode(e, w.places, v)
		w.codec.decodeArrays(v, unsafe.Pointer(e))
	} else {
		w.codec.decode(v, unsafe.Pointer(e))
	}
}

// Read reads the transfer of a cycle, or returns false if there is no transfer. Several goroutines may
// read with the same wires, as laws that judge upsets do.
func (w *Wires[E]) Read(v []uint64, e *E) bool {
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

// Held are settings that are driven in every cycle and change seldom.
type Held[S comparable] struct {
	wires Wires[S]
	last  S
	image []uint64 // of them in a vector
	words []wordMask
}

// HoldGroup binds settings.
func HoldGroup[S comparable](g event.Group[S], h *Held[S]) Binder {
	return func(ports *Ports, c *event.Contract) {
		WireGroup(g, &h.wires)(ports, c)
		h.words, h.image = h.wires.codec.masks(ports.layout.InWords), make([]uint64, ports.layout.InWords)
		h.wires.Drive(h.image, &h.last)
	}
}

// Drive writes the settings where zeros are.
func (h *Held[S]) Drive(v []uint64, s *S) {
	if *s != h.last {
		h.last = *s
		clear(h.image)
		h.wires.Drive(h.image, s)
	}
	for i := range h.words {
		w := h.words[i].word
		v[w] |= h.image[w]
	}
}

// Read reads the settings of a cycle, also in several goroutines at once.
func (h *Held[S]) Read(v []uint64, s *S) { h.wires.Read(v, s) }

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
