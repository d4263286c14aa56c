// SPDX-License-Identifier: Apache-2.0

package transport

// Timely is the congestion control of Mittal et al., "TIMELY: RTT-based Congestion Control for the Datacenter", SIGCOMM 2015,
// Algorithm 1: the rate follows the gradient of round-trip times, once a round trip, and no window bounds the bytes in
// flight.
type Timely struct {
	Paths Paths
	Gbps  float64 // of the host's link: the first rate, and the greatest
	Base  float64 // minRTT in ns
	Alpha float64 // α, the weight of a new difference
	Beta  float64 // β
	Step  float64 // δ in Gb/s
	Low   float64 // T_low in ns
	High  float64 // T_high in ns

	state []timely
}

type timely struct {
	rate      float64 // bytes a ns
	prev      float64 // round-trip time at the last update, ns; 0: none
	diff      float64 // rtt_diff
	negatives int     // updates in turn with a gradient of 0 or less
	last      uint32  // packet that ends the round trip
}

// hyper is the number of consecutive gradients of at most 0 that start hyperactive increase, five steps
// at once (§4.3).
const hyper = 5

// everything is a window that bounds nothing.
const everything = 1 << 40

func (c *Timely) grant(s *timely) Grant { return Grant{Window: everything, Rate: s.rate} }

// Open implements Transport.
func (c *Timely) Open(conn int, _ uint64) (Grant, error) {
	for conn >= len(c.state) {
		c.state = append(c.state, timely{})
	}
	c.state[conn] = timely{rate: c.Gbps / 8}
	return c.grant(&c.state[conn]), nil
}

// Send implements Transport.
func (c *Timely) Send(conn int, now uint64) (Choice, error) { return c.Paths.Send(conn, now) }

// Ack implements Transport.
func (c *Timely) Ack(conn int, a *Ack) (Grant, error) {
	s := &c.state[conn]
	if !a.Again && (s.prev == 0 || int32(a.Seq-s.last) > 0) {
		c.update(s, float64(a.RTT))
		s.last = a.Next
	}
	_, err := c.Paths.Ack(conn, a)
	return c.grant(s), err
}

func (c *Timely) update(s *timely, rtt float64) {
	first := s.prev == 0
	diff := rtt - s.prev
	s.prev = rtt
	if first {
		return
	}
	s.diff = (1-c.Alpha)*s.diff + c.Alpha*diff
	gradient := s.diff / c.Base
	if gradient > 0 {
		s.negatives = 0
	} else {
		s.negatives++
	}
	switch step := c.Step / 8; {
	case rtt < c.Low:
		s.rate += step
	case rtt > c.High:
		s.rate *= 1 - c.Beta*(1-c.High/rtt)
	case gradient <= 0 && s.negatives >= hyper:
		s.rate += hyper * step
	case gradient <= 0:
		s.rate += step
	default:
		s.rate *= max(0, 1-c.Beta*gradient)
	}
	s.rate = min(max(s.rate, c.Step/8), c.Gbps/8)
}

// Lost implements Transport: TIMELY leaves losses to the retransmission.
func (c *Timely) Lost(conn int, l *Loss) (Grant, error) {
	_, err := c.Paths.Lost(conn, l)
	return c.grant(&c.state[conn]), err
}
