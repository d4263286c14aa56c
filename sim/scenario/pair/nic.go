// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"context"

	"github.com/nicgen/nicgen/sim/agenda"
)

// NIC is the device between a host and its wire.
type NIC interface {
	// Host and Wire bring a frame, from the host, or from the wire on which its last byte
	// came at this instant. Instants do not go back, and are not before the last Run's.
	Host(at agenda.Instant, frame []byte)
	Wire(at agenda.Instant, frame []byte)
	// Run lets time go on until an instant, which is not reached, and tells what left meanwhile.
	Run(ctx context.Context, until agenda.Instant, left func(Left)) error
	// Busy reports whether a frame is inside.
	Busy() bool
}

// Dropper is a NIC that may drop frames of its host, and counts them.
type Dropper interface {
	Dropped() (uint64, error)
}

// Left is a frame that left a NIC.
type Left struct {
	At     agenda.Instant // of its last byte: in the host's memory, or on the wire
	ToHost bool
	Bad    bool // the NIC marked it: a MAC spoils its FCS
	Data   []byte
}

// Plain is a NIC that changes nothing: what a path has to be compared with.
type Plain struct {
	wire []Left // in order; what has not left
	host []Left
	free agenda.Instant
}

// Host implements NIC: frames leave one after another at the line rate.
func (p *Plain) Host(at agenda.Instant, frame []byte) {
	p.free = max(p.free, at) + WireTime(len(frame), LineRate)
	p.wire = append(p.wire, Left{At: p.free, Data: frame})
}

// Wire implements NIC.
func (p *Plain) Wire(at agenda.Instant, frame []byte) {
	p.host = append(p.host, Left{At: at, ToHost: true, Data: frame})
}

// Run implements NIC.
func (p *Plain) Run(ctx context.Context, until agenda.Instant, left func(Left)) error {
	for _, list := range []*[]Left{&p.wire, &p.host} {
		n := 0
		for ; n < len(*list) && (*list)[n].At < until; n++ {
			left((*list)[n])
		}
		*list = (*list)[n:]
	}
	return ctx.Err()
}

// Busy implements NIC.
func (p *Plain) Busy() bool { return len(p.wire)+len(p.host) > 0 }
