// SPDX-License-Identifier: Apache-2.0

package reps_test

import (
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
	text, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	return suite.Trace(t, reps.NewTrace, p, file, text)
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

func TestTraceColumns(t *testing.T) { suite.TraceColumns(t, reps.Header) }

func TestTraceErrors(t *testing.T) {
	const head = "time_ns,conn,op,ev,ecn,random\n"
	small := params.Default()
	small.Connections, small.EVSBits = 1, 8
	suite.RefusedTraces(t, reps.NewTrace, small, [][3]string{
		{"empty", "", "empty file, want the header time_ns,conn,op,ev,ecn,random"},
		{"no events", head, "no events"},
		{"only NACKs", head + "1,a,NACK,1,,\n", "no events"},
		{"header", "a,b,c,d,e,f\n", `line 1: found the header "a,b,c,d,e,f", want "time_ns,conn,op,ev,ecn,random"`},
		{"columns", head + "1,2,SEND\n", "line 2: found 3 columns, want 6: time_ns,conn,op,ev,ecn,random"},
		{"time", head + "x,a,SEND,1,,1\n", `line 2, time_ns: found "x", allowed: a whole number below 2^35 (timer_bits)`},
		{"late", head + "99999999999,a,SEND,1,,1\n", `line 2, time_ns: found "99999999999", allowed: a whole number below 2^35 (timer_bits)`},
		{"backwards", head + "5,a,SEND,1,,1\n4,a,SEND,1,,1\n", `line 3, time_ns: found "4", allowed: at least 5, the time of the event before`},
		{"op", head + "1,a,SENT,1,,1\n", `line 2, op: found "SENT", allowed: ACK, NACK, FAIL or SEND`},
		{"ev", head + "1,a,ACK,70000,0,\n", `line 2, ev: found "70000", allowed: a whole number below 2^16`},
		{"ev set", head + "1,a,ACK,256,0,\n", `line 2, ev: found "256", allowed: an EV of the set: evs_bits is 8, ev_base 0`},
		{"ecn", head + "1,a,ACK,1,2,\n", `line 2, ecn: found "2", allowed: 0, 1 or nothing`},
		{"random", head + "1,a,SEND,1,,yes\n", `line 2, random: found "yes", allowed: 0, 1 or nothing`},
		{"connections", head + "1,a,ACK,1,0,\n1,b,ACK,1,0,\n", `line 3, conn: found "b", allowed: a name that was there before: connections is 1`},
		{"gzip", "\x1f\x8b\x08damaged", "damaged"},
	})
}
