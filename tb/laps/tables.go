// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"fmt"

	params "github.com/nicgen/nicgen/gen/laps"
	lapsloss "github.com/nicgen/nicgen/gen/laps_loss"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps"
	modelpaths "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/model/laps_paths/place"
)

// Path is one of the paths of a pair of hosts.
type Path struct {
	Pair    int
	Base    uint32   // baseVal, ns
	Anchors []uint32 // nodes that distinguish it from the pair's other paths
}

// Routes holds the routes in a sender's tables.
type Routes struct {
	Pairs, Flows int
	Paths        []Path
}

// Tables are routes in the unit's tables, placed as nicgen place does. Its methods give events the unit's numbers of
// paths and destinations.
type Tables struct {
	Changes []modelpaths.Change // that write the tables, in order
	PID     []uint32            // by path
	Path    []int               // by path number
	Dst     []uint32            // by pair
}

// NewTables assigns paths to banks. beta is β′.
func NewTables(p *params.Params, net *Routes, beta float64) (*Tables, error) {
	t := &place.Table{}
	for i, x := range net.Paths {
		t.Paths = append(t.Paths, place.Path{Name: int64(i), Destination: int64(x.Pair), BaseNS: x.Base, LatencyNS: x.Base, Anchors: x.Anchors})
	}
	placed, err := place.Assign(p.Parts().Paths, t, beta)
	if err != nil {
		return nil, err
	}
	x := &Tables{Changes: placed.Sequence(), PID: make([]uint32, len(net.Paths)), Path: make([]int, p.Tables.Paths()), Dst: make([]uint32, net.Pairs)}
	for _, e := range placed.Entries {
		x.PID[e.Name], x.Path[e.Pid], x.Dst[e.Destination] = e.Pid, int(e.Name), e.Dst
	}
	if int64(net.Flows) > p.Rate.Flows {
		return nil, fmt.Errorf("flows: found %d, allowed: at most %d", net.Flows, p.Rate.Flows)
	}
	return x, nil
}

// Packet returns a packet in the unit's numbers.
func (t *Tables) Packet(p *Packet) params.Packet {
	return params.Packet{Dst: t.Dst[p.Pair], Tag: p.Seq, Track: p.Track, Flow: p.Flow, Seq: p.Seq}
}

// ACK returns an acknowledgement in the unit's numbers.
func (t *Tables) ACK(a *Feedback) params.ACK {
	return params.ACK{PID: t.PID[a.Path], Flow: a.Flow, Seq: a.Seq, Delay: uint32(a.Delay)}
}

// Answer returns the answer to a probe in the unit's numbers.
func (t *Tables) Answer(a *Answer) params.Answer {
	return params.Answer{PID: t.PID[a.Path], Delay: uint32(a.Delay)}
}

// Lost returns the segment that a report of the unit names.
func (t *Tables) Lost(l *lapsloss.Lost) Lost {
	return Lost{model.Segment{Flow: l.Flow, Seq: l.Seq}, t.Path[l.PID], l.Timeout}
}

// PortChange returns a change of the tables as it enters the unit.
func PortChange(w *modelpaths.Change) lapspaths.Change {
	e := lapspaths.Change{
		Op: uint8(w.Op), PID: w.Pid, Dst: w.Dst, Scale: uint32(w.Scale.Word()), Latency: uint32(w.Delay), Base: w.Base,
	}
	copy(e.Anchors[:], w.Anchors)
	return e
}
