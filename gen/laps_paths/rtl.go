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

// inURAM is the number of paths from which memories of all paths live in URAM under
// Auto: they fill one in depth.
const inURAM = 4096

// PathKind is the memory of what is kept by path number: BRAM or URAM.
func (p *Params) PathKind() string {
	return gen.MemoryFor(p.PathMemory, p.Paths(), 0, inURAM-1)
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	parts := []string{"nic_lib_delay", "nic_lib_ram_block", "nic_lib_ram_lut"}
	ram, forward := rtl.PartIn("ram", p.PathKind()), rtl.PartIn("fwd", p.PathKind())
	if p.PathKind() == gen.URAM {
		parts = append(parts, ram)
	}
	parts = append(parts, forward)
	files, err := rtl.Parts(parts...)
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{
		"Banks": p.Banks, "Rows": p.Rows, "BankW": p.BankBits(), "RowW": p.RowBits(),
		"LatBits": p.LatBits, "TimeBits": p.TimeBits, "AnchorsW": p.Anchors * AnchorBits,
		"Own": p.AckLookup == Own, "Longest": p.Baselines == Longest,
		"PathLat": p.PathLatency, "Parity": p.StateProtection == Parity, "PathRAM": ram, "PathFwd": forward,
		"CandLatency": CandLatency, "RateLatency": RateLatency, "PathLatency": PathLatency,
		"WriteWindow": WriteWindow, "HoldEvery": HoldEvery,
		"PidMore": p.PidBits > int64(p.PathIdxBits()),
	}, "laps_paths")
	return append(files, own...), err
}
