// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"math"
	"reflect"
	"slices"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps"
	model "github.com/nicgen/nicgen/model/laps"
	tblaps "github.com/nicgen/nicgen/tb/laps"
)

// made is the float64 model of a pair whose paths have these baselines, with its flow opened.
func made(t testing.TB, beta float64, p *params.Params, base ...uint32) *float {
	t.Helper()
	net := &tblaps.Routes{Pairs: 1, Flows: 1}
	for _, b := range base {
		net.Paths = append(net.Paths, tblaps.Path{Base: b})
	}
	f := newFloat(p, net, beta, 1)
	if rate, err := f.Open(0, 0); err != nil || rate != float64(p.Rate.MaxRate)/tblaps.PerByte {
		t.Fatalf("rate %v, %v of a flow that is opened, want %d / %d", rate, err, p.Rate.MaxRate, tblaps.PerByte)
	}
	return f
}

// Vector LV1: three latencies, T 20,000 ns.
func TestFloatWeights(t *testing.T) {
	for _, c := range []struct {
		beta float64
		want [3]float64
	}{
		{1, [3]float64{.3982, .3603, .2415}},
		{4, [3]float64{.5538, .3712, .0750}},
		{8, [3]float64{.6814, .3062, .0125}},
	} {
		f := made(t, c.beta, params.Default(), 15_000, 20_000, 12_000) // T is the longest
		for i, d := range []uint64{10_000, 12_000, 20_000} {
			if _, err := f.Ack(&tblaps.Feedback{Path: i, Delay: d, Now: 1}); err != nil {
				t.Fatal(err)
			}
		}
		const n = 200_000
		var got [3]float64
		for range n {
			x, err := f.Packet(&tblaps.Packet{Now: 2})
			if err != nil {
				t.Fatal(err)
			}
			got[x.Path]++
		}
		for i := range got {
			if p := c.want[i]; math.Abs(got[i]/n-p) > 5*math.Sqrt(p*(1-p)/n)+5e-5 {
				t.Errorf("β′ %g: share of path %d %.4f, want %.4f", c.beta, i, got[i]/n, p)
			}
		}
	}
}

// Vectors LV2 and LV3: rates.
func TestFloatRates(t *testing.T) {
	p := params.Default()
	p.Rate.MaxRate, p.Rate.MinRate = 100*tblaps.PerByte, tblaps.PerByte
	f := made(t, 1, p, 20)
	now := uint64(100)
	ack := func(delay uint64, want float64, why tblaps.Cause) {
		t.Helper()
		r, err := f.Ack(&tblaps.Feedback{Delay: delay, Now: now})
		if err != nil || math.Abs(r.Rate-want) > 1e-6 || r.Cause != why {
			t.Errorf("latency %d at %d ns: rate %v, cause %d, %v; want %v, %d", delay, now, r.Rate, r.Cause, err, want, why)
		}
	}
	ack(21, 50, tblaps.Decreased)
	now = 142
	ack(21, 50, tblaps.Held)
	now = 143
	ack(21, 25, tblaps.Decreased)
	for i, want := range []float64{37.5, 43.75, 46.875, 48.4375, 49.21875, 74.609375, 87.3046875, 93.65234375} {
		now += 100
		why := tblaps.Increased
		if i >= 5 {
			why = tblaps.Doubled
		}
		ack(10, want, why)
	}
}

// Vectors LV4 and LV5: a path expires after twice its latency and is doubled; an ACK
// finds what it skips, and late ones nothing.
func TestFloatProbesAndLosses(t *testing.T) {
	p := params.Default()
	p.Detector.RTOMinNS = 8_000_000
	f := made(t, 1, p, 8)
	ack := func(seq, delay, now uint64) []tblaps.Lost {
		t.Helper()
		r, err := f.Ack(&tblaps.Feedback{Segment: model.Segment{Seq: seq}, Delay: delay, Now: now})
		if err != nil {
			t.Fatal(err)
		}
		return slices.Clone(r.Lost)
	}
	send := func(seq, now uint64, probe int) {
		t.Helper()
		c, err := f.Packet(&tblaps.Packet{Segment: model.Segment{Seq: seq}, Track: true, Now: now})
		if err != nil || c.Path != 0 || c.Probe != probe {
			t.Errorf("packet at %d ns: %+v, %v; want path 0 and probe %d", now, c, err, probe)
		}
	}
	ack(99, 8, 42)
	send(3, 58, -1)
	send(5, 59, 0)
	send(9, 91, -1) // 59 + 2·16
	send(10, 92, 0)
	gone := func(seq uint64, timer bool) tblaps.Lost {
		return tblaps.Lost{Segment: model.Segment{Seq: seq}, Timer: timer}
	}
	if got, want := ack(9, 8, 100), []tblaps.Lost{gone(3, false), gone(5, false)}; !reflect.DeepEqual(got, want) {
		t.Errorf("ACK of 9: lost %v, want %v", got, want)
	}
	if got := ack(5, 8, 100); len(got) > 0 {
		t.Errorf("late ACK of 5: lost %v, want nothing", got)
	}
	for _, c := range []struct {
		now  uint64
		want []tblaps.Lost
	}{{100 + 8_000_000, nil}, {101 + 8_000_000, []tblaps.Lost{gone(10, true)}}, {102 + 8_000_000, nil}} {
		got, err := f.Tick(c.now)
		if err != nil || len(got) != len(c.want) || len(got) > 0 && !reflect.DeepEqual(got, c.want) {
			t.Errorf("timers at %d ns: lost %v, %v; want %v", c.now, got, err, c.want)
		}
	}
}
