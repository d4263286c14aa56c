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
	rst, valid, usable, latency, tag bench.Pin `port:"rst s_pick_valid s_pick_usable s_pick_latency s_pick_tag"`
	inject, random                   bench.Pin `optional:"s_pick_inject s_pick_random"`
	seedValid, seedWord              bench.Pin `port:"s_seed_valid s_seed_word"`

	mValid, none, saturated, index, mTag bench.Pin    `port:"m_pick_valid m_pick_none m_pick_saturated m_pick_index m_pick_tag"`
	counter                              [3]bench.Pin `each:"sts_%s_cnt"`
}

func newPins(l *cosim.Layout) (*pins, error) {
	x := &pins{}
	return x, bench.Bind(unitName, l, x, params.CounterNames...)
}
