// SPDX-License-Identifier: Apache-2.0

package lapsloss_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	model "github.com/nicgen/nicgen/model/laps_loss"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// wide is a configuration with many paths and rings of many rows.
const wide = "paths=1024 pid_bits=10 depth=64 lanes=8"

// page is the page with the vectors.
const page = "../../docs/units/laps_loss.md"

// device is the target of a vector: the model or the RTL. Each call returns its result in
// words.
type device interface {
	rtoMin(ns uint64)
	send(path uint32, s model.Segment, latency, now uint64) string
	ack(path uint32, s model.Segment, latency, now uint64) string
	checkTimers(now uint64) string // at every timer
}

// play runs a script: events one after the other, separated by semicolons, of words
//
//	t=N      the time becomes N ns; l=N: latencies from now on, ns; rto=N: the least timeout
//	send S   segment S, a sequence number or flow:sequence number, of path 0; send@P S: of path P
//	ack S    an ACK of it, likewise
//	timers   each of them is checked
func play(t *testing.T, d device, script string) string {
	t.Helper()
	number := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", script, err)
		}
		return n
	}
	var now, latency uint64
	var out []string
	for _, e := range strings.Split(script, ";") {
		words := strings.Fields(e)
		for i := 0; i < len(words); i++ {
			name, value, set := strings.Cut(words[i], "=")
			what, at, other := strings.Cut(words[i], "@")
			path := uint32(0)
			if other {
				path = uint32(number(at))
			}
			var s model.Segment
			if (what == "send" || what == "ack") && i+1 < len(words) {
				i++
				flow, seq, two := strings.Cut(words[i], ":")
				if !two {
					flow, seq = "0", flow
				}
				s = model.Segment{Flow: uint32(number(flow)), Seq: number(seq)}
			}
			switch {
			case set && name == "t":
				now = number(value)
			case set && name == "l":
				latency = number(value)
			case set && name == "rto":
				d.rtoMin(number(value))
			case what == "send":
				out = append(out, d.send(path, s, latency, now))
			case what == "ack":
				out = append(out, d.ack(path, s, latency, now))
			case what == "timers":
				out = append(out, d.checkTimers(now))
			default:
				t.Fatalf("%q: unknown word %q", script, words[i])
			}
		}
	}
	return strings.Join(strings.Fields(strings.Join(out, " ")), " ")
}

// words returns a result in words, with the segments that were found lost.
func words(what string, lost []model.Segment) string {
	for _, s := range lost {
		what += " -" + s.String()
	}
	return what
}

func storedWord(stored bool) string {
	if stored {
		return "stored"
	}
	return "untracked"
}

// gold runs vectors on the model.
type gold struct {
	m     *model.Detector
	paths uint32
}

func (g *gold) rtoMin(ns uint64) { g.m.RTOMin = ns }

func (g *gold) send(path uint32, s model.Segment, latency, now uint64) string {
	return storedWord(g.m.Send(path, s, latency, now))
}

func (g *gold) ack(path uint32, s model.Segment, latency, now uint64) string {
	c, lost := g.m.Ack(path, s, latency, now)
	return words(c.String(), lost)
}

func (g *gold) checkTimers(now uint64) (out string) {
	for path := range g.paths {
		out += words("", g.m.Expire(path, now))
	}
	return out
}

// rtl runs vectors on the SystemVerilog, one event at a time.
type rtl struct {
	t *testing.T
	s *cosim.Sim
	p *params.Params
}

// open powers the RTL up and waits until it is ready.
func open(t *testing.T, p *params.Params) *rtl {
	t.Helper()
	s := suite.Open(t, p)
	s.Set("rst", 1)
	s.Step(1)
	s.Set("rst", 0)
	s.Set("cfg_rto_min_ns", uint64(p.RTOMinNS))
	s.Set("m_lost_ready", 1)
	s.Step(int(p.Paths+p.ReadyDelay()) + 1)
	if s.Get("sts_ready") != 1 {
		t.Fatalf("not ready after reset: %v", s.Err())
	}
	return &rtl{t, s, p}
}

func (r *rtl) rtoMin(ns uint64) { r.s.Set("cfg_rto_min_ns", ns) }

func (r *rtl) put(port string, path uint32, s model.Segment, latency, now uint64) {
	r.s.Set("now_ns", now)
	r.s.Set("s_"+port+"_valid", 1)
	r.s.Set("s_"+port+"_pid", uint64(path))
	r.s.Set("s_"+port+"_flow", uint64(s.Flow))
	r.s.Set("s_"+port+"_seq", s.Seq)
	r.s.Set("s_"+port+"_latency_ns", latency)
	r.s.Step(1)
	r.s.Set("s_"+port+"_valid", 0)
}

func (r *rtl) lost() model.Segment {
	return model.Segment{Flow: uint32(r.s.Get("m_lost_flow")), Seq: r.s.Get("m_lost_seq")}
}

func (r *rtl) send(path uint32, s model.Segment, latency, now uint64) string {
	r.put("send", path, s, latency, now)
	r.s.Step(r.p.SendLatency() - 1)
	if r.s.Get("m_send_valid") != 1 {
		r.t.Error("a send is not answered")
	}
	return storedWord(r.s.Get("m_send_stored") == 1)
}

func (r *rtl) ack(path uint32, s model.Segment, latency, now uint64) string {
	r.put("ack", path, s, latency, now)
	var lost []model.Segment
	for range r.p.Slots() * (r.p.MaxPasses() + int(r.p.Depth) + 3) {
		if r.s.Get("m_lost_valid") == 1 {
			if r.s.Get("m_lost_timeout") == 1 {
				r.t.Error("a skipped segment is said to be lost with a timer")
			}
			lost = append(lost, r.lost())
		}
		if r.s.Get("m_ack_valid") == 1 {
			cause := model.Cause(r.s.Get("m_ack_cause")).String()
			r.s.Step(2) // room is free, and the last of the lost is taken
			return words(cause, lost)
		}
		r.s.Step(1)
	}
	r.t.Error("an ACK is not answered")
	return ""
}

func (r *rtl) checkTimers(now uint64) string {
	r.s.Set("now_ns", now)
	var lost []model.Segment
	for range int(r.p.Paths) * r.p.Slots() * (int(r.p.Depth) + 4) {
		if r.s.Get("m_lost_valid") == 1 {
			if r.s.Get("m_lost_timeout") == 0 {
				r.t.Error("a segment that is lost with a timer is said to be skipped")
			}
			lost = append(lost, r.lost())
		}
		r.s.Step(1)
	}
	return words("", lost)
}

// The vectors of the page, on the model and on the RTL. LV5 is among them.
func TestVectors(t *testing.T) {
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	n, lv5 := 0, false
	for _, l := range strings.Split(string(text), "\n") {
		c := strings.Split(l, "|")
		if len(c) != 6 || !strings.HasPrefix(c[1], " V") && !strings.HasPrefix(c[1], " LV") {
			continue
		}
		n++
		name, script, want := strings.TrimSpace(c[1]), strings.Trim(c[2], " `"), strings.Trim(c[3], " `")
		lv5 = lv5 || name == "LV5"
		t.Run(name, func(t *testing.T) {
			p := suite.Configure(t, "paths=2 pid_bits=2 depth=4 lanes=2 time_bits=16 lat_bits=8 rto_min_ns=100")
			for kind, d := range map[string]device{"model": &gold{model.New(p), 2}, "RTL": open(t, p)} {
				if got := play(t, d, script); got != want {
					t.Errorf("%s: %s: %s, want %s", kind, script, got, want)
				}
			}
		})
	}
	if n < 12 || !lv5 {
		t.Errorf("%s has %d vectors, LV5 among them: %t; want at least 12 and LV5", page, n, lv5)
	}
}

// Answers come after their causes by a number of cycles within the bounds of the tables.
func TestLatency(t *testing.T) {
	p := suite.Configure(t, wide)
	r := open(t, p)
	seg := func(q int) model.Segment { return model.Segment{Seq: uint64(q)} }
	// until counts the cycles from an ACK, put now, to an output, waiting for the timer check
	// at a timer that is in the way to be over.
	until := func(port string, s model.Segment) int {
		r.put("ack", 3, s, 0, 0)
		for n := 1; n < 1000; n++ {
			if r.s.Get(port) == 1 {
				return n
			}
			r.s.Step(1)
		}
		t.Fatalf("%s stays low", port)
		return 0
	}
	fill := func(n int) { // segments 0 to n-1
		for q := range n {
			r.send(3, seg(q), 0, 0)
		}
	}
	lat := p.Latency()
	for _, c := range []struct {
		name string
		do   func() int
	}{
		{"send to answer", func() int {
			r.put("send", 3, seg(0), 0, 0)
			n := 1
			for ; r.s.Get("m_send_valid") == 0 && n < 100; n++ {
				r.s.Step(1)
			}
			return n
		}},
		{"ACK in order to answer", func() int { return until("m_ack_valid", seg(0)) }},
		// The ring begins in lane 1 and is full: all eight rows are searched, and the first again.
		{"ignored ACK to answer (most)", func() int { fill(64); return until("m_ack_valid", seg(99)) }},
		{"skipping ACK to its first lost segment (most)", func() int { return until("m_lost_valid", seg(63)) }},
	} {
		if got, want := c.do(), lat[c.name]; got != want {
			t.Errorf("%s: %d cycles, want %d", c.name, got, want)
		}
	}
	r.s.Step(r.p.Slots() * 80)
	// Two ACKs in order in a row, and two segments lost in a row.
	gap := func(port string) int {
		at := -1
		for n := range 1000 {
			if r.s.Get(port) == 1 {
				if at >= 0 {
					return n - at
				}
				at = n
			}
			r.s.Step(1)
		}
		return 0
	}
	fill(8)
	r.put("ack", 3, seg(0), 0, 0)
	r.put("ack", 3, seg(1), 0, 0)
	if got, want := gap("m_ack_valid"), lat["one ACK in order to the next on its path"]; got != want {
		t.Errorf("two ACKs of a path are answered %d cycles apart, want %d", got, want)
	}
	r.put("ack", 3, seg(6), 0, 0)
	if got, want := gap("m_lost_valid"), lat["one lost segment of a path to the next"]; got != want {
		t.Errorf("two lost segments of a path come %d cycles apart, want %d", got, want)
	}
}

// The unit is ready as many cycles after a reset as the table of ports says.
func TestReadyAfterReset(t *testing.T) {
	for _, set := range []string{small, medium, wide} {
		r := open(t, suite.Configure(t, set))
		n := r.p.Paths
		r.s.Set("rst", 1)
		r.s.Step(1)
		r.s.Set("rst", 0)
		for cycle := int64(1); cycle <= n+6; cycle++ {
			if got, want := r.s.Get("sts_ready") == 1, cycle >= n+r.p.ReadyDelay()+1; got != want {
				t.Errorf("%d paths: sts_ready is %t %d cycles after rst, want %t", n, got, cycle, want)
			}
			r.s.Step(1)
		}
	}
}

// A timer is acted on within the bound of the page, although ACKs that search full rings in
// vain are offered in every cycle, for other paths and for the same one.
func TestTimerLateness(t *testing.T) {
	p := suite.Configure(t, "paths=32 pid_bits=5 depth=16 lanes=2 rto_min_ns=1000 time_bits=32")
	r := open(t, p)
	for path := range uint32(32) {
		for q := range 16 {
			r.send(path, model.Segment{Seq: uint64(q)}, 0, 0)
		}
	}
	bound := p.MostLate(32)
	rng := rand.New(rand.NewPCG(1, 1))
	r.s.Set("now_ns", 1001) // every timer has expired
	r.s.Set("s_ack_valid", 1)
	r.s.Set("s_ack_seq", 99)
	reported, seen := 0, map[uint64]bool{}
	cycle := 0
	for ; len(seen) < 32 && cycle < 2*(bound+r.p.Slots()*16*32); cycle++ {
		r.s.Set("s_ack_pid", rng.Uint64N(32))
		r.s.Step(1)
		if r.s.Get("m_lost_valid") == 1 {
			reported++
			seen[r.s.Get("m_lost_pid")] = true
		}
	}
	if most := bound + r.p.Slots()*reported; cycle > most || len(seen) < 32 {
		t.Errorf("the last of %d timers was acted on after %d cycles, want all 32 after at most %d + %d × %d segments", len(seen), cycle, bound, r.p.Slots(), reported)
	}
	t.Logf("%d cycles of at most %d", cycle, bound+r.p.Slots()*reported)
}

// load is traffic for the table of throughput: every ACK is of a segment that was sent
// some time before.
type load struct {
	name  string
	paths int     // in use, chosen at random
	round bool    // or in turn
	skew  bool    // or path k as often as 1 ÷ (k + 1)
	lose  int     // one of this number of segments is not acknowledged; 0: none
	late  int     // one of this number of ACKs comes a second time; 0: none
	least float64 // ACKs a cycle
}

var loads = []load{
	{name: "one path", paths: 1, least: 1},
	{name: "2 paths in turn", paths: 2, round: true, least: 1},
	{name: "8 paths in turn", paths: 8, round: true, least: 1},
	{name: "8 paths at random", paths: 8, least: 1},
	{name: "64 paths at random", paths: 64, least: 1},
	{name: "1,024 paths in turn", paths: 1024, round: true, least: 1},
	{name: "1,024 paths at random", paths: 1024, least: 1},
	{name: "64 paths, skewed", paths: 64, skew: true, least: 1},
	{name: "one path, 1 segment in 1,000 lost", paths: 1, lose: 1000, least: 0.96},
	{name: "one path, 1 segment in 100 lost", paths: 1, lose: 100, least: 0.75},
	{name: "64 paths, skewed, 1 segment in 100 lost", paths: 64, skew: true, lose: 100, least: 0.85},
	{name: "64 paths at random, 1 segment in 100 lost", paths: 64, lose: 100, least: 0.95},
	{name: "1,024 paths at random, 1 segment in 100 lost", paths: 1024, lose: 100, least: 0.95},
	{name: "one path, 1 ACK in 10 twice", paths: 1, late: 10, least: 0.15},
	{name: "64 paths at random, 1 ACK in 10 twice", paths: 64, late: 10, least: 0.85},
	{name: "64 paths at random, every ACK twice", paths: 64, late: 1, least: 0.5},
}

// The number of ACKs taken per cycle, with a send in every cycle in which less than a
// window is in flight: in order, one in each cycle for any paths. The table is
// docs/units/laps_loss_throughput.md.
func TestThroughput(t *testing.T) {
	const cycles, window = 20_000, 512
	rows := make([]string, len(loads))
	t.Run("loads", func(t *testing.T) {
		for i, l := range loads {
			t.Run(l.name, func(t *testing.T) {
				t.Parallel()
				taken, sent, lost := offer(open(t, suite.Configure(t, wide)), l, cycles, window)
				rate := float64(taken) / cycles
				if rate < l.least {
					t.Errorf("%.3f ACKs a cycle, want at least %g", rate, l.least)
				}
				if (lost > 0) != (l.lose > 0) {
					t.Errorf("%d segments lost", lost)
				}
				rows[i] = fmt.Sprintf("| %s | %.3f | %.3f | %.0f |\n", l.name, float64(sent)/cycles, rate, rate*322)
			})
		}
	})
	if t.Failed() {
		return
	}
	suite.Page(t, "throughput", "# ACK throughput of the loss detector\n\n"+
		"ACKs accepted by [the loss detector of LAPS](laps_loss.md) with 1,024 paths of 64 segments and 8 lanes. An ACK is offered in\n"+
		"every cycle, and a segment is sent in every cycle in which fewer than 512 segments are in flight, and fewer than 40 on its\n"+
		"path. At 100 Gb/s there are at most 148.8 million packets a second. A lost segment is not acknowledged; a duplicate ACK\n"+
		"comes right behind the first, and its search finds nothing.\n\n"+
		"Written by `go test ./tb/laps_loss -run TestThroughput -update`, which also checks it: the RTL is co-simulated.\n\n"+
		"| traffic | sends a cycle | ACKs a cycle | million ACKs a second at 322 MHz |\n|---|---:|---:|---:|\n"+strings.Join(rows, ""))
}

// offer returns the numbers of ACKs taken and segments sent in a number of cycles in steady
// state, and the number of segments found lost.
func offer(r *rtl, l load, cycles, window int) (taken, sent, lost int) {
	type ack struct {
		path uint64
		seq  uint64
	}
	const start = 300
	s, rng := r.s, rand.New(rand.NewPCG(7, 7))
	var way []ack
	seq, on := uint64(0), make([]int, l.paths)
	var share []float64 // of the paths up to each
	for k := range l.paths {
		share = append(share, 1/float64(k+1))
		if k > 0 {
			share[k] += share[k-1]
		}
	}
	s.Set("s_ack_latency_ns", 1000)
	for cycle := range start + cycles {
		path := rng.IntN(l.paths)
		switch {
		case l.round:
			path = int(seq) % l.paths
		case l.skew:
			path = sort.SearchFloat64s(share, rng.Float64()*share[l.paths-1])
		}
		// Up to 40 on a path and 17 in its queue, so that none is untracked.
		send := len(way) < window && on[path] < min(40, window)
		if send {
			s.Set("s_send_pid", uint64(path))
			s.Set("s_send_seq", seq)
			if seq++; l.lose == 0 || rng.IntN(l.lose) > 0 {
				on[path]++
				way = append(way, ack{uint64(path), seq - 1})
				if l.late > 0 && rng.IntN(l.late) == 0 {
					on[path]++
					way = append(way, ack{uint64(path), seq - 1})
				}
			}
		}
		s.Set("s_send_valid", benchtest.Bit(send))
		offer := len(way) > 0 && cycle > 30
		if offer {
			s.Set("s_ack_pid", way[0].path)
			s.Set("s_ack_seq", way[0].seq)
		}
		s.Set("s_ack_valid", benchtest.Bit(offer))
		s.Set("now_ns", uint64(3*cycle))
		took := offer && s.Get("s_ack_ready") == 1
		if took {
			on[way[0].path]--
			way = way[1:]
		}
		s.Step(1)
		if cycle >= start {
			taken += int(benchtest.Bit(took))
			sent += int(benchtest.Bit(send))
		}
		lost += int(s.Get("m_lost_valid"))
	}
	return taken, sent, lost
}
