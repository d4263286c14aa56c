// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// stateInLUTRAM is the largest number of flows for which the state lives in LUTRAM under Auto:
// above it RAMB18s are better used than that many LUTs.
const stateInLUTRAM = 64

// StateKind returns the memory of the state: LUTRAM or BRAM.
func (p *Params) StateKind() string {
	return gen.MemoryFor(p.StateMemory, p.Flows, stateInLUTRAM, gen.NoURAM)
}

// tree is one of the trees.
type tree struct {
	Name, Port string
	Max        bool
}

// trees returns the trees that the operands leave to the unit, and the extremes that come ready-made.
func (p *Params) trees() (trees, ready []tree) {
	all := []tree{{Name: "least", Port: "s_ack_min_latency_ns"}}
	if p.Decrease == Most {
		all = append(all, tree{Name: "most", Port: "s_ack_max_latency_ns", Max: true})
	}
	all = append(all, tree{Name: "base", Port: "s_ack_max_base_ns", Max: true})
	switch p.Operands {
	case ExtremesOp:
		return nil, all
	case LatenciesOp:
		return all[:len(all)-1], all[len(all)-1:]
	}
	return all, nil
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	kind := p.StateKind()
	ram := rtl.PartIn("fwd", kind)
	files, err := rtl.Parts("nic_lib_delay", ram)
	if err != nil {
		return nil, err
	}
	trees, ready := p.trees()
	for i, t := range trees {
		trees[i].Port = "s_ack_latency_ns"
		if t.Name == "base" {
			trees[i].Port = "s_ack_base_ns"
		}
	}
	modules := []string{"above", "gate", "rates", "laps_rate"}
	if p.Least > 0 {
		modules = append([]string{"below"}, modules...)
	}
	if len(trees) > 0 {
		modules = append([]string{"extreme"}, modules...)
	}
	own, err := texts.Modules(p, map[string]any{
		"Latency": p.RateLatency(), "SettingsDelay": p.SettingsDelay(), "RAM": ram, "Block": kind == gen.BRAM,
		"Paths": p.Paths, "LatBits": p.LatBits, "TimeBits": p.TimeBits, "RateBits": p.RateBits, "StageBits": StageBits,
		"Trees": trees, "Ready": ready, "Tree": len(trees) > 0,
		"Earlier": p.Levels() - 1, "Last": p.Levels(), "Known": p.Levels() + 1,
		"Least":      p.Least,
		"DecreaseOf": map[string]string{Least: "t", Most: "the largest realVal"}[p.Decrease],
		"IncreaseOf": map[string]string{Least: "t", Base: "T"}[p.Increase],
		"DecreaseBy": map[string]string{Least: "least", Most: "most"}[p.Decrease],
		"IncreaseBy": map[string]string{Least: "least", Base: "base"}[p.Increase],
	}, modules...)
	return append(files, own...), err
}
