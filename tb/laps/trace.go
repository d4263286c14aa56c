// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"errors"
	"fmt"
	"io"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	model "github.com/nicgen/nicgen/model/laps"
	"github.com/nicgen/nicgen/tb/bench"
)

// Header is the first line of a trace; docs/units/laps.md describes the columns.
var Header = []string{"time_ns", "op", "destination", "path", "base_ns", "flow", "seq", "delay_ns", "rate", "rate_ppm"}

// Events of a trace.
const (
	opPath = iota // a path of the tables
	opOpen
	opPacket
	opAck
	opAnswer
)

// record is one line of a trace.
type record struct {
	line    int
	op      int
	now     uint64
	pair    int // destination
	path    int // -1: a packet of which the path is not checked
	segment model.Segment
	track   bool
	delay   uint64
	rate    bench.Expected
}

// trace is recorded packets, ACKs and answers to probes: the model must choose the
// recorded paths and give the recorded rates, as nearly as the recording says, and the RTL
// must equal the model.
type trace struct {
	p       *params.Params
	name    string
	net     *Routes
	tables  *Tables // of them
	records []record
}

// NewTrace reads a trace. Errors name the line.
func NewTrace(cfg gen.Config, name string, r io.Reader) (cosim.Bench, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	t := &trace{p: p, name: name, net: &Routes{}}
	if err := t.read(r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b := &bench.Recorded[*params.Params]{Bench: Unit.Bench(p), Play: t.play, Watch: t.watch}
	return b, b.Prepare()
}

func (t *trace) read(r io.Reader) error {
	names := names{
		destinations: bench.Names{Limit: t.p.Tables.Destinations, Parameter: "destinations"},
		paths:        bench.Names{Limit: t.p.Tables.Paths(), Parameter: "banks × rows"},
		flows:        bench.Names{Limit: t.p.Rate.Flows, Parameter: "flows"},
	}
	if err := bench.ReadTrace(r, Header, func(row *bench.Row) error { return t.row(row, &names) }); err != nil {
		return err
	}
	if len(t.records) == 0 {
		return errors.New("no events after the paths")
	}
	t.net.Flows = max(1, names.flows.Len())
	var err error
	t.tables, err = NewTables(t.p, t.net, 1)
	return err
}

// names maps the names in a trace to the unit's numbers.
type names struct {
	destinations, paths, flows bench.Names
	banks                      []int64 // of each destination, those that its further paths take
}

func (t *trace) row(row *bench.Row, names *names) error {
	e := record{line: row.Line, now: row.Time("time_ns", 64, ""), path: -1}
	e.op = row.Word("op", "PATH", "OPEN", "PACKET", "ACK", "ANSWER")
	if e.op != opPath && len(t.net.Paths) == 0 {
		row.Refuse("op", "PATH first")
	}
	switch e.op {
	case opPath:
		if len(t.records) > 0 {
			row.Refuse("op", "PATH before all others")
		}
		before := names.paths.Len()
		if names.paths.Number(row, "path"); names.paths.Len() == before {
			row.Refuse("path", "each path once")
		}
		pair := int(names.destinations.Number(row, "destination"))
		if pair == t.net.Pairs {
			t.net.Pairs++
			names.banks = append(names.banks, 0)
		} else if names.banks[pair]++; names.banks[pair] == t.p.Tables.Banks {
			row.Refuse("destination", "one with fewer than %d paths before: banks is %d", t.p.Tables.Banks, t.p.Tables.Banks)
		}
		base := uint32(row.Number("base_ns", t.p.Tables.LatBits, "lat_bits"))
		if base == 0 {
			row.Refuse("base_ns", "at least 1")
		}
		t.net.Paths = append(t.net.Paths, Path{Pair: pair, Base: base})
		return nil
	case opOpen:
		e.segment.Flow = names.flows.Number(row, "flow")
	case opPacket:
		e.pair = int(names.destinations.Known(row, "destination"))
		if row.Text("path") != "" {
			e.path = int(names.paths.Known(row, "path"))
		}
		if e.track = t.p.Loss && row.Text("seq") != ""; e.track {
			e.segment = t.number(row, names)
		}
	case opAck:
		e.path = int(names.paths.Known(row, "path"))
		e.segment.Flow = names.flows.Number(row, "flow")
		if row.Text("seq") != "" {
			e.segment = t.number(row, names)
		}
		e.delay = row.Number("delay_ns", 31, "")
	case opAnswer:
		e.path = int(names.paths.Known(row, "path"))
		e.delay = row.Number("delay_ns", 31, "")
	}
	if e.rate = row.Expected("rate", "rate_ppm"); e.rate.Known && e.op != opOpen && e.op != opAck {
		row.Refuse("rate", "nothing where op is not OPEN or ACK")
	}
	t.records = append(t.records, e)
	return nil
}

// segment reads a segment, whose loss can be noticed.
func (t *trace) number(row *bench.Row, names *names) model.Segment {
	bits, why := t.p.Detector.SeqBits, "seq_bits"
	if bits > 32 {
		bits, why = 32, ""
	}
	return model.Segment{Flow: names.flows.Number(row, "flow"), Seq: row.Number("seq", bits, why)}
}

// tape is the golden models of the parts as a device; it keeps the inputs.
type tape struct {
	l         *cosim.Layout
	predictor cosim.Predictor
	care      []uint64
	inputs    []uint64
}

// Layout implements Device.
func (t *tape) Layout() *cosim.Layout { return t.l }

// Run implements Device.
func (t *tape) Run(in, out []uint64) error {
	t.inputs = append(t.inputs, in...)
	clear(out)
	for ; len(in) > 0; in, out = in[t.l.InWords:], out[t.l.OutWords:] {
		clear(t.care)
		t.predictor.Step(in[:t.l.InWords], out[:t.l.OutWords], t.care)
	}
	return nil
}

// Close implements Device.
func (t *tape) Close() error { return nil }

// player turns the records into inputs, one record after the other: each is driven when
// the one before it is answered, as in the closed loop.
type player struct {
	t    *trace
	ask  *Driver
	tape *tape
	next int      // record
	left []uint64 // inputs that were not driven yet
}

func (t *trace) player(l *cosim.Layout) (*player, error) {
	m, err := newPredictor(t.p, l, true)
	if err != nil {
		return nil, err
	}
	s := &player{t: t, tape: &tape{l: l, predictor: m, care: make([]uint64, l.OutWords)}}
	s.ask, err = NewDriver(t.p, t.tables, s.tape, 1)
	s.left = s.tape.inputs
	return s, err
}

// step makes the inputs of the next record.
func (s *player) step() error {
	e := &s.t.records[s.next]
	s.next++
	s.tape.inputs = s.tape.inputs[:0]
	var err error
	switch e.op {
	case opOpen:
		_, err = s.ask.Open(int(e.segment.Flow), e.now)
	case opPacket:
		_, err = s.ask.Packet(&Packet{e.segment, e.pair, e.track, e.now})
	case opAck:
		_, err = s.ask.Ack(&Feedback{e.segment, e.path, e.delay, e.now})
	case opAnswer:
		err = s.ask.Answer(&Answer{e.path, e.delay, e.now})
	}
	s.left = s.tape.inputs
	if err != nil {
		return fmt.Errorf("%s: line %d: %w", s.t.name, e.line, err)
	}
	return nil
}

// play drives the records. How long that takes, and that each of them is answered, is
// known after a first time without the RTL.
func (t *trace) play(l *cosim.Layout) (cosim.Stimulus, error) {
	dry, err := t.player(l)
	if err != nil {
		return nil, err
	}
	words := len(dry.left)
	for dry.next < len(t.records) {
		if err := dry.step(); err != nil {
			return nil, err
		}
		words += len(dry.left)
	}
	s, err := t.player(l)
	if err != nil {
		return nil, err
	}
	return &bench.Playback{Length: words / l.InWords, Drive: func(_ int, in []uint64) {
		for len(s.left) == 0 {
			_ = s.step() // it went well the first time
		}
		copy(in, s.left)
		s.left = s.left[l.InWords:]
	}}, nil
}

func (t *trace) watch(l *cosim.Layout) (cosim.Predictor, error) {
	p, err := newPredictor(t.p, l, false)
	if err != nil {
		return nil, err
	}
	w := &witness{golden: p.(*golden), trace: t,
		rates: bench.Comparison{Trace: t.name, What: "recorded rates"}, paths: bench.Comparison{Trace: t.name, What: "recorded paths"}}
	for i := range t.records {
		switch e := &t.records[i]; e.op {
		case opOpen, opAck:
			w.rated = append(w.rated, e)
		case opPacket:
			w.sent = append(w.sent, e)
		}
	}
	return w, nil
}

// witness compares the model's paths and rates with the recorded ones.
type witness struct {
	*golden
	trace        *trace
	rated, sent  []*record // that are not answered yet
	rates, paths bench.Comparison
	most         float64 // by which a rate was off, in ppm
}

// Step implements cosim.Predictor.
func (w *witness) Step(in, want, care []uint64) {
	w.golden.Step(in, want, care)
	var rate lapsrate.Rate
	if w.x.rates.Read(want, &rate) {
		e := w.rated[0]
		w.rated = w.rated[1:]
		w.checkRate(e, float64(rate.Current))
	}
	var path lapspaths.Path
	if w.x.paths.Read(want, &path) {
		e := w.sent[0]
		if w.sent = w.sent[1:]; e.path >= 0 {
			pid := path.PID
			w.paths.Check(!path.None && pid == w.trace.tables.PID[e.path], e.line, func() string {
				return fmt.Sprintf("packet at %d ns: recorded path number %d; the model gives %d", e.now, w.trace.tables.PID[e.path], pid)
			})
		}
	}
}

func (w *witness) checkRate(e *record, rate float64) {
	if !e.rate.Known {
		return
	}
	off := e.rate.Off(rate)
	w.most = max(w.most, off)
	w.rates.Check(off <= e.rate.PPM, e.line, func() string {
		return fmt.Sprintf("%s at %d ns: recorded rate %g, to be met to %g ppm; the model gives %g, off by %.3g ppm",
			map[int]string{opOpen: "OPEN", opAck: "ACK"}[e.op], e.now, e.rate.Value, e.rate.PPM, rate, off)
	})
}

// Hooks implements cosim.Predictor.
func (w *witness) Hooks() cosim.PredictorHooks {
	h := w.golden.Hooks()
	h.Verdict = func() error { return errors.Join(w.paths.Verdict(), w.rates.Verdict()) }
	h.Account = w.account
	return h
}

func (w *witness) account() string {
	return fmt.Sprintf("%d recorded rates: all met by model and RTL, off by at most %.3g ppm; %d recorded paths: all equal",
		w.rates.Equal, w.most, w.paths.Equal)
}
