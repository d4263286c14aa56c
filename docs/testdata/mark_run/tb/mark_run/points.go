// SPDX-License-Identifier: Apache-2.0

package markrun

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/mark_run"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index. The order is that of the table in points.
const (
	ptFirst = iota
	ptEnded
	ptFull
	ptExact
	ptBelow
	ptThreshold0
	ptThresholdMax
	ptReset
	ptNotReady
	ptIllegal
	ptDistance // first of the distances
)

// span is the largest distance between ACKs of one connection that is counted, in cycles.
const span = params.Latency + 1

// kinds are those of ACKs whose distances are counted.
var kinds = []string{"marked", "unmarked"}

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	short := p.RunBits <= 8        // an episode is long enough to fill a run
	small := p.Connections <= 4096 // resets cost one cycle a connection
	illegal := p.Connections != 1<<p.ConnBits
	var list bench.Points
	list.Add("run/first", "a marked ACK after an unmarked one", true)
	list.Add("run/ended", "an unmarked ACK after a marked one", true)
	list.Add("run/full", "a marked ACK with a run of all ones before it", short)
	list.Add("hot/exact", "a run that is the threshold", true)
	list.Add("hot/below", "a run one below the threshold", true)
	list.Add("threshold/0", "an unmarked ACK with threshold 0", true)
	list.Add("threshold/max", "a run that is the largest threshold", short)
	list.Add("reset", "a reset in the cycle of an ACK", small)
	list.Add("not_ready", "an ACK while runs are cleared", true)
	list.Add("illegal", "an ACK of a connection that does not exist", illegal)
	list.AddDistances(kinds, span, func(from, to string, cycles int) string {
		return fmt.Sprintf("a %s, then a %s ACK of one connection, %d cycles apart", from, to, cycles)
	})
	return list
}

// cover counts the points of an ACK; was is the run before it.
func (r *predictor) cover(a *answer, was, threshold uint64) {
	hit := func(point int, is bool) {
		if is {
			r.Reached[point]++
		}
	}
	hit(ptIllegal, a.illegal)
	if a.illegal {
		return
	}
	most := uint64(1)<<r.p.RunBits - 1
	hit(ptFirst, was == 0 && a.run == 1)
	hit(ptEnded, was > 0 && a.run == 0)
	hit(ptFull, was == most && a.run == most)
	hit(ptExact, a.run > 0 && a.run == threshold)
	hit(ptBelow, a.run+1 == threshold)
	hit(ptThreshold0, a.run == 0 && threshold == 0)
	hit(ptThresholdMax, a.run == most && threshold == most)
	r.apart.Cycle(r.Cycle, []bool{a.run > 0, a.run == 0}, []uint32{uint32(a.conn), uint32(a.conn)})
}
