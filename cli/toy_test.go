// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing/fstest"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/toy"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/sim/host/laps"
	"github.com/nicgen/nicgen/sim/host/powertcp"
	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
	"github.com/nicgen/nicgen/sim/scenario/rail"
	"github.com/nicgen/nicgen/sim/transport"
	tb "github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/plant"
	"github.com/nicgen/nicgen/tb/proof"
)

// testUnits is a working unit, one whose RTL has a bug, and one without bench and trace.
func testUnits() []registry.Unit {
	return []registry.Unit{
		{New: toy.New, Bench: toyBench, Trace: toyTrace, Measure: func(cfg gen.Config) cosim.MeasureOptions {
			return cosim.MeasureOptions{Fixed: map[string]uint64{"cfg_limit_ns": uint64(cfg.(*toy.Params).LimitNS)},
				Mask: map[string]uint64{"cfg_limit_ns": 0}}
		}, Upset: &tb.Upset{Settings: []string{""}, Lifetime: "Until the reset.",
			Law: func(gen.Config, *cosim.Layout) (tb.Law, error) { return tb.Laws{}, nil }}, Proofs: toyProofs,
			Evidence: tb.Evidence{Tour: []tb.TourStep{{Title: "Toy: loop", Run: "sim incast --json REPORT/toy.json", Show: "a |b"}}, Configurations: []string{"style=gray"}, Small: "count_bits=4", Syntheses: []tb.Synthesis{{Name: "gray", Settings: "style=gray"}}}},
		{New: func() gen.Config { return buggy{toy.Named("buggy")} }, Bench: func(cfg gen.Config) (cosim.Bench, error) {
			return newBench(cfg, cfg.(buggy).Params), nil
		}, Measure: func(gen.Config) cosim.MeasureOptions {
			return cosim.MeasureOptions{Fixed: map[string]uint64{"cfg_enable": 1}}
		}},
		{New: func() gen.Config { return toy.Named("bare") }},
	}
}

// blockUnits is the working unit and a block.
func blockUnits() []registry.Unit {
	block := testUnits()[0]
	block.New, block.ByName = func() gen.Config { return toy.Named("block") }, true
	return append(testUnits()[:1], block)
}

// simUnits is testUnits and the units in the hosts of nicgen sim.
func simUnits() []registry.Unit {
	return append(testUnits(), registry.Unit{New: func() gen.Config { return toy.Named(bottleneck.Unit) }, ByName: true, Transport: toyTransport},
		registry.Unit{New: func() gen.Config { return toy.Named(rail.Unit) }, ByName: true, Transport: toyTracker})
}

// toyProofs is one property.
var toyProofs = &proof.Proofs{
	Sets: []proof.Set{{Name: "hold", Claim: "What stops the counter.", Configs: []string{"count_bits=2 limit_ns=3"}, Depth: 6, K: 1, Texts: []string{"nic_toy.svh"},
		Properties: []proof.Property{{Name: "stays", Claim: "The count stays while it is not enabled.",
			Bug: proof.Bug{Mistake: "it counts always", File: "nic_toy.sv", Edits: plant.Edits{"if (cfg_enable && cfg_direction == 2'd0) begin", "if (cfg_direction == 2'd0) begin"}}}}}},
	Texts: fstest.MapFS{"prove/nic_toy.svh": {Data: []byte("`AFTER_RESET\n" +
		"logic [COUNT_BITS-1:0] was;\nlogic stopped;\n" +
		"always_ff @(posedge clk) begin\n  was <= m_count;\n  stopped <= started && !rst && !cfg_enable;\nend\n" +
		"`PROPERTY(stays, stopped, m_count == was)\n")}},
}

// toyTracker chooses paths in floating point, whatever the model. With β′ 6 its RTL is
// wrong in the end, and with 7 the RTL of host 0 cannot be closed.
func toyTracker(ctx context.Context, m transport.Model, h *transport.Host) (transport.Transport, error) {
	t, err := laps.Transport(ctx, transport.Float, h)
	if err != nil || m != transport.RTL {
		return t, err
	}
	return &toySpray{Tracker: t.(transport.Tracker), words: h.Settings + " "}, nil
}

type toySpray struct {
	transport.Tracker
	words   string
	packets uint64
}

func (t *toySpray) Segment(conn int, seq uint32, now uint64) (transport.Choice, error) {
	if t.packets++; t.packets > 1000 && strings.Contains(t.words, "softmax=6 ") {
		return transport.Choice{}, &transport.Difference{Events: 2000, Event: "packet of flow 0", Conn: conn, Now: now, Names: [2]string{"rtl", "golden"}, Said: [2]any{"0x1", "0x2"}}
	}
	return t.Tracker.Segment(conn, seq, now)
}

func (t *toySpray) Close() error {
	if strings.Contains(t.words, "softmax=7 ") {
		return errors.New("model does not stop")
	}
	return nil
}

// toyTransport computes windows in floating point, whatever the model. With an increase of
// 666 bytes its RTL is wrong in the end, and with 667 bytes the RTL of host 0 cannot be
// closed.
func toyTransport(ctx context.Context, m transport.Model, h *transport.Host) (transport.Transport, error) {
	t, err := powertcp.Transport(ctx, transport.Float, h)
	if err != nil || m != transport.RTL {
		return t, err
	}
	rtl, err := powertcp.Transport(ctx, transport.Float, h)
	return transport.Lockstep(&toyRTL{Transport: rtl, words: h.Settings + " ", host: h.Number}, "rtl", t, "golden"), err
}

type toyRTL struct {
	transport.Transport
	words string
	host  int
	acks  int
}

func (t *toyRTL) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	g, err := t.Transport.Ack(conn, a)
	if t.acks++; t.acks > 100 && strings.Contains(t.words, "beta=666 ") {
		g.Window = 4242
	}
	return g, err
}

func (t *toyRTL) Close() error {
	if t.host == 0 && strings.Contains(t.words, "beta=667 ") {
		return errors.New("model does not stop")
	}
	return nil
}

// buggy is a toy counter that forgets to reset.
type buggy struct{ *toy.Params }

func (b buggy) Files() ([]gen.File, error) {
	files, err := b.Params.Files()
	for i := range files {
		files[i].Text = strings.Replace(files[i].Text, "if (rst) count_q", "if (rst && !cfg_enable) count_q", 1)
	}
	return files, err
}

// bench is the toy counter's bench.
type bench struct {
	cfg gen.Config
	p   *toy.Params
	rec []step // a recorded trace instead of random stimulus
}

type step struct{ enable, count uint64 }

func newBench(cfg gen.Config, p *toy.Params) *bench { return &bench{cfg: cfg, p: p} }

func toyBench(cfg gen.Config) (cosim.Bench, error) { return newBench(cfg, cfg.(*toy.Params)), nil }

// toyTrace reads the columns enable and count.
func toyTrace(cfg gen.Config, name string, r io.Reader) (cosim.Bench, error) {
	b := newBench(cfg, cfg.(*toy.Params))
	err := tb.ReadTrace(r, []string{"enable", "count"}, func(row *tb.Row) error {
		b.rec = append(b.rec, step{row.Number("enable", 1, ""), row.Number("count", 64, "")})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return b, nil
}

func (b *bench) Source() cosim.Source {
	files, err := b.cfg.Files()
	if err != nil {
		panic(err)
	}
	s := cosim.Source{Top: b.cfg.Top()}
	for _, f := range files {
		s.Files = append(s.Files, cosim.File{Name: f.Name, Text: f.Text})
	}
	return s
}

func (b *bench) NewStimulus(l *cosim.Layout, seed uint64) (cosim.Stimulus, error) {
	s := &stimulus{b: b, rnd: rand.New(rand.NewPCG(seed, 0)), rst: l.MustSlot("rst"), limit: l.MustSlot("cfg_limit_ns"),
		enable: l.MustSlot("cfg_enable"), dir: l.MustSlot("cfg_direction")}
	if b.rec != nil {
		return recorded{s}, nil
	}
	return s, nil
}

type stimulus struct {
	cosim.Autonomous
	b                       *bench
	rnd                     *rand.Rand
	rst, limit, enable, dir cosim.Slot
	n                       int
}

func (s *stimulus) Next(in []uint64) {
	s.limit.Set(in, uint64(s.b.p.LimitNS))
	if s.b.rec != nil {
		s.enable.Set(in, s.b.rec[s.n].enable)
		s.n++
		return
	}
	if s.rnd.IntN(50) == 0 {
		s.rst.Set(in, 1)
	}
	s.enable.Set(in, s.rnd.Uint64N(2))
	s.dir.Set(in, s.rnd.Uint64N(8)/3)
}

// recorded makes a stimulus end with the trace.
type recorded struct{ *stimulus }

func (r recorded) Hooks() cosim.StimulusHooks { return cosim.StimulusHooks{Cycles: len(r.b.rec)} }

func (b *bench) NewPredictor(l *cosim.Layout, _ bool) (cosim.Predictor, error) {
	return &predictor{b: b, rst: l.MustSlot("rst"), enable: l.MustSlot("cfg_enable"), dir: l.MustSlot("cfg_direction"), out: l.MustSlot("m_count")}, nil
}

func (b *bench) Points() []cosim.Point {
	return []cosim.Point{
		{Name: "count/limit", Doc: "The counter is at its limit.", Required: b.rec == nil},
		{Name: "reset", Doc: "A reset while it counts."},
	}
}

type predictor struct {
	b                     *bench
	rst, enable, dir, out cosim.Slot
	count, events         uint64
	hits                  [2]uint64
	n                     int
	wrong                 error
}

func (p *predictor) Step(in, want, care []uint64) {
	mask := uint64(1)<<p.b.p.Bits - 1
	shown := p.count
	if p.b.p.Style == "gray" {
		shown ^= shown >> 1
	}
	p.out.Set(want, shown)
	p.out.Set(care, mask)
	if p.b.rec != nil && p.n < len(p.b.rec) {
		if r := p.b.rec[p.n]; r.count != shown && p.wrong == nil {
			p.wrong = fmt.Errorf("line %d: the trace has count %d, the model %d", p.n+2, r.count, shown)
		}
		p.n++
	}
	rst := p.rst.Get(in) == 1
	if p.count >= uint64(p.b.p.LimitNS) {
		p.hits[0]++
	}
	if rst && p.count > 0 {
		p.hits[1]++
	}
	if p.enable.Get(in) == 1 {
		p.events++
		switch p.dir.Get(in) {
		case 0:
			if p.count < uint64(p.b.p.LimitNS) {
				p.count = (p.count + uint64(p.b.p.Step)) & mask
			} else if p.b.p.Wrap {
				p.count = 0
			}
		case 1:
			p.count = (p.count - uint64(p.b.p.Step)) & mask
		}
	}
	if rst {
		p.count = 0
	}
}

func (p *predictor) Hits() []uint64          { return p.hits[:] }
func (p *predictor) Events() uint64          { return p.events }
func (p *predictor) Explain([]uint64) string { return fmt.Sprintf("next count %d", p.count) }
func (p *predictor) Hooks() cosim.PredictorHooks {
	return cosim.PredictorHooks{Verdict: func() error { return p.wrong }}
}
