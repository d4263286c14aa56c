// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"unsafe"

	"github.com/ebitengine/purego"

	"github.com/nicgen/nicgen/svparse"
	"github.com/nicgen/nicgen/verilator"
)

// Element is a register or a memory of a design.
type Element struct {
	Name  string `json:"name"` // path of instances and blocks below the top module: "send_to_ack.ram.g_slice[0].mem"
	Width int    `json:"width"`
	Depth int    `json:"depth,omitempty"` // words of a memory; 0: a register

	Offset int `json:"offset"` // of its first byte in a state
	Bytes  int `json:"bytes"`  // that it takes there
}

// Words is the number of words: 1 of a register.
func (e Element) Words() int { return max(e.Depth, 1) }

// Flip changes one bit, which exists, of a word in a state that Instance.State gave.
func (e Element) Flip(state []byte, word, bit int) {
	state[e.Offset+word*(e.Bytes/e.Words())+bit/8] ^= 1 << (bit % 8)
}

// stateAccess reads and sets the state of a library's models.
type stateAccess struct {
	elements []Element
	size     int
	get, put uintptr
}

// keptName is the file of the configuration that keeps registers.
const keptName = "kept.vlt"

// keepRegisters is the configuration by which Verilator keeps every register and memory as
// a variable of the model; the rest of it is optimised as usual.
func keepRegisters(src Source) (string, error) {
	modules, err := modulesOf(src)
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("`verilator_config\n")
	for _, m := range slices.Sorted(maps.Keys(modules)) {
		for _, r := range modules[m].registers {
			fmt.Fprintf(&b, "public_flat_rw -module %q -var %q\n", m, r)
		}
	}
	return b.String(), nil
}

// modulesOf parses a design.
func modulesOf(src Source) (map[string]*module, error) {
	modules := map[string]*module{}
	for _, f := range src.Files {
		file, err := svparse.Parse(f.Name, f.Text)
		if err != nil {
			return nil, err
		}
		for _, m := range file.Modules {
			x := &module{registers: m.Registers(), instances: map[string]string{}}
			for _, i := range m.Instances {
				x.instances[i.Name] = i.Module
			}
			modules[m.Name] = x
		}
	}
	return modules, nil
}

// stateOf finds the registers and memories of a verilated design, and writes the C++
// that copies them.
func stateOf(src Source, obj string) ([]Element, string, error) {
	vars, err := verilator.Variables(obj, src.Top)
	if err != nil {
		return nil, "", err
	}
	modules, err := modulesOf(src)
	if err != nil {
		return nil, "", err
	}
	var list []Element
	var chosen []verilator.Variable
	at := 0
	for _, v := range vars {
		if !isRegister(modules, src.Top, v.Path) {
			continue
		}
		list = append(list, Element{Name: v.Path, Width: v.Width, Depth: v.Depth, Offset: at, Bytes: v.Bytes()})
		chosen = append(chosen, v)
		at += v.Bytes()
	}
	return list, verilator.StateGlue(chosen), nil
}

// module holds a module's information for a state.
type module struct {
	registers []string
	instances map[string]string // module by name of the instance
}

// isRegister reports whether the module at the end of a path, in the names of instances,
// assigns its last name at clock edges. Names of generate blocks lead nowhere else.
func isRegister(modules map[string]*module, top, path string) bool {
	parts := strings.Split(path, ".")
	m := modules[top]
	for _, p := range parts[:len(parts)-1] {
		name, _, _ := strings.Cut(p, "[")
		if m == nil {
			return false
		}
		if to, ok := m.instances[name]; ok {
			m = modules[to]
		}
	}
	if m == nil {
		return false
	}
	_, found := slices.BinarySearch(m.registers, parts[len(parts)-1])
	return found
}

func (l *Library) loadState(elements []Element) error {
	s := &l.state
	s.elements = elements
	var size uintptr
	for _, f := range []struct {
		name string
		to   *uintptr
	}{{"m_state_size", &size}, {"m_state_get", &s.get}, {"m_state_put", &s.put}} {
		var err error
		if *f.to, err = purego.Dlsym(l.handle, f.name); err != nil {
			return fmt.Errorf("load model: %w", err)
		}
	}
	n, _, _ := purego.SyscallN(size)
	s.size = int(n)
	for _, e := range elements {
		n -= uintptr(e.Bytes)
	}
	if n != 0 || s.size == 0 {
		return fmt.Errorf("module %s: %d bytes of state are not those of its %d elements: report this as a fault of nicgen", l.src.Top, s.size, len(elements))
	}
	return nil
}

// Elements lists the registers and memories of a design that was built with
// BuildOptions.State: all that hold anything from one cycle to the next.
func (l *Library) Elements() []Element { return slices.Clone(l.state.elements) }

// State appends the contents of all registers and memories between two cycles to buf.
// The library must have been built with BuildOptions.State.
func (i *Instance) State(buf []byte) ([]byte, error) {
	n := i.lib.state.size
	if err := i.usable(); err != nil {
		return nil, err
	}
	if n == 0 {
		return nil, fmt.Errorf("module %s: the model was built without access to its state", i.lib.src.Top)
	}
	at := len(buf)
	buf = append(buf, make([]byte, n)...)
	purego.SyscallN(i.lib.state.get, i.model, uintptr(unsafe.Pointer(&buf[at])))
	return buf, nil
}

// SetState gives all registers and memories the contents that State gave, of this
// instance or of another one of the library, after any change of bits. The instance
// must have run at least one cycle. It goes on as the other would have.
func (i *Instance) SetState(state []byte) error {
	if err := i.usable(); err != nil {
		return err
	}
	if len(state) != i.lib.state.size || len(state) == 0 {
		return fmt.Errorf("module %s: %d bytes of state, want %d of a model built with access to it", i.lib.src.Top, len(state), i.lib.state.size)
	}
	purego.SyscallN(i.lib.state.put, i.model, uintptr(unsafe.Pointer(&state[0])))
	return i.ended()
}
