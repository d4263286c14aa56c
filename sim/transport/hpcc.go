// SPDX-License-Identifier: Apache-2.0

package transport

import "github.com/nicgen/nicgen/sim/fabric"

// HPCC is the congestion control of Li et al., "HPCC: High Precision Congestion Control", SIGCOMM 2019, Algorithm 1: the window
// follows the most loaded link of the way, as telemetry tells it. It needs Settings.Telemetry.
type HPCC struct {
	Paths  Paths
	MTU    float64 // bytes of a full packet on the wire; the least window
	Gbps   float64 // of the host's link
	Base   float64 // T: round trip in an empty network, ns
	Target float64 // η: the paper's 0.95
	Stages int     // maxStage: 5
	Flows  float64 // N that share a link: W_AI is W_init (1-η) / N

	state []hpcc
}

type hpcc struct {
	window, reference float64 // W and W^c
	util              float64 // U, 1 at first, as in the authors' simulator: the paper does not say
	stage             int     // incStage
	last              uint32  // lastUpdateSeq
	links             []fabric.Hop
}

func (c *HPCC) most() float64 { return c.Gbps / 8 * c.Base }

func (c *HPCC) grant(s *hpcc) Grant { return Grant{Window: s.window, Rate: s.window / c.Base} }

// Open implements Transport.
func (c *HPCC) Open(conn int, _ uint64) (Grant, error) {
	for conn >= len(c.state) {
		c.state = append(c.state, hpcc{})
	}
	c.state[conn] = hpcc{window: c.most(), reference: c.most(), util: 1}
	return c.grant(&c.state[conn]), nil
}

// Send implements Transport.
func (c *HPCC) Send(conn int, now uint64) (Choice, error) { return c.Paths.Send(conn, now) }

// Ack implements Transport.
func (c *HPCC) Ack(conn int, a *Ack) (Grant, error) {
	s := &c.state[conn]
	if a.Again {
		return c.grant(s), nil
	}
	known := len(s.links) == len(a.Hops) && len(a.Hops) > 0
	if known {
		c.measure(s, a.Hops)
		c.update(s, int32(a.Seq-s.last) > 0)
	}
	if int32(a.Seq-s.last) > 0 || !known {
		s.last = a.Next
	}
	s.links = append(s.links[:0], a.Hops...)
	_, err := c.Paths.Ack(conn, a)
	return c.grant(s), err
}

// measure is MeasureInFlight.
func (c *HPCC) measure(s *hpcc, hops []fabric.Hop) {
	var most, span float64
	for i, h := range hops {
		was := &s.links[i]
		dt := float64(h.At-was.At) / 1000 // ns
		if dt <= 0 {
			continue
		}
		rate := h.Gbps / 8
		u := float64(min(h.Queue, was.Queue))/(rate*c.Base) + float64(h.Bytes-was.Bytes)/dt/rate
		if u > most {
			most, span = u, min(dt, c.Base)
		}
	}
	s.util = (1-span/c.Base)*s.util + span/c.Base*most
}

// update is ComputeWind.
func (c *HPCC) update(s *hpcc, reference bool) {
	add := c.most() * (1 - c.Target) / c.Flows
	if s.util >= c.Target || s.stage >= c.Stages {
		s.window = s.reference/(s.util/c.Target) + add
		if reference {
			s.stage = 0
		}
	} else {
		s.window = s.reference + add
		if reference {
			s.stage++
		}
	}
	s.window = min(max(s.window, c.MTU), c.most())
	if reference {
		s.reference = s.window
	}
}

// Lost implements Transport: HPCC leaves losses to the retransmission.
func (c *HPCC) Lost(conn int, l *Loss) (Grant, error) {
	_, err := c.Paths.Lost(conn, l)
	return c.grant(&c.state[conn]), err
}
