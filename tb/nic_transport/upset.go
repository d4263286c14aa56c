// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// upset defines the block's legal behaviour after a bit of the block's state changed; the parts are
// measured separately.
var upset = &bench.Upset{
	Settings: []string{small, small + " path=spray telemetry=int", small + " list=8"},
	Streams:  []string{"s_axis_tx", "s_axis_rx"},
	Lifetime: "**The bound.** A wrong bit of a beat, or of what goes with a frame, leaves with it. A wrong bit of a place, a count, or of what is under way can lose or " +
		"double frames, and give frames what is another one's. If a direction stands still for two windows, or is out of step when it is idle for two, a recovery mends it.",
	Stimulus: func(cfg gen.Config, l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
		p, err := Unit.Params(cfg)
		if err != nil {
			return nil, err
		}
		return newLong(p, l, seed, conversation)
	},
	Of: func(cfg gen.Config) func(string) bool {
		var parts []string
		for _, part := range cfg.(*params.Params).Parts() {
			parts = append(parts, part.Name)
		}
		parts = append(parts, "csr")
		return func(name string) bool {
			path := strings.Split(name, ".")
			register := path[len(path)-1]
			return !resets.MatchString(register) && !slices.ContainsFunc(path[:len(path)-1], func(instance string) bool { return slices.Contains(parts, instance) })
		}
	},
	Law: newLaw,
}

// resets are the copies of rst: a wrong bit there is a reset, of a part or of all.
var resets = regexp.MustCompile(`^rst_(\w+_)?q$`)

// conversation is the number of frames of one that goes on all the time.
const conversation = 40000

// newLong is a stimulus of one conversation of a number of frames, without a reset.
func newLong(p *params.Params, l *cosim.Layout, seed uint64, frames int) (cosim.Stimulus, error) {
	x, err := newStimulus(p, l, seed)
	if err != nil {
		return nil, err
	}
	s := x.(*stimulus)
	s.long = frames
	return s, s.episode()
}

// behind is the number of beats that an undisturbed block gives in the time in which the block gives one. After an upset
// other packets wait for their windows than without it, some for the stall rule, so it is not few.
const behind = 512

// newLaw demands that beats go on, in and out, in both directions.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	x, err := newPins(p, l)
	if err != nil {
		return nil, err
	}
	return bench.Laws{
		&bench.Progress{Valid: x.hostTX.ready, Most: behind},
		&bench.Progress{Valid: x.wireRX.ready, Most: behind},
		&bench.Progress{Valid: x.wireTX.valid, Ready: x.wireTX.ready, Most: behind},
		&bench.Progress{Valid: x.hostRX.valid, Ready: x.hostRX.ready, Most: behind},
	}, nil
}
