// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
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

func sealed(text string) []byte {
	return []byte(text + "sha256 " + hash([]byte(text)) + "\n")
}

// A file that is read and written again is the same, but for comments.
func TestReplayRoundTrip(t *testing.T) {
	r, err := parseReplay(sealed(goodReplay))
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]any{"depth": int64(8), "mode": `fast "one"`, "ratio": 0.5, "strict": true}
	if d := cmp.Diff(want, r.Params); d != "" || r.Unit != "fifo" || r.Seed != 3 || r.Cycles != 11 || r.Expect != (Expectation{Mismatch, "level", 10}) {
		t.Errorf("%+v %s", r, d)
	}
	var b bytes.Buffer
	if _, err := r.WriteTo(&b); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(strings.Replace(goodReplay, "# a comment\n", "", 1), b.String()[:strings.Index(b.String(), "sha256")]); d != "" {
		t.Error(d)
	}
	again, err := parseReplay(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r, again, cmp.AllowUnexported(Recording{}, atLine{}), cmpopts.IgnoreFields(atLine{}, "number")); d != "" {
		t.Error(d)
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
		{"empty", nil, `line 1: not a replay file: want "nicgen replay 1"`},
		{"another file", []byte("\x7fELF"), `line 1: not a replay file: want "nicgen replay 1"`},
		{"newer", bytes.Replace(good, []byte("replay 1"), []byte("replay 2"), 1), `line 1: version "2" of the format, want 1: use the nicgen that wrote it`},
		{"cut in the middle", good[:len(good)/2], "the last line is not a complete sha256 line: the file was cut short"},
		{"cut at the end", good[:len(good)-3], "the last line is not a complete sha256 line: the file was cut short"},
		{"something after the end", append(bytes.Clone(good), "at 10 pop=0x1\n"...), "the last line is not a complete sha256 line: the file was cut short"},
		{"one bit", bytes.Replace(good, []byte("0xbeef"), []byte("0xbeee"), 1), "its content has changed: the sha256 of it is"},
		{"unknown word", edit("seed 3", "sead 3"), `line 8: unknown word "sead", want unit, param, seed, expect, input, cycles or at`},
		{"second seed", edit("seed 3", "seed 3\nseed 4"), `line 9: a second "seed" line`},
		{"no unit", edit("unit \"fifo\"\n", ""), `no "unit" line`},
		{"no seed", edit("seed 3\n", ""), `no "seed" line`},
		{"no expectation", edit("expect mismatch \"level\" 10\n", ""), `no "expect" line`},
		{"bad seed", edit("seed 3", "seed -3"), `line 8: number "-3", want 0 to 18446744073709551615`},
		{"bad unit", edit(`unit "fifo"`, "unit fifo"), "line 3: unit fifo, want a name in quotes"},
		{"bad parameter", edit("depth 8", "depth [8]"), `line 4: parameter depth: value "[8]", want a number, a string in quotes, true or false`},
		{"parameter twice", edit("param ratio 0.5", "param depth 9"), `line 6: parameter "depth" is empty or appears twice`},
		{"bad expectation", edit("mismatch", "nothing"), `line 9: expectation "nothing", want mismatch or error`},
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
		{"too long", "cycles 11", "cycles 99999999999", "99999999999 cycles, want at most"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := parseReplay(sealed(strings.Replace(goodReplay, c.from, c.to, 1)))
			if err != nil {
				t.Fatal(err)
			}
			_, err = Replay(t.Context(), r, &fifoBench{src: source(t, "fifo")}, RunOptions{})
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
	rep, err := Replay(t.Context(), r, &fifoBench{src: source(t, "fifo", "(DEPTH) || take)", "(DEPTH))")}, RunOptions{})
	if err != nil {
		t.Fatal(err)
	}
	if len(rep.Notes) != 1 || rep.Notes[0] != "another failure than the recorded one, which was mismatch of level at cycle 9" {
		t.Errorf("notes %q", rep.Notes)
	}
}
