// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	model "github.com/nicgen/nicgen/model/reps_detector"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// page is the page with the vectors.
const page = "../../docs/units/reps_detector.md"

// vector is a row of the page's table.
type vector struct {
	name, script string
	verdicts     string
}

// vectors reads the rows of the page whose first cell is a V and a number.
func vectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var list []vector
	for _, l := range strings.Split(string(text), "\n") {
		c := strings.Split(l, "|")
		if len(c) != 6 || !strings.HasPrefix(c[1], " V") {
			continue
		}
		list = append(list, vector{strings.TrimSpace(c[1]), strings.Trim(c[2], " `"), strings.TrimSpace(c[3])})
	}
	return list
}

// event holds the events of one cycle of a vector.
type event struct {
	now                      uint64
	rtt                      uint64
	sampled, flush, timeout  bool
	rttConn, conn, flushConn uint64
}

// device is the target of a vector: the model or the RTL.
type device interface {
	setting(name string, v uint64)
	cycle(e event)
	verdicts() string
}

// play runs a script: cycles separated by semicolons, of words
//
//	t=N       the time becomes N
//	rtt N     an RTT sample of N ns, of connection 0; rtt@C N: of connection C
//	timeout   a timeout of connection 0; timeout@C: of connection C
//	flush     connection 0 is flushed; flush@C: connection C
//	threshold=N, window=N, trimming=N: a setting, from this cycle on
func play(t *testing.T, d device, script string) {
	t.Helper()
	var now uint64
	for _, cycle := range strings.Split(script, ";") {
		e := event{}
		words := strings.Fields(cycle)
		for i := 0; i < len(words); i++ {
			number := func(s string) uint64 {
				n, err := strconv.ParseUint(s, 10, 64)
				if err != nil {
					t.Fatalf("%q: %v", cycle, err)
				}
				return n
			}
			name, value, set := strings.Cut(words[i], "=")
			what, at, other := strings.Cut(words[i], "@")
			conn := uint64(0)
			if other {
				conn = number(at)
			}
			switch {
			case set && name == "t":
				now = number(value)
			case set:
				d.setting(name, number(value))
			case what == "rtt" && i+1 < len(words):
				i++
				e.sampled, e.rttConn, e.rtt = true, conn, number(words[i])
			case what == "timeout":
				e.timeout, e.conn = true, conn
			case what == "flush":
				e.flush, e.flushConn = true, conn
			default:
				t.Fatalf("%q: unknown word %q", script, words[i])
			}
		}
		e.now = now
		d.cycle(e)
	}
}

// gold runs vectors on the model.
type gold struct {
	m   *model.Detector
	out []string
}

func (g *gold) setting(name string, v uint64) {
	switch name {
	case "threshold":
		g.m.Settings.Threshold = v
	case "window":
		g.m.Settings.Window = v
	case "trimming":
		g.m.Settings.Trimming = v != 0
	}
}

func (g *gold) cycle(e event) {
	if e.sampled {
		g.m.RTT(uint32(e.rttConn), e.rtt, e.now)
	}
	if e.flush {
		g.m.Flush(uint32(e.flushConn))
	}
	if e.timeout {
		g.out = append(g.out, g.m.Timeout(uint32(e.conn), e.now).String())
	}
}

func (g *gold) verdicts() string { return strings.Join(g.out, " ") }

// rtl runs vectors on the SystemVerilog.
type rtl struct {
	s   *cosim.Sim
	out []string
}

// open powers the RTL up and waits until it is ready.
func open(t *testing.T, p *params.Params) *rtl {
	t.Helper()
	s := suite.Open(t, p)
	s.Set("rst", 1)
	s.Step(1)
	s.Set("rst", 0)
	s.Set("cfg_rtt_threshold_ns", uint64(p.RTTThresholdNS))
	s.Set("cfg_window_ns", uint64(p.WindowNS))
	s.Step(int(p.Connections) + 2)
	if s.Get("sts_ready") != 1 {
		t.Fatalf("not ready after reset: %v", s.Err())
	}
	return &rtl{s: s}
}

func (r *rtl) setting(name string, v uint64) {
	r.s.Set(map[string]string{"threshold": "cfg_rtt_threshold_ns", "window": "cfg_window_ns", "trimming": "cfg_trimming"}[name], v)
}

func (r *rtl) cycle(e event) {
	r.s.Set("now_ns", e.now)
	r.s.Set("s_rtt_valid", benchtest.Bit(e.sampled))
	r.s.Set("s_rtt_conn", e.rttConn)
	r.s.Set("s_rtt_ns", e.rtt)
	r.s.Set("s_flush_valid", benchtest.Bit(e.flush))
	r.s.Set("s_flush_conn", e.flushConn)
	r.s.Set("s_timeout_valid", benchtest.Bit(e.timeout))
	r.s.Set("s_timeout_conn", e.conn)
	r.s.Step(1)
	if r.s.Get("m_timeout_valid") == 1 {
		r.out = append(r.out, model.Cause(r.s.Get("m_timeout_cause")).String())
	}
}

func (r *rtl) verdicts() string {
	for range params.VerdictLatency {
		r.cycle(event{})
	}
	return strings.Join(r.out, " ")
}

// The vectors of the page, on the model and on the RTL.
func TestVectors(t *testing.T) {
	list := vectors(t)
	if len(list) < 12 {
		t.Fatalf("%s has %d vectors, want at least 12", page, len(list))
	}
	for _, v := range list {
		t.Run(v.name, func(t *testing.T) {
			p := suite.Configure(t, "connections=3 conn_bits=2 rtt_bits=8 timer_bits=16 rtt_threshold_ns=20 window_ns=100")
			for name, d := range map[string]device{"model": &gold{m: model.New(p)}, "RTL": open(t, p)} {
				play(t, d, v.script)
				if got := d.verdicts(); got != v.verdicts {
					t.Errorf("%s: %s: %s, want %s", name, v.script, got, v.verdicts)
				}
				if r, ok := d.(*rtl); ok && r.s.Err() != nil {
					t.Error(r.s.Err())
				}
			}
		})
	}
}

// A verdict comes exactly the tables' number of cycles after its timeout, whatever else
// happens, and never without a timeout.
func TestLatency(t *testing.T) {
	p := params.Default()
	want := p.Latency()["timeout to verdict"]
	s := open(t, p).s
	for _, busy := range []uint64{0, 1} {
		s.Set("s_rtt_valid", busy)
		s.Set("s_rtt_ns", 1<<20-1)
		s.Set("s_rtt_conn", 5)
		s.Step(10)
		s.Set("s_timeout_valid", 1)
		s.Set("s_timeout_conn", 5)
		s.Step(1)
		s.Set("s_timeout_valid", 0)
		for cycle := 1; cycle < want+10; cycle++ {
			if got := s.Get("m_timeout_valid"); got != benchtest.Bit(cycle == want) {
				t.Errorf("busy %d: m_timeout_valid is %d %d cycles after the timeout, want %d", busy, got, cycle, benchtest.Bit(cycle == want))
			}
			if cycle == want {
				if got := model.Cause(s.Get("m_timeout_cause")); got != model.Cause(busy) {
					t.Errorf("busy %d: cause %v, want %v", busy, got, model.Cause(busy))
				}
			}
			s.Step(1)
		}
	}
	if s.Err() != nil {
		t.Error(s.Err())
	}
}

// The unit is ready CONNECTIONS + 2 cycles after reset, not earlier; in the cycle of rst it
// still is.
func TestReadyAfterReset(t *testing.T) {
	for _, n := range []int64{1, 3, 64, 300} {
		p := params.Default()
		p.Connections = n
		s := open(t, p).s
		s.Set("rst", 1)
		if s.Get("sts_ready") != 1 {
			t.Errorf("%d connections: not ready in the cycle of rst", n)
		}
		s.Step(1)
		s.Set("rst", 0)
		for cycle := int64(1); cycle <= n+3; cycle++ {
			if got, want := s.Get("sts_ready"), benchtest.Bit(cycle >= n+2); got != want {
				t.Errorf("%d connections: sts_ready is %d %d cycles after rst, want %d", n, got, cycle, want)
			}
			s.Step(1)
		}
		if s.Err() != nil {
			t.Error(s.Err())
		}
	}
}
