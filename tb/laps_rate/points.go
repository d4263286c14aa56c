// SPDX-License-Identifier: Apache-2.0

package lapsrate

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptDecrease = iota
	ptIncrease
	ptHyper
	ptNoPath
	ptHeldDecrease
	ptHeldIncrease
	ptExactDecrease
	ptNextDecrease
	ptExactIncrease
	ptNextIncrease
	ptFirst
	ptNoTime
	ptOtherGate
	ptHalf
	ptHealed
	ptTurn
	ptTimeWrap
	ptGateWrap
	ptEqual
	ptEqualNext
	ptAllDead
	ptBothDead
	ptZero
	ptSpread
	ptOnePath
	ptAllPaths
	ptHiddenLeast
	ptHiddenBase
	ptReachMin
	ptAtMin
	ptReachMax
	ptAtMax
	ptOdd
	ptStep
	ptStepMean
	ptStepMost
	ptStepAhead
	ptAbove
	ptAboveUp
	ptCut
	ptCutHyper
	ptLowMax
	ptStages0
	ptStagesMax
	ptStagesChanged
	ptOpenLower
	ptOpenWaits
	ptOpenOther
	ptReset
	ptNotReady
	ptIllegalACK
	ptIllegalOpen
	ptDistance // first of the distances; behind them the places of the extremes
)

// distances is the number of cycles up to which distances between events on one flow
// are counted: the length of the pipeline that changes state, and as much again.
const distances = 6

// Event kinds whose distances are counted.
const (
	kindDecrease = iota
	kindIncrease
	kindOpen
	kindHeld
	kinds
)

var kindNames = [kinds]string{"decrease", "increase", "open", "held"}

// points lists the coverage points; those that a configuration cannot reach are
// not required.
func points(p *params.Params) []cosim.Point {
	illegal := p.Flows != 1<<p.FlowBits
	small := p.Flows <= 4096 // resets cost one cycle a flow
	trees := p.Operands != params.ExtremesOp
	var list bench.Points
	add := list.Add
	add("change/decrease", "a decrease", true)
	add("change/increase", "an increase without doubling", true)
	add("change/hyper", "an increase with doubling", true)
	add("change/no_path", "an ACK without a valid path", true)
	add("held/decrease", "a congested ACK too early for a decrease", true)
	add("held/increase", "an ACK too early for an increase", true)
	add("gate/exact_decrease", "a congested ACK at nxtDec waits", true)
	add("gate/next_decrease", "a congested ACK one ns later than nxtDec decreases", true)
	add("gate/exact_increase", "an ACK at nxtInc waits", true)
	add("gate/next_increase", "an ACK one ns later than nxtInc increases", true)
	add("gate/first", "an ACK changes a rate at the very time at which its flow was opened", true)
	add("gate/no_time", "an increase with interval 0", true)
	add("gate/other", "an ACK makes one kind of change while the other is held", true)
	add("gate/half", "a change more than half of the time's range after nxtDec or nxtInc", true)
	add("gate/healed", "a change that a signed comparison of the times would have held", true)
	add("gate/turn", "an ACK is held although its flow was idle for nearly the whole range of the time", true)
	add("time/wrap", "the time wraps", true)
	add("gate/wrap", "an ACK is held across the wrap of the time", true)
	add("extremes/equal", "t is T: an increase", true)
	add("extremes/next", "t is one ns more than T: a decrease", true)
	add("extremes/all_dead", "t is all ones, T is not", true)
	add("extremes/both_dead", "t and T are all ones", true)
	add("extremes/zero", "t and T are 0", true)
	add("extremes/spread", "a change with realVal below and above T", trees || p.Decrease == params.Most)
	add("extremes/one_path", "an ACK with a single valid path", trees)
	add("extremes/all_paths", "an ACK with all paths valid", trees)
	add("extremes/hidden_least", "a path that is not valid has a lower realVal than t", trees)
	add("extremes/hidden_base", "a path that is not valid has a higher baseVal than T", p.Operands == params.PathsOp)
	add("rate/reach_min", "a decrease stops at the minimum rate", true)
	add("rate/at_min", "a decrease at the minimum rate", true)
	add("rate/reach_max", "a doubling stops at the maximum rate", true)
	add("rate/at_max", "an increase at the maximum rate", true)
	add("rate/odd", "an increase whose sum is odd", true)
	step := p.Least > 0
	room := step && p.Least < 1<<(p.RateBits-2) // below a largest rate that is often drawn
	add("step/least", "an increase by the least step, which leads further than the mean", room)
	add("step/mean", "an increase to the mean, which leads further than the least step", room)
	add("step/reach_max", "the least step stops at the maximum rate", step)
	add("step/ahead", "the least step leads above the expected rate", room)
	add("setting/above_decrease", "a decrease with the current rate above the maximum", true)
	add("setting/above_increase", "an increase with the current rate above the maximum", true)
	add("setting/cut", "an increase without doubling, with the expected rate above the maximum and the current rate not", true)
	add("setting/cut_hyper", "an increase with doubling, with the expected rate above the maximum and the current rate not", true)
	add("setting/low_max", "a decrease from above the maximum rate, half of which is below the minimum", true)
	add("setting/stages_0", "an increase with doubling and N = 0", true)
	add("setting/stages_max", "a decrease with N = 15", true)
	add("setting/stages_changed", "an increase with more increases left than N", true)
	add("open/lower", "a flow below the maximum rate is opened", true)
	add("open/waits", "an opening waits for an ACK", true)
	add("open/other", "an ACK of a flow after others were opened", p.Flows > 1)
	add("reset", "a reset in the middle of traffic", small)
	add("not_ready", "events while flows are opened after a reset", true)
	add("illegal/ack", "an ACK of a flow that does not exist", illegal)
	add("illegal/open", "an opening of a flow that does not exist", illegal)

	list.AddDistances(kindNames[:], distances, func(from, to string, cycles int) string {
		return fmt.Sprintf("%s, then %s of one flow, %d cycles apart", from, to, cycles)
	})
	if trees {
		for i := range p.Paths {
			add(fmt.Sprintf("least_at/%d", i), fmt.Sprintf("path %d alone has t", i), true)
		}
		if p.Operands == params.PathsOp {
			for i := range p.Paths {
				add(fmt.Sprintf("base_at/%d", i), fmt.Sprintf("path %d alone has T", i), true)
			}
		}
		if p.Decrease == params.Most {
			for i := range p.Paths {
				add(fmt.Sprintf("most_at/%d", i), fmt.Sprintf("path %d alone has the largest realVal of a decrease", i), true)
			}
		}
	}
	return list
}
