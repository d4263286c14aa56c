// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"regexp"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// protected are the memories of which state_protection keeps three copies, and what tells
// which of their rows were written.
var protected = regexp.MustCompile(`(^|\.)(rates|taus(\.g_slice\[\d+\])?\.mem)$`)

// The limits of the window during upsets, in the port's quarters of a byte.
const (
	upsetMinWindow = 4 * 1000
	upsetMaxWindow = 4 * 1_000_000
)

// Upset has the effects that an upset of a state bit may have: other windows within the
// limits. Neither flushes nor writes of the link-rate table restore the state.
var Upset = &bench.Upset{
	Settings: []string{
		"connections=8 throughput=ack hops=2",
		"connections=8 hops=2",
		"connections=8 variant=theta",
		"connections=8 hops=2 state_protection=triple",
		"connections=8 variant=theta state_protection=triple",
	},
	Hold: map[string]uint64{"cfg_min_window": upsetMinWindow, "cfg_max_window": upsetMaxWindow},
	Lifetime: `**The bound.** Windows stay within their limits and every ACK is answered in its time, from a window's latency and the
beats of an ACK after an upset on: 80 cycles at most here. A wrong bit in a connection's memory stays until the ACK
that writes it: the smoothed power forgets what it was at the rate of the paper's filter, old telemetry lasts for one
ACK, and a window that is wrong is corrected as one after a sudden change of the network is. With θ, a base round-trip
time that is too small stays until the path changes or the connection is flushed. The link-rate table is
configuration: a wrong entry stays until it is written again or, as it is kept over a reset, until the device is
configured again; windows are within their limits with any entry. With a hop a cycle, an upset of the count of beats
makes the unit see other ACKs in the beats until an ACK of at most one hop.

With [state protection](powertcp_details.md#state-protection) an upset of the link-rate table or of a base round-trip time is
never seen, as the entries *rates*, *knowns* and *taus* of the file say, and is mended. The pulse *evt_corrected* is not
compared.`,
	Law: newLaw,
	Masked: func(cfg gen.Config) *regexp.Regexp {
		if p, err := Unit.Params(cfg); err != nil || p.Protection != params.Triple {
			return nil
		}
		return protected
	},
	Stimulus: func(cfg gen.Config, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
		p, err := Unit.Params(cfg)
		if err != nil {
			return nil, err
		}
		s, err := newStimulus(p, l, seed)
		if err == nil {
			s.(*stimulus).steady = true
		}
		return s, err
	},
}

// newLaw demands that the unit goes on answering, and that every window is within the
// limits.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	if err := x.bind(p, l); err != nil {
		return nil, err
	}
	const illegal = 6 // the cause of a connection that does not exist
	laws := bench.Laws{
		&bench.Ready{Pin: x.ready, Max: uint64(p.Connections) + 8},
		&bench.Ready{Pin: x.ackReady, Max: uint64(p.Connections) + 1024},
		bench.Check(func(_, _, _, got []uint64) bool {
			var a params.Window
			if !x.windows.Read(got, &a) {
				return true
			}
			if a.Cause == illegal {
				return a.Bytes == 0
			}
			return a.Bytes >= upsetMinWindow && a.Bytes <= upsetMaxWindow
		}),
	}
	latency := uint64(p.WindowLatency())
	acks := &bench.Answered{Valid: x.ackValid, Ready: x.ackReady, Answer: x.winValid, Min: latency, Max: latency,
		Tags: [][2]bench.Pin{{x.ackConn, x.winConn}}}
	if p.HasINT() && p.Throughput == params.PerHop {
		acks.Beats = x.hopCnt
	}
	return append(laws, acks), nil
}
