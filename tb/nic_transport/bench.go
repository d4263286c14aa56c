// SPDX-License-Identifier: Apache-2.0

// Package nictransport is the bench of the whole block: a Checker that holds it, cycle by cycle, against the golden
// model, and a stimulus of conversations.
package nictransport

import (
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// Unit makes benches of the block.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: "",
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}
