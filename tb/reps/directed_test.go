// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"flag"
	"fmt"
	"maps"
	"math/bits"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/reps"
)

// device is the RTL, driven one cycle at a time.
type device struct {
	t    testing.TB
	p    *params.Params
	m    *cosim.Sim
	last map[string]uint64 // levels shown before this cycle
	show []string          // the outputs of the cycles since the last command
	at   int               // cycle since the last command
	evs  []string          // the answers
}

// open powers the RTL of a configuration up, resets it, and waits until it is ready.
func open(t testing.TB, p *params.Params) *device {
	t.Helper()
	m := suite.Open(t, p)
	d := &device{t: t, p: p, m: m}
	d.settings()
	m.Set("rst", 1)
	m.Step(2)
	m.Set("rst", 0)
	m.Step(int(2*p.Rows()) + 2)
	if m.Get("sts_ready") != 1 {
		t.Fatalf("not ready %d cycles after the reset: %v", 2*p.Rows()+2, m.Err())
	}
	d.last = d.levels()
	return d
}

// settings drives the cfg_ ports with the configuration's run-time settings.
func (d *device) settings() {
	p := d.p
	mode := map[string]uint64{"reps": 0, "ops": 1, "ecmp": 2}[p.Mode]
	d.m.Set("cfg_mode", mode*0x5555&(1<<(2*p.NICPorts)-1))
	d.m.Set("cfg_freezing", map[bool]uint64{true: 1}[p.Freezing])
	d.m.Set("cfg_freezing_timeout_ns", uint64(p.FreezingTimeoutNS))
	d.m.Set("cfg_num_pkts_cwnd", uint64(p.NumPktsCwnd))
	d.m.Set("cfg_ev_base", uint64(p.EVBase))
}

// sources are the words for m_ev_source.
var sources = []string{"cached", "frozen", "explored", "oblivious", "fixed", "none"}

// levels reads the outputs that keep their value.
func (d *device) levels() map[string]uint64 {
	v := map[string]uint64{}
	for _, name := range params.CounterNames {
		v["sts_"+name+"_cnt"] = d.m.Get("sts_" + name + "_cnt")
	}
	v["sts_seeded"] = d.m.Get("sts_seeded")
	return v
}

// cycle lets one cycle pass with the inputs as they are, and notes what it showed.
func (d *device) cycle(notes ...string) {
	m := d.m
	for _, pulse := range []string{"evt_freeze", "evt_thaw", "evt_illegal"} {
		if m.Get(pulse) == 1 {
			notes = append(notes, pulse)
		}
	}
	levels := d.levels()
	for _, k := range slices.Sorted(maps.Keys(levels)) {
		if levels[k] != d.last[k] {
			notes = append(notes, fmt.Sprintf("%s %d", k, levels[k]))
		}
	}
	d.last = levels
	if m.Get("m_ev_valid") == 1 {
		src := sources[m.Get("m_ev_source")]
		notes = append(notes, fmt.Sprintf("m_ev %d %s", m.Get("m_ev"), src))
		ev := "R"
		if src != "explored" {
			ev = fmt.Sprint(m.Get("m_ev"))
		}
		d.evs = append(d.evs, ev)
	}
	if len(notes) > 0 {
		d.show = append(d.show, fmt.Sprintf("%d: %s", d.at, strings.Join(notes, ", ")))
	}
	m.Step(1)
	if err := m.Err(); err != nil {
		d.t.Fatal(err)
	}
	d.at++
}

// events are the ports of each word: those that it sets to 1, and those that take
// its arguments.
var events = map[string]struct{ valid, args []string }{
	"ack":   {[]string{"s_ack_valid"}, []string{"s_ack_conn", "s_ack_ev", "s_ack_port"}},
	"carry": {[]string{"s_ack_valid"}, []string{"s_ack_conn", "s_ack_count", "s_ack_ev"}},
	"ecn":   {nil, nil}, // of an ack: see do
	"fail":  {[]string{"s_fail_valid"}, []string{"s_fail_conn", "s_fail_port"}},
	"flush": {[]string{"s_flush_valid"}, []string{"s_flush_conn", "s_flush_port"}},
	"send":  {[]string{"s_send_valid"}, []string{"s_send_conn", "s_send_port"}},
	"word":  {[]string{"s_send_inject"}, []string{"s_send_random"}},
	"seed":  {[]string{"s_seed_valid"}, []string{"s_seed_word"}},
	"reset": {[]string{"rst"}, nil},
}

// do performs one line of a scenario: the events of one cycle, separated by commas,
// or of several equal ones.
//
//	ack CONN EV [PORT] [ecn]  an ACK
//	carry CONN N EV…       a coalesced ACK that says it has N EVs; ecn before an EV marks it
//	fail CONN [PORT]       a failure
//	flush CONN [PORT]      a flush request, for this cycle only
//	send CONN [PORT]       a packet
//	word W                 the random word for the packet of this cycle
//	seed W                 a word for the generator
//	reset                  a cycle of reset
//	t=NS                   the time, from now on
//	cfg_PORT=V             a setting, from now on
//	idle                   nothing
//	… xN                   the same N times
func (d *device) do(line string) {
	n := 1
	if i := strings.LastIndex(line, " x"); i >= 0 {
		var err error
		if n, err = strconv.Atoi(line[i+2:]); err != nil {
			d.t.Fatalf("%q: %v", line, err)
		}
		line = line[:i]
	}
	var used []string
	set := func(port string, v uint64) {
		d.m.Set(port, v)
		used = append(used, port)
	}
	pause := strings.HasPrefix(line, "t=") || strings.HasPrefix(line, "cfg_")
	flush := false
	for _, e := range strings.Split(line, ",") {
		w := strings.Fields(e)
		if key, value, ok := strings.Cut(w[0], "="); ok {
			if key == "t" {
				key = "now_ns"
			}
			d.m.Set(key, d.number(value))
			continue
		}
		pause = false
		if w[0] == "idle" {
			continue
		}
		ports, ok := events[w[0]]
		if !ok {
			d.t.Fatalf("%q: unknown word %q", line, w[0])
		}
		flush = flush || w[0] == "flush"
		for _, p := range ports.valid {
			set(p, 1)
		}
		if w[0] == "carry" {
			set("s_ack_conn", d.number(w[1]))
			set("s_ack_count", d.number(w[2]))
			d.carry(w[3:])
			used = append(used, "s_ack_ev", "s_ack_ecn")
			continue
		}
		if w[0] == "ack" {
			mark := uint64(0)
			if w[len(w)-1] == "ecn" {
				mark, w = 1, w[:len(w)-1]
			}
			set("s_ack_ecn", mark)
		}
		if len(w)-1 > len(ports.args) {
			d.t.Fatalf("%q: %s has at most the arguments %v", line, w[0], ports.args)
		}
		for i, a := range w[1:] {
			set(ports.args[i], d.number(a))
		}
	}
	if pause {
		return // only a setting: no cycle passes
	}
	for range n {
		var notes []string
		if flush {
			notes = append(notes, map[uint64]string{0: "flush waits", 1: "flush taken"}[d.m.Get("s_flush_ready")])
		}
		if d.p.Coalescing == params.Carry && d.m.Get("s_ack_valid") == 1 && d.m.Get("s_ack_ready") == 0 {
			notes = append(notes, "ACK waits")
		}
		d.cycle(notes...)
	}
	for _, p := range used {
		d.m.Set(p, 0)
	}
}

// carry sets the EVs of a coalesced ACK.
func (d *device) carry(words []string) {
	var evs []uint64
	var marks uint64
	i := 0
	for _, w := range words {
		if w == "ecn" {
			marks |= 1 << i
			continue
		}
		if i%4 == 0 {
			evs = append(evs, 0)
		}
		evs[i/4] |= d.number(w) << (16 * (i % 4))
		i++
	}
	d.m.SetWide("s_ack_ev", evs...)
	d.m.Set("s_ack_ecn", marks)
}

func (d *device) number(s string) uint64 {
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		d.t.Fatalf("number %q: %v", s, err)
	}
	return n
}

// scenario runs the commands of a file. A file opens a configuration and plays events;
// "evs" shows the answers of its SENDs, R for a random one, and "cycles" all that the
// outputs showed, by the cycle since the command began. After the last line of a
// command six idle cycles pass.
func scenario(t *testing.T, file string) {
	if benchtest.Updating() {
		if err := flag.Set("rewrite", "true"); err != nil {
			t.Fatal(err)
		}
	}
	var d *device
	datadriven.RunTest(t, file, func(t *testing.T, c *datadriven.TestData) string {
		if c.Cmd == "open" {
			d = open(t, suite.Configure(t, strings.ReplaceAll(c.Input, "\n", " ")))
			return "ready\n"
		}
		if d == nil {
			c.Fatalf(t, "no configuration is open")
		}
		d.t, d.at, d.show, d.evs = t, 0, nil, nil
		for line := range strings.Lines(c.Input) {
			d.do(strings.TrimSpace(line))
		}
		for range d.p.SendLatency() + 1 {
			d.cycle()
		}
		switch c.Cmd {
		case "evs":
			return strings.Join(d.evs, " ") + "\n"
		case "cycles":
			return strings.Join(d.show, "\n") + "\n"
		}
		c.Fatalf(t, "unknown command %s, want open, evs or cycles", c.Cmd)
		return ""
	})
}

// The vectors V1 to V6 of the unit's page, through the RTL.
func TestVectorsRTL(t *testing.T) { scenario(t, "testdata/vectors.txt") }

// Text scenarios: order within a cycle, flush, ports and settings, ACK coalescing.
func TestDirected(t *testing.T) {
	datadriven.Walk(t, "testdata/directed", scenario)
}

// causes is, for each output with a latency, an event that makes it show itself.
var causes = map[string]string{
	"m_ev_valid": "send 0", "m_ev": "send 0, word 9", "m_ev_source": "send 0, cfg_mode=2",
	"evt_freeze": "fail 0", "evt_thaw": "ack 0 5", "evt_illegal": "send 3",
	"sts_ack_cnt": "ack 0 5", "sts_ecn_cnt": "ack 0 5 ecn", "sts_fail_cnt": "fail 0", "sts_send_cnt": "send 0",
	"sts_flush_cnt": "flush 0", "sts_freeze_cnt": "fail 0", "sts_thaw_cnt": "ack 0 5",
	"sts_illegal_conn_cnt": "fail 3", "sts_illegal_ev_cnt": "ack 0 999", "sts_seeded": "seed 1", "sts_not_ready_cnt": "fail 0",
}

var latency = regexp.MustCompile(`^(\w+) \+ (\d+) cycles$`)

// Every latency of the interface table is what the RTL takes, to the cycle, in each
// kind of memory.
func TestLatency(t *testing.T) {
	for _, set := range []string{inLUTRAM, inBRAM, inLUTRAM + " ram_latency=1", inBRAM + " ram_latency=1"} {
		p := suite.Configure(t, set+" evs_bits=8 freezing_timeout_ns=0 num_pkts_cwnd=0")
		seen := 0
		for _, port := range p.Ports() {
			m := latency.FindStringSubmatch(port.Timing)
			if port.Dir != gen.Out || m == nil {
				continue
			}
			seen++
			want, _ := strconv.Atoi(m[2])
			if port.Group == "EV of a packet" && want != p.Latency()["SEND to EV"] {
				t.Errorf("%s: latency %d in the table, %d in Latency", port.Name, want, p.Latency()["SEND to EV"])
			}
			cause := causes[port.Name]
			if cause == "" {
				t.Errorf("output %s has a latency that is not tested", port.Name)
				continue
			}
			d := open(t, p)
			if strings.Contains(port.Name, "thaw") {
				d.do("fail 0")
				d.do("idle x8")
				d.do("t=1")
			}
			if strings.Contains(port.Name, "not_ready") {
				d.do("reset")
				d.do("idle x2")
			}
			before := d.m.Get(port.Name)
			d.do(cause) // cycle 0
			n := 1
			for ; n < 20 && d.m.Get(port.Name) == before; n++ {
				d.cycle()
			}
			if n != want {
				t.Errorf("%s changes %d cycles after %q, want %d as its %q says", port.Name, n, cause, want, port.Timing)
			}
		}
		if seen < len(causes) {
			t.Errorf("%d outputs have a latency, want %d", seen, len(causes))
		}
	}
}

// Every bit of the counter of connections that do not exist, and its wrap: random traffic
// names too few of them from one reset to the next.
func TestIllegalCounter(t *testing.T) {
	const port = "sts_illegal_conn_cnt"
	for _, set := range []string{inLUTRAM, inBRAM, reused, carried} {
		d := open(t, suite.Configure(t, set+" counter_bits=8"))
		before := d.m.Get(port)
		for n := range uint64(300) {
			d.do("fail 3")
			d.do("idle x4")
			if got, want := d.m.Get(port), (before+n+1)&255; got != want {
				t.Fatalf("%s: %s is %d after %d failures of a connection that does not exist, want %d", set, port, got, n+1, want)
			}
		}
	}
}

// sts_ready rises two cycles for each connection on each NIC port, those rounded up to a
// power of two, and two after the last cycle of reset.
func TestReadyAfterReset(t *testing.T) {
	for _, c := range [][2]int{{1, 1}, {2, 1}, {3, 1}, {5, 1}, {64, 1}, {1, 2}, {3, 3}, {5, 8}} {
		n := c[0] << bits.Len(uint(c[1]-1))
		b := reps.Unit.Bench(suite.Configure(t, fmt.Sprintf("connections=%d nic_ports=%d", c[0], c[1])))
		if err := b.Prepare(); err != nil {
			t.Fatal(err)
		}
		m, err := cosim.Open(t.Context(), b.Source())
		if err != nil {
			t.Fatal(err)
		}
		m.Set("rst", 1)
		m.Step(1)
		m.Set("rst", 0)
		for i := 1; i <= 2*n+2; i++ {
			if got, want := m.Get("sts_ready") == 1, i == 2*n+2; got != want {
				t.Errorf("%d connections on all ports: ready is %t %d cycles after the reset, want %t", n, got, i, want)
			}
			m.Step(1)
		}
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	}
}

// The generator follows its recurrence, bit by bit, from the words that were loaded.
func TestRandomStream(t *testing.T) {
	d := open(t, suite.Configure(t, inLUTRAM))
	rng := rand.New(rand.NewPCG(1, 2))
	var b []uint8 // all bits drawn so far, the oldest first
	put := func(w uint16) {
		for i := 15; i >= 0; i-- {
			b = append(b, uint8(w>>i&1))
		}
	}
	for range 8 {
		w := uint16(rng.Uint32())
		d.do(fmt.Sprintf("seed %d", w))
		put(w | 1)
	}
	var want []string
	for range 1000 {
		var w uint16
		for range 16 {
			n := len(b)
			x := b[n-28] ^ b[n-61] ^ b[n-93] ^ b[n-127]
			b = append(b, x)
			w = w<<1 | uint16(x)
		}
		want = append(want, fmt.Sprintf("%d explored", w))
	}
	d.show = nil
	d.do("send 2 x1000") // its ring was never written
	d.do("idle x8")
	got := regexp.MustCompile(`m_ev (\d+ \w+)`).FindAllStringSubmatch(strings.Join(d.show, "\n"), -1)
	if len(got) != len(want) {
		t.Fatalf("%d answers, want %d", len(got), len(want))
	}
	for i := range got {
		if got[i][1] != want[i] {
			t.Fatalf("word %d is %s, want %s", i, got[i][1], want[i])
		}
	}
}

// resets puts resets into the ordinary stimulus at any moment, also while the
// connections are still being emptied.
type resets struct{ *bench.Bench[*params.Params] }

type resetStimulus struct {
	cosim.Stimulus
	rst  cosim.Slot
	rng  *rand.Rand
	left int // cycles of reset still to come
}

func (r *resets) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s, err := r.Bench.NewStimulus(l, seed)
	return &resetStimulus{Stimulus: s, rst: l.MustSlot("rst"), rng: rand.New(rand.NewPCG(seed, 3))}, err
}

func (s *resetStimulus) Next(in []uint64) {
	s.Stimulus.Next(in)
	if s.left > 0 {
		s.left--
		s.rst.Set(in, 1)
	} else if s.rng.IntN(150) == 0 {
		s.left = s.rng.IntN(4)
		s.rst.Set(in, 1)
	}
}

func (r *resets) Points() []cosim.Point {
	list := r.Bench.Points()
	for i := range list {
		list[i].Required = list[i].Name == "reset" || list[i].Name == "not_ready"
	}
	return list
}

// Reset in mid-traffic, from random contents of all registers and memories.
func TestResetInTraffic(t *testing.T) {
	for _, set := range []string{inLUTRAM, inBRAM, reused, carried} {
		for seed := range uint64(10) {
			b := &resets{reps.Unit.Bench(suite.Configure(t, set))}
			if err := b.Prepare(); err != nil {
				t.Fatal(err)
			}
			r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: "reps", Seed: seed, Cycles: 20_000})
			if err != nil {
				t.Fatal(err)
			}
			if !r.OK() {
				t.Errorf("%s, seed %d: %s", set, seed, benchtest.Summary(r))
			}
			if n := r.Coverage["reset"]; n < 50 {
				t.Errorf("%s, seed %d: %d resets in traffic, want many", set, seed, n)
			}
		}
	}
}
