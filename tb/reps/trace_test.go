// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
	"context"
	"os"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/reps"
)

// traceParams are the settings of the recorded simulations (testdata/README.md).
func traceParams(timeout, stride int64) *params.Params {
	p := params.Default()
	p.FreezingTimeoutNS, p.ExploreStride, p.NumPktsCwnd = timeout, stride, 150
	return p
}

func replay(t *testing.T, p *params.Params, file string) *cosim.Report {
	t.Helper()
	f, err := os.Open("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	b, err := reps.NewTrace(p, file, f)
	if err != nil {
		t.Fatal(err)
	}
	r, err := cosim.Run(context.Background(), b, cosim.RunOptions{Unit: "reps"})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// Every EV of the authors' simulations that was not drawn at random is what the
// model gives, and the RTL equals the model.
func TestTraces(t *testing.T) {
	for _, c := range []struct {
		file            string
		timeout, stride int64
	}{
		{"symmetric.csv.gz", 10_000_000, 8},
		{"asymmetric.csv.gz", 10_000_000, 8},
		{"failures.csv.gz", 100_000, 8},
		{"failures-stride1.csv.gz", 100_000, 1},
	} {
		t.Run(c.file, func(t *testing.T) {
			r := replay(t, traceParams(c.timeout, c.stride), c.file)
			if !r.OK() {
				t.Fatalf("%s: %s", r.Outcome, benchtest.Summary(r))
			}
			if len(r.Notes) != 1 || !strings.Contains(r.Notes[0], " recorded SENDs: ") || strings.Contains(r.Notes[0], ": 0 EVs") {
				t.Errorf("notes %q, want how many SENDs were compared", r.Notes)
			}
			if r.Events < 60_000 {
				t.Errorf("%d events, want the whole trace", r.Events)
			}
		})
	}
}

// With other settings than the recorded ones the trace is not reproduced: the
// comparison is live.
func TestTraceNotices(t *testing.T) {
	r := replay(t, traceParams(100_000, 1), "failures.csv.gz")
	if r.Outcome != cosim.Verdict || !strings.Contains(benchtest.Summary(r), "recorded SENDs are not what the model gives") {
		t.Fatalf("outcome %s (%s), want a verdict about recorded SENDs", r.Outcome, benchtest.Summary(r))
	}
}

func TestTraceErrors(t *testing.T) {
	const head = "time_ns,conn,op,ev,ecn,random\n"
	small := params.Default()
	small.Connections, small.EVSBits = 1, 8
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "t.csv: empty file, want the header time_ns,conn,op,ev,ecn,random"},
		{"no events", head, "t.csv: no events"},
		{"header", "a,b,c,d,e,f\n", `t.csv: line 1: header "a,b,c,d,e,f", want "time_ns,conn,op,ev,ecn,random"`},
		{"columns", head + "1,2,SEND\n", "t.csv: damaged file: record on line 2: wrong number of fields"},
		{"time", head + "x,a,SEND,1,,1\n", `t.csv: line 2: time_ns "x", want a number below 2^35 (timer_bits)`},
		{"late", head + "99999999999,a,SEND,1,,1\n", `t.csv: line 2: time_ns "99999999999", want a number below 2^35 (timer_bits)`},
		{"backwards", head + "5,a,SEND,1,,1\n4,a,SEND,1,,1\n", "t.csv: line 3: time 4 ns is before that of the event before it, 5 ns"},
		{"op", head + "1,a,SENT,1,,1\n", `t.csv: line 2: op "SENT", want ACK, NACK, FAIL or SEND`},
		{"ev", head + "1,a,ACK,70000,0,\n", `t.csv: line 2: ev "70000", want a number from 0 to 65535`},
		{"ev set", head + "1,a,ACK,256,0,\n", "t.csv: line 2: ev 256 is not in the EV set: evs_bits is 8, ev_base 0"},
		{"ecn", head + "1,a,ACK,1,2,\n", `t.csv: line 2: ecn "2", want 0, 1 or nothing`},
		{"connections", head + "1,a,ACK,1,0,\n1,b,ACK,1,0,\n", `t.csv: line 3: conn "b" is connection 2, but connections is 1`},
		{"gzip", "\x1f\x8b\x08damaged", "t.csv: damaged"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := reps.NewTrace(small, "t.csv", strings.NewReader(c.text))
			if err == nil || !strings.HasPrefix(err.Error(), c.want) {
				t.Errorf("got %v\nwant %s", err, c.want)
			}
		})
	}
}
