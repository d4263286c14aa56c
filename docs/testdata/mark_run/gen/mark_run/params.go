// SPDX-License-Identifier: Apache-2.0

// Package markrun generates the ECN run counter: for each connection, how many
// acknowledgements in a row carried an ECN mark. docs/units/mark_run.md describes the unit.
package markrun

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// Latency is the number of cycles from an acknowledgement to its answer.
const Latency = 4

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Connections int64
	ConnBits    int64
	RunBits     int64
	StateMemory string
	CounterBits int64

	Threshold int64
}

// Default returns a configuration for 256 connections.
func Default() *Params {
	return &Params{Connections: 256, ConnBits: 16, RunBits: 8, StateMemory: gen.Auto, CounterBits: 32, Threshold: 64}
}

// New is Default for the registry.
func New() gen.Config { return Default() }

// Headings of the parameters.
const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// Fields is the parameter table.
func (p *Params) Fields() []gen.Field {
	d := Default()
	return []gen.Field{
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections with a run of their own.",
			Cost: "memory: connections × run_bits",
			Ref:  "nicgen"},
		{Key: "conn_bits", Group: structure, Unit: "bits", Int: &p.ConnBits, Min: 1, Max: 24, SV: "CONN_BITS",
			Doc:  "Width of the connection ports; numbers from connections upwards are illegal and counted.",
			Cost: "about 1 FF a bit, and 1 LUT in 4 bits",
			Ref:  "nicgen"},
		{Key: "run_bits", Group: structure, Unit: "bits", Int: &p.RunBits, Min: 1, Max: 16, Flag: true, SV: "RUN_BITS",
			Doc:  "Width of a run; a longer run stays at all ones.",
			Cost: "memory: connections × run_bits; about 3 LUT and 2 FF a bit",
			Ref:  "nicgen"},
		{Key: "state_memory", Group: structure, Enum: &p.StateMemory, Choices: []string{gen.Auto, gen.LUTRAM, gen.BRAM}, Flag: true,
			Doc:  "Memory for the runs; auto: LUTRAM up to 512 connections, BRAM above.",
			Cost: "BRAM: 1 RAMB18 for each 2,048 connections with runs of up to 9 bits; LUTRAM: about 1 LUT for each 40 bits",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64, SV: "COUNTER_BITS",
			Doc:  "Width of the event counters; they wrap.",
			Cost: "4 × counter_bits FF and carry bits",
			Ref:  "nicgen"},

		{Key: "threshold", Group: runtime, Unit: "acknowledgements", Int: &p.Threshold, Min: 0, Max: 65535, Flag: true, Runtime: true, Port: "cfg_threshold",
			Auto: gen.AtMost(d.Threshold, func() int64 { return 1<<p.RunBits - 1 }, "run_bits"),
			Doc:  "Runs from it upwards are hot; below 2^run_bits. With 0, every acknowledgement is hot.",
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
	if p.Threshold >= 1<<p.RunBits {
		out = append(out, gen.Problem{Key: "threshold", Found: fmt.Sprint(p.Threshold),
			Allowed: fmt.Sprintf("below 2^%d with run_bits %d", p.RunBits, p.RunBits)})
	}
	return out
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return "mark_run" }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "ECN run counter: how many acknowledgements in a row were marked"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "an example; Qureshi et al., PLB, SIGCOMM 2022, counts congested rounds in a row"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_mark_run" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int { return map[string]int{"ACK to run": Latency} }
