// SPDX-License-Identifier: Apache-2.0

// Package dcsimresponder is the golden model of DCSIM's receiving host: the DATAs that a DATA-ACK
// names, and the time of DATA-ACKs. It has no clock and no ports. A SIM needs no state: its SIM-ACK
// repeats its flow and its port.
//
// Source: Straussman et al., "Simulate Before Sending", NINeS 2026, §2.4 ⑤.
package dcsimresponder

import (
	params "github.com/nicgen/nicgen/gen/dcsim_responder"
)

// Flow is the responder's state of a flow.
type Flow struct {
	Tags  []uint64 // of DATAs that arrived, the oldest first, until they leave
	Made  int      // of these, the ones that are in a DATA-ACK
	Stamp uint64   // the count of ticks when a visit last left no DATA, modulo 2^params.StampBits
}

// Waiting returns the number of DATAs that are in no DATA-ACK yet.
func (f *Flow) Waiting() int { return len(f.Tags) - f.Made }

// Responder is a receiving host.
type Responder struct {
	p     *params.Params
	flows []Flow
}

// New returns the responder in its state after reset.
func New(p *params.Params) *Responder {
	return &Responder{p: p, flows: make([]Flow, p.Flows)}
}

// Flow returns the state of a flow.
func (r *Responder) Flow(flow uint64) *Flow { return &r.flows[flow] }

// Verdict is the result of the check of a packet.
type Verdict int

// Verdicts, in the order of the checks.
const (
	Good Verdict = iota
	BadClass
	BadFlow
	BadLength
)

// Check reports whether a packet is a SIM or a DATA of an existing flow, and of a legal length:
// above 0, and at most ℓ for a SIM, dataBytes for a DATA.
func (r *Responder) Check(class, flow, bytes, dataBytes uint64) Verdict {
	most := dataBytes
	if class == params.SIM {
		most = uint64(r.p.ProbeBytes)
	}
	switch {
	case class != params.SIM && class != params.Data:
		return BadClass
	case flow >= uint64(len(r.flows)):
		return BadFlow
	case bytes == 0 || bytes > most:
		return BadLength
	}
	return Good
}

// Data records a DATA. waiting is the number of DATAs that waited before it. It is not recorded,
// and ok is false, if its flow has no place.
func (r *Responder) Data(flow, tag uint64) (waiting int, ok bool) {
	f := &r.flows[flow]
	waiting = f.Waiting()
	if ok = len(f.Tags) < int(r.p.Places); ok {
		f.Tags = append(f.Tags, tag)
	}
	return waiting, ok
}

// View is a visit's view of a flow.
type View struct {
	Flow    uint64
	Waiting int
	Count   uint64 // of ticks, at the look
	Over    bool   // its time is over
}

// Look begins a visit, with the count of ticks at that time.
func (r *Responder) Look(flow, count uint64) View {
	f := &r.flows[flow]
	return View{Flow: flow, Waiting: f.Waiting(), Count: count, Over: (count-f.Stamp)%(1<<params.StampBits) >= params.Ticks}
}

// Wants reports whether a visit has to make a DATA-ACK, for at least every DATAs; timed is set if
// the reason is the elapsed time.
func (v View) Wants(every int) (wants, timed bool) {
	enough := v.Waiting >= every
	return enough || v.Over && v.Waiting > 0, !enough
}

// Make makes the DATA-ACK of a visit, and returns the number of its tags: all DATAs that the visit
// saw, at most 16. If no DATA remains, the flow's time restarts at the visit; otherwise it has
// expired for the rest.
func (r *Responder) Make(v View) int {
	f := &r.flows[v.Flow]
	n := min(v.Waiting, params.MostTags)
	f.Made += n
	f.Stamp = v.Count
	if n < v.Waiting {
		f.Stamp = (v.Count + params.RestAge) % (1 << params.StampBits) // half of the range before it
	}
	return n
}

// Rest ends a visit without a DATA-ACK: if no DATA waited, the flow's time restarts.
func (r *Responder) Rest(v View) {
	if v.Waiting == 0 {
		r.flows[v.Flow].Stamp = v.Count
	}
}

// Next takes the next tag of a flow's DATA-ACKs.
func (r *Responder) Next(flow uint64) uint64 {
	f := &r.flows[flow]
	tag := f.Tags[0]
	f.Tags = f.Tags[1:]
	f.Made--
	return tag
}
