// SPDX-License-Identifier: Apache-2.0

// Package niccsr generates the registers of a NIC: an AXI4-Lite slave with a block of registers for
// each unit, as package csr lays them out. docs/units/nic_csr.md describes the unit.
package niccsr

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/gen/laps"
	"github.com/nicgen/nicgen/gen/plb"
	"github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/gen/reps"
	repsdetector "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/gen/sv"
)

// Latencies of the unit, in cycles.
const (
	ReadLatency  = 5 // from the cycle in which an address is taken to the first cycle with the data
	ReadSample   = 3 // from the cycle in which an address is taken to the cycle in which levels and counters are read
	WriteLatency = 2 // from the cycle in which the last of address and data is taken to the first cycle with the answer
)

// Choices of units.
const (
	None     = "none"
	REPS     = "reps"
	PLB      = "plb"
	Spray    = "spray"
	LAPS     = "laps"
	PowerTCP = "powertcp"
)

// Params is one configuration of the unit. The zero value is not legal: start from Default.
type Params struct {
	Path        string
	Window      string
	AddrBits    int64
	CounterBits int64
	Totals      bool

	// Units, if not nil, are the units that get blocks, instead of Path and Window in their default
	// configurations.
	Units []csr.Unit
}

// Default returns the registers of REPS with its failure detector, and of PowerTCP.
func Default() *Params {
	return &Params{Path: REPS, Window: PowerTCP, AddrBits: 16, CounterBits: 32}
}

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

const structure = "Structure"

// Fields returns the parameter table.
func (p *Params) Fields() []gen.Field {
	return append([]gen.Field{
		{Key: "path", Group: structure, Enum: &p.Path, Choices: []string{REPS, None, PLB, Spray, LAPS}, Flag: true,
			Doc:  "The unit that chooses paths, which gets a block; reps: one for its failure detector too.",
			Cost: "LUT and FF for each bit of its settings, counters and streams",
			Ref:  "nicgen"},
		{Key: "window", Group: structure, Enum: &p.Window, Choices: []string{PowerTCP, None}, Flag: true,
			Doc:  "The unit that computes windows, which gets a block.",
			Cost: "as path",
			Ref:  "nicgen"},
		{Key: "totals", Group: structure, Bool: &p.Totals, Flag: true,
			Doc:  "Counters of up to 16 bits are gathered in block RAM into totals of 64 bits, each once in as many cycles as there are counters; else they are read as they are.",
			Cost: "1 RAMB36, and LUT and FF for a multiplexer of all counters; narrow counters save theirs, and those of the read multiplexer",
			Ref:  "nicgen"},
	}, p.own()...)
}

// own returns the parameters that the unit's own block shows.
func (p *Params) own() []gen.Field {
	d := Default()
	return []gen.Field{
		{Key: "addr_bits", Group: structure, Unit: "bits", Int: &p.AddrBits, Min: 12, Max: 32, Flag: true,
			Doc:  "Width of an address in bytes; a block takes 4,096 bytes. Addresses beyond the last block are holes.",
			Cost: "2 FF a bit",
			Ref:  "nicgen"},
		{Key: "counter_bits", Group: structure, Unit: "bits", Int: &p.CounterBits, Min: 8, Max: 64,
			Auto: gen.AtMost(d.CounterBits, p.mostCounterBits, "totals"),
			Doc:  "Width of the counter of illegal accesses; it wraps. With totals, at most 16, and that of the units' counters too.",
			Cost: "1 FF and 1 LUT a bit",
			Ref:  "nicgen"},
	}
}

// mostCounterBits returns the widest counter of illegal accesses.
func (p *Params) mostCounterBits() int64 {
	if p.Totals {
		return csr.MostNarrow
	}
	return 64
}

// Check applies the rules over several fields.
func (p *Params) Check() []gen.Problem {
	m, err := p.Map()
	if err != nil {
		return []gen.Problem{{Key: "path", Found: err.Error(), Allowed: "units that fit into their blocks"}}
	}
	if p.CounterBits > p.mostCounterBits() {
		return []gen.Problem{{Key: "counter_bits", Found: fmt.Sprint(p.CounterBits), Allowed: fmt.Sprintf("at most %d with totals", csr.MostNarrow)}}
	}
	if n, bits := len(p.totals(m)), narrow(m); n > 0 {
		if need := 1 + sv.CLog2(int64(max(n, leastSlots))); bits < need {
			return []gen.Problem{{Key: "counter_bits", Found: fmt.Sprint(bits), Allowed: fmt.Sprintf("at least %d for %d totals", need, n)}}
		}
		for _, t := range p.totals(m) {
			if t.reg.Narrow != bits {
				return []gen.Problem{{Key: "totals", Found: fmt.Sprintf("counters of %d and %d bits", bits, t.reg.Narrow), Allowed: "counters of one width"}}
			}
		}
	}
	if need := int64(csr.Log2Size + sv.CLog2(int64(len(m.Blocks)))); p.AddrBits < need {
		return []gen.Problem{{Key: "addr_bits", Found: fmt.Sprint(p.AddrBits), Allowed: fmt.Sprintf("at least %d for %d blocks", need, len(m.Blocks))}}
	}
	return nil
}

// units returns the units that get blocks.
func (p *Params) units() []csr.Unit {
	if p.Units != nil {
		return p.Units
	}
	var list []csr.Unit
	add := func(cfgs ...gen.Config) {
		for _, cfg := range cfgs {
			for _, f := range cfg.Fields() {
				if p.Totals && f.Key == "counter_bits" {
					*f.Int = p.CounterBits
				}
			}
			list = append(list, csr.Unit{Name: cfg.Unit(), Config: cfg})
		}
	}
	switch p.Path {
	case REPS:
		add(reps.New(), repsdetector.New())
	case PLB:
		add(plb.New())
	case Spray:
		add(spray.New())
	case LAPS:
		add(laps.New())
	}
	if p.Window == PowerTCP {
		add(powertcp.New())
	}
	return list
}

// ownPorts returns the contents of the unit's own block as if they were the ports of another unit.
func (p *Params) ownPorts() []gen.Port {
	var l gen.PortList
	l.Out("evt_hole", "", 1, "pulse", "", "A read of a word that cannot be read; it gave 0.")
	l.Out("evt_lost", "", 1, "pulse", "", "A write to a word that cannot be written; it changed nothing.")
	l.Out("evt_strobe", "", 1, "pulse", "", "A write without all strobes; it changed nothing and was answered with SLVERR.")
	l.Out("sts_irq", "", max(2, int64(len(p.units())+1)), "1 bit a block, in their order", "", "Blocks that raise the interrupt.")
	l.Out("sts_illegal_cnt", "", p.CounterBits, "unsigned, wraps", "", "Accesses that raised one of the events.")
	return l.Ports
}

// Map returns the register map.
func (p *Params) Map() (*csr.Map, error) {
	return csr.New(csr.Own{Title: p.Title(), Ports: p.ownPorts(), Parameters: p.own(), Totals: p.Totals}, p.units())
}

// Unit implements gen.Config.
func (p *Params) Unit() string { return csr.Self }

// Title implements gen.Config.
func (p *Params) Title() string {
	return "NIC registers: an AXI4-Lite slave with a block for each unit"
}

// Paper implements gen.Config.
func (p *Params) Paper() string {
	return "Arm, AMBA AXI Protocol Specification, IHI 0022, AXI4-Lite; Forencich et al., Corundum: An Open-Source 100-Gbps NIC, FCCM 2020"
}

// Top implements gen.Config.
func (p *Params) Top() string { return "nic_csr" }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{"read address to data": ReadLatency, "write to answer": WriteLatency}
}
