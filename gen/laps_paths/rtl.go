// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	"bytes"
	_ "embed"
	"fmt"
	"strings"
	"text/template"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl/lib"
)

//go:embed laps_paths.sv.tmpl
var text string

var source = template.Must(template.New("nic_laps_paths.sv").Parse(text))

// inURAM is the number of paths from which memories of all paths live in URAM under
// Auto: they fill one in depth.
const inURAM = 4096

// PathKind is the memory of what is kept by path number: BRAM or URAM.
func (p *Params) PathKind() string {
	switch {
	case p.PathMemory != Auto:
		return p.PathMemory
	case p.Paths() >= inURAM:
		return URAM
	}
	return BRAM
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	parts := []string{"nic_lib_delay", "nic_lib_ram_block", "nic_lib_ram_lut"}
	ram, forward := "nic_lib_ram_block", "nic_lib_fwd_block"
	if p.PathKind() == URAM {
		ram, forward = "nic_lib_ram_ultra", "nic_lib_fwd_ultra"
		parts = append(parts, ram)
	}
	parts = append(parts, forward)
	files, err := lib.Parts(parts...)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = source.Execute(&b, map[string]any{
		"Header": sv.Header(p), "Checks": strings.TrimRight(sv.Checks(p), "\n"),
		"Banks": p.Banks, "Rows": p.Rows, "BankW": p.BankBits(), "RowW": p.RowBits(),
		"LatBits": p.LatBits, "TimeBits": p.TimeBits, "AnchorsW": p.Anchors * AnchorBits,
		"Own": p.AckLookup == Own, "Longest": p.Baselines == Longest,
		"PathLat": p.PathLatency, "Parity": p.StateProtection == Parity, "PathRAM": ram, "PathFwd": forward,
		"CandLatency": CandLatency, "RateLatency": RateLatency, "PathLatency": PathLatency,
		"WriteWindow": WriteWindow, "HoldEvery": HoldEvery,
		"PidMore": p.PidBits > int64(p.PathIdxBits()),
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name(), err)
	}
	return append(files, gen.File{Name: source.Name(), Text: b.String()}), nil
}
