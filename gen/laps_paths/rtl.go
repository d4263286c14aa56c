// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// inURAM is the least number of paths for which memories of all paths live in URAM under Auto: they
// fill one in depth.
const inURAM = 4096

// PathKind returns the kind of memory for the data stored by path number: BRAM or URAM.
func (p *Params) PathKind() string {
	return gen.MemoryFor(p.PathMemory, p.Paths(), 0, inURAM-1)
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	parts := []string{"nic_lib_delay", "nic_lib_ram_block", "nic_lib_ram_lut", "nic_lib_fwd_block"}
	ram, forward := rtl.PartIn("ram", p.PathKind()), rtl.PartIn("fwd", p.PathKind())
	if p.PathKind() == gen.URAM {
		parts = append(parts, ram, forward)
	}
	files, err := rtl.Parts(parts...)
	if err != nil {
		return nil, err
	}
	parity := p.StateProtection == Parity
	slot := 1 + p.RowBits() // of a bank in a set: used, row
	names := []string{"parity", "flag", "change", "set", "sets", "bank", "banks", "probe", "hold", "pick"}
	if parity {
		slot++
		names = append(names, "corrupt")
	}
	own, err := texts.Modules(p, map[string]any{
		"Destinations": p.Destinations, "DstBits": p.DstBits, "PidBits": p.PidBits, "TagBits": p.TagBits, "CounterBits": p.CounterBits,
		"Banks": p.Banks, "Rows": p.Rows, "Paths": p.Paths(), "BankW": p.BankBits(), "RowW": p.RowBits(), "PathW": p.PathIdxBits(), "SlotW": slot,
		"LatBits": p.LatBits, "TimeBits": p.TimeBits, "AnchorsW": p.Anchors * AnchorBits,
		"Own": p.AckLookup == Own, "Longest": p.Baselines == Longest,
		"PathLat": p.PathLatency, "Parity": parity, "PathRAM": ram, "PathFwd": forward,
		"CandLatency": CandLatency, "RateLatency": RateLatency, "PathLatency": PathLatency,
		"WriteWindow": WriteWindow, "HoldEvery": HoldEvery,
	}, append(names, "count", "laps_paths")...)
	return append(files, own...), err
}
