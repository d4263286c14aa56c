// SPDX-License-Identifier: Apache-2.0

// Package lapspick is the bench of the LAPS path picker: the stimulus that looks for
// trouble, the golden model behind the unit's ports, and the coverage points.
package lapspick

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_pick"
	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed nic_laps_pick_sva.sv
var assertions string

const unitName = "laps_pick"

// Unit makes benches of the path picker.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// New returns the bench of a configuration, which must be a valid *params.Params.
func New(cfg gen.Config) (cosim.Bench, error) { return Unit.New(cfg) }

// Measure is line rate: a request in every cycle, with any latencies, all paths usable,
// and random bits from the generator.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := cosim.MeasureOptions{Fixed: map[string]uint64{"rst": 0, "s_pick_valid": 1, "s_pick_usable": 1<<p.Paths - 1, "s_seed_valid": 0}}
	if p.Inject {
		o.Fixed["s_pick_inject"] = 0
	}
	return o
}

// pins are the places of the unit's ports in the vectors.
type pins struct {
	rst, valid, usable, latency, tag bench.Pin
	inject, random                   bench.Pin
	seedValid, seedWord              bench.Pin

	mValid, none, saturated, index, mTag bench.Pin
	counter                              [3]bench.Pin
}

func newPins(p *params.Params, l *cosim.Layout) (*pins, error) {
	ports := bench.NewPorts(unitName, l)
	at := ports.Pin
	x := &pins{
		rst: at("rst"), valid: at("s_pick_valid"), usable: at("s_pick_usable"), latency: at("s_pick_latency"), tag: at("s_pick_tag"),
		seedValid: at("s_seed_valid"), seedWord: at("s_seed_word"),
		mValid: at("m_pick_valid"), none: at("m_pick_none"), saturated: at("m_pick_saturated"), index: at("m_pick_index"), mTag: at("m_pick_tag"),
	}
	if p.Inject {
		x.inject, x.random = at("s_pick_inject"), at("s_pick_random")
	}
	for i, c := range params.CounterNames {
		x.counter[i] = at("sts_" + c + "_cnt")
	}
	return x, ports.Err()
}
