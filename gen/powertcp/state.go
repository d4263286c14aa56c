// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

// State implements gen.Stateful: the state of a connection in the paper's words. At one hop per
// cycle, records have room for a power of two of hops.
func (p *Params) State() []gen.State {
	flag := []string{"flags"}
	s := []gen.State{
		{Name: "have", Bits: 1, Memories: flag, Meaning: "the connection has state; the only bit that a reset or a flush clears (P8)"},
		{Name: "path", Bits: int(p.PathBits), Memories: flag, Meaning: "path of the previous ACK (P9)"},
	}
	if p.HasINT() {
		s = append(s, gen.State{Name: "count", Bits: p.CountBits(), Memories: flag, Meaning: "its number of hops, at most hops (P9)"})
	}
	if p.Variant == Both {
		s = append(s, gen.State{Name: "theta", Bits: 1, Memories: flag, Meaning: "it had a round-trip time, not telemetry"})
	}
	if p.HasINT() {
		hop := func(n int, suffix, records string) {
			s = append(s,
				gen.State{Name: "sum" + suffix, Bits: n * p.SumBits(), Memories: []string{records}, Meaning: "prevInt: queue length + bytes sent, for each hop (P4)"},
				gen.State{Name: "time" + suffix, Bits: n * int(p.TimeBits), Memories: []string{records}, Meaning: "prevInt: time, for each hop"})
		}
		if p.Throughput == PerHop {
			hop(1<<sv.CLog2(p.Hops), "", "lane.record_words")
		} else {
			for i := range p.Lanes() {
				hop(1, fmt.Sprintf("[%d]", i), fmt.Sprintf("g_lane[%d].lane.record_words", i))
			}
		}
	}
	if p.HasTheta() {
		s = append(s,
			gen.State{Name: "rtt", Bits: int(p.RTTBits), Memories: []string{"base.rtts"}, Meaning: "prevRTT"},
			gen.State{Name: "now", Bits: int(p.NowBits), Memories: []string{"base.rtts"}, Meaning: "t_c of the ACK with prevRTT"})
	}
	if p.HasRTT() {
		s = append(s,
			gen.State{Name: "tau", Bits: int(p.RTTBits), Memories: []string{"base.taus"}, Meaning: "base round-trip time: the least on this path (T7, P20)"})
	}
	return append(s,
		gen.State{Name: "mark", Bits: SeqBits, Memories: []string{"marks"}, Meaning: "lastSeq, lastUpdated: where the round trip ends (P11, T3)"},
		gen.State{Name: "power", Bits: PowerBits, Memories: []string{"powers"}, Meaning: "Γsmooth, UQ8.26"},
		gen.State{Name: "window", Bits: WindowBits, Memories: []string{"windows"}, Meaning: "cwnd, UQ23.2"},
		gen.State{Name: "old_window", Bits: WindowBits, Memories: []string{"old_windows"}, Meaning: "cwnd_old, UQ23.2"})
}
