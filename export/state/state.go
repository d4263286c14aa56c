// SPDX-License-Identifier: Apache-2.0

// Package state writes the contents of a golden model to bytes, and reads them into another one
// that was made in the same way. It needs no help from the model, as it visits the model's fields.
//
// Memory is a set of regions: the targets of root and of other pointers, and the arrays of slices.
// Anything within a larger region is a part of it, so that a slice of an array in a struct still is
// one afterwards. The model that is read into keeps its functions, channels and contracts, and the
// types of values in interfaces. Regions stay in place if they can, as functions may refer to them.
package state

import (
	"cmp"
	"encoding/binary"
	"fmt"
	"math"
	"reflect"
	"slices"
	"unsafe"

	"github.com/nicgen/nicgen/gen/event"
)

// Save appends to buf the target of root, which is a pointer, and everything reachable from it.
func Save(buf []byte, root any) (out []byte, err error) {
	w := &writer{buf: buf, seen: map[place]bool{}, number: map[uintptr]uint64{}, maps: map[unsafe.Pointer]uint64{}}
	defer caught(&err)
	v := reflect.ValueOf(root)
	w.collect(v)
	w.merge()
	w.save(v)
	return w.buf, nil
}

// Load reads the output of Save into root. After an error root must not be used.
func Load(buf []byte, root any) (err error) {
	r := &reader{buf: buf}
	defer caught(&err)
	v := reflect.New(reflect.TypeOf(root)).Elem()
	v.Set(reflect.ValueOf(root))
	r.load(v)
	if len(r.buf) > 0 {
		fail("%d bytes too many", len(r.buf))
	}
	if v.Interface() != root {
		fail("the written state leads elsewhere")
	}
	return nil
}

// problem is a panic that caught turns into an error.
type problem struct{ error }

func fail(format string, args ...any) { panic(problem{fmt.Errorf(format, args...)}) }

func caught(err *error) {
	switch p := recover().(type) {
	case nil:
	case problem:
		*err = p.error
	default:
		panic(p)
	}
}

// region is memory: a number of values of a type, one after the other.
type region struct {
	at    unsafe.Pointer
	elem  reflect.Type
	count int
}

func (r region) begin() uintptr { return uintptr(r.at) }
func (r region) end() uintptr   { return uintptr(r.at) + uintptr(r.count)*r.elem.Size() }

// value returns the region's i-th value, which can be set.
func (r region) value(i int) reflect.Value {
	return reflect.NewAt(r.elem, unsafe.Add(r.at, uintptr(i)*r.elem.Size())).Elem()
}

func (r region) bytes() []byte {
	return unsafe.Slice((*byte)(r.at), r.count*int(r.elem.Size()))
}

// find returns the region of a sorted list in which an address lies, or -1.
func find(list []region, at uintptr) int {
	i, found := slices.BinarySearchFunc(list, at, func(r region, at uintptr) int { return cmp.Compare(r.begin(), at) })
	if !found {
		i--
	}
	if i < 0 || at >= list[i].end() {
		return -1
	}
	return i
}

// sliceHeader is a slice as the compiler has it.
type sliceHeader struct {
	data     unsafe.Pointer
	len, cap int
}

// plain reports whether values of a type consist only of their own bytes.
func plain(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Bool, reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64,
		reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr,
		reflect.Float32, reflect.Float64, reflect.Complex64, reflect.Complex128:
		return true
	case reflect.Array:
		return plain(t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if !plain(t.Field(i).Type) {
				return false
			}
		}
		return true
	}
	return false
}

// open makes an unexported field readable and settable; a value without an address becomes an
// addressable copy.
func open(v reflect.Value) reflect.Value {
	if !v.CanAddr() {
		c := reflect.New(v.Type()).Elem()
		c.Set(v)
		return c
	}
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

// shared reports whether the model that is read into keeps its values of a type: functions,
// channels, and the declarations of a unit's contract, which no model changes.
func shared(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.UnsafePointer:
		return true
	case reflect.Pointer:
		return t.Elem() == reflect.TypeFor[event.Stream]() || t.Elem() == reflect.TypeFor[event.Contract]()
	}
	return false
}

// target returns the region to which a non-nil pointer, or a slice with capacity, leads.
func target(v reflect.Value) region {
	n := 1
	if v.Kind() == reflect.Slice {
		n = v.Cap()
	}
	return region{v.UnsafePointer(), v.Type().Elem(), n}
}

// place is a region that was seen.
type place struct {
	at    unsafe.Pointer
	t     reflect.Type
	count int
}

type writer struct {
	buf     []byte
	seen    map[place]bool
	regions []region                  // sorted by address, none within another
	number  map[uintptr]uint64        // of those that were written, by address
	maps    map[unsafe.Pointer]uint64 // the numbers of maps
}

// collect finds all regions.
func (w *writer) collect(v reflect.Value) {
	t := v.Type()
	if shared(t) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice:
		if v.IsNil() {
			return
		}
		r := target(v)
		if r.begin() == r.end() || w.seen[place{r.at, r.elem, r.count}] {
			return
		}
		w.seen[place{r.at, r.elem, r.count}] = true
		w.regions = append(w.regions, r)
		if plain(r.elem) {
			return
		}
		for i := range r.count {
			w.collect(r.value(i))
		}
	case reflect.Map:
		if v.IsNil() || w.seen[place{v.UnsafePointer(), t, 0}] {
			return
		}
		w.seen[place{v.UnsafePointer(), t, 0}] = true
		for i := v.MapRange(); i.Next(); {
			w.collect(open(i.Key()))
			w.collect(open(i.Value()))
		}
	case reflect.Array:
		if plain(t) {
			return
		}
		for i := range v.Len() {
			w.collect(open(v.Index(i)))
		}
	case reflect.Struct:
		if plain(t) {
			return
		}
		for i := range t.NumField() {
			w.collect(open(v.Field(i)))
		}
	case reflect.Interface:
		if !v.IsNil() {
			w.collect(open(v.Elem()))
		}
	}
}

// merge leaves the largest regions.
func (w *writer) merge() {
	slices.SortStableFunc(w.regions, func(a, b region) int {
		return cmp.Or(cmp.Compare(a.begin(), b.begin()), cmp.Compare(b.end(), a.end()))
	})
	var largest []region
	for _, r := range w.regions {
		if n := len(largest); n > 0 && r.begin() < largest[n-1].end() {
			if r.end() > largest[n-1].end() {
				fail("a %v and a %v overlap", largest[n-1].elem, r.elem)
			}
			continue
		}
		largest = append(largest, r)
	}
	w.regions = largest
}

func (w *writer) put(x uint64) { w.buf = binary.LittleEndian.AppendUint64(w.buf, x) }

// Numbers in the place of addresses.
const (
	isNil   = 0
	isEmpty = math.MaxUint64 // without memory
)

// region writes where in which region v leads, and the region if it is new.
func (w *writer) region(v reflect.Value) {
	if v.IsNil() {
		w.put(isNil)
		return
	}
	t := target(v)
	if t.begin() == t.end() {
		w.put(isEmpty)
		return
	}
	r := w.regions[find(w.regions, t.begin())]
	n, ok := w.number[r.begin()]
	if !ok {
		n = uint64(len(w.number) + 1)
		w.number[r.begin()] = n
	}
	w.put(n)
	w.put(uint64(t.begin() - r.begin()))
	if ok {
		return
	}
	if r.elem != t.elem {
		fail("a %v is reached by a part of it, %v, first", r.elem, t.elem)
	}
	w.put(uint64(r.count))
	if plain(r.elem) {
		w.buf = append(w.buf, r.bytes()...)
		return
	}
	for i := range r.count {
		w.save(r.value(i))
	}
}

func (w *writer) save(v reflect.Value) {
	t := v.Type()
	if shared(t) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		w.region(v)
	case reflect.Slice:
		w.region(v)
		w.put(uint64(v.Len()))
		w.put(uint64(v.Cap()))
	case reflect.Map:
		if v.IsNil() {
			w.put(isNil)
			return
		}
		n, ok := w.maps[v.UnsafePointer()]
		if !ok {
			n = uint64(len(w.maps) + 1)
			w.maps[v.UnsafePointer()] = n
		}
		w.put(n)
		if ok {
			return
		}
		w.put(uint64(v.Len()))
		for i := v.MapRange(); i.Next(); {
			w.save(open(i.Key()))
			w.save(open(i.Value()))
		}
	case reflect.Array:
		for i := range v.Len() {
			w.save(open(v.Index(i)))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			w.save(open(v.Field(i)))
		}
	case reflect.String:
		w.put(uint64(v.Len()))
		w.buf = append(w.buf, v.String()...)
	case reflect.Interface:
		if v.IsNil() {
			w.put(0)
			return
		}
		w.put(1)
		w.save(open(v.Elem()))
	default:
		w.buf = append(w.buf, region{v.Addr().UnsafePointer(), t, 1}.bytes()...)
	}
}

type reader struct {
	buf     []byte
	regions []region // by number
	sorted  []region // by address
	maps    []reflect.Value
}

func (r *reader) get() uint64 {
	if len(r.buf) < 8 {
		fail("the bytes end too early")
	}
	x := binary.LittleEndian.Uint64(r.buf)
	r.buf = r.buf[8:]
	return x
}

// count returns a number of things that take at least a number of bytes each.
func (r *reader) count(each int) int {
	n := r.get()
	if n > uint64(len(r.buf)/max(each, 1)) {
		fail("a length of %d in %d bytes", n, len(r.buf))
	}
	return int(n)
}

func (r *reader) take(to []byte) {
	if len(r.buf) < len(to) {
		fail("the bytes end too early")
	}
	copy(to, r.buf)
	r.buf = r.buf[len(to):]
}

// region reads the output of writer.region for v, and returns the address and the number of values
// of v's element that follow it.
func (r *reader) region(v reflect.Value) (at unsafe.Pointer, room int) {
	elem := v.Type().Elem()
	n := r.get()
	if n == isNil || n == isEmpty {
		if n == isEmpty {
			at = reflect.New(elem).UnsafePointer()
		}
		return at, 0
	}
	offset := r.get()
	if n > uint64(len(r.regions)) {
		if n != uint64(len(r.regions)+1) {
			fail("region %d, want %d", n, len(r.regions)+1)
		}
		r.add(v, elem, offset)
	}
	x := r.regions[n-1]
	size := uint64(x.end() - x.begin())
	if offset >= size || uint64(elem.Size()) > size-offset {
		fail("place %d of a region of %d bytes", offset, size)
	}
	return unsafe.Add(x.at, uintptr(offset)), int((size - offset) / uint64(elem.Size()))
}

// add reads a new region, into the target of v if it has the same size and is nothing else.
func (r *reader) add(v reflect.Value, elem reflect.Type, offset uint64) {
	each := 1
	if plain(elem) {
		each = int(elem.Size())
	}
	x := region{nil, elem, r.count(each)}
	if x.count == 0 || elem.Size() == 0 {
		fail("a region without memory")
	}
	if offset == 0 && !v.IsNil() && target(v).count == x.count {
		x.at = target(v).at
	}
	overlaps := func() bool {
		i, _ := slices.BinarySearchFunc(r.sorted, x.begin(), func(y region, at uintptr) int { return cmp.Compare(y.begin(), at) })
		return i > 0 && r.sorted[i-1].end() > x.begin() || i < len(r.sorted) && r.sorted[i].begin() < x.end()
	}
	if x.at == nil || overlaps() {
		x.at = reflect.MakeSlice(reflect.SliceOf(elem), x.count, x.count).UnsafePointer()
	}
	r.regions = append(r.regions, x)
	i, _ := slices.BinarySearchFunc(r.sorted, x.begin(), func(y region, at uintptr) int { return cmp.Compare(y.begin(), at) })
	r.sorted = slices.Insert(r.sorted, i, x)
	if plain(elem) {
		r.take(x.bytes())
		return
	}
	for i := range x.count {
		r.load(x.value(i))
	}
}

// load reads into v, which can be set.
func (r *reader) load(v reflect.Value) {
	t := v.Type()
	if shared(t) {
		return
	}
	switch t.Kind() {
	case reflect.Pointer:
		at, _ := r.region(v)
		*(*unsafe.Pointer)(v.Addr().UnsafePointer()) = at
	case reflect.Slice:
		at, room := r.region(v)
		length, capacity := r.get(), r.get()
		if t.Elem().Size() == 0 && at != nil {
			room = math.MaxInt
		}
		if length > capacity || capacity > uint64(room) {
			fail("a slice of %d of %d values, and there are %d", length, capacity, room)
		}
		*(*sliceHeader)(v.Addr().UnsafePointer()) = sliceHeader{at, int(length), int(capacity)}
	case reflect.Map:
		n := r.get()
		switch {
		case n == isNil:
			v.SetZero()
			return
		case n <= uint64(len(r.maps)):
			if r.maps[n-1].Type() != t {
				fail("a %v where a %v was written", t, r.maps[n-1].Type())
			}
			v.Set(r.maps[n-1])
			return
		case n != uint64(len(r.maps)+1):
			fail("map %d, want %d", n, len(r.maps)+1)
		}
		if v.IsNil() {
			v.Set(reflect.MakeMap(t))
		}
		v.Clear()
		r.maps = append(r.maps, open(v))
		for range r.count(1) {
			key, value := reflect.New(t.Key()).Elem(), reflect.New(t.Elem()).Elem()
			r.load(key)
			r.load(value)
			v.SetMapIndex(key, value)
		}
	case reflect.Array:
		for i := range v.Len() {
			r.load(open(v.Index(i)))
		}
	case reflect.Struct:
		for i := range t.NumField() {
			r.load(open(v.Field(i)))
		}
	case reflect.String:
		b := make([]byte, r.count(1))
		r.take(b)
		v.SetString(string(b))
	case reflect.Interface:
		if r.get() == 0 {
			v.SetZero()
			return
		}
		if v.IsNil() {
			fail("an interface %v that holds nothing here", t)
		}
		c := reflect.New(v.Elem().Type()).Elem()
		c.Set(v.Elem())
		r.load(c)
		v.Set(c)
	default:
		r.take(region{v.Addr().UnsafePointer(), t, 1}.bytes())
	}
}
