// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"math/rand/v2"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
)

// The units of DCSIM count their clocks themselves: no model of a host can let them stand still, and cycles of a host at work cannot be left
// out. So golden models and RTL have the same cycles here, and all hosts the same clock. What a host by a clock of its own has besides is
// a phase: hosts do not all send in the same instants.

// clockedHost is the RTL of a host by a clock of its own.
type clockedHost struct {
	*host
	phase fabric.Instant
}

// Phase implements transport.Phased.
func (h *clockedHost) Phase() fabric.Instant { return h.phase }

// phases draws the phases of hosts. They are no part of the chances that all models have in common, so that the hosts' random ports are the same.
func phases(x *transport.EndpointSettings) func() fabric.Instant {
	r, period := rand.New(rand.NewPCG(x.Seed, 0x7068_6173_65)), 1_000_000_000_000/x.ClockHz
	return func() fabric.Instant { return fabric.Instant(r.Int64N(period)) }
}
