// SPDX-License-Identifier: Apache-2.0

// Package plb generates Protective Load Balancing: the unit that chooses the flow label,
// and so the path, of every packet of a connection, and changes it when the connection
// has been congested for several rounds.
//
// Source: Qureshi et al., "PLB: Congestion Signals are Simple and Effective for Network
// Load Balancing", SIGCOMM 2022, Algorithms 1 and 2 and §3.4. docs/units/plb.md describes
// the unit.
package plb

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Latencies that the design fixes, in cycles.
const (
	SendLatency  = 12 // from a SEND to its label
	WordLatency  = 9  // from a SEND to the cycle whose random word is its new label
	CountLatency = 3  // from an event to its counter
	RoundLatency = 8  // from the ACK that ends a round to the counter of the round
	LabelLatency = 10 // from a SEND to the counter of new labels
	JumpLatency  = 4  // from a time to its count as a jump
)

// Widths, limits and other constants.
const (
	TickBits     = 20 // times are kept in units of 2^20 ns
	SeqBits      = 32 // of a sequence number
	WindowBits   = 30 // windows are below 2^30
	StepShift    = 6  // a clock that steps by a 64th of the longest T jumps
	FractionOne  = 15 // the fraction K is in units of 2^-15
	FractionBits = 16
	DrawBits     = 16 // of the random word that chooses a pause
	WordBits     = 20 // of a random word
)

// Modes of a connection, for Mode and cfg_mode.
const (
	ModePLB   = 0
	ModeECMP  = 1
	ModeSpray = 2
)

// CauseIllegal is the cause of the answer to a SEND of a nonexistent connection.
const CauseIllegal = 7

// StepBits returns the number of low bits of a time in ns that may change in any way: a clock jumps if
// the bits above them neither stay the same nor grow by one from one cycle to the next.
func (p *Params) StepBits() int64 { return max(TickBits, p.PauseBits-StepShift) }

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Connections int64
	ConnBits    int64
	PktsBits    int64
	RTTBits     int64
	BalanceBits int64
	RoundBits   int64
	TimerBits   int64
	PauseBits   int64
	LabelBits   int64
	PortBits    int64
	PortBase    int64
	StateMemory string
	RAMLatency  int64
	CounterBits int64
	RandomSeed  int64

	Mode         int64
	RTTDetector  bool
	Fraction     int64
	TargetNS     int64
	IdleRounds   int64
	ForcedRounds int64
	PauseNS      int64
}

// Default returns a configuration for 256 connections with the paper's K = 0.5, M = 3,
// N = 12 and a pause of 60 to 120 s (PLB §3.4, §5.2).
func Default() *Params {
	return &Params{
		Connections: 256, ConnBits: 16, PktsBits: 8, RTTBits: 20, BalanceBits: 33, RoundBits: 4, TimerBits: 44, PauseBits: 36,
		LabelBits: 20, PortBits: 14, PortBase: 49152, StateMemory: gen.Auto, RAMLatency: 1, CounterBits: 32, RandomSeed: 1,
		Mode: ModePLB, RTTDetector: false, Fraction: 1 << (FractionOne - 1), TargetNS: 25_000,
		IdleRounds: 3, ForcedRounds: 12, PauseNS: 60_000_000_000,
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
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections that the unit keeps state for.",
			Cost: "memory: 3 RAMB36 up to 512 connections",
			Ref:  "nicgen"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers from connections upwards are illegal and counted.",
			Cost: "about 3 FF a bit, and 3 LUT in 4 bits",
			Ref:  "nicgen"},
		{Key: "pkts_bits", Group: structure, Unit: "bits", Int: &p.PktsBits, Min: 1, Max: 12, Flag: true, SV: "PKTS_BITS",
			Doc:  "Width of the number of packets that an ACK newly acknowledges.",
			Cost: "about 4 FF a bit",
			Ref:  "PLB Algorithm 1"},
		{Key: "rtt_bits", Group: structure, Unit: "bits", Int: &p.RTTBits, Min: 8, Max: 32, Flag: true, SV: "RTT_BITS",
			Doc:  "Width of an RTT in ns; a longer RTT enters as all ones (20 bits: 1 ms).",
			Cost: "2 LUT in 3 bits, 2 FF a bit",
			Ref:  "PLB Algorithm 1, Swift_CongDetection"},
		{Key: "balance_bits", Group: structure, Unit: "bits", Int: &p.BalanceBits, Min: 20, Max: 40, Flag: true, SV: "BALANCE_BITS",
			Doc:  "Width of a round's balance, in 2^-15 packets: it is exact while congested packets less K times all packets stay below 2^(balance_bits-17) (33 bits: 65,536). At least pkts_bits + 19.",
			Cost: "1 LUT and about 4 FF a bit",
			Ref:  "PLB Algorithm 1, lines 10 to 15"},
		{Key: "round_bits", Group: structure, Unit: "bits", Int: &p.RoundBits, Min: 1, Max: 8, Flag: true, SV: "ROUND_BITS",
			Doc:  "Width of the number of congested rounds in a row, which saturates, and of M and N.",
			Cost: "about 6 LUT and 8 FF a bit",
			Ref:  "PLB Algorithm 1; Linux: 5"},
		{Key: "timer_bits", Group: structure, Unit: "bits", Int: &p.TimerBits, Min: 24, Max: 44, Flag: true, SV: "TIMER_BITS",
			Doc:  "Width of the time in ns (44 bits: 4.9 h). A connection without an ACK since its pause looks as if it paused once more in 2^(pause_bits+1) of each 2^timer_bits ns.",
			Cost: "2 LUT and 7 FF a bit",
			Ref:  "nicgen"},
		{Key: "pause_bits", Group: structure, Unit: "bits", Int: &p.PauseBits, Min: 21, Max: 42, SV: "PAUSE_BITS",
			Auto: gen.AtMost(d.PauseBits, func() int64 { return p.TimerBits - 2 }, "timer_bits"),
			Doc:  "Width of T in ns (36 bits: 68 s); at most timer_bits - 2.",
			Cost: "1 FF a bit",
			Ref:  "nicgen"},
		{Key: "label_bits", Group: structure, Unit: "bits", Int: &p.LabelBits, Min: 1, Max: 20, Flag: true, SV: "LABEL_BITS",
			Doc:  "Width of a flow label (IPv6: 20).",
			Cost: "memory: connections × label_bits; 2 FF a bit",
			Ref:  "RFC 6437"},
		{Key: "port_bits", Group: structure, Unit: "bits", Int: &p.PortBits, Min: 1, Max: 16, Flag: true, SV: "PORT_BITS",
			Auto: gen.AtMost(d.PortBits, func() int64 { return p.LabelBits }, "label_bits"),
			Doc:  "Low bits of the label that make the UDP source port, above port_base; at most label_bits.",
			Cost: "none",
			Ref:  "RoCEv2: 14"},
		{Key: "port_base", Group: structure, Int: &p.PortBase, Min: 0, Max: 65534, Flag: true, SV: "PORT_BASE",
			Auto: gen.Follow("49152, or the multiple of 2^port_bits below it", func() int64 { return d.PortBase &^ (1<<p.PortBits - 1) }, "port_bits"),
			Doc:  "The least UDP source port, a multiple of 2^port_bits.",
			Cost: "none",
			Ref:  "RoCEv2: 49152"},
		{Key: "state_memory", Group: structure, Enum: &p.StateMemory, Choices: []string{gen.Auto, gen.LUTRAM, gen.BRAM}, Flag: true,
			Doc:  "Memory for the state; auto: words in LUTRAM up to 64 connections, single bits up to 512, else BRAM.",
			Cost: "BRAM: 3 RAMB36 for words of 512 connections, 2.5 for their single bits, which take 32 LUT in LUTRAM for 256",
			Ref:  "nicgen"},
		{Key: "ram_latency", Group: structure, Unit: "cycles", Int: &p.RAMLatency, Min: 1, Max: 2, Flag: true, SV: "RAM_LATENCY",
			Doc:  "Cycles from an address to the data of block RAMs whose words are changed; 2 uses their output registers. The unit's latency is the same.",
			Cost: "2: forwarding from two cycles instead of one, and 0.6 ns less from a block RAM",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "13 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
		{Key: "random_seed", Group: structure, Int: &p.RandomSeed, Min: 0, Max: 1<<63 - 1, Flag: true,
			Doc:  "Seed of the random generator after reset; SplitMix64 expands it to the state. All NICs with one bitstream have the same: seed each by s_seed.",
			Cost: "none",
			Ref:  "nicgen"},

		{Key: "mode", Group: runtime, Int: &p.Mode, Min: 0, Max: 3, Flag: true, Runtime: true, Port: "cfg_mode",
			Doc: "0 PLB; 1 ECMP: a connection keeps its label; 2 or 3: a random label for every packet.",
			Ref: "PLB §2"},
		{Key: "rtt_detector", Group: runtime, Bool: &p.RTTDetector, Flag: true, Runtime: true, Port: "cfg_rtt_detector",
			Doc: "Packets are congested if the RTT is above the target (Pony Express), instead of by the echoed CE mark (TCP).",
			Ref: "PLB Algorithm 1"},
		{Key: "fraction", Group: runtime, Unit: "2^-15", Int: &p.Fraction, Min: 0, Max: 65535, Flag: true, Runtime: true, Port: "cfg_fraction",
			Doc: "K × 32,768, rounded down: a round is congested if at least the fraction K of its packets is. 16,384 is one half; any other K = p/q is exact in rounds of fewer than 32,768/q packets; above 32,768 no round is congested.",
			Ref: "PLB Algorithm 1: 0.5"},
		{Key: "target_ns", Group: runtime, Unit: "ns", Int: &p.TargetNS, Min: 0, Max: 1<<32 - 1, Flag: true, Runtime: true, Port: "cfg_target_ns",
			Auto: gen.AtMost(d.TargetNS, func() int64 { return 1<<p.RTTBits - 1 }, "rtt_bits"),
			Doc:  "RTTs above it are congested with rtt_detector; below 2^rtt_bits.",
			Ref:  "PLB Algorithm 1: swift_target_delay"},
		{Key: "idle_rounds", Group: runtime, Unit: "rounds", Int: &p.IdleRounds, Min: 0, Max: 255, Flag: true, Runtime: true, Port: "cfg_idle_rounds",
			Auto: gen.AtMost(d.IdleRounds, func() int64 { return 1<<p.RoundBits - 1 }, "round_bits"),
			Doc:  "M: congested rounds in a row after which the connection takes a new label when nothing is in flight; 0: never; below 2^round_bits.",
			Ref:  "PLB Algorithm 2: 3"},
		{Key: "forced_rounds", Group: runtime, Unit: "rounds", Int: &p.ForcedRounds, Min: 0, Max: 255, Flag: true, Runtime: true, Port: "cfg_forced_rounds",
			Auto: gen.AtMost(d.ForcedRounds, func() int64 { return 1<<p.RoundBits - 1 }, "round_bits"),
			Doc:  "N: congested rounds in a row after which it takes one in any case; 0: never; below 2^round_bits.",
			Ref:  "PLB Algorithm 2: 12"},
		{Key: "pause_ns", Group: runtime, Unit: "ns", Int: &p.PauseNS, Min: 0, Max: 1<<42 - 1, Flag: true, Runtime: true, Port: "cfg_pause_ns",
			Auto: gen.AtMost(d.PauseNS, func() int64 { return 1<<p.PauseBits - 1 }, "pause_bits"),
			Doc:  "T: after an RTO, detection pauses for a random time from T to 2T, in units of 2^20 ns, 1.05 ms; below 2^pause_bits.",
			Ref:  "PLB §3.4, §5.2: 60 s"},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: allowed})
	}
	below := func(key string, found, bits int64, of string) {
		if found >= 1<<bits {
			add(key, found, fmt.Sprintf("below 2^%d with %s %d", bits, of, bits))
		}
	}
	if need := int64(sv.CLog2(p.Connections)); p.ConnBits < need {
		add("conn_bits", p.ConnBits, fmt.Sprintf("at least %d for connections %d", need, p.Connections))
	}
	if p.BalanceBits < p.PktsBits+19 {
		add("balance_bits", p.BalanceBits, fmt.Sprintf("at least pkts_bits + 19 = %d", p.PktsBits+19))
	}
	if p.PauseBits > p.TimerBits-2 {
		add("pause_bits", p.PauseBits, fmt.Sprintf("at most timer_bits - 2 = %d", p.TimerBits-2))
	}
	if p.PortBits > p.LabelBits {
		add("port_bits", p.PortBits, fmt.Sprintf("at most label_bits = %d", p.LabelBits))
	}
	if p.PortBase&(1<<p.PortBits-1) != 0 {
		add("port_base", p.PortBase, fmt.Sprintf("a multiple of 2^%d with port_bits %d", p.PortBits, p.PortBits))
	}
	below("target_ns", p.TargetNS, p.RTTBits, "rtt_bits")
	below("idle_rounds", p.IdleRounds, p.RoundBits, "round_bits")
	below("forced_rounds", p.ForcedRounds, p.RoundBits, "round_bits")
	below("pause_ns", p.PauseNS, p.PauseBits, "pause_bits")
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "plb" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "Protective Load Balancing: flow labels that change after congested rounds"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Qureshi et al., PLB: Congestion Signals are Simple and Effective for Network Load Balancing, SIGCOMM 2022, Algorithms 1 and 2, §3.4"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_plb" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"SEND to label": SendLatency}
}

// CounterNames are the event counters, in port order.
var CounterNames = []string{"ack", "rto", "send", "congested", "clean", "idle", "forced", "restart", "open", "saturated", "illegal", "jump", "not_ready"}

// ConnIdxBits returns the number of bits that address a connection, at least 1.
func (p *Params) ConnIdxBits() int { return sv.IdxW(p.Connections) }
