// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_pick"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptNone = iota
	ptOne
	ptAll
	ptHole
	ptSaturatedAll
	ptSaturatedHole
	ptSaturatedSome
	ptHighest
	ptZero
	ptEqual
	ptDominant
	ptNotSmallest
	ptSpliced
	ptLost
	ptBackToBack
	ptGap
	ptSeed
	ptSeedPick
	ptSeedAll
	ptInject
	ptInjectZeros
	ptInjectOnes
	ptReset
	ptIndex // first of the indices; the ties follow
)

// points lists the coverage points; those that a configuration cannot reach are not
// required.
func points(p *params.Params) []cosim.Point {
	race := p.Picker == params.Race
	var list bench.Points
	add := list.Add
	add("usable/none", "a request without a usable path", true)
	add("usable/one", "a request with one usable path, which is not saturated", true)
	add("usable/all", "a request with all paths usable and none saturated", true)
	add("usable/hole", "path 0 is not usable, but has the lowest latency", true)
	add("saturated/all", "all paths are usable and saturated", true)
	add("saturated/hole", "usable paths are saturated, path 0 is not usable", true)
	add("saturated/some", "some usable paths are saturated, others are not", true)
	add("latency/highest", "the path picked has the highest latency that is not saturated", true)
	add("latency/zero", "the path picked has a latency of 0", true)
	add("latency/equal", "all latencies are equal and not saturated", true)
	add("latency/dominant", "one path is 8 octaves or more ahead of all others", true)
	add("pick/unlikely", "a path other than those with the lowest latency is picked", true)
	add("race/spliced", "the winner's noise comes from the tail", race)
	add("lookup/lost", "a path that is not saturated has a weight of 0", !race)
	add("rate/back_to_back", "requests in consecutive cycles", true)
	add("rate/gap", "a request after a cycle without one", true)
	add("seed/alone", "a seed word without a request", true)
	add("seed/pick", "a seed word and a request in one cycle", true)
	add("seed/all", "enough seed words in a row to set all of the generator", true)
	add("inject/bits", "a request brings its random bits", p.Inject)
	add("inject/zeros", "the request's random bits are all zero", p.Inject)
	add("inject/ones", "the request's random bits are all ones", p.Inject)
	add("reset", "a reset in the middle of traffic", true)
	for i := range p.Paths {
		add(fmt.Sprintf("index/%d", i), fmt.Sprintf("path %d is picked by chance", i), true)
	}
	for l := 1; l <= p.Levels(); l++ {
		add(fmt.Sprintf("tie/%d", l), fmt.Sprintf("equal keys at level %d of the tree", l), race)
	}
	return list
}
