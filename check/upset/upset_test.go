// SPDX-License-Identifier: Apache-2.0

package upset_test

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/tb/bench"
)

// toy adds the last request to each one, three cycles later. HANG is a mistake: the busy flag is
// stored, instead of being derived from the remaining time.
const toy = "`resetall\n`default_nettype none\n" + `
module toy #(parameter bit HANG = 1'b0) (
  input  wire logic       clk,
  input  wire logic       rst,
  input  wire logic       s_req_valid,
  output logic            s_req_ready,
  input  wire logic [7:0] s_req_data,
  output logic            m_ans_valid,
  output logic [7:0]      m_ans,
  output logic [15:0]     sts_req_cnt
);
  logic       busy_q;
  logic [1:0] left_q;    // cycles until the answer
  logic [7:0] last_q;    // heals with the next request
  logic [7:0] secret_q;  // written by the reset alone, and read when the request is 165
  logic [7:0] offset_q;  // written by the reset alone, and always read
  logic [7:0] mem [4];   // written and read in turn
  logic [1:0] turn_q;
  logic       take;

  assign s_req_ready = HANG ? !busy_q : left_q == 2'd0;
  assign take        = s_req_valid && s_req_ready;

  always_ff @(posedge clk) begin
    m_ans_valid <= left_q == 2'd1;
    m_ans       <= mem[turn_q] + offset_q;
    if (left_q != 2'd0) begin
      left_q <= left_q - 1'b1;
    end
    if (left_q == 2'd1) begin
      busy_q <= 1'b0;
    end
    if (take) begin
      busy_q           <= 1'b1;
      left_q           <= 2'd3;
      turn_q           <= turn_q + 1'b1;
      last_q           <= s_req_data;
      mem[turn_q+2'd1] <= last_q + s_req_data + ((s_req_data == 8'd165) ? secret_q : 8'd0);
      sts_req_cnt      <= sts_req_cnt + 1'b1;
    end
    if (rst) begin
      busy_q      <= 1'b0;
      left_q      <= 2'd0;
      last_q      <= 8'd0;
      secret_q    <= 8'd7;
      offset_q    <= 8'd1;
      turn_q      <= 2'd0;
      m_ans_valid <= 1'b0;
      sts_req_cnt <= 16'd0;
    end
  end
endmodule
` + "\n`resetall\n"

// toyBench is the bench of the toy. It implements cosim.Bench.
type toyBench struct{ hang, wrong bool }

func (b toyBench) Source() cosim.Source {
	s := cosim.Source{Top: "toy", Files: []cosim.File{{Name: "toy.sv", Text: toy}}}
	if b.hang {
		s.Params = map[string]string{"HANG": "1'b1"}
	}
	return s
}

func (toyBench) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	return &toyTraffic{pins: ports(l), rng: rand.New(rand.NewPCG(seed, 1))}, nil
}

func (b toyBench) NewPredictor(l *cosim.Layout, _ bool) (cosim.Predictor, error) {
	return &toyModel{pins: ports(l), wrong: b.wrong}, nil
}

func (toyBench) Points() []cosim.Point { return nil }

type pins struct{ rst, valid, ready, data, ansValid, ans, count bench.Pin }

func ports(l *cosim.Layout) pins {
	p := bench.NewPorts("toy", l)
	return pins{p.Pin("rst"), p.Pin("s_req_valid"), p.Pin("s_req_ready"), p.Pin("s_req_data"), p.Pin("m_ans_valid"), p.Pin("m_ans"), p.Pin("sts_req_cnt")}
}

type toyTraffic struct {
	cosim.Autonomous
	pins
	rng   *rand.Rand
	cycle int
}

// Next resets at first, and now and then later, which the measurement must not do.
func (s *toyTraffic) Next(in []uint64) {
	if s.cycle++; s.cycle < 3 || s.rng.IntN(1000) == 0 {
		s.rst.Raise(in)
	}
	if s.rng.IntN(2) == 0 {
		s.valid.Raise(in)
	}
	if x := s.rng.Uint64() & 0xff; x != 165 {
		s.data.Put(in, x)
	}
}

type toyModel struct {
	cosim.Modelled
	pins
	wrong                     bool
	known                     bool
	left                      int
	last, sum, held, n, event uint64
}

func (m *toyModel) Step(in, want, care []uint64) {
	if m.rst.On(in) {
		*m = toyModel{pins: m.pins, wrong: m.wrong, known: true}
		return
	}
	if !m.known {
		return
	}
	for _, p := range []bench.Pin{m.ready, m.ansValid, m.count} {
		p.Put(care, ^uint64(0))
	}
	m.count.Put(want, m.n)
	if m.event > 0 && m.held > 0 {
		m.held--
		if m.held == 0 {
			m.ansValid.Raise(want)
			m.ans.Put(care, 255)
			m.ans.Put(want, m.sum+1)
		}
	}
	if m.left == 0 {
		m.ready.Raise(want)
		if m.valid.On(in) {
			x := m.data.Get(in)
			m.sum, m.last, m.left, m.held = m.last+x, x, 3, 4
			m.n++
			m.event++
			if m.wrong && m.n == 100 {
				m.sum++
			}
			return
		}
	}
	m.left = max(m.left-1, 0)
}
func (m *toyModel) Hits() []uint64            { return nil }
func (m *toyModel) Events() uint64            { return m.event }
func (m *toyModel) Explain(_ []uint64) string { return "" }

// law demands an answer to every request in three or four cycles, and no long time
// without readiness.
func law(l *cosim.Layout) (bench.Law, error) {
	p := ports(l)
	return bench.Laws{
		&bench.Answered{Valid: p.valid, Ready: p.ready, Answer: p.ansValid, Min: 1, Max: 8},
		&bench.Ready{Pin: p.ready, Max: 8},
	}, nil
}

func plan(b toyBench) upset.Plan {
	return upset.Plan{Unit: "toy", Bench: b, Law: law, Seed: 1, Runs: 2, Flips: 40, Cycles: 1024}
}

func find(t *testing.T, r *upset.Result, name string) upset.Element {
	t.Helper()
	i := slices.IndexFunc(r.Elements, func(e upset.Element) bool { return e.Name == name })
	if i < 0 {
		t.Fatalf("no element %s in %v", name, r.Elements)
	}
	return r.Elements[i]
}

// The measurement finds each fate where the toy has it, and a planted hang.
func TestFates(t *testing.T) {
	r, err := upset.Run(t.Context(), plan(toyBench{}))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, e := range r.Elements {
		names = append(names, e.Name)
		if e.Flips != 40 || e.Unseen+e.Right+e.Legal+e.Never != 40 {
			t.Errorf("%s: %d flips, fates %+v, want 40 in all", e.Name, e.Flips, e.Fates)
		}
	}
	if want := []string{"busy_q", "last_q", "left_q", "m_ans", "m_ans_valid", "mem", "offset_q", "secret_q", "sts_req_cnt", "turn_q"}; !slices.Equal(names, want) {
		t.Errorf("elements %q, want %q", names, want)
	}
	if !r.OK() {
		t.Errorf("something never was legal again: %s", r.Sentence())
	}
	if e := find(t, r, "last_q"); e.Right != 40 || e.Kept != 0 || e.Again.MaxEvents > 2 {
		t.Errorf("last_q: %+v, want right again after one event or two, always", e)
	}
	if e := find(t, r, "offset_q"); e.Legal != 40 {
		t.Errorf("offset_q: %+v, want never right and always legal", e)
	}
	if e := find(t, r, "secret_q"); e.Unseen != 40 || e.Kept != 40 {
		t.Errorf("secret_q: %+v, want unseen and kept, always", e)
	}
	if e := find(t, r, "sts_req_cnt"); e.Unseen != 40 || e.Kept != 0 {
		t.Errorf("sts_req_cnt: %+v, want not compared", e)
	}
	if e := find(t, r, "mem"); e.Words != 4 || e.Right == 0 || e.Unseen == 0 || e.Kept != 0 {
		t.Errorf("mem: %+v, want some seen, none kept", e)
	}

	hang, err := upset.Run(t.Context(), plan(toyBench{hang: true}))
	if err != nil {
		t.Fatal(err)
	}
	if e := find(t, hang, "busy_q"); hang.OK() || e.Never == 0 || !strings.Contains(hang.Sentence(), "not legal at the end") {
		t.Errorf("busy_q: %+v; %s; want a hang", e, hang.Sentence())
	}

	again, err := upset.Run(t.Context(), plan(toyBench{}))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(r, again); diff != "" {
		t.Errorf("the same plan gives another result (-first +second):\n%s", diff)
	}
}

// Impossible measurements are refused: a wrong golden model, a law that the undisturbed unit
// breaks, inputs that do not exist, no flips, and the end of the context.
func TestRefusals(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(p *upset.Plan)
		want   string
	}{
		{"model", func(p *upset.Plan) { p.Bench = toyBench{wrong: true} }, "upset: toy, seed 1: the undisturbed unit differs from its golden model in cycle "},
		{"law", func(p *upset.Plan) {
			p.Law = func(l *cosim.Layout) (bench.Law, error) {
				x := ports(l)
				return &bench.Answered{Valid: x.valid, Ready: x.ready, Answer: x.ansValid, Min: 1, Max: 2}, nil
			}
		}, "upset: toy, seed 1: the golden model's own outputs are not legal in cycle "},
		{"hold", func(p *upset.Plan) { p.Hold = map[string]uint64{"s_none": 0} }, "upset: toy, seed 1: no input s_none to hold"},
		{"flips", func(p *upset.Plan) { p.Flips = 0 }, "upset: 2 runs, 0 flips and 1024 cycles, want at least 1, at least 1 and a multiple of 64 from 256"},
		{"runs", func(p *upset.Plan) { p.Runs = 0 }, "upset: 0 runs, 40 flips and 1024 cycles, want at least 1, at least 1 and a multiple of 64 from 256"},
		{"cycles", func(p *upset.Plan) { p.Cycles = 1000 }, "upset: 2 runs, 40 flips and 1000 cycles, want at least 1, at least 1 and a multiple of 64 from 256"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := plan(toyBench{})
			c.change(&p)
			if _, err := upset.Run(t.Context(), p); err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("error %v, want %s…", err, c.want)
			}
		})
	}
	ctx, cancel := context.WithCancel(t.Context())
	p := plan(toyBench{})
	p.Progress = func(_, _ uint64) { cancel() }
	if _, err := upset.Run(ctx, p); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want the context's", err)
	}
}
