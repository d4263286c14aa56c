// SPDX-License-Identifier: Apache-2.0

package csr

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
)

// MostBlocks is the largest number of blocks that Read accepts in a map.
const MostBlocks = 1024

// ReadJSON reads a map that Render wrote as JSON. It returns an error if the map's hash is wrong or
// a rule of the layout is broken.
func ReadJSON(text []byte) (*Map, error) {
	d := json.NewDecoder(bytes.NewReader(text))
	d.DisallowUnknownFields()
	m := &Map{}
	if err := d.Decode(m); err != nil {
		return nil, fmt.Errorf("no register map in JSON: %w", err)
	}
	if _, err := d.Token(); !errors.Is(err, io.EOF) {
		return nil, errors.New("no register map in JSON: text follows it")
	}
	if m.Version != Version {
		return nil, fmt.Errorf("the map's layout has version 0x%08x, want 0x%08x", m.Version, Version)
	}
	if len(m.Blocks) == 0 || len(m.Blocks) > MostBlocks {
		return nil, fmt.Errorf("the map has %d blocks, want 1 to %d", len(m.Blocks), MostBlocks)
	}
	names := map[string]bool{}
	for i, b := range m.Blocks {
		if b == nil || !legalName(b.Name) || names[b.Name] {
			return nil, fmt.Errorf("block %d of the map has no unique name", i)
		}
		names[b.Name] = true
		next := uint32(0)
		if i+1 < len(m.Blocks) {
			next = uint32(i+1) * BlockSize
		}
		if b.Base != uint32(i)*BlockSize || b.Next != next {
			return nil, fmt.Errorf("block %s begins at 0x%x with the next one at 0x%x, want 0x%x and 0x%x", b.Name, b.Base, b.Next, uint32(i)*BlockSize, next)
		}
		if err := b.complete(); err != nil {
			return nil, err
		}
	}
	if h := m.hash(); h != m.Hash {
		return nil, fmt.Errorf("the map declares the hash 0x%08x, but has 0x%08x: it was edited, or belongs to another version of nicgen", m.Hash, h)
	}
	return m, nil
}

// headers are the words that each block has.
var headers = map[string]uint32{"id": AtType, "version": AtVersion, "next": AtNext, "size": AtSize, "hash": AtHash}

// complete checks a block that was read, and fills in the parts that the JSON does not hold.
func (b *Block) complete() error {
	fail := func(format string, args ...any) error {
		return fmt.Errorf("block %s: %s", b.Name, fmt.Sprintf(format, args...))
	}
	if slices.Contains(b.Registers, nil) || slices.Contains(b.Windows, nil) {
		return fail("a register or window is null")
	}
	for _, r := range b.Registers {
		for part := range strings.SplitSeq(r.Name, ".") {
			if !legalName(part) {
				return fail("register %q: want small letters, digits and underscores", r.Name)
			}
		}
		if r.Bits < 1 || r.Bits > 32*MostFields || r.Offset%4 != 0 || r.Offset >= BlockSize || r.Offset+4*r.Words() > BlockSize {
			return fail("register %s: %d bits at 0x%x: want at most %d bits in whole words of the block", r.Name, r.Bits, r.Offset, 32*MostFields)
		}
		if r.Kind != Data && r.Bits > MostValueBits || r.Bits < 64 && r.Reset>>r.Bits != 0 {
			return fail("register %s: %d bits and reset value %d", r.Name, r.Bits, r.Reset)
		}
		if !slices.Contains([]Kind{Header, Status, Commit, Events, Enable, Setting, Counter, Parameter, Command, Data}, r.Kind) ||
			!slices.Contains([]Access{RO, RW, WO, W1C}, r.Access) {
			return fail("register %s: kind %q, access %q", r.Name, r.Kind, r.Access)
		}
		for _, f := range r.Bit {
			if f.Bit < 0 || f.Bit >= r.Bits || r.Bits > 32 {
				return fail("flag %s is bit %d of %d", f.Name, f.Bit, r.Bits)
			}
		}
	}
	if err := b.check(); err != nil {
		return err
	}
	for name, at := range headers {
		if r := b.register(name); r == nil || r.Offset != at || r.Bits != 32 {
			return fail("no %s at 0x%03x", name, at)
		}
	}
	if b.register("id").Reset != uint64(b.Type) || b.Type>>16 != Vendor {
		return fail("type 0x%08x, want vendor 0x%04X", b.Type, Vendor)
	}
	committed := false
	for _, r := range b.Registers {
		committed = committed || r.Kind == Setting
	}
	if r := b.at(AtCommit); committed && (r == nil || r.Kind != Commit) {
		return fail("settings without commit")
	}
	for _, w := range b.Windows {
		w.Start = b.register(w.Name + ".command")
		if w.Start == nil || w.Start.Kind != Command || w.Start.Offset != w.Offset {
			return fail("window %s has no command at 0x%03x", w.Name, w.Offset)
		}
		for _, r := range b.Registers {
			if strings.HasPrefix(r.Name, w.Name+".") && r.Kind == Data {
				w.Fields = append(w.Fields, r)
			}
		}
	}
	return nil
}

// Block returns the block with a name, or nil.
func (m *Map) Block(name string) *Block {
	for _, b := range m.Blocks {
		if b.Name == name {
			return b
		}
	}
	return nil
}

// Register returns the register with a name, or nil.
func (b *Block) Register(name string) *Register { return b.register(name) }

// Window returns the window with a name, or nil.
func (b *Block) Window(name string) *Window {
	for _, w := range b.Windows {
		if w.Name == name {
			return w
		}
	}
	return nil
}

// Field returns the field with a name, or nil. The name does not include the window's: "conn".
func (w *Window) Field(name string) *Register {
	for _, f := range w.Fields {
		if f.Name == w.Name+"."+name {
			return f
		}
	}
	return nil
}
