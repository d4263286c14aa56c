// SPDX-License-Identifier: Apache-2.0

package event

import "reflect"

// Place is the place of a port in a vector.
type Place struct {
	Word  int
	Shift uint
	Mask  uint64
}

// Get reads the port.
func (p *Place) Get(v []uint64) uint64 { return v[p.Word] >> (p.Shift & 63) & p.Mask }

// Put writes x, cut to the port's width, where zeros are.
func (p *Place) Put(v []uint64, x uint64) { v[p.Word] |= x & p.Mask << (p.Shift & 63) }

// Fast is generated code that moves the fields of an event, whose places are in the order of
// Stream.Fields. Types without it, and arrays, are moved field by field.
type Fast[E any] struct {
	Decode func(e *E, p []Place, v []uint64)
	Encode func(e *E, p []Place, v []uint64)
}

var fast = map[reflect.Type]any{}

// Register makes generated code known; generated files call it.
func Register[E any](f Fast[E]) bool {
	fast[reflect.TypeFor[E]()] = f
	return true
}

// FastOf returns the registered code for a type; its functions are nil if the type has no such
// code.
func FastOf[E any]() Fast[E] {
	f, _ := fast[reflect.TypeFor[E]()].(Fast[E])
	return f
}
