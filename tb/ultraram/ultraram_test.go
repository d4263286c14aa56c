// SPDX-License-Identifier: Apache-2.0

// Package ultraram checks the registers behind UltraRAM in the netlists of units.
package ultraram

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/synth/mapped"
)

// behindUltraRAM counts the bits that are read from UltraRAM, or chosen of several, by the number of
// consecutive registers behind them, with nothing between and no other load: the registers that Vivado
// can move into the memories. found are the shift registers and memories in LUTs that take such a bit.
func behindUltraRAM(n *synth.Netlist) (registers map[int]int, found []string) {
	type load struct {
		cell *synth.Cell
		pin  string
	}
	drives := func(c *synth.Cell, pin string) bool {
		switch mapped.Primitives[c.Type].Kind {
		case mapped.URAM:
			return strings.HasPrefix(pin, "DOUT_")
		case mapped.FF:
			return pin == "Q"
		}
		return pin == "O"
	}
	loads := map[string][]load{}
	for i := range n.Cells {
		c := &n.Cells[i]
		for pin, bits := range c.Pins {
			for _, b := range bits {
				if !drives(c, pin) {
					loads[b] = append(loads[b], load{c, pin})
				}
			}
		}
	}
	registers = map[int]int{}
	seen := map[string]bool{}
	var follow func(net string, depth int)
	follow = func(net string, depth int) {
		if seen[net] {
			return
		}
		seen[net] = true
		ends := true
		for _, l := range loads[net] {
			switch mapped.Primitives[l.cell.Type].Kind {
			case mapped.SRL, mapped.LUTRAM:
				found = append(found, fmt.Sprintf("%s %s behind %d registers", l.cell.Type, l.cell.Name, depth))
			case mapped.LUT, mapped.Mux:
				if depth == 0 { // chooses between memories
					ends = false
					follow(l.cell.Pins["O"][0], 0)
				}
			case mapped.FF:
				if l.pin == "D" && len(loads[net]) == 1 {
					ends = false
					follow(l.cell.Pins["Q"][0], depth+1)
				}
			}
		}
		if ends && (depth > 0 || loads[net] != nil) {
			registers[depth]++
		}
	}
	for i := range n.Cells {
		if c := &n.Cells[i]; mapped.Primitives[c.Type].Kind == mapped.URAM {
			for _, net := range slices.Concat(c.Pins["DOUT_A"], c.Pins["DOUT_B"]) {
				follow(net, 0)
			}
		}
	}
	return registers, found
}

// The registers behind UltraRAM are flip-flops in every unit that has it, one for each cycle of
// the latency except the read. Short tests map the module with the memories alone.
func TestBehindUltraRAM(t *testing.T) {
	for i, c := range []struct {
		unit, settings string
		module, params string
		least, bits    int // registers of each bit, and how many bits there are at least
	}{
		{"nic_echo", "connections=64 ring=32 ring_memory=uram ring_latency=8", "nic_echo_ring", "DEPTH=2048 ADDR_W=11", 7, 46},
		{"nic_echo", "connections=1024 ring=128 ring_memory=uram ring_latency=9", "nic_echo_ring", "DEPTH=131072 ADDR_W=17", 4, 92},
		{"nic_queue", "kib=64 connections=64 buffer_memory=uram meta_memory=uram ram_latency=8", "nic_queue_beats", "CELL_W=9 CONN_W=6 RAM_LATENCY=8", 7, 567},
		{"laps_loss", "paths=64 depth=64 lanes=2 ring_memory=uram ring_latency=8", "nic_laps_loss_ring", "", 7, 68},
		{"laps", "banks=4 rows=16 depth=64 lanes=2 ring_memory=uram ring_latency=8", "nic_laps_laps_loss_ring", "", 7, 68},
	} {
		if sample.LeftOut(t.Name() + "/" + fmt.Sprintf("%d %s", i, c.unit)) {
			continue
		}
		t.Run(fmt.Sprintf("%d %s", i, c.unit), func(t *testing.T) {
			u := registry.Units[slices.IndexFunc(registry.Units, func(u registry.Unit) bool { return u.New().Unit() == c.unit })]
			cfg := u.New()
			if err := gen.Configure(cfg, c.settings); err != nil {
				t.Fatal(err)
			}
			files, err := emit.Sources(emit.Unit{Config: cfg, Default: u.New()})
			if err != nil {
				t.Fatal(err)
			}
			r := synth.Request{Top: cfg.Top(), Options: synth.Options{Apart: gen.Apart(cfg)}}
			if testing.Short() {
				r.Top, r.Options.Apart, r.Params = c.module, nil, map[string]string{}
				for _, p := range strings.Fields(c.params) {
					name, value, _ := strings.Cut(p, "=")
					r.Params[name] = value
				}
			}
			for _, f := range files {
				r.Files = append(r.Files, synth.File(f))
			}
			n, err := synth.Map(t.Context(), r)
			if err != nil {
				t.Fatal(err)
			}
			registers, found := behindUltraRAM(n)
			bits := 0
			for depth, n := range registers {
				if bits += n; depth < c.least {
					t.Errorf("%d bits have %d registers behind them, want %d", n, depth, c.least)
				}
			}
			if bits < c.bits {
				t.Errorf("%d bits are read, want %d", bits, c.bits)
			}
			for _, f := range found {
				t.Error(f)
			}
		})
	}
}
