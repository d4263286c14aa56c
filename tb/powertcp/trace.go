// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// Header is the first line of a trace; docs/units/powertcp.md describes the columns.
var Header = []string{"time_ns", "conn", "op", "seq", "snd_nxt", "path", "rtt_ns", "hops", "window_bytes", "window_ppm"}

// record is one line of a trace.
type record struct {
	line   int
	flush  bool
	ack    Ack // its connection counts for a flush too
	window bench.Expected
}

// trace is recorded ACKs: the model's windows must be the recorded ones, as nearly as the
// recording says, and the RTL must equal the model.
type trace struct {
	p       *params.Params
	name    string
	records []record
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
	pathBits, why := t.p.PathBits, "path_bits"
	if pathBits > 16 {
		pathBits, why = 16, ""
	}
	return bench.ReadTrace(r, Header, func(row *bench.Row) error {
		e := record{line: row.Line}
		e.ack.Now = row.Time("time_ns", 64, "")
		e.ack.Conn = conns.Number(row, "conn")
		if e.flush = row.Word("op", "ACK", "FLUSH") == 1; e.flush {
			t.records = append(t.records, e)
			return nil
		}
		e.ack.Seq, e.ack.SndNxt = uint32(row.Number("seq", 32, "")), uint32(row.Number("snd_nxt", 32, ""))
		e.ack.Path = uint16(row.Number("path", pathBits, why))
		if t.p.HasRTT() && row.Text("rtt_ns") != "" {
			e.ack.RTT = row.Number("rtt_ns", 64, "")
		}
		if t.p.HasINT() {
			e.ack.Hops = t.hops(row)
		}
		e.window = row.Expected("window_bytes", "window_ppm")
		t.records = append(t.records, e)
		return nil
	})
}

// hops reads the telemetry of an ACK: QLEN/TX/TIME/RATE of each hop.
func (t *trace) hops(row *bench.Row) []Hop {
	var list []Hop
	for _, text := range strings.Fields(row.Text("hops")) {
		var v [4]uint64
		cells := strings.Split(text, "/")
		ok := len(cells) == len(v) && len(list) < 1<<params.HopCntBits-1
		for i := 0; ok && i < len(v); i++ {
			var err error
			v[i], err = strconv.ParseUint(cells[i], 10, 64)
			ok = err == nil
		}
		if !ok || v[3]>>t.p.RateBits != 0 {
			row.Refuse("hops", "QLEN/TX/TIME/RATE of each of at most %d hops, with spaces between them: bytes, bytes, ns and a code below 2^%d (rate_bits)",
				1<<params.HopCntBits-1, t.p.RateBits)
			return nil
		}
		list = append(list, Hop{QLen: v[0], Tx: v[1], TS: v[2], Rate: int(v[3])})
	}
	return list
}

// player offers the records one after the other, each as soon as the unit takes it.
type player struct {
	t     *trace
	front front
	cycle int
	next  int // record
}

// traceReset is the number of cycles of reset.
const traceReset = 2

// step returns the event offered in the next cycle, if any, and the beat.
func (s *player) step() (e *record, beat int) {
	o := offer{rst: s.cycle < traceReset}
	s.cycle++
	if !s.front.ready || s.next == len(s.t.records) {
		s.front.step(&o)
		return nil, 0
	}
	e, beat = &s.t.records[s.next], s.front.next
	o.ack, o.ackConn, o.beats = !e.flush, e.ack.Conn, len(e.ack.Hops)
	o.flush, o.flushConn = e.flush, e.ack.Conn
	if s.front.step(&o); o.last || o.flushed {
		s.next++
	}
	return e, beat
}

// play drives the records, and waits for the last window.
func (t *trace) play(l *cosim.Layout) (cosim.Stimulus, error) {
	var x wires
	if err := x.bind(t.p, l); err != nil {
		return nil, err
	}
	set, err := bench.SettingsOf(params.SettingPorts, t.p)
	if err != nil {
		return nil, err
	}
	dry := player{t: t, front: newFront(t.p)}
	for dry.next < len(t.records) {
		dry.step()
	}
	s := player{t: t, front: newFront(t.p)}
	return &bench.Playback{Length: dry.cycle + t.p.WindowLatency() + 2, Drive: func(cycle int, in []uint64) {
		x.set.Set(in, &set)
		if cycle < traceReset {
			x.rst.Raise(in)
		}
		switch e, beat := s.step(); {
		case e == nil:
		case e.flush:
			x.flushes.Drive(in, &params.Flush{Conn: e.ack.Conn})
		default:
			x.time.Drive(in, &params.Time{Now: e.ack.Now})
			ack := e.ack.Beat(t.p, beat)
			x.acks.Drive(in, &ack)
		}
	}}, nil
}

func (t *trace) watch(l *cosim.Layout) (cosim.Predictor, error) {
	f, err := newFrame(t.p, l, false)
	if err != nil {
		return nil, err
	}
	w := &witness{Frame: f, Comparison: bench.Comparison{Trace: t.name, What: "recorded windows"}, records: t.records}
	return w, bench.Wire(unitName, l, t.p.Contract(), bench.WireOut(params.Windows, &w.windows))
}

// witness compares the model's windows with the recorded ones.
type witness struct {
	*bench.Frame
	bench.Comparison
	windows bench.Wires[params.Window]
	records []record // that are not answered yet
	most    float64  // by which a window was off, in ppm
}

// Step implements cosim.Predictor.
func (w *witness) Step(in, want, care []uint64) {
	w.Frame.Step(in, want, care)
	var a params.Window
	if !w.windows.Read(want, &a) {
		return
	}
	for w.records[0].flush {
		w.records = w.records[1:]
	}
	e := &w.records[0]
	w.records = w.records[1:]
	if !e.window.Known {
		return
	}
	window := float64(a.Bytes) / (1 << model.WindowFrac)
	off := e.window.Off(window)
	w.most = max(w.most, off)
	w.Check(off <= e.window.PPM, e.line, func() string {
		return fmt.Sprintf("ACK at %d ns: recorded window %g bytes, to be met to %g ppm; the model gives %.3f, off by %.3g ppm",
			e.ack.Now, e.window.Value, e.window.PPM, window, off)
	})
}

// Hooks implements cosim.Predictor.
func (w *witness) Hooks() cosim.PredictorHooks { return w.Comparison.Hooks(w.Frame.Hooks(), w.account) }

func (w *witness) account() string {
	return fmt.Sprintf("%d recorded windows: all met by model and RTL, off by at most %.3g ppm", w.Equal, w.most)
}
