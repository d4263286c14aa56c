// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"fmt"
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
)

// vector returns the buffer of the vectors: depth 8, timeout 100, NUM 16.
func vector(stride int64) *model.Buffer {
	p := params.Default()
	p.ExploreStride = stride
	p.FreezingTimeoutNS = 100
	p.NumPktsCwnd = 16
	return model.New(p)
}

// play runs a scenario of words on connection 0 and returns the results of the SENDs:
//
//	ack EV [ecn]   an acknowledgement
//	fail, flush    a failure, a flush
//	t=N            the time becomes N
//	send N         N packets
func play(t *testing.T, b *model.Buffer, script string) string {
	t.Helper()
	var now uint64
	var out []string
	for _, line := range strings.Split(script, ";") {
		w := strings.Fields(line)
		num := func(s string) (n int) {
			if _, err := fmt.Sscan(s, &n); err != nil {
				t.Fatalf("%q: %v", line, err)
			}
			return n
		}
		switch {
		case len(w) == 0:
		case strings.HasPrefix(w[0], "t="):
			now = uint64(num(w[0][2:]))
		case w[0] == "ack":
			b.Ack(0, 0, uint32(num(w[1])), len(w) > 2, now)
		case w[0] == "fail":
			b.Fail(0, 0, now)
		case w[0] == "flush":
			b.Flush(0, 0)
		case w[0] == "send":
			for range num(w[1]) {
				ev, src := b.Send(0, 0, b.Random.Next())
				if src == model.Explored {
					out = append(out, "R")
				} else {
					out = append(out, fmt.Sprint(ev))
				}
			}
		default:
			t.Fatalf("unknown word %q", w[0])
		}
	}
	return strings.Join(out, " ")
}

// A connection has a separate state on each NIC port: EVs that came back on one port are not used
// on another, and a failure freezes on its port only.
func TestPortsApart(t *testing.T) {
	p := params.Default()
	p.NICPorts, p.FreezingTimeoutNS = 2, 100
	b := model.New(p)
	b.Ack(7, 0, 10, false, 0)
	b.Ack(7, 1, 20, false, 0)
	b.Ack(7, 1, 21, false, 0)
	if b.Fail(7, 1, 0) != model.EvFail|model.EvFreeze {
		t.Error("a failure on port 1 did not freeze")
	}
	for i, s := range []struct {
		port int
		ev   uint32
		src  model.Source
	}{{0, 10, model.Cached}, {0, 99, model.Explored}, {1, 20, model.Cached}, {1, 21, model.Cached}, {1, 20, model.Frozen}, {0, 99, model.Explored}} {
		if ev, src := b.Send(7, s.port, 99); ev != s.ev || src != s.src {
			t.Errorf("packet %d, port %d: got %d %v, want %d %v", i, s.port, ev, src, s.ev, s.src)
		}
	}
	b.Flush(7, 1)
	b.Ack(7, 0, 11, false, 0)
	if ev, src := b.Send(7, 1, 99); ev != 99 || src != model.Explored {
		t.Errorf("after a flush of port 1: got %d %v, want 99 explored", ev, src)
	}
	if ev, src := b.Send(7, 0, 99); ev != 11 || src != model.Cached {
		t.Errorf("after a flush of port 1, port 0: got %d %v, want 11 cached", ev, src)
	}
}

// An EV of 20 bits is an IPv6 flow label: the base wraps at 2^20.
func TestFlowLabels(t *testing.T) {
	p := params.Default()
	p.EVSBits, p.EVBase = params.LabelBits, 0x80000
	b := model.New(p)
	for _, label := range []uint32{0xFFFFF, 0x7FFFF, 0} {
		if got := b.Ack(0, 0, label, false, 0); got != model.EvAck {
			t.Errorf("label %#x: events %b, want %b", label, got, model.EvAck)
		}
		if ev, src := b.Send(0, 0, 0); ev != label || src != model.Cached {
			t.Errorf("got %#x %v, want %#x cached", ev, src, label)
		}
	}
	if ev, src := b.Send(0, 0, 0x9ABCD); ev != 0x1ABCD || src != model.Explored {
		t.Errorf("got %#x %v, want 0x1abcd explored", ev, src)
	}
	if w := b.Random.Next(); w>>params.LabelBits != 0 {
		t.Errorf("word %#x has more than 20 bits", w)
	}
}

// The vectors V1 to V6 of docs/units/reps.md.
func TestVectors(t *testing.T) {
	const v4 = "ack 1; ack 2; ack 3; ack 4; ack 5; ack 6; ack 7; ack 8; send 8; fail; send 3; t=50; ack 99; send 9;"
	const v4out = "1 2 3 4 5 6 7 8 1 2 3 99 5 6 7 8 1 2 3 99"
	for _, v := range []struct {
		name, script, want string
		stride             int64
	}{
		{"V1 marked EVs are not cached", "send 1; ack 10; ack 20; ack 30 ecn; send 3", "R 10 20 R", 8},
		{"V2 the oldest are overwritten", "ack 1; ack 2; ack 3; ack 4; ack 5; ack 6; ack 7; ack 8; ack 9; ack 10; send 9",
			"3 4 5 6 7 8 9 10 R", 8},
		{"V3 partly filled, frozen", "ack 11; ack 22; ack 33; fail; send 8", "11 22 33 11 22 33 11 22", 8},
		{"V4 fresh first, in place of the next to be reused", v4, v4out, 8},
		{"V5 exit is strict, needs a good ACK, then explores",
			v4 + "t=100; ack 77; t=101; ack 78 ecn; ack 79; send 18",
			v4out + " 77 79" + strings.Repeat(" R", 16), 8},
		// Three sends use up the EVs left by the ACK that ends the freeze; then each packet finds
		// one fresh EV.
		{"V6 stride 8", "ack 1; fail; t=101; ack 2; " + strings.Repeat("ack 5; send 1; ", 16),
			"1 2 5 5 5 5 5 R 5 5 5 5 5 5 5 R", 8},
		{"V6 stride 1", "ack 1; fail; t=101; ack 2; " + strings.Repeat("ack 5; send 1; ", 16),
			strings.TrimSpace(strings.Repeat(" R", 16)), 1},
		{"flush", "ack 1; ack 2; flush; send 1; ack 3; send 2", "R 3 R", 8},
		{"flush ends freezing", "ack 1; fail; flush; t=101; ack 2; send 2", "2 R", 8},
		{"a freeze is not extended", "ack 1; fail; t=90; fail; t=101; ack 2; fail; send 1", "1", 8},
	} {
		t.Run(v.name, func(t *testing.T) {
			if got := play(t, vector(v.stride), v.script); got != v.want {
				t.Errorf("%s\n got %s\nwant %s", v.script, got, v.want)
			}
		})
	}
}

// While exploring no failure freezes; NUM_PKTS_CWND above 255 saturates.
func TestExploreBlocksFreezing(t *testing.T) {
	b := vector(8)
	b.Settings.NumPkts = 305
	play(t, b, "ack 1; fail; t=101; ack 2")
	if s, _ := b.State(0, 0); s.Frozen || !s.Begin {
		t.Fatalf("after the freeze: %v, want exploration to begin", s)
	}
	if b.Fail(0, 0, 102)&model.EvFreeze != 0 {
		t.Error("a failure froze an exploring connection")
	}
	for range 255 {
		b.Send(0, 0, b.Random.Next())
	}
	if b.Fail(0, 0, 103)&model.EvFreeze == 0 {
		t.Error("a failure did not freeze after exploration")
	}
}

// ACK+Reuse: each EV serves n packets, the oldest first.
func TestReuse(t *testing.T) {
	p := params.Default()
	p.Coalescing, p.Ratio, p.BufferDepth, p.ExploreStride = params.Reuse, 3, 2, 1
	b := model.New(p)
	if got, want := play(t, b, "ack 7; send 2; ack 8; send 5"), "7 7 7 8 8 8 R"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	// Overwriting the half-used oldest EV leaves the next one its full life.
	if got, want := play(t, b, "ack 1; ack 2; send 2; ack 3; send 7"), "1 1 2 2 2 3 3 3 R"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestModesAndBase(t *testing.T) {
	p := params.Default()
	p.EVSBits, p.EVBase, p.NICPorts = 14, 0xC000, 3
	b := model.New(p)
	b.Settings.Mode[1], b.Settings.Mode[2] = model.OPS, model.ECMP
	for port := range 3 {
		b.Ack(5, port, 0xC123, false, 0)
	}
	if got := b.Ack(5, 0, 0x0123, false, 0); got != model.EvIllegalEV { // below the base
		t.Errorf("an EV below the base: events %b, want %b", got, model.EvIllegalEV)
	}
	for _, s := range []struct {
		port int
		ev   uint32
		src  model.Source
	}{{1, 0xFFFF, model.Oblivious}, {2, 0xC005, model.Fixed}, {0, 0xC123, model.Cached}, {0, 0xFFFF, model.Explored}} {
		if ev, src := b.Send(5, s.port, 0xFFFF); ev != s.ev || src != s.src {
			t.Errorf("port %d: got %#x %v, want %#x %v", s.port, ev, src, s.ev, s.src)
		}
	}
}

func TestIllegalConnectionChangesNothing(t *testing.T) {
	b := vector(8)
	for _, got := range []model.Events{b.Ack(256, 0, 1, false, 0), b.Fail(256, 0, 0), b.Flush(256, 0), b.Ack(0, 1, 1, false, 0), b.Fail(0, 1, 0), b.Flush(0, 1)} {
		if got != model.EvIllegalConn {
			t.Errorf("events %b, want %b", got, model.EvIllegalConn)
		}
	}
	if ev, src := b.Send(256, 0, 7); ev != 0 || src != model.None {
		t.Errorf("got %d %v, want 0 none", ev, src)
	}
	if ev, src := b.Send(0, 1, 7); ev != 0 || src != model.None {
		t.Errorf("NIC port 1 of 1: got %d %v, want 0 none", ev, src)
	}
}

func BenchmarkEvents(b *testing.B) {
	m := model.New(params.Default())
	x := uint64(1)
	b.ReportAllocs()
	for i := range b.N {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		c := uint32(x >> 8 & 255)
		switch {
		case x&1 == 0:
			m.Send(c, 0, m.Random.Next())
		case x&62 == 0:
			m.Fail(c, 0, uint64(i))
		default:
			m.Ack(c, 0, uint32(x>>16)&0xffff, x>>32&7 == 0, uint64(i))
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}
