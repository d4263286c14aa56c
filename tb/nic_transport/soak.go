// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// LineRate makes benches for long runs: conversations at line rate both ways, one after another, as in Measure. Events are beats
// that are taken on the four streams.
var LineRate = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: "",
	Stimulus: func(p *params.Params, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
		return newSteadyTraffic(p, l, seed, manner{}, measuredFrames)
	},
	Predictor: func(p *params.Params, l *cosim.Layout, bare bool) (cosim.Predictor, error) {
		x, err := newPredictor(p, l, bare)
		if err != nil {
			return nil, err
		}
		return beats{x.(*predictor)}, nil
	},
	Points: func(p *params.Params) (list []cosim.Point) {
		for _, x := range points(p) { // the other benches require points: there are neither losses nor marks here
			x.Required = false
			list = append(list, x)
		}
		return list
	},
}

// beats counts beats.
type beats struct{ *predictor }

// Events implements cosim.Predictor.
func (b beats) Events() uint64 { return b.c.Count.Beats }
