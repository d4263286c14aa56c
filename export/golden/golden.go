// SPDX-License-Identifier: Apache-2.0

// Package golden makes the golden models available as a C library, libnicgen_golden.so. The
// libraries made by nicgen export load it when an instance asks for a golden model. `nicgen export`
// builds it around a main package that sets Units.
package golden

/*
#include <stdint.h>
#include <string.h>
*/
import "C"

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/export"
	"github.com/nicgen/nicgen/export/state"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/registry"
)

// Units are the units whose models the library has.
var Units = registry.With()

// model is a golden model behind a unit's ports.
type model struct {
	cosim.Predictor
	in, out int                // words of vectors
	observe func(got []uint64) // nil: the model does not see the device
	both    []uint64           // outputs of a cycle followed by the bits that matter
}

// models holds the models of all handles: handle n is at n-1. Looking one up takes no lock.
var models struct {
	sync.Mutex // of who changes the list
	list       atomic.Pointer[[]*model]
}

// get returns the model of a handle.
func get(h C.int64_t) *model { return (*models.list.Load())[h-1] }

// keep makes a handle.
func keep(m *model) C.int64_t {
	models.Lock()
	defer models.Unlock()
	var list []*model
	if old := models.list.Load(); old != nil {
		list = slices.Clone(*old)
	}
	i := slices.Index(list, nil)
	if i < 0 {
		i = len(list)
		list = append(list, nil)
	}
	list[i] = m
	models.list.Store(&list)
	return C.int64_t(i + 1)
}

// nicgen_golden_abi returns the version of the interface.
//
//export nicgen_golden_abi
func nicgen_golden_abi() C.uint32_t { return export.GoldenVersion }

// nicgen_golden_new makes the model of a configuration whose design has a digest, for vectors of
// the ports. It returns 0 after an error.
//
//export nicgen_golden_new
func nicgen_golden_new(unit, settings, design, ports, message *C.char, size C.uint64_t) (h C.int64_t) {
	defer caught(message, size, func() { h = 0 })
	m, err := newModel(C.GoString(unit), C.GoString(settings), C.GoString(design), C.GoString(ports))
	if err != nil {
		say(message, size, err)
		return 0
	}
	return keep(m)
}

//export nicgen_golden_free
func nicgen_golden_free(h C.int64_t) {
	models.Lock()
	defer models.Unlock()
	list := slices.Clone(*models.list.Load())
	list[h-1] = nil
	models.list.Store(&list)
}

// nicgen_golden_step runs one cycle: want and care, which are zero, get the required outputs and
// the bits that matter. got holds the device's outputs, or is null without a device. It returns 0
// unless the model fails.
//
//export nicgen_golden_step
func nicgen_golden_step(h C.int64_t, in, got, want, care *C.uint64_t, message *C.char, size C.uint64_t) (code C.int) {
	defer caught(message, size, func() { code = 1 })
	m := get(h)
	if m.observe != nil {
		if got == nil {
			say(message, size, fmt.Errorf("the golden model follows the RTL: it cannot run without it"))
			return 1
		}
		m.observe(vector(got, m.out))
	}
	m.Step(vector(in, m.in), vector(want, m.out), vector(care, m.out))
	return 0
}

// nicgen_golden_run runs many cycles of a model that runs alone: n with the inputs of each, then up
// to more with the inputs after those, until as many cycles as answers had an output in which a bit
// of stop is set. out gets the outputs of each cycle, with outputs that do not matter as 0. It
// returns the number of cycles, or a negative number if the model fails.
//
//export nicgen_golden_run
func nicgen_golden_run(h C.int64_t, in *C.uint64_t, n, more C.uint64_t, stop *C.uint64_t, answers C.uint64_t, out *C.uint64_t, message *C.char, size C.uint64_t) (cycles C.int64_t) {
	defer caught(message, size, func() { cycles = -1 })
	m := get(h)
	if m.observe != nil {
		say(message, size, fmt.Errorf("the golden model follows the RTL: it cannot run without it"))
		return -1
	}
	return C.int64_t(m.run(vector(in, int(n+1)*m.in), int(n), int(more), vector(stop, m.out), int(answers), vector(out, int(n+more)*m.out)))
}

func (m *model) run(in []uint64, n, more int, stop []uint64, answers int, out []uint64) int {
	want, care := m.both[:m.out], m.both[m.out:][:m.out]
	stop = stop[:len(want)]
	seen := 0
	for k := 0; ; k++ {
		if k >= n && (seen >= answers || k == n+more) {
			return k
		}
		clear(m.both)
		m.Step(in[min(k, n)*m.in:][:m.in], want, care)
		at, hit := out[k*m.out:][:len(want)], uint64(0)
		for i, w := range want {
			w &= care[i]
			at[i] = w
			hit |= w & stop[i]
		}
		if hit != 0 {
			seen++
		}
	}
}

func vector(p *C.uint64_t, words int) []uint64 {
	return unsafe.Slice((*uint64)(unsafe.Pointer(p)), words)
}

// nicgen_golden_save returns the size of a snapshot, or a negative number after an error, and
// writes the snapshot if it fits.
//
//export nicgen_golden_save
func nicgen_golden_save(h C.int64_t, to *C.uint8_t, room C.uint64_t, message *C.char, size C.uint64_t) (n C.int64_t) {
	defer caught(message, size, func() { n = -1 })
	m := get(h)
	b, err := state.Save(nil, m.Predictor)
	if err != nil {
		say(message, size, fmt.Errorf("snapshot of the golden model: %w", err))
		return -1
	}
	if to != nil && uint64(room) >= uint64(len(b)) {
		copy(unsafe.Slice((*byte)(unsafe.Pointer(to)), len(b)), b)
	}
	return C.int64_t(len(b))
}

// nicgen_golden_load reads a snapshot. It returns 0 unless the bytes do not belong to this model.
//
//export nicgen_golden_load
func nicgen_golden_load(h C.int64_t, from *C.uint8_t, length C.uint64_t, message *C.char, size C.uint64_t) (code C.int) {
	defer caught(message, size, func() { code = 1 })
	m := get(h)
	if err := state.Load(unsafe.Slice((*byte)(unsafe.Pointer(from)), int(length)), m.Predictor); err != nil {
		say(message, size, fmt.Errorf("snapshot of the golden model: %w", err))
		return 1
	}
	return 0
}

// nicgen_golden_explain returns the size of the model's explanation of the given inputs, including
// a final zero, or a negative number after an error. It writes as much of the text as fits.
//
//export nicgen_golden_explain
func nicgen_golden_explain(h C.int64_t, in *C.uint64_t, to *C.char, room C.uint64_t, message *C.char, size C.uint64_t) (n C.int64_t) {
	defer caught(message, size, func() { n = -1 })
	m := get(h)
	text := m.Explain(vector(in, m.in))
	put(to, room, text)
	return C.int64_t(len(text) + 1)
}

// caught turns a panic into an error: nothing ends the process.
func caught(message *C.char, size C.uint64_t, then func()) {
	if p := recover(); p != nil {
		say(message, size, fmt.Errorf("the golden model failed: %v", p))
		then()
	}
}

// say copies an error's text to where the caller wants it.
func say(message *C.char, size C.uint64_t, err error) { put(message, size, err.Error()) }

// put writes as much of a text as there is room for, with a zero at its end.
func put(to *C.char, room C.uint64_t, text string) {
	if room == 0 {
		return
	}
	b := unsafe.Slice((*byte)(unsafe.Pointer(to)), int(room))
	b[copy(b[:len(b)-1], text)] = 0
}

// known caches the digests of designs, as computing one takes longer than making a model.
var known sync.Map

func newModel(unit, settings, design, ports string) (*model, error) {
	units := Units
	i := slices.IndexFunc(units, func(u registry.Unit) bool { return u.New().Unit() == unit })
	if i < 0 || units[i].Bench == nil {
		return nil, fmt.Errorf("no golden model of unit %q", unit)
	}
	cfg := units[i].New()
	if err := gen.SetAll(cfg, settings); err != nil {
		return nil, fmt.Errorf("unit %s: %w", unit, err)
	}
	digest, ok := known.Load(unit + " " + settings)
	if !ok {
		d, err := emit.DesignDigest(cfg)
		if err != nil {
			return nil, err
		}
		known.Store(unit+" "+settings, d)
		digest = d
	}
	if digest != design {
		return nil, fmt.Errorf("the golden model is of another version of unit %s than the library: export both again", unit)
	}
	l, err := cosim.ReadLines(ports)
	if err != nil {
		return nil, err
	}
	b, err := units[i].Bench(cfg)
	if err != nil {
		return nil, err
	}
	m := &model{in: l.InWords, out: l.OutWords}
	if m.Predictor, err = b.NewPredictor(l, true); err != nil {
		return nil, err
	}
	m.observe = m.Hooks().Observe
	m.both = make([]uint64, 2*m.out)
	return m, err
}
