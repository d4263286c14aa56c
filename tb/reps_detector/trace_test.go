// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/reps_detector"
	"github.com/nicgen/nicgen/tb/benchtest"
	detector "github.com/nicgen/nicgen/tb/reps_detector"
)

// appendixA is strategy 2 of the paper's Appendix A as described there: a sender keeps the
// RTTs of its packets; when one times out, it checks the RTTs of the last window, and takes
// the loss for a failure if all of them are low.
type appendixA struct {
	threshold, window uint64
	samples           []struct{ at, rtt uint64 }
}

func (a *appendixA) rtt(at, rtt uint64) {
	a.samples = append(a.samples, struct{ at, rtt uint64 }{at, rtt})
}

func (a *appendixA) timeout(at uint64) string {
	for _, s := range a.samples {
		if s.at+a.window >= at && s.rtt >= a.threshold {
			return "congestion"
		}
	}
	return "failure"
}

// congestedAndBroken makes the trace: eight connections through queues that fill and drain,
// some of them over a path that fails, with timeouts for a part of the lost and dropped
// packets.
func congestedAndBroken() []byte {
	const conns, empty, steps = 8, 12_500, 4000
	p := params.Default()
	rnd := rand.New(rand.NewPCG(1, 0x726570736474))
	var senders [conns]appendixA
	var queue [conns]float64 // delay in ns
	for c := range senders {
		senders[c] = appendixA{threshold: uint64(p.RTTThresholdNS), window: uint64(p.WindowNS)}
	}
	var b bytes.Buffer
	fmt.Fprintln(&b, strings.Join(detector.Header, ","))
	now := uint64(1000)
	for n := range steps {
		now += rnd.Uint64N(300)
		c := rnd.IntN(conns)
		// Every connection is congested for a quarter of the time, one after the other.
		if busy := n * 4 * conns / steps; busy%conns == c {
			queue[c] = min(queue[c]+2000, 30_000)
		} else {
			queue[c] = max(queue[c]-1500, 0)
		}
		s := &senders[c]
		switch chance := rnd.IntN(100); {
		case chance < 6:
			fmt.Fprintf(&b, "%d,c%d,TIMEOUT,,%s\n", now, c, s.timeout(now))
		case chance < 7:
			*s = appendixA{threshold: s.threshold, window: s.window}
			fmt.Fprintf(&b, "%d,c%d,FLUSH,,\n", now, c)
		default:
			rtt := empty + uint64(queue[c]) + rnd.Uint64N(200)
			s.rtt(now, rtt)
			fmt.Fprintf(&b, "%d,c%d,RTT,%d,\n", now, c, rtt)
		}
	}
	return b.Bytes()
}

const recordedFile = "testdata/appendix_a.csv.gz"

// The recorded verdicts, by the paper's words, are what model and RTL give.
func TestTrace(t *testing.T) {
	text := benchtest.RecordedTrace(t, recordedFile, congestedAndBroken())
	r := suite.Trace(t, detector.NewTrace, params.Default(), recordedFile, text)
	if !r.OK() {
		t.Fatalf("%s: %s", r.Outcome, benchtest.Summary(r))
	}
	want := fmt.Sprintf("%d recorded verdicts: all equal in recording, model and RTL; %d failures, %d congestion",
		bytes.Count(text, []byte("TIMEOUT")), bytes.Count(text, []byte("failure")), bytes.Count(text, []byte("congestion")))
	if len(r.Notes) != 1 || r.Notes[0] != want {
		t.Errorf("notes %q, want %q", r.Notes, want)
	}
	if n := uint64(bytes.Count(text, []byte("\n")) - 1); r.Events != n || bytes.Count(text, []byte("failure")) < 50 || bytes.Count(text, []byte("congestion")) < 50 {
		t.Errorf("%d events, want %d, with many verdicts of both kinds", r.Events, n)
	}
}

// A wrong verdict, and settings that differ from the recording, are noticed.
func TestTraceNotices(t *testing.T) {
	text := bytes.Replace(congestedAndBroken(), []byte("TIMEOUT,,congestion"), []byte("TIMEOUT,,failure"), 1)
	r := suite.Trace(t, detector.NewTrace, params.Default(), "t.csv", text)
	if s := benchtest.Summary(r); r.Outcome != cosim.Verdict || !strings.Contains(s, "t.csv: 1 recorded verdicts are not what the model gives") ||
		!strings.Contains(s, "recorded verdict failure; the model gives congestion") {
		t.Errorf("outcome %s (%s), want a verdict about one recorded verdict", r.Outcome, s)
	}
	r = suite.Trace(t, detector.NewTrace, suite.Configure(t, "window_ns=70000"), "t.csv", congestedAndBroken())
	if r.Outcome != cosim.Verdict {
		t.Errorf("half the window: outcome %s, want %s", r.Outcome, cosim.Verdict)
	}
}

// Events of one moment share a cycle where the unit allows it, and act in order.
func TestTraceOfOneMoment(t *testing.T) {
	r := suite.Trace(t, detector.NewTrace, params.Default(), "t.csv", []byte("time_ns,conn,op,rtt_ns,verdict\n"+
		"5,a,TIMEOUT,,failure\n5,a,RTT,99999999,\n5,a,TIMEOUT,,congestion\n5,a,TIMEOUT,,congestion\n5,a,FLUSH,,\n5,a,TIMEOUT,,failure\n5,a,RTT,1,\n5,a,TIMEOUT,,\n"))
	if !r.OK() || r.Cycles != 2+256+2+5+7 || r.Events != 8 {
		t.Errorf("%s: %s; %d cycles and %d events, want 272 and 8", r.Outcome, benchtest.Summary(r), r.Cycles, r.Events)
	}
}

func TestTraceColumns(t *testing.T) { suite.TraceColumns(t, detector.Header) }

func TestTraceErrors(t *testing.T) {
	const head = "time_ns,conn,op,rtt_ns,verdict\n"
	suite.RefusedTraces(t, detector.NewTrace, suite.Configure(t, "connections=1"), [][3]string{
		{"empty", "", "empty file, want the header time_ns,conn,op,rtt_ns,verdict"},
		{"no events", head, "no events"},
		{"header", "a,b\n", `line 1: found the header "a,b", want "time_ns,conn,op,rtt_ns,verdict"`},
		{"columns", head + "1,a,RTT\n", "line 2: found 3 columns, want 5: time_ns,conn,op,rtt_ns,verdict"},
		{"time", head + "-1,a,RTT,5,\n", `line 2, time_ns: found "-1", allowed: a whole number below 2^35 (timer_bits)`},
		{"backwards", head + "5,a,RTT,5,\n4,a,RTT,5,\n", `line 3, time_ns: found "4", allowed: at least 5, the time of the event before`},
		{"conn", head + "5,a,RTT,5,\n6,b,RTT,5,\n", `line 3, conn: found "b", allowed: a name that was there before: connections is 1`},
		{"op", head + "5,a,ACK,5,\n", `line 2, op: found "ACK", allowed: RTT, FLUSH or TIMEOUT`},
		{"rtt", head + "5,a,RTT,,\n", `line 2, rtt_ns: found "", allowed: a whole number below 2^64`},
		{"verdict", head + "5,a,TIMEOUT,,fail\n", `line 2, verdict: found "fail", allowed: failure, congestion or nothing`},
		{"gzip", "\x1f\x8b\x08damaged", "damaged"},
		{"quotes", head + "5,\"a,RTT,5,\n", "damaged file: "},
	})
}
