// SPDX-License-Identifier: Apache-2.0

// Package niclookup is the bench of the search of connections: stimulus, golden model behind the
// unit's ports, coverage points, and what the unit brings for the checks.
package niclookup

import (
	_ "embed"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
	"github.com/nicgen/nicgen/tb/bench"
)

const unitName = "nic_lookup"

//go:embed nic_nic_lookup_sva.sv
var assertions string

// Unit makes benches of the search.
var Unit = &bench.Unit[*params.Params]{
	Name:       unitName,
	Default:    params.Default,
	Assertions: assertions,
	Stimulus:   newStimulus,
	Predictor:  newPredictor,
	Points:     points,
}

// Ports of searches.
const (
	portA = iota
	portB
	ports
)

// wires are the unit's ports of events, and what the law looks at.
type wires struct {
	rst, ready, opReady bench.Pin

	searches   [ports]bench.Wires[params.Search]
	founds     [ports]bench.Wires[params.Found]
	operations bench.Wires[params.Operation]
}

func (x *wires) bind(p *params.Params, l *cosim.Layout) error {
	list := []bench.Binder{bench.WirePin("rst", &x.rst), bench.WirePin("sts_ready", &x.ready), bench.WirePin("s_write_ready", &x.opReady),
		bench.WireIn(params.Operations, &x.operations)}
	for i := range ports {
		list = append(list, bench.WireIn(params.Searches[i], &x.searches[i]), bench.WireOut(params.Founds[i], &x.founds[i]))
	}
	return bench.Wire(unitName, l, p.Contract(), list...)
}
