// SPDX-License-Identifier: Apache-2.0

// Package gen turns a typed, validated configuration of a unit into
// SystemVerilog and the files that travel with it.
//
// A unit lives in gen/<unit>. It is a Config: a struct whose fields are described by one table,
// Fields, which documents, defaults, validates and binds each of them. Everything else that deals
// with parameters (flags, YAML, describe, interface pages, manifests) reads that table.
package gen

// Kind is the type of a Field's value.
type Kind int

const (
	Int  Kind = iota // a whole number
	Bool             // true or false
	Enum             // one of Field.Choices
)

// Field describes one parameter of a unit and points at the variable that
// holds its value. Exactly one of Int, Bool and Enum is set.
type Field struct {
	Key   string // snake_case with the unit of measure in the name: "freezing_timeout_ns"
	Group string // heading under which it is listed: "Structure", "Run-time settings"
	Doc   string // one sentence: its meaning, and the effect of a change
	Cost  string // the cost of a larger value: "LUTRAM or BRAM bits: connections × depth × bits"
	Ref   string // the source of the field: "REPS §3.1, Algorithm 1 line 14"
	Unit  string // unit of measure for people: "bits", "ns", "entries"; may be empty

	Int  *int64  // the value of a number
	Bool *bool   // the value of a switch
	Enum *string // the value of a choice

	Min, Max   int64    // inclusive range of a number
	PowerOfTwo bool     // a number must be a power of two
	Choices    []string // the legal values of Enum, default first
	Auto       *Rule    // the rule of a default that depends on other parameters, or nil

	Flag    bool   // true: `nicgen emit` and its siblings have a flag of this name
	Runtime bool   // true: a cfg_ port, not a shape of the hardware
	Port    string // the cfg_ port that a Runtime field drives
	SV      string // the SystemVerilog parameter that may be overridden at instantiation; empty if fixed
}

// Kind returns the kind of the value pointer that is set.
func (f *Field) Kind() Kind {
	switch {
	case f.Bool != nil:
		return Bool
	case f.Enum != nil:
		return Enum
	default:
		return Int
	}
}

// Problem is one thing wrong with a configuration.
type Problem struct {
	Key     string // the parameter; for a rule over several, the first one to change
	Found   string // the value found
	Allowed string // the values allowed, or the rule
}

// Dir is the direction of a port, seen from the unit.
type Dir int

const (
	In  Dir = iota // into the unit
	Out            // out of the unit
)

// Port documents one port of a unit's top module. The module header and the interface table both
// follow from it.
type Port struct {
	Name    string // s_ack_valid
	Dir     Dir
	Width   string // SystemVerilog expression; "" or "1" is a single bit
	Bits    int    // the width under this configuration
	Group   string // heading in the header and the table: "ACK event"
	Format  string // number format or encoding: "unsigned, ns", "0 cached, 1 frozen reuse, ..."
	Timing  string // handshake and latency: "sampled with s_ack_valid", "SEND + 6 cycles"
	Meaning string
}

// File is one text that a unit consists of.
type File struct {
	Name string // base name; slash-separated if it lives in a folder
	Text string
}

// Config is one configuration of one unit. A new unit implements it in gen/<unit> and is added to
// the registry; nothing else changes.
type Config interface {
	// Unit returns the one name of the unit, the same in every folder: "reps".
	Unit() string
	// Title returns a one-line description.
	Title() string
	// Paper cites the source.
	Paper() string
	// Fields returns the parameter table, bound to this configuration.
	Fields() []Field
	// Check applies the rules that concern several fields. It is called only
	// when every field is in its own range.
	Check() []Problem
	// Top returns the name of the top module.
	Top() string
	// Ports lists the top module's ports in order.
	Ports() []Port
	// Latency returns the number of cycles from an accepted request to its result,
	// by name: {"SEND to EV": 6}.
	Latency() map[string]int
	// Files returns the SystemVerilog in compile order, the top last. The texts do not include the
	// generated mark, which the emitter writes.
	Files() ([]File, error)
}

// Noted is a Config whose interface page has an additional section.
type Noted interface {
	Config
	// Notes returns that part, in Markdown.
	Notes() string
}

// State is one field of the state that a unit keeps for each connection.
type State struct {
	Name     string   // as in the SystemVerilog text: "acks"
	Bits     int      // for one connection, under this configuration
	Memories []string // the memories that hold a copy of it, by instance path: "ack_to_send"
	Meaning  string   // one sentence, with the paper's name for it
}

// Stateful is a Config that lists its state for each connection.
type Stateful interface {
	Config
	State() []State
}

// Composite is a Config whose unit is made of other units.
type Composite interface {
	Config
	// Apart returns the names of the other units' modules. Each instance is a separate part with
	// registers at its ends and is best mapped separately.
	Apart() []string
}

// Apart returns the names of cfg's separately mapped modules, or nil if cfg is not a Composite.
func Apart(cfg Config) []string {
	if c, ok := cfg.(Composite); ok {
		return c.Apart()
	}
	return nil
}

// Scanned is a Config whose RTL compares its timers with the time one by one, without an event.
type Scanned interface {
	Config
	// ScanPass returns the number of cycles in which it is at each entry.
	ScanPass() int64
}

// Driven is a Config whose run-time settings do not correspond to their ports one to one: a setting
// drives several ports, or a port has another unit or format.
type Driven interface {
	Config
	// PortValues returns the value of each cfg_ port under the configuration. It may
	// name ports that this configuration does not have.
	PortValues() map[string]uint64
}
