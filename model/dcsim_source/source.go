// SPDX-License-Identifier: Apache-2.0

// Package dcsimsource is the golden model of DCSIM's source host: the effect of each event, one
// after the other. It has no clock and no ports; the events carry the times.
//
// Source: Straussman et al., "Simulate Before Sending", NINeS 2026, §2.4.
package dcsimsource

import (
	params "github.com/nicgen/nicgen/gen/dcsim_source"
)

// Flow is the source's state of a flow.
type Flow struct {
	NSIM  int64    // SIMs in the queue or in flight
	NDATA int64    // DATAs that wait for a SIM-ACK
	Next  uint64   // number of the first DATA that never was sent
	Again []uint64 // DATAs that timed out, the head of the queue last
}

// Wants returns the number of SIMs that Eq. 3 still allows.
func (f *Flow) Wants() int64 { return f.NDATA - f.NSIM }

// SIM is a SIM, and the DATA that goes with it.
type SIM struct {
	Flow   uint32
	Slot   uint64
	Random uint64

	Sent    uint64 // the time
	Acked   bool
	Again   bool   // the DATA was sent before
	Matched uint64 // the time at which it got its DATA; 0: not yet
	Seq     uint64 // of the DATA
}

// Source is a source host.
type Source struct {
	p        *params.Params
	flows    []Flow
	random   Random
	slot     uint64 // of the next SIM
	inFlight map[uint64]*SIM
	waiting  int64 // DATAs that timed out, of all flows
}

// New returns the source in its state after reset.
func New(p *params.Params) *Source {
	return &Source{p: p, flows: make([]Flow, p.Flows), random: NewRandom(p.RandomSeed, p.RandomBits()), inFlight: map[uint64]*SIM{}}
}

// Flow returns the state of a flow.
func (s *Source) Flow(flow uint32) *Flow { return &s.flows[flow] }

// Data takes new DATAs of a flow. They are refused if the flow does not exist, if their number is
// 0, or if too many wait. joins is set if the flow did not want a SIM before.
func (s *Source) Data(flow uint64, count int64) (accepted, joins bool) {
	if flow >= uint64(len(s.flows)) || count == 0 {
		return false, false
	}
	f := &s.flows[flow]
	if f.Wants() >= 1<<(s.p.WantBits-1) {
		return false, false
	}
	joins = f.Wants() == 0
	f.NDATA += count
	return true, joins
}

// Queue puts a SIM of a flow that wants one into the queue (D1: it counts from now on); stays is
// set if the flow wants another one. Number assigns its port.
func (s *Source) Queue(flow uint32) (sim *SIM, stays bool) {
	f := &s.flows[flow]
	f.NSIM++
	sim = &SIM{Flow: flow, Slot: s.slot}
	s.slot = (s.slot + 1) % uint64(s.p.Outstanding)
	return sim, f.Wants() > 0
}

// Number gives a SIM the random bits of its port, and Step makes the next ones.
func (s *Source) Number(sim *SIM) { sim.Random = s.random.Word() }

// Step makes new random bits.
func (s *Source) Step() { s.random.Step() }

// Seed takes a word of the random generator's state, in place of a step.
func (s *Source) Seed(word uint64) { s.random.Seed(word) }

// Port returns the source port of a SIM and its DATA: the random bits above the slot, which is
// mixed with them. Two slots never have the same port.
func (s *Source) Port(sim *SIM) uint64 {
	n := s.p.SlotBits()
	return sim.Random<<n | sim.Slot ^ s.spread(sim.Random)
}

// feedback holds the recurrences of the random bits, by their number: the distances back to the
// bits whose sum is the next bit. All are primitive.
var feedback = [13][]int{
	2: {1, 2}, 3: {2, 3}, 4: {3, 4}, 5: {1, 2, 4, 5}, 6: {1, 3, 4, 6}, 7: {6, 7}, 8: {2, 5, 6, 8},
	9: {3, 5, 6, 9}, 10: {5, 8, 9, 10}, 11: {9, 11}, 12: {4, 10, 11, 12},
}

// spread returns the bits with which a slot is mixed: the bits that follow the random ones, oldest
// lowest.
func (s *Source) spread(random uint64) uint64 {
	n, w := s.p.SlotBits(), s.p.RandomBits()
	bits := random // the i-th of all at bit i
	for i := w; i < w+n; i++ {
		for _, back := range feedback[w] {
			bits ^= bits >> (i - back) & 1 << i
		}
	}
	return bits >> w
}

// Send notes that a SIM is in flight: its port is one that a SIM-ACK may name.
func (s *Source) Send(sim *SIM, at uint64) {
	sim.Sent = at
	s.inFlight[s.Port(sim)] = sim
}

// Ack takes a SIM-ACK and returns the SIM that it acknowledges, or nil if no SIM in flight has that
// port or it was acknowledged before (D2).
func (s *Source) Ack(port uint64) *SIM {
	sim := s.inFlight[port]
	if sim == nil || sim.Acked {
		return nil
	}
	sim.Acked = true
	return sim
}

// Due removes a SIM from the SIMs in flight, RTTmax after it was sent: from now on its SIM-ACK is
// too late (D3).
func (s *Source) Due(sim *SIM) { delete(s.inFlight, s.Port(sim)) }

// Late notes that a SIM timed out; joins is set if its flow did not want one.
func (s *Source) Late(flow uint32) (joins bool) {
	f := &s.flows[flow]
	joins = f.Wants() == 0
	f.NSIM--
	return joins
}

// Match assigns the first DATA of its flow to an acknowledged SIM. The flow always has one: n_SIM
// <= n_DATA (D4).
func (s *Source) Match(sim *SIM, at uint64) {
	f := &s.flows[sim.Flow]
	f.NSIM--
	f.NDATA--
	sim.Matched = at
	if n := len(f.Again); n > 0 {
		sim.Seq, f.Again = f.Again[n-1], f.Again[:n-1]
		sim.Again = true
		s.waiting--
		return
	}
	sim.Seq = f.Next
	f.Next = (f.Next + 1) & (1<<s.p.SeqBits - 1)
}

// Space reports whether a DATA that timed out has a place.
func (s *Source) Space() bool { return s.waiting < s.p.Repeats }

// Reserve takes the place of a DATA that timed out.
func (s *Source) Reserve() { s.waiting++ }

// Head puts a DATA that has timed out and has a place at the head of its flow's queue (D15). It
// counts in n_DATA with Again.
func (s *Source) Head(flow uint32, seq uint64) {
	f := &s.flows[flow]
	f.Again = append(f.Again, seq)
}

// Again counts a DATA that timed out; joins is set if its flow did not want a SIM.
func (s *Source) Again(flow uint32) (joins bool) {
	f := &s.flows[flow]
	joins = f.Wants() == 0
	f.NDATA++
	return joins
}

// InFlight returns the SIM in flight that has a port, or nil.
func (s *Source) InFlight(port uint64) *SIM { return s.inFlight[port] }

// Slot returns the slot from which a source port is made.
func (s *Source) Slot(port uint64) uint64 {
	n := s.p.SlotBits()
	return (port ^ s.spread(port>>n)) & (1<<n - 1)
}
