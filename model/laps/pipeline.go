// SPDX-License-Identifier: Apache-2.0

// Package laps is the golden model of the LAPS pipeline: the golden models of its parts, composed
// as in Algorithms 1 to 3, one method per event. It has no clock: an event is complete before the
// next one begins.
package laps

import (
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	modelloss "github.com/nicgen/nicgen/model/laps_loss"
	modelpaths "github.com/nicgen/nicgen/model/laps_paths"
	modelpick "github.com/nicgen/nicgen/model/laps_pick"
	modelrate "github.com/nicgen/nicgen/model/laps_rate"
)

// Segment is a tracked data segment.
type Segment = modelloss.Segment

// Pipeline is the state of the unit. Between events, its parts may be read and their settings
// changed.
type Pipeline struct {
	Paths *modelpaths.Tables
	Pick  *modelpick.Picker
	Rate  *modelrate.Limiter
	Loss  *modelloss.Detector // nil without the loss detector
	Beta  uint64              // factor on every scale, UQ1.15

	found    modelpaths.Candidates
	operands modelpaths.Operands
	events   uint64
	banks    int
	rowBits  int
	most     int64 // longest latency
	longest  bool  // T belongs to the set as committed
}

// Path is the path of a packet.
type Path struct {
	None   bool   // the destination has no path
	Pid    uint32 // its path
	Probe  int64  // the path that is probed, -1 if none
	Stored bool   // the segment is in the path's ring
}

// Acked is the result of an ACK. Lost is valid until the next event.
type Acked struct {
	Stray bool // the path belongs to no destination or does not exist: no rate changes
	Rate  modelrate.Result
	Cause modelloss.Cause // of the loss detector; Ignored without one
	Lost  []Segment       // segments that it skipped, oldest first
}

// New returns the pipeline in its state after reset, with every flow opened at time 0. p must be
// valid.
func New(p *params.Params) *Pipeline {
	parts := p.Parts()
	m := &Pipeline{
		Paths: modelpaths.New(parts.Paths), Pick: modelpick.New(parts.Pick), Rate: modelrate.New(parts.Rate),
		Beta: uint64(p.Tables.Beta), banks: int(p.Tables.Banks), rowBits: p.Tables.RowBits(),
		most: 1<<p.Tables.LatBits - 1, longest: p.Tables.Baselines == lapspaths.Longest,
	}
	if parts.Loss != nil {
		m.Loss = modelloss.New(parts.Loss)
	}
	return m
}

// begin completes the effects of earlier events: the tables count cycles, in which probes are
// written.
func (m *Pipeline) begin() {
	m.events += lapspaths.WriteWindow
	m.Paths.Begin(m.events)
}

// Change carries out a change of the control plane at time now (ns).
func (m *Pipeline) Change(c modelpaths.Change, now uint64) modelpaths.Outcome {
	m.begin()
	o := m.Paths.Take(&c)
	if o == modelpaths.Done {
		m.Paths.Do(&c, now, m.Beta)
	}
	return o
}

// Packet chooses the path of a packet to dst at time now (ns), and the path to probe. A non-nil
// segment is tracked.
func (m *Pipeline) Packet(dst uint32, s *Segment, now uint64) Path {
	m.begin()
	m.Paths.Packet(dst, now, true, &m.found)
	out := Path{Probe: m.found.Probe}
	c := m.Pick.Pick(m.found.Usable, m.found.Weight[:m.banks])
	if out.None = c.None; c.None {
		return out
	}
	out.Pid = uint32(c.Index)<<m.rowBits | uint32(m.found.Rows[c.Index])
	m.begin() // the probe is written
	if s != nil && m.Loss != nil {
		state, _ := m.Paths.State(out.Pid)
		out.Stored = m.Loss.Send(out.Pid, *s, uint64(state.Latency), now)
	}
	return out
}

// Ack takes an ACK of segment s, which came back at time now (ns) from path pid with a delay in ns.
func (m *Pipeline) Ack(pid uint32, s Segment, delay int64, now uint64) Acked {
	out := Acked{Stray: true, Cause: modelloss.Ignored}
	c := modelpaths.Change{Op: modelpaths.Ack, Pid: pid, Delay: delay}
	if m.Change(c, now) == modelpaths.Done {
		_, owner := m.Paths.State(pid)
		m.Paths.Rate(uint32(owner), &m.operands)
		out.Stray = false
		out.Rate = m.Rate.ACK(s.Flow, now, m.extremes())
	}
	if m.Loss != nil {
		out.Cause, out.Lost = m.Loss.Ack(pid, s, m.latency(delay), now)
	}
	return out
}

// Answer takes a probe's answer, which came back at time now (ns) from path pid with a
// delay in ns.
func (m *Pipeline) Answer(pid uint32, delay int64, now uint64) modelpaths.Outcome {
	return m.Change(modelpaths.Change{Op: modelpaths.Answer, Pid: pid, Delay: delay}, now)
}

// Expire checks a path's timer at time now (ns). It returns the lost segments, oldest first, valid
// until the next event.
func (m *Pipeline) Expire(pid uint32, now uint64) []Segment {
	if m.Loss == nil {
		return nil
	}
	return m.Loss.Expire(pid, now)
}

// extremes returns T and t of the operands.
func (m *Pipeline) extremes() modelrate.Extremes {
	var e modelrate.Extremes
	o := &m.operands
	for b := range m.banks {
		if o.Usable>>b&1 == 0 {
			continue
		}
		v := uint64(o.Latency[b])
		if !e.Any || v < e.Least {
			e.Least = v
		}
		e.Any, e.Most, e.Base = true, max(e.Most, v), max(e.Base, uint64(o.Base[b]))
	}
	if m.longest {
		e.Base = uint64(o.Longest)
	}
	return e
}

// latency returns a delay in the format of the loss detector: at least 0, at most all ones.
func (m *Pipeline) latency(delay int64) uint64 { return uint64(min(max(delay, 0), m.most)) }
