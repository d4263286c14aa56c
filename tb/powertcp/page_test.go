// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"fmt"
	"math"
	"regexp"
	"strconv"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
)

// The statements of docs/units/powertcp.md, checked on the RTL. Expected numbers are
// computed by hand from the page's formulas, without a golden model.
//
// In the default configuration τ is 28,960 ns, γ 0.9, β 543 bytes, bounds are 1,000 and
// 90,500 bytes. Link-rate code 0 is 25 Gb/s: 3.125 bytes per ns, b·τ = 90,500 bytes;
// code 2 is 100 Gb/s, code 5 unknown. Over 32,768 ns, which counts as τ, a link of code 0
// sends 102,400 bytes, and over 4,096 ns 12,800.
const (
	tau    = 28_960
	bdp    = 90_500.0
	long   = 32_768  // ns, above τ
	full   = 102_400 // bytes of code 0 in that time
	halved = 0.1*bdp + 0.9*(bdp/2+543)
)

// pageConfigs are the configurations that the page's rules for telemetry are played to.
var pageConfigs = []string{"", "throughput=ack", "variant=both throughput=ack"}

// onPage plays a scenario to every configuration.
func onPage(t *testing.T, configs []string, scenario func(t *testing.T, d *device)) {
	for _, set := range configs {
		t.Run("config "+set, func(t *testing.T) {
			t.Parallel()
			scenario(t, open(t, suite.Configure(t, set)))
		})
	}
}

// says demands a cause and, as far as they are not NaN, window and smoothed power.
func says(t *testing.T, what string, a answer, cause model.Cause, window, power float64) {
	t.Helper()
	if a.cause != cause {
		t.Errorf("%s: cause %d, want %d", what, a.cause, cause)
	}
	if !math.IsNaN(window) {
		near(t, what+": window", a.window, window)
	}
	if !math.IsNaN(power) {
		near(t, what+": smoothed power", a.power, power)
	}
}

// counted demands what an event added to the counters: every other stays.
func (d *device) counted(t *testing.T, what string, before map[string]uint64, want map[string]uint64) {
	t.Helper()
	d.m.Step(8) // until the last counter has followed
	for name, now := range d.counters() {
		if got := now - before[name]; got != want[name] {
			t.Errorf("%s: counter %s rose by %d, want %d", what, name, got, want[name])
		}
	}
}

// An ACK after a first one of an idle link at time 0, in every situation that the tables
// of causes and decisions have.
func TestPageUpdate(t *testing.T) {
	idle := []hop{{0, 0, 0, 0}}
	for _, c := range []struct {
		name          string
		before, after []hop
		cause         model.Cause
		hop           uint64
		norm, power   float64
		window        float64
		counters      map[string]uint64
	}{
		{"P7: dt above τ counts as τ", idle, []hop{{0, 2 * full, long, 0}}, model.Updated, 0, 2, 2, halved, map[string]uint64{"ack": 1}},
		{"weight dt/τ", idle, []hop{{0, 2 * 12_800, 4096, 0}}, model.Updated, 0, 2, 1 + 4096.0/tau, 0.1*bdp + 0.9*(bdp/(1+4096.0/tau)+543), map[string]uint64{"ack": 1}},
		// V = 1 + 6,400/90,500, A = 1: as much arrived as the link sends.
		{"a queue", idle, []hop{{6400, 6400, 4096, 0}}, model.Updated, 0, 1 + 6400/bdp, 1 + 6400/bdp*4096/tau, 0.1*bdp + 0.9*(bdp/(1+6400/bdp*4096/tau)+543), map[string]uint64{"ack": 1}},
		{"P3: a draining queue has λ = b/2; P16: cut at the largest window", []hop{{8000, 0, 0, 0}}, []hop{{0, 0, long, 0}}, model.Updated, 0, 0.5, 0.5, bdp, map[string]uint64{"ack": 1, "clamp_high": 1}},
		{"P3: a slow sender too", idle, []hop{{0, 12_800, long, 0}}, model.Updated, 0, 0.5, 0.5, bdp, map[string]uint64{"ack": 1, "clamp_high": 1}},
		{"P1: the largest normalised power, not the largest rate", []hop{{0, 0, 0, 2}, {0, 0, 0, 0}}, []hop{{0, 2 * full, long, 2}, {0, 2 * full, long, 0}}, model.Updated, 1, 2, 2, halved, map[string]uint64{"ack": 1}},
		{"P1: of equals the lowest hop", []hop{{0, 0, 0, 2}, {0, 0, 0, 0}, {0, 0, 0, 0}}, []hop{{0, 0, long, 2}, {0, 2 * full, long, 0}, {0, 2 * full, long, 0}}, model.Updated, 1, 2, 2, halved, map[string]uint64{"ack": 1}},
		{"the bottleneck's dt is the weight", []hop{{0, 0, 0, 0}, {0, 0, 0, 0}}, []hop{{0, 0, 4096, 0}, {0, 2 * full, long, 0}}, model.Updated, 1, 2, 2, halved, map[string]uint64{"ack": 1}},
		{"P6: no hop has a new time", idle, []hop{{0, 2 * full, 0, 0}}, model.Stale, 0, 0, 1, bdp, map[string]uint64{"ack": 1, "stale_hop": 1, "clamp_high": 1}},
		{"P6: one of two hops has none", []hop{{0, 0, 0, 0}, {0, 0, 0, 0}}, []hop{{0, 9 * full, 0, 0}, {0, 2 * full, long, 0}}, model.Updated, 1, 2, 2, halved, map[string]uint64{"ack": 1, "stale_hop": 1}},
		{"unknown rate code", idle, []hop{{0, 2 * full, long, 5}}, model.Stale, 0, 0, 1, bdp, map[string]uint64{"ack": 1, "rate_code": 1, "clamp_high": 1}},
		{"unknown rate code of an old time: stale only", idle, []hop{{0, 2 * full, 0, 5}}, model.Stale, 0, 0, 1, bdp, map[string]uint64{"ack": 1, "stale_hop": 1, "clamp_high": 1}},
		{"P10: bytes and time wrap", []hop{{0, 1<<27 - 1280, 1<<24 - 10, 0}}, []hop{{0, 2*full - 1280, long - 10, 0}}, model.Updated, 0, 2, 2, halved, map[string]uint64{"ack": 1}},
		// A pause of the link's clock in the way of its 24 bits: 52,428,800 bytes are twice what the link sends in 2^23 ns.
		{"P10: a pause of half the range", idle, []hop{{0, 52_428_800, 1 << 23, 0}}, model.Updated, 0, 2, 2, halved, map[string]uint64{"ack": 1}},
		{"P10: a pause of 2,048 ns less than the range", idle, []hop{{0, 104_844_800, 1<<24 - 2048, 0}}, model.Updated, 0, 2, 2, halved, map[string]uint64{"ack": 1}},
		{"P10: a pause of the range is none", idle, []hop{{0, 2 * full, (1 << 24) & (1<<24 - 1), 0}}, model.Stale, 0, 0, 1, bdp, map[string]uint64{"ack": 1, "stale_hop": 1, "clamp_high": 1}},
		{"P10: 4,096 ns more than twice the range are 4,096", idle, []hop{{0, 2 * 12_800, (2<<24 + 4096) & (1<<24 - 1), 0}}, model.Updated, 0, 2, 1 + 4096.0/tau, 0.1*bdp + 0.9*(bdp/(1+4096.0/tau)+543), map[string]uint64{"ack": 1}},
		{"P9: fewer hops", []hop{{0, 0, 0, 0}, {0, 0, 0, 0}}, []hop{{0, 2 * full, long, 0}}, model.Changed, 0, 0, 1, bdp, map[string]uint64{"path": 1}},
		{"P9: of hops that are only stored nothing is counted", idle, []hop{{0, 0, 0, 5}, {0, 0, 0, 5}}, model.Changed, 0, 0, 1, bdp, map[string]uint64{"path": 1}},
		{"more than five hops: the first count", []hop{{0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}, {0, 0, 0, 0}},
			[]hop{{0, full, long, 0}, {0, full, long, 0}, {0, full, long, 0}, {0, 2 * full, long, 0}, {0, full, long, 0}, {0, 9 * full, long, 0}, {0, 9 * full, 0, 5}},
			model.Updated, 3, 2, 2, halved, map[string]uint64{"ack": 1, "excess": 1}},
		{"no telemetry", idle, nil, model.NoSample, 0, 0, 1, bdp, map[string]uint64{"no_sample": 1}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, pageConfigs[:2], func(t *testing.T, d *device) {
				before := d.counters()
				first := d.ack(ack{conn: 255, hops: c.before})
				says(t, "first ACK", first, model.First, bdp, 1)
				near(t, "first ACK: rate", first.rate, bdp/tau)
				if first.norm != 0 || first.hop != 0 {
					t.Errorf("first ACK: norm %v of hop %d, want none", first.norm, first.hop)
				}
				d.counted(t, "first ACK", before, map[string]uint64{"first": 1})
				before = d.counters()
				a := d.ack(ack{conn: 255, hops: c.after})
				says(t, "ACK", a, c.cause, c.window, c.power)
				near(t, "norm", a.norm, c.norm)
				near(t, "rate", a.rate, a.window/tau)
				if a.hop != c.hop {
					t.Errorf("hop %d, want %d", a.hop, c.hop)
				}
				d.counted(t, "ACK", before, c.counters)
			})
		})
	}
}

// The window of an answer and what state holds are two things: the bounds as they are
// now cut the one, and the other when it is next computed.
func TestPageBounds(t *testing.T) {
	onPage(t, pageConfigs[:1], func(t *testing.T, d *device) {
		bounds := func(low, high uint64) {
			d.m.Set("cfg_min_window", low<<model.WindowFrac)
			d.m.Set("cfg_max_window", high<<model.WindowFrac)
		}
		d.ack(ack{conn: 1, hops: []hop{{0, 0, 0, 0}}})
		bounds(1000, 40_000)
		says(t, "no telemetry under a lower bound", d.ack(ack{conn: 1}), model.NoSample, 40_000, 1)
		bounds(1000, 90_500)
		says(t, "no telemetry afterwards", d.ack(ack{conn: 1}), model.NoSample, bdp, 1)
		bounds(60_000, 90_500)
		before := d.counters()
		says(t, "least window", d.ack(ack{conn: 1, hops: []hop{{0, 2 * full, long, 0}}}), model.Updated, 60_000, 2)
		d.counted(t, "least window", before, map[string]uint64{"ack": 1, "clamp_low": 1})
		bounds(1000, 50_000)
		says(t, "another connection", d.ack(ack{conn: 2, hops: []hop{{0, 0, 0, 0}}}), model.First, 50_000, 1)
	})
}

// A hop that is left out for its time keeps its record; one of an unknown rate is
// stored (P6, P17). The next ACK shows from where its differences are taken.
func TestPageRecords(t *testing.T) {
	for _, c := range []struct {
		name         string
		between      hop
		after        hop
		norm, window float64
	}{
		{"same time: record kept", hop{0, full, 0, 0}, hop{0, 2 * full, long, 0}, 2, 0.1*bdp + 0.9*(bdp/2+543)},
		{"unknown rate: record replaced", hop{0, full, 1000, 5}, hop{0, 3 * full, 1000 + long, 0}, 2, 0.1*bdp + 0.9*(bdp/2+543)},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, pageConfigs, func(t *testing.T, d *device) {
				d.ack(ack{conn: 3, sndNxt: 1, hops: []hop{{}}})
				says(t, "between", d.ack(ack{conn: 3, sndNxt: 1, hops: []hop{c.between}}), model.Stale, bdp, 1)
				a := d.ack(ack{conn: 3, sndNxt: 1, hops: []hop{c.after}})
				near(t, "norm", a.norm, c.norm)
				says(t, "after", a, model.Updated, c.window, 2)
			})
		})
	}
}

// P9: another path or hop count stores telemetry and mark, and leaves power and windows.
func TestPagePath(t *testing.T) {
	for _, c := range []struct {
		name string
		path uint64
		hops []hop
	}{
		{"path", 1, []hop{{0, 7 * full, 5, 0}}},
		{"hop count", 0, []hop{{0, 7 * full, 5, 0}, {0, 0, 5, 0}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, pageConfigs, func(t *testing.T, d *device) {
				d.ack(ack{conn: 3, sndNxt: 1, hops: []hop{{}}})
				was := d.ack(ack{conn: 3, seq: 1, sndNxt: 1, hops: []hop{{0, 2 * full, long, 0}}})
				says(t, "before", was, model.Updated, halved, 2)
				now := d.ack(ack{conn: 3, seq: 1, sndNxt: 100, path: c.path, hops: c.hops})
				if now.cause != model.Changed || now.window != was.window || now.power != was.power || now.norm != 0 {
					t.Errorf("change: %+v, want cause 2 and window and power of %+v", now, was)
				}
				// cwnd_old is 90,500 still: sequence number 100 is not beyond the new mark. The
				// new records are the ones of the change.
				var next []hop
				for _, h := range c.hops {
					next = append(next, hop{0, h.tx + 2*full, h.time + long, 0})
				}
				a := d.ack(ack{conn: 3, seq: 100, sndNxt: 100, path: c.path, hops: next})
				near(t, "norm", a.norm, 2)
				says(t, "after", a, model.Updated, 0.1*halved+0.9*(bdp/2+543), 2)
			})
		})
	}
}

// P11: cwnd_old follows once a round trip, when the ACK is beyond snd_nxt of its
// beginning; a mark ahead of snd_nxt heals. The ACK after shows cwnd_old.
func TestPageRoundTrip(t *testing.T) {
	for _, c := range []struct {
		name      string
		mark      uint64
		seq, nxt  uint64
		followed  bool
		afterward uint64 // a sequence number that is not beyond the new mark
	}{
		{"within", 1000, 999, 2000, false, 0},
		{"at the mark", 1000, 1000, 2000, false, 0},
		{"beyond the mark", 1000, 1001, 2000, true, 2000},
		{"beyond, wrapped", 0xfffffff0, 0x10, 0x20, true, 0x20},
		{"snd_nxt at the mark", 1000, 500, 1000, false, 500},
		{"snd_nxt before the mark", 1000, 500, 999, true, 999},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, pageConfigs, func(t *testing.T, d *device) {
				d.ack(ack{conn: 9, sndNxt: c.mark, hops: []hop{{}}})
				says(t, "ACK", d.ack(ack{conn: 9, seq: c.seq, sndNxt: c.nxt, hops: []hop{{0, 2 * full, long, 0}}}), model.Updated, halved, 2)
				old := bdp
				if c.followed {
					old = halved
				}
				third := 0.1*halved + 0.9*(old/2+543)
				says(t, "next", d.ack(ack{conn: 9, seq: c.seq, sndNxt: c.nxt, hops: []hop{{0, 4 * full, 2 * long, 0}}}), model.Updated, third, 2)
				if c.followed { // that one was within the new round trip, unless c.seq is beyond it: old stays
					says(t, "within the new round trip", d.ack(ack{conn: 9, seq: c.afterward, sndNxt: c.nxt, hops: []hop{{0, 6 * full, 3 * long, 0}}}),
						model.Updated, 0.1*third+0.9*(old/2+543), 2)
				}
			})
		})
	}
}

// waits offers an ACK's first beat and tells how many cycles it is not taken. It is left
// on the port.
func (d *device) waits(conn uint64) int {
	d.m.Set("s_ack_conn", conn)
	d.m.Set("s_ack_valid", 1)
	for n := 0; ; n++ {
		if d.m.Get("s_ack_ready") == 1 || n > 1000 {
			return n
		}
		d.m.Step(1)
	}
}

// For exactly 9 cycles after the last beat of an ACK, no ACK of its connection is taken;
// another connection passes, and a nonexistent one is distinguished by its low bits only. A
// flush holds its connection as long.
func TestPageWait(t *testing.T) {
	for _, c := range []struct {
		name   string
		flush  bool
		hops   int
		second uint64
		wait   int
	}{
		{"same connection", false, 1, 7, 9},
		{"same connection, five hops", false, 5, 7, 9},
		{"no telemetry", false, 0, 7, 9},
		{"another connection", false, 1, 8, 0},
		{"no such connection, same low bits", false, 1, 256 + 7, 9},
		{"after a flush", true, 0, 7, 9},
		{"after the flush of another one", true, 0, 6, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, pageConfigs[:2], func(t *testing.T, d *device) {
				if c.flush {
					d.m.Set("s_flush_valid", 1)
					d.m.Set("s_flush_conn", 7)
					d.m.Step(1)
					d.m.Set("s_flush_valid", 0)
				} else {
					d.drive(ack{conn: 7, hops: make([]hop, c.hops)})
				}
				if n := d.waits(c.second); n != c.wait {
					t.Errorf("connection %d waits %d cycles, want %d", c.second, n, c.wait)
				}
			})
		})
	}
}

// Each ACK has one answer, in order, 64 cycles after its last beat; with an ACK a cycle
// and five lanes 66; with a RAM latency of 1 one less.
func TestPageLatency(t *testing.T) {
	for _, c := range []struct {
		set     string
		hops    int
		latency int
	}{
		{"", 1, 64},
		{"throughput=ack", 3, 66},
		{"ram_latency=1", 1, 63},
	} {
		d := open(t, suite.Configure(t, c.set))
		var got []string
		for n := range 200 {
			if n < 4 {
				d.drive(ack{conn: uint64(10 * n), hops: make([]hop, c.hops)}) // a cycle
			} else {
				d.m.Step(1)
			}
			if d.m.Get("m_win_valid") == 1 {
				got = append(got, fmt.Sprint(n+1, " ", d.m.Get("m_win_conn")))
			}
		}
		var want []string
		for n := range 4 {
			want = append(want, fmt.Sprint(n+c.latency, " ", 10*n))
		}
		if fmt.Sprint(got) != fmt.Sprint(want) {
			t.Errorf("%s: answers (cycle, connection) %v, want %v", c.set, got, want)
		}
	}
}

// A flush waits for a cycle without an ACK, and for the ACKs of its connection; then the
// connection is new. One of a connection that is not there is counted and does nothing.
func TestPageFlush(t *testing.T) {
	onPage(t, pageConfigs, func(t *testing.T, d *device) {
		d.ack(ack{conn: 5, hops: []hop{{}}})
		ready := func(what string, want uint64) {
			t.Helper()
			if got := d.m.Get("s_flush_ready"); got != want {
				t.Errorf("%s: s_flush_ready %d, want %d", what, got, want)
			}
		}
		d.m.Set("s_flush_valid", 1)
		d.m.Set("s_flush_conn", 5)
		d.m.Set("s_ack_conn", 6)
		d.m.Set("s_ack_valid", 1)
		ready("beside an ACK of another connection", 0)
		d.m.Set("s_ack_valid", 0)
		ready("alone", 1)
		d.m.Set("s_flush_valid", 0)
		d.drive(ack{conn: 5, hops: []hop{{0, 2 * full, long, 0}}})
		d.m.Set("s_flush_valid", 1)
		d.m.Set("s_flush_conn", 5)
		for n := range 9 {
			ready(fmt.Sprint(n+1, " cycles after an ACK of it"), 0)
			d.m.Step(1)
		}
		ready("10 cycles after an ACK of it", 1)
		before := d.counters()
		d.m.Step(1)
		d.m.Set("s_flush_valid", 0)
		d.counted(t, "flush", before, map[string]uint64{"flush": 1})
		d.m.Step(2)
		says(t, "after the flush", d.ack(ack{conn: 5, hops: []hop{{0, 9 * full, 9, 0}}}), model.First, bdp, 1)

		before = d.counters()
		d.m.Set("s_flush_valid", 1)
		d.m.Set("s_flush_conn", 256+5)
		ready("no such connection", 1)
		d.m.Step(1)
		d.m.Set("s_flush_valid", 0)
		d.counted(t, "no such connection", before, map[string]uint64{"illegal_conn": 1})
		d.m.Step(2) // its low bits are held
		if a := d.ack(ack{conn: 5, hops: []hop{{0, 9 * full, 9, 0}}}); a.cause != model.Stale {
			t.Errorf("after a flush of connection 261, 5 has cause %d, want 4: it is not new", a.cause)
		}
		before = d.counters()
		if a := d.ack(ack{conn: 256 + 5, hops: []hop{{0, 9 * full, 99, 0}}}); a != (answer{cause: model.Illegal}) {
			t.Errorf("no such connection: %+v, want cause 6 and 0 for the rest", a)
		}
		d.counted(t, "no such connection", before, map[string]uint64{"illegal_conn": 1})
		if a := d.ack(ack{conn: 5, hops: []hop{{0, 9 * full, 9, 0}}}); a.cause != model.Stale {
			t.Errorf("after an ACK of connection 261, 5 has cause %d, want 4: nothing changed", a.cause)
		}
	})
}

// pageEntry is the link-rate table's entry of 50 Gb/s, from the page's table of fields:
// b = 6.25, G = 16, U = 80, S = 4; c0 = 2.56 = 1.28·2^1; U/(b·τ) = 80/181,000; floor =
// 0.5·6.25/16 = 0.1953125 = 1.5625·2^-3.
func pageEntry() uint64 {
	c1 := math.Round(1.28 * 65_536 * 80 / 181_000 * (1 << (4 + 4*1))) // 9,491; with shift code 2 it is beyond 2^17
	return 1 | uint64(math.Round(0.28*65_536))<<1 | 1<<17 | uint64(c1)<<23 | 1<<40 | 36_864<<42 | (64-3)<<58
}

// A write of the link-rate table is seen whole by the beat of its cycle and by later
// ones, and not at all by earlier ones; the next is taken 11 cycles later.
func TestPageRates(t *testing.T) {
	if got, want := pageEntry(), params.Default().Rate(1).Entry(); got != want {
		t.Errorf("entry of 50 Gb/s by the page %#x, by nicgen %#x", got, want)
	}
	update := ack{conn: 1, hops: []hop{{0, 2 * full, long, 0}}}
	for _, c := range []struct {
		name  string
		entry uint64
		cause model.Cause
		norm  float64
	}{
		{"a faster link", pageEntry(), model.Updated, 1},
		{"no link", 0, model.Stale, 0},
		{"no link, but for the valid bit", pageEntry() &^ 1, model.Stale, 0},
	} {
		for _, late := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/late %t", c.name, late), func(t *testing.T) {
				onPage(t, pageConfigs, func(t *testing.T, d *device) {
					d.ack(ack{conn: 1, hops: []hop{{}}})
					write := func() {
						d.m.Set("s_rate_valid", 1)
						d.m.Set("s_rate_code", 0)
						d.m.Set("s_rate_entry", c.entry)
						if d.m.Get("s_rate_ready") != 1 {
							t.Fatal("a write must wait")
						}
					}
					taken := 1 // cycles since the beat
					if late {
						d.drive(update)
						write()
						d.m.Step(1)
						taken++
					} else {
						write()
						d.drive(update)
					}
					d.m.Set("s_rate_valid", 0)
					for n := range 11 {
						if d.m.Get("s_rate_ready") != 0 {
							t.Errorf("s_rate_ready %d cycles after a write, want it low for 11", n+1)
						}
						d.m.Step(1)
					}
					if d.m.Get("s_rate_ready") != 1 {
						t.Error("s_rate_ready is low 12 cycles after a write")
					}
					d.m.Step(d.p.WindowLatency() - 11 - taken)
					norm, cause := c.norm, c.cause
					if late {
						norm, cause = 2, model.Updated
					}
					if d.m.Get("m_win_valid") != 1 || model.Cause(d.m.Get("m_win_cause")) != cause {
						t.Fatalf("answer %d of cause %d, want one of cause %d", d.m.Get("m_win_valid"), d.m.Get("m_win_cause"), cause)
					}
					near(t, "norm", math.Ldexp(float64(d.m.Get("m_win_norm")), -model.NormFrac), norm)
				})
			})
		}
	}
}

// A reset drops ACKs that are under way and makes connections new; it leaves the
// link-rate table. It takes CONNECTIONS + 3 cycles, in which nothing else is taken.
func TestPageReset(t *testing.T) {
	onPage(t, pageConfigs, func(t *testing.T, d *device) {
		d.ack(ack{conn: 255, hops: []hop{{}}})
		d.drive(ack{conn: 255, hops: []hop{{0, full, long, 0}}})
		d.m.Step(20)
		d.m.Set("rst", 1)
		d.m.Set("s_rate_valid", 1)
		d.m.Set("s_rate_code", 0)
		d.m.Set("s_rate_entry", pageEntry())
		d.m.Step(1)
		d.m.Set("rst", 0)
		d.m.Set("s_rate_valid", 0)
		for n := range 259 {
			d.m.Set("s_ack_valid", 0)
			d.m.Set("s_flush_valid", 1)
			flush := d.m.Get("s_flush_ready")
			d.m.Set("s_flush_valid", 0)
			d.m.Set("s_ack_valid", 1)
			if d.m.Get("sts_ready") != 0 || d.m.Get("s_ack_ready") != 0 || flush != 0 || d.m.Get("m_win_valid") != 0 {
				t.Fatalf("%d cycles after a reset: ready or an answer", n+1)
			}
			d.m.Step(1)
		}
		d.m.Set("s_ack_valid", 0)
		if d.m.Get("sts_ready") != 1 {
			t.Fatal("not ready 260 cycles after a reset")
		}
		for name, n := range d.counters() {
			if want := map[string]uint64{"not_ready": 257}[name]; n != want { // the last offer is still to be counted, and none is in the reset itself
				t.Errorf("counter %s is %d after a reset, want %d", name, n, want)
			}
		}
		says(t, "after the reset", d.ack(ack{conn: 255, hops: []hop{{}}}), model.First, bdp, 1)
		near(t, "norm by the entry written in the reset", d.ack(ack{conn: 255, hops: []hop{{0, 2 * full, long, 0}}}).norm, 1)
	})
}

var stages = regexp.MustCompile(`\+ (\d+)`)

// An ACK reads each setting in the cycles that the interface table states and in no
// other: a value that is there in just those cycles has all of the effect, and
// one that is there in all others none.
func TestPageSettings(t *testing.T) {
	slow := []hop{{0, 2 * 64_000, 20_480, 0}} // norm 2 over 0.7 τ
	fast := []hop{{0, 0, long, 0}}            // the largest window
	for _, c := range []struct {
		set, port   string
		value       uint64
		first       bool // the setting is of a first ACK
		event       ack
		theta       bool // the table's stage
		thetaBefore bool
	}{
		{"", "cfg_gamma", 1 << 15, false, ack{hops: slow}, false, false},
		{"", "cfg_beta", 4 * 2000, false, ack{hops: slow}, false, false},
		{"", "cfg_tau_ns", 50_000, false, ack{hops: slow}, false, false},
		{"", "cfg_inv_tau_m", 1 << 16, false, ack{hops: slow}, false, false},
		{"", "cfg_inv_tau_e", 16, false, ack{hops: slow}, false, false},
		{"", "cfg_min_window", 4 * 80_000, false, ack{hops: slow}, false, false},
		{"", "cfg_max_window", 4 * 40_000, false, ack{hops: fast}, false, false},
		{"", "cfg_max_window", 4 * 40_000, true, ack{hops: fast}, false, false},
		{"", "cfg_init_power", 3 << 17, true, ack{hops: fast}, false, false},
		{"variant=both throughput=ack", "cfg_tau_ns", 50_000, false, ack{hops: slow}, false, false},
		{"variant=both throughput=ack", "cfg_inv_tau_m", 1 << 16, false, ack{hops: slow}, false, false},
		{"variant=both throughput=ack", "cfg_inv_tau_e", 16, false, ack{hops: slow}, false, false},
		{"variant=both throughput=ack", "cfg_tau_ns", 10_000, true, ack{rtt: 20_000, now: 7}, true, false},
		{"variant=both throughput=ack", "cfg_theta_floor", 1 << 14, false, ack{rtt: 1, now: 20_000}, true, true},
		{"variant=both throughput=ack", "cfg_inv_target", 3 << 15, false, ack{rtt: 20_000, now: 20_000}, true, true},
	} {
		t.Run(fmt.Sprintf("%s %s first %t", c.set, c.port, c.first), func(t *testing.T) {
			t.Parallel()
			d := open(t, suite.Configure(t, c.set))
			usual := d.p.PortValues()[c.port]
			at := map[int]bool{}
			d.m.Set(c.port, usual)
			for i, m := range stages.FindAllStringSubmatch(port(t, d.p, c.port).Timing, -1) {
				n, _ := strconv.Atoi(m[1])
				// In both, cfg_tau_ns has a stage for telemetry and then one for round-trip times.
				if c.set == "" || c.port != "cfg_tau_ns" || (i == 1) == c.theta {
					at[n] = true
				}
			}
			conn := uint64(0)
			// play gives a new connection the event, with one value in the stated cycles and
			// another one in the others.
			play := func(stated, other uint64) answer {
				conn++
				event := c.event
				event.conn = conn
				if !c.first {
					d.m.Set(c.port, usual)
					before := ack{conn: conn, hops: []hop{{}}}
					if c.thetaBefore {
						before = ack{conn: conn, rtt: 20_000}
					}
					d.ack(before)
				}
				value := func(cycle int) uint64 {
					if at[cycle] {
						return stated
					}
					return other
				}
				d.m.Set(c.port, other)
				d.m.Step(3)
				d.m.Set(c.port, value(0))
				d.drive(event)
				for n := 1; n < d.p.WindowLatency(); n++ {
					d.m.Set(c.port, value(n))
					d.m.Step(1)
				}
				if d.m.Get("m_win_valid") != 1 {
					t.Fatal("no answer")
				}
				a := answer{
					window: float64(d.m.Get("m_win_bytes")), rate: float64(d.m.Get("m_win_rate")), norm: float64(d.m.Get("m_win_norm")),
					power: float64(d.m.Get("m_win_power")), cause: model.Cause(d.m.Get("m_win_cause")),
				}
				d.m.Step(1)
				return a
			}
			was, now := play(usual, usual), play(c.value, c.value)
			if was == now {
				t.Fatalf("%d in place of %d changes nothing: %+v", c.value, usual, was)
			}
			if a := play(c.value, usual); a != now {
				t.Errorf("%d in cycles %v only: %+v, want %+v as if it always were", c.value, at, a, now)
			}
			if a := play(usual, c.value); a != was {
				t.Errorf("%d in all cycles but %v: %+v, want %+v as if it never were", c.value, at, a, was)
			}
		})
	}
}

// port finds a port in the interface table.
func port(t *testing.T, p *params.Params, name string) gen.Port {
	t.Helper()
	for _, x := range p.Ports() {
		if x.Name == name {
			return x
		}
	}
	t.Fatalf("no port %s", name)
	return gen.Port{}
}

// θ: a connection's life by round-trip times. Its rate is its window over the least
// one on its path.
func TestPageTheta(t *testing.T) {
	keep := math.NaN()
	for _, c := range []struct {
		name          string
		before        []ack
		ack           ack
		cause         model.Cause
		norm          float64
		window, power float64
		base          float64
	}{
		{"first", nil, ack{rtt: 20_000}, model.First, 0, bdp, 1, 20_000},
		{"first, above cfg_tau_ns", nil, ack{rtt: 40_000}, model.First, 0, bdp, 1, tau},
		{"no sample of a new connection", nil, ack{}, model.NoSample, 0, bdp, 1, tau},
		{"T3: at the mark it updates", []ack{{rtt: 20_000, seq: 50, sndNxt: 50}}, ack{rtt: 30_000, now: 20_000, seq: 50, sndNxt: 90}, model.Updated, 2.25, 0.1*bdp + 0.9*(bdp/2.25+543), 2.25, 20_000},
		{"T2: before the mark nothing", []ack{{rtt: 20_000, seq: 50, sndNxt: 50}}, ack{rtt: 30_000, now: 20_000, seq: 49, sndNxt: 90}, model.WithinRTT, 0, bdp, 1, 20_000},
		{"T4: the second ACK updates, before what was sent with the first is acknowledged", []ack{{rtt: 20_000, seq: 10, sndNxt: 50}}, ack{rtt: 30_000, now: 20_000, seq: 11, sndNxt: 60}, model.Updated, 2.25, 0.1*bdp + 0.9*(bdp/2.25+543), 2.25, 20_000},
		{"T4: the third does when the second's round trip is over", []ack{{rtt: 20_000, seq: 10, sndNxt: 50}, {rtt: 30_000, now: 20_000, seq: 11, sndNxt: 60}}, ack{rtt: 30_000, now: 50_000, seq: 59, sndNxt: 90}, model.WithinRTT, 0, 0.1*bdp + 0.9*(bdp/2.25+543), 2.25, 20_000},
		{"T7: another path leaves the round trip as it is", []ack{{rtt: 20_000}, {rtt: 30_000, now: 20_000, sndNxt: 60}, {rtt: 25_000, now: 40_000, seq: 60, sndNxt: 90, path: 1}}, ack{rtt: 25_000, now: 60_000, seq: 59, sndNxt: 90, path: 1}, model.WithinRTT, 0, 0.1*bdp + 0.9*(bdp/2.25+543), 2.25, 25_000},
		{"T7: and its end counts for the new one", []ack{{rtt: 20_000}, {rtt: 30_000, now: 20_000, sndNxt: 60}, {rtt: 25_000, now: 40_000, seq: 50, sndNxt: 90, path: 1}}, ack{rtt: 25_000, now: 65_000, seq: 60, sndNxt: 90, path: 1}, model.Updated, 1, 0.1*(0.1*bdp+0.9*(bdp/2.25+543)) + 0.9*(0.1*bdp+0.9*(bdp/2.25+543)+543), 1, 25_000},
		{"T2: but for the base RTT", []ack{{rtt: 20_000, seq: 50, sndNxt: 50}}, ack{rtt: 10_000, now: 20_000, seq: 49, sndNxt: 90}, model.WithinRTT, 0, bdp, 1, 10_000},
		{"a mark ahead of snd_nxt heals", []ack{{rtt: 20_000, seq: 50, sndNxt: 50}}, ack{rtt: 20_000, now: 20_000, seq: 9, sndNxt: 49}, model.Updated, 1, bdp, 1, 20_000},
		{"T5: no time has passed", []ack{{rtt: 20_000, now: 7}}, ack{rtt: 30_000, now: 7}, model.WithinRTT, 0, bdp, 1, 20_000},
		{"T6: θ̇ + 1 at its floor", []ack{{rtt: 28_000}}, ack{rtt: 8000, now: 20_000}, model.Updated, 0.5, bdp, 0.5, 8000},
		{"weight dt/τ", []ack{{rtt: 20_000}}, ack{rtt: 30_000, now: 10_000}, model.Updated, 3, 0.1*bdp + 0.9*(bdp/2+543), 2, 20_000},
		{"time wraps", []ack{{rtt: 20_000, now: 1<<32 - 1}}, ack{rtt: 30_000, now: 19_999}, model.Updated, 2.25, 0.1*bdp + 0.9*(bdp/2.25+543), 2.25, 20_000},
		{"T7: another path begins anew and keeps power and window", []ack{{rtt: 20_000}, {rtt: 30_000, now: 20_000}}, ack{rtt: 25_000, now: 40_000, path: 1}, model.Changed, 0, 0.1*bdp + 0.9*(bdp/2.25+543), 2.25, 25_000},
		{"T8: no sample", []ack{{rtt: 20_000}, {rtt: 30_000, now: 20_000}}, ack{now: 40_000}, model.NoSample, 0, 0.1*bdp + 0.9*(bdp/2.25+543), 2.25, 20_000},
		{"cwnd_old follows with each update", []ack{{rtt: 20_000}, {rtt: 20_000, now: 20_000}, {rtt: 40_000, now: 60_000}}, ack{rtt: 40_000, now: 80_000},
			model.Updated, 2, 0.1*(0.1*bdp+0.9*(bdp/3+543)) + 0.9*((0.1*bdp+0.9*(bdp/3+543))/2+543), 2, 20_000},
		{"from telemetry to round-trip times: window and power stay", []ack{{hops: []hop{{}}}, {hops: []hop{{0, 2 * full, long, 0}}}}, ack{rtt: 20_000}, model.Changed, 0, halved, 2, 20_000},
		{"and back", []ack{{rtt: 20_000}, {rtt: 30_000, now: 20_000}}, ack{hops: []hop{{}}}, model.Changed, 0, 0.1*bdp + 0.9*(bdp/2.25+543), 2.25, tau},
		{"illegal", nil, ack{conn: 256, rtt: 20_000}, model.Illegal, 0, 0, 0, keep},
	} {
		t.Run(c.name, func(t *testing.T) {
			onPage(t, pageConfigs[2:], func(t *testing.T, d *device) {
				for _, a := range c.before {
					d.ack(a)
				}
				a := d.ack(c.ack)
				says(t, "ACK", a, c.cause, c.window, c.power)
				near(t, "norm", a.norm, c.norm)
				if !math.IsNaN(c.base) {
					near(t, "rate", a.rate, a.window/c.base)
				}
			})
		})
	}
}

// theta_update=ack: power and window follow each ACK, cwnd_old once a round trip. The
// third ACK shows which cwnd_old the second left.
func TestPageThetaEveryAck(t *testing.T) {
	after := func(window, old, power float64) float64 { return 0.1*window + 0.9*(old/power+543) }
	first := after(bdp, bdp, 2.25)     // the RTT rises from τ to 1.5 τ in τ, then it stays
	second := after(first, first, 1.5) // within the round trip
	third := after(second, first, 1.5) // at its end
	onPage(t, []string{"variant=theta theta_update=ack", "variant=both theta_update=ack"}, func(t *testing.T, d *device) {
		d.ack(ack{conn: 4, rtt: 20_000, sndNxt: 50})
		says(t, "at the mark", d.ack(ack{conn: 4, rtt: 30_000, now: 20_000, seq: 0, sndNxt: 50}), model.Updated, first, 2.25)
		says(t, "within the round trip", d.ack(ack{conn: 4, rtt: 30_000, now: 40_000, seq: 49, sndNxt: 90}), model.Updated, second, 1.5)
		says(t, "at the same time", d.ack(ack{conn: 4, rtt: 40_000, now: 40_000, seq: 49, sndNxt: 90}), model.WithinRTT, second, 1.5)
		says(t, "at its end", d.ack(ack{conn: 4, rtt: 30_000, now: 60_000, seq: 50, sndNxt: 90}), model.Updated, third, 1.5)
		says(t, "after it", d.ack(ack{conn: 4, rtt: 30_000, now: 80_000, seq: 60, sndNxt: 90}), model.Updated, after(third, third, 1.5), 1.5)
	})
}
