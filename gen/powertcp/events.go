// SPDX-License-Identifier: Apache-2.0

package powertcp

import "github.com/nicgen/nicgen/gen"

// Events implements gen.Eventful.
func (p *Params) Events() []gen.Event {
	ack := gen.Event{Name: "ack", Answer: "win"}
	if p.HasRTT() {
		ack.Flags = []string{"rtt_valid"}
	}
	if p.HasINT() && p.Throughput == PerHop {
		ack.Beats, ack.Each = "hop_cnt", []string{"hop"}
		if p.HopFormat != Word {
			ack.Each = []string{"hop_rate", "hop_time", "hop_bytes", "hop_qlen"}
		}
		if p.Variant == Both {
			ack.One = "theta"
		}
	}
	list := []gen.Event{ack, {Name: "flush"}}
	if p.HasINT() {
		list = append(list, gen.Event{Name: "rate"})
	}
	return list
}
