// SPDX-License-Identifier: Apache-2.0

// Package lapsloss is the golden model of the LAPS loss detector: Algorithm 3 of LAPS, one method
// per event. docs/units/laps_loss.md has the decisions where the paper leaves a choice.
package lapsloss

import (
	"fmt"

	params "github.com/nicgen/nicgen/gen/laps_loss"
)

// Cause is the effect of an ACK.
type Cause uint8

const (
	Order   Cause = iota // its segment was the oldest outstanding one of the path
	Skip                 // it was not: those before it are lost
	Ignored              // it was not outstanding
	None                 // no such path
)

// String names the cause.
func (c Cause) String() string { return [...]string{"order", "skip", "ignored", "none"}[c] }

// Segment is a ring's entry for a data segment.
type Segment struct {
	Flow uint32
	Seq  uint64
}

// String returns "flow:seq".
func (s Segment) String() string { return fmt.Sprintf("%d:%d", s.Flow, s.Seq) }

// Counters count events since the last reset; they do not wrap here.
type Counters struct {
	Send        uint64 // segments sent on a path that exists
	Full        uint64 // of these, segments that found the ring full
	Ack         uint64 // ACKs of an outstanding segment
	Skip        uint64 // of these, ACKs that skipped others
	Ignored     uint64 // ACKs of a segment that is not outstanding
	Lost        uint64 // segments that were skipped
	Timeout     uint64 // timers that expired
	Expired     uint64 // segments that were lost with them
	IllegalPath uint64 // sends and ACKs on a path that does not exist
}

// path is the state of a path.
type path struct {
	ring     []Segment // outstanding, oldest first
	held     int       // room that is not free yet
	deadline uint64    // of the timer; of no meaning while the ring is empty
}

// Detector is the unit's state: all rings and timers, and the counters.
type Detector struct {
	RTOMin uint64 // least timeout, ns; read with each send and ACK
	Count  Counters

	paths []path
	depth int
	gone  []Segment // segments that the last event has shown to be lost
	time  uint64    // mask of the time
}

// New returns the detector in its state after reset, with the run-time settings of p.
func New(p *params.Params) *Detector {
	d := &Detector{
		RTOMin: uint64(p.RTOMinNS),
		paths:  make([]path, p.Paths),
		depth:  int(p.Depth),
		gone:   make([]Segment, 0, p.Depth),
		time:   ^uint64(0) >> (64 - p.TimeBits),
	}
	room := make([]Segment, p.Paths*p.Depth)
	for i := range d.paths {
		d.paths[i].ring = room[i*d.depth : i*d.depth : (i+1)*d.depth]
	}
	return d
}

// Reset empties every ring and returns the counters to zero. Settings stay.
func (d *Detector) Reset() {
	for i := range d.paths {
		d.paths[i].ring, d.paths[i].held = d.paths[i].ring[:0], 0
	}
	d.Count = Counters{}
}

// Legal reports whether path pid exists.
func (d *Detector) Legal(pid uint32) bool { return uint64(pid) < uint64(len(d.paths)) }

// Send records that a segment is sent at time now (ns) on a path with a latency in ns. It reports
// whether the ring has room for it; otherwise nothing changes.
func (d *Detector) Send(pid uint32, s Segment, latency, now uint64) (stored bool) {
	if !d.Legal(pid) {
		d.Count.IllegalPath++
		return false
	}
	d.Count.Send++
	p := &d.paths[pid]
	if len(p.ring)+p.held >= d.depth {
		d.Count.Full++
		return false
	}
	p.ring = append(p.ring, s)
	p.deadline = d.after(now, latency)
	return true
}

// Ack takes an ACK of segment s that came back on a path at time now (ns) and measured a latency in
// ns. It returns the lost segments, oldest first, valid until the next event.
func (d *Detector) Ack(pid uint32, s Segment, latency, now uint64) (Cause, []Segment) {
	return d.AckBefore(pid, s, latency, now, 0)
}

// AckBefore handles an ACK that is reported late: it came before the last n segments were stored on
// the path, and no other event of the path came in between. So it neither sees them
// nor undoes the timer that they set.
func (d *Detector) AckBefore(pid uint32, s Segment, latency, now uint64, n int) (Cause, []Segment) {
	if !d.Legal(pid) {
		d.Count.IllegalPath++
		return None, nil
	}
	p := &d.paths[pid]
	at := find(p.ring[:len(p.ring)-n], s)
	if at < 0 {
		d.Count.Ignored++
		return Ignored, nil
	}
	d.Count.Ack++
	if n == 0 {
		p.deadline = d.after(now, latency)
	}
	if at == 0 {
		p.drop(1)
		return Order, nil
	}
	d.gone = append(d.gone[:0], p.ring[:at]...)
	p.drop(at + 1)
	d.Count.Skip++
	d.Count.Lost += uint64(at)
	return Skip, d.gone
}

// find returns the place of the oldest segment in a ring that equals s, or -1.
func find(ring []Segment, s Segment) int {
	for i := range ring {
		if ring[i] == s {
			return i
		}
	}
	return -1
}

// Expire checks a path's timer at time now (ns). If it has expired, all outstanding segments of the
// path are lost; Expire returns them, oldest first, valid until the next event.
func (d *Detector) Expire(pid uint32, now uint64) []Segment {
	if !d.Expired(pid, now) {
		return nil
	}
	p := &d.paths[pid]
	d.Count.Timeout++
	d.Count.Expired += uint64(len(p.ring))
	d.gone = append(d.gone[:0], p.ring...)
	p.drop(len(p.ring))
	return d.gone
}

// Expired reports whether a path has segments outstanding and a timer that lies
// before now (ns), by less than half of the time's range.
func (d *Detector) Expired(pid uint32, now uint64) bool {
	if !d.Legal(pid) || len(d.paths[pid].ring) == 0 {
		return false
	}
	late := (now - d.paths[pid].deadline) & d.time
	return late != 0 && late <= d.time>>1
}

// Hold reserves n places of a path's ring that an ACK or a timer has just emptied, and Free
// releases them: in the hardware they become free some cycles later. Initially no place is
// reserved.
func (d *Detector) Hold(pid uint32, n int) { d.paths[pid].held += n }

// Free undoes Hold.
func (d *Detector) Free(pid uint32, n int) { d.paths[pid].held -= n }

// Outstanding returns the outstanding segments of a path, oldest first, valid until the path's next
// event, or nil if the path does not exist.
func (d *Detector) Outstanding(pid uint32) []Segment {
	if !d.Legal(pid) {
		return nil
	}
	return d.paths[pid].ring
}

// Deadline returns the time (ns) after which a path's timer has expired, if segments are
// outstanding on it.
func (d *Detector) Deadline(pid uint32) uint64 { return d.paths[pid].deadline }

// after returns the expiry of a timer that is set now.
func (d *Detector) after(now, latency uint64) uint64 {
	return (now + max(2*latency, d.RTOMin)) & d.time
}

// drop removes the n oldest segments.
func (p *path) drop(n int) { p.ring = p.ring[:copy(p.ring, p.ring[n:])] }
