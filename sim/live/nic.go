// SPDX-License-Identifier: Apache-2.0

package live

import (
	"context"
	"net"
	"net/netip"

	"github.com/nicgen/nicgen/sim/agenda"
)

// Left is a frame that left a NIC.
type Left struct {
	ToHost bool
	At     agenda.Instant // of its last byte, in the block's time
	Bad    bool           // marked as bad
	Data   []byte
}

// Connection is a connection as the NIC of one of its ends sees it.
type Connection struct {
	Local, Remote       netip.Addr
	LocalQP, RemoteQP   uint32
	LocalMAC, RemoteMAC net.HardwareAddr
}

// A NIC connects a host to the network.
type NIC interface {
	// Host and Wire take frames.
	Host(frame []byte)
	Wire(frame []byte)
	// Run lets time go on until an instant, and calls left for each frame that left meanwhile.
	Run(ctx context.Context, until agenda.Instant, left func(Left)) error
	// Now is the present instant of the NIC's time.
	Now() agenda.Instant
	// Busy reports whether something is inside, or may still happen soon.
	Busy() bool
	// Open sets a connection up: frames that enter later find it.
	Open(ctx context.Context, c Connection) error
	// End reports whether anything is owed, and returns the NIC's counters.
	End() (*Counters, error)
}

// Counters holds a NIC's view of a run.
type Counters struct {
	Cycles    uint64            `json:"cycles"`
	TimeNS    uint64            `json:"time_ns"`   // of the block
	Registers map[string]uint64 `json:"registers"` // counters that are not 0, by name
	Dropped   uint64            `json:"dropped"`   // frames of the host that the block's queues dropped
	Ended     uint64            `json:"ended"`     // frames from the wire that ended in the block by their shims
	Held      int               `json:"held"`      // packets in the block's queues
	Waiting   [2]int            `json:"waiting"`   // frames that had not gone in: of the host, of the wire
	Opened    int               `json:"opened"`    // connections
}

// Plain is a NIC without a block: it changes nothing.
type Plain struct {
	left []Left
	now  agenda.Instant
}

// Host implements NIC.
func (p *Plain) Host(frame []byte) { p.left = append(p.left, Left{Data: frame}) }

// Wire implements NIC.
func (p *Plain) Wire(frame []byte) { p.left = append(p.left, Left{ToHost: true, Data: frame}) }

// Run implements NIC.
func (p *Plain) Run(_ context.Context, until agenda.Instant, left func(Left)) error {
	p.now = until
	for _, l := range p.left {
		l.At = p.now
		left(l)
	}
	p.left = p.left[:0]
	return nil
}

// Busy implements NIC.
func (p *Plain) Busy() bool { return len(p.left) > 0 }

// Now implements NIC.
func (p *Plain) Now() agenda.Instant { return p.now }

// Open implements NIC.
func (p *Plain) Open(context.Context, Connection) error { return nil }

// End implements NIC.
func (p *Plain) End() (*Counters, error) { return &Counters{}, nil }

// Period is the clock period of a block whose clock is as slow as its pacer allows: 100 MHz.
const Period agenda.Instant = 10_000
