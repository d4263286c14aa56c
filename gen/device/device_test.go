// SPDX-License-Identifier: Apache-2.0

package device

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestFind(t *testing.T) {
	for name, want := range map[string]Part{
		"U280": {Resources{"xcu280-fsvh2892-2L-e", 1303680, 2607360, 162960, 9024, 2016, 960}, "U280", "2L", "2L", true, false},
		"u250": {Resources{"xcu250-figd2104-2L-e", 1728000, 3456000, 216000, 12288, 2688, 1280}, "U250", "2L", "2L", true, true},
		"u55c": {Resources{"xcu55c-fsvh2892-2L-e", 1303680, 2607360, 162960, 9024, 2016, 960}, "U55C", "2L", "2L", true, true},
		"U200": {Resources{"xcu200-fsgd2104-2-e", 1182240, 2364480, 147780, 6840, 2160, 960}, "U200", "2", "2L", true, true},
		// At 0.72 V; neither its resources nor its sites are known.
		"U45N":                 {Resources{Name: "xcu26-vsva1365-2LV-e"}, "U45N", "2LV", "2LV", false, false},
		"XCU280-FSVH2892-2l-E": {Resources{"xcu280-fsvh2892-2L-e", 1303680, 2607360, 162960, 9024, 2016, 960}, "U280", "2L", "2L", true, false},
		"xcku9p-ffve900-3-e":   {Resources{"xcku9p-ffve900-3-e", 274080, 548160, 34260, 2520, 912, 0}, "", "3", "", false, false},
		"xcvu37p-fsvh2892-2-e": {Resources{Name: "xcvu37p-fsvh2892-2-e"}, "", "2", "2L", false, false},
		"xcux35-vsva1365-3-e":  {Resources{Name: "xcux35-vsva1365-3-e"}, "", "3", "", false, false},
	} {
		got, err := Find(name)
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", name, err, d)
		}
	}
	// UltraScale without the plus, 7 series, Versal, and a name that is no part's.
	for _, name := range []string{"", "U300", "xcu280", "xcku040-ffva1156-2-e", "xcvu095-ffva2104-2-e", "xc7k325tffg900-2", "xcvc1902-vsva2197-2MP-e-S",
		"xcu280-fsvh2892-4-e", "xcu280-fsvh2892-2L-e; exit", "xcu280-fsvh2892-2L-e\n"} {
		if p, err := Find(name); err == nil || !strings.Contains(err.Error(), "allowed: U280, U250, U55C, U200, U45N, or the full name of a part of UltraScale+, such as xcu250-figd2104-2L-e") {
			t.Errorf("%q: %v, %v", name, p, err)
		}
	}
}

func TestURAM(t *testing.T) {
	for name, lacks := range map[string]bool{"U280": false, "U45N": false, "xcku9p-ffve900-2-e": true, "xcku5p-ffvb676-2-e": false} {
		if p, err := Find(name); err != nil || p.LacksURAM() != lacks {
			t.Errorf("%s: %v, %v", name, p.LacksURAM(), err)
		}
	}
	if d := Default(); d.ClockSite(0) != "BUFGCTRL_X0Y2" || d.ClockSite(5) != "BUFGCTRL_X0Y7" || d.ClockSite(6) != "" || (Part{}).ClockSite(0) != "" {
		t.Errorf("sites of clocks %q %q %q", d.ClockSite(0), d.ClockSite(5), d.ClockSite(6))
	}
	if d := Default(); d.Name != "xcu280-fsvh2892-2L-e" || !slices.Equal(Boards(), []string{"U280", "U250", "U55C", "U200", "U45N"}) {
		t.Errorf("default %v of %v", d, Boards())
	}
}
