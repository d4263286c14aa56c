// SPDX-License-Identifier: Apache-2.0

package lapspaths

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/tb/bench"
)

// Upset defines the legal behaviour of the path tables after a bit of their state changed:
// they may give other latencies, and fewer paths. The tables are not written again.
var Upset = &bench.Upset{
	Settings: []string{
		"destinations=8 dst_bits=4 banks=4 rows=8 pid_bits=6",
		"destinations=8 dst_bits=4 banks=4 rows=8 pid_bits=6 ack_lookup=own path_memory=uram path_latency=true baselines=paths",
		"destinations=8 dst_bits=4 banks=4 rows=8 pid_bits=6 state_protection=parity",
	},
	Quiet: []string{"s_cfg_valid"},
	Lifetime: `**The bound.** Every packet, pick and route request is answered in its time. A wrong latency is forgotten with the
path's next ACK, or probe's answer, which the unit asks for after its expiry. **Without protection what the control plane
wrote stays wrong until it writes it again**: sets of paths, owners, scales, baselines and anchors; and so does what an upset
of the pipeline's write enables writes over it, and what a clearing wipes that an upset of ready_q began. A destination may
then be offered a path that it does not have: nothing in the unit can tell, so it counts as legal there. With
state_protection=parity it is not: there are no candidates and no anchors but those that were written. A word with a wrong bit
is not used, and evt_corrupt_… tells the control plane what to write again; until it does, the destination has a path less,
or learns no latencies, and outputs differ to the end. No single bit writes the tables there, and none begins a clearing.`,
	Law: newLaw,
}

// newLaw demands that packets, picks and route requests are answered in their cycle and
// that every path is one that exists. With protection it demands as well that no candidate
// is offered that the destination does not have, and no anchors that were not written.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	err = x.bind(p, l)
	parity := p.StateProtection == params.Parity
	anchors := bench.NewSame(l, "m_path_anchors")
	return bench.Laws{
		bench.NewSame(l, "m_cand_valid", "m_path_valid", "m_route_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(p.ReadyDelay()) + 8},
		bench.Check(func(in, want, care, got []uint64) bool {
			if parity && !x.pathNone.On(got) && x.pathPid.Get(got) == x.pathPid.Get(want) && !anchors.Lawful(in, want, care, got) {
				return false
			}
			var is, should params.Candidates
			if parity && x.cands.Read(got, &is) && x.cands.Read(want, &should) && is.Usable&^should.Usable != 0 {
				return false
			}
			if x.chosen.On(got) && !x.pathNone.On(got) && x.pathPid.Get(got) >= uint64(p.Paths()) {
				return false
			}
			var probe params.Probe
			return !x.probes.Read(got, &probe) || int64(probe.PID) < p.Paths() && int64(probe.Dst) < p.Destinations
		}),
		&rateLaw{x: &x},
	}, err
}

// rateLaw demands that rate control is notified only of ACKs that were taken.
type rateLaw struct {
	x     *wires
	cycle int
	taken [params.RateLatency]bool // of the last cycles, an ACK that is no probe's answer
}

// Clone implements bench.Law.
func (r *rateLaw) Clone() bench.Law {
	c := *r
	return &c
}

// Lawful implements bench.Law.
func (r *rateLaw) Lawful(in, _, _, got []uint64) bool {
	at := &r.taken[r.cycle%len(r.taken)]
	r.cycle++
	was := *at
	var a params.ACK
	*at = r.x.acks.Read(in, &a) && r.x.ackReady.On(got) && !a.Probe
	return was || !r.x.rates.On(got)
}
