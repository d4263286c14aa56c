// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/event"
)

// sweepSlack is the number of cycles that a unit may take beyond its sweep until it is ready.
const sweepSlack = 8

// contractLaw returns the law that follows from a contract: answers come in the cycles of the undisturbed
// unit's, and the unit is ready again after a sweep.
func contractLaw(cfg gen.Config, l *cosim.Layout) (Law, error) {
	c := event.Of(cfg)
	if c == nil {
		return nil, fmt.Errorf("unit %s has no contract from which its law after an upset could follow: want a Law", cfg.Unit())
	}
	var laws Laws
	for _, a := range c.Answers {
		if a.After > 0 && a.Valid != "" {
			laws = append(laws, NewSame(l, a.Valid))
		}
	}
	if c.Sweep > 0 {
		var ready Pin
		if err := Wire(cfg.Unit(), l, c, WirePin("sts_ready", &ready)); err != nil {
			return nil, err
		}
		laws = append(laws, &Ready{Pin: ready, Max: uint64(c.Sweep) + sweepSlack})
	}
	return laws, nil
}

// Judge returns the law of a configuration: the unit's own, or the one that follows from its contract.
func (u *Upset) Judge(cfg gen.Config, l *cosim.Layout) (Law, error) {
	if u.Law != nil {
		return u.Law(cfg, l)
	}
	return contractLaw(cfg, l)
}
