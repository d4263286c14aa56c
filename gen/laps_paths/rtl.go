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

// inURAM is the number of paths from which a memory of all paths lives in URAM: it
// fills one in depth.
const inURAM = 4096

// AnchorKind is the memory of the anchors: BRAM or URAM.
func (p *Params) AnchorKind() string {
	switch {
	case p.AnchorMemory != Auto:
		return p.AnchorMemory
	case p.Paths() >= inURAM:
		return URAM
	}
	return BRAM
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	parts := []string{"nic_lib_delay", "nic_lib_ram_block", "nic_lib_ram_lut"}
	anchors, latency := "nic_lib_ram_block", "nic_lib_fwd_block"
	if p.Paths() >= inURAM {
		latency = "nic_lib_fwd_ultra"
	}
	if p.AnchorKind() == URAM {
		anchors = "nic_lib_ram_ultra"
	}
	if anchors == "nic_lib_ram_ultra" || p.PathLatency && latency == "nic_lib_fwd_ultra" {
		parts = append(parts, "nic_lib_ram_ultra")
	}
	if p.PathLatency {
		parts = append(parts, latency)
	}
	files, err := lib.Parts(parts...)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = source.Execute(&b, map[string]any{
		"Header": sv.Header(p), "Checks": strings.TrimRight(sv.Checks(p), "\n"),
		"Banks": p.Banks, "Rows": p.Rows, "BankW": p.BankBits(), "RowW": p.RowBits(),
		"LatBits": p.LatBits, "TimeBits": p.TimeBits, "AnchorsW": p.Anchors * AnchorBits,
		"Own": p.AckLookup == Own, "AnchorRAM": anchors,
		"PathLat": p.PathLatency, "LatencyRAM": latency,
		"CandLatency": CandLatency, "RateLatency": RateLatency, "PathLatency": PathLatency,
		"PidMore": p.PidBits > int64(p.PathIdxBits()),
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name(), err)
	}
	return append(files, gen.File{Name: source.Name(), Text: b.String()}), nil
}
