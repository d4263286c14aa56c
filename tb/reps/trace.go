// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"errors"
	"fmt"
	"io"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// Header is the first line of a trace; docs/units/reps.md describes the columns.
var Header = []string{"time_ns", "conn", "op", "ev", "ecn", "random"}

// event is one line of a trace.
type event struct {
	time   uint64
	conn   uint32
	kind   uint8 // kindAck, kindFail, kindSend
	ev     uint32
	ecn    bool
	random bool
	line   int
}

// trace is recorded traffic: the model must give every recorded EV that was not drawn at
// random, and the RTL must equal the model.
type trace struct {
	p      *params.Params
	name   string
	cycles [][]event // events of each cycle after the reset, in order of action
}

// NewTrace reads a trace. Errors name the line.
func NewTrace(cfg gen.Config, name string, r io.Reader) (cosim.Bench, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	if p.Coalescing != params.None {
		return nil, fmt.Errorf("%s: a trace has one EV in an ACK: ack_coalescing is %s, want none", name, p.Coalescing)
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
	var last event
	err := bench.ReadTrace(r, Header, func(row *bench.Row) error {
		if row.Text("op") == "NACK" {
			return nil
		}
		e := t.event(row, &conns)
		// Events of one moment share a cycle as long as ACK, FAIL, SEND is their order.
		if len(t.cycles) == 0 || e.time != last.time || e.kind <= last.kind {
			t.cycles = append(t.cycles, nil)
		}
		c := &t.cycles[len(t.cycles)-1]
		*c = append(*c, e)
		last = e
		return nil
	})
	if err == nil && len(t.cycles) == 0 {
		err = errors.New("no events")
	}
	return err
}

func (t *trace) event(row *bench.Row, conns *bench.Names) event {
	e := event{
		line: row.Line,
		time: row.Time("time_ns", t.p.TimerBits, "timer_bits"),
		conn: conns.Number(row, "conn"),
		ecn:  row.Flag("ecn"), random: row.Flag("random"),
	}
	switch row.Text("op") {
	case "ACK":
		e.kind = kindAck
	case "FAIL":
		e.kind = kindFail
		return e
	case "SEND":
		e.kind = kindSend
	default:
		row.Refuse("op", "ACK, NACK, FAIL or SEND")
	}
	e.ev = uint32(row.Number("ev", int64(t.p.WireBits()), ""))
	if int64(t.of(e.ev)) >= 1<<t.p.EVSBits {
		row.Refuse("ev", "an EV of the set: evs_bits is %d, ev_base %d", t.p.EVSBits, t.p.EVBase)
	}
	return e
}

// of is the EV of the set that one on the wire stands for.
func (t *trace) of(wire uint32) uint32 {
	return (wire - uint32(t.p.EVBase)) & (1<<t.p.WireBits() - 1)
}

// traceReset is the number of cycles before the first event: the reset, and the
// time until the unit is ready.
func (t *trace) traceReset() int { return 2 + 2*int(t.p.Rows()) + 2 }

// play drives the recorded events, and waits for the last answers.
func (t *trace) play(l *cosim.Layout) (cosim.Stimulus, error) {
	set, err := bench.SettingsOf(params.SettingPorts, t.p)
	if err != nil {
		return nil, err
	}
	for i := range set.Mode {
		set.Mode[i] = set.Mode[0]
	}
	var x wires
	return &bench.Playback{Length: t.traceReset() + len(t.cycles) + t.p.SendLatency() + 1, Drive: func(cycle int, in []uint64) {
		x.set.Drive(in, &set)
		t.drive(&x, cycle-t.traceReset(), in)
	}}, x.bind(t.p, l)
}

// drive sets the inputs of a cycle, counted from the first event.
func (t *trace) drive(x *wires, at int, in []uint64) {
	if at < 2-t.traceReset() {
		x.rst.Raise(in)
	}
	if at < 0 || at >= len(t.cycles) {
		return
	}
	x.time.Drive(in, &params.Time{Now: t.cycles[at][0].time})
	for _, e := range t.cycles[at] {
		switch e.kind {
		case kindAck:
			x.acks.Drive(in, &params.ACK{Conn: e.conn, EV: e.ev, ECN: e.ecn})
		case kindFail:
			x.fails.Drive(in, &params.Fail{Conn: e.conn})
		case kindSend:
			s := params.Send{Conn: e.conn, Inject: e.random}
			if e.random {
				s.Random = t.of(e.ev)
			}
			x.sends.Drive(in, &s)
		}
	}
}

func (t *trace) watch(l *cosim.Layout) (cosim.Predictor, error) {
	p, err := newPredictor(t.p, l, false)
	if err != nil {
		return nil, err
	}
	w := &witness{Predictor: p, Comparison: bench.Comparison{Trace: t.name, What: "recorded SENDs"}}
	for _, c := range t.cycles {
		for _, e := range c {
			if e.kind == kindSend {
				w.sends = append(w.sends, e)
			}
		}
	}
	return w, w.x.bind(t.p, l)
}

// witness compares the model's EVs with the recorded ones.
type witness struct {
	cosim.Predictor
	bench.Comparison
	x      wires
	sends  []event // that are not answered yet
	random int     // recorded EVs that were drawn at random, and by the model too
}

// Step implements cosim.Predictor.
func (w *witness) Step(in, want, care []uint64) {
	w.Predictor.Step(in, want, care)
	var a params.Answer
	if !w.x.answers.Read(want, &a) {
		return
	}
	e := w.sends[0]
	w.sends = w.sends[1:]
	ev, src := a.EV, model.Source(a.Source)
	drawn := src == model.Explored || src == model.Oblivious
	if ev == e.ev && drawn && e.random {
		w.random++
	}
	w.Check(ev == e.ev && drawn == e.random, e.line, func() string {
		how := map[bool]string{true: "drawn at random", false: "from the buffer"}
		return fmt.Sprintf("SEND at %d ns: recorded EV %d, %s; the model gives %d, %v", e.time, e.ev, how[e.random], ev, src)
	})
}

// Hooks implements cosim.Predictor.
func (w *witness) Hooks() cosim.PredictorHooks {
	return w.Comparison.Hooks(w.Predictor.Hooks(), w.account)
}

func (w *witness) account() string {
	return fmt.Sprintf("%d recorded SENDs: %d EVs from the buffer, all equal in recording, model and RTL; %d drawn at random, injected",
		w.Equal, w.Equal-w.random, w.random)
}
