// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/event"
)

// eventPoints are the coverage points that follow from a contract: a reset in the cycle of an event,
// events while the unit is not ready, events of connections that do not exist, and the distances between
// events of one connection.
type eventPoints struct {
	streams []*event.Stream // those with a field Conn
	places  []int           // of each in the contract
	conns   []*event.Field
}

func newEventPoints(c *event.Contract) (x eventPoints) {
	for i, s := range c.Events {
		if k := slices.IndexFunc(s.Fields, func(f event.Field) bool { return f.Name == "Conn" }); k >= 0 {
			x.streams, x.places, x.conns = append(x.streams, s), append(x.places, i), append(x.conns, &s.Fields[k])
		}
	}
	return x
}

// Points that do not belong to one stream, in this order before the others.
const (
	eventReset = iota
	eventNotReady
	eventIllegal // one for each stream with connections, and the distances behind them
)

// slowSweep is a number of cycles to ready from which on a bench seldom resets.
const slowSweep = 4096

// AddEvents appends the points that follow from the contract of a configuration with a number of
// connections: distances of events of one connection go from 1 to span cycles. CoverEvents counts them.
func (l *Points) AddEvents(cfg gen.Config, c *event.Contract, connections int64, span int) {
	x := newEventPoints(c)
	l.Add("reset", "a reset in the cycle of an event", c.Sweep <= slowSweep)
	l.Add("not_ready", "an event while the unit is not ready", c.Sweep > 0)
	width := map[string]int{}
	for _, p := range cfg.Ports() {
		width[p.Name] = p.Bits
	}
	var names []string
	for i, s := range x.streams {
		names = append(names, s.Name)
		l.Add("illegal/"+s.Name, fmt.Sprintf("an event %s of a connection that does not exist", s.Name), connections != 1<<width[x.conns[i].Port])
	}
	l.AddDistances(names, span, func(from, to string, cycles int) string {
		return fmt.Sprintf("events %s, then %s of one connection, %d cycles apart", from, to, cycles)
	})
}

// CoverEvents counts the points of AddEvents in a frame, the first of which is point first.
func CoverEvents(f *Frame, connections int64, span, first int) {
	x := newEventPoints(f.m.Contract)
	n := len(x.streams)
	hits := f.Reached[first:]
	apart := NewDistances(n, span, connections, hits[eventIllegal+n:])
	on, conns := make([]bool, n), make([]uint32, n)
	f.AtEnd(func(c *Now) {
		switch {
		case c.Rst && c.Ready && c.Offered != 0:
			hits[eventReset]++
		case c.Dropped > 0:
			hits[eventNotReady]++
		}
		if !c.Ready || c.Rst || c.On == 0 {
			return
		}
		for i, place := range x.places {
			conn := uint64(0)
			if on[i] = c.On>>place&1 != 0; on[i] {
				if conn = f.rules[place].field(x.conns[i]); conn >= uint64(connections) {
					hits[eventIllegal+i]++
					on[i], conn = false, 0
				}
			}
			conns[i] = uint32(conn)
		}
		apart.Cycle(c.Cycle, on, conns)
	})
}
