// SPDX-License-Identifier: Apache-2.0

package pages_test

import (
	"fmt"
	"io/fs"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/evidence/pages"
	"github.com/nicgen/nicgen/internal/toy"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
)

// covered is a bench that has only coverage points.
type covered struct{ cosim.Bench }

func (covered) Points() []cosim.Point {
	return []cosim.Point{
		{Name: "one", Doc: "a | b", Required: true},
		{Name: "far/1", Doc: "1 apart", Required: true},
		{Name: "far/2", Doc: "2 apart", Required: true},
		{Name: "far/3", Doc: "3 apart"},
		{Name: "far/5", Doc: "5 apart"},
	}
}

// stateful is a toy counter that lists its state.
type stateful struct{ *toy.Params }

func (s stateful) State() []gen.State {
	return []gen.State{
		{Name: "count", Bits: int(s.Bits), Memories: []string{"a", "b"}, Meaning: "The count."},
		{Name: "busy", Bits: 1, Memories: []string{"a"}, Meaning: "Whether it counts."},
	}
}

func maker() *pages.Maker {
	return &pages.Maker{
		Units: []registry.Unit{
			{New: toy.New},
			{Group: "Full ones", New: func() gen.Config { return stateful{toy.Named("full")} },
				Bench:     func(gen.Config) (cosim.Bench, error) { return covered{}, nil },
				Upset:     &bench.Upset{Lifetime: "\nUntil the reset.\n"},
				Published: &synth.Published{Source: "Anon.", Figures: []synth.Figure{{Resource: "FF", Value: "7"}, {Resource: "mm²", Value: "1"}}}},
		},
		ReadFile: func(name string) ([]byte, error) {
			switch name {
			case "d/full.json":
				return []byte(`{"top": "nic_full", "tool": "Yosys 0", "note": "A guess.", "family": "xcup", "flow": "f",
					"device": {"lut": 1000, "ff": 2000},
					"counts": {"lut": 12, "logic_lut": 8, "lutram_lut": 4, "ff": 30, "ramb36_equivalent": 0.5},
					"register_to_register": {"levels": 3},
					"memories": [{"name": "a.mem", "depth": 4, "width": 9, "kind": "LUTRAM", "cells": {"RAM32M": 2, "LUT2": 1}},
						{"name": "b.mem", "depth": 4, "width": 8, "kind": "BRAM"}]}`), nil
			case "d/toy.json":
				return []byte(`{"top": "nic_toy", "counts": {"lut": 5}}`), nil
			case "t/full.json": // with timing and UltraRAM
				return []byte(`{"top": "nic_full", "counts": {"lut": 12, "uram288": 2, "uram288_vivado": 4}, "device": {"uram": 8},
					"memories": [{"name": "a.mem", "depth": 16384, "width": 34, "kind": "URAM", "cells": {"URAM288": 2}, "uram288_vivado": 4}],
					"timing": {"register_to_register": {"ends": 1, "ns": {"optimistic": 1, "typical": 2, "pessimistic": 3.5},
							"worst": [{"logic_ns": 1.25, "wire_ns": 0.75, "from": "a_q", "to": "b D"}]},
						"clocks": [{"slack_ns": {"optimistic": 2, "typical": 1, "pessimistic": -0.5}}], "absorbed": {"bram": 3, "dsp": 4}}}`), nil
			case "t/toy.json":
				return []byte(`{"top": "nic_toy", "timing": {}}`), nil
			case "r/full.json": // of nicgen soak or coverage
				return []byte(`{"unit": "full", "command": "nicgen full", "events": 70, "cycles": 100, "chunks": 3, "failures": ["seed 1"],
					"configurations": [
						{"points": 5, "reached": 4, "lines": 20, "constant": 3, "unexecuted": ["a.sv:7: x"], "unreachable": {"a.sv: if (b | c) (if)": "Why."}},
						{"points": 6, "reached": 6, "missed": ["far/1"], "lines": 10}]}`), nil
			case "u/full.json": // of nicgen upset
				return []byte(`{"unit": "full", "command": "nicgen upset full", "results": [{"settings": "a=1", "seed": 1, "runs": 2, "flips": 4, "cycles": 256, "events": 9,
					"again_cycles": 7, "instances": [
						{"instance": "part", "elements": 2, "flips": 8, "unseen": 3, "legal": 2, "never": 3, "kept": 1, "law": 1},
						{"instance": "", "elements": 1, "flips": 4, "unseen": 3, "right": 1, "again": 5}],
					"most_never": {"list": [{"name": "part[1].b_q", "value": 3}]}, "most_legal": {"list": [{"name": "part[0].b_q", "value": 2}], "more": 7, "at_most": 1},
					"slowest": {"list": [{"name": "a_q", "value": 5}]}}]}`), nil
			case "r2/toy.json":
				return []byte(`{"unit": "full"}`), nil
			case "r3/full.json":
				return []byte("{"), nil
			case "q/a.go":
				return []byte("// Package a is one.\npackage a\n\n// B is a thing.\ntype B struct{}\n\n// C does it.\nfunc (b *B) C() {}\n\nconst d, e = 1, 2\n"), nil
			case "q/b.sv":
				return []byte("module b;\n  // - stage 1\n  x;\n\n  // - stage 2\nendmodule\n"), nil
			case "q/e.md":
				return []byte("# E\n\n<!-- about: the `e` of it -->\n\nMore.\n"), nil
			case "q/r/README.md":
				return []byte("# R\n<!-- about: the rest -->\n"), nil
			case "q/c.md":
				return []byte("# C\n\n```\n<!-- nicgen:begin blocks -->\n```\n"), nil
			case "p/two.json": // of nicgen nic pair
				return []byte(`{"command": "nicgen nic pair two", "tables": [{"head": ["NIC", "Gb/s"], "rows": [["a", "1.5"]]}, {"head": ["x", "y", "z"], "rows": [["r", "2", "–"], ["s", "30", "4"]]}]}`), nil
			case "p/paper.json": // of nicgen reproduce
				return []byte(`[{"figure": "x-1", "title": "T", "paper": "X Fig. 1", "model": "golden", "seed": 3, "head": ["setup", "µs"], "rows": [["text", "9"]],
					"claims": [{"setup": "text", "what": "time", "relation": "about", "paper": 10, "within": 2, "unit": "µs", "found": 9, "holds": true},
						{"setup": "text", "what": "gain", "relation": "at least", "paper": 35, "unit": "%", "found": 30}]}, {"figure": "x-2", "title": "U", "paper": "X Fig. 2"}]`), nil
			case "p/other.json": // the same by another model
				return []byte(`{"figure": "x-1", "model": "rtl", "claims": [{"setup": "text", "what": "time", "unit": "µs", "found": 8}, {"setup": "text", "what": "gain", "unit": "%", "found": 31}]}`), nil
			case "p/mixed.json": // figures by different models
				return []byte(`[{"figure": "x-1", "model": "cycles", "claims": [{"unit": "µs", "found": 8}, {"unit": "%", "found": 31}]}, {"figure": "x-2", "model": "rtl"}]`), nil
			case "p/one.json":
				return []byte(`{"figure": "x-1", "model": "rtl", "rtl_hosts": 1, "claims": [{"unit": "µs", "found": 8}]}`), nil
			case "p/page.md": // of a paper, whose record is paper.json
				return []byte("<!-- nicgen:begin paper data/papers/paper.json x-1 -->\n<!-- nicgen:end -->\n\n**Why it differs:** The link is slow.\n"), nil
			case "p/short.json":
				return []byte(`{"tables": [{"head": ["x", "y"], "rows": [["r"]]}]}`), nil
			case "d/damaged.json":
				return []byte("{"), nil
			}
			return nil, fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		},
	}
}
