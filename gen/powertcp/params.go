// SPDX-License-Identifier: Apache-2.0

// Package powertcp generates the PowerTCP window unit: the congestion window and
// the pacing rate of a connection, computed from every acknowledgement.
//
// Source: "PowerTCP: Pushing the Performance Limits of Datacenter Networks",
// dissertation ch. 2, Algorithm 1 (INT) and Algorithm 2 (θ-PowerTCP).
// docs/units/powertcp.md describes the unit.
package powertcp

import (
	"fmt"
	"math/bits"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Widths that follow from the number formats, not from a choice.
const (
	GammaBits    = 17 // γ, UQ1.16
	BetaBits     = 22 // β, bytes, UQ20.2
	InvTauBits   = 17 // mantissa of 1/τ, 1.16
	InvTauExp    = 5  // exponent of 1/τ
	WindowBits   = 25 // a window, bytes, UQ23.2
	PaceBits     = 24 // a pacing rate, bytes per ns, UQ8.16
	NormBits     = 26 // a power, UQ8.18
	PowerBits    = 34 // the stored smoothed power, UQ8.26
	SeqBits      = 32 // a sequence number
	HopCntBits   = 5  // the hop count in an ACK
	HopBits      = 4  // the number of a hop
	EntryBits    = 64 // an entry of the link-rate table
	MantissaBits = 17 // a normalised mantissa, 1.16
)

// Params is one configuration of the unit. The zero value is not legal: start
// from Default.
type Params struct {
	Variant     string
	ThetaUpdate string
	BaseRTT     string
	Throughput  string
	Hops        int64
	Connections int64
	ConnBits    int64
	PathBits    int64
	StateMemory string
	RAMLatency  int64
	CounterBits int64
	Protection  string

	HopFormat string
	RateBits  int64
	TimeBits  int64
	TxBits    int64
	TxUnit    int64
	QlenBits  int64
	QlenUnit  int64

	RTTBits int64
	NowBits int64

	GammaPPM       int64
	BetaBytes      int64
	TauNS          int64
	TargetPPM      int64
	FloorPPM       int64
	MinWindowBytes int64
	MaxWindowBytes int64
	LinkRatesMbps  [16]int64
}

// Inputs of the window computation.
const (
	INT   = "int"   // Algorithm 1: telemetry of every hop
	Theta = "theta" // Algorithm 2: round-trip times
	Both  = "both"  // either, chosen with each ACK
)

// Rates at which θ-PowerTCP computes windows.
const (
	RoundTrip = "round_trip" // once a round trip
	EveryAck  = "ack"        // with every ACK
)

// Sources of Algorithm 1's base round-trip time τ.
const (
	Setting  = "setting"  // cfg_tau_ns
	Observed = "observed" // the least round-trip time of the path, as in Algorithm 2
)

// Inputs per cycle.
const (
	PerHop = "hop" // a hop
	PerAck = "ack" // an ACK with all of its hops
)

// Ports for telemetry.
const (
	Word   = "word"   // a hop is one word: rate code, time, bytes, queue length, from the lowest bit
	Fields = "fields" // a port for each field
)

// Protection of the state against single-event upsets.
const (
	None   = "none"
	Triple = "triple" // state that would not recover is stored three times
)

// Default returns the INT version with the telemetry of the authors' simulator:
// 256 connections, 5 hops of 64 bits, 25 Gb/s hosts, τ of the 256-host topology.
func Default() *Params {
	return &Params{
		Variant: INT, ThetaUpdate: RoundTrip, BaseRTT: Setting, Throughput: PerHop, Hops: 5, Connections: 256, ConnBits: 16, PathBits: 12,
		StateMemory: gen.Auto, RAMLatency: 2, CounterBits: 32, Protection: None,
		HopFormat: Word, RateBits: 3, TimeBits: 24, TxBits: 20, TxUnit: 128, QlenBits: 17, QlenUnit: 80,
		RTTBits: 20, NowBits: 32,
		GammaPPM: 900_000, BetaBytes: 543, TauNS: 28_960, TargetPPM: 1_000_000, FloorPPM: 500_000,
		MinWindowBytes: 1_000, MaxWindowBytes: 90_500,
		LinkRatesMbps: [16]int64{25_000, 50_000, 100_000, 200_000, 400_000, 0, 0, 40_000},
	}
}

const (
	structure = "Structure"
	telemetry = "Telemetry"
	runtime   = "Run-time settings"
)

// Limits of the settings that follow from their formats.
const (
	maxWindow   = 1<<(WindowBits-2) - 1
	maxBeta     = 1<<(BetaBits-2) - 1
	minTau      = 129       // the rate takes 1/τ as m × 2^-(16+e) with e from 8
	maxTau      = 1<<23 - 1 // to 23; θ takes a power of two with the larger e
	maxLinkMbps = 3_200_000
)

// Fields returns the parameter table. It is the same for every variant; a field that a
// variant does not use has no effect.
func (p *Params) Fields() []gen.Field {
	d := Default()
	f := []gen.Field{
		{Key: "variant", Group: structure, Enum: &p.Variant, Choices: []string{INT, Theta, Both}, Flag: true,
			Doc:  "Input of the window computation: int: telemetry of every hop (Algorithm 1); theta: round-trip times (Algorithm 2); both: either, selected by each ACK.",
			Cost: "theta replaces the hop lanes; both adds the logic of theta to one of them",
			Ref:  "PowerTCP §2.4, Algorithms 1 and 2"},
		{Key: "theta_update", Group: structure, Enum: &p.ThetaUpdate, Choices: []string{RoundTrip, EveryAck}, Flag: true,
			Doc:  "How often θ-PowerTCP computes power and window: round_trip: once a round trip; ack: with every ACK, while cwnd_old follows once a round trip.",
			Cost: "none",
			Ref:  "PowerTCP §2.2.6: only reacts once per RTT; Algorithm 2 lines 7-9 and 14: with every ACK"},
		{Key: "base_rtt", Group: structure, Enum: &p.BaseRTT, Choices: []string{Setting, Observed}, Flag: true,
			Doc:  "Base round-trip time τ of telemetry (int): setting: tau_ns, the same for all paths; observed: the least round-trip time seen on the connection's path, from tau_ns downwards, as theta always has it.",
			Cost: "observed: 2 DSP, one of them a hop lane's; state of rtt_bits a connection, 5 cycles of latency",
			Ref:  "PowerTCP §2.2.3: τ; Algorithm 2: the least round-trip time"},
		{Key: "throughput", Group: structure, Enum: &p.Throughput, Choices: []string{PerHop, PerAck}, Flag: true,
			Doc:  "Input per cycle: hop: one hop, so an ACK of five hops takes five cycles; ack: an ACK with all of its hops.",
			Cost: "ack: a hop lane of 4 DSP and a record memory for each hop",
			Ref:  "nicgen"},
		{Key: "hops", Group: structure, Unit: "hops", Int: &p.Hops, Min: 1, Max: 16, Flag: true,
			Doc:  "Hops of an ACK that the unit uses; it ignores further ones, and counts such ACKs.",
			Cost: "record memory: connections × hops; with throughput ack a lane each",
			Ref:  "HPCC INT header: 5; a fat-tree path there and back: 10"},
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections that the unit keeps state for.",
			Cost: "all memories grow linearly; the comparators that hold an ACK back by 4 LUT an address bit",
			Ref:  "nicgen"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers not below connections are illegal and counted.",
			Cost: "about 4 LUT a bit",
			Ref:  "nicgen"},
		{Key: "path_bits", Group: structure, Unit: "bits", Int: &p.PathBits, Min: 1, Max: 32, Flag: true, SV: "PATH_BITS",
			Doc:  "Width of the path identifier; an ACK of another path than the previous one restarts the telemetry.",
			Cost: "state: connections × path_bits",
			Ref:  "HPCC pathID: 12 bits"},
		{Key: "state_memory", Group: structure, Enum: &p.StateMemory, Choices: []string{gen.Auto, gen.LUTRAM, gen.BRAM, gen.URAM}, Flag: true,
			Doc:  "Memory for the state; auto: LUTRAM up to 64 rows, URAM above 16384, else BRAM; a row is a connection, or, of telemetry with throughput hop, one hop of a connection.",
			Cost: "LUTRAM: about 1 LUT for each 64 bits; BRAM: 1 RAMB36 for each 36 Kb; URAM: 1 for each 4096 rows of up to 72 bits, and multiplexers of about 1 LUT a bit for 3 of them",
			Ref:  "nicgen"},
		{Key: "ram_latency", Group: structure, Unit: "cycles", Int: &p.RAMLatency, Min: 1, Max: 2, SV: "RAM_LATENCY",
			Doc:  "Cycles from an address to the data of the block RAMs and UltraRAMs of the state; 2 uses their output registers.",
			Cost: "2: a cycle of latency, and the flip-flops of a stage",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "13 × counter_bits FF and carry bits",
			Ref:  "nicgen"},
		{Key: "rtt_bits", Group: structure, Unit: "bits", Int: &p.RTTBits, Min: 8, Max: 26, Flag: true,
			Doc:  "Width of τ and of a round-trip time in ns.",
			Cost: "2 LUT a bit; theta: state of 2 × rtt_bits a connection",
			Ref:  "PowerTCP Algorithms 1 and 2"},
		{Key: "now_bits", Group: structure, Unit: "bits", Int: &p.NowBits, Min: 24, Max: 32, Flag: true,
			Doc:  "Width of the arrival time of an ACK in ns (theta); less than 2^now_bits ns may pass between two updates of a connection.",
			Cost: "state: now_bits a connection",
			Ref:  "PowerTCP Algorithm 2 t_c"},
		{Key: "state_protection", Group: structure, Enum: &p.Protection, Choices: []string{None, Triple},
			Doc:  "Protection of the state against single-event upsets: triple: state that would stay wrong, the link-rate table and a connection's τ (theta), is stored three times, read by majority and corrected.",
			Cost: "the table of each hop lane and the memory of τ three times",
			Ref:  "nicgen"},

		{Key: "hop_format", Group: telemetry, Enum: &p.HopFormat, Choices: []string{Word, Fields}, Flag: true,
			Doc:  "Ports for a hop's telemetry: word: one word of rate code, time, bytes sent and queue length from the low end; fields: a port for each field.",
			Cost: "none",
			Ref:  "HPCC INT header"},
		{Key: "rate_bits", Group: telemetry, Unit: "bits", Int: &p.RateBits, Min: 1, Max: 4, Flag: true,
			Doc:  "Width of the link-rate code; the link-rate table has 2^rate_bits entries.",
			Cost: "a table of 64 bits an entry for each hop lane",
			Ref:  "HPCC INT header: 3 in the simulator, 4 on the wire"},
		{Key: "time_bits", Group: telemetry, Unit: "bits", Int: &p.TimeBits, Min: 8, Max: 32, Flag: true,
			Doc:  "Width of a hop's time in ns; less than 2^time_bits ns may pass between two samples of a hop.",
			Cost: "state: connections × hops × time_bits; 3 LUT a bit and lane",
			Ref:  "HPCC INT header: 24"},
		{Key: "tx_bits", Group: telemetry, Unit: "bits", Int: &p.TxBits, Min: 8, Max: 32, Flag: true,
			Doc:  "Width of a hop's count of bytes sent; less than seven eighths of its range may be sent between two ACKs.",
			Cost: "state: connections × hops × tx_bits; 3 LUT a bit and lane",
			Ref:  "HPCC INT header: 20"},
		{Key: "tx_unit_bytes", Group: telemetry, Unit: "bytes", Int: &p.TxUnit, Min: 1, Max: 4096, PowerOfTwo: true, Flag: true,
			Doc:  "Unit of the count of bytes sent.",
			Cost: "as 1 bit of tx_bits for each doubling above the largest power of two that divides qlen_unit_bytes",
			Ref:  "HPCC INT header: 128"},
		{Key: "qlen_bits", Group: telemetry, Unit: "bits", Int: &p.QlenBits, Min: 8, Max: 26, Flag: true,
			Doc:  "Width of a hop's queue length.",
			Cost: "1 LUT a bit and lane; above 26 a second DSP",
			Ref:  "HPCC INT header: 17 in the simulator, 16 on the wire"},
		{Key: "qlen_unit_bytes", Group: telemetry, Unit: "bytes", Int: &p.QlenUnit, Min: 1, Max: 4096, Flag: true,
			Doc:  "Unit of the queue length; the sum of at most two powers of two.",
			Cost: "1 LUT a bit and lane if it is not a power of two",
			Ref:  "HPCC INT header: 80"},

		{Key: "gamma_ppm", Group: runtime, Unit: "ppm", Int: &p.GammaPPM, Min: 1, Max: 1_000_000, Flag: true, Runtime: true, Port: "cfg_gamma",
			Doc: "γ, the weight of the new window, in millionths.",
			Ref: "PowerTCP §2.4: 0.9"},
		{Key: "beta_bytes", Group: runtime, Unit: "bytes", Int: &p.BetaBytes, Min: 0, Max: maxBeta, Flag: true, Runtime: true, Port: "cfg_beta",
			Doc: "β, the additive increase; its sum over all flows is the equilibrium queue. 543 is the authors' simulator's 150 Mb/s × tau_ns.",
			Ref: "PowerTCP §2.4: host bandwidth × τ / N"},
		{Key: "tau_ns", Group: runtime, Unit: "ns", Int: &p.TauNS, Min: minTau, Max: maxTau, Flag: true, Runtime: true, Port: "cfg_tau_ns",
			Auto: gen.AtMost(d.TauNS, func() int64 { return 1<<p.RTTBits - 1 }, "rtt_bits"),
			Doc:  "τ, the largest round-trip time of the empty network; theta and base_rtt observed: the initial value of the running minimum.",
			Ref:  "PowerTCP §2.4: 28.96 µs for 256 hosts"},
		{Key: "target_utilisation_ppm", Group: runtime, Unit: "ppm", Int: &p.TargetPPM, Min: 510_000, Max: 1_000_000, Flag: true, Runtime: true, Port: "cfg_init_power",
			Doc: "Target utilisation: the utilisation at which a link counts as full, in millionths; 950000 gives the authors' figures.",
			Ref: "authors' simulator U_TARGET 0.95"},
		{Key: "lambda_floor_ppm", Group: runtime, Unit: "ppm", Int: &p.FloorPPM, Min: 1_000, Max: 1_000_000, Flag: true, Runtime: true, Port: p.floorPort(),
			Doc: "Lower bound of a hop's arrival rate λ, in millionths of its bandwidth; theta: of θ̇ + 1.",
			Ref: "authors' simulator: 0.5"},
		{Key: "min_window_bytes", Group: runtime, Unit: "bytes", Int: &p.MinWindowBytes, Min: 1, Max: maxWindow, Flag: true, Runtime: true, Port: "cfg_min_window",
			Auto: gen.AtMost(d.MinWindowBytes, func() int64 { return p.MaxWindowBytes }, "max_window_bytes"),
			Doc:  "Least window: one segment.",
			Ref:  "nicgen"},
		{Key: "max_window_bytes", Group: runtime, Unit: "bytes", Int: &p.MaxWindowBytes, Min: 1, Max: maxWindow, Flag: true, Runtime: true, Port: "cfg_max_window",
			Doc: "Largest window, and the initial one: host bandwidth × τ.",
			Ref: "PowerTCP Algorithm 1 cwnd_init"},
	}
	for i := range p.LinkRatesMbps {
		f = append(f, gen.Field{Key: fmt.Sprintf("link_rate_%d_mbps", i), Group: runtime, Unit: "Mb/s", Int: &p.LinkRatesMbps[i], Max: maxLinkMbps,
			Runtime: true, Port: p.ratePort(),
			Doc: fmt.Sprintf("Bandwidth of a link with rate code %d, from power-up until the table is written; 0: the code is unknown. Codes from 2^rate_bits upwards are not used.", i),
			Ref: "HPCC INT header"})
	}
	return f
}

// floorPort returns the port for the floor of λ.
func (p *Params) floorPort() string {
	if p.HasINT() {
		return "s_rate_entry"
	}
	return "cfg_theta_floor"
}

// ratePort returns the port for link rates; a unit without telemetry has none.
func (p *Params) ratePort() string {
	if p.HasINT() {
		return "s_rate_entry"
	}
	return ""
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	add := func(key string, found any, allowed string) {
		out = append(out, gen.Problem{Key: key, Found: fmt.Sprint(found), Allowed: allowed})
	}
	if need := int64(sv.CLog2(p.Connections)); p.ConnBits < need {
		add("conn_bits", p.ConnBits, fmt.Sprintf("at least %d for connections %d", need, p.Connections))
	}
	if bits.OnesCount64(uint64(p.QlenUnit)) > 2 {
		add("qlen_unit_bytes", p.QlenUnit, "a sum of at most two powers of two, such as 64, 80 or 96")
	}
	if p.MinWindowBytes > p.MaxWindowBytes {
		add("min_window_bytes", p.MinWindowBytes, fmt.Sprintf("at most max_window_bytes (%d)", p.MaxWindowBytes))
	}
	if p.Variant == Both && p.BaseRTT == Observed {
		add("base_rtt", p.BaseRTT, "setting with variant both")
	}
	if p.TauNS >= 1<<p.RTTBits {
		add("tau_ns", p.TauNS, fmt.Sprintf("below 2^%d with rtt_bits %d", p.RTTBits, p.RTTBits))
	}
	if p.HasINT() {
		for code := range 1 << p.RateBits {
			if why := p.rate(code).trouble(p); why != "" {
				add(fmt.Sprintf("link_rate_%d_mbps", code), p.LinkRatesMbps[code], why)
			}
		}
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "powertcp" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "PowerTCP window: congestion window and pacing rate from every acknowledgement"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Addanki, PowerTCP: Pushing the Performance Limits of Datacenter Networks, dissertation ch. 2, Algorithms 1 and 2"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_powertcp" }

// HasINT reports whether the unit uses telemetry.
func (p *Params) HasINT() bool { return p.Variant != Theta }

// HasTheta reports whether the unit uses round-trip times.
func (p *Params) HasTheta() bool { return p.Variant != INT }

// Observes reports whether τ of an ACK with telemetry is the least round-trip time of
// its path.
func (p *Params) Observes() bool { return p.Variant == INT && p.BaseRTT == Observed }

// HasRTT reports whether ACKs carry round-trip times.
func (p *Params) HasRTT() bool { return p.HasTheta() || p.Observes() }

// Lanes returns the number of hop lanes, which is the number of hops that enter per cycle, or 1
// without telemetry.
func (p *Params) Lanes() int64 {
	if p.HasINT() && p.Throughput == PerAck {
		return p.Hops
	}
	return 1
}

// WordBits returns the width of a hop's telemetry.
func (p *Params) WordBits() int64 { return p.RateBits + p.TimeBits + p.TxBits + p.QlenBits }

// ByteUnit returns the unit in bytes of a hop lane's arithmetic: the greatest common
// divisor of the units of both telemetry fields.
func (p *Params) ByteUnit() int64 { return min(p.TxUnit, p.QlenUnit&-p.QlenUnit) }

// SumBits returns the width of queue length + bytes sent in units of ByteUnit: as wide
// as the count of bytes sent, so that both wrap together.
func (p *Params) SumBits() int { return int(p.TxBits) + sv.CLog2(p.TxUnit/p.ByteUnit()) }

// ShiftBase returns the shift of the link-rate table's factor of the queue length at
// shift code 0.
func (p *Params) ShiftBase() int { return max(0, 11-sv.CLog2(p.QlenUnit)) }

// ConnIdxBits returns the number of bits that address a connection, at least 1.
func (p *Params) ConnIdxBits() int { return sv.IdxW(p.Connections) }

// HopIdxBits returns the number of bits that address a hop, at least 1.
func (p *Params) HopIdxBits() int { return sv.IdxW(p.Hops) }

// CountBits returns the number of bits of a hop count from 0 to hops.
func (p *Params) CountBits() int { return sv.CLog2(p.Hops + 1) }

// UpdatesEachAck reports whether θ-PowerTCP computes a window with every ACK.
func (p *Params) UpdatesEachAck() bool { return p.ThetaUpdate == EveryAck }

// CounterNames returns the event counters of this variant, in port order.
func (p *Params) CounterNames() []string {
	names := []string{"ack", "first", "path", "no_sample"}
	if p.HasINT() {
		names = append(names, "stale_hop", "excess", "rate_code")
	}
	names = append(names, "clamp_low", "clamp_high")
	if p.HasTheta() {
		names = append(names, "in_rtt")
	}
	return append(names, "flush", "illegal_conn", "not_ready")
}
