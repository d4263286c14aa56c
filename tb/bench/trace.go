// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/gunzip"
)

// Limits of a trace, and so of the memory that a hostile file can take.
const (
	traceRows = 10_000_000
	traceText = 512 << 20 // bytes of its text, unpacked
)

// Recorded is a bench that plays a trace in place of random traffic. What the trace says
// of an answer is checked against the golden model, and the RTL against the model.
type Recorded[P Params] struct {
	*Bench[P]
	// Play returns the stimulus, whose hooks say how many cycles it has.
	Play func(l *cosim.Layout) (cosim.Stimulus, error)
	// Watch returns the golden model, whose hooks have a verdict.
	Watch func(l *cosim.Layout) (cosim.Predictor, error)
}

// NewStimulus implements cosim.Bench. The seed does not matter.
func (r *Recorded[P]) NewStimulus(l *cosim.Layout, _ uint64) (cosim.Stimulus, error) {
	return r.Play(l)
}

// NewPredictor implements cosim.Bench.
func (r *Recorded[P]) NewPredictor(l *cosim.Layout, _ bool) (cosim.Predictor, error) {
	return r.Watch(l)
}

// Points implements cosim.Bench: a trace need not reach anything in particular.
func (r *Recorded[P]) Points() []cosim.Point {
	list := r.Bench.Points()
	for i := range list {
		list[i].Required = false
	}
	return list
}

// Playback is a stimulus with a number of cycles; Drive sets the inputs of each.
type Playback struct {
	Length int
	Drive  func(cycle int, in []uint64)
	at     int
}

// Hooks implements cosim.Stimulus.
func (p *Playback) Hooks() cosim.StimulusHooks { return cosim.StimulusHooks{Cycles: p.Length} }

// Next implements cosim.Stimulus.
func (p *Playback) Next(in []uint64) {
	p.Drive(p.at, in)
	p.at++
}

// Comparison counts the answers of a trace that the golden model gives too. Verdict is a hook of a
// predictor.
type Comparison struct {
	Trace string // its name
	What  string // name of the compared values: "recorded windows"
	Equal int
	Wrong int
	first string
}

// Check counts an answer; describe tells how a wrong one differs.
func (c *Comparison) Check(equal bool, line int, describe func() string) {
	if equal {
		c.Equal++
		return
	}
	if c.Wrong++; c.Wrong == 1 {
		c.first = fmt.Sprintf("line %d: %s", line, describe())
	}
}

// Hooks returns the hooks of a predictor that plays a trace: the golden model's, with the verdict and an
// account of what was equal.
func (c *Comparison) Hooks(golden cosim.PredictorHooks, account func() string) cosim.PredictorHooks {
	golden.Verdict, golden.Account = c.Verdict, account
	return golden
}

// Verdict returns nil if the golden model gave every recorded answer.
func (c *Comparison) Verdict() error {
	if c.Wrong == 0 {
		return nil
	}
	return fmt.Errorf("%s: %d %s are not what the model gives with this configuration; %s", c.Trace, c.Wrong, c.What, c.first)
}

// ReadTrace reads a trace: CSV, plain or compressed by gzip, with a line that names the
// columns and one for each event. It calls event for each of these; what the row then
// refuses, or the error that event returns, ends the reading. Errors name the line.
func ReadTrace(r io.Reader, columns []string, event func(*Row) error) error {
	in, err := Unpack(r)
	if err != nil {
		return err
	}
	text := &io.LimitedReader{R: in, N: traceText + 1}
	lines := csv.NewReader(text)
	lines.FieldsPerRecord = len(columns)
	lines.ReuseRecord = true
	want := strings.Join(columns, ",")
	head, err := lines.Read()
	switch {
	case err == io.EOF:
		return fmt.Errorf("empty file, want the header %s", want)
	case err != nil && len(head) == 0:
		return fmt.Errorf("damaged header: %w", err)
	case strings.TrimPrefix(strings.Join(head, ","), "\ufeff") != want: // spreadsheets write a byte-order mark
		return fmt.Errorf("line 1: found the header %q, want %q", strings.Join(head, ","), want)
	}
	row := &Row{columns: columns}
	for n := 0; ; n++ {
		cells, err := lines.Read()
		switch {
		case text.N == 0:
			return fmt.Errorf("more than %d bytes of text, allowed: at most that", traceText)
		case err == io.EOF && n == 0:
			return errors.New("no events")
		case err == io.EOF:
			return nil
		case errors.Is(err, csv.ErrFieldCount):
			line, _ := lines.FieldPos(0)
			return fmt.Errorf("line %d: found %d columns, want %d: %s", line, len(cells), len(columns), want)
		case err != nil:
			return fmt.Errorf("damaged file: %w", err)
		}
		row.cells = cells
		row.Line, _ = lines.FieldPos(0)
		if n >= traceRows {
			return fmt.Errorf("line %d: more than %d events, allowed: at most that", row.Line, traceRows)
		}
		if err := event(row); row.err == nil && err != nil {
			row.err = fmt.Errorf("line %d: %w", row.Line, err)
		}
		if row.err != nil {
			return row.err
		}
	}
}

// Unpack returns the text of a file that may be compressed by gzip.
func Unpack(r io.Reader) (io.Reader, error) {
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); !gunzip.Is(magic) {
		return b, nil
	}
	z, err := gunzip.New(b)
	if err != nil {
		return nil, fmt.Errorf("damaged gzip header: %w", err)
	}
	return gunzip.Strict(z), nil
}

// Row is one event of a trace. Its methods read a column by its name; the first value
// that is not allowed is remembered, and ends the reading of the trace.
type Row struct {
	Line    int
	columns []string
	cells   []string
	last    uint64 // time of the row before
	err     error
}

// Text returns the value of a column as written.
func (r *Row) Text(column string) string { return r.cells[slices.Index(r.columns, column)] }

// Refuse notes that the value of a column is not allowed, and says what is.
func (r *Row) Refuse(column, format string, args ...any) {
	if r.err == nil {
		r.err = fmt.Errorf("line %d, %s: found %q, allowed: %s", r.Line, column, r.Text(column), fmt.Sprintf(format, args...))
	}
}

// Number returns a whole number with at most the given number of bits; why names the
// parameter that sets the limit, and may be empty.
func (r *Row) Number(column string, bits int64, why string) uint64 {
	x, err := strconv.ParseUint(r.Text(column), 10, 64)
	if err != nil || bits < 64 && x>>bits != 0 {
		if why != "" {
			why = " (" + why + ")"
		}
		r.Refuse(column, "a whole number below 2^%d%s", bits, why)
	}
	return x
}

// Time returns a number that is never below the previous row's.
func (r *Row) Time(column string, bits int64, why string) uint64 {
	x := r.Number(column, bits, why)
	if x < r.last {
		r.Refuse(column, "at least %d, the time of the event before", r.last)
	}
	r.last = x
	return x
}

// Flag is 1, or 0 or nothing.
func (r *Row) Flag(column string) bool {
	s := r.Text(column)
	if s != "" && s != "0" && s != "1" {
		r.Refuse(column, "0, 1 or nothing")
	}
	return s == "1"
}

// Word is the place of the value of a column among some words.
func (r *Row) Word(column string, words ...string) int {
	i := slices.Index(words, r.Text(column))
	if i < 0 {
		n := len(words) - 1
		r.Refuse(column, "%s or %s", strings.Join(words[:n], ", "), words[n])
	}
	return i
}

// Expected is a row's expected answer: a number, with the relative tolerance of the answer,
// in millionths.
type Expected struct {
	Value float64
	PPM   float64
	Known bool // the row says something
}

// Expected reads the number of one column, which may be empty, and its tolerance in
// another one, where nothing is 0.
func (r *Row) Expected(value, tolerance string) Expected {
	decimal := func(column string) (x float64) {
		s := r.Text(column)
		if s == "" {
			return 0
		}
		x, err := strconv.ParseFloat(s, 64)
		if err != nil || !(x >= 0 && x <= 1e18) {
			r.Refuse(column, "a number from 0 to 10^18, or nothing")
		}
		return x
	}
	e := Expected{decimal(value), decimal(tolerance), r.Text(value) != ""}
	if r.Text(tolerance) != "" && !e.Known {
		r.Refuse(tolerance, "nothing where %s is empty", value)
	}
	return e
}

// Off is the part of the expected number by which x differs from it, in millionths.
func (e *Expected) Off(x float64) float64 {
	d := max(x-e.Value, e.Value-x)
	if d == 0 {
		return 0
	}
	return 1e6 * d / e.Value
}

// Names numbers the names of a column in the order in which they appear.
type Names struct {
	// Limit is the maximum number of names: the value of Parameter.
	Limit     int64
	Parameter string
	index     map[string]uint32
}

// Len returns the number of names.
func (n *Names) Len() int { return len(n.index) }

// Known is the number of the name in a column, which must have been there before.
func (n *Names) Known(r *Row, column string) uint32 {
	x, ok := n.index[r.Text(column)]
	if !ok {
		r.Refuse(column, "a name that was there before")
	}
	return x
}

// Number is the number of the name in a column.
func (n *Names) Number(r *Row, column string) uint32 {
	name := r.Text(column)
	x, ok := n.index[name]
	if ok {
		return x
	}
	if int64(len(n.index)) >= n.Limit {
		r.Refuse(column, "a name that was there before: %s is %d", n.Parameter, n.Limit)
		return 0
	}
	if n.index == nil {
		n.index = map[string]uint32{}
	}
	x = uint32(len(n.index))
	n.index[strings.Clone(name)] = x
	return x
}
