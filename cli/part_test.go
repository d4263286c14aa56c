// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/device"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/gen/spray"
	"github.com/nicgen/nicgen/registry"
)

// A part without UltraRAM refuses what would need it, with the way out, and nothing else.
func TestMemoriesOfAPart(t *testing.T) {
	without, err := device.Find("xcku9p-ffve900-2-e")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		unit, set, want string
	}{
		{"reps", "", ""},
		{"nic_gate", "", "--part: nic_gate.ring_memory: found auto, allowed: bram: xcku9p-ffve900-2-e has no UltraRAM"},
		{"nic_gate", "ring_memory=bram", ""},
		{"powertcp", "", ""},
		{"powertcp", "state_memory=uram", "--part: powertcp.state_memory: found uram, allowed: lutram, bram: xcku9p-ffve900-2-e has no UltraRAM"},
		{"nic_transport", "", "--part: found nic_transport, whose memories are UltraRAM, allowed: a part that has it: xcku9p-ffve900-2-e has no UltraRAM"},
	} {
		found := false
		for _, u := range slices.Concat(registry.Units, registry.Blocks) {
			cfg := u.New()
			if cfg.Unit() != c.unit {
				continue
			}
			found = true
			if err := gen.SetAll(cfg, c.set); err != nil {
				t.Fatal(err)
			}
			units := []selected{{Unit: u, Config: cfg, Default: u.New()}}
			got := ""
			if err := checkMemories(without, units); err != nil {
				got = err.Error()
			}
			if d := cmp.Diff(c.want, got); d != "" {
				t.Errorf("%s %s (-want +got):\n%s", c.unit, c.set, d)
			}
			if err := checkMemories(device.Default(), units); err != nil {
				t.Errorf("%s %s on the default part: %v", c.unit, c.set, err)
			}
		}
		if !found {
			t.Errorf("there is no unit %s", c.unit)
		}
	}
}

// The shared parts are the same for every part, so that runs for several can stand side by side.
func TestPartLeavesTheLibrary(t *testing.T) {
	u45n, err := device.Find("U45N")
	if err != nil {
		t.Fatal(err)
	}
	var trees []emit.Tree
	for _, part := range []*device.Part{nil, &u45n} {
		tree, err := emit.Run{Units: []emit.Unit{{Config: spray.New(), Default: spray.New()}}, Part: part}.Render()
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	n := 0
	for name, text := range trees[0] {
		if strings.HasPrefix(name, gen.Library+"/") {
			n++
			if d := cmp.Diff(string(text), string(trees[1][name])); d != "" {
				t.Errorf("%s (-U280 +U45N):\n%s", name, d)
			}
		}
	}
	if n == 0 {
		t.Error("there are no shared parts")
	}
}
