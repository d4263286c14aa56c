// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

// newBlock lays out the registers of a unit. Values are the reset values of its cfg_ ports.
func newBlock(name, unit, title string, ports []gen.Port, values map[string]uint64, fields []gen.Field, streams []string, totals bool) (*Block, error) {
	number := numbers[unit]
	if number == 0 {
		return nil, fmt.Errorf("block %s: unit %s has no number", name, unit)
	}
	b := &Block{Name: name, Unit: unit, Title: title, Type: Vendor<<16 | uint32(number), Ports: ports}
	b.header()
	l := layout{block: b, values: values, streams: streams, setting: AtSettings, counter: AtCounters, parameter: AtParameters}
	for _, p := range ports { // totals first, so that they are next to each other
		if totals && gathered(p) {
			l.add(Register{Name: p.Name, Bits: TotalBits, Narrow: p.Bits, Kind: Counter, Access: RO, Port: p.Name, Format: "unsigned", Meaning: p.Meaning},
				&l.counter, AtWindows, "counter")
		}
	}
	for _, p := range ports {
		if !totals || !gathered(p) {
			l.port(p)
		}
	}
	for _, f := range fields {
		l.param(f)
	}
	l.windows(ports)
	slices.SortStableFunc(b.Registers, func(x, y *Register) int { return cmp.Compare(x.Offset, y.Offset) })
	if len(l.problems) > 0 {
		return nil, fmt.Errorf("block %s: %s", name, strings.Join(l.problems, "; "))
	}
	return b, b.check()
}

// gathered reports whether a port is a counter that is part of a total.
func gathered(p gen.Port) bool {
	return p.Dir == gen.Out && strings.HasPrefix(p.Name, "sts_") && strings.HasSuffix(p.Name, "_cnt") && p.Bits > 1 && p.Bits <= MostNarrow
}

// header gives a block the words that all have.
func (b *Block) header() {
	add := func(name string, at uint32, kind Kind, access Access, bits int, reset uint64, meaning string) {
		b.Registers = append(b.Registers, &Register{Name: name, Offset: at, Bits: bits, Kind: kind, Access: access, Reset: reset, Meaning: meaning})
	}
	add("id", AtType, Header, RO, 32, uint64(b.Type), "Vendor 0x4E47 in the high half, the unit's number in the low one.")
	add("version", AtVersion, Header, RO, 32, Version, "Version of the layout: major, minor, patch, 0.")
	add("next", AtNext, Header, RO, 32, 0, "Where the next block begins, in bytes from the first one; 0 in the last block.")
	add("size", AtSize, Header, RO, 32, Log2Size, "Base-2 logarithm of the block's size in bytes.")
	add("hash", AtHash, Header, RO, 32, 0, "The map's hash: software that was made for another map must not go on.")
}

// layout places registers in a block.
type layout struct {
	block                       *Block
	values                      map[string]uint64
	streams                     []string
	setting, counter, parameter uint32 // the next free offsets
	problems                    []string
}

func (l *layout) refuse(format string, args ...any) {
	l.problems = append(l.problems, fmt.Sprintf(format, args...))
}

// add adds a register at *at, which is advanced.
func (l *layout) add(r Register, at *uint32, end uint32, what string) {
	r.Offset = *at
	*at += 4 * r.Words()
	if *at > end {
		l.refuse("%s %s is beyond the %d words for %s", what, r.Name, (end-map[uint32]uint32{
			AtCounters: AtSettings, AtWindows: AtCounters, BlockSize: AtParameters}[end])/4, what+"s")
	}
	l.block.Registers = append(l.block.Registers, &r)
}

// flag adds a bit to the set of flags at an offset.
func (l *layout) flag(at uint32, name string, kind Kind, access Access, p gen.Port, bitName, meaning string) {
	r := l.block.at(at)
	if r == nil {
		r = &Register{Name: name, Offset: at, Kind: kind, Access: access, Meaning: meaning}
		l.block.Registers = append(l.block.Registers, r)
	}
	if r.Bits == MostEvents {
		l.refuse("%s is beyond the %d bits of %s", p.Name, MostEvents, name)
		return
	}
	r.Bit = append(r.Bit, Bit{Name: bitName, Bit: r.Bits, Port: p.Name, Meaning: p.Meaning})
	r.Bits++
}

// port adds the register or flag of a port, if it has one.
func (l *layout) port(p gen.Port) {
	switch {
	case strings.HasPrefix(p.Name, "cfg_") && p.Dir == gen.In:
		v, ok := l.values[p.Name]
		if !ok {
			l.refuse("setting %s has no reset value", p.Name)
		}
		if p.Bits > MostValueBits {
			l.refuse("setting %s has %d bits, want at most %d", p.Name, p.Bits, MostValueBits)
		}
		if l.block.at(AtCommit) == nil {
			l.block.Registers = append(l.block.Registers, &Register{Name: "commit", Offset: AtCommit, Bits: 1, Kind: Commit, Access: RW,
				Meaning: "Write 1: all settings of the block take the values that were written, in one cycle. Read: some are still to take theirs."})
		}
		l.add(Register{Name: p.Name, Bits: p.Bits, Kind: Setting, Access: RW, Reset: v, Port: p.Name, Format: p.Format, Meaning: p.Meaning},
			&l.setting, AtCounters, "setting")
	case strings.HasPrefix(p.Name, "sts_") && p.Dir == gen.Out && p.Bits == 1:
		l.flag(AtStatus, "status", Status, RO, p, p.Name, "Levels, as they are.")
	case strings.HasPrefix(p.Name, "sts_") && p.Dir == gen.Out:
		if p.Bits > MostValueBits {
			l.refuse("counter %s has %d bits, want at most %d", p.Name, p.Bits, MostValueBits)
		}
		l.add(Register{Name: p.Name, Bits: p.Bits, Kind: Counter, Access: RO, Port: p.Name, Format: p.Format, Meaning: p.Meaning},
			&l.counter, AtWindows, "counter")
	case strings.HasPrefix(p.Name, "evt_") && p.Dir == gen.Out:
		if p.Bits != 1 {
			l.refuse("event %s has %d bits, want one", p.Name, p.Bits)
		}
		l.flag(AtEvents, "events", Events, W1C, p, p.Name, "Events since they were cleared; write ones to clear. An event of that cycle stays.")
		l.flag(AtEnable, "enable", Enable, RW, p, "irq_"+strings.TrimPrefix(p.Name, "evt_"), "Events that raise the interrupt.")
	}
}

// param adds a parameter.
func (l *layout) param(f gen.Field) {
	r := Register{Name: "param_" + f.Key, Bits: 32, Kind: Parameter, Access: RO, Reset: value(f), Format: f.Unit, Meaning: f.Doc}
	switch f.Kind() {
	case gen.Bool:
		r.Bits, r.Format = 1, "flag"
	case gen.Enum:
		var list []string
		for i, c := range f.Choices {
			list = append(list, fmt.Sprintf("%d %s", i, c))
		}
		r.Format = strings.Join(list, ", ")
	default:
		if f.Max >= 1<<32 || f.Min < -1<<31 {
			r.Bits = 64
		} else {
			r.Reset &= 1<<32 - 1
		}
	}
	l.add(r, &l.parameter, BlockSize, "parameter")
}

// windows adds the streams that are software's.
func (l *layout) windows(ports []gen.Port) {
	at := uint32(AtWindows)
	for _, prefix := range l.streams {
		w := &Window{Name: prefix, Offset: at}
		var fields []gen.Port
		valid := false
		for _, p := range ports {
			field, ok := strings.CutPrefix(p.Name, prefix+"_")
			switch {
			case !ok:
			case field == "valid" && p.Dir == gen.In:
				valid = true
			case field == "ready" && p.Dir == gen.Out:
				w.Ready = true
			case p.Dir == gen.In:
				fields = append(fields, p)
			}
		}
		if !valid {
			continue // the unit has no such stream
		}
		w.Start = &Register{Name: prefix + ".command", Offset: at, Bits: 2, Kind: Command, Access: RW,
			Meaning: "Command of the stream " + prefix + "_.",
			Bit: []Bit{
				{Name: prefix + ".start", Bit: WindowStart, Port: prefix + "_valid", Meaning: "Write 1: offer the word in the data registers. Read: it is offered, and not taken yet."},
				{Name: prefix + ".missed", Bit: WindowMissed, Meaning: "The window was written while a word was offered, and that write was lost; write 1 to clear."},
			}}
		l.block.Registers = append(l.block.Registers, w.Start)
		next := at + 4
		for _, p := range fields {
			r := &Register{Name: prefix + "." + strings.TrimPrefix(p.Name, prefix+"_"), Offset: next, Bits: p.Bits, Kind: Data, Access: WO, Port: p.Name, Format: p.Format, Meaning: p.Meaning}
			next += 4 * r.Words()
			l.block.Registers = append(l.block.Registers, r)
			w.Fields = append(w.Fields, r)
		}
		if next > at+WindowSize {
			l.refuse("stream %s has %d words of data, want at most %d", prefix, (next-at)/4-1, MostFields)
		}
		if at += WindowSize; at > AtParameters {
			l.refuse("stream %s is beyond the %d windows", prefix, (AtParameters-AtWindows)/WindowSize)
		}
		l.block.Windows = append(l.block.Windows, w)
	}
}

// at returns the register that begins at an offset, or nil.
func (b *Block) at(offset uint32) *Register {
	for _, r := range b.Registers {
		if r.Offset == offset {
			return r
		}
	}
	return nil
}

// register returns the register with a name, or nil.
func (b *Block) register(name string) *Register {
	for _, r := range b.Registers {
		if r.Name == name {
			return r
		}
	}
	return nil
}

// check demands that no two registers share a word or a name.
func (b *Block) check() error {
	names := map[string]bool{}
	end := uint32(0)
	var last *Register
	for _, r := range b.Registers {
		if names[r.Name] {
			return fmt.Errorf("block %s: two registers are named %s", b.Name, r.Name)
		}
		names[r.Name] = true
		if r.Offset < end {
			return fmt.Errorf("block %s: %s and %s share the word at 0x%03x", b.Name, last.Name, r.Name, r.Offset)
		}
		end, last = r.Offset+4*r.Words(), r
	}
	return nil
}

// At returns the register with a word at an address of the map, its block, and the number of the word;
// nil if it is a hole.
func (m *Map) At(address uint32) (*Block, *Register, uint32) {
	i := address / BlockSize
	if int(i) >= len(m.Blocks) {
		return nil, nil, 0
	}
	b, offset := m.Blocks[i], address%BlockSize&^3
	for _, r := range b.Registers {
		if offset >= r.Offset && offset < r.Offset+4*r.Words() {
			return b, r, (offset - r.Offset) / 4
		}
	}
	return nil, nil, 0
}

// A Place is the target of a name: a register, or a flag in one.
type Place struct {
	Block    *Block
	Register *Register
	Bit      *Bit // nil: all of the register
}

// Address returns the address of the register's first word.
func (p Place) Address() uint32 { return p.Block.Base + p.Register.Offset }

// Name returns the full name of the place.
func (p Place) Name() string {
	if p.Bit != nil {
		return p.Block.Name + "." + p.Bit.Name
	}
	return p.Block.Name + "." + p.Register.Name
}

// Places returns all places of the map, by address; flags follow their register.
func (m *Map) Places() []Place {
	var out []Place
	for _, b := range m.Blocks {
		for _, r := range b.Registers {
			out = append(out, Place{b, r, nil})
			for i := range r.Bit {
				out = append(out, Place{b, r, &r.Bit[i]})
			}
		}
	}
	return out
}

// Has reports whether the map has a place with a name, "reps.cfg_mode".
func (m *Map) Has(name string) bool {
	_, ok := m.find(name)
	return ok
}

func (m *Map) find(name string) (Place, bool) {
	block, register, _ := strings.Cut(name, ".")
	for _, b := range m.Blocks {
		if b.Name != block {
			continue
		}
		for _, r := range b.Registers {
			if r.Name == register {
				return Place{b, r, nil}, true
			}
			for i := range r.Bit {
				if r.Bit[i].Name == register {
					return Place{b, r, &r.Bit[i]}, true
				}
			}
		}
	}
	return Place{}, false
}

// Find returns the place of a name, "reps.cfg_mode"; the error names the nearest one.
func (m *Map) Find(name string) (Place, error) {
	if p, ok := m.find(name); ok {
		return p, nil
	}
	var names []string
	for _, p := range m.Places() {
		names = append(names, p.Name())
	}
	near := gen.Nearest(name, names)
	if near != "" {
		near = ", nearest: " + near
	}
	return Place{}, fmt.Errorf("no register %q%s", name, near)
}
