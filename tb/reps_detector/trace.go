// SPDX-License-Identifier: Apache-2.0

package repsdetector

import (
	"fmt"
	"io"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	model "github.com/nicgen/nicgen/model/reps_detector"
	"github.com/nicgen/nicgen/tb/bench"
)

// Header is the first line of a trace; docs/units/reps_detector.md describes the columns.
var Header = []string{"time_ns", "conn", "op", "rtt_ns", "verdict"}

// Events of a trace, in the order in which they act within a cycle.
const (
	opRecordedRTT = iota
	opRecordedFlush
	opRecordedTimeout
)

// record is one line of a trace.
type record struct {
	line    int
	op      int
	time    uint64
	conn    uint32
	rtt     uint64
	verdict string // of a timeout; empty: not checked
}

// trace is recorded RTTs and timeouts: the model must give every recorded verdict, and
// the RTL must equal the model.
type trace struct {
	p      *params.Params
	name   string
	cycles [][]record // events of each cycle after the reset
}

// NewTrace reads a trace. Errors name the line.
func NewTrace(cfg gen.Config, name string, r io.Reader) (cosim.Bench, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	t := &trace{p: p, name: name}
	if err := t.read(r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	b := &bench.Recorded[*params.Params]{Bench: Unit.Bench(p), Play: t.play, Watch: t.watch}
	return b, b.Prepare()
}

func (t *trace) read(r io.Reader) error {
	conns := bench.Names{Limit: t.p.Connections, Parameter: "connections"}
	var last record
	return bench.ReadTrace(r, Header, func(row *bench.Row) error {
		e := record{
			line: row.Line,
			time: row.Time("time_ns", t.p.TimerBits, "timer_bits"),
			conn: conns.Number(row, "conn"),
			op:   row.Word("op", "RTT", "FLUSH", "TIMEOUT"),
		}
		switch e.op {
		case opRecordedRTT:
			// A port cannot carry more than all ones, which is never low.
			e.rtt = min(row.Number("rtt_ns", 64, ""), 1<<t.p.RTTBits-1)
		case opRecordedTimeout:
			e.verdict = row.Text("verdict")
			if e.verdict != "" && e.verdict != model.Failure.String() && e.verdict != model.Congestion.String() {
				row.Refuse("verdict", "%v, %v or nothing", model.Failure, model.Congestion)
			}
		}
		// A timeout shares a cycle with an RTT or a flush of the same moment before it.
		if len(t.cycles) == 0 || e.time != last.time || e.op != opRecordedTimeout || last.op == opRecordedTimeout {
			t.cycles = append(t.cycles, nil)
		}
		c := &t.cycles[len(t.cycles)-1]
		*c = append(*c, e)
		last = e
		return nil
	})
}

// traceReset is the number of cycles before the first event: the reset, and the time
// until the unit is ready.
func (t *trace) traceReset() int { return 2 + int(t.p.Connections) + 2 }

// play drives the recorded events, and waits for the last verdicts.
func (t *trace) play(l *cosim.Layout) (cosim.Stimulus, error) {
	var x wires
	err := x.bind(t.p, l)
	set := params.Settings{Trimming: t.p.Trimming, Threshold: uint64(t.p.RTTThresholdNS), Window: uint64(t.p.WindowNS)}
	length := t.traceReset() + len(t.cycles) + params.VerdictLatency + 1
	return &bench.Playback{Length: length, Drive: func(cycle int, in []uint64) {
		x.set.Drive(in, &set)
		t.drive(&x, cycle, in)
	}}, err
}

func (t *trace) drive(x *wires, cycle int, in []uint64) {
	if cycle < 2 {
		x.rst.Raise(in)
	}
	at := cycle - t.traceReset()
	if at < 0 || at >= len(t.cycles) {
		return
	}
	x.time.Drive(in, &params.Time{Now: t.cycles[at][0].time})
	for _, e := range t.cycles[at] {
		switch e.op {
		case opRecordedRTT:
			x.rtts.Drive(in, &params.RTT{Conn: e.conn, NS: e.rtt})
		case opRecordedFlush:
			x.flushes.Drive(in, &params.Flush{Conn: e.conn})
		case opRecordedTimeout:
			x.timeouts.Drive(in, &params.Timeout{Conn: e.conn})
		}
	}
}

func (t *trace) watch(l *cosim.Layout) (cosim.Predictor, error) {
	p, err := newPredictor(t.p, l, false)
	if err != nil {
		return nil, err
	}
	w := &witness{Predictor: p, Comparison: bench.Comparison{Trace: t.name, What: "recorded verdicts"}}
	for _, c := range t.cycles {
		for _, e := range c {
			if e.op == opRecordedTimeout {
				w.timeouts = append(w.timeouts, e)
			}
		}
	}
	return w, w.x.bind(t.p, l)
}

// witness compares the model's verdicts with the recorded ones.
type witness struct {
	cosim.Predictor
	bench.Comparison
	x        wires
	timeouts []record // that are not answered yet
	failures int      // timeouts that the recording and the model both call failures
}

// Step implements cosim.Predictor.
func (w *witness) Step(in, want, care []uint64) {
	w.Predictor.Step(in, want, care)
	var a params.Verdict
	if !w.x.verdicts.Read(want, &a) {
		return
	}
	e := w.timeouts[0]
	w.timeouts = w.timeouts[1:]
	if e.verdict == "" {
		return
	}
	cause := model.Cause(a.Cause)
	if e.verdict == cause.String() && cause == model.Failure {
		w.failures++
	}
	w.Check(e.verdict == cause.String(), e.line, func() string {
		return fmt.Sprintf("timeout at %d ns: recorded verdict %s; the model gives %v", e.time, e.verdict, cause)
	})
}

// Hooks implements cosim.Predictor.
func (w *witness) Hooks() cosim.PredictorHooks {
	return w.Comparison.Hooks(w.Predictor.Hooks(), w.account)
}

func (w *witness) account() string {
	return fmt.Sprintf("%d recorded verdicts: all equal in recording, model and RTL; %d failures, %d congestion",
		w.Equal, w.failures, w.Equal-w.failures)
}
