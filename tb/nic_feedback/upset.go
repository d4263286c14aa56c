// SPDX-License-Identifier: Apache-2.0

package nicfeedback

import (
	"errors"
	"math/bits"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_feedback"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the unit's legal behaviour after a bit of its state changed: it may make a packet with
// other bytes, none or a doubled one, and give other entropy values.
var upset = &bench.Upset{
	Settings: []string{"connections=4 conn_bits=3 list=5"},
	Lifetime: "**The bound.** A wrong bit of a template is in each packet of it until the word is written again; its ICRC is then that of the wrong packet. One " +
		"of a packet that waits is gone with it. One of the token, or of what tells which word it is, may give a packet other bytes, one beat, or a beat more; the next " +
		"packet is whole. One of the queue's ends gives up to 31 lists of old again, or leaves out up to 16. Nothing stops either half: a list of which no half is on its way " +
		"is over, and without a packet there is no beat.",
	Sample: 4096,
	Law:    newLaw,
}

// behind is the number of beats or entropy values that an undisturbed unit gives in the time in which the
// unit gives one.
const behind = 64

// newLaw demands that both halves go on, and that the bytes of a beat are there from the first one on.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	var out bench.Pin
	err = errors.Join(x.bind(p, l), bench.Wire(unitName, l, p.Contract(), bench.WirePin("m_axis_tvalid", &out)))
	return bench.Laws{
		&bench.Ready{Pin: x.ready, Max: uint64(p.Connections) + 8},
		&bench.Progress{Valid: out, Ready: x.outReady, Most: behind},
		&bench.Progress{Valid: x.back, Ready: x.backReady, Most: behind},
		bench.Check(func(_, _, _, got []uint64) bool {
			var b params.Made
			return !x.beats.Read(got, &b) || b.Keep != 0 && bits.TrailingZeros64(^b.Keep)+bits.LeadingZeros64(b.Keep) == 64
		}),
	}, err
}
