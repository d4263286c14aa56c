// SPDX-License-Identifier: Apache-2.0

// Package dcsimport generates the egress port of DCSIM, for switches and NICs: four queues in
// strict priority, a token bucket for SIMs, and the time that each frame takes on the line.
//
// Source: Straussman et al., "Simulate Before Sending: Rethinking Transport in Datacenter
// Networks", NINeS 2026. docs/units/dcsim_port.md describes the unit.
package dcsimport

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/dcsim"
	"github.com/nicgen/nicgen/gen/sv"
)

// Latency is the number of cycles from a descriptor to its offer, if the line is free.
const Latency = 4

// Widths of ports.
const (
	ClassBits    = 3  // of a class that comes in; those above 3 are illegal
	LengthBits   = 14 // of a length in bytes
	QueueBits    = 6  // of the depth of a small queue
	GapBits      = 8  // of the bytes between two frames
	RateBits     = 11 // of the line rate in bytes a clock, before the point
	FractionBits = 12 // fraction bits
)

// SmallQueues is the number of queues for small packets.
const SmallQueues = 3

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Descriptors int64
	QueueDepth  int64
	TagBits     int64
	MaxBytes    int64
	ByteBits    int64
	Bucket      int64
	TokenBits   int64
	CounterBits int64

	ClockHz     int64
	RateGbps    int64
	PacketBytes int64
	ProbeBytes  int64
	GapBytes    int64
	Queue       int64
	DataPackets int64
	DataBytes   int64
}

// Default returns a configuration for 100 Gb/s and 322 MHz, with packets of 1,500 bytes and a
// buffer of 500 KB.
func Default() *Params {
	return &Params{
		Descriptors: 512, QueueDepth: 32, TagBits: 16, MaxBytes: 9216, ByteBits: 20, Bucket: 2, TokenBits: 24, CounterBits: 32,
		ClockHz: 322_265_625, RateGbps: 100, PacketBytes: 1500, ProbeBytes: 64, GapBytes: 20, Queue: 12, DataPackets: 416, DataBytes: 500_000,
	}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	d := Default()
	return []gen.Field{
		{Key: "descriptors", Group: structure, Unit: "descriptors", Int: &p.Descriptors, Min: 16, Max: 4096, PowerOfTwo: true, Flag: true,
			Doc:  "Rows of the memory of descriptors: three small queues, and the DATA queue in the rest.",
			Cost: "memory: descriptors × (14 + tag_bits); LUTRAM up to 64, block RAM above",
			Ref:  "DCSIM §2.3"},
		{Key: "queue_depth", Group: structure, Unit: "packets", Int: &p.QueueDepth, Min: 2, Max: 32, PowerOfTwo: true,
			Auto: gen.AtMost(d.QueueDepth, func() int64 { return p.Descriptors / 4 }, "descriptors"),
			Doc:  "Rows of each small queue: the largest B.",
			Cost: "memory; 10 FF a bit of log₂",
			Ref:  "DCSIM §2.3: B = 12"},
		{Key: "tag_bits", Group: structure, Unit: "bits", Int: &p.TagBits, Min: 1, Max: 32, Flag: true,
			Doc:  "Width of the tag by which the surroundings know a frame, such as its place in the buffer.",
			Cost: "memory; 3 FF a bit",
			Ref:  "nicgen"},
		{Key: "max_bytes", Group: structure, Unit: "bytes", Int: &p.MaxBytes, Min: 64, Max: 16_000,
			Doc:  "The longest frame; longer ones are illegal and counted.",
			Cost: "none",
			Ref:  "nicgen"},
		{Key: "byte_bits", Group: structure, Unit: "bits", Int: &p.ByteBits, Min: 14, Max: 28, Flag: true,
			Doc:  "Width of the bytes in the DATA queue.",
			Cost: "4 LUT and 3 FF a bit",
			Ref:  "nicgen"},
		{Key: "bucket", Group: structure, Unit: "tokens", Int: &p.Bucket, Min: 1, Max: 2, Flag: true,
			Doc:  "Size of the token bucket. With 1 up to half of the SIM rate is lost.",
			Cost: "none",
			Ref:  "DCSIM Theorem 3: 2"},
		{Key: "token_bits", Group: structure, Unit: "bits", Int: &p.TokenBits, Min: 8, Max: 48, Flag: true,
			Auto: gen.AtLeast(d.TokenBits, p.leastTokenBits, "clock_hz", "rate_gbps", "packet_bytes", "probe_bytes", "gap_bytes"),
			Doc:  "Width of the settings of the token bucket, whose ratio is its rate.",
			Cost: "4 LUT and 3 FF a bit",
			Ref:  "DCSIM Eq. 2"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "5 × counter_bits FF and carry bits",
			Ref:  "nicgen"},

		{Key: "clock_hz", Group: runtime, Unit: "Hz", Int: &p.ClockHz, Min: 50_000_000, Max: 1_000_000_000, Flag: true, Runtime: true, Port: "cfg_token_cost",
			Doc: "Clock of the unit: no port has it, all settings are made with it.",
			Ref: "nicgen"},
		{Key: "rate_gbps", Group: runtime, Unit: "Gb/s", Int: &p.RateGbps, Min: 10, Max: 800, Flag: true, Runtime: true, Port: "cfg_line_rate",
			Doc: "C: the rate of the line.",
			Ref: "DCSIM §2.3"},
		{Key: "packet_bytes", Group: runtime, Unit: "bytes", Int: &p.PacketBytes, Min: 256, Max: 9216, Flag: true, Runtime: true, Port: "cfg_token_cost",
			Doc: "L: length of a DATA, for the rate of SIMs.",
			Ref: "DCSIM §2.3"},
		{Key: "probe_bytes", Group: runtime, Unit: "bytes", Int: &p.ProbeBytes, Min: 64, Max: 256, Flag: true, Runtime: true, Port: "cfg_token_cost",
			Doc: "ℓ: length of a SIM, SIM-ACK or DATA-ACK, for the rate of SIMs.",
			Ref: "DCSIM §2.3"},
		{Key: "gap_bytes", Group: runtime, Unit: "bytes", Int: &p.GapBytes, Min: 0, Max: 1<<GapBits - 1, Flag: true, Runtime: true, Port: "cfg_gap",
			Doc: "What a frame takes on the line beside its length: preamble and gap of Ethernet.",
			Ref: "IEEE 802.3: 20; DCSIM: 0"},
		{Key: "queue", Group: runtime, Unit: "packets", Int: &p.Queue, Min: 1, Max: 32, Flag: true, Runtime: true, Port: "cfg_queue",
			Doc: "B: the most packets in each small queue; above queue_depth as queue_depth.",
			Ref: "DCSIM §2.3: 12"},
		{Key: "data_packets", Group: runtime, Unit: "packets", Int: &p.DataPackets, Min: 1, Max: 4090, Flag: true, Runtime: true, Port: "cfg_data_packets",
			Doc: "B_DATA: the most packets in the DATA queue; above descriptors − 3 queue_depth as these. The paper loses nothing from 2B on.",
			Ref: "DCSIM Eq. 6"},
		{Key: "data_bytes", Group: runtime, Unit: "bytes", Int: &p.DataBytes, Min: 64, Max: 1<<28 - 1, Flag: true, Runtime: true, Port: "cfg_data_bytes",
			Doc: "The most bytes in the DATA queue; from 2^byte_bits on one less than that.",
			Ref: "DCSIM §4: 500 KB"},
	}
}

// Network has the properties of the network from which the rate of SIMs is derived.
func (p *Params) Network() dcsim.Network {
	return dcsim.Network{RateGbps: p.RateGbps, PacketBytes: p.PacketBytes, ProbeBytes: p.ProbeBytes, GapBytes: p.GapBytes}
}

// LineRate returns the rate of the line in bytes per clock with FractionBits fraction bits, rounded
// down: the port is never faster than the line.
func (p *Params) LineRate() int64 {
	r := new(big.Int).Mul(big.NewInt(p.RateGbps*125_000_000), big.NewInt(1<<FractionBits))
	return r.Quo(r, big.NewInt(p.ClockHz)).Int64()
}

// PortValues implements gen.Driven: the settings in the formats of the ports.
func (p *Params) PortValues() map[string]uint64 {
	gain, cost := p.Network().Token(p.ClockHz)
	return map[string]uint64{
		"cfg_token_gain": uint64(gain), "cfg_token_cost": uint64(cost), "cfg_line_rate": uint64(p.LineRate()), "cfg_gap": uint64(p.GapBytes),
		"cfg_queue": uint64(p.Queue), "cfg_data_packets": uint64(min(p.DataPackets, p.DataRows())), "cfg_data_bytes": uint64(min(p.DataBytes, 1<<p.ByteBits-1)),
	}
}

// leastTokenBits returns the width of the settings of the token bucket.
func (p *Params) leastTokenBits() int64 {
	gain, cost := p.Network().Token(p.ClockHz)
	return int64(bits.Len64(uint64(max(gain, cost))))
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string, args ...any) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: fmt.Sprintf(allowed, args...)})
	}
	if most := p.Descriptors / 4; p.QueueDepth > most {
		add("queue_depth", p.QueueDepth, "at most %d with descriptors %d", most, p.Descriptors)
		return out
	}
	v := p.PortValues()
	gain, cost := v["cfg_token_gain"], v["cfg_token_cost"]
	if max(gain, cost) >= 1<<p.TokenBits {
		add("token_bits", p.TokenBits, "enough for %d tokens in %d clocks", gain, cost)
	}
	if gain > cost {
		add("clock_hz", p.ClockHz, "at least one clock for each token, of which there are %d in %d clocks", gain, cost)
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "dcsim_port" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "DCSIM egress port: four queues in strict priority, SIMs at the rate of a token bucket"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Straussman et al., Simulate Before Sending, NINeS 2026, §2.3, Theorems 1 and 3"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_dcsim_port" }

// DataRows returns the number of rows of the DATA queue.
func (p *Params) DataRows() int64 { return p.Descriptors - SmallQueues*p.QueueDepth }

// MostLate returns the number of clocks by which a busy line may be late if the following frames make up
// for it: a power of two above the two clocks that each frame of full small queues needs.
func (p *Params) MostLate() int64 { return 8 * p.QueueDepth }

// RowBits returns the number of bits of a row's address, and of a count of packets in the DATA queue.
func (p *Params) RowBits() int { return sv.CLog2(p.Descriptors) }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"descriptor to offer": Latency, "descriptor to drop": 3}
}

// Classes are the kinds of packets, by class; a lower one goes first.
var Classes = []string{"sim", "sim_ack", "data_ack", "data"}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"sim_drop", "sim_ack_drop", "data_ack_drop", "data_drop", "illegal"}
