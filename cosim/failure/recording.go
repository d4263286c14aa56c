// SPDX-License-Identifier: Apache-2.0

package failure

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/cosim"
)

// Recording is the content of a replay file: everything that repeats a run, such as one that failed.
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
//
// The libraries of nicgen export record runs that did not fail, with their outputs. They differ in these lines,
// and the number of cycles, which is not known in advance, is at the end:
//
//	expect pass
//	output m_ev_valid 1                  recorded outputs with their widths
//	in 5 s_send_valid=0x1                inputs that are not what they were in the cycle before; all are zero at first
//	out 5 m_ev_valid=0x1 m_ev=0x2a       the same of outputs; there is one for each line of inputs
//
// If the program that recorded ended before it ended its recording, the last lines are missing: the file is read up to
// the last line of outputs.
type Recording struct {
	Unit    string
	Params  map[string]any // values are int64, bool, float64 or string
	Seed    uint64
	Expect  Expectation
	Inputs  []cosim.Slot // names and widths
	Outputs []cosim.Slot // names and widths
	Cycles  uint64
	Cut     bool // the recording was not ended: nothing vouches for its content

	lines     []atLine
	ins, outs []atLine // changes
	name      string   // of the file, for messages
}

// Expectation is the failure that a recording repeats.
type Expectation struct {
	Kind  string // cosim.Mismatch or cosim.Fault, or Pass: there was none
	Where string // the port, or the source's file:line
	Cycle uint64
}

// atLine is one line of inputs or outputs: cycles from to to, and text values by port.
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
func newRecording(l *cosim.Layout, unit string, params map[string]any, seed uint64, v []uint64, f *cosim.Finding) *Recording {
	r := &Recording{Unit: unit, Params: params, Seed: seed, Inputs: l.Inputs, Cycles: f.Cycle + 1}
	r.Expect = Expectation{Kind: cosim.Mismatch, Cycle: f.Cycle}
	if f.Fault != nil {
		r.Expect.Kind, r.Expect.Where = cosim.Fault, fmt.Sprintf("%s:%d", f.Fault.File, f.Fault.Line)
	} else {
		r.Expect.Where = f.Diffs[0].Port
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

// ReplayHead are the first lines of a replay file: its version, unit and parameters.
func ReplayHead(unit string, params map[string]any) ([]string, error) {
	name, err := json.Marshal(unit)
	if err != nil {
		return nil, err
	}
	lines := []string{fmt.Sprintf("%s%d\n", replayMagic, replayVersion), fmt.Sprintf("unit %s\n", name)}
	for _, k := range slices.Sorted(maps.Keys(params)) {
		v, err := json.Marshal(params[k])
		if err != nil {
			return nil, fmt.Errorf("parameter %s: %w", k, err)
		}
		lines = append(lines, fmt.Sprintf("param %s %s\n", k, v))
	}
	return lines, nil
}

// WriteTo writes the recording as a replay file.
func (r *Recording) WriteTo(w io.Writer) (int64, error) {
	var b bytes.Buffer
	head, err := ReplayHead(r.Unit, r.Params)
	if err != nil {
		return 0, err
	}
	for _, line := range head {
		b.WriteString(line)
	}
	fmt.Fprintf(&b, "seed %d\nexpect %s", r.Seed, r.Expect.Kind)
	if r.Expect.Kind != cosim.Pass {
		fmt.Fprintf(&b, " %s %d", strconv.Quote(r.Expect.Where), r.Expect.Cycle)
	}
	b.WriteByte('\n')
	for _, s := range r.Inputs {
		fmt.Fprintf(&b, "input %s %d\n", s.Name, s.Width)
	}
	for _, s := range r.Outputs {
		fmt.Fprintf(&b, "output %s %d\n", s.Name, s.Width)
	}
	fmt.Fprintf(&b, "cycles %d\n", r.Cycles)
	write := func(word string, lines []atLine) {
		for _, a := range lines {
			fmt.Fprintf(&b, "%s %d", word, a.from)
			if a.to != a.from {
				fmt.Fprintf(&b, "-%d", a.to)
			}
			for _, v := range a.values {
				fmt.Fprintf(&b, " %s=%s", v[0], v[1])
			}
			b.WriteByte('\n')
		}
	}
	write("at", r.lines)
	write("in", r.ins)
	write("out", r.outs)
	fmt.Fprintf(&b, "sha256 %s\n", digest(b.Bytes()))
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
	written := strings.TrimPrefix(last, "sha256 ")
	r := &Recording{Params: map[string]any{}}
	if last == "" || !strings.HasSuffix(written, "\n") || len(written) != 2*sha256.Size+1 {
		// Recordings of libraries end each cycle with a line of outputs.
		whole := b[:bytes.LastIndexByte(b, '\n')+1]
		i := bytes.LastIndex(whole, []byte("\nout "))
		if i < 0 || !bytes.Contains(whole[:i], []byte("\nexpect "+cosim.Pass+"\n")) {
			return nil, errors.New("the last line is not a complete sha256 line: the file was cut short")
		}
		r.Cut = true
		body = whole[:i+1+bytes.IndexByte(whole[i+1:], '\n')+1]
	} else if got := digest(body); got != strings.TrimSpace(written) {
		return nil, fmt.Errorf("its content has changed: the sha256 of it is %s, the last line says %s", got, strings.TrimSpace(written))
	}
	p := replayParser{r: r, seen: map[string]bool{}, ports: map[string]bool{}}
	for line := range strings.Lines(string(body)) {
		p.number++
		if line = strings.TrimSpace(line); p.number == 1 || line == "" || line[0] == '#' {
			continue
		}
		if err := p.line(line); err != nil {
			return nil, fmt.Errorf("line %d: %w", p.number, err)
		}
	}
	if r.Cut {
		r.Cycles = p.nextOut
		p.seen["cycles"] = true
	}
	for _, word := range []string{"unit", "seed", "expect", "cycles"} {
		if !p.seen[word] {
			return nil, fmt.Errorf("no %q line", word)
		}
	}
	if end := max(p.nextIn, p.nextOut); end > r.Cycles {
		return nil, fmt.Errorf("there is a cycle %d, and the number of cycles is %d", end-1, r.Cycles)
	}
	return r, nil
}

type replayParser struct {
	r      *Recording
	number int
	seen   map[string]bool
	ports  map[string]bool

	next, nextIn, nextOut uint64 // the first cycle that a line at, in or out may name
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
	case "input", "output":
		name, width, _ := strings.Cut(rest, " ")
		w, err := strconv.ParseInt(width, 10, 32)
		if name == "" || err != nil || w < 1 {
			return fmt.Errorf("%s %q, want a name and a width of at least 1", word, rest)
		}
		if p.ports[name] {
			return fmt.Errorf("a second %s %s", word, name)
		}
		p.ports[name] = true
		list := &p.r.Inputs
		if word == "output" {
			list = &p.r.Outputs
		}
		*list = append(*list, cosim.Slot{Name: name, Width: int32(w)})
	case "at":
		if !p.seen["cycles"] {
			return errors.New("inputs before the number of cycles")
		}
		return p.at(rest, "input", len(p.r.Inputs), p.r.Cycles, &p.next, &p.r.lines)
	case "in":
		return p.at(rest, "input", len(p.r.Inputs), maxWords, &p.nextIn, &p.r.ins)
	case "out":
		return p.at(rest, "output", len(p.r.Outputs), maxWords, &p.nextOut, &p.r.outs)
	default:
		return fmt.Errorf("unknown word %q, want unit, param, seed, expect, input, output, cycles, at, in or out", word)
	}
	return nil
}

func (p *replayParser) expect(rest string) error {
	kind, rest, _ := strings.Cut(rest, " ")
	if kind == cosim.Pass && rest == "" {
		p.r.Expect.Kind = cosim.Pass
		return nil
	}
	if kind != cosim.Mismatch && kind != cosim.Fault {
		return fmt.Errorf("expectation %q, want %s, %s or %s", kind, cosim.Mismatch, cosim.Fault, cosim.Pass)
	}
	quoted, err := strconv.QuotedPrefix(rest)
	if err != nil {
		return fmt.Errorf("expectation %q, want the place in quotes", rest)
	}
	p.r.Expect.Kind = kind
	p.r.Expect.Where, _ = strconv.Unquote(quoted)
	return number(strings.TrimSpace(rest[len(quoted):]), &p.r.Expect.Cycle)
}

// at reads a line of values of a kind of ports, which has n ports. Its cycles are from next on and before end.
func (p *replayParser) at(rest, kind string, ports int, end uint64, next *uint64, lines *[]atLine) error {
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return fmt.Errorf("%ss without a cycle", kind)
	}
	a := atLine{number: p.number}
	from, to, isRange := strings.Cut(fields[0], "-")
	if !isRange {
		to = from
	} else if lines != &p.r.lines {
		return fmt.Errorf("cycles %s, want one: ports stay what they are", fields[0])
	}
	if err := errors.Join(number(from, &a.from), number(to, &a.to)); err != nil {
		return err
	}
	if a.from < *next || a.to < a.from || a.to >= end {
		return fmt.Errorf("cycles %s, want a range from %d to %d", fields[0], *next, int64(end)-1)
	}
	*next = a.to + 1
	for _, f := range fields[1:] {
		port, value, ok := strings.Cut(f, "=")
		if !ok {
			return fmt.Errorf("%s %q, want port=0x…", kind, f)
		}
		// Each value is written to each of the line's cycles.
		if len(a.values) == ports {
			return fmt.Errorf("more values than the %d %ss there are", ports, kind)
		}
		a.values = append(a.values, [2]string{port, value})
	}
	*lines = append(*lines, a)
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

// fail is an error of what the file says.
func (r *Recording) fail(format string, args ...any) error {
	return fmt.Errorf("replay file %s: %w", r.name, fmt.Errorf(format, args...))
}

// check refuses a recording that was made with other ports. list holds the module's ports.
func (r *Recording) check(l *cosim.Layout, kind string, recorded, list []cosim.Slot) error {
	for _, x := range recorded {
		s, ok := l.Slot(x.Name)
		if !ok || !slices.Contains(list, s) {
			return r.fail("%s %s: the module has no such %s: it was recorded with another version of it", kind, x.Name, kind)
		}
		if s.Width != x.Width {
			return r.fail("%s %s has %d bits, %d in the module: it was recorded with another configuration", kind, x.Name, x.Width, s.Width)
		}
	}
	return nil
}

// vectors places the recorded inputs as the layout has them.
func (r *Recording) vectors(l *cosim.Layout) ([]uint64, error) {
	if r.Cycles > maxWords/uint64(max(l.InWords, 1)) {
		return nil, r.fail("%d cycles, want at most %d", r.Cycles, maxWords/max(l.InWords, 1))
	}
	v := make([]uint64, int(r.Cycles)*l.InWords)
	changes, err := r.changes(l, "input", r.Inputs, l.Inputs, r.ins)
	if err != nil {
		return nil, err
	}
	for at := 0; at < len(v) && len(r.ins) > 0; at += l.InWords {
		now := v[at : at+l.InWords]
		if at > 0 {
			copy(now, v[at-l.InWords:])
		}
		changes = apply(changes, uint64(at/l.InWords), now)
	}
	for _, a := range r.lines {
		for _, x := range a.values {
			s, ok := l.Slot(x[0])
			if !ok || !slices.Contains(l.Inputs, s) {
				return nil, r.fail("line %d: the module has no input %q", a.number, x[0])
			}
			for i := a.from; i <= a.to; i++ {
				if err := s.SetHex(v[int(i)*l.InWords:], x[1]); err != nil {
					return nil, r.fail("line %d: %w", a.number, err)
				}
			}
		}
	}
	return v, nil
}

// change is a port that is not what it was in the cycle before.
type change struct {
	cycle uint64
	slot  cosim.Slot
	value string
}

// changes returns the changes of a recording's lines, in the order of cycles, and checks them. kind, recorded and list are as in
// check.
func (r *Recording) changes(l *cosim.Layout, kind string, recorded, list []cosim.Slot, lines []atLine) ([]change, error) {
	if err := r.check(l, kind, recorded, list); err != nil {
		return nil, err
	}
	var changes []change
	scratch := make([]uint64, max(l.InWords, l.OutWords))
	for _, a := range lines {
		for _, x := range a.values {
			s, ok := l.Slot(x[0])
			if !ok || !slices.Contains(list, s) {
				return nil, r.fail("line %d: the module has no %s %q", a.number, kind, x[0])
			}
			if err := s.SetHex(scratch, x[1]); err != nil {
				return nil, r.fail("line %d: %w", a.number, err)
			}
			changes = append(changes, change{a.from, s, x[1]})
		}
	}
	return changes, nil
}

// apply makes the changes of a cycle, which are the first of the list, and returns the others.
func apply(list []change, cycle uint64, v []uint64) []change {
	for len(list) > 0 && list[0].cycle == cycle {
		_ = list[0].slot.SetHex(v, list[0].value) // was tried before
		list = list[1:]
	}
	return list
}

func digest(b []byte) string {
	h := sha256.Sum256(b)
	return hex.EncodeToString(h[:])
}
