// SPDX-License-Identifier: Apache-2.0

package rtl_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// The checks of the parts stop elaboration.
func TestPartsCheckTheirParameters(t *testing.T) {
	illegal := map[string][]map[string]string{
		"nic_lib_fifo_lut g_check_depth":      {{"DEPTH": "1"}, {"DEPTH": "12"}},
		"nic_lib_frames_cross g_check_depth":  {{"DEPTH": "2"}, {"DEPTH": "24"}},
		"nic_lib_ram_block g_check_latency":   {{"LATENCY": "0"}, {"LATENCY": "4"}},
		"nic_lib_ram_ultra g_check_latency":   {{"LATENCY": "0"}},
		"nic_lib_lanes_ultra g_check_latency": {{"LATENCY": "0"}},
		"nic_lib_banks_ultra g_check_latency": {{"LATENCY": "0"}, {"LATENCY": "4"}},
		"nic_lib_banks_ultra g_check_bank":    {{"BANK": "1", "DEPTH": "4", "ADDR_W": "2"}, {"BANK": "24576"}},
		"nic_lib_normalise g_check_width":     {{"WIDTH": "0"}, {"WIDTH": "65"}},
	}
	parts, err := rtl.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range parts {
		top := strings.TrimSuffix(f.Name, ".sv")
		for check, sentence := range benchtest.Checks(t, f.Text) {
			list := illegal[top+" "+check]
			if len(list) == 0 {
				t.Errorf("nothing makes %s of %s fire", check, top)
			}
			for _, p := range list {
				benchtest.Refused(t, synth.LintRequest{Top: top, Files: []synth.File{synth.File(f)}, Params: p}, sentence, "", "")
			}
			delete(illegal, top+" "+check)
		}
	}
	for name := range illegal {
		t.Errorf("there is no check %s", name)
	}
}
