// SPDX-License-Identifier: Apache-2.0

// Package markrun generates the ECN run counter: for each connection, how many
// acknowledgements in a row carried an ECN mark. docs/units/mark_run.md describes the unit.
package markrun

import (
	"embed"
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

// Latency is the number of cycles from an acknowledgement to its answer.
const Latency = 4

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	gen.Name
	Connections int64
	ConnBits    int64
	RunBits     int64
	StateMemory string
	CounterBits int64

	Threshold int64
}

// Default returns a configuration for 256 connections.
func Default() *Params {
	return &Params{
		Name: gen.Named("mark_run", "ECN run counter: how many acknowledgements in a row were marked",
			"an example; Qureshi et al., PLB, SIGCOMM 2022, counts congested rounds in a row"),
		Connections: 256, ConnBits: 16, RunBits: 8, StateMemory: gen.Auto, CounterBits: 32, Threshold: 64,
	}
}

// Headings of the parameters.
const (
	structure = "Structure"
	runtime   = "Run-time settings"
)

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	d := Default()
	return []gen.Field{
		{Key: "connections", Group: structure, Unit: "connections", Int: &p.Connections, Min: 1, Max: 65536, Flag: true, SV: "CONNECTIONS",
			Doc:  "Connections with a run of their own.",
			Cost: "memory: connections × run_bits"},
		gen.ConnBits(structure, &p.ConnBits),
		{Key: "run_bits", Group: structure, Unit: "bits", Int: &p.RunBits, Min: 1, Max: 16, Flag: true, SV: "RUN_BITS",
			Doc:  "Width of a run; a longer run stays at all ones.",
			Cost: "memory: connections × run_bits; about 3 LUT and 2 FF a bit"},
		{Key: "state_memory", Group: structure, Enum: &p.StateMemory, Choices: []string{gen.Auto, gen.LUTRAM, gen.BRAM}, Flag: true,
			Doc:  "Memory for the runs; auto: LUTRAM up to 512 connections, BRAM above.",
			Cost: "BRAM: 1 RAMB18 for each 2,048 connections with runs of up to 9 bits; LUTRAM: about 1 LUT for each 40 bits"},
		gen.CounterBits(structure, &p.CounterBits, len(counters)),
		{Key: "threshold", Group: runtime, Unit: "acknowledgements", Int: &p.Threshold, Min: 0, Max: 65535, Flag: true, Runtime: true, Port: "cfg_threshold",
			Auto: gen.AtMost(d.Threshold, func() int64 { return 1<<p.RunBits - 1 }, "run_bits"),
			Doc:  "Runs from it upwards are hot; below 2^run_bits. With 0, every acknowledgement is hot."},
	}
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	out := gen.Fits("conn_bits", p.ConnBits, "connections", p.Connections)
	if p.Threshold >= 1<<p.RunBits {
		out = append(out, gen.Problem{Key: "threshold", Found: fmt.Sprint(p.Threshold),
			Allowed: fmt.Sprintf("below 2^%d with run_bits %d", p.RunBits, p.RunBits)})
	}
	return out
}

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int { return map[string]int{"ACK to run": Latency} }

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	answer, counted := fmt.Sprintf("ACK + %d cycles", Latency), fmt.Sprintf("ACK + %d cycles", Latency+1)
	const conn = "connection, 0 to CONNECTIONS-1"

	l.Group = "Clock, reset"
	l.In("clk", "", 1, "flag", "", "Clock; everything happens on its rising edge.")
	l.In("rst", "", 1, "flag", "synchronous, active high", "Reset; then every run is cleared.")
	l.Out("sts_ready", "", 1, "flag", "high CONNECTIONS + 1 cycles after rst", "Low while runs are cleared: ACKs are then not taken.")

	l.Group = "Acknowledgement"
	l.In("s_ack_valid", "", 1, "flag", "taken every cycle", "An ACK arrived.")
	l.In("s_ack_conn", "CONN_BITS", p.ConnBits, conn, "with s_ack_valid", "Its connection.")
	l.In("s_ack_ecn", "", 1, "flag", "with s_ack_valid", "It echoes an ECN mark.")

	l.Group = "Run"
	l.Out("m_ack_valid", "", 1, "flag", answer, "The answer to an ACK of a connection that exists; in order.")
	l.Out("m_ack_conn", "CONN_BITS", p.ConnBits, conn, answer, "Its connection.")
	l.Out("m_ack_run", "RUN_BITS", p.RunBits, "unsigned, saturates at all ones", answer, "Marked ACKs in a row up to this one; 0 if it is not marked.")
	l.Out("m_ack_hot", "", 1, "flag", answer, "The run is at or above the threshold.")

	l.Group = "Run-time settings"
	l.In("cfg_threshold", "RUN_BITS", p.RunBits, "unsigned", "sampled with each ACK", "Runs from it upwards are hot.")

	l.Group = "Events"
	l.Out("evt_illegal", "", 1, "pulse", answer, "An ACK named a connection that does not exist; it changed nothing.")

	l.Group = "Counters"
	for i, meaning := range []string{"ACKs of connections that exist.", "Marked ones.", "Hot ones.", "ACKs of connections that do not exist."} {
		l.Out("sts_"+counters[i]+"_cnt", "COUNTER_BITS", p.CounterBits, "unsigned, wraps", counted, meaning)
	}
	return l.Ports
}

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	return []gen.State{{Name: "run", Bits: int(p.RunBits), Memories: []string{"runs"}, Meaning: "marked ACKs in a row"}}
}

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// stateInLUTRAM is the largest number of connections for which Auto keeps runs in LUTRAM.
const stateInLUTRAM = 512

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ram := rtl.PartIn("fwd", gen.MemoryFor(p.StateMemory, p.Connections, stateInLUTRAM, gen.NoURAM))
	parts, err := rtl.Parts(ram)
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{"Latency": Latency, "RAM": ram}, "mark_run")
	return append(parts, own...), err
}
