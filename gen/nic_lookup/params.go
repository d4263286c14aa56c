// SPDX-License-Identifier: Apache-2.0

// Package niclookup generates the connection lookup of a NIC: two exact searches per cycle in one
// table of several ways, which software fills.
//
// docs/units/nic_lookup.md describes the unit.
package niclookup

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Sizes that the design fixes.
const (
	WayBits = 2  // of the port that names a way
	RowBits = 16 // of the port that names a row
	MaxWays = 4

	// ReadStage is the number of cycles from a search to the cycle in which it reads the table.
	ReadStage = 3
	// afterMemory is the number of cycles of a search in addition to the memory's.
	afterMemory = 7
	// rowsInBRAM is the largest number of rows for which the table lives in block RAM under Auto.
	rowsInBRAM = 2048
	// ultraRows is the depth of the device's ultra RAM.
	ultraRows = 4096
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	KeyBits     int64
	Ways        int64
	Rows        int64
	Connections int64
	ConnBits    int64
	HashSeed    int64
	TableMemory string
	CounterBits int64
}

// Default returns a table of 4,096 places for RoCEv2 over IPv4 and IPv6.
func Default() *Params {
	return &Params{KeyBits: 153, Ways: 4, Rows: 1024, Connections: 4096, ConnBits: 16, HashSeed: 1, TableMemory: gen.Auto, CounterBits: 32}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

const structure = "Structure"

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	return []gen.Field{
		{Key: "key_bits", Group: structure, Unit: "bits", Int: &p.KeyBits, Min: 16, Max: 320, Flag: true,
			Doc:  "Width of a key: 56 for an IPv4 address and a QP, 153 for either address and a QP.",
			Cost: "memory: ways × rows × key_bits; about 5 LUT and 1 of LUT RAM a bit for both searches",
			Ref:  "nicgen"},
		{Key: "ways", Group: structure, Unit: "ways", Int: &p.Ways, Min: 2, Max: MaxWays, Flag: true,
			Doc:  "Memories, and places that a key may have. With four 0.97 of all places can be filled, with two about half.",
			Cost: "memory: ways × rows × key_bits; about key_bits / 3 LUT a way and search",
			Ref:  "Fotakis et al., Space Efficient Hash Tables with Worst Case Constant Access Time, 2005"},
		{Key: "rows", Group: structure, Unit: "rows", Int: &p.Rows, Min: 256, Max: 16384, PowerOfTwo: true, Flag: true,
			Doc:  "Places of a way.",
			Cost: "memory: ways × rows × key_bits; the sweep after reset takes a cycle a row",
			Ref:  "nicgen"},
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connection numbers that an entry may have. There may be more or fewer than places.",
			Cost: "1 bit of an entry for each doubling",
			Ref:  "nicgen"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers from connections upwards are illegal and counted.",
			Cost: "about 1 FF a bit",
			Ref:  "nicgen"},
		{Key: "hash_seed", Group: structure, Int: &p.HashSeed, Min: 0, Max: 1<<31 - 1, Flag: true,
			Doc:  "What the constants of the hash functions follow from.",
			Cost: "none",
			Ref:  "Carter and Wegman, Universal Classes of Hash Functions, 1979: H3"},
		{Key: "table_memory", Group: structure, Enum: &p.TableMemory, Choices: []string{gen.Auto, gen.BRAM, gen.URAM}, Flag: true,
			Doc:  "Memory for the table; auto: block RAM up to 2,048 rows, ultra RAM above.",
			Cost: "block RAM: 1 RAMB36 for each 36,864 bits of a way, 1,024 rows at least; ultra RAM: 1 for each 72 bits and 4,096 rows of a way",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "11 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	if need := int64(sv.CLog2(p.Connections)); p.ConnBits < need {
		out = append(out, gen.Problem{Key: "conn_bits", Found: fmt.Sprint(p.ConnBits),
			Allowed: fmt.Sprintf("at least %d for connections %d", need, p.Connections)})
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_lookup" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "Search of connections: two exact searches a cycle in one table"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Carter and Wegman 1979 (H3 hashing); Pagh and Rodler 2004, Fotakis et al. 2005 (cuckoo hashing)"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_lookup" }

// Memory returns the memory of the table.
func (p *Params) Memory() string { return gen.MemoryFor(p.TableMemory, p.Rows, 0, rowsInBRAM) }

// MemoryLatency returns the number of cycles from a row's number to its entry. Block RAM is read
// without its output register. UltraRAM has one and, in a column of several, one more for each
// except the first.
func (p *Params) MemoryLatency() int {
	if p.Memory() == gen.BRAM {
		return 1
	}
	return 1 + int(max(1, p.Rows/ultraRows))
}

// SearchLatency returns the number of cycles from a search to its answer.
func (p *Params) SearchLatency() int { return afterMemory + p.MemoryLatency() }

// WriteLatency returns the number of cycles from an operation on the table to its answer, if port B is
// free.
func (p *Params) WriteLatency() int { return p.SearchLatency() - 1 }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"search to answer": p.SearchLatency(), "operation to answer, without waiting": p.WriteLatency()}
}
