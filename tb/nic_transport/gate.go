// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	gate "github.com/nicgen/nicgen/model/nic_gate"
	model "github.com/nicgen/nicgen/model/nic_transport"
)

// lanes is the gate behind the traced events: its state is the golden model's, and its view of other parts' state is
// delayed as by the gate's pipelines. docs/units/nic_gate.md has the times.
type lanes struct {
	unit   *gate.Gate
	lat    uint64 // of the ring
	toRing uint64
	came   [laneRing]laneEvents
}

// laneRing is the number of cycles remembered.
const laneRing = 128

// laneEvents holds the events of a cycle, and the state seen for them since.
type laneEvents struct {
	goBackN bool

	enter   *model.Packet
	stored  gate.Stored
	nxt     uint64
	left    gate.State
	timeout bool // the detector is notified of a timeout

	release *model.Packet
	in, una uint64
	entry   gate.Entry

	ack     *model.Sample
	found   gate.Entry
	of      *model.Departure
	sent    gate.Sent
	restart gate.Restart
}

func (c *Checker) newLanes() lanes {
	p := c.p.Gate()
	return lanes{unit: c.b.Gate, lat: uint64(p.RingLatency), toRing: uint64(p.ToRing())}
}

// laneOf returns the events of a number of cycles ago.
func (c *Checker) laneOf(cycles uint64) *laneEvents { return &c.lanes.came[(c.cycle-cycles)%laneRing] }

// gate is a cycle of the gate, after its events are known.
func (c *Checker) gate() error {
	x, b := &c.lanes, c.b
	u := x.unit
	goBackN := u.Settings.GoBackN
	c.laneOf(0).goBackN = goBackN
	defer func() { u.Settings.GoBackN = goBackN }()

	// The view of other parts includes writes before this cycle.
	if e := c.laneOf(1); e.release != nil {
		s, _ := u.State(e.release.Conn)
		e.in, e.una = s.In, u.Una(e.release.Conn)
	}
	if e := c.laneOf(2); e.enter != nil {
		s, _ := u.State(e.enter.Conn)
		e.nxt, e.left = s.Sent.Nxt, s
	}
	if e := c.laneOf(1 + x.lat); e.ack != nil {
		s, _ := u.State(e.ack.Conn)
		e.sent, e.restart = s.Sent, s.Restart
	}
	if e := c.laneOf(3 + x.lat); e.ack != nil {
		s, _ := u.State(e.ack.Conn)
		e.sent.Nxt = s.Sent.Nxt
	}

	if e := c.laneOf(3); e.enter != nil {
		u.Settings.GoBackN = e.goBackN
		e.stored, _ = u.Enter(e.enter.Conn, e.enter.Header.PSN, e.enter.Counts(), e.left, c.time(2))
	}
	if e := c.laneOf(4); e.enter != nil && (e.stored.Again || e.stored.Restart) {
		if u.Again(e.enter.Conn, e.enter.Header.PSN, e.stored, e.nxt) {
			if e.timeout = c.b.Detector != nil; !e.timeout {
				c.timedOut(e.enter.Conn)
			}
		}
		c.used(e.enter.Conn)
	}
	if e := c.laneOf(5); e.timeout {
		c.timedOut(e.enter.Conn)
	}
	if e := c.laneOf(3); e.release != nil {
		if err := c.limit(e.release.Conn, e.release.Departing()); err != nil {
			return err
		}
		u.Settings.GoBackN = e.goBackN
		e.entry, e.release.Idle, _ = u.Release(e.release.Conn, e.release.Departing(), e.in, e.una, c.time(2))
		c.used(e.release.Conn)
	}
	if e := c.laneOf(4 + x.lat); e.ack != nil {
		a := e.ack
		u.Settings.GoBackN = c.laneOf(1).goBackN
		a.Fill(u.Ack(a.Conn, u.Named(a.PSN, a.NAK), a.NAK, a.Profile.Queue, e.found, e.sent, e.restart, c.time(3)), e.of)
		c.used(a.Conn)
	}

	// The ring: an entry that is written in the cycle in which it is looked for is not found.
	find, put := c.laneOf(2), c.laneOf(x.toRing)
	if a := find.ack; a != nil {
		psn := u.Named(a.PSN, a.NAK)
		find.found, find.of = u.Find(a.Conn, psn), b.Of(a.Conn, psn)
		if o := put.release; put.entry.Valid && o.Conn == a.Conn && u.Slot(o.Header.PSN) == u.Slot(psn) {
			find.found.Valid = false
		}
	}
	if put.entry.Valid {
		b.Put(put.release, put.entry, c.time(2))
	}
	*c.laneOf(laneRing - 1) = laneEvents{} // the next cycle's
	return nil
}

// time is the time at the block's port some cycles ago.
func (c *Checker) time(cycles uint64) uint64 { return c.nows[(c.cycle-cycles)%nowRing] }
