// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
	tbpowertcp "github.com/nicgen/nicgen/tb/powertcp"
)

// Window limits a sender.
type Window struct {
	Bytes float64 // bytes that may be unacknowledged
	Rate  float64 // pacing rate in bytes per ns
}

// Controller computes windows. It keeps the state of all connections, each of
// which starts with Settings.First.
type Controller interface {
	// Ack takes an acknowledgement and returns the new window. Calls are in order
	// of time. An error ends the run.
	Ack(a *tbpowertcp.Ack) (Window, error)
}

// Settings configure a controller.
type Settings struct {
	bottleneck.Settings
	Connections int // Ack.Conn is below it
	Hops        int // most hops in an acknowledgement
}

// First is the window of a connection before its first acknowledgement.
func (s Settings) First() Window { return Window{Bytes: s.MaxWindow, Rate: s.MaxWindow / s.Tau} }
