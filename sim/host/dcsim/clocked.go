// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"math/rand/v2"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
)

// The units of DCSIM count their own clocks: no model of a host can stop them, and cycles of an active host cannot be skipped. So golden
// models and RTL have the same cycles here, and all hosts have the same clock. A host with its own clock also has a phase: hosts do not all
// send at the same instants.

// clockedHost is the RTL of a host with its own clock.
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
