// SPDX-License-Identifier: Apache-2.0

package powertcp

import "github.com/nicgen/nicgen/sim/scenario/bottleneck"

// Hop is the telemetry of a switch.
type Hop struct {
	QLen uint64 // bytes queued behind the packet
	Tx   uint64 // bytes that the port sent before the packet; does not wrap
	TS   uint64 // time in ns; does not wrap
	Rate int    // link-rate code, an index of fabric.LinkRates
}

// Ack is one acknowledgement as it reaches the sender. Counters and times do not
// wrap: the hardware truncates them to its widths.
type Ack struct {
	Conn   uint32 // connection, from 0
	Seq    uint32 // the next sequence number that the receiver expects
	SndNxt uint32 // the next sequence number of the sender
	Path   uint16 // identifier of the path
	Hops   []Hop  // in path order; valid during the call
	RTT    uint64 // round-trip time of the packet, in ns
	Now    uint64 // time of arrival, in ns
}

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
	Ack(a *Ack) (Window, error)
}

// Settings configure a controller.
type Settings struct {
	bottleneck.Settings
	Connections int // Ack.Conn is below it
	Hops        int // most hops in an acknowledgement
}

// First is the window of a connection before its first acknowledgement.
func (s Settings) First() Window { return Window{Bytes: s.MaxWindow, Rate: s.MaxWindow / s.Tau} }
