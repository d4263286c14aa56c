// SPDX-License-Identifier: Apache-2.0

// Package nicqueue generates the packet queues of a NIC: one queue for each connection, all in
// one shared buffer, at 512 bits a cycle.
//
// docs/units/nic_queue.md describes the unit.
package nicqueue

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Sizes that the design fixes.
const (
	DataBits   = 512 // of a beat
	KeepBits   = DataBits / 8
	CellBytes  = 2 * KeepBits // of a cell: two beats
	BytesBits  = 14           // of a packet's length
	TagsBits   = 2
	BudgetBits = 24
	SumBits    = 24 // of the bytes of a visit
	CountBits  = 16 // of its packets
	ShimBits   = 6
	ReasonBits = 3
	BeatsBits  = 8

	Pops    = 4  // that wait for their turn
	Visits  = 8  // under way at most
	Bells   = 16 // connections whose cells may have crossed a threshold
	Look    = 5  // cycles of a flow control check of a connection
	ToCell  = 3  // cycles from a beat to its cell, and to the verdict on its packet
	ToStore = 5  // cycles from a beat to the state of its queue
	ToWalk  = 8  // cycles from a pop to the first read of its cells
)

// Reasons for which a packet is not stored, in the order of their weight.
const (
	Stored = iota
	Unknown
	Bad
	Long
	Full
	Quota
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	KiB          int64
	Connections  int64
	ConnBits     int64
	MetaBits     int64
	MaxFrame     int64
	BufferMemory string
	MetaMemory   string
	RAMLatency   int64
	CounterBits  int64

	Quota   int64
	Xoff    int64
	Xon     int64
	FreeOff int64
	FreeOn  int64
	Shim    int64
}

// Default returns queues for 256 connections in 1 MiB.
func Default() *Params {
	return &Params{
		KiB: 1024, Connections: 256, ConnBits: 16, MetaBits: 48, MaxFrame: 9262, BufferMemory: gen.Auto, MetaMemory: gen.Auto, RAMLatency: 3, CounterBits: 32,
		Quota: 256, Xoff: 128, Xon: 64, FreeOff: 128, FreeOn: 256,
	}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// mostCells is the number of cells in the largest buffer.
const mostCells = 4096 * 1024 / CellBytes

// mostMetaBits is the largest number of bits that go with a packet in addition to its bytes.
const mostMetaBits = 256

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	d := Default()
	return []gen.Field{
		{Key: "kib", Group: structure, Unit: "KiB", Int: &p.KiB, Min: 64, Max: 4096, PowerOfTwo: true, Flag: true,
			Doc:  "Buffer that all connections share: 8 cells of 128 bytes in each KiB.",
			Cost: "1 MiB: 29 URAM and 13 RAMB36, and those of meta; smaller and larger ones in proportion",
			Ref:  "nicgen"},
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 16384, Flag: true,
			Doc:  "Connections, each with a queue.",
			Cost: "10 memories of 1 to 32 bits a connection; above 64 connections block RAM, a RAMB18 each at least",
			Ref:  "nicgen"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers from connections upwards are illegal and counted.",
			Cost: "about 6 FF a bit",
			Ref:  "nicgen"},
		{Key: "meta_bits", Group: structure, Unit: "bits", Int: &p.MetaBits, Min: 1, Max: mostMetaBits, Flag: true, SV: "META_BITS",
			Doc:  "Width of what goes with a packet beside its bytes.",
			Cost: "memory: 8 × kib × bits; 6 FF a bit",
			Ref:  "nicgen"},
		{Key: "max_frame", Group: structure, Unit: "bytes", Int: &p.MaxFrame, Min: 64, Max: 16320, Flag: true, SV: "MAX_FRAME",
			Doc:  "The longest packet, from the Ethernet header on, without FCS; longer ones are dropped.",
			Cost: "none",
			Ref:  "IEEE 802.3; jumbo frames of 9,214 bytes, and 48 of a shim"},
		{Key: "buffer_memory", Group: structure, Enum: &p.BufferMemory, Choices: []string{gen.Auto, gen.BRAM, gen.URAM}, Flag: true,
			Doc:  "Memory for packets; auto: block RAM up to 128 KiB, UltraRAM above.",
			Cost: "block RAM: 15 RAMB36 for each 64 KiB; UltraRAM: 8 at least, 29 for 1 MiB",
			Ref:  "nicgen"},
		{Key: "meta_memory", Group: structure, Enum: &p.MetaMemory, Choices: []string{gen.Auto, gen.BRAM, gen.URAM}, Flag: true,
			Doc:  "Memory for what goes with a packet; auto: block RAM up to 48 bits or if packets are there, UltraRAM else.",
			Cost: "1 MiB: 1 RAMB36 for each 4 bits, or 2 URAM for each 72",
			Ref:  "nicgen"},
		{Key: "ram_latency", Group: structure, Unit: "cycles", Int: &p.RAMLatency, Min: 1, Max: 8, Flag: true, SV: "RAM_LATENCY",
			Doc:  "Cycles from an address to its beat in the memory for packets: more of them leave more registers to a large memory.",
			Cost: "1: the memory's own register. Vivado has the others in the RAMs, Yosys as FF: one for each bit of a beat and of meta",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: fmt.Sprintf("%d × counter_bits FF and carry bits", len(CounterNames)),
			Ref:  "nicgen"},

		{Key: "quota", Group: runtime, Unit: "cells", Int: &p.Quota, Min: 0, Max: mostCells, Flag: true, Runtime: true, Port: "cfg_quota",
			Doc: "The most cells of a connection.",
			Ref: "nicgen"},
		{Key: "xoff", Group: runtime, Unit: "cells", Int: &p.Xoff, Min: 0, Max: mostCells, Flag: true, Runtime: true, Port: "cfg_xoff",
			Doc: "Cells of a connection from which on it is told to stop.",
			Ref: "nicgen"},
		{Key: "xon", Group: runtime, Unit: "cells", Int: &p.Xon, Min: 0, Max: mostCells - 1, Flag: true, Runtime: true, Port: "cfg_xon",
			Auto: gen.AtMost(d.Xon, func() int64 { return min(p.Xoff-1, p.Cells()) }, "xoff", "kib"),
			Doc:  "Cells of a connection down to which it is told to go on; below xoff.",
			Ref:  "nicgen"},
		{Key: "free_off", Group: runtime, Unit: "cells", Int: &p.FreeOff, Min: 0, Max: mostCells, Flag: true, Runtime: true, Port: "cfg_free_off",
			Doc: "Free cells below which all connections should stop.",
			Ref: "nicgen"},
		{Key: "free_on", Group: runtime, Unit: "cells", Int: &p.FreeOn, Min: 0, Max: mostCells, Flag: true, Runtime: true, Port: "cfg_free_on",
			Auto: gen.AtLeast(d.FreeOn, func() int64 { return min(p.FreeOff, p.Cells()) }, "free_off"),
			Doc:  "Free cells from which on they may go on; not below free_off.",
			Ref:  "nicgen"},
		{Key: "shim", Group: runtime, Unit: "bytes", Int: &p.Shim, Min: 0, Max: 1<<ShimBits - 1, Flag: true, Runtime: true, Port: "cfg_shim",
			Doc: "Bytes that are added to each packet behind the queues: they count on the wire.",
			Ref: "nicgen"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	if need := int64(sv.CLog2(p.Connections)); p.ConnBits < need {
		out = append(out, gen.Problem{Key: "conn_bits", Found: fmt.Sprint(p.ConnBits), Allowed: fmt.Sprintf("at least %d for connections %d", need, p.Connections)})
	}
	for _, x := range []struct {
		key string
		v   int64
	}{{"quota", p.Quota}, {"xoff", p.Xoff}, {"xon", p.Xon}, {"free_off", p.FreeOff}, {"free_on", p.FreeOn}} {
		if x.v > p.Cells() {
			out = append(out, gen.Problem{Key: x.key, Found: fmt.Sprint(x.v), Allowed: fmt.Sprintf("at most the %d cells of kib %d", p.Cells(), p.KiB)})
		}
	}
	if p.Xon >= p.Xoff && p.Xoff > 0 {
		out = append(out, gen.Problem{Key: "xon", Found: fmt.Sprint(p.Xon), Allowed: fmt.Sprintf("below xoff %d", p.Xoff)})
	}
	if p.FreeOn < min(p.FreeOff, p.Cells()) {
		out = append(out, gen.Problem{Key: "free_on", Found: fmt.Sprint(p.FreeOn), Allowed: fmt.Sprintf("at least free_off %d", p.FreeOff)})
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "nic_queue" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "Packet queues of a NIC: one a connection, in one shared buffer"
}

// Paper implements gen.Config.
func (p *Params) Paper() string { return "nicgen" }

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_queue" }

// Cells returns the number of cells.
func (p *Params) Cells() int64 { return p.KiB * 1024 / CellBytes }

// CellIdxBits returns the number of bits of a cell's number.
func (p *Params) CellIdxBits() int { return sv.CLog2(p.Cells()) }

// ConnIdxBits returns the number of bits that address a connection, at least 1.
func (p *Params) ConnIdxBits() int { return sv.IdxW(p.Connections) }

// ReadyDelay returns the number of cycles from a reset to sts_ready.
func (p *Params) ReadyDelay() int64 { return p.Connections + 1 }

// ReadLatency returns the number of cycles from the read of a beat to the output.
func (p *Params) ReadLatency() int64 { return p.RAMLatency + 2 }

// MaxBeats returns the number of beats of the longest packet.
func (p *Params) MaxBeats() int64 { return (p.MaxFrame + KeepBits - 1) / KeepBits }

// Overrun returns the most beats that come after m_axis_ready fell.
func (p *Params) Overrun() int64 { return p.MaxBeats() + p.ReadLatency() }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"last beat to m_enter": ToStore + 1, "pop to the first beat": ToWalk + int(p.ReadLatency())}
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"stored", "unknown", "bad", "long", "full", "quota", "not_ready", "sent", "discarded", "empty", "pop_unknown"}
