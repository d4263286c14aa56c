// SPDX-License-Identifier: Apache-2.0

// Package dcsimresponder generates the receiving host of DCSIM: SIM-ACKs, and DATA-ACKs that
// name the DATAs that arrived.
//
// Source: Straussman et al., "Simulate Before Sending: Rethinking Transport in Datacenter
// Networks", NINeS 2026, §2.4 ③ and ⑤. docs/units/dcsim_responder.md describes the unit.
package dcsimresponder

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Classes of packets, in the order of their priority in the network.
const (
	SIM = iota
	SIMAck
	DataAck
	Data
)

// Constants of the design.
const (
	MostTags   = 16 // in a DATA-ACK
	Bells      = 32 // flows with enough DATAs that wait for a visit
	OutWords   = 16 // tags that wait to leave
	RingBells  = 8  // numbers of waiting DATAs, starting at every, at which a bell rings
	Ticks      = 8  // from a flow's stamp to the end of its time
	StampBits  = 5  // of the count of ticks
	LapTicks   = 7  // largest advance of the count in a lap of the scan
	RestAge    = 16 // of the stamp of the remainder above MostTags: half of the count's range
	GrainBits  = 4  // a tick is a multiple of 2^GrainBits clocks
	simLatency = 4  // from a SIM to its SIM-ACK
)

// Widths of ports.
const (
	ClassBits = 2
	BytesBits = 14
	EveryBits = 4
	LeftBits  = 4
	TickBits  = 13
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Flows       int64
	FlowBits    int64
	PortBits    int64
	TagBits     int64
	Places      int64
	SIMAcks     int64
	ProbeBytes  int64
	RAMLatency  int64
	CounterBits int64

	ClockHz      int64
	DataAckEvery int64
	DataAckNS    int64
	PacketBytes  int64
}

// Default returns a configuration for 256 flows, with packets of 1,500 bytes.
func Default() *Params {
	return &Params{
		Flows: 256, FlowBits: 16, PortBits: 14, TagBits: 16, Places: 32, SIMAcks: 32, ProbeBytes: 64, RAMLatency: 1, CounterBits: 32,
		ClockHz: 322_265_625, DataAckEvery: 16, DataAckNS: 23_400, PacketBytes: 1500,
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
		{Key: "flows", Group: structure, Unit: "flows", Int: &p.Flows, Min: 1, Max: 1024, Flag: true,
			Doc:  "Flows, each from one source, with DATAs to be acknowledged.",
			Cost: "memory: flows × places × tag_bits, and 5 RAMB18 above 64 flows",
			Ref:  "DCSIM §2.4"},
		{Key: "flow_bits", Group: structure, Unit: "bits", Int: &p.FlowBits, Min: 1, Max: 24, SV: "FLOW_BITS",
			Doc:  "Width of the flow ports; numbers from flows upwards are illegal and counted.",
			Cost: "about 1 LUT in 4 bits",
			Ref:  "nicgen"},
		{Key: "port_bits", Group: structure, Unit: "bits", Int: &p.PortBits, Min: 8, Max: 16, SV: "PORT_BITS",
			Doc:  "Width of the source port that a SIM-ACK returns.",
			Cost: "LUTRAM: sim_acks × bits; 4 FF a bit",
			Ref:  "DCSIM §2.4 ③; as dcsim_source"},
		{Key: "tag_bits", Group: structure, Unit: "bits", Int: &p.TagBits, Min: 4, Max: 16, SV: "TAG_BITS",
			Doc:  "Width of the tag of a DATA.",
			Cost: "memory: flows × places × bits; 6 FF a bit",
			Ref:  "as dcsim_source"},
		{Key: "places", Group: structure, Unit: "tags", Int: &p.Places, Min: 32, Max: 128, PowerOfTwo: true, Flag: true,
			Doc:  "DATAs of one flow that may wait for their DATA-ACK to leave; others are not recorded, and counted.",
			Cost: "memory: flows × places × tag_bits; about 10 LUT for each doubling",
			Ref:  "nicgen"},
		{Key: "sim_acks", Group: structure, Unit: "packets", Int: &p.SIMAcks, Min: 2, Max: 64, PowerOfTwo: true, Flag: true,
			Doc:  "SIM-ACKs that wait to leave, beside the one that is offered; for others SIMs there is none, and it is counted.",
			Cost: "LUTRAM: 1 LUT for each 2 bits up to 32",
			Ref:  "DCSIM §2.3: B"},
		{Key: "probe_bytes", Group: structure, Unit: "bytes", Int: &p.ProbeBytes, Min: 64, Max: 256, Flag: true, SV: "PROBE_BYTES",
			Doc:  "ℓ: the longest SIM.",
			Cost: "about 3 LUT",
			Ref:  "DCSIM §2.3"},
		{Key: "ram_latency", Group: structure, Unit: "cycles", Int: &p.RAMLatency, Min: 1, Max: 2, Flag: true, SV: "RAM_LATENCY",
			Doc:  "Cycles from an address to its word in the memories; with 2, block RAMs use their output registers.",
			Cost: "2: about 60 LUT and 200 FF, and a visit takes 3 cycles instead of 2",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: fmt.Sprintf("%d × counter_bits FF and carry bits", len(CounterNames)),
			Ref:  "nicgen"},

		{Key: "clock_hz", Group: runtime, Unit: "Hz", Int: &p.ClockHz, Min: 50_000_000, Max: 1_000_000_000, Flag: true, Runtime: true, Port: "cfg_tick",
			Doc: "Clock of the unit: no port has it, cfg_tick is made with it.",
			Ref: "nicgen"},
		{Key: "data_ack_every", Group: runtime, Unit: "packets", Int: &p.DataAckEvery, Min: 1, Max: MostTags, Flag: true, Runtime: true, Port: "cfg_every",
			Doc: "DATAs for which there is a DATA-ACK.",
			Ref: "DCSIM §2.4 ⑤: e.g. 16"},
		{Key: "data_ack_ns", Group: runtime, Unit: "ns", Int: &p.DataAckNS, Min: 2560, Max: 1_000_000, Flag: true, Runtime: true, Port: "cfg_tick",
			Auto: gen.AtLeast(d.DataAckNS, p.LeastDataAckNS, "flows", "ram_latency", "clock_hz"),
			Doc:  "The most that a DATA waits for its DATA-ACK if there are fewer, with a lap of the scan: below the source's DATA timeout, less what network and queues take.",
			Ref:  "DCSIM §2.4 ⑤: e.g. 3 propagation RTTs"},
		{Key: "packet_bytes", Group: runtime, Unit: "bytes", Int: &p.PacketBytes, Min: 256, Max: 9216, Flag: true, Runtime: true, Port: "cfg_data_bytes",
			Doc: "L: the longest DATA.",
			Ref: "DCSIM §2.3"},
	}
}

// Lap returns the number of cycles in which the scan visits all flows, unless a bell or a waiting
// DATA-ACK delays it.
func (p *Params) Lap() int64 { return p.Flows * p.Slot() }

// ticked returns the part of a number of clocks that is available for ticks: a DATA-ACK reaches the
// port at the latest a lap and its latency after the last tick.
func (p *Params) ticked(clocks int64) int64 {
	_, latency := p.DataAckLatency()
	return clocks - p.Lap() - latency
}

// Tick returns the time of a tick in 16 clocks: the largest tick for which a DATA-ACK reaches the
// port within data_ack_ns.
func (p *Params) Tick() int64 {
	return p.ticked(p.DataAckNS*p.ClockHz/1_000_000_000) / Ticks >> GrainBits
}

// LeastDataAckNS returns the smallest data_ack_ns for which all ticks of a lap count.
func (p *Params) LeastDataAckNS() int64 {
	tick := max(1, (p.Lap()+LapTicks<<GrainBits-1)/(LapTicks<<GrainBits)) // 7 of them are a lap
	clocks := tick<<GrainBits*Ticks - p.ticked(0)
	return (clocks*1_000_000_000 + p.ClockHz - 1) / p.ClockHz
}

// PortValues implements gen.Driven: the settings in the formats of the ports.
func (p *Params) PortValues() map[string]uint64 {
	return map[string]uint64{
		"cfg_every": uint64(p.DataAckEvery - 1), "cfg_tick": uint64(p.Tick() - 1),
		"cfg_data_bytes": uint64(p.PacketBytes),
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	if need := int64(sv.CLog2(p.Flows)); p.FlowBits < need {
		out = append(out, gen.Problem{Key: "flow_bits", Found: fmt.Sprint(p.FlowBits), Allowed: fmt.Sprintf("at least %d for flows %d", need, p.Flows)})
	}
	if least := p.LeastDataAckNS(); p.DataAckNS < least {
		out = append(out, gen.Problem{Key: "data_ack_ns", Found: fmt.Sprint(p.DataAckNS),
			Allowed: fmt.Sprintf("at least %d for flows %d with ram_latency %d and clock_hz %d: the scan looks at each flow once in %d cycles; "+
				"fewer flows, ram_latency 1 or a faster clock allow less", least, p.Flows, p.RAMLatency, p.ClockHz, p.Lap())})
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "dcsim_responder" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "DCSIM receiving host: answers to SIMs, and selective acknowledgements of DATAs"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Straussman et al., Simulate Before Sending, NINeS 2026, §2.4 ③ and ⑤"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_dcsim_responder" }

// FlowIdxBits returns the number of bits that address a flow, at least 1.
func (p *Params) FlowIdxBits() int { return sv.IdxW(p.Flows) }

// Slot returns the number of cycles of a visit.
func (p *Params) Slot() int64 { return p.RAMLatency + 1 }

// ReadyDelay returns the number of cycles from a reset to sts_ready.
func (p *Params) ReadyDelay() int64 { return (p.Flows+3)*p.Slot() + 2 }

// DataAckLatency returns the least and the largest number of cycles from the last DATA of a
// DATA-ACK to its first tag, if no other DATA-ACK or bell precedes it.
func (p *Params) DataAckLatency() (least, most int64) {
	least = 9 + 3*p.RAMLatency
	return least, least + p.RAMLatency
}

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	least, _ := p.DataAckLatency()
	return map[string]int{"SIM to SIM-ACK": simLatency, "DATA to the DATA-ACK that it completes, at least": int(least)}
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"sim", "sim_missed", "data", "data_missed", "data_ack", "data_ack_timed", "acked",
	"bad_class", "bad_flow", "bad_length", "not_ready"}
