// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/reps"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/tb/benchtest"
	buffer "github.com/nicgen/nicgen/tb/reps"
	detector "github.com/nicgen/nicgen/tb/reps_detector"
)

// shared are the ports that the wrapper gives to both units.
var shared = []string{"clk", "rst", "now_ns"}

// half is one of the two units of the chain: the wrapper's ports are the unit's
// with a prefix.
type half struct {
	prefix string
	cfg    gen.Config
	bench  cosim.Bench
	layout *cosim.Layout // of the unit alone
}

// wired reports whether a port of the unit is wired up inside the wrapper.
func (h *half) wired(port string) bool {
	return h.prefix == "b_" && strings.HasPrefix(port, "s_fail_")
}

// outer is the wrapper's name for a port of the unit.
func (h *half) outer(port string) string {
	if slices.Contains(shared, port) {
		return port
	}
	return h.prefix + port
}

// chain is the bench of detector and buffer, wired up as the page says.
type chain struct {
	d, b *half
	src  cosim.Source
}

// Coverage points of the chain.
var chainPoints = []cosim.Point{
	{Name: "failure", Doc: "the detector reports a failure", Required: true},
	{Name: "congestion", Doc: "the detector puts a timeout down to congestion", Required: true},
	{Name: "freeze", Doc: "the buffer freezes", Required: true},
	{Name: "frozen", Doc: "a packet uses a cached EV again", Required: true},
	{Name: "thaw", Doc: "the buffer leaves freezing", Required: true},
	{Name: "unready", Doc: "a failure reaches the buffer while it is being emptied", Required: true},
}

func newChain(t *testing.T) *chain {
	t.Helper()
	dp := suite.Configure(t, "connections=9 conn_bits=4")
	bp := reps.Default()
	bp.Connections, bp.ConnBits, bp.FreezingTimeoutNS = 9, 4, 100
	if err := gen.Validate(bp); err != nil {
		t.Fatal(err)
	}
	make := func(prefix string, cfg gen.Config, bench cosim.Bench, err error) *half {
		if err != nil {
			t.Fatal(err)
		}
		h := &half{prefix: prefix, cfg: cfg, bench: bench}
		var in, out []cosim.Slot
		for _, p := range cfg.Ports() {
			s := cosim.Slot{Name: p.Name, Width: int32(p.Bits)}
			switch {
			case p.Name == "clk":
			case p.Dir == gen.In:
				in = append(in, s)
			default:
				out = append(out, s)
			}
		}
		if h.layout, err = cosim.NewLayout(in, out); err != nil {
			t.Fatal(err)
		}
		return h
	}
	db, derr := detector.New(dp)
	bb, berr := buffer.New(bp)
	c := &chain{d: make("d_", dp, db, derr), b: make("b_", bp, bb, berr)}
	c.src = cosim.Source{Top: "reps_chain"}
	for _, h := range []*half{c.d, c.b} {
		for _, f := range h.bench.Source().Files {
			if !slices.Contains(c.src.Files, f) { // parts that both use
				c.src.Files = append(c.src.Files, f)
			}
		}
		c.src.Bind = append(c.src.Bind, h.bench.Source().Bind...)
	}
	c.src.Files = append(c.src.Files, cosim.File{Name: "reps_chain.sv", Text: c.wrapper()})
	return c
}

// wrapper is the module that wires the detector's failures to the buffer.
func (c *chain) wrapper() string {
	var ports []string
	var body strings.Builder
	for _, h := range []*half{c.d, c.b} {
		connect := map[string]string{}
		for _, p := range h.cfg.Ports() {
			connect[p.Name] = h.outer(p.Name)
			if p.Name == "s_fail_port" { // there is one NIC port
				connect[p.Name] = "1'b0"
				continue
			}
			if h.wired(p.Name) {
				connect[p.Name] = "d_m" + strings.TrimPrefix(p.Name, "s")
				continue
			}
			if h == c.b && slices.Contains(shared, p.Name) {
				continue
			}
			dir := "input wire logic"
			if p.Dir == gen.Out {
				dir = "output logic"
			}
			ports = append(ports, fmt.Sprintf("  %s [%d:0] %s", dir, p.Bits-1, h.outer(p.Name)))
		}
		body.WriteString(sv.Instance(h.cfg, "u_"+h.cfg.Unit(), connect))
	}
	return "module reps_chain (\n" + strings.ReplaceAll(strings.Join(ports, ",\n"), " [0:0]", "") + "\n);\n" + body.String() + "endmodule\n"
}

func (c *chain) Source() cosim.Source  { return c.src }
func (c *chain) Points() []cosim.Point { return chainPoints }

// wire is a port of a unit and of the wrapper.
type wire struct {
	inner, outer cosim.Slot
}

// wires pairs the ports in a list.
func (h *half) wires(l *cosim.Layout, ports []cosim.Slot) (list []wire, err error) {
	for _, p := range ports {
		if h.wired(p.Name) {
			continue
		}
		o, ok := l.Slot(h.outer(p.Name))
		if !ok {
			err = errors.Join(err, fmt.Errorf("the wrapper has no port %s", h.outer(p.Name)))
		}
		inner, _ := h.layout.Slot(p.Name)
		list = append(list, wire{inner, o})
	}
	return list, err
}

// chainStimulus is the stimulus of both units at once.
type chainStimulus struct {
	cosim.Autonomous
	d, b       cosim.Stimulus
	dIn, bIn   []uint64
	dTo, bTo   []wire
	now, dTime cosim.Slot
	cycle      int
}

func (c *chain) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	d, derr := c.d.bench.NewStimulus(c.d.layout, seed)
	b, berr := c.b.bench.NewStimulus(c.b.layout, seed)
	dTo, dwire := c.d.wires(l, c.d.layout.Inputs)
	bTo, bwire := c.b.wires(l, c.b.layout.Inputs)
	return &chainStimulus{d: d, b: b, dTo: dTo, bTo: bTo,
		dIn: make([]uint64, c.d.layout.InWords), bIn: make([]uint64, c.b.layout.InWords),
		now: l.MustSlot("now_ns"), dTime: c.d.layout.MustSlot("now_ns"),
	}, errors.Join(derr, berr, dwire, bwire)
}

func (s *chainStimulus) Next(in []uint64) {
	clear(s.dIn)
	clear(s.bIn)
	s.d.Next(s.dIn)
	s.b.Next(s.bIn)
	for _, w := range s.dTo {
		w.outer.Write(in, w.inner.Read(s.dIn))
	}
	rst := s.dTo[0].outer.Get(in)
	for _, w := range s.bTo {
		w.outer.Write(in, w.inner.Read(s.bIn))
	}
	s.dTo[0].outer.Set(in, rst)
	// Each unit's stimulus has its own corners in time: in rotation.
	if s.cycle++; s.cycle&4096 != 0 {
		s.now.Set(in, s.dTime.Get(s.dIn))
	}
}

// chainPredictor is both models, the detector's failures given to the buffer's.
type chainPredictor struct {
	cosim.Modelled
	d, b              cosim.Predictor
	dIn, dWant, dCare []uint64
	bIn, bWant, bCare []uint64
	dFrom, dTo        []wire
	bFrom, bTo        []wire
	failValid, failTo cosim.Slot
	failConn, connTo  cosim.Slot
	cause, valid      cosim.Slot
	freeze, thaw      cosim.Slot
	evValid, evSource cosim.Slot
	bReady            cosim.Slot
	hits              []uint64
}

func (c *chain) NewPredictor(l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	d, derr := c.d.bench.NewPredictor(c.d.layout, bare)
	b, berr := c.b.bench.NewPredictor(c.b.layout, bare)
	p := &chainPredictor{d: d, b: b, hits: make([]uint64, len(chainPoints)),
		dIn: make([]uint64, c.d.layout.InWords), dWant: make([]uint64, c.d.layout.OutWords), dCare: make([]uint64, c.d.layout.OutWords),
		bIn: make([]uint64, c.b.layout.InWords), bWant: make([]uint64, c.b.layout.OutWords), bCare: make([]uint64, c.b.layout.OutWords),
		failValid: c.d.layout.MustSlot("m_fail_valid"), failConn: c.d.layout.MustSlot("m_fail_conn"),
		failTo: c.b.layout.MustSlot("s_fail_valid"), connTo: c.b.layout.MustSlot("s_fail_conn"),
		cause: c.d.layout.MustSlot("m_timeout_cause"), valid: c.d.layout.MustSlot("m_timeout_valid"),
		freeze: c.b.layout.MustSlot("evt_freeze"), thaw: c.b.layout.MustSlot("evt_thaw"),
		evValid: c.b.layout.MustSlot("m_ev_valid"), evSource: c.b.layout.MustSlot("m_ev_source"),
		bReady: c.b.layout.MustSlot("sts_ready"),
	}
	errs := []error{derr, berr}
	for _, x := range []struct {
		to    *[]wire
		h     *half
		ports []cosim.Slot
	}{{&p.dFrom, c.d, c.d.layout.Inputs}, {&p.bFrom, c.b, c.b.layout.Inputs}, {&p.dTo, c.d, c.d.layout.Outputs}, {&p.bTo, c.b, c.b.layout.Outputs}} {
		list, err := x.h.wires(l, x.ports)
		*x.to = list
		errs = append(errs, err)
	}
	return p, errors.Join(errs...)
}

func (p *chainPredictor) Step(in, want, care []uint64) {
	for _, v := range [][]uint64{p.dIn, p.dWant, p.dCare, p.bIn, p.bWant, p.bCare} {
		clear(v)
	}
	for _, w := range p.dFrom {
		w.inner.Write(p.dIn, w.outer.Read(in))
	}
	for _, w := range p.bFrom {
		w.inner.Write(p.bIn, w.outer.Read(in))
	}
	p.d.Step(p.dIn, p.dWant, p.dCare)
	fail := p.failValid.Get(p.dWant)
	p.failTo.Set(p.bIn, fail)
	p.connTo.Set(p.bIn, p.failConn.Get(p.dWant))
	p.b.Step(p.bIn, p.bWant, p.bCare)
	for _, w := range p.dTo {
		w.outer.Write(want, w.inner.Read(p.dWant))
		w.outer.Write(care, w.inner.Read(p.dCare))
	}
	for _, w := range p.bTo {
		w.outer.Write(want, w.inner.Read(p.bWant))
		w.outer.Write(care, w.inner.Read(p.bCare))
	}
	for i, hit := range []bool{
		fail != 0,
		p.valid.Get(p.dWant) != 0 && p.cause.Get(p.dWant) == 1,
		p.freeze.Get(p.bWant) != 0,
		p.evValid.Get(p.bWant) != 0 && p.evSource.Get(p.bWant) == 1,
		p.thaw.Get(p.bWant) != 0,
		fail != 0 && p.bReady.Get(p.bWant) == 0,
	} {
		if hit {
			p.hits[i]++
		}
	}
}

func (p *chainPredictor) Hits() []uint64 { return p.hits }
func (p *chainPredictor) Events() uint64 { return p.d.Events() + p.b.Events() }
func (p *chainPredictor) Explain([]uint64) string {
	return "detector: " + p.d.Explain(p.dIn) + "\nbuffer: " + p.b.Explain(p.bIn)
}

// The detector in front of the buffer, in one design, equals the two models one
// after the other, on every output of both.
func TestBeforeTheBuffer(t *testing.T) {
	c := newChain(t)
	for seed := range uint64(2) {
		r, err := cosim.Run(t.Context(), c, cosim.RunOptions{Unit: "reps_chain", Seed: seed + 1, Cycles: 200_000})
		if err != nil {
			t.Fatal(err)
		}
		if !r.OK() {
			t.Fatalf("seed %d: %s\n%s", seed+1, r.Outcome, benchtest.Summary(r))
		}
	}
}

// From the timeout to the freeze: 6 cycles in the detector, 3 in the buffer; a
// timeout that is put down to congestion does not freeze.
func TestTimeoutFreezes(t *testing.T) {
	c := newChain(t)
	s, err := cosim.Open(t.Context(), c.Source())
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	s.Set("rst", 1)
	s.Step(1)
	s.Set("rst", 0)
	s.Set("b_cfg_freezing", 1)
	s.Set("b_cfg_freezing_timeout_ns", 100)
	s.Set("d_cfg_rtt_threshold_ns", 20)
	s.Set("d_cfg_window_ns", 100)
	s.Step(30)
	s.Set("now_ns", 1000)
	s.Set("d_s_rtt_valid", 1) // a high RTT of connection 1
	s.Set("d_s_rtt_conn", 1)
	s.Set("d_s_rtt_ns", 30)
	s.Step(1)
	s.Set("d_s_rtt_valid", 0)
	for _, x := range []struct {
		conn   uint64
		freeze bool
	}{{1, false}, {2, true}} {
		s.Set("d_s_timeout_valid", 1)
		s.Set("d_s_timeout_conn", x.conn)
		s.Step(1)
		s.Set("d_s_timeout_valid", 0)
		for cycle := 1; cycle < 20; cycle++ {
			want := benchtest.Bit(x.freeze && cycle == params.VerdictLatency+reps.EventLatency)
			if got := s.Get("b_evt_freeze"); got != want {
				t.Errorf("connection %d, %d cycles after the timeout: evt_freeze is %d, want %d", x.conn, cycle, got, want)
			}
			s.Step(1)
		}
	}
	if s.Err() != nil {
		t.Error(s.Err())
	}
}
