// SPDX-License-Identifier: Apache-2.0

// Package nicprobe is the golden model of LAPS' probes: the frames of probes and answers, and the
// reading of received ones. docs/units/nic_probe.md has the format and the decisions.
package nicprobe

import (
	"encoding/binary"
	"math"

	params "github.com/nicgen/nicgen/gen/nic_probe"
)

// Frame is a probe or an answer, without FCS.
type Frame [params.FrameBytes]byte

// Addresses are destination and source address of a frame.
type Addresses [params.Addresses]byte

// Exchanged holds the addresses and ports of the way back.
func (a Addresses) Exchanged() (b Addresses) {
	copy(b[:6], a[6:])
	copy(b[6:], a[:6])
	return b
}

// timeMask are the bits of a time.
const timeMask = 1<<params.NowBits - 1

// subtype is LAPS' subtype.
const subtype = 1

// make builds the common part of probes and answers.
func (f *Frame) make(to Addresses, etherType uint16, kind, count int, path uint16, time uint64) {
	copy(f[:], to[:])
	binary.BigEndian.PutUint16(f[12:], etherType)
	f[14], f[15] = byte(kind<<4|count), subtype
	binary.BigEndian.PutUint64(f[16:], uint64(path)<<48|time&timeMask)
}

// MakeProbe returns the probe of a path, sent now.
func MakeProbe(to Addresses, etherType, path uint16, anchors []uint32, now uint64) (f Frame) {
	f.make(to, etherType, params.Probe, len(anchors), path, now)
	for i, a := range anchors {
		binary.BigEndian.PutUint32(f[24+4*i:], a)
	}
	return f
}

// Record holds the known properties of a received frame with a shim.
type Record struct {
	Bad           bool
	Subtype, Type int
	Body          [8]byte // the first bytes
	Addresses     Addresses
}

// Kind is the unit's classification of a record.
type Kind int

// Kinds of records.
const (
	Foreign Kind = iota // none of its
	Bad                 // one of its, which leaves no trace
	Probe
	Answer
)

// Kind returns the kind of the record.
func (r *Record) Kind() Kind {
	switch {
	case r.Subtype != subtype || r.Type < params.Probe:
		return Foreign
	case r.Bad:
		return Bad
	case r.Type == params.Probe:
		return Probe
	}
	return Answer
}

// Path returns the record's path.
func (r *Record) Path() uint16 { return binary.BigEndian.Uint16(r.Body[:]) }

// Time returns a probe's time, or an answer's delay.
func (r *Record) Time() uint64 { return binary.BigEndian.Uint64(r.Body[:]) & timeMask }

// Delay returns the delay of a probe received now, modulo 2^48.
func (r *Record) Delay(now uint64) uint64 { return (now - r.Time()) & timeMask }

// MakeAnswer returns the answer to a probe that took delay.
func MakeAnswer(r *Record, etherType uint16, delay uint64) (f Frame) {
	f.make(r.Addresses.Exchanged(), etherType, params.Answer, 0, r.Path(), delay)
	return f
}

// Cut returns a signed delay of 48 bits in 32 bits, saturated.
func Cut(delay uint64) int32 {
	signed := int64(delay<<16) >> 16
	return int32(max(math.MinInt32, min(math.MaxInt32, signed)))
}
