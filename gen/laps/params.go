// SPDX-License-Identifier: Apache-2.0

// Package laps generates the LAPS pipeline: path tables, path picker, rate control and loss
// detector, wired to each other. The parts are units themselves; this package combines their
// settings and connects them.
//
// Source: Wan et al., "LAPS: Latency Aware Packet Spraying", Algorithms 1 to 3.
// docs/units/laps.md describes the unit.
package laps

import (
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/gen"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapspick "github.com/nicgen/nicgen/gen/laps_pick"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/gen/sv"
)

// Params is one configuration of the unit: the configurations of its parts, of which Tables has the
// values that several parts share. Parts makes them agree; the fields of a part that it sets are
// ignored here. The zero value is not legal: start from Default.
type Params struct {
	Tables   lapspaths.Params
	Picker   lapspick.Params
	Rate     lapsrate.Params
	Detector lapsloss.Params
	Loss     bool // with the loss detector: Algorithm 3
}

// Default returns the configuration of the paper's FPGA prototype (LAPS §III-H, §IV-C), and
// Algorithm 3, for which the prototype had no room.
func Default() *Params {
	p := &Params{Tables: *lapspaths.Default(), Picker: *lapspick.Default(), Rate: *lapsrate.Default(), Detector: *lapsloss.Default(), Loss: true}
	p.Rate.FlowBits = 10
	return p
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

// Parts are the configurations of the parts.
type Parts struct {
	Paths *lapspaths.Params
	Pick  *lapspick.Params
	Rate  *lapsrate.Params
	Loss  *lapsloss.Params // nil without loss detector
}

// Parts returns the parts' configurations, which agree with each other.
func (p *Params) Parts() Parts {
	paths, pick, rate := p.Tables, p.Picker, p.Rate
	paths.TagBits, paths.PathLatency = p.CarriedBits(), p.Loss
	pick.Paths, pick.TagBits, pick.Inject, pick.CounterBits = paths.Banks, lapspaths.IDBits, false, paths.CounterBits
	rate.Operands, rate.Paths = lapsrate.LatenciesOp, paths.Banks
	if paths.Baselines == lapspaths.EachOf {
		rate.Operands = lapsrate.PathsOp
	}
	rate.LatBits, rate.TimeBits, rate.CounterBits = paths.LatBits, paths.TimeBits, paths.CounterBits
	parts := Parts{Paths: &paths, Pick: &pick, Rate: &rate}
	if p.Loss {
		loss := p.Detector
		loss.Paths, loss.PidBits, loss.FlowBits = paths.Paths(), paths.PidBits, rate.FlowBits
		loss.LatBits, loss.TimeBits, loss.CounterBits = paths.LatBits, paths.TimeBits, paths.CounterBits
		loss.RAMLatency = rate.RAMLatency
		parts.Loss = &loss
	}
	return parts
}

// list returns the parts in the order of the data.
func (p Parts) list() []gen.Config {
	l := []gen.Config{p.Paths, p.Pick, p.Rate}
	if p.Loss != nil {
		l = append(l, p.Loss)
	}
	return l
}

// SegmentBits returns the number of bits that travel with a packet through the path tables for the
// loss detector: the tracked flag, its flow and its sequence number.
func (p *Params) SegmentBits() int64 {
	if !p.Loss {
		return 0
	}
	return 1 + p.Rate.FlowBits + p.Detector.SeqBits
}

// CarriedBits returns the width of the path tables' tags: the tag of a packet and the data that travels
// with it, or the flow of an ACK.
func (p *Params) CarriedBits() int64 { return max(p.Tables.TagBits+p.SegmentBits(), p.Rate.FlowBits) }

// mostCarried is the widest tag of the path tables.
const mostCarried = 64

// Fields returns the parameter table: the fields of the parts, without those that Parts sets.
func (p *Params) Fields() []gen.Field {
	d := Default()
	loss := gen.Field{Key: "loss", Group: "Structure", Bool: &p.Loss, Flag: true,
		Doc:  "Whether lost segments are detected: Algorithm 3.",
		Cost: "the loss detector; without it the unit is that of the paper's prototype",
		Ref:  "LAPS §III-G, Table V"}
	var all []gen.Field
	add := func(runtime bool, fields []gen.Field, not ...string) {
		for _, f := range fields {
			if f.Runtime == runtime && !slices.Contains(not, f.Key) {
				all = append(all, f)
			}
		}
	}
	for _, runtime := range []bool{false, true} {
		add(runtime, p.Tables.Fields(), "path_latency", "ram_latency", "counter_bits")
		add(runtime, p.Picker.Fields(), "paths", "tag_bits", "inject", "counter_bits")
		add(runtime, p.Rate.Fields(), "operands", "paths", "lat_bits", "time_bits", "counter_bits")
		add(runtime, []gen.Field{loss})
		add(runtime, p.Detector.Fields(), "paths", "pid_bits", "flow_bits", "lat_bits", "time_bits", "ram_latency")
	}
	for i := range all {
		f := &all[i]
		switch f.Key {
		case "flow_bits":
			f.Auto = gen.AtLeast(d.Rate.FlowBits, func() int64 { return int64(sv.CLog2(p.Rate.Flows)) }, "flows")
			f.SV = "" // the detector's rings are as wide
			f.Doc = "Width of a flow's number; numbers from flows upwards have no rate and are counted."
			f.Cost = "about 6 LUT and 5 FF a bit, and a bit of each segment of the rings"
		case "ack_lookup":
			f.Doc = "Throughput in a cycle: shared a packet or an ACK, the paper's rate; own a packet and an ACK."
		case "rto_min_ns":
			f.Auto = gen.AtMost(d.Detector.RTOMinNS, func() int64 { return 1<<(p.Tables.TimeBits-2) - 1 }, "time_bits")
		case "tag_bits":
			f.Auto = gen.AtMost(d.Tables.TagBits, func() int64 { return mostCarried - p.SegmentBits() }, "flow_bits", "seq_bits")
			f.Doc = "Width of the tag returned with a packet's path; with the loss detector tag_bits + flow_bits + seq_bits is at most 63."
		case "ram_latency":
			f.Doc = "Cycles from the address to the data of the block RAMs of rate control and loss detector; 2 uses their output registers. The path tables take one."
			f.Cost = "2: about 200 LUT and 400 FF"
		case "counter_bits":
			*f = p.counterBits()
		}
	}
	return all
}

// counterBits returns the width of all counters.
func (p *Params) counterBits() gen.Field {
	fields := p.Tables.Fields()
	f := fields[slices.IndexFunc(fields, func(f gen.Field) bool { return f.Key == "counter_bits" })]
	f.Cost = "30 × counter_bits FF and carry bits, 21 × without the loss detector"
	return f
}

// Check applies the rules over several fields: the parts' rules, and one for the tags.
func (p *Params) Check() []gen.Problem {
	var out []gen.Problem
	parts := p.Parts()
	for _, part := range parts.list() {
		for _, x := range part.Check() {
			same := func(y gen.Problem) bool { return y.Key == x.Key && y.Found == x.Found }
			if !slices.ContainsFunc(out, same) {
				out = append(out, x)
			}
		}
	}
	if parts.Paths.TagBits > mostCarried {
		out = append(out, gen.Problem{Key: "tag_bits", Found: fmt.Sprint(p.Tables.TagBits),
			Allowed: fmt.Sprintf("at most %d with flow_bits %d and seq_bits %d", mostCarried-p.SegmentBits(), p.Rate.FlowBits, p.Detector.SeqBits)})
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "laps" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "LAPS: path tables, path picker, rate control and loss detector in one pipeline"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Wan et al., LAPS: Latency Aware Packet Spraying, IEEE ToN 2026, Algorithms 1 to 3"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_laps" }

// PortValues implements gen.Driven: each setting in the format of its port. Without the loss
// detector its setting has no port.
func (p *Params) PortValues() map[string]uint64 {
	values := map[string]uint64{}
	for _, f := range p.Fields() {
		if f.Runtime {
			values[f.Port] = uint64(*f.Int)
		}
	}
	return values
}
