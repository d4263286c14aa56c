// SPDX-License-Identifier: Apache-2.0

package lapsloss

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

//go:embed laps_loss.sv.tmpl
var text string

var source = template.Must(template.New("nic_laps_loss.sv").Option("missingkey=error").Parse(text))

const (
	// fewWords is the number of words up to which a memory is LUTRAM under Auto:
	// above it a block RAM is better used than that many LUTs.
	fewWords = 64
	// manyWords is the number of words of a lane from which the rings are URAM under
	// Auto: an URAM288 holds 8,192 words of up to 36 bits.
	manyWords = 8192
)

// RingWords is the number of words in each lane's memory.
func (p *Params) RingWords() int64 { return max(2, p.Paths) * p.Depth / p.Lanes }

// RingKind is the memory of the rings: LUTRAM, BRAM or URAM.
func (p *Params) RingKind() string {
	switch {
	case p.RingMemory != Auto:
		return p.RingMemory
	case p.RingWords() <= fewWords:
		return LUTRAM
	case p.RingWords() < manyWords:
		return BRAM
	}
	return URAM
}

// StateKind is the memory of pointers and timers: LUTRAM or BRAM.
func (p *Params) StateKind() string {
	if p.Paths <= fewWords {
		return LUTRAM
	}
	return BRAM
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ring := map[string]string{LUTRAM: "nic_lib_ram_lut", BRAM: "nic_lib_ram_block", URAM: "nic_lib_ram_ultra"}[p.RingKind()]
	suffix := map[string]string{LUTRAM: "lut", BRAM: "block"}[p.StateKind()]
	parts := []string{"nic_lib_fifo_lut", "nic_lib_fwd_" + suffix, "nic_lib_ram_" + suffix, "nic_lib_state_" + suffix}
	if suffix == "block" {
		// the forwarding memory is made of the plain one
		parts[1], parts[2] = parts[2], parts[1]
	}
	if ring != parts[1] && ring != parts[2] {
		parts = append(parts, ring)
	}
	files, err := lib.Parts(parts...)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = source.Execute(&b, map[string]any{
		"Header": sv.Header(p), "Checks": strings.TrimRight(sv.Checks(p), "\n"),
		"FlowW": p.FlowBits, "SeqW": p.SeqBits, "LatW": p.LatBits, "TimeW": p.TimeBits,
		"Depth": p.Depth, "Lanes": p.Lanes, "Queues": p.AckQueues, "AckQueue": p.AckQueue, "LostQueue": p.LostQueue, "Single": p.Paths == 1,
		"SendLatency": SendLatency, "Slots": Slots, "MaxPasses": p.MaxPasses(),
		"RingRAM": ring, "StateRAM": "nic_lib_ram_" + suffix, "FwdRAM": "nic_lib_fwd_" + suffix, "State": "nic_lib_state_" + suffix,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name(), err)
	}
	return append(files, gen.File{Name: source.Name(), Text: b.String()}), nil
}
