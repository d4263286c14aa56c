// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"bufio"
	"compress/gzip"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	model "github.com/nicgen/nicgen/model/reps"
	"github.com/nicgen/nicgen/tb/bench"
)

// Header is the first line of a trace. The columns are
//
//	time_ns  when it happened
//	conn     any name; connections are numbered in order of appearance
//	op       ACK, NACK (ignored), FAIL or SEND
//	ev       entropy value of an ACK or a SEND
//	ecn      1: the ACK was marked
//	random   1: the SEND's EV was drawn at random, any EV of the set is right
var Header = []string{"time_ns", "conn", "op", "ev", "ecn", "random"}

// Limits of a trace, and so of the memory that a hostile file can take.
const (
	traceLimit = 10_000_000 // events
	traceText  = 512 << 20  // bytes of its text, unpacked
)

// event is one line of a trace.
type event struct {
	time   uint64
	conn   uint32
	kind   uint8 // kindAck, kindFail, kindSend
	ev     uint16
	ecn    bool
	random bool
	line   int
}

// Trace is a bench that replays recorded traffic: the model must give every
// recorded EV that was not drawn at random, and the RTL must equal the model.
type Trace struct {
	*bench.Bench[*params.Params]
	name    string
	cycles  [][]event // what happens in each cycle after the reset, in order of action
	ignored int       // NACKs
	sends   int       // SENDs whose EV was not random
}

// NewTrace reads a trace, plain or compressed with gzip. Errors name the line.
func NewTrace(cfg gen.Config, name string, r io.Reader) (cosim.Bench, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	if p.Coalescing != params.None {
		return nil, fmt.Errorf("%s: a trace has one EV in an ACK: ack_coalescing is %s, want none", name, p.Coalescing)
	}
	t := &Trace{Bench: Unit.Bench(p), name: name}
	if err := t.read(r); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return t, t.Prepare()
}

func (t *Trace) read(r io.Reader) error {
	br := bufio.NewReader(r)
	if magic, _ := br.Peek(2); len(magic) == 2 && magic[0] == 0x1f && magic[1] == 0x8b {
		z, err := gzip.NewReader(br)
		if err != nil {
			return fmt.Errorf("damaged gzip header: %w", err)
		}
		defer z.Close()
		br = bufio.NewReader(z)
	}
	text := &io.LimitedReader{R: br, N: traceText + 1}
	in := csv.NewReader(text)
	in.FieldsPerRecord = len(Header)
	in.ReuseRecord = true
	head, err := in.Read()
	if err == io.EOF {
		return errors.New("empty file, want the header " + strings.Join(Header, ","))
	}
	if err != nil {
		return fmt.Errorf("damaged header: %w", err)
	}
	if got := strings.Join(head, ","); got != strings.Join(Header, ",") {
		return fmt.Errorf("line 1: header %q, want %q", got, strings.Join(Header, ","))
	}
	conns := map[string]uint32{}
	events := 0
	var last event
	for {
		f, err := in.Read()
		if text.N == 0 {
			return fmt.Errorf("more than %d bytes of text", traceText)
		}
		if err == io.EOF {
			break
		}
		if err != nil {
			return fmt.Errorf("damaged file: %w", err)
		}
		line, _ := in.FieldPos(0)
		if events++; events > traceLimit {
			return fmt.Errorf("line %d: more than %d events", line, traceLimit)
		}
		if f[2] == "NACK" {
			t.ignored++
			continue
		}
		e, err := t.event(f, conns)
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		e.line = line
		if len(t.cycles) > 0 && e.time < last.time {
			return fmt.Errorf("line %d: time %d ns is before that of the event before it, %d ns", line, e.time, last.time)
		}
		if e.kind == kindSend && !e.random {
			t.sends++
		}
		// Events of one moment share a cycle as long as ACK, FAIL, SEND is their order.
		if len(t.cycles) == 0 || e.time != last.time || e.kind <= last.kind {
			t.cycles = append(t.cycles, nil)
		}
		c := &t.cycles[len(t.cycles)-1]
		*c = append(*c, e)
		last = e
	}
	if len(t.cycles) == 0 {
		return errors.New("no events")
	}
	return nil
}

func (t *Trace) event(f []string, conns map[string]uint32) (event, error) {
	var e event
	var err error
	if e.time, err = strconv.ParseUint(f[0], 10, 64); err != nil || e.time>>t.P.TimerBits != 0 {
		return e, fmt.Errorf("time_ns %q, want a number below 2^%d (timer_bits)", f[0], t.P.TimerBits)
	}
	c, ok := conns[f[1]]
	if !ok {
		c = uint32(len(conns))
		if int64(c) >= t.P.Connections {
			return e, fmt.Errorf("conn %q is connection %d, but connections is %d", f[1], c+1, t.P.Connections)
		}
		conns[strings.Clone(f[1])] = c
	}
	e.conn = c
	ops := map[string]uint8{"ACK": kindAck, "FAIL": kindFail, "SEND": kindSend}
	if e.kind, ok = ops[f[2]]; !ok {
		return e, fmt.Errorf("op %q, want ACK, NACK, FAIL or SEND", f[2])
	}
	if e.kind != kindFail {
		ev, err := strconv.ParseUint(f[3], 10, 16)
		if err != nil {
			return e, fmt.Errorf("ev %q, want a number from 0 to 65535", f[3])
		}
		if int64(uint16(ev)-uint16(t.P.EVBase)) >= 1<<t.P.EVSBits {
			return e, fmt.Errorf("ev %d is not in the EV set: evs_bits is %d, ev_base %d", ev, t.P.EVSBits, t.P.EVBase)
		}
		e.ev = uint16(ev)
	}
	flag := func(name, s string, b *bool) error {
		if s != "" && s != "0" && s != "1" {
			return fmt.Errorf("%s %q, want 0, 1 or nothing", name, s)
		}
		*b = s == "1"
		return nil
	}
	if err := flag("ecn", f[4], &e.ecn); err != nil {
		return e, err
	}
	return e, flag("random", f[5], &e.random)
}

// traceReset is the number of cycles before the first event: the reset, and the
// time until the unit is ready.
func (t *Trace) traceReset() int { return 2 + 2*int(t.P.Connections) + 1 }

// NewStimulus implements cosim.Bench. The seed does not matter.
func (t *Trace) NewStimulus(l *cosim.Layout, _ uint64) (cosim.Stimulus, error) {
	x, err := newPins(t.P, l)
	return &playback{t: t, pins: x, at: -t.traceReset()}, err
}

// NewPredictor implements cosim.Bench.
func (t *Trace) NewPredictor(l *cosim.Layout) (cosim.Predictor, error) {
	p, err := newPredictor(t.P, l, false)
	return &witness{predictor: p, t: t, at: -t.traceReset()}, err
}

// Points implements cosim.Bench: a trace need not reach anything in particular.
func (t *Trace) Points() []cosim.Point {
	list := points(t.P)
	for i := range list {
		list[i].Required = false
	}
	return list
}

// playback drives the recorded events.
type playback struct {
	t    *Trace
	pins *pins
	at   int // cycle of the trace, negative before the first
}

// Cycles implements cosim.Finite: the trace, and the last answers.
func (s *playback) Cycles() int { return s.t.traceReset() + len(s.t.cycles) + params.SendLatency + 1 }

// Next implements cosim.Stimulus.
func (s *playback) Next(in []uint64) {
	x, p := s.pins, s.t.P
	mode := map[string]uint64{"reps": 0, "ops": 1, "ecmp": 2}[p.Mode]
	x.mode.Put(in, mode*0x5555)
	if p.Freezing {
		x.freezing.Raise(in)
	}
	x.timeout.Put(in, uint64(p.FreezingTimeoutNS))
	x.num.Put(in, uint64(p.NumPktsCwnd))
	x.base.Put(in, uint64(p.EVBase))
	if s.at < 2-s.t.traceReset() {
		x.rst.Raise(in)
	}
	if s.at >= 0 && s.at < len(s.t.cycles) {
		for _, e := range s.t.cycles[s.at] {
			x.now.Put(in, e.time)
			switch e.kind {
			case kindAck:
				x.ackValid.Raise(in)
				x.ackConn.Put(in, uint64(e.conn))
				x.ackEV.Put(in, uint64(e.ev))
				if e.ecn {
					x.ackECN.Raise(in)
				}
			case kindFail:
				x.failValid.Raise(in)
				x.failConn.Put(in, uint64(e.conn))
			case kindSend:
				x.sendValid.Raise(in)
				x.sendConn.Put(in, uint64(e.conn))
				if e.random {
					x.sendInject.Raise(in)
					x.sendRandom.Put(in, uint64(e.ev-uint16(p.EVBase)))
				}
			}
		}
	}
	s.at++
}

// witness compares the model's EVs with the recorded ones.
type witness struct {
	*predictor
	t     *Trace
	at    int
	equal [2]int // recorded SENDs that the model answers alike: from the buffer, at random
	wrong int
	first string
}

// Step implements cosim.Predictor.
func (w *witness) Step(in, want, care []uint64) {
	slot := w.cycle & 7
	w.predictor.Step(in, want, care)
	if w.at >= 0 && w.at < len(w.t.cycles) {
		for _, e := range w.t.cycles[w.at] {
			if e.kind == kindSend {
				w.compare(e, w.late[slot])
			}
		}
	}
	w.at++
}

func (w *witness) compare(e event, a late) {
	if a.sent && a.ev == e.ev && e.random == (a.src == model.Explored || a.src == model.Oblivious) {
		if e.random {
			w.equal[1]++
		} else {
			w.equal[0]++
		}
		return
	}
	if w.wrong++; w.wrong == 1 {
		how := map[bool]string{true: "drawn at random", false: "from the buffer"}
		w.first = fmt.Sprintf("line %d: SEND at %d ns: recorded EV %d, %s; the model gives %d, %v",
			e.line, e.time, e.ev, how[e.random], a.ev, a.src)
	}
}

// Verdict implements cosim.Judge.
func (w *witness) Verdict() error {
	if w.wrong == 0 {
		return nil
	}
	return fmt.Errorf("%s: %d recorded SENDs are not what the model gives with this configuration; %s", w.t.name, w.wrong, w.first)
}

// Account implements cosim.Accountant.
func (w *witness) Account() string {
	return fmt.Sprintf("%d recorded SENDs: %d EVs from the buffer, all equal in recording, model and RTL; %d drawn at random, injected",
		w.equal[0]+w.equal[1], w.equal[0], w.equal[1])
}
