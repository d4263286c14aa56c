// SPDX-License-Identifier: Apache-2.0

// Package csr builds the register map of units: the port, setting, counter or stream of a unit
// behind each word of a 4 KiB block. A Map follows from the units' own port and parameter tables;
// the AXI4-Lite unit nic_csr, a C header, a Go package, Markdown and SystemRDL follow from the Map.
//
// docs/units/nic_csr.md describes the layout.
package csr

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

// Sizes that the layout fixes, in bytes, and the block's header.
const (
	BlockSize = 4096
	Log2Size  = 12
	Vendor    = 0x4E47
	Version   = 0x01_00_00_00 // major, minor, patch, 0: of the layout

	AtType       = 0x000
	AtVersion    = 0x004
	AtNext       = 0x008
	AtSize       = 0x00C
	AtHash       = 0x010
	AtStatus     = 0x020
	AtCommit     = 0x024
	AtEvents     = 0x028
	AtEnable     = 0x02C
	AtSettings   = 0x040
	AtCounters   = 0x400
	AtWindows    = 0x800
	WindowSize   = 0x040
	AtParameters = 0xC00
)

// Bits of the words that each block, and each window, has.
const (
	CommitBit     = 0 // of commit: write 1 to apply the settings; reads 1 if some are pending
	WindowStart   = 0 // of a window's command: write 1 to offer the word; reads 1 while it is offered
	WindowMissed  = 1 // of a window's command: a write was lost meanwhile; write 1 to clear
	MostFields    = WindowSize/4 - 1
	MostEvents    = 32
	MostStatus    = 32
	MostValueBits = 64 // of a setting or a counter
)

// numbers are the units' numbers, which a block's type holds. A number is never reused.
var numbers = map[string]uint16{
	Self: 1, "reps": 2, "reps_detector": 3, "plb": 4, "spray": 5, "powertcp": 6,
	"laps": 16, "laps_paths": 17, "laps_pick": 18, "laps_rate": 19, "laps_loss": 20,
	"dcsim_source": 32, "dcsim_port": 33, "dcsim_responder": 34,
	"nic_parse": 48, "nic_edit": 49, "nic_lookup": 50, "nic_shim": 51, "nic_echo": 52, "nic_queue": 53, "nic_pace": 54, "nic_gate": 55,
	"nic_feedback": 56, "nic_probe": 57,
	"nic_transport": 63,
}

// Self is the unit of the first block of a map, which answers the accesses.
const Self = "nic_csr"

// Streams are the prefixes of streams that software drives by default.
var Streams = []string{"s_cfg", "s_rate", "s_seed", "s_flush", "s_open"}

// A Unit is one unit that gets a block.
type Unit struct {
	Name    string     // of the block, and the prefix of its ports: "reps"
	Config  gen.Config // as built
	Streams []string   // prefixes of the streams that software drives; nil means all of Streams
}

// Kind is the kind of a register.
type Kind string

// The kinds of registers.
const (
	Header    Kind = "header"    // the same in each block
	Status    Kind = "status"    // levels of one bit
	Commit    Kind = "commit"    // makes settings count
	Events    Kind = "events"    // sticky; write one to clear
	Enable    Kind = "enable"    // of interrupts, a bit for each event
	Setting   Kind = "setting"   // of a cfg_ port
	Counter   Kind = "counter"   // of a sts_ port with more than one bit
	Parameter Kind = "parameter" // of the unit as built
	Command   Kind = "command"   // of a window
	Data      Kind = "data"      // a field of a window's stream
)

// Access is the access that software has to a register.
type Access string

// The kinds of access.
const (
	RO  Access = "ro"
	RW  Access = "rw"
	WO  Access = "wo"
	W1C Access = "w1c"
)

// A Register is a value of one or more words, the lowest first.
type Register struct {
	Name    string `json:"name"`   // "cfg_freezing_timeout_ns", "s_flush.conn"
	Offset  uint32 `json:"offset"` // of its first word in the block, in bytes
	Bits    int    `json:"bits"`
	Kind    Kind   `json:"kind"`
	Access  Access `json:"access"`
	Reset   uint64 `json:"reset"`
	Port    string `json:"port,omitempty"` // of the unit
	Format  string `json:"format,omitempty"`
	Meaning string `json:"meaning"`
	Bit     []Bit  `json:"bit,omitempty"` // of a register that is a set of flags
	Narrow  int    `json:"-"`             // for a total, a counter gathered in memory: bits of its port; otherwise 0
}

// A Bit is a flag in a register.
type Bit struct {
	Name    string `json:"name"` // "evt_freeze"
	Bit     int    `json:"bit"`
	Port    string `json:"port,omitempty"`
	Meaning string `json:"meaning"`
}

// Readable and Writable report whether software may read or write a register.
func (r *Register) Readable() bool { return r.Access != WO }

// Writable: see Readable.
func (r *Register) Writable() bool { return r.Access != RO }

// Words returns the number of words in a register.
func (r *Register) Words() uint32 { return uint32(r.Bits+31) / 32 }

// A Window is a stream that software drives: data words and a command.
type Window struct {
	Name   string      `json:"name"` // "s_flush"
	Offset uint32      `json:"offset"`
	Ready  bool        `json:"ready"` // the stream has a ready; without one, a word is taken immediately
	Fields []*Register `json:"-"`     // the fields of the block that have the name of this window
	Start  *Register   `json:"-"`
}

// A Block is the registers of a unit.
type Block struct {
	Name      string      `json:"name"`
	Unit      string      `json:"unit"`
	Title     string      `json:"title"`
	Base      uint32      `json:"base"`
	Type      uint32      `json:"type"`
	Next      uint32      `json:"next"`
	Registers []*Register `json:"registers"` // by offset
	Windows   []*Window   `json:"windows,omitempty"`

	Ports []gen.Port `json:"-"` // of the unit
}

// A Map is the blocks of some units.
type Map struct {
	Version uint32   `json:"version"`
	Hash    uint32   `json:"hash"` // first 32 bits of the SHA-256 of the facts that software depends on
	Blocks  []*Block `json:"blocks"`
}

// Size returns the number of bytes that the map takes.
func (m *Map) Size() uint32 { return uint32(len(m.Blocks)) * BlockSize }

// Own is the block of nic_csr itself: its ports, as if it were another unit, and its parameters.
type Own struct {
	Title      string
	Ports      []gen.Port
	Parameters []gen.Field

	// Totals reports whether counters of up to MostNarrow bits are gathered into totals of
	// TotalBits.
	Totals bool
}

// Widths of gathered counters, and of their totals.
const (
	MostNarrow = 16
	TotalBits  = 64
)

// New makes the map of units, in their order, after the block of nic_csr itself. It returns an
// error that names the part that does not fit.
func New(own Own, units []Unit) (*Map, error) {
	m := &Map{Version: Version}
	b, err := newBlock("csr", Self, own.Title, own.Ports, nil, own.Parameters, []string{}, own.Totals)
	if err != nil {
		return nil, err
	}
	m.Blocks = append(m.Blocks, b)
	seen := map[string]bool{"csr": true}
	for _, u := range units {
		if !legalName(u.Name) {
			return nil, fmt.Errorf("block %q: want a name of small letters, digits and underscores that begins with a letter", u.Name)
		}
		if seen[u.Name] {
			return nil, fmt.Errorf("block %s: there are two", u.Name)
		}
		seen[u.Name] = true
		values, err := Values(u.Config)
		if err != nil {
			return nil, fmt.Errorf("block %s: %w", u.Name, err)
		}
		streams := u.Streams
		if streams == nil {
			streams = Streams
		}
		var fields []gen.Field
		for _, f := range u.Config.Fields() {
			if !f.Runtime {
				fields = append(fields, f)
			}
		}
		b, err := newBlock(u.Name, u.Config.Unit(), u.Config.Title(), u.Config.Ports(), values, fields, streams, own.Totals)
		if err != nil {
			return nil, err
		}
		m.Blocks = append(m.Blocks, b)
	}
	for i, b := range m.Blocks {
		b.Base = uint32(i) * BlockSize
		if i+1 < len(m.Blocks) {
			b.Next = b.Base + BlockSize
		}
		b.register("next").Reset = uint64(b.Next)
	}
	m.Hash = m.hash()
	for _, b := range m.Blocks {
		b.register("hash").Reset = uint64(m.Hash)
	}
	return m, nil
}

// legalName reports whether a text is a legal name: lower-case letters, digits, underscores.
func legalName(s string) bool {
	if s == "" || s[0] < 'a' || s[0] > 'z' {
		return false
	}
	return strings.Trim(s, "abcdefghijklmnopqrstuvwxyz0123456789_") == ""
}

// hash covers everything that software depends on: names, places, widths, accesses, reset values,
// formats and parameters, but no prose.
func (m *Map) hash() uint32 {
	h := sha256.New()
	e := json.NewEncoder(h)
	put := func(v ...any) {
		if err := e.Encode(v); err != nil {
			panic(err) // numbers and texts
		}
	}
	put("nicgen register map", m.Version, len(m.Blocks))
	for _, b := range m.Blocks {
		put(b.Name, b.Unit, b.Base, b.Type, b.Next)
		for _, r := range b.Registers {
			reset := r.Reset
			if r.Offset == AtHash {
				reset = 0
			}
			put(r.Name, r.Offset, r.Bits, r.Kind, r.Access, reset, r.Port, r.Format)
			for _, f := range r.Bit {
				put(f.Name, f.Bit, f.Port)
			}
		}
		for _, w := range b.Windows {
			put(w.Name, w.Offset, w.Ready)
		}
	}
	return binary.BigEndian.Uint32(h.Sum(nil))
}

// Values returns the values of a configuration's cfg_ ports.
func Values(cfg gen.Config) (map[string]uint64, error) {
	out := map[string]uint64{}
	bits := map[string]int{}
	for _, p := range cfg.Ports() {
		bits[p.Name] = p.Bits
	}
	if d, ok := cfg.(gen.Driven); ok {
		for name, v := range d.PortValues() {
			if bits[name] != 0 {
				out[name] = v
			}
		}
	} else {
		for _, f := range cfg.Fields() {
			if f.Runtime {
				out[f.Port] = value(f)
			}
		}
	}
	for name, v := range out {
		n, ok := bits[name]
		switch {
		case !ok:
			return nil, fmt.Errorf("a setting drives port %s, which is not there", name)
		case n < 64 && v>>n != 0:
			return nil, fmt.Errorf("%d does not fit port %s of %d bits", v, name, n)
		}
	}
	return out, nil
}

// value returns the value of a field as a word.
func value(f gen.Field) uint64 {
	switch f.Kind() {
	case gen.Bool:
		if *f.Bool {
			return 1
		}
		return 0
	case gen.Enum:
		for i, c := range f.Choices {
			if c == *f.Enum {
				return uint64(i)
			}
		}
		return 0
	}
	return uint64(*f.Int)
}

// UnitOf returns the unit with a number, or "".
func UnitOf(number uint16) string {
	for unit, n := range numbers {
		if n == number {
			return unit
		}
	}
	return ""
}
