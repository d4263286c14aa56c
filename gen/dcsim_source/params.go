// SPDX-License-Identifier: Apache-2.0

// Package dcsimsource generates the source host of DCSIM: reservations for single packets, made by
// small SIM packets that precede them on the same path.
//
// Source: Straussman et al., "Simulate Before Sending: Rethinking Transport in Datacenter
// Networks", NINeS 2026. docs/units/dcsim_source.md describes the unit.
package dcsimsource

import (
	"fmt"
	"math/big"
	"math/bits"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/dcsim"
	"github.com/nicgen/nicgen/gen/sv"
)

// Delays that follow from the design, in cycles.
const (
	// Settle is the time from a DATA's departure from the ring to its place in the DATA queue,
	// excluding the queue's own time. Its SIM-ACK may wait that long for a number.
	Settle = 9
	// Release is the time from RTTmax after a SIM to the offer of its DATA, if no other one
	// precedes it.
	Release = Settle + 10
	// QueueDelay is the time from a push into a queue to the word at its head.
	QueueDelay = 3
	readyDelay = 2 // from rst to sts_ready, in addition to the sweep
)

// Widths of ports.
const (
	CountBits = 8 // of a count of new DATAs
	QueueBits = 6 // of the size of the SIM queue
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Flows       int64
	FlowBits    int64
	Outstanding int64
	PortBits    int64
	Copies      int64
	Repeats     int64
	TagBits     int64
	SeqBits     int64
	WantBits    int64
	TimeBits    int64
	Bucket      int64
	TokenBits   int64
	CounterBits int64
	RandomSeed  int64
	FullRate    bool

	ClockHz       int64
	RateGbps      int64
	PacketBytes   int64
	ProbeBytes    int64
	GapBytes      int64
	Hops          int64
	RTTNS         int64
	SIMQueue      int64
	DataTimeoutNS int64
}

// Default returns a configuration for 256 flows at 100 Gb/s and 322 MHz, with packets of 1,500
// bytes.
func Default() *Params {
	return &Params{
		Flows: 256, FlowBits: 16, Outstanding: 256, PortBits: 14, Copies: 512, Repeats: 64, TagBits: 16, SeqBits: 16,
		WantBits: 16, TimeBits: 20, Bucket: 2, TokenBits: 32, CounterBits: 32, RandomSeed: 1, FullRate: true,
		ClockHz: 322_265_625, RateGbps: 100, PacketBytes: 1500, ProbeBytes: 64, GapBytes: 20, Hops: 6, RTTNS: 7800, SIMQueue: 12, DataTimeoutNS: 60_000,
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
			Doc:  "Flows, each to one destination, with DATAs of its own.",
			Cost: "memory: 1.5 RAMB36 up to 1,024",
			Ref:  "DCSIM §2.4"},
		{Key: "flow_bits", Group: structure, Unit: "bits", Int: &p.FlowBits, Min: 1, Max: 24, SV: "FLOW_BITS",
			Doc:  "Width of the flow ports; numbers from flows upwards are illegal and counted.",
			Cost: "about 1 LUT in 4 bits",
			Ref:  "nicgen"},
		{Key: "outstanding", Group: structure, Unit: "packets", Int: &p.Outstanding, Min: 16, Max: 1024, PowerOfTwo: true, Flag: true,
			Auto: gen.AtLeast(d.Outstanding, p.leastOutstanding, "full_rate", "clock_hz", "rate_gbps", "packet_bytes", "probe_bytes", "gap_bytes", "hops", "rtt_ns", "sim_queue"),
			Doc:  "Slots: one more than the packets from the SIM in the queue to the DATA that leaves. For the whole rate: RTTmax over the time between two tokens, B, and 3.",
			Cost: "memory: 2.5 RAMB36 up to 512",
			Ref:  "DCSIM §2.4; 800 Gb/s with 1,500 bytes and no gap: 633 in flight"},
		{Key: "port_bits", Group: structure, Unit: "bits", Int: &p.PortBits, Min: 8, Max: 16, Flag: true,
			Doc:  "Width of the source ports that SIMs choose from; the bits above those of a slot are random.",
			Cost: "memory of a slot: 3 × bits",
			Ref:  "DCSIM §2.4 ①; 14 above 49152 for RoCEv2"},
		{Key: "copies", Group: structure, Unit: "packets", Int: &p.Copies, Min: 16, Max: 4096, PowerOfTwo: true, Flag: true,
			Auto: gen.AtLeast(d.Copies, p.leastCopies, "full_rate", "rate_gbps", "packet_bytes", "probe_bytes", "gap_bytes", "data_timeout_ns"),
			Doc:  "Sent DATAs that wait for a DATA-ACK, and two. For the whole rate after a loss: the DATA timeout over the time between two tokens, and 4.",
			Cost: "memory: copies × (time_bits + seq_bits + flow bits)",
			Ref:  "DCSIM §2.4 ④, state 4"},
		{Key: "repeats", Group: structure, Unit: "packets", Int: &p.Repeats, Min: 4, Max: 1024, PowerOfTwo: true, Flag: true,
			Doc:  "DATAs that timed out and wait for another SIM; those beyond it are given back on m_lost.",
			Cost: "LUTRAM up to 64: 1 LUT for each 2; block RAM above",
			Ref:  "nicgen"},
		{Key: "tag_bits", Group: structure, Unit: "bits", Int: &p.TagBits, Min: 4, Max: 16, Flag: true,
			Doc:  "Width of the tag that a DATA carries and its DATA-ACK returns; the bits above those of a copy's place tell old tags from new ones.",
			Cost: "3 LUT a bit",
			Ref:  "nicgen"},
		{Key: "seq_bits", Group: structure, Unit: "bits", Int: &p.SeqBits, Min: 8, Max: 32, Flag: true,
			Doc:  "Width of the number of a DATA within its flow.",
			Cost: "about 2 LUT and 4 FF a bit; memory",
			Ref:  "nicgen"},
		{Key: "want_bits", Group: structure, Unit: "bits", Int: &p.WantBits, Min: 10, Max: 32, Flag: true,
			Doc:  "Width of n_DATA - n_SIM of a flow: new DATAs are refused from 2^(want_bits-1) upwards.",
			Cost: "about 2 LUT a bit; memory",
			Ref:  "DCSIM Eq. 3"},
		{Key: "time_bits", Group: structure, Unit: "bits", Int: &p.TimeBits, Min: 10, Max: 32, Flag: true,
			Auto: gen.AtLeast(d.TimeBits, p.leastTimeBits, "clock_hz", "rtt_ns", "data_timeout_ns"),
			Doc:  "Width of the time in clocks; timeouts are below half of its range (20 bits at 322 MHz: 1.6 ms).",
			Cost: "about 4 LUT and 8 FF a bit; memory",
			Ref:  "nicgen"},
		{Key: "bucket", Group: structure, Unit: "tokens", Int: &p.Bucket, Min: 1, Max: 4, Flag: true,
			Doc:  "Size of the token bucket.",
			Cost: "none",
			Ref:  "DCSIM Theorem 3: 2"},
		{Key: "token_bits", Group: structure, Unit: "bits", Int: &p.TokenBits, Min: 8, Max: 48, Flag: true,
			Auto: gen.AtLeast(d.TokenBits, p.leastTokenBits, "clock_hz", "rate_gbps", "packet_bytes", "probe_bytes", "gap_bytes"),
			Doc:  "Width of the settings of the token bucket, whose ratio is its rate.",
			Cost: "4 LUT and 4 FF a bit",
			Ref:  "DCSIM Eq. 2"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "12 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
		{Key: "random_seed", Group: structure, Int: &p.RandomSeed, Min: 1, Max: 1<<31 - 1, Flag: true,
			Doc:  "Seed of the random generator after reset. All hosts with one bitstream have the same: seed each by s_seed.",
			Cost: "none",
			Ref:  "nicgen"},
		{Key: "full_rate", Group: structure, Bool: &p.FullRate, Flag: true,
			Doc:  "Refuse outstanding, copies and clock_hz that are not enough for the rate of Eq. 2. False: for a host that never needs the whole line.",
			Cost: "none",
			Ref:  "nicgen"},

		{Key: "clock_hz", Group: runtime, Unit: "Hz", Int: &p.ClockHz, Min: 50_000_000, Max: 1_000_000_000, Flag: true, Runtime: true, Port: "cfg_token_cost",
			Doc: "Clock of the unit: no port has it, all settings are made with it.",
			Ref: "nicgen"},
		{Key: "rate_gbps", Group: runtime, Unit: "Gb/s", Int: &p.RateGbps, Min: 10, Max: 800, Flag: true, Runtime: true, Port: "cfg_token_gain",
			Doc: "C: the line rate everywhere in the network.",
			Ref: "DCSIM §2.3"},
		{Key: "packet_bytes", Group: runtime, Unit: "bytes", Int: &p.PacketBytes, Min: 256, Max: 9216, Flag: true, Runtime: true, Port: "cfg_token_cost",
			Doc: "L: length of a DATA.",
			Ref: "DCSIM §2.3"},
		{Key: "probe_bytes", Group: runtime, Unit: "bytes", Int: &p.ProbeBytes, Min: 64, Max: 256, Flag: true, Runtime: true, Port: "cfg_token_cost",
			Doc: "ℓ: length of a SIM, SIM-ACK or DATA-ACK.",
			Ref: "DCSIM §2.3"},
		{Key: "gap_bytes", Group: runtime, Unit: "bytes", Int: &p.GapBytes, Min: 0, Max: 255, Flag: true, Runtime: true, Port: "cfg_token_cost",
			Doc: "What a packet takes on the line beside its length: preamble and gap of Ethernet.",
			Ref: "IEEE 802.3: 20; DCSIM: 0"},
		{Key: "hops", Group: runtime, Unit: "hops", Int: &p.Hops, Min: 2, Max: 10, Flag: true, Runtime: true, Port: "cfg_rtt_max",
			Doc: "H: the most hops from a source to a destination, the NIC included.",
			Ref: "DCSIM §2.5"},
		{Key: "rtt_ns", Group: runtime, Unit: "ns", Int: &p.RTTNS, Min: 0, Max: 1_000_000, Flag: true, Runtime: true, Port: "cfg_rtt_max",
			Doc: "RTTp: the longest propagation and processing time there and back.",
			Ref: "DCSIM §2.5"},
		{Key: "sim_queue", Group: runtime, Unit: "packets", Int: &p.SIMQueue, Min: 4, Max: 32, Flag: true, Runtime: true, Port: "cfg_sim_queue",
			Doc: "B: the most SIMs that wait, with the one at the head.",
			Ref: "DCSIM §2.3: 12"},
		{Key: "data_timeout_ns", Group: runtime, Unit: "ns", Int: &p.DataTimeoutNS, Min: 100, Max: 1_000_000_000, Flag: true, Runtime: true, Port: "cfg_data_timeout",
			Auto: gen.Follow("60000, or twice RTTmax", func() int64 {
				return max(d.DataTimeoutNS, ceil(new(big.Rat).Mul(p.Network().RTTMax(), big.NewRat(2, 1))))
			}, "rate_gbps", "packet_bytes", "probe_bytes", "gap_bytes", "hops", "rtt_ns", "sim_queue"),
			Doc: "A DATA without DATA-ACK for longer is sent again: above RTTmax and what the responder may wait.",
			Ref: "DCSIM §2.4 ④: large"},
	}
}

// Network has the properties of the network from which the settings are derived.
func (p *Params) Network() dcsim.Network {
	return dcsim.Network{RateGbps: p.RateGbps, PacketBytes: p.PacketBytes, ProbeBytes: p.ProbeBytes, GapBytes: p.GapBytes, Hops: p.Hops, Queue: p.SIMQueue, RTTNS: p.RTTNS}
}

// PortValues implements gen.Driven: the settings in the formats of the ports.
func (p *Params) PortValues() map[string]uint64 {
	n := p.Network()
	gain, cost := n.Token(p.ClockHz)
	return map[string]uint64{
		"cfg_token_gain": uint64(gain), "cfg_token_cost": uint64(cost), "cfg_rtt_max": uint64(n.RTTMaxClocks(p.ClockHz)),
		"cfg_sim_queue": uint64(p.SIMQueue), "cfg_data_timeout": uint64(dcsim.Clocks(p.DataTimeoutNS, p.ClockHz)),
	}
}

// leastTokenBits returns the width of the settings of the token bucket.
func (p *Params) leastTokenBits() int64 {
	gain, cost := p.Network().Token(p.ClockHz)
	return int64(bits.Len64(uint64(max(gain, cost))))
}

// leastTimeBits returns the width at which half of a time's range is above both timeouts.
func (p *Params) leastTimeBits() int64 {
	most := max(p.Network().RTTMaxClocks(p.ClockHz), dcsim.Clocks(p.DataTimeoutNS, p.ClockHz))
	return 1 + int64(bits.Len64(uint64(most)))
}

// leastOutstanding returns the number of slots for the full rate, if it is required.
func (p *Params) leastOutstanding() int64 {
	if !p.FullRate {
		return 0
	}
	return 1 << sv.CLog2(ceil(p.slots())+1)
}

// leastCopies returns the number of copies for the full rate after a loss, if it is required.
func (p *Params) leastCopies() int64 {
	if !p.FullRate {
		return 0
	}
	return 1 << sv.CLog2(ceil(p.places())+4)
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string, args ...any) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: fmt.Sprintf(allowed, args...)})
	}
	if need := int64(sv.CLog2(p.Flows)); p.FlowBits < need {
		add("flow_bits", p.FlowBits, "at least %d for flows %d", need, p.Flows)
	}
	if least := int64(sv.CLog2(p.Outstanding)) + 2; p.PortBits < least {
		add("port_bits", p.PortBits, "at least %d with outstanding %d", least, p.Outstanding)
	}
	if least := int64(sv.CLog2(p.Copies)); p.TagBits < least {
		add("tag_bits", p.TagBits, "at least %d with copies %d", least, p.Copies)
	}
	if least := int64(sv.CLog2(p.Outstanding + p.Copies + p.Repeats + 256)); p.WantBits <= least {
		add("want_bits", p.WantBits, "above %d with outstanding %d, copies %d and repeats %d", least, p.Outstanding, p.Copies, p.Repeats)
	}
	v := p.PortValues()
	for _, x := range []struct {
		port, key string
		most      uint64
	}{
		{"cfg_token_gain", "token_bits", 1 << p.TokenBits}, {"cfg_token_cost", "token_bits", 1 << p.TokenBits},
		{"cfg_rtt_max", "time_bits", 1 << (p.TimeBits - 1)}, {"cfg_data_timeout", "time_bits", 1 << (p.TimeBits - 1)},
	} {
		if v[x.port] >= x.most {
			width := p.TimeBits
			if x.key == "token_bits" {
				width = p.TokenBits
			}
			add(x.key, width, "enough for %s %d", x.port, v[x.port])
		}
	}
	if gain, cost := v["cfg_token_gain"], v["cfg_token_cost"]; gain > cost {
		add("clock_hz", p.ClockHz, "at least one clock for each token, of which there are %d in %d clocks", gain, cost)
	}
	if rtt := p.Network().RTTMax(); rtt.Cmp(big.NewRat(p.DataTimeoutNS, 1)) >= 0 {
		add("data_timeout_ns", p.DataTimeoutNS, "above %s, RTTmax, and what the responder waits before a DATA-ACK", rtt.FloatString(0))
	}
	return append(out, p.checkRate()...)
}

// ServeClocks is the time between two SIMs of one flow, in clocks.
const ServeClocks = 5

// checkRate refuses parameters that cannot reach the rate of Eq. 2, if it is required.
func (p *Params) checkRate() []gen.Problem {
	if p.FullRate {
		return p.tooSlow()
	}
	return nil
}

// tooSlow returns a problem for each parameter that keeps the unit below the rate of Eq. 2.
func (p *Params) tooSlow() []gen.Problem {
	var out []gen.Problem
	check := func(key string, found, have int64, need *big.Rat, allowed string) {
		if part := new(big.Rat).Quo(big.NewRat(100*have, 1), need); part.Cmp(big.NewRat(100, 1)) < 0 {
			out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: fmt.Sprintf("%s; %d %% of it with full_rate=false", allowed, floor(part))})
		}
	}
	rate := fmt.Sprintf("%d Gb/s with DATAs of %d bytes", p.RateGbps, p.PacketBytes)
	slots, copies := p.slots(), p.places()
	check("outstanding", p.Outstanding, p.Outstanding-1, slots, least(ceil(slots)+1, 1024, rate))
	check("copies", p.Copies, p.Copies-4, copies, least(ceil(copies)+4, 4096, fmt.Sprintf("%s and a DATA timeout of %d ns, after a loss", rate, p.DataTimeoutNS)))
	hz := new(big.Rat).Quo(big.NewRat(ServeClocks*1_000_000_000, 1), p.Network().Period())
	check("clock_hz", p.ClockHz, p.ClockHz, hz, fmt.Sprintf("at least %d, %d clocks for each SIM, for %s", ceil(hz), ServeClocks, rate))
	return out
}

// least returns the allowed values in words: the power of two that is needed, even if it is beyond
// most.
func least(need, most int64, what string) string {
	power := int64(1) << sv.CLog2(need)
	if power > most {
		return fmt.Sprintf("%d for %s, which is beyond %d", power, what, most)
	}
	return fmt.Sprintf("at least %d for %s", power, what)
}

// slots returns the number of packets between the SIM queue and the line at the full rate: the packets
// of RTTmax and of the unit's own delay, the SIM queue, and one at each end.
func (p *Params) slots() *big.Rat {
	n := p.Network()
	in := new(big.Rat).Add(n.RTTMax(), big.NewRat(Release*1_000_000_000, p.ClockHz))
	return in.Quo(in, n.Period()).Add(in, big.NewRat(p.SIMQueue+2, 1))
}

// places returns the number of DATAs sent in a DATA timeout at the full rate.
func (p *Params) places() *big.Rat {
	return new(big.Rat).Quo(big.NewRat(p.DataTimeoutNS, 1), p.Network().Period())
}

func floor(x *big.Rat) int64 { return new(big.Int).Div(x.Num(), x.Denom()).Int64() }

func ceil(x *big.Rat) int64 { return -floor(new(big.Rat).Neg(x)) }

// Unit implements gen.Config.
func (p *Params) Unit() string { return "dcsim_source" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "DCSIM source host: a reservation for each packet by a small one that goes ahead"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Straussman et al., Simulate Before Sending, NINeS 2026, §2.4, §2.5, Theorem 3"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_dcsim_source" }

// FlowIdxBits returns the number of bits that address a flow, at least 1.
func (p *Params) FlowIdxBits() int { return sv.IdxW(p.Flows) }

// SlotBits returns the number of bits of a slot.
func (p *Params) SlotBits() int { return sv.CLog2(p.Outstanding) }

// RandomBits returns the number of random bits in a source port.
func (p *Params) RandomBits() int { return int(p.PortBits) - p.SlotBits() }

// SweepBits returns the logarithm of the cycles of the sweep after a reset.
func (p *Params) SweepBits() int {
	return max(p.FlowIdxBits(), p.SlotBits(), sv.CLog2(p.Copies), sv.CLog2(p.Repeats))
}

// ReadyDelay returns the number of cycles from a reset to sts_ready.
func (p *Params) ReadyDelay() int64 { return 1<<p.SweepBits() + readyDelay }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"RTTmax after a SIM to its DATA": Release, "new DATA to SIM": 8}
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"data", "sim", "sim_ack", "sim_timeout", "data_sent", "data_ack", "data_timeout", "lost",
	"sim_ack_missed", "data_ack_missed", "refused", "not_ready"}
