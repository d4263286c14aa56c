// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"flag"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/cockroachdb/datadriven"

	"github.com/nicgen/nicgen/gen"
	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// causes are the words for m_win_cause.
var causes = []string{"updated", "first", "changed", "no sample", "stale", "within RTT", "illegal"}

// counters reads the event counters.
func (d *device) counters() map[string]uint64 {
	v := map[string]uint64{}
	for _, name := range d.p.CounterNames() {
		v[name] = d.m.Get("sts_" + name + "_cnt")
	}
	return v
}

// play performs a line of a scenario and tells what the unit answered.
//
//	ack CONN [seq=N] [nxt=N] [path=N] [hop=QLEN/TX/TIME/RATE]…   an ACK with telemetry: bytes, bytes, ns, code
//	ack CONN … rtt=NS now=NS                                     an ACK with a round-trip time
//	ack CONN … rtt=NS hop=…                                      an ACK with both, where the base RTT is observed
//	flush CONN                                                   a flush
//	cfg_PORT=V                                                   a setting, from now on
//	rate CODE MBPS                                               an entry of the link-rate table
func (d *device) play(line string) string {
	w := strings.Fields(line)
	before := d.counters()
	answer := "-"
	switch {
	case strings.HasPrefix(w[0], "cfg_"):
		port, value, _ := strings.Cut(w[0], "=")
		d.m.Set(port, d.number(value))
		return ""
	case w[0] == "ack":
		answer = d.played(w)
	case w[0] == "flush":
		d.m.Set("s_flush_valid", 1)
		d.m.Set("s_flush_conn", d.number(w[1]))
		if d.m.Get("s_flush_ready") != 1 {
			d.t.Fatalf("%q must wait", line)
		}
		d.m.Step(1)
		d.m.Set("s_flush_valid", 0)
	case w[0] == "rate":
		d.m.Set("s_rate_valid", 1)
		d.m.Set("s_rate_code", d.number(w[1]))
		q := *d.p
		q.LinkRatesMbps[d.number(w[1])] = int64(d.number(w[2]))
		d.m.Set("s_rate_entry", q.Rate(int(d.number(w[1]))).Entry())
		if d.m.Get("s_rate_ready") != 1 {
			d.t.Fatalf("%q must wait", line)
		}
		d.m.Step(1)
		d.m.Set("s_rate_valid", 0)
	default:
		d.t.Fatalf("%q: unknown word %q", line, w[0])
	}
	d.m.Step(d.p.Distance() + 1)
	after := d.counters()
	for _, name := range d.p.CounterNames() {
		if n := after[name] - before[name]; n != 0 {
			answer += fmt.Sprintf(" +%d %s", n, name)
		}
	}
	if err := d.m.Err(); err != nil {
		d.t.Fatal(err)
	}
	return answer + "\n"
}

// parse reads the words of an ACK.
func (d *device) parse(w []string) ack {
	a := ack{conn: d.number(w[1])}
	for _, f := range w[2:] {
		key, value, _ := strings.Cut(f, "=")
		switch key {
		case "seq":
			a.seq = d.number(value)
		case "nxt":
			a.sndNxt = d.number(value)
		case "path":
			a.path = d.number(value)
		case "rtt":
			a.rtt = d.number(value)
		case "now":
			a.now = d.number(value)
		case "hop":
			v := strings.Split(value, "/")
			if len(v) != 4 {
				d.t.Fatalf("%s: want hop=QLEN/TX/TIME/RATE", f)
			}
			a.hops = append(a.hops, hop{d.number(v[0]), d.number(v[1]), d.number(v[2]), d.number(v[3])})
		default:
			d.t.Fatalf("%s: want seq, nxt, path, rtt, now or hop", f)
		}
	}
	return a
}

// played is the answer to an ACK, in words.
func (d *device) played(w []string) string {
	a := d.parse(w)
	r := d.ack(a)
	s := fmt.Sprintf("%s: window %.2f, rate %.4f, power %.4f", causes[r.cause], r.window, r.rate, r.power)
	if r.cause == model.Updated {
		s += fmt.Sprintf(", norm %.4f", r.norm)
		if d.p.HasINT() && len(a.hops) > 0 {
			s += fmt.Sprintf(" of hop %d", r.hop)
		}
	}
	return s
}

func (d *device) number(s string) uint64 {
	n, err := strconv.ParseUint(s, 0, 64)
	if err != nil {
		d.t.Fatalf("number %q: %v", s, err)
	}
	return n
}

// Text scenarios: what each kind of ACK does, and which counters it raises. A file
// opens a configuration and plays lines; each is answered before the next.
func TestDirected(t *testing.T) {
	if benchtest.Updating() {
		if err := flag.Set("rewrite", "true"); err != nil {
			t.Fatal(err)
		}
	}
	datadriven.Walk(t, "testdata/directed", func(t *testing.T, file string) {
		var d *device
		datadriven.RunTest(t, file, func(t *testing.T, c *datadriven.TestData) string {
			if c.Cmd == "open" {
				d = open(t, suite.Configure(t, strings.ReplaceAll(c.Input, "\n", " ")))
				return "ready\n"
			}
			if c.Cmd != "play" || d == nil {
				c.Fatalf(t, "command %s, want open first, then play", c.Cmd)
			}
			d.t = t
			var b strings.Builder
			for line := range strings.Lines(c.Input) {
				b.WriteString(d.play(line))
			}
			return b.String()
		})
	})
}

// effects are, for each counter, the words of an ACK or a flush that raises it, of
// connection 0 after its first ACK.
var effects = map[string]string{
	"ack": "ack 0 hop=0/12800/1000/0", "first": "ack 1 hop=0/0/0/0", "path": "ack 0 path=1 hop=0/0/0/0", "no_sample": "ack 0",
	"stale_hop": "ack 0 hop=0/0/0/0", "excess": "ack 0 hop=0/0/0/0 hop=0/0/0/0 hop=0/0/0/0", "rate_code": "ack 0 hop=0/0/1000/5",
	"clamp_low": "ack 0 hop=80000/12800/1000/0", "clamp_high": "ack 0 hop=0/2560/1000/0", "flush": "flush 0", "illegal_conn": "ack 5",
}

// tripEffects are the effects of round-trip times.
var tripEffects = map[string]string{
	"ack": "ack 0 rtt=9000 now=9000", "first": "ack 1 rtt=9000", "path": "ack 0 path=1 rtt=9000", "no_sample": "ack 0",
	"clamp_low": "ack 0 rtt=90000 now=90000", "clamp_high": "ack 0 rtt=9000 now=9000", "in_rtt": "ack 0 rtt=9000 now=0",
	"flush": "flush 0", "illegal_conn": "ack 5 rtt=1",
}

var latency = regexp.MustCompile(`^last beat \+ (\d+) cycles$`)

// Every latency of the interface table is what the RTL takes, to the cycle.
func TestLatency(t *testing.T) {
	const bounds = " connections=3 conn_bits=3 min_window_bytes=90500 max_window_bytes=90500 link_rate_5_mbps=0"
	for _, c := range []struct {
		set     string
		first   ack
		effects map[string]string
	}{
		{"hops=2", ack{hops: []hop{{}}}, effects},
		{"hops=2 throughput=ack", ack{hops: []hop{{}}}, effects},
		{"hops=2 base_rtt=observed", ack{hops: []hop{{}}}, effects},
		{"variant=theta", ack{rtt: 9000}, tripEffects},
	} {
		d := open(t, suite.Configure(t, c.set+bounds))
		for _, port := range d.p.Ports() {
			m := latency.FindStringSubmatch(port.Timing)
			if port.Dir != gen.Out || m == nil {
				continue
			}
			want, _ := strconv.Atoi(m[1])
			words, ok := c.effects[strings.TrimSuffix(strings.TrimPrefix(port.Name, "sts_"), "_cnt")]
			if port.Group == "Window" {
				words, ok = c.effects["ack"], true
			}
			if !ok {
				t.Errorf("%s: output %s has a latency that is not tested", c.set, port.Name)
				continue
			}
			watch := port.Name
			if port.Group == "Window" {
				watch = "m_win_valid" // the others are read in its cycle by all tests
			}
			if got := d.after(c.first, strings.Fields(words), watch); got != want {
				t.Errorf("%s: %q shows at %s after %d cycles, the table says %d", c.set, words, port.Name, got, want)
			}
		}
		if n := d.p.Latency()["last beat of an ACK to its window"]; n != d.p.WindowLatency() {
			t.Errorf("%s: Latency says %d cycles to the window, want %d", c.set, n, d.p.WindowLatency())
		}
	}
}

// after makes connection 0 new, gives it its first ACK, and counts the cycles from an
// event, or its last beat, until an output changes.
func (d *device) after(first ack, event []string, port string) int {
	d.t.Helper()
	flush := func() {
		for c := range uint64(2) {
			d.m.Set("s_flush_valid", 1)
			d.m.Set("s_flush_conn", c)
			d.m.Step(1)
			d.m.Set("s_flush_valid", 0)
			d.m.Step(d.p.WindowLatency() + 2)
		}
	}
	flush()
	d.ack(first)
	d.m.Step(2)
	was := d.m.Get(port)
	if event[0] == "flush" {
		d.m.Set("s_flush_valid", 1)
		d.m.Set("s_flush_conn", d.number(event[1]))
		d.m.Step(1)
		d.m.Set("s_flush_valid", 0)
	} else {
		d.drive(d.parse(event))
	}
	n := 1
	for d.m.Get(port) == was && n < 1000 {
		d.m.Step(1)
		n++
	}
	d.m.Step(d.p.WindowLatency() + 2)
	if err := d.m.Err(); err != nil {
		d.t.Fatal(err)
	}
	return n
}
