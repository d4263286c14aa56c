// SPDX-License-Identifier: Apache-2.0

// Package lapsloss generates the loss detector of LAPS: for each path a ring of the segments sent
// on it and not acknowledged, in which an ACK that skips some reveals lost ones, and a timer.
//
// Source: Wan et al., "LAPS: Latency Aware Packet Spraying", §III-G, Algorithm 3.
// docs/units/laps_loss.md describes the unit.
package lapsloss

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Delays that are the same in every configuration, in cycles.
const (
	SeesSend    = 1 // from an ACK that enters the barrel without waiting to the last send whose segment it sees
	EntryDelay  = 4 // from an ACK, or from the end of a pass that returns others, to stage 0 of the barrel
	AnswerDelay = 1 // from the end of a pass to its result: an answer, a lost segment
	CountDelay  = 2 // from the end of a pass to its counters, one more than to the answer to a send; also from a dropped send to its counter
)

// Slots returns the number of slots in the barrel and of cycles in a pass. Each slot holds an ACK or the
// check of a timer.
func (p *Params) Slots() int { return int(p.RAMLatency+p.RingLatency) + 4 }

// SendWrite returns the number of cycles from a send to the write of its tail.
func (p *Params) SendWrite() int { return int(p.RAMLatency) + 2 }

// SendLatency returns the number of cycles from a send to its answer.
func (p *Params) SendLatency() int { return p.SendWrite() + 1 }

// ScanCycles returns the number of cycles from the read of one timer to the next.
func (p *Params) ScanCycles() int { return int(p.RAMLatency) + 5 }

// ReturnDelay returns the number of cycles from the answer to an out-of-order ACK to the answer to
// the next ACK of its path.
func (p *Params) ReturnDelay() int { return EntryDelay + p.Slots() }

// FreeDelay returns the number of cycles from the end of an ACK's last pass to the first send
// that may be written into the room.
func (p *Params) FreeDelay() int { return int(p.RAMLatency) + 1 }

// ReadyDelay returns the number of cycles from the last path emptied after a reset to sts_ready.
func (p *Params) ReadyDelay() int64 { return p.RAMLatency + 3 }

// Params is one configuration of the unit. The zero value is not legal: start
// from Default.
type Params struct {
	Paths       int64
	PidBits     int64
	FlowBits    int64
	SeqBits     int64
	Depth       int64
	Lanes       int64
	RingMemory  string
	RingLatency int64
	RAMLatency  int64
	LatBits     int64
	TimeBits    int64
	AckQueues   int64
	AckQueue    int64
	LostQueue   int64
	CounterBits int64

	RTOMinNS int64
}

// Default returns a configuration of the size of the paper's prototype: 8,192 paths (LAPS §IV-C),
// with 256 segments on each: 166 of 1,500 bytes are in flight at 100 Gb/s within 20 µs. The least
// timeout is the 8 ms of the authors' simulator.
func Default() *Params {
	return &Params{
		Paths: 8192, PidBits: 13, FlowBits: 10, SeqBits: 24, Depth: 256, Lanes: 8, RingMemory: gen.Auto, RingLatency: 3, RAMLatency: 2,
		LatBits: 20, TimeBits: 32, AckQueues: 4, AckQueue: 16, LostQueue: 32, CounterBits: 32,
		RTOMinNS: 8_000_000,
	}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

// mostRingLatency is the largest ring_latency.
const mostRingLatency = 12

const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	d := Default()
	return []gen.Field{
		{Key: "paths", Group: structure, Unit: "paths", Int: &p.Paths, Min: 1, Max: 65536, Flag: true, SV: "PATHS",
			Doc:  "Paths, each with its own ring and timer.",
			Cost: "memory: paths × depth × (flow_bits + seq_bits), and about 100 bits a path",
			Ref:  "LAPS §IV-C: 8,192"},
		{Key: "pid_bits", Group: structure, Unit: "bits", Int: &p.PidBits, Min: 1, Max: 24, SV: "PID_BITS",
			Auto: gen.AtLeast(d.PidBits, func() int64 { return int64(sv.CLog2(max(p.Paths, p.AckQueues))) }, "paths", "ack_queues"),
			Doc:  "Width of the path ports; numbers from paths upwards are illegal and counted.",
			Cost: "about 10 LUT and 12 FF a bit",
			Ref:  "nicgen"},
		{Key: "flow_bits", Group: structure, Unit: "bits", Int: &p.FlowBits, Min: 1, Max: 24, Flag: true,
			Doc:  "Width of a flow's number; any number is legal.",
			Cost: "memory: paths × depth bits each; lanes ÷ 3 LUT each",
			Ref:  "LAPS §IV-C: 1,024 flows"},
		{Key: "seq_bits", Group: structure, Unit: "bits", Int: &p.SeqBits, Min: 8, Max: 48, Flag: true,
			Doc:  "Width of a sequence number; numbers are only compared for equality (24 bits: a RoCE packet number).",
			Cost: "memory: paths × depth bits each; lanes ÷ 3 LUT each",
			Ref:  "nicgen"},
		{Key: "depth", Group: structure, Unit: "segments", Int: &p.Depth, Min: 4, Max: 1024, PowerOfTwo: true, Flag: true,
			Doc:  "Segments that may be outstanding on a path; further ones are sent untracked, and counted.",
			Cost: "memory: paths × (flow_bits + seq_bits) each",
			Ref:  "nicgen: 166 segments of 1,500 bytes in 20 µs at 100 Gb/s; LAPS Fig. 5 has a ring without a size"},
		{Key: "lanes", Group: structure, Unit: "segments", Int: &p.Lanes, Min: 2, Max: 64, PowerOfTwo: true, Flag: true,
			Auto: gen.AtMost(d.Lanes, func() int64 { return p.Depth / 2 }, "depth"),
			Doc:  "Segments of a path compared at once; an ACK takes up to depth ÷ lanes + 1 passes.",
			Cost: "about 17 LUT and 70 FF each",
			Ref:  "nicgen"},
		{Key: "ring_memory", Group: structure, Enum: &p.RingMemory, Choices: []string{gen.Auto, gen.LUTRAM, gen.BRAM, gen.URAM}, Flag: true,
			Doc:  "Memory for the rings; auto: LUTRAM up to 64 words a lane, URAM from 8,192, BRAM between.",
			Cost: "a word has flow_bits + seq_bits bits, a lane paths × depth ÷ lanes words",
			Ref:  "nicgen"},
		{Key: "ring_latency", Group: structure, Unit: "cycles", Int: &p.RingLatency, Min: 2, Max: mostRingLatency, Flag: true, SV: "RING_LATENCY",
			Doc:  "From the address registers of the rings to a row: 2 the memory and its output register, 3 one more behind the multiplexer of columns of 8 URAM, above registers for a tool that cascades them.",
			Cost: "a slot of the barrel each: about 70 FF and 20 LUT, and a cycle of each pass",
			Ref:  "AMD UG573: cascaded URAM"},
		{Key: "ram_latency", Group: structure, Unit: "cycles", Int: &p.RAMLatency, Min: 1, Max: 2, Flag: true, SV: "RAM_LATENCY",
			Doc:  "From the address to the data of the memories of pointers and timers: 2 uses the output registers of block RAM.",
			Cost: "2: a slot of the barrel, and a cycle of each pass",
			Ref:  "AMD UG573: DO_REG"},
		{Key: "lat_bits", Group: structure, Unit: "bits", Int: &p.LatBits, Min: 8, Max: 32, Flag: true,
			Doc:  "Width of a path's latency in ns; all ones means that or longer (20 bits: 1 ms).",
			Cost: "about 4 LUT and 4 FF a bit",
			Ref:  "LAPS §III-C: 48"},
		{Key: "time_bits", Group: structure, Unit: "bits", Int: &p.TimeBits, Min: 16, Max: 48, Flag: true,
			Auto: gen.AtLeast(d.TimeBits, func() int64 { return p.LatBits + 3 }, "lat_bits"),
			Doc:  "Width of the time in ns; a timer must be checked within 2^(time_bits-1) ns of its expiry (32 bits: 2 s).",
			Cost: "memory: 2 × paths bits each; about 8 LUT and 8 FF a bit",
			Ref:  "nicgen"},
		{Key: "ack_queues", Group: structure, Unit: "queues", Int: &p.AckQueues, Min: 2, Max: 8, PowerOfTwo: true, Flag: true,
			Doc:  "ACK queues, selected by the low bits of the path. An ACK whose path is busy blocks its queue (head-of-line blocking).",
			Cost: "each: a queue, and 1 LUT ÷ 2 for each bit of ack_queue",
			Ref:  "nicgen"},
		{Key: "ack_queue", Group: structure, Unit: "ACKs", Int: &p.AckQueue, Min: 2, Max: 512, PowerOfTwo: true, Flag: true,
			Doc:  "Capacity of each queue, ACKs in their first pass through the barrel included; one queue alone needs 16 for an ACK a cycle.",
			Cost: "2 LUT a bit for each 64 ACKs, of pid_bits + flow_bits + seq_bits + lat_bits + time_bits bits",
			Ref:  "nicgen"},
		{Key: "lost_queue", Group: structure, Unit: "segments", Int: &p.LostQueue, Min: 2, Max: 512, PowerOfTwo: true, Flag: true,
			Doc:  "Lost segments that may wait for the sender; while the queue is full, further ones stay in their rings.",
			Cost: "2 LUT a bit for each 64 segments, of pid_bits + flow_bits + seq_bits + 1 bits",
			Ref:  "LAPS §III-G"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "10 × counter_bits FF and carry bits",
			Ref:  "nicgen"},

		{Key: "rto_min_ns", Group: runtime, Unit: "ns", Int: &p.RTOMinNS, Min: 0, Max: 1<<46 - 1, Flag: true, Runtime: true, Port: "cfg_rto_min_ns",
			Auto: gen.AtMost(d.RTOMinNS, func() int64 { return 1<<(p.TimeBits-2) - 1 }, "time_bits"),
			Doc:  "Minimum retransmission timeout; twice the path's latency if that is longer. Below 2^(time_bits-2).",
			Ref:  "LAPS §III-G; 8 ms in the authors' simulator"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: allowed})
	}
	if need := int64(sv.CLog2(p.Paths)); p.PidBits < need {
		add("pid_bits", p.PidBits, fmt.Sprintf("at least %d for paths %d", need, p.Paths))
	}
	if need := int64(sv.CLog2(p.AckQueues)); p.PidBits < need {
		add("pid_bits", p.PidBits, fmt.Sprintf("at least %d for ack_queues %d", need, p.AckQueues))
	}
	if p.Lanes > p.Depth/2 {
		add("lanes", p.Lanes, fmt.Sprintf("at most half of depth %d", p.Depth))
	}
	if p.TimeBits < p.LatBits+3 {
		add("time_bits", p.TimeBits, fmt.Sprintf("at least lat_bits %d + 3, for a timeout of twice a latency to be below a quarter of the time's range", p.LatBits))
	}
	if p.RTOMinNS >= 1<<(p.TimeBits-2) {
		add("rto_min_ns", p.RTOMinNS, fmt.Sprintf("below 2^%d with time_bits %d", p.TimeBits-2, p.TimeBits))
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "laps_loss" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "LAPS loss detector: lost segments of each path from skipping ACKs and timers"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Wan et al., LAPS: Latency Aware Packet Spraying, IEEE ToN 2026, §III-G, Algorithm 3"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_laps_loss" }

// Latency implements gen.Config: the fixed latencies, and the least and the largest latency of an
// ACK that has the unit to itself and finds no loss.
func (p *Params) Latency() map[string]int {
	pass := p.Slots()
	return map[string]int{
		"send to answer":                                              p.SendLatency(),
		"ACK in order to answer":                                      EntryDelay + pass,
		"ignored ACK to answer (most)":                                EntryDelay + pass*p.MaxPasses(),
		"one ACK in order to the next on its path":                    1,
		"any other ACK's answer to the answer to the path's next ACK": p.ReturnDelay(),
		"skipping ACK to its first lost segment (most)":               EntryDelay + pass*(p.MaxPasses()+1),
		"one lost segment of a path to the next":                      pass,
	}
}

// MaxPasses returns the largest number of passes in which the rows of a ring are
// searched: the row at which the ring begins is searched twice if it also ends there.
func (p *Params) MaxPasses() int { return int(p.Depth/p.Lanes) + 1 }

// MostLate returns the largest number of cycles from the expiry of a timer to its report's first
// segment, or from one check of it to the next, if other expired timers precede it. Slots cycles
// are added for each segment reported meanwhile. Every timer is read once in a round. One that has
// expired then waits for the longest search of its path and for the shortest of those in the
// barrel, and takes a pass.
func (p *Params) MostLate(expired int) int {
	return (int(p.Paths)+1)*p.ScanCycles() + (expired+1)*p.Slots()*(2*p.MaxPasses()+2)
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"send", "full", "ack", "skip", "ignored", "lost", "timeout", "expired", "illegal_path", "not_ready"}

// PathIdxBits returns the number of bits that address a path, at least 1.
func (p *Params) PathIdxBits() int { return sv.IdxW(p.Paths) }
