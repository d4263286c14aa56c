// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_rate"
	model "github.com/nicgen/nicgen/model/laps_rate"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// page is the page with the vectors.
const page = "../../docs/units/laps_rate.md"

// vectorSet is the configuration of the vectors: rates in 1/256.
const vectorSet = "flows=3 flow_bits=2 paths=2 lat_bits=8 time_bits=16 max_rate=25600 min_rate=256 "

// vector is a row of the page's table.
type vector struct {
	name, set, script, answers string
}

// vectors reads the rows of the page whose first cell begins with LV or V and a number.
func vectors(t *testing.T) []vector {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	var list []vector
	for _, l := range strings.Split(string(text), "\n") {
		c := strings.Split(l, "|")
		if len(c) != 7 || !strings.HasPrefix(c[1], " V") && !strings.HasPrefix(c[1], " LV") {
			continue
		}
		cell := func(i int) string { return strings.Trim(c[i], " `") }
		list = append(list, vector{cell(1), cell(2), cell(3), cell(4)})
	}
	return list
}

// happening holds the events of one cycle of a vector.
type happening struct {
	now       uint64
	ack, open bool
	flow      uint32
	paths     [2]model.Path
}

// device is the target of a vector: the model or the RTL.
type device interface {
	setting(name string, v uint64)
	cycle(h happening)
	answers() string
}

// units reads a rate: a decimal number with eight binary digits behind the point.
func units(t *testing.T, s string) uint64 {
	t.Helper()
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || x*256 != float64(uint64(x*256)) {
		t.Fatalf("%q is not a multiple of 1/256", s)
	}
	return uint64(x * 256)
}

// text writes an answer as the page does.
func text(r model.Result) string {
	show := func(v uint64) string { return strconv.FormatFloat(float64(v)/256, 'f', -1, 64) }
	return r.Cause.String() + " " + show(r.Current) + "/" + show(r.Expected)
}

// play runs a script: cycles separated by semicolons, of words
//
//	t=N       the time becomes N
//	ack P P   an ACK of flow 0, the two paths each as realVal/baseVal, or - if not valid;
//	          ack@C: of flow C
//	open      flow 0 is opened; open@C: flow C
//	max=N, min=N, stages=N: a setting, from this cycle on
func play(t *testing.T, d device, script string) {
	t.Helper()
	number := func(s string) uint64 {
		n, err := strconv.ParseUint(s, 10, 64)
		if err != nil {
			t.Fatalf("%q: %v", script, err)
		}
		return n
	}
	var now uint64
	for _, cycle := range strings.Split(script, ";") {
		h := happening{}
		words := strings.Fields(cycle)
		for i := 0; i < len(words); i++ {
			name, value, set := strings.Cut(words[i], "=")
			what, at, other := strings.Cut(words[i], "@")
			if other {
				h.flow = uint32(number(at))
			}
			switch {
			case set && name == "t":
				now = number(value)
			case set && name == "stages":
				d.setting(name, number(value))
			case set:
				d.setting(name, units(t, value))
			case what == "open":
				h.open = true
			case what == "ack" && i+2 < len(words):
				h.ack = true
				for j := range h.paths {
					i++
					// The latency of an invalid path must not matter.
					h.paths[j] = model.Path{RealVal: 0, BaseVal: 255}
					if r, b, ok := strings.Cut(words[i], "/"); ok {
						h.paths[j] = model.Path{Valid: true, RealVal: number(r), BaseVal: number(b)}
					}
				}
			default:
				t.Fatalf("%q: unknown word %q", script, words[i])
			}
		}
		h.now = now
		d.cycle(h)
	}
}

// gold runs vectors on the model.
type gold struct {
	m   *model.Limiter
	out []string
}

func (g *gold) setting(name string, v uint64) {
	switch name {
	case "max":
		g.m.Settings.Max = v
	case "min":
		g.m.Settings.Min = v
	case "stages":
		g.m.Settings.Stages = uint8(v)
	}
}

func (g *gold) cycle(h happening) {
	switch {
	case h.ack:
		g.out = append(g.out, text(g.m.ACK(h.flow, h.now, model.Reduce(h.paths[:]))))
	case h.open:
		g.out = append(g.out, text(g.m.Open(h.flow, h.now)))
	}
}

func (g *gold) answers() string { return strings.Join(g.out, ", ") }

// rtl runs vectors on the SystemVerilog.
type rtl struct {
	s   *cosim.Sim
	p   *params.Params
	out []string
}

// open powers the RTL up and waits until it is ready.
func open(t *testing.T, p *params.Params) *rtl {
	t.Helper()
	s := suite.Open(t, p)
	s.Set("rst", 1)
	s.Step(1)
	s.Set("rst", 0)
	s.Set("cfg_max_rate", uint64(p.MaxRate))
	s.Set("cfg_min_rate", uint64(p.MinRate))
	s.Set("cfg_stages", uint64(p.Stages))
	s.Step(int(p.ReadyDelay()))
	if s.Get("sts_ready") != 1 {
		t.Fatalf("not ready after reset: %v", s.Err())
	}
	return &rtl{s: s, p: p}
}

// setting waits until the events before have had the old settings.
func (r *rtl) setting(name string, v uint64) {
	for range r.p.SettingsDelay() {
		r.cycle(happening{})
	}
	r.s.Set(map[string]string{"max": "cfg_max_rate", "min": "cfg_min_rate", "stages": "cfg_stages"}[name], v)
}

func (r *rtl) cycle(h happening) {
	w := int(r.p.LatBits)
	var usable, latency, base uint64
	for i, p := range h.paths {
		usable |= benchtest.Bit(p.Valid) << i
		latency |= p.RealVal << (i * w)
		base |= p.BaseVal << (i * w)
	}
	for port, v := range map[string]uint64{
		"now_ns": h.now, "s_ack_valid": benchtest.Bit(h.ack), "s_ack_flow": uint64(h.flow), "s_ack_usable": usable,
		"s_ack_latency_ns": latency, "s_ack_base_ns": base, "s_open_valid": benchtest.Bit(h.open), "s_open_flow": uint64(h.flow),
	} {
		r.s.Set(port, v)
	}
	r.s.Step(1)
	if r.s.Get("m_rate_valid") == 1 {
		r.out = append(r.out, text(model.Result{Cause: model.Cause(r.s.Get("m_rate_cause")),
			Current: r.s.Get("m_rate_current"), Expected: r.s.Get("m_rate_expected")}))
	}
}

func (r *rtl) answers() string {
	for range r.p.RateLatency() {
		r.cycle(happening{})
	}
	return strings.Join(r.out, ", ")
}

// The vectors of the page, on the model and on the RTL.
func TestVectors(t *testing.T) {
	list := vectors(t)
	if len(list) < 15 {
		t.Fatalf("%s has %d vectors, want at least 15", page, len(list))
	}
	for _, v := range list {
		t.Run(v.name, func(t *testing.T) {
			p := suite.Configure(t, vectorSet+v.set)
			for name, d := range map[string]device{"model": &gold{m: model.New(p)}, "RTL": open(t, p)} {
				play(t, d, v.script)
				if got := d.answers(); got != v.answers {
					t.Errorf("%s: %s:\n%s, want\n%s", name, v.script, got, v.answers)
				}
				if r, ok := d.(*rtl); ok && r.s.Err() != nil {
					t.Error(r.s.Err())
				}
			}
		})
	}
}

// An answer comes exactly the tables' number of cycles after its ACK, and never without an
// event.
func TestLatency(t *testing.T) {
	for _, set := range []string{"flows=9 paths=2", "flows=9 paths=3", "flows=9 paths=8", "flows=9 operands=extremes"} {
		p := suite.Configure(t, set)
		want := p.Latency()["ACK or opening to rate"]
		s := open(t, p).s
		for _, port := range []string{"s_ack_valid", "s_open_valid"} {
			s.Step(20)
			s.Set(port, 1)
			s.Step(1)
			s.Set(port, 0)
			for cycle := 1; cycle < want+10; cycle++ {
				if got := s.Get("m_rate_valid"); got != benchtest.Bit(cycle == want) {
					t.Errorf("%s: m_rate_valid is %d %d cycles after %s, want %d", set, got, cycle, port, benchtest.Bit(cycle == want))
				}
				s.Step(1)
			}
		}
		if s.Err() != nil {
			t.Error(s.Err())
		}
	}
}

// The unit is ready as many cycles after reset as the port table says, not earlier.
func TestReadyAfterReset(t *testing.T) {
	p := suite.Configure(t, "flows=9 paths=2")
	s := open(t, p).s
	s.Set("rst", 1)
	s.Step(1)
	s.Set("rst", 0)
	for cycle := int64(1); cycle <= p.ReadyDelay()+1; cycle++ {
		if got, want := s.Get("sts_ready"), benchtest.Bit(cycle >= p.ReadyDelay()); got != want {
			t.Errorf("sts_ready is %d %d cycles after rst, want %d", got, cycle, want)
		}
		s.Step(1)
	}
	if s.Err() != nil {
		t.Error(s.Err())
	}
}
