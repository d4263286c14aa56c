// SPDX-License-Identifier: Apache-2.0

package rtl_test

import (
	"fmt"
	"testing"

	"github.com/nicgen/nicgen/rtl"
	"github.com/nicgen/nicgen/synth"
)

// Mapped memories: RAM blocks followed by LATENCY - 1 registers per bit, which Vivado moves into
// the RAM. The words written meanwhile, LATENCY registers per bit, share one LUT per bit with the
// RAM's word; where three copies vote, another LUT chooses the newest word before.
func TestShapes(t *testing.T) {
	for _, c := range []struct {
		part                 string
		latency              int
		lut, ff              int
		ramb18, ramb36, uram int
	}{
		{"nic_lib_ram_block", 2, 0, 36, 1, 0, 0},
		{"nic_lib_fwd_block", 1, 36 + 5, 36 + 1, 1, 0, 0},
		{"nic_lib_fwd_block", 2, 36 + 12, 36 + 2*36 + 9 + 3, 1, 0, 0},
		{"nic_lib_fwd_triple_block", 2, 141, 3*36 + 2*36 + 9 + 2, 3, 0, 0},
		{"nic_lib_state_block", 2, 2*36 + 30, 177, 2, 0, 0},
		{"nic_lib_ram_ultra", 5, 0, 4 * 36, 0, 0, 1},
		{"nic_lib_lanes_ultra", 1, 1, 0, 0, 0, 1},        // a LUT joins the enables of the words;
		{"nic_lib_lanes_ultra", 6, 1, 5 * 72, 0, 0, 1},   // no shift registers,
		{"nic_lib_lanes_ultra", 13, 1, 12 * 72, 0, 0, 1}, // and no ring in LUT RAM
		{"nic_lib_fwd_ultra", 2, 36 + 12, 36 + 2*36 + 9 + 3, 0, 0, 1},
	} {
		t.Run(fmt.Sprintf("%s LATENCY=%d", c.part, c.latency), func(t *testing.T) {
			t.Parallel()
			files, err := rtl.Parts(c.part)
			if err != nil {
				t.Fatal(err)
			}
			q := synth.Request{Top: c.part, Params: map[string]string{"WIDTH": "36", "DEPTH": "512", "ADDR_W": "9", "LATENCY": fmt.Sprint(c.latency)}}
			for _, f := range files {
				q.Files = append(q.Files, synth.File(f))
			}
			r, err := synth.Run(t.Context(), q)
			if err != nil {
				t.Fatal(err)
			}
			for _, f := range r.Findings {
				t.Error(f)
			}
			n := r.Counts
			if n.LUT != c.lut || n.FF != c.ff || n.RAMB18 != c.ramb18 || n.RAMB36 != c.ramb36 || n.URAM != c.uram {
				t.Errorf("%d LUT, %d FF, %d RAMB18, %d RAMB36 and %d URAM, want %d, %d, %d, %d and %d: %v",
					n.LUT, n.FF, n.RAMB18, n.RAMB36, n.URAM, c.lut, c.ff, c.ramb18, c.ramb36, c.uram, n.Cells)
			}
		})
	}
}
