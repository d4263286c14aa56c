// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"errors"
	"io"
	"strings"
	"testing"

	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	"github.com/nicgen/nicgen/sim/spray"
	"github.com/nicgen/nicgen/sim/transport"
)

func outage(t *testing.T) *spray.Scenario {
	t.Helper()
	sc, err := spray.New("outage", 1)
	if err != nil {
		t.Fatal(err)
	}
	return sc
}

// A golden model with another interval between increases is found out by the loop.
func TestLoopFindsADifference(t *testing.T) {
	sc, s := outage(t), spray.NewSettings(1, 1)
	hw := shape(sc)
	p, err := configure(hw, s)
	if err != nil {
		t.Fatal(err)
	}
	p.Rate.Increase = lapsrate.Base
	c := &controller{p: p, sc: sc}
	if err := c.place(s.Beta); err != nil {
		t.Fatal(err)
	}
	if c.dev, err = newRTL(t.Context(), hw, p); err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.start(s.Seed); err != nil {
		t.Fatal(err)
	}
	_, err = spray.Run(t.Context(), sc, c, nil, nil)
	var d *spray.Difference
	if !errors.As(err, &d) || d.Port != "m_rate_cause" || d.RTL != "0x2" || d.Golden != "0x0" || !strings.HasPrefix(d.Event, "ACK of flow 0 at ") ||
		d.Cycles != p.RateLatency() {
		t.Errorf("error %v, want one of an increase on m_rate_cause, %d cycles after an ACK", err, p.RateLatency())
	}
}

func TestLoopRefuses(t *testing.T) {
	for _, c := range []struct {
		name   string
		model  transport.Model
		change func(*spray.Scenario, *spray.Settings)
		want   string
	}{
		{"model", transport.Float, nil, `tb/laps: model: found "float", allowed: golden or rtl`},
		{"settings", transport.Golden, func(_ *spray.Scenario, s *spray.Settings) { s.Stages = 16 }, "settings: stages: found 16, allowed: 0 to 15"},
		{"rate", transport.Golden, func(_ *spray.Scenario, s *spray.Settings) { s.MinRate = 1e-7 },
			"least rate: found 1e-07 bytes/ns, allowed: a multiple of 1/256 Mb/s"},
		{"baseline", transport.Golden, func(sc *spray.Scenario, _ *spray.Settings) { sc.Paths[2].Base = 1 << 20 },
			"path 2 to destination 0: base_ns 1048576, latency_ns 1048576, want at most 1048575 and a baseline above 0: raise lat_bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			sc, s := outage(t), spray.NewSettings(1, 1)
			if c.change != nil {
				c.change(sc, &s)
			}
			if _, err := Controller(t.Context(), c.model, sc, s); err == nil || err.Error() != c.want {
				t.Errorf("error %v, want %s", err, c.want)
			}
		})
	}
}

// What is not under test is refused, and so is a segment that the ring has no room for.
func TestLoopEvents(t *testing.T) {
	made := func(sc *spray.Scenario, s spray.Settings) spray.Controller {
		t.Helper()
		c, err := Controller(t.Context(), transport.Golden, sc, s)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := c.(io.Closer).Close(); err != nil {
				t.Error(err)
			}
		})
		return c
	}
	sc := spray.AllToAll(0.5, 1, 1)
	c := made(sc, spray.NewSettings(1, 1))
	mine := sc.FlowsUnderTest()[0]
	other := 0
	for sc.Pairs[sc.Flows[other].Pair].UnderTest {
		other++
	}
	path := 0
	for sc.Pairs[sc.Paths[path].Pair].UnderTest {
		path++
	}
	for _, x := range []struct {
		want string
		do   func() error
	}{
		{"flow: found 1, allowed: one that is under test", func() error { _, err := c.Open(other, 0); return err }},
		{"flow: found -1, allowed: one that is under test", func() error { _, err := c.Open(-1, 0); return err }},
		{"pair: found 1, allowed: one that is under test", func() error { _, err := c.Packet(&spray.Packet{Pair: sc.Flows[other].Pair}); return err }},
		{"flow: found 1, allowed: one that is under test", func() error {
			_, err := c.Packet(&spray.Packet{Pair: sc.Flows[mine].Pair, Segment: spray.Segment{Flow: uint32(other)}})
			return err
		}},
		{"path: found 8, allowed: one that is under test", func() error { _, err := c.Ack(&spray.Ack{Path: path}); return err }},
		{"path: found 8, allowed: one that is under test", func() error { return c.Answer(&spray.Answer{Path: path}) }},
	} {
		if err := x.do(); err == nil || err.Error() != x.want {
			t.Errorf("error %v, want %s", err, x.want)
		}
	}
	if rate, err := c.Open(mine, 5); rate != 12.5 || err != nil {
		t.Errorf("rate %v, %v of a flow that is opened, want 12.5 bytes/ns", rate, err)
	}

	// The shortest path alone has 75 segments under way at the line rate; with links of eight
	// times the delay, more than a ring holds.
	sc, err := spray.New("loss", 1)
	if err != nil {
		t.Fatal(err)
	}
	sc.Flows[0].Load = 0
	for i := range sc.Links {
		sc.Links[i].Delay *= 8
	}
	s := spray.NewSettings(64, 1)
	if _, err := spray.Run(t.Context(), sc, made(sc, s), nil, nil); err == nil || !strings.Contains(err.Error(), ": the ring of path 0 is full: lower the rate or raise depth") {
		t.Errorf("error %v, want that the ring is full", err)
	}
}
