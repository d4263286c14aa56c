// SPDX-License-Identifier: Apache-2.0

package dcsimresponder_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/dcsim_responder"
	model "github.com/nicgen/nicgen/model/dcsim_responder"
)

// The examples of the page: sixteen DATAs make a DATA-ACK, fifteen do not until their time is
// over, and nine that wait share one though four are enough.
func TestVectors(t *testing.T) {
	for _, c := range []struct {
		name           string
		waiting, every int
		ticks          uint64 // since the flow's time began
		wants, timed   bool
		tags           int
	}{
		{"none", 0, 1, 15, false, true, 0},
		{"15 of 16", 15, 16, 7, false, true, 0},
		{"16 of 16", 16, 16, 0, true, false, 16},
		{"one, the time is not over", 1, 16, 7, false, true, 0},
		{"one, the time is over", 1, 16, 8, true, true, 1},
		{"one of one", 1, 1, 0, true, false, 1},
		{"nine of four", 9, 4, 0, true, false, 9},
		{"17 of 16", 17, 16, 0, true, false, 16},
		{"32 of 16, the time is over", 32, 16, 9, true, false, 16},
	} {
		r := model.New(params.Default())
		for i := range c.waiting {
			if n, ok := r.Data(3, uint64(100+i)); n != i || !ok {
				t.Fatalf("%s: DATA %d finds %d waiting, recorded %t", c.name, i, n, ok)
			}
		}
		v := r.Look(3, c.ticks)
		wants, timed := v.Wants(c.every)
		if wants != c.wants || timed != c.timed {
			t.Errorf("%s: wants %t, timed %t", c.name, wants, timed)
		}
		if !wants {
			continue
		}
		if n := r.Make(v); n != c.tags {
			t.Errorf("%s: %d tags, want %d", c.name, n, c.tags)
		}
		for i := range c.tags {
			if tag := r.Next(3); tag != uint64(100+i) {
				t.Errorf("%s: tag %d is %d", c.name, i, tag)
			}
		}
	}
}

// A full list takes no DATA, and loses none that it has (DR5).
func TestFull(t *testing.T) {
	p := params.Default()
	r := model.New(p)
	for i := range p.Places {
		r.Data(0, uint64(i))
	}
	if _, ok := r.Data(0, 99); ok {
		t.Error("a DATA beyond the places is recorded")
	}
	v := r.Look(0, 0)
	r.Make(v)
	if _, ok := r.Data(0, 99); ok {
		t.Error("a place is free before its tag left")
	}
	if tag := r.Next(0); tag != 0 {
		t.Errorf("the first tag is %d", tag)
	}
	if _, ok := r.Data(0, 99); !ok {
		t.Error("no place, though a tag left")
	}
}

// Verdicts, on both sides of each limit, and the order of the checks.
func TestCheck(t *testing.T) {
	r := model.New(params.Default())
	for _, c := range []struct {
		class, flow, bytes uint64
		want               model.Verdict
	}{
		{params.SIM, 0, 64, model.Good}, {params.SIM, 255, 1, model.Good}, {params.SIM, 0, 65, model.BadLength}, {params.SIM, 0, 0, model.BadLength},
		{params.Data, 255, 1500, model.Good}, {params.Data, 0, 1501, model.BadLength}, {params.Data, 0, 0, model.BadLength}, {params.Data, 0, 65, model.Good},
		{params.SIM, 256, 64, model.BadFlow}, {params.Data, 256, 0, model.BadFlow},
		{params.SIMAck, 0, 64, model.BadClass}, {params.DataAck, 256, 0, model.BadClass},
	} {
		if got := r.Check(c.class, c.flow, c.bytes, 1500); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
}

// For any course of events: each DATA that was recorded is named once, in order; a DATA-ACK has 1
// to 16 tags; and if every flow is visited in every lap, and 7 ticks of a lap count, a DATA that
// has waited for 8 ticks is named by the next visit, or by the one after it if 16 are before it.
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := params.Default()
		p.Flows = 3
		r := model.New(p)
		every := rapid.IntRange(1, 16).Draw(t, "every")
		var sent, named [3][]uint64
		var since [3][]uint64 // the count at which each DATA that waits came
		next, count := uint64(0), uint64(0)
		var rest [3]bool // the last visit left some of more than 16
		visit := func(flow uint64) {
			v := r.Look(flow, count)
			wants, _ := v.Wants(every)
			if rest[flow] && !wants {
				t.Fatalf("flow %d: the remainder above 16 waits for a time", flow)
			}
			for _, from := range since[flow] {
				if !wants && count-from >= params.Ticks {
					t.Fatalf("flow %d has a DATA that has waited for %d ticks", flow, count-from)
				}
			}
			rest[flow] = v.Waiting > params.MostTags
			if !wants {
				r.Rest(v)
				return
			}
			n := r.Make(v)
			if n < 1 || n > 16 {
				t.Fatalf("a DATA-ACK of %d tags", n)
			}
			for range n {
				named[flow] = append(named[flow], r.Next(flow))
			}
			since[flow] = since[flow][n:]
		}
		for range rapid.IntRange(1, 40).Draw(t, "laps") {
			for range rapid.IntRange(0, 12).Draw(t, "events") {
				flow := uint64(rapid.IntRange(0, 2).Draw(t, "flow"))
				if rapid.IntRange(0, 9).Draw(t, "kind") == 0 {
					visit(flow) // a bell
					continue
				}
				if _, ok := r.Data(flow, next); ok {
					sent[flow] = append(sent[flow], next)
					since[flow] = append(since[flow], count)
				}
				next++
			}
			for flow, left := uint64(0), params.LapTicks; flow < 3; flow++ {
				ticks := rapid.IntRange(0, left).Draw(t, "ticks")
				left -= ticks
				count += uint64(ticks)
				visit(flow)
			}
		}
		for flow := range sent {
			if !slices.Equal(named[flow], sent[flow][:len(named[flow])]) {
				t.Fatalf("flow %d: named %v of %v", flow, named[flow], sent[flow])
			}
			if len(named[flow])+r.Flow(uint64(flow)).Waiting() != len(sent[flow]) {
				t.Fatalf("flow %d: %d named, %d waiting of %d", flow, len(named[flow]), r.Flow(uint64(flow)).Waiting(), len(sent[flow]))
			}
		}
	})
}
