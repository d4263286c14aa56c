// SPDX-License-Identifier: Apache-2.0

package powertcp

import "strings"

// Delays of the parts in cycles. They follow from the text of the lanes.
const (
	BeatLatency = 3  // from a beat that is taken to a hop lane's operands
	HopLatency  = 12 // of a hop lane
	AckLatency  = 20 // of the ACK lane
	AckLoop     = 9  // cycles between the ACKs of one connection in the ACK lane

	EventLatency = 5 // from a beat or a flush that is taken to its counter, clamps excepted
	RateLatency  = 0 // from a write of the link-rate table to the first beat that sees it
)

// ChoiceLatency is the number of cycles from the hop lanes to the ACK lane, in
// which the hop of the largest power is chosen.
func (p *Params) ChoiceLatency() int {
	return max(1, ceilLog2(p.Lanes()))
}

// WindowLatency is the number of cycles from the last beat of an ACK to its window.
func (p *Params) WindowLatency() int {
	return BeatLatency + HopLatency + p.ChoiceLatency() + AckLatency
}

// CounterLatency is the number of cycles from the last beat of an ACK (from its
// own beat, for a hop) to a counter that it raises.
func (p *Params) CounterLatency(name string) int {
	if strings.HasPrefix(name, "clamp_") {
		return p.WindowLatency() + 1
	}
	return EventLatency
}

// Distance is the number of cycles after the last beat of an ACK in which the first
// beat of an ACK of the same connection is not taken.
func (p *Params) Distance() int { return AckLoop - 1 }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{
		"last beat of an ACK to its window":                                                  p.WindowLatency(),
		"last beat of an ACK to the first beat of the next of the same connection, at least": p.Distance() + 1,
	}
}
