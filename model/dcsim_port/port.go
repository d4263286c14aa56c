// SPDX-License-Identifier: Apache-2.0

// Package dcsimport is the golden model of DCSIM's egress port: the queues and their limits, and
// the time that frames take on the line. Its token bucket is dcsim.Bucket.
//
// Source: Straussman et al., "Simulate Before Sending", NINeS 2026, §2.3.
package dcsimport

import params "github.com/nicgen/nicgen/gen/dcsim_port"

// Classes of frames; a lower one goes first.
const (
	SIM = iota
	SIMAck
	DataAck
	Data
	Classes
)

// Frame is the descriptor of a frame.
//
// Its class is one of the above; any other is illegal. Its length is in bytes. Its tag identifies
// it for the environment: the model carries it from Arrive to Leave without using it.
type Frame = params.Frame

// Limits are the settings that a descriptor meets.
type Limits struct {
	Queue       uint64 // B: packets in each small queue
	DataPackets uint64
	DataBytes   uint64
}

// Outcome is the fate of a descriptor.
type Outcome int

// Outcomes.
const (
	Queued Outcome = iota
	Dropped
	Illegal
)

// Port is the four queues.
type Port struct {
	p      *params.Params
	queues [Classes][]Frame
	bytes  uint64 // of DATAs
}

// New returns empty queues.
func New(p *params.Params) *Port { return &Port{p: p} }

// Arrive puts a frame at the end of its queue, if it is legal and there is room.
func (q *Port) Arrive(f Frame, l Limits) Outcome {
	if f.Class >= Classes || f.Len == 0 || f.Len > uint64(q.p.MaxBytes) {
		return Illegal
	}
	n := uint64(len(q.queues[f.Class]))
	if f.Class == Data {
		if n >= min(l.DataPackets, uint64(q.p.DataRows())) || q.bytes+f.Len > l.DataBytes {
			return Dropped
		}
		q.bytes += f.Len
	} else if n >= min(l.Queue, uint64(q.p.QueueDepth)) {
		return Dropped
	}
	q.queues[f.Class] = append(q.queues[f.Class], f)
	return Queued
}

// Pick returns the lowest class with a frame that may leave.
func Pick(some [Classes]bool, token bool) (class int, ok bool) {
	some[SIM] = some[SIM] && token
	for class, s := range some {
		if s {
			return class, true
		}
	}
	return 0, false
}

// Len returns the number of frames that wait in a queue, including the one that is offered.
func (q *Port) Len(class int) int { return len(q.queues[class]) }

// Bytes returns the number of bytes of the waiting DATAs.
func (q *Port) Bytes() uint64 { return q.bytes }

// Head returns the oldest frame of a queue.
func (q *Port) Head(class int) Frame { return q.queues[class][0] }

// Leave takes the oldest frame of a queue: it begins on the line.
func (q *Port) Leave(class int) Frame {
	f := q.queues[class][0]
	q.queues[class] = q.queues[class][1:]
	if class == Data {
		q.bytes -= f.Len
	}
	return f
}
