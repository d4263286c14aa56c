// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/sim"
	"github.com/nicgen/nicgen/sim/transport"
)

// Transport implements transport.Maker: window and rate from PowerTCP, by golden model, in float64, or by RTL with the golden model in
// lockstep, once an event or once a cycle; and one path a connection.
//
// Settings are words of sim.Settings: variant=int|theta, beta in bytes, tau in ns, target, max in bytes; for all connections.
// PowerTCP leaves losses to the retransmission (P5).
func Transport(ctx context.Context, m transport.Model, h *transport.Host) (transport.Transport, error) {
	s, err := settingsOf(h)
	if err != nil {
		return nil, err
	}
	switch m {
	case transport.Cycles:
		return newTimed(ctx, s, h)
	case transport.Float:
		c, err := sim.NewFloat(s)
		if err != nil {
			return nil, err
		}
		return newControlled(h, c, s), nil
	}
	make := func(m sim.Model) (transport.Transport, error) {
		c, err := Controller(ctx, m, s)
		if err != nil {
			return nil, err
		}
		return newControlled(h, c, s), nil
	}
	golden, err := make(sim.Golden)
	if err != nil {
		return nil, err
	}
	switch m {
	case transport.Golden:
		return golden, nil
	case transport.RTL:
		rtl, err := make(sim.RTL)
		if err != nil {
			return nil, err
		}
		return transport.Lockstep(rtl, "rtl", golden, "golden"), nil
	}
	return nil, fmt.Errorf("tb/%s: model: found %q, allowed: %s, %s, %s or %s", unitName, m, transport.Golden, transport.Float, transport.RTL, transport.Cycles)
}

// settingsOf reads a host's settings; the default ones are those of the paper's figures.
func settingsOf(h *transport.Host) (sim.Settings, error) {
	s := sim.NewSettings(sim.INT, sim.Sets[0], &sim.Scenario{})
	s.Connections, s.Hops, s.Tau = h.Connections, switches, float64(h.BaseRTT)
	s.MaxWindow = 0
	for word := range strings.FieldsSeq(h.Settings) {
		key, value, _ := strings.Cut(word, "=")
		to := map[string]*float64{"beta": &s.Beta, "tau": &s.Tau, "target": &s.TargetUtil, "max": &s.MaxWindow}[key]
		switch {
		case key == "variant":
			list, err := sim.ParseVariants(value)
			if err != nil || len(list) != 1 {
				return s, fmt.Errorf("tb/%s: variant: found %q, allowed: %s or %s", unitName, value, sim.INT, sim.Theta)
			}
			s.Variant = list[0]
		case to != nil:
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return s, fmt.Errorf("tb/%s: %s: found %q, allowed: a number", unitName, key, value)
			}
			*to = x
		default:
			return s, fmt.Errorf("tb/%s: settings: found %q, allowed: variant, beta, tau, target, max", unitName, word)
		}
	}
	if s.MaxWindow == 0 { // the bandwidth-delay product
		s.MaxWindow = float64(int64(h.Gbps / 8 * s.Tau))
	}
	return s, nil
}

// switches are the hops that hosts of a network may have between them.
const switches = 5

// controlled is a sim.Controller as a transport. Its sequence numbers are those of packets, not of bytes: PowerTCP only
// compares them.
type controlled struct {
	paths transport.Paths
	by    sim.Controller
	first sim.Window
	last  map[int]sim.Window
	hops  [switches]sim.Hop
}

func newControlled(h *transport.Host, by sim.Controller, s sim.Settings) *controlled {
	return &controlled{paths: transport.ECMP(h), by: by, first: s.First(), last: map[int]sim.Window{}}
}

func (c *controlled) grant(conn int) transport.Grant {
	w := c.last[conn]
	return transport.Grant{Window: w.Bytes, Rate: w.Rate}
}

// Open implements transport.Transport.
func (c *controlled) Open(conn int, _ uint64) (transport.Grant, error) {
	c.last[conn] = c.first
	return c.grant(conn), nil
}

// Send implements transport.Transport.
func (c *controlled) Send(conn int, now uint64) (transport.Choice, error) {
	return c.paths.Send(conn, now)
}

// Ack implements transport.Transport.
func (c *controlled) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	if a.Again {
		return c.grant(conn), nil
	}
	x, err := c.ack(conn, a)
	if err != nil {
		return transport.Grant{}, err
	}
	w, err := c.by.Ack(x)
	if err != nil {
		return transport.Grant{}, err
	}
	c.last[conn] = w
	return c.grant(conn), nil
}

// ack is an acknowledgement for the unit, valid until the next one.
func (c *controlled) ack(conn int, a *transport.Ack) (*sim.Ack, error) {
	if len(a.Hops) > len(c.hops) {
		return nil, fmt.Errorf("hops: found %d, allowed: 0 to %d", len(a.Hops), len(c.hops))
	}
	hops := c.hops[:len(a.Hops)]
	for i, h := range a.Hops {
		code := rateCode(h.Gbps)
		if code < 0 {
			return nil, fmt.Errorf("hop %d: found a link of %v Gb/s, allowed: a rate of sim.LinkRates", i, h.Gbps)
		}
		hops[i] = sim.Hop{QLen: uint64(h.Queue), Tx: h.Bytes, TS: h.At.NS(), Rate: code}
	}
	return &sim.Ack{Conn: uint32(conn), Seq: a.Seq + 1, SndNxt: a.Next, Hops: hops, RTT: a.RTT, Now: a.Now}, nil
}

func rateCode(gbps float64) int {
	for i, r := range sim.LinkRates {
		if r*8 == gbps {
			return i
		}
	}
	return -1
}

// Lost implements transport.Transport.
func (c *controlled) Lost(conn int, _ *transport.Loss) (transport.Grant, error) {
	return c.grant(conn), nil
}

// Close implements io.Closer.
func (c *controlled) Close() (err error) {
	for _, x := range []any{c.by, c.paths} {
		if x, ok := x.(io.Closer); ok {
			err = errors.Join(err, x.Close())
		}
	}
	return err
}
