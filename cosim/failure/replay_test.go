// SPDX-License-Identifier: Apache-2.0

package failure

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/cosimtest"
)

const goodReplay = `nicgen replay 1
# a comment
unit "fifo"
param depth 8
param mode "fast \"one\""
param ratio 0.5
param strict true
seed 3
expect mismatch "level" 10
input rst 1
input push 1
input data 16
input pop 1
cycles 11
at 0 rst=0x1
at 1-8 push=0x1 data=0xbeef
at 9 push=0x1 pop=0x1
`

// passReplay has no failure, and its number of cycles behind them.
const passReplay = `nicgen replay 1
unit "fifo"
seed 3
expect pass
input rst 1
input push 1
input data 16
input pop 1
output head 16
output empty 1
output level 4
in 0 rst=0x1
out 1 empty=0x1
in 2 rst=0x0 push=0x1 data=0xbeef
out 3 head=0xbeef empty=0x0 level=0x1
in 4 push=0x0
out 4 level=0x2
in 5 pop=0x1
out 6 level=0x1
out 7 empty=0x1 level=0x0
cycles 8
`

func sealed(text string) []byte {
	return []byte(text + "sha256 " + digest([]byte(text)) + "\n")
}

// A file that is read and written again is the same, except for comments.
func TestReplayRoundTrip(t *testing.T) {
	r, err := parseReplay(sealed(goodReplay))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"depth": int64(8), "mode": `fast "one"`, "ratio": 0.5, "strict": true}
	if d := cmp.Diff(want, r.Params); d != "" || r.Unit != "fifo" || r.Seed != 3 || r.Cycles != 11 || r.Expect != (Expectation{cosim.Mismatch, "level", 10}) {
		t.Errorf("%+v %s", r, d)
	}
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Replace(goodReplay, "# a comment\n", "", 1), b.String()[:strings.Index(b.String(), "sha256")]); d != "" {
		t.Error(d)
	}
	for range 2 {
		again, err := parseReplay(b.Bytes())
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(r, again, cmp.AllowUnexported(Recording{}, atLine{}), cmpopts.IgnoreFields(atLine{}, "number")); d != "" {
			t.Error(d)
		}
		if r, err = parseReplay(sealed(passReplay)); err != nil {
			t.Fatal(err)
		}
		b.Reset()
		if _, err := r.WriteTo(&b); err != nil {
			t.Fatal(err)
		}
	}
}

// A recording without a failure passes if the golden model has its outputs.
func TestReplayPass(t *testing.T) {
	for _, c := range []struct{ name, from, to, outcome, want string }{
		{"same", "", "", cosim.Pass, "in all 8 cycles the recorded outputs are those of the golden model, where they matter"},
		{"does not matter", "out 1 empty=0x1", "out 1 empty=0x1 head=0x7", cosim.Pass, "in all 8 cycles the recorded outputs are those of the golden model, where they matter"},
		{"an output", "out 4 level=0x2", "out 4 level=0x3", cosim.Verdict, "cycle 4: output level was recorded as 0x3, the golden model has 0x2"},
		{"an input", "data=0xbeef", "data=0xbeee", cosim.Verdict, "cycle 3: output head was recorded as 0xbeef, the golden model has 0xbeee"},
		{"a cycle", "out 3", "out 2", cosim.Verdict, "cycle 2: output empty was recorded as 0x0, the golden model has 0x1; output level was recorded as 0x1, the golden model has 0x0"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := parseReplay(sealed(strings.Replace(passReplay, c.from, c.to, 1)))
			if err != nil {
				t.Fatal(err)
			}
			rep, err := Replay(t.Context(), r, &cosimtest.FIFO{RTL: cosimtest.Design(t)}, cosim.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := strings.Join(rep.Notes, "; ")
			if rep.Failure != nil {
				got = rep.Failure.Message
			}
			if rep.Outcome != c.outcome || got != c.want || rep.Cycles != 8 {
				t.Errorf("%s, %d cycles: %s; want %s: %s", rep.Outcome, rep.Cycles, got, c.outcome, c.want)
			}
		})
	}
	r, err := parseReplay(sealed(passReplay))
	if err != nil {
		t.Fatal(err)
	}
	if rep, err := Replay(t.Context(), r, &cosimtest.FIFO{RTL: cosimtest.Design(t, "level !=", "level ==")}, cosim.RunOptions{}); err != nil || rep.Outcome != cosim.Mismatch || rep.Failure.Cycle != 3 || len(rep.Notes) != 0 {
		t.Errorf("%v, %v of a FIFO that takes nothing, want a mismatch in cycle 3", rep, err)
	}
}

func TestReplayCorrupt(t *testing.T) {
	edit := func(from, to string) []byte {
		if !strings.Contains(goodReplay, from) {
			t.Fatalf("%q is not in the file", from)
		}
		return sealed(strings.Replace(goodReplay, from, to, 1))
	}
	good := sealed(goodReplay)
	for _, c := range []struct {
		name string
		text []byte
		want string
	}{
		{"pass with a place", edit("mismatch", "pass"), `line 9: expectation "pass", want mismatch, error or pass`},
		{"too few cycles", sealed(strings.Replace(passReplay, "cycles 8", "cycles 7", 1)), "there is a cycle 7, and the number of cycles is 7"},
		{"outputs of a range", sealed(strings.Replace(passReplay, "out 3", "out 3-4", 1)), "line 15: cycles 3-4, want one: ports stay what they are"},
		{"outputs backwards", sealed(strings.Replace(passReplay, "out 4", "out 3", 1)), "line 17: cycles 3, want a range from 4 to 134217727"},
		{"an input far away", sealed(strings.Replace(passReplay, "in 4", "in 18446744073709551615", 1)), "line 16: cycles 18446744073709551615, want a range from 3 to 134217727"},
		{"a range of inputs", sealed(strings.Replace(passReplay, "in 4", "in 4-5", 1)), "line 16: cycles 4-5, want one: ports stay what they are"},
		{"output twice", sealed(strings.Replace(passReplay, "output empty", "output pop", 1)), "line 10: a second output pop"},
		{"empty", nil, `line 1: not a replay file: want "nicgen replay 1"`},
		{"another file", []byte("\x7fELF"), `line 1: not a replay file: want "nicgen replay 1"`},
		{"newer", bytes.Replace(good, []byte("replay 1"), []byte("replay 2"), 1), `line 1: version "2" of the format, want 1: use the nicgen that wrote it`},
		{"cut in the middle", good[:len(good)/2], "the last line is not a complete sha256 line: the file was cut short"},
		{"cut at the end", good[:len(good)-3], "the last line is not a complete sha256 line: the file was cut short"},
		{"something after the end", append(bytes.Clone(good), "at 10 pop=0x1\n"...), "the last line is not a complete sha256 line: the file was cut short"},
		{"one bit", bytes.Replace(good, []byte("0xbeef"), []byte("0xbeee"), 1), "its content has changed: the sha256 of it is"},
		{"unknown word", edit("seed 3", "sead 3"), `line 8: unknown word "sead", want unit, param, seed, expect, input, output, cycles, at, in or out`},
		{"second seed", edit("seed 3", "seed 3\nseed 4"), `line 9: a second "seed" line`},
		{"no unit", edit("unit \"fifo\"\n", ""), `no "unit" line`},
		{"no seed", edit("seed 3\n", ""), `no "seed" line`},
		{"no expectation", edit("expect mismatch \"level\" 10\n", ""), `no "expect" line`},
		{"bad seed", edit("seed 3", "seed -3"), `line 8: number "-3", want 0 to 18446744073709551615`},
		{"bad unit", edit(`unit "fifo"`, "unit fifo"), "line 3: unit fifo, want a name in quotes"},
		{"bad parameter", edit("depth 8", "depth [8]"), `line 4: parameter depth: value "[8]", want a number, a string in quotes, true or false`},
		{"parameter twice", edit("param ratio 0.5", "param depth 9"), `line 6: parameter "depth" is empty or appears twice`},
		{"bad expectation", edit("mismatch", "nothing"), `line 9: expectation "nothing", want mismatch, error or pass`},
		{"bad place", edit(`"level"`, "level"), `line 9: expectation "level 10", want the place in quotes`},
		{"bad input", edit("input data 16", "input data wide"), `line 12: input "data wide", want a name and a width of at least 1`},
		{"inputs too early", edit("cycles 11\nat 0 rst=0x1\n", "at 0 rst=0x1\ncycles 11\n"), "line 14: inputs before the number of cycles"},
		{"cycles backwards", edit("at 9 ", "at 8 "), "line 17: cycles 8, want a range from 9 to 10"},
		{"range backwards", edit("at 1-8", "at 8-1"), "line 16: cycles 8-1, want a range from 1 to 10"},
		{"cycle too large", edit("at 9 ", "at 11 "), "line 17: cycles 11, want a range from 9 to 10"},
		{"no value", edit("pop=0x1", "pop"), `line 17: input "pop", want port=0x…`},
		{"no cycle", edit("at 0 rst=0x1", "at "), "line 15: inputs without a cycle"},
	} {
		t.Run(c.name, func(t *testing.T) {
			name := filepath.Join(t.TempDir(), "x.replay")
			if err := os.WriteFile(name, c.text, 0o666); err != nil {
				t.Fatal(err)
			}
			_, err := ReadReplay(name)
			if err == nil || !strings.HasPrefix(err.Error(), "replay file "+name+": "+c.want) {
				t.Errorf("got  %v\nwant %s", err, c.want)
			}
		})
	}
	if _, err := ReadReplay(filepath.Join(t.TempDir(), "none")); err == nil || !strings.Contains(err.Error(), "no such file") {
		t.Errorf("got %v", err)
	}
}

// A recording of another module or configuration is refused.
func TestReplayOtherPorts(t *testing.T) {
	for _, c := range []struct{ name, from, to, want string }{
		{"unknown port", "input pop 1", "input pull 1", "input pull: the module has no such input: it was recorded with another version of it"},
		{"output", "input pop 1", "input head 16", "input head: the module has no such input: it was recorded with another version of it"},
		{"other width", "input data 16", "input data 8", "input data has 8 bits, 16 in the module: it was recorded with another configuration"},
		{"unknown port driven", "pop=0x1", "pull=0x1", `line 17: the module has no input "pull"`},
		{"value too wide", "0xbeef", "0xbeef0", "line 16: port data: value 0xbeef0 has 20 bits, want at most 16"},
		{"value malformed", "0xbeef", "beef", `line 16: port data: value "beef", want hexadecimal such as 0x1f`},
		{"unknown output", "input pop 1", "input pop 1\noutput full 1", "output full: the module has no such output: it was recorded with another version of it"},
		{"output of other width", "input pop 1", "input pop 1\noutput empty 2", "output empty has 2 bits, 1 in the module: it was recorded with another configuration"},
		{"output shown as an input", "input pop 1\ncycles 11\n", "input pop 1\noutput head 16\ncycles 11\nout 9 push=0x1\n", `line 16: the module has no output "push"`},
		{"no cycle", "cycles 11\nat 0 rst=0x1\nat 1-8 push=0x1 data=0xbeef\nat 9 push=0x1 pop=0x1\n", "cycles 0\n", "0 cycles, want at least 1"},
		{"too long", "cycles 11", "cycles 99999999999", "99999999999 cycles, want at most"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := parseReplay(sealed(strings.Replace(goodReplay, c.from, c.to, 1)))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Replay(t.Context(), r, &cosimtest.FIFO{RTL: cosimtest.Design(t)}, cosim.RunOptions{})
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// A replay that fails otherwise than recorded says so.
func TestReplayOtherFailure(t *testing.T) {
	r, err := parseReplay(sealed(strings.Replace(goodReplay, `"level" 10`, `"level" 9`, 1)))
	if err != nil {
		t.Fatal(err)
	}
	rep, err := Replay(t.Context(), r, &cosimtest.FIFO{RTL: cosimtest.Design(t, "(DEPTH) || take)", "(DEPTH))")}, cosim.RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Notes) != 1 || rep.Notes[0] != "another failure than the recorded one, which was mismatch of level at cycle 9" {
		t.Errorf("notes %q", rep.Notes)
	}
}
