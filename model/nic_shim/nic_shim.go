// SPDX-License-Identifier: Apache-2.0

// Package nicshim is the golden model of shims: it inserts them into frames and removes them.
// docs/units/nic_shim.md has the format and the decisions.
package nicshim

import (
	"encoding/binary"

	params "github.com/nicgen/nicgen/gen/nic_shim"
)

// Shim is a shim. Next, Count and Body are as in the frame; the body of a LAPS shim is the first 28
// bytes.
type Shim struct {
	Subtype, Type, Count, Next int
	Body                       [params.INTBytes - params.HeadBytes]byte
}

// Types.
const (
	Data   = 0 // or collect
	ACK    = 1 // or echo
	Probe  = 2
	Answer = 3
)

// Insert returns frame with a shim of EtherType typ. ok is false if frame cannot get one and is
// returned unchanged.
func Insert(p *params.Params, frame []byte, s Shim, typ uint16) (out []byte, ok bool) {
	size := p.Size(s.Subtype)
	if size == 0 || len(frame) < params.Addresses+2 {
		return frame, false
	}
	out = append(out, frame[:params.Addresses]...)
	out = binary.BigEndian.AppendUint16(out, typ)
	out = append(out, byte(s.Type&3<<4|s.Count&15), byte(s.Next&15<<4|s.Subtype&15))
	out = append(out, s.Body[:size-params.HeadBytes]...)
	return append(out, frame[params.Addresses:]...), true
}

// Kind is the result of Remove for a frame.
type Kind int

const (
	Plain   Kind = iota // it has no shim
	Removed             // it had one
	Ended               // it is a probe or an answer: the host does not see it
	Illegal             // it has one that is not understood
)

// Remove takes the shim of EtherType typ out of frame. The known properties of the shim are in its
// first beat.
func Remove(p *params.Params, frame []byte, typ uint16) (out []byte, s Shim, kind Kind) {
	const head = params.Addresses + params.HeadBytes
	if len(frame) < params.Addresses+2 || binary.BigEndian.Uint16(frame[params.Addresses:]) != typ {
		return frame, Shim{}, Plain
	}
	if len(frame) < head {
		return frame, Shim{}, Illegal
	}
	version, flags := frame[params.Addresses+2], frame[params.Addresses+3]
	s = Shim{Subtype: int(flags & 15), Type: int(version >> 4 & 3), Count: int(version & 15), Next: int(flags >> 4)}
	size := p.Size(s.Subtype)
	if version>>6 != 0 || size == 0 || s.Subtype != params.LAPS && s.Type >= Probe || len(frame) < params.Addresses+size+2 {
		return frame, Shim{}, Illegal
	}
	copy(s.Body[:size-params.HeadBytes], frame[head:])
	if s.Type >= Probe {
		return nil, s, Ended
	}
	return append(append(out, frame[:params.Addresses]...), frame[params.Addresses+size:]...), s, Removed
}
