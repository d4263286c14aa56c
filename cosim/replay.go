// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"sort"
	"strconv"
	"strings"
)

// Recording is the content of a replay file: everything that repeats a failure.
//
// The file is text, one item a line:
//
//	nicgen replay 1                      the format's version
//	# any comment
//	unit "reps"                          a JSON string
//	param evs_bits 8                     a JSON value; any number of these
//	seed 42                              of the device's state at power-up
//	expect mismatch m_ev 12              kind, port or file:line, and cycle of the failure
//	input s_ack_valid 1                  every input port with its width, in port order
//	cycles 13
//	at 0-2 rst=0x1                       inputs that are not zero in these cycles
//	at 5 s_ack_valid=0x1 s_ack_ev=0x2a
//	sha256 0123…                         of all bytes before this line
type Recording struct {
	Unit   string
	Params map[string]any // values are int64, bool, float64 or string
	Seed   uint64
	Expect Expectation
	Inputs []Slot // names and widths
	Cycles uint64

	lines []atLine
	name  string // of the file, for messages
}

// Expectation is the failure that a recording repeats.
type Expectation struct {
	Kind  string // Mismatch or Fault
	Where string // the port, or the source's file:line
	Cycle uint64
}

// atLine is one line of inputs: cycles from to to, and text values by port.
type atLine struct {
	number   int
	from, to uint64
	values   [][2]string
}

const (
	replayMagic   = "nicgen replay "
	replayVersion = 1
)

// newRecording records a stimulus.
func newRecording(l *Layout, unit string, params map[string]any, seed uint64, v []uint64, f *finding) *Recording {
	r := &Recording{Unit: unit, Params: params, Seed: seed, Inputs: l.Inputs, Cycles: f.cycle + 1}
	r.Expect = Expectation{Kind: Mismatch, Cycle: f.cycle}
	if f.fault != nil {
		r.Expect.Kind, r.Expect.Where = Fault, fmt.Sprintf("%s:%d", f.fault.File, f.fault.Line)
	} else {
		r.Expect.Where = f.diffs[0].Port
	}
	for i := uint64(0); i < r.Cycles && int(i)*l.InWords < len(v); i++ {
		in := v[int(i)*l.InWords:]
		a := atLine{from: i, to: i}
		for _, s := range l.Inputs {
			if !s.IsZero(in) {
				a.values = append(a.values, [2]string{s.Name, s.Hex(in)})
			}
		}
		if len(a.values) == 0 {
			continue
		}
		if n := len(r.lines); n > 0 && r.lines[n-1].to == i-1 && slices.Equal(r.lines[n-1].values, a.values) {
			r.lines[n-1].to = i
			continue
		}
		r.lines = append(r.lines, a)
	}
	return r
}

// WriteTo writes the recording as a replay file.
func (r *Recording) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "%s%d\n", replayMagic, replayVersion)
	unit, err := json.Marshal(r.Unit)
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(&b, "unit %s\n", unit)
	keys := make([]string, 0, len(r.Params))
	for k := range r.Params {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		v, err := json.Marshal(r.Params[k])
		if err != nil {
			return 0, fmt.Errorf("parameter %s: %w", k, err)
		}
		fmt.Fprintf(&b, "param %s %s\n", k, v)
	}
	fmt.Fprintf(&b, "seed %d\nexpect %s %s %d\n", r.Seed, r.Expect.Kind, strconv.Quote(r.Expect.Where), r.Expect.Cycle)
	for _, s := range r.Inputs {
		fmt.Fprintf(&b, "input %s %d\n", s.Name, s.Width)
	}
	fmt.Fprintf(&b, "cycles %d\n", r.Cycles)
	for _, a := range r.lines {
		fmt.Fprintf(&b, "at %d", a.from)
		if a.to != a.from {
			fmt.Fprintf(&b, "-%d", a.to)
		}
		for _, v := range a.values {
			fmt.Fprintf(&b, " %s=%s", v[0], v[1])
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "sha256 %s\n", hash(b.Bytes()))
	n, err := w.Write(b.Bytes())
	return int64(n), err
}

// ReadReplay reads a replay file. The error names the file, the line and what is
// wrong with it.
func ReadReplay(name string) (*Recording, error) {
	b, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("replay file: %w", err)
	}
	r, err := parseReplay(b)
	if err != nil {
		return nil, fmt.Errorf("replay file %s: %w", name, err)
	}
	r.name = name
	return r, nil
}

func parseReplay(b []byte) (*Recording, error) {
	head, _, _ := bytes.Cut(b, []byte("\n"))
	version, ok := strings.CutPrefix(string(head), replayMagic)
	if !ok {
		return nil, fmt.Errorf("line 1: not a replay file: want %q", replayMagic+strconv.Itoa(replayVersion))
	}
	if version != strconv.Itoa(replayVersion) {
		return nil, fmt.Errorf("line 1: version %q of the format, want %d: use the nicgen that wrote it", version, replayVersion)
	}
	body, last := b, ""
	if i := bytes.LastIndex(b, []byte("\nsha256 ")); i >= 0 {
		body, last = b[:i+1], string(b[i+1:])
	}
	digest := strings.TrimPrefix(last, "sha256 ")
	if last == "" || !strings.HasSuffix(digest, "\n") || len(digest) != 2*sha256.Size+1 {
		return nil, errors.New("the last line is not a complete sha256 line: the file was cut short")
	}
	if got := hash(body); got != strings.TrimSpace(digest) {
		return nil, fmt.Errorf("its content has changed: the sha256 of it is %s, the last line says %s", got, strings.TrimSpace(digest))
	}
	r := &Recording{Params: map[string]any{}}
	p := replayParser{r: r, seen: map[string]bool{}, inputs: map[string]bool{}}
	for line := range strings.Lines(string(body)) {
		p.number++
		if line = strings.TrimSpace(line); p.number == 1 || line == "" || line[0] == '#' {
			continue
		}
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.number, err)
		}
	}
	for _, word := range []string{"unit", "seed", "expect", "cycles"} {
		if !p.seen[word] {
			return nil, fmt.Errorf("no %q line", word)
		}
	}
	return r, nil
}

type replayParser struct {
	r      *Recording
	number int
	seen   map[string]bool
	inputs map[string]bool
	next   uint64 // the first cycle that an at line may name
}

func (p *replayParser) line(line string) error {
	word, rest, _ := strings.Cut(line, " ")
	switch word {
	case "unit", "seed", "expect", "cycles":
		if p.seen[word] {
			return fmt.Errorf("a second %q line", word)
		}
	}
	p.seen[word] = true
	switch word {
	case "unit":
		if json.Unmarshal([]byte(rest), &p.r.Unit) != nil {
			return fmt.Errorf("unit %s, want a name in quotes", rest)
		}
	case "param":
		key, text, _ := strings.Cut(rest, " ")
		if _, twice := p.r.Params[key]; key == "" || twice {
			return fmt.Errorf("parameter %q is empty or appears twice", key)
		}
		v, err := paramValue(text)
		if err != nil {
			return fmt.Errorf("parameter %s: value %q, want a number, a string in quotes, true or false", key, text)
		}
		p.r.Params[key] = v
	case "seed":
		return number(rest, &p.r.Seed)
	case "cycles":
		return number(rest, &p.r.Cycles)
	case "expect":
		return p.expect(rest)
	case "input":
		name, width, _ := strings.Cut(rest, " ")
		w, err := strconv.ParseInt(width, 10, 32)
		if name == "" || err != nil || w < 1 {
			return fmt.Errorf("input %q, want a name and a width of at least 1", rest)
		}
		if p.inputs[name] {
			return fmt.Errorf("a second input %s", name)
		}
		p.inputs[name] = true
		p.r.Inputs = append(p.r.Inputs, Slot{Name: name, Width: int32(w)})
	case "at":
		return p.at(rest)
	default:
		return fmt.Errorf("unknown word %q, want unit, param, seed, expect, input, cycles or at", word)
	}
	return nil
}

func (p *replayParser) expect(rest string) error {
	kind, rest, _ := strings.Cut(rest, " ")
	if kind != Mismatch && kind != Fault {
		return fmt.Errorf("expectation %q, want %s or %s", kind, Mismatch, Fault)
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return fmt.Errorf("expectation %q, want the place in quotes", rest)
	}
	p.r.Expect.Kind = kind
	p.r.Expect.Where, _ = strconv.Unquote(quoted)
	return number(strings.TrimSpace(rest[len(quoted):]), &p.r.Expect.Cycle)
}

func (p *replayParser) at(rest string) error {
	if !p.seen["cycles"] {
		return errors.New("inputs before the number of cycles")
	}
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return errors.New("inputs without a cycle")
	}
	a := atLine{number: p.number}
	from, to, isRange := strings.Cut(fields[0], "-")
	if !isRange {
		to = from
	}
	if err := errors.Join(number(from, &a.from), number(to, &a.to)); err != nil {
		return err
	}
	if a.from < p.next || a.to < a.from || a.to >= p.r.Cycles {
		return fmt.Errorf("cycles %s, want a range from %d to %d", fields[0], p.next, int64(p.r.Cycles)-1)
	}
	p.next = a.to + 1
	for _, f := range fields[1:] {
		port, value, ok := strings.Cut(f, "=")
		if !ok {
			return fmt.Errorf("input %q, want port=0x…", f)
		}
		// Each value is written to each of the line's cycles.
		if len(a.values) == len(p.r.Inputs) {
			return fmt.Errorf("more values than the %d inputs there are", len(p.r.Inputs))
		}
		a.values = append(a.values, [2]string{port, value})
	}
	p.r.lines = append(p.r.lines, a)
	return nil
}

func number(text string, to *uint64) error {
	n, err := strconv.ParseUint(text, 10, 64)
	if err != nil {
		return fmt.Errorf("number %q, want 0 to %d", text, ^uint64(0))
	}
	*to = n
	return nil
}

func paramValue(text string) (any, error) {
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil || d.More() {
		return nil, errors.New("no JSON value")
	}
	switch x := v.(type) {
	case json.Number:
		if n, err := x.Int64(); err == nil {
			return n, nil
		}
		f, err := x.Float64()
		if n := int64(f); math.Abs(f) < 1<<53 && float64(n) == f {
			return n, err // as 1.0 would be written
		}
		return f, err
	case bool, string:
		return x, nil
	}
	return nil, errors.New("no plain value")
}

// vectors places the recorded inputs as the layout has them. It refuses a
// recording that was made with other ports.
func (r *Recording) vectors(l *Layout) ([]uint64, error) {
	fail := func(err error) ([]uint64, error) {
		return nil, fmt.Errorf("replay file %s: %w", r.name, err)
	}
	for _, in := range r.Inputs {
		s, ok := l.Slot(in.Name)
		if !ok || !slices.Contains(l.Inputs, s) {
			return fail(fmt.Errorf("input %s: the module has no such input: it was recorded with another version of it", in.Name))
		}
		if s.Width != in.Width {
			return fail(fmt.Errorf("input %s has %d bits, %d in the module: it was recorded with another configuration", in.Name, in.Width, s.Width))
		}
	}
	if r.Cycles > maxWords/uint64(max(l.InWords, 1)) {
		return fail(fmt.Errorf("%d cycles, want at most %d", r.Cycles, maxWords/max(l.InWords, 1)))
	}
	v := make([]uint64, int(r.Cycles)*l.InWords)
	for _, a := range r.lines {
		for _, x := range a.values {
			s, ok := l.Slot(x[0])
			if !ok || !slices.Contains(l.Inputs, s) {
				return fail(fmt.Errorf("line %d: the module has no input %q", a.number, x[0]))
			}
			for i := a.from; i <= a.to; i++ {
				if err := s.SetHex(v[int(i)*l.InWords:], x[1]); err != nil {
					return fail(fmt.Errorf("line %d: %w", a.number, err))
				}
			}
		}
	}
	return v, nil
}

// Replay repeats a recorded failure with the bench of the recording's unit and
// parameters. Unit, Params, Seed and Cycles of the options are those of the
// recording; the report's notes tell if something else happens than what was
// recorded.
func Replay(ctx context.Context, r *Recording, bench Bench, o RunOptions) (*Report, error) {
	o.Unit, o.Params, o.Seed, o.Cycles = r.Unit, r.Params, r.Seed, r.Cycles
	lib, err := Build(ctx, bench.Source(), o.build())
	if err != nil {
		return nil, err
	}
	defer lib.Close()
	v, err := r.vectors(lib.Layout())
	if err != nil {
		return nil, err
	}
	rep, err := run(ctx, lib, bench, o, append(v, 0)[:len(v)])
	if err != nil {
		return nil, err
	}
	where := ""
	if f := rep.Failure; f != nil && f.Kind == Fault {
		where = fmt.Sprintf("%s:%d", f.File, f.Line)
	} else if f != nil {
		where = f.Port
	}
	want := fmt.Sprintf("%s of %s at cycle %d", r.Expect.Kind, r.Expect.Where, r.Expect.Cycle)
	switch f := rep.Failure; {
	case f == nil:
		rep.Notes = append(rep.Notes, "the recorded failure does not occur any more: "+want)
	case f.Kind != r.Expect.Kind || where != r.Expect.Where || f.Cycle != r.Expect.Cycle:
		rep.Notes = append(rep.Notes, "another failure than the recorded one, which was "+want)
	}
	return rep, nil
}

// writeAtomic writes a file completely or not at all.
func writeAtomic(name string, to io.WriterTo) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), ".nicgen-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = to.WriteTo(f)
	if err = errors.Join(err, f.Chmod(0o644), f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}
