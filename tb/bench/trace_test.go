// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/tb/bench"
)

// packed is a text compressed by gzip.
func packed(t *testing.T, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	if _, err := z.Write([]byte(text)); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// A trace is read alike whether it is compressed or not, also with zeros behind it, with the numbers of its lines.
func TestReadTrace(t *testing.T) {
	text := "time_ns,conn,op\n1,\"a\nb\",go\n\n7,c,stop\n"
	for _, file := range [][]byte{[]byte(text), []byte("\ufeff" + text), packed(t, text), append(packed(t, text), make([]byte, 512)...), append(packed(t, text[:20]), packed(t, text[20:])...)} {
		var conns bench.Names
		conns.Limit = 2
		var got []uint64
		err := bench.ReadTrace(bytes.NewReader(file), []string{"time_ns", "conn", "op"}, func(r *bench.Row) error {
			got = append(got, uint64(r.Line), r.Time("time_ns", 64, ""), uint64(conns.Number(r, "conn")), uint64(r.Word("op", "stop", "go")))
			return nil
		})
		if want := []uint64{2, 1, 0, 1, 5, 7, 1, 0}; err != nil || conns.Len() != 2 || !slices.Equal(got, want) {
			t.Errorf("%v, %v, want %v", got, err, want)
		}
	}
}

// The first error of a row is reported, before its event's error.
func TestReadTraceErrors(t *testing.T) {
	errOwn := errors.New("not today")
	cut := packed(t, "a,b\n"+strings.Repeat("1,2\n", 100))
	for _, c := range []struct {
		name, text string
		event      func(r *bench.Row) error
		want       string
	}{
		{"own", "a,b\n1,2\n", func(*bench.Row) error { return errOwn }, "line 2: not today"},
		{"first", "a,b\n1,x\n", func(r *bench.Row) error {
			r.Number("b", 8, "")
			r.Flag("b")
			return errOwn
		}, `line 2, b: found "x", allowed: a whole number below 2^8`},
		{"word", "a,b\n1,x\n", func(r *bench.Row) error {
			r.Word("b", "one", "two", "three")
			return nil
		}, `line 2, b: found "x", allowed: one, two or three`},
		{"unknown name", "a,b\n1,x\n", func(r *bench.Row) error {
			var n bench.Names
			n.Known(r, "b")
			return nil
		}, `line 2, b: found "x", allowed: a name that was there before`},
		{"cut", string(cut[:len(cut)-9]), func(*bench.Row) error { return nil }, "damaged file: unexpected EOF"},
		{"header", "a;b\n", nil, `line 1: found the header "a;b", want "a,b"`},
		{"more", "a,b\n1,2,3\n", nil, "line 2: found 3 columns, want 2: a,b"},
	} {
		err := bench.ReadTrace(strings.NewReader(c.text), []string{"a", "b"}, c.event)
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", c.name, err, c.want)
		}
	}
}

// An answer is off by millionths of what is expected; nothing is within a part of nothing.
func TestExpected(t *testing.T) {
	for _, c := range []struct{ value, x, want float64 }{
		{1000, 1000, 0}, {1000, 1001, 1000}, {1000, 999, 1000}, {0, 0, 0}, {0, 1, math.Inf(1)},
	} {
		e := bench.Expected{Value: c.value}
		if got := e.Off(c.x); got != c.want {
			t.Errorf("%g for %g: off by %g, want %g", c.x, c.value, got, c.want)
		}
	}
}

func TestComparison(t *testing.T) {
	c := bench.Comparison{Trace: "t.csv", What: "recorded answers"}
	c.Check(true, 2, nil)
	if err := c.Verdict(); err != nil {
		t.Error(err)
	}
	c.Check(false, 3, func() string { return "recorded 1; the model gives 2" })
	c.Check(false, 4, func() string { t.Error("asked for more than the first"); return "" })
	want := "t.csv: 2 recorded answers are not what the model gives with this configuration; line 3: recorded 1; the model gives 2"
	if err := c.Verdict(); err == nil || err.Error() != want || c.Equal != 1 {
		t.Errorf("%v, %d equal, want %s", err, c.Equal, want)
	}
}
