// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/gen/sv"
)

// Delays of the parts in cycles. They follow from the text of the lanes.
const (
	HopLatency = 22 // of a hop lane
	AckLatency = 37 // of the ACK lane

	scaleLatency = 5  // delay of a hop for 1/τ of its connection
	AckLoop      = 10 // cycles between the ACKs of one connection in the ACK lane

	OfferLatency = 2 // from an offer before the unit is ready to its counter
	RateLatency  = 0 // from a write of the link-rate table to the first beat that sees it
)

// Cycles from stage 0 to the entry of the link-rate table there, without the cycles of a RAM.
const (
	knownAt = 1  // presence of an entry: stage 2
	entryAt = 11 // the entry: 10 cycles later
)

// BeatLatency returns the number of cycles from an accepted beat to a hop lane's operands.
func (p *Params) BeatLatency() int { return 2 + int(p.RAMLatency) }

// EventLatency returns the number of cycles from an accepted beat or flush to its counter, except
// for clamps.
func (p *Params) EventLatency() int { return p.BeatLatency() + 2 }

// settingStage is the stage of the ACK lane at which it reads a port.
var settingStage = map[string]int{
	"cfg_tau_ns":     0,
	"cfg_inv_tau_m":  7, // for the weight of the new power
	"cfg_inv_tau_e":  7,
	"cfg_init_power": 10,
	"cfg_beta":       26,
	"cfg_gamma":      27,
	"cfg_min_window": 30,
	"cfg_max_window": 30,
}

// paceStage is the stage of the ACK lane at which it reads 1/τ for the pacing rate.
const paceStage = 31

// thetaStage is the stage of the θ lane at which it reads a port.
var thetaStage = map[string]int{
	"cfg_tau_ns":      0,
	"cfg_theta_floor": 14,
	"cfg_inv_target":  4,
}

// ReadyLatency returns the number of cycles without a reset until the unit is ready.
func (p *Params) ReadyLatency() int { return int(p.Connections+p.RAMLatency) + 1 }

// ChoiceLatency returns the number of cycles from the hop lanes to the ACK lane, in
// which the hop of the largest power is chosen.
func (p *Params) ChoiceLatency() int {
	if !p.HasINT() {
		return 0
	}
	return max(1, sv.CLog2(p.Lanes()))
}

// powerLatency returns the number of cycles from a hop lane's operands to its power.
func (p *Params) powerLatency() int {
	if p.Observes() {
		return HopLatency + scaleLatency
	}
	return HopLatency
}

// ackStart returns the number of cycles from the last beat of an ACK to the ACK lane.
func (p *Params) ackStart() int { return p.BeatLatency() + p.powerLatency() + p.ChoiceLatency() }

// WindowLatency returns the number of cycles from the last beat of an ACK to its window.
func (p *Params) WindowLatency() int { return p.ackStart() + AckLatency }

// SettingLatency returns the number of cycles from the last beat of an ACK with telemetry
// to the cycle in which it reads a cfg_ port; 0 is the cycle of the beat. 1/τ is read
// again, see PaceLatency.
func (p *Params) SettingLatency(port string) int {
	stage, ok := settingStage[port]
	if !ok {
		panic(fmt.Sprintf("powertcp: no setting %q of ACKs with telemetry", port))
	}
	if p.Variant == Both && strings.HasPrefix(port, "cfg_inv_tau") {
		stage = 0 // it enters the ACK lane with the ACK
	}
	if p.Observes() && port == "cfg_tau_ns" {
		return p.BeatLatency() // the beginning of the connection's τ
	}
	return p.ackStart() + stage
}

// ThetaSettingLatency returns SettingLatency for an ACK with a round-trip time.
func (p *Params) ThetaSettingLatency(port string) int {
	if stage, ok := thetaStage[port]; ok {
		return p.BeatLatency() + stage
	}
	return p.SettingLatency(port)
}

// PaceLatency returns the number of cycles from the last beat of an ACK with telemetry to
// the cycle in which it reads 1/τ for the pacing rate.
func (p *Params) PaceLatency() int {
	if p.Variant == Both {
		return p.ackStart()
	}
	return p.ackStart() + paceStage
}

// RateHold returns the number of cycles after a write of the link-rate table during which another
// one is not accepted.
func (p *Params) RateHold() int { return entryAt - knownAt + int(p.RAMLatency) - 1 }

// CounterLatency returns the number of cycles from the last beat of an ACK (from its
// own beat, for a hop) to a counter that it raises.
func (p *Params) CounterLatency(name string) int {
	switch {
	case strings.HasPrefix(name, "clamp_"):
		return p.WindowLatency() + 1
	case name == "not_ready":
		return OfferLatency
	}
	return p.EventLatency()
}

// Distance returns the number of cycles after the last beat of an ACK during which the first beat
// of an ACK of the same connection is not accepted.
func (p *Params) Distance() int { return AckLoop - 1 }

// Latency implements gen.Config.
func (p *Params) Latency() map[string]int {
	return map[string]int{
		"last beat of an ACK to its window":                                                  p.WindowLatency(),
		"last beat of an ACK to the first beat of the next of the same connection, at least": p.Distance() + 1,
	}
}
