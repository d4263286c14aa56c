// SPDX-License-Identifier: Apache-2.0

package nicprobe

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_probe"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the unit's legal behaviour after a bit of its state changed: it may give a probe, an
// answer or a delay other contents, double it or lose it.
var upset = &bench.Upset{
	Settings: []string{"destinations=4 dst_bits=3"},
	Lifetime: "**The bound.** A wrong bit of a destination's addresses stays until they are written again: its probes go elsewhere, or there are none. " +
		"One of a queue's words is gone with the word. One of a queue's ends gives up to 16 words again, or leaves out as many. A probe whose request of " +
		"anchors is forgotten waits for the next anchors that come; every other probe waits behind it, and so do none of the answers.",
	Sample: 4096,
	Law:    newLaw,
}

// behind is the number of frames and delays that an undisturbed unit gives in the time in which the unit
// gives one.
const behind = 64

// newLaw demands that frames, requests and delays go on, and that frames are of probes or answers.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	err = x.bind(p, l)
	return bench.Laws{
		&bench.Ready{Pin: x.ready, Max: uint64(p.Destinations) + 8},
		&bench.Progress{Valid: x.route, Ready: x.routeReady, Most: behind},
		&bench.Progress{Valid: x.answer, Ready: x.answerReady, Most: behind},
		&bench.Progress{Valid: x.frame, Ready: x.frameReady, Most: behind},
		bench.Check(func(_, _, _, got []uint64) bool {
			var e params.Frame
			if !x.frames.Read(got, &e) {
				return true
			}
			kind := e.Data[1] >> 48 & 0xff // byte 14
			return kind == params.Answer<<4 || kind == params.Probe<<4|uint64(p.Anchors)
		}),
	}, err
}
