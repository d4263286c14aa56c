// SPDX-License-Identifier: Apache-2.0

// Package powertcp is the host of PowerTCP in a simulated network: windows and rates from the unit, and one path a connection.
package powertcp

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
	"github.com/nicgen/nicgen/sim/transport"
	tbpowertcp "github.com/nicgen/nicgen/tb/powertcp"
)

// Transport implements transport.Maker: window and rate from PowerTCP, by golden model, in float64, or by RTL with the golden model in
// lockstep, once an event or once a cycle; and one path a connection.
//
// Settings are words, for all connections: variant=int|theta, beta, min and max in bytes, tau in ns, gamma, target and floor, and of
// the unit theta_update=round_trip|ack and base_rtt=setting|observed. PowerTCP leaves losses to the retransmission (P5).
func Transport(ctx context.Context, m transport.Model, h *transport.Host) (transport.Transport, error) {
	s, err := settingsOf(h)
	if err != nil {
		return nil, err
	}
	switch m {
	case transport.Cycles:
		return newTimed(ctx, s, h)
	case transport.Float:
		c, err := newFloat(s)
		if err != nil {
			return nil, err
		}
		return newControlled(h, c, s), nil
	}
	make := func(m transport.Model) (transport.Transport, error) {
		c, err := NewController(ctx, m, s)
		if err != nil {
			return nil, err
		}
		return newControlled(h, c, s), nil
	}
	golden, err := make(transport.Golden)
	if err != nil {
		return nil, err
	}
	switch m {
	case transport.Golden:
		return golden, nil
	case transport.RTL:
		rtl, err := make(transport.RTL)
		if err != nil {
			return nil, err
		}
		return transport.Lockstep(rtl, "rtl", golden, "golden"), nil
	}
	return nil, fmt.Errorf("sim/host/powertcp: model: found %q, allowed: %s, %s, %s or %s", m, transport.Golden, transport.Float, transport.RTL, transport.Cycles)
}

// settingsOf reads a host's settings; the defaults come from the paper's figures.
func settingsOf(h *transport.Host) (Settings, error) {
	s := Settings{bottleneck.NewSettings(bottleneck.INT, bottleneck.Sets[0]), h.Connections, switches}
	s.Tau, s.MaxWindow = float64(h.BaseRTT), 0
	number := map[string]*float64{"beta": &s.Beta, "tau": &s.Tau, "target": &s.TargetUtil, "min": &s.MinWindow, "max": &s.MaxWindow,
		"gamma": &s.Gamma, "floor": &s.LambdaFloor}
	choice := map[string]struct {
		to    *bool
		names [2]string
	}{"theta_update": {&s.EveryAck, [2]string{params.RoundTrip, params.EveryAck}}, "base_rtt": {&s.ObservedBase, [2]string{params.Setting, params.Observed}}}
	for word := range strings.FieldsSeq(h.Settings) {
		key, value, _ := strings.Cut(word, "=")
		if to := number[key]; to != nil {
			x, err := strconv.ParseFloat(value, 64)
			if err != nil {
				return s, fmt.Errorf("sim/host/powertcp: %s: found %q, allowed: a number", key, value)
			}
			*to = x
			continue
		}
		if c, ok := choice[key]; ok {
			k := slices.Index(c.names[:], value)
			if k < 0 {
				return s, fmt.Errorf("sim/host/powertcp: %s: found %q, allowed: %s or %s", key, value, c.names[0], c.names[1])
			}
			*c.to = k == 1
			continue
		}
		if key != "variant" {
			return s, fmt.Errorf("sim/host/powertcp: settings: found %q, allowed: variant, beta, tau, target, min, max, gamma, floor, theta_update, base_rtt", word)
		}
		list, err := bottleneck.ParseVariants(value)
		if err != nil || len(list) != 1 {
			return s, fmt.Errorf("sim/host/powertcp: variant: found %q, allowed: %s or %s", value, bottleneck.INT, bottleneck.Theta)
		}
		s.Variant = list[0]
	}
	if s.MaxWindow == 0 { // the bandwidth-delay product
		s.MaxWindow = float64(int64(h.Gbps / 8 * s.Tau))
	}
	return s, nil
}

// switches are the hops that hosts of a network may have between them.
const switches = 5

// controlled is a Controller as a transport. Its sequence numbers count packets, not bytes: PowerTCP only compares
// them.
type controlled struct {
	paths transport.Paths
	by    Controller
	first Window
	last  map[int]Window
	hops  [switches]tbpowertcp.Hop
}

func newControlled(h *transport.Host, by Controller, s Settings) *controlled {
	return &controlled{paths: transport.ECMP(h), by: by, first: s.First(), last: map[int]Window{}}
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
func (c *controlled) ack(conn int, a *transport.Ack) (*tbpowertcp.Ack, error) {
	if len(a.Hops) > len(c.hops) {
		return nil, fmt.Errorf("hops: found %d, allowed: 0 to %d", len(a.Hops), len(c.hops))
	}
	hops := c.hops[:len(a.Hops)]
	for i, h := range a.Hops {
		code := rateCode(h.Gbps)
		if code < 0 {
			return nil, fmt.Errorf("hop %d: found a link of %v Gb/s, allowed: a rate of fabric.LinkRates", i, h.Gbps)
		}
		hops[i] = tbpowertcp.Hop{QLen: uint64(h.Queue), Tx: h.Bytes, TS: h.At.NS(), Rate: code}
	}
	return &tbpowertcp.Ack{Conn: uint32(conn), Seq: a.Seq + 1, SndNxt: a.Next, Hops: hops, RTT: a.RTT, Now: a.Now}, nil
}

func rateCode(gbps float64) int {
	for i, r := range fabric.LinkRates {
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
