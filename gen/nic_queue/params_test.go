// SPDX-License-Identifier: Apache-2.0

package nicqueue_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_queue"
)

// Sizes that follow from the parameters.
func TestSizes(t *testing.T) {
	for _, c := range []struct {
		set                                    string
		cells, cellBits, connBits, beats, more int64
	}{
		{"", 8192, 13, 8, 145, 150},
		{"kib=64 connections=1 max_frame=64 ram_latency=1", 512, 9, 1, 1, 4},
		{"kib=4096 connections=4096 max_frame=16320 ram_latency=8", 32768, 15, 12, 255, 265},
		{"kib=256 connections=4097 max_frame=65", 2048, 11, 13, 2, 7},
	} {
		p := params.Default()
		if err := gen.Configure(p, c.set); err != nil {
			t.Fatal(err)
		}
		if p.Cells() != c.cells || p.CellIdxBits() != int(c.cellBits) || p.ConnIdxBits() != int(c.connBits) || p.MaxBeats() != c.beats || p.Overrun() != c.more {
			t.Errorf("%q: %d cells of %d bits, connections of %d bits, %d beats, overrun %d", c.set, p.Cells(), p.CellIdxBits(), p.ConnIdxBits(), p.MaxBeats(), p.Overrun())
		}
	}
}

// Rules over several parameters, and their messages.
func TestRules(t *testing.T) {
	for set, want := range map[string]string{
		"connections=257 conn_bits=8":     "nic_queue.conn_bits: found 8, allowed: at least 9 for connections 257",
		"kib=64 quota=513":                "nic_queue.quota: found 513, allowed: at most the 512 cells of kib 64",
		"kib=64 xoff=600":                 "nic_queue.xoff: found 600, allowed: at most the 512 cells of kib 64",
		"xoff=10 xon=10":                  "nic_queue.xon: found 10, allowed: below xoff 10",
		"free_off=300 free_on=256":        "nic_queue.free_on: found 256, allowed: at least free_off 300",
		"kib=100":                         "nic_queue.kib: found 100",
		"kib=64 free_on=513":              "nic_queue.free_on: found 513, allowed: at most the 512 cells of kib 64",
		"kib=64 xon=513 xoff=512":         "nic_queue.xon: found 513, allowed: at most the 512 cells of kib 64",
		"kib=64 free_off=513 free_on=513": "nic_queue.free_off: found 513, allowed: at most the 512 cells of kib 64",
	} {
		p := params.Default()
		if err := gen.Configure(p, set); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %q", set, err, want)
		}
	}
}

// Memories have the kinds that their sizes ask for.
func TestFiles(t *testing.T) {
	for set, want := range map[string]string{
		"":                           "ram_ultra lanes_ultra fwd_block ram_block",
		"meta_bits=49":               "ram_ultra lanes_ultra fwd_block ram_block",
		"kib=128 meta_bits=49":       "fwd_block ram_block",
		"kib=128 meta_memory=uram":   "ram_ultra fwd_block ram_block",
		"kib=128":                    "fwd_block ram_block",
		"kib=128 connections=64":     "fwd_lut ram_lut fwd_block ram_block",
		"kib=64 buffer_memory=uram":  "ram_ultra lanes_ultra fwd_block ram_block",
		"kib=256 buffer_memory=bram": "fwd_block ram_block",
		"connections=64":             "ram_ultra lanes_ultra fwd_lut ram_lut fwd_block ram_block",
	} {
		p := params.Default()
		if err := gen.Configure(p, set); err != nil {
			t.Fatal(err)
		}
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		have := map[string]bool{}
		for _, f := range files {
			have[strings.TrimSuffix(strings.TrimPrefix(f.Name, "nic_lib_"), ".sv")] = true
		}
		for _, part := range []string{"ram_ultra", "lanes_ultra", "fwd_lut", "ram_lut", "fwd_block", "ram_block"} {
			if have[part] != strings.Contains(" "+want+" ", " "+part+" ") {
				t.Errorf("%q: part %s is there: %t", set, part, have[part])
			}
		}
	}
}
