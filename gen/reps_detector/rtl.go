// SPDX-License-Identifier: Apache-2.0

package repsdetector

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

//go:embed reps_detector.sv.tmpl
var text string

var source = template.Must(template.New("nic_reps_detector.sv").Parse(text))

// stateInLUTRAM is the number of connections up to which the state lives in
// LUTRAM under Auto: above it a RAMB18 is better used than that many LUTs.
const stateInLUTRAM = 64

// StateKind is the memory of the state: LUTRAM or BRAM.
func (p *Params) StateKind() string {
	switch {
	case p.StateMemory != Auto:
		return p.StateMemory
	case p.Connections <= stateInLUTRAM:
		return LUTRAM
	}
	return BRAM
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ram := map[string]string{LUTRAM: "nic_lib_ram_lut", BRAM: "nic_lib_ram_block"}[p.StateKind()]
	files, err := lib.Parts(ram)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = source.Execute(&b, map[string]any{
		"Header": sv.Header(p), "Checks": strings.TrimRight(sv.Checks(p), "\n"),
		"Latency": VerdictLatency, "RAM": ram,
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", source.Name(), err)
	}
	return append(files, gen.File{Name: source.Name(), Text: b.String()}), nil
}
