// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// Upset has the effects that an upset of a state bit may have: other EVs. Neither seeds
// nor flushes restore the state.
var Upset = &bench.Upset{
	Settings: []string{
		"connections=8 evs_bits=8 state_memory=bram ev_memory=bram",
		"connections=8 evs_bits=8 ack_coalescing=reuse ack_coalescing_ratio=3",
		"connections=8 evs_bits=8 ack_coalescing=carry ack_coalescing_ratio=2",
		"connections=8 evs_bits=8 state_memory=bram ev_memory=bram state_protection=scrub",
		"connections=8 evs_bits=8 state_memory=bram ev_memory=bram state_protection=triple",
	},
	Quiet: []string{"s_seed_valid", "s_flush_valid"},
	Lifetime: `**The bound.** There is no state that can stop the unit: every SEND is answered after its latency with an EV of the
set, but for the SENDs of the 7 cycles around an upset; an upset of the ready flag makes the unit go through its
connections again, 2 cycles for each. A wrong count of a connection gives EVs out of turn or used before, or
random ones in place of cached ones, until SENDs have used the connection's EVs up, or a flush. Three things stay
longer: a copy of freeze, thaw or explore that no longer agrees with the other copies makes one lane see a frozen or
exploring connection for ever, as only the lane that owns the bit writes it, and by turning it over; an exit time with
a wrong high bit freezes for up to 2^(timer_bits-1) ns; and the generator's state gives another random sequence. None
of them makes an EV illegal. The reset ends them all.

With [state protection](reps_details.md#state-protection) only the last stays. With *scrub*, copies agree again once the
connection had its turn. With *triple*, no upset of a memory but the ring is seen at all, as the tables say; an upset
of a register may still write a wrong value to all copies alike, which then ends as one of a count does, and an exit
time as above. What remains in the column *legal* are other EVs than the undisturbed unit's: another number of random
words was drawn, or EVs are not used up yet. *TestProtection* shows that with random words from the port, and a flush
now and then, nothing remains. The pulse *evt_corrected* is not compared.`,
	Law:    newLaw,
	Sample: 1024,
}

// newLaw demands that every SEND is answered in its cycle, with an EV of the set.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	if err := x.bind(p, l); err != nil {
		return nil, err
	}
	laws := bench.Laws{
		bench.NewSame(l, "m_ev_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(2*p.Rows()) + 8},
		&bench.Delayed{Cycles: p.SendLatency(), Words: l.InWords, Check: func(in, got []uint64) bool {
			// An EV is one of the set, above the base of its SEND's cycle.
			var a params.Answer
			if !x.answers.Read(got, &a) || a.Source >= uint8(model.None) {
				return a.Source <= uint8(model.None)
			}
			var set params.Settings
			x.set.Read(in, &set)
			return (a.EV-set.EVBase)&(1<<p.WireBits()-1) < 1<<p.EVSBits
		}},
	}
	if p.Coalescing == params.Carry {
		laws = append(laws, &bench.Ready{Pin: x.ackReady, Max: uint64(2*p.Rows()) + 8 + uint64(p.CarryDepth*p.Ratio)})
	}
	return laws, nil
}
