// SPDX-License-Identifier: Apache-2.0

package laps

import (
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
)

// Delays are the cycles that the parts take from one of their ports to another. The unit's delays
// are sums of them, and no other code here or in the bench names a part's number of cycles.
type Delays struct {
	Cand     int   // path tables: from a packet to its candidates, and to its probe
	Pick     int   // picker: from the candidates to the pick
	Path     int   // path tables: from the pick, or a route request, to path and anchors
	Operands int   // path tables: from an ACK to rate control's operands
	Window   int   // path tables: from an event to its write, at most
	Settings int   // rate control: from the operands, or an opening, to its settings
	Rate     int   // rate control: from the operands, or an opening, to the rate
	Send     int   // loss detector: from a path to whether its segment is stored
	InOrder  int   // loss detector: from an ACK in order to its answer
	Ready    int64 // from rst to sts_ready of the slowest part
}

// Delays returns the delays of this configuration.
func (p *Params) Delays() Delays {
	parts := p.Parts()
	paths := parts.Paths
	d := Delays{
		Cand: lapspaths.CandLatency, Path: lapspaths.PathLatency, Operands: lapspaths.RateLatency, Window: lapspaths.WriteWindow,
		Pick: parts.Pick.PickLatency(), Settings: parts.Rate.SettingsDelay(), Rate: parts.Rate.RateLatency(),
		Ready: max(paths.ReadyDelay(), parts.Rate.ReadyDelay()),
	}
	if loss := parts.Loss; loss != nil {
		d.Send, d.InOrder = loss.SendLatency(), loss.Latency()["ACK in order to answer"]
		d.Ready = max(d.Ready, loss.Paths+loss.ReadyDelay()+1)
	}
	return d
}

// PacketLatency returns the number of cycles from a packet to its path.
func (p *Params) PacketLatency() int {
	d := p.Delays()
	return d.Cand + d.Pick + d.Path
}

// RateLatency returns the number of cycles from an ACK to its flow's rate.
func (p *Params) RateLatency() int {
	d := p.Delays()
	return d.Operands + d.Rate
}

// ReadyDelay returns the number of cycles from a reset to sts_ready, one cycle after the parts are
// ready.
func (p *Params) ReadyDelay() int64 { return p.Delays().Ready + 1 }

// Latency implements gen.Config: it follows the parts from port to port.
func (p *Params) Latency() map[string]int {
	d := p.Delays()
	m := map[string]int{
		"packet to path and anchors": p.PacketLatency(), "packet to probe": d.Cand,
		"route request to anchors": d.Path,
		"ACK to rate":              p.RateLatency(), "opening to rate": d.Rate,
	}
	if p.Loss {
		m["packet to stored"] = p.PacketLatency() + d.Send
		m["ACK in order to answer"] = d.InOrder
	}
	return m
}
