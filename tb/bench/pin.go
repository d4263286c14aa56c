// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"reflect"
	"strings"
	"unsafe"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/event"
)

// Pin is the place of a port in a vector, in the form that is quickest to use. The zero Pin
// is a port that a configuration does not have: it reads as zero, and writes to it are
// lost.
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

// Clear clears the port.
func (p *Pin) Clear(v []uint64) { v[p.Word] &^= p.Mask << (p.Shift & 63) }

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

// LayoutOf is the layout of ports, for golden models without RTL. The clock is in none.
func LayoutOf(ports []gen.Port) (*cosim.Layout, error) {
	var in, out []cosim.Slot
	for _, x := range ports {
		if s := (cosim.Slot{Name: x.Name, Width: int32(x.Bits)}); x.Dir != gen.In {
			out = append(out, s)
		} else if x.Name != "clk" {
			in = append(in, s)
		}
	}
	return cosim.NewLayout(in, out)
}

// NewPorts looks ports up in a layout; unit is for the message.
func NewPorts(unit string, l *cosim.Layout) *Ports { return &Ports{unit: unit, layout: l} }

// Has reports whether there is a port.
func (p *Ports) Has(name string) bool {
	_, ok := p.layout.Slot(name)
	return ok
}

// Width returns the width of a port in bits, or 0 if there is no such port.
func (p *Ports) Width(name string) int {
	s, _ := p.layout.Slot(name)
	return int(s.Width)
}

// places are the places of a stream's fields, in their order; a port that is not there reads as zero.
func (p *Ports) places(s *event.Stream) (list []event.Place) {
	for i := range s.Fields {
		var x event.Place
		if f := &s.Fields[i]; !f.Optional || p.Has(f.Port) {
			pin := p.Pin(f.Port)
			x = event.Place{Word: pin.Word, Shift: pin.Shift, Mask: pin.Mask}
		}
		list = append(list, x)
	}
	return list
}

// Pin returns the pin of a port, or the zero Pin if there is no such port.
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

// Bind sets the pins of a unit, the fields of the struct that pins points at, to the ports
// that their tags name; unit is for the message. Fields that are declared together share a
// tag, which names a port for each:
//
//	ackValid, ackConn Pin    `port:"s_ack_valid s_ack_conn"`
//	random            Pin    `optional:"s_send_random"`
//	counter           [9]Pin `each:"sts_%s_cnt"`
//
// A port that is optional need not be there, and each port of an array has one of names in
// it; a slice is made of their number. A field may be of a type that embeds Pin first. Fields
// without these tags stay as they are.
func Bind(unit string, l *cosim.Layout, pins any, names ...string) error {
	ports := NewPorts(unit, l)
	v := reflect.ValueOf(pins).Elem()
	var tag reflect.StructTag
	place := 0 // of the field among those that share a tag
	for i := range v.NumField() {
		f := v.Type().Field(i)
		if place++; f.Tag != tag {
			tag, place = f.Tag, 0
		}
		at := unsafe.Pointer(v.Field(i).UnsafeAddr()) // the fields are not exported
		if format, ok := tag.Lookup("each"); ok {
			list := each(at, f.Type, len(names))
			for k, name := range names {
				list[k] = ports.Pin(fmt.Sprintf(format, name))
			}
			continue
		}
		if list, ok := tag.Lookup("port"); ok {
			*pin(at, f) = ports.Pin(strings.Fields(list)[place])
		}
		if list, ok := tag.Lookup("optional"); ok {
			if name := strings.Fields(list)[place]; ports.Has(name) {
				*pin(at, f) = ports.Pin(name)
			}
		}
	}
	return ports.Err()
}

// pin is a field that is a Pin, or a struct that begins with one.
func pin(at unsafe.Pointer, f reflect.StructField) *Pin {
	t := f.Type
	if t != reflect.TypeFor[Pin]() && (t.Kind() != reflect.Struct || t.Field(0).Type != reflect.TypeFor[Pin]()) {
		panic(fmt.Sprintf("bench: field %s is a %s, want a Pin", f.Name, t))
	}
	return (*Pin)(at)
}

// each is an array of n pins, or a slice that is made of them.
func each(at unsafe.Pointer, t reflect.Type, n int) []Pin {
	if t == reflect.TypeFor[[]Pin]() {
		list := make([]Pin, n)
		*(*[]Pin)(at) = list
		return list
	}
	if t != reflect.ArrayOf(n, reflect.TypeFor[Pin]()) {
		panic(fmt.Sprintf("bench: pins in a %s, want [%d]Pin or []Pin", t, n))
	}
	return unsafe.Slice((*Pin)(at), n)
}
