// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
)

// Measure is a NIC at line rate both ways: conversations of 16 connections over queues and path unit, other frames among them.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	return cosim.MeasureOptions{Traffic: func(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
		p, err := Unit.Params(cfg)
		if err != nil {
			return nil, err
		}
		return newSteadyTraffic(p, l, seed, manner{}, measuredFrames)
	}}
}

// measuredFrames is the number of frames of a conversation, large enough to make the gaps between
// conversations negligible.
const measuredFrames = 10_000
