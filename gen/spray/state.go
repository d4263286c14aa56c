// SPDX-License-Identifier: Apache-2.0

package spray

import "github.com/nicgen/nicgen/gen"

// State implements gen.Stateful.
func (p *Params) State() []gen.State {
	if !p.HasTable() {
		return nil
	}
	list := []gen.State{{Name: "ev", Bits: int(p.EVSBits), Memories: []string{"flowlets.evs"}, Meaning: "EV of the next packet unless a new flowlet begins"}}
	if p.Modes == RoundRobin {
		return list
	}
	return append(list,
		gen.State{Name: "due", Bits: int(p.TimerBits), Memories: []string{"flowlets.dues"}, Meaning: "time of the last packet + flowlet timeout"},
		gen.State{Name: "alive", Bits: 3, Memories: []string{"flowlets.aging.bank"},
			Meaning: "for each of three quarters of the time: a packet was sent"})
}
