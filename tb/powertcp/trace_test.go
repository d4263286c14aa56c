// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/powertcp"
)

// recorded is a recording of a closed loop, in which the float64 model of the paper computes the windows: TestRecording of
// sim/host/powertcp writes it.
func recorded(t *testing.T, variant string) []byte {
	t.Helper()
	return benchtest.UnpackedTrace(t, fmt.Sprintf("testdata/incast_%s.csv.gz", variant))
}

// The windows of the float64 model in a closed loop equal the windows of golden model and
// RTL, for any clock period, for both variants.
func TestTrace(t *testing.T) {
	for _, c := range []struct {
		settings string
		variant  string
	}{
		{"", params.INT}, {"throughput=ack hop_format=fields", params.INT}, {"variant=theta", params.Theta}, {"variant=both", params.INT},
	} {
		t.Run(c.settings, func(t *testing.T) {
			text := recorded(t, c.variant)
			r := suite.Trace(t, powertcp.NewTrace, suite.Configure(t, c.settings), "t.csv", text)
			if !r.OK() {
				t.Fatalf("%s: %s", r.Outcome, benchtest.Summary(r))
			}
			t.Log(r.Notes)
			want := fmt.Sprintf(`^%d recorded windows: all met by model and RTL, off by at most [1-9][0-9]* ppm$`, bytes.Count(text, []byte("\n"))-1)
			if len(r.Notes) != 1 || !regexp.MustCompile(want).MatchString(r.Notes[0]) {
				t.Errorf("notes %q, want %s", r.Notes, want)
			}
		})
	}
}

// A window beyond its tolerance, and settings that differ from the recording, are noticed;
// so is the line.
func TestTraceNotices(t *testing.T) {
	text := recorded(t, params.INT)
	lines := strings.Split(string(text), "\n")
	cells := strings.Split(lines[700], ",")
	cells[8] = "4242"
	lines[700] = strings.Join(cells, ",")
	r := suite.Trace(t, powertcp.NewTrace, suite.Configure(t, ""), "t.csv", []byte(strings.Join(lines, "\n")))
	if s := benchtest.Summary(r); r.Outcome != cosim.Verdict ||
		!strings.Contains(s, "t.csv: 1 recorded windows are not what the model gives with this configuration; line 701: ACK at ") ||
		!strings.Contains(s, "recorded window 4242 bytes, to be met to 1000 ppm; the model gives ") {
		t.Errorf("outcome %s (%s), want a verdict about one window", r.Outcome, s)
	}
	r = suite.Trace(t, powertcp.NewTrace, suite.Configure(t, "beta_bytes=600"), "t.csv", text)
	if r.Outcome != cosim.Verdict {
		t.Errorf("another β: outcome %s, want %s", r.Outcome, cosim.Verdict)
	}
}

const traceHead = "time_ns,conn,op,seq,snd_nxt,path,rtt_ns,hops,window_bytes,window_ppm\n"

// A unit of both variants takes an ACK with hops for Algorithm 1 and another one for
// Algorithm 2; a flush makes a connection new; an ACK of more hops than the unit looks at
// takes all of its beats; what is not said is not checked.
func TestTraceOfAllKinds(t *testing.T) {
	text := traceHead +
		"10,a,ACK,0,1000,1,,100/2000/10/0 0/0/5/1,90500,\n" +
		"20,b,ACK,0,1000,1,5000,,90500,\n" +
		"20,b,ACK,1000,2000,1,5000,,,\n" +
		"30,a,FLUSH,,,,,,,\n" +
		"40,a,ACK,0,1000,1,,0/0/1/0 0/0/1/0 0/0/1/0 0/0/1/0 0/0/1/0 0/0/1/0 0/0/1/0,90500,0\n" +
		"40,a,ACK,0,1000,2,,,,\n"
	r := suite.Trace(t, powertcp.NewTrace, suite.Configure(t, "variant=both"), "t.csv", []byte(text))
	if want := "3 recorded windows: all met by model and RTL, off by at most 0 ppm"; !r.OK() || r.Events != 6 || len(r.Notes) != 1 || r.Notes[0] != want {
		t.Errorf("%s: %s; %d events, want 6; notes %q, want %q", r.Outcome, benchtest.Summary(r), r.Events, r.Notes, want)
	}
}

func TestTraceColumns(t *testing.T) { suite.TraceColumns(t, powertcp.Header) }

func TestTraceErrors(t *testing.T) {
	hops := `allowed: QLEN/TX/TIME/RATE of each of at most 31 hops, with spaces between them: bytes, bytes, ns and a code below 2^3 (rate_bits)`
	suite.RefusedTraces(t, powertcp.NewTrace, suite.Configure(t, "connections=1 variant=both"), [][3]string{
		{"empty", "", "empty file, want the header time_ns,conn,op,seq,snd_nxt,path,rtt_ns,hops,window_bytes,window_ppm"},
		{"no events", traceHead, "no events"},
		{"header", "a,b\n", `line 1: found the header "a,b", want "time_ns,`},
		{"columns", traceHead + "1,a,ACK\n", "line 2: found 3 columns, want 10: time_ns,"},
		{"time", traceHead + "1.5,a,ACK,0,0,0,,,,\n", `line 2, time_ns: found "1.5", allowed: a whole number below 2^64`},
		{"backwards", traceHead + "5,a,ACK,0,0,0,,,,\n4,a,ACK,0,0,0,,,,\n", `line 3, time_ns: found "4", allowed: at least 5, the time of the event before`},
		{"conn", traceHead + "5,a,FLUSH,,,,,,,\n6,b,FLUSH,,,,,,,\n", `line 3, conn: found "b", allowed: a name that was there before: connections is 1`},
		{"op", traceHead + "5,a,SEND,0,0,0,,,,\n", `line 2, op: found "SEND", allowed: ACK or FLUSH`},
		{"seq", traceHead + "5,a,ACK,4294967296,0,0,,,,\n", `line 2, seq: found "4294967296", allowed: a whole number below 2^32`},
		{"snd_nxt", traceHead + "5,a,ACK,0,,0,,,,\n", `line 2, snd_nxt: found "", allowed: a whole number below 2^32`},
		{"path", traceHead + "5,a,ACK,0,0,4096,,,,\n", `line 2, path: found "4096", allowed: a whole number below 2^12 (path_bits)`},
		{"rtt", traceHead + "5,a,ACK,0,0,0,slow,,,\n", `line 2, rtt_ns: found "slow", allowed: a whole number below 2^64`},
		{"hop", traceHead + "5,a,ACK,0,0,0,,1/2/3,,\n", `line 2, hops: found "1/2/3", ` + hops},
		{"hop number", traceHead + "5,a,ACK,0,0,0,,1/2/3/0 1/2/x/0,,\n", `line 2, hops: found "1/2/3/0 1/2/x/0", ` + hops},
		{"rate code", traceHead + "5,a,ACK,0,0,0,,1/2/3/8,,\n", `line 2, hops: found "1/2/3/8", ` + hops},
		{"hops", traceHead + "5,a,ACK,0,0,0,," + strings.Repeat("1/2/3/0 ", 32) + ",,\n", `line 2, hops: found "1/2/3/0 `},
		{"window", traceHead + "5,a,ACK,0,0,0,,,-1,\n", `line 2, window_bytes: found "-1", allowed: a number from 0 to 10^18, or nothing`},
		{"tolerance", traceHead + "5,a,ACK,0,0,0,,,1,NaN\n", `line 2, window_ppm: found "NaN", allowed: a number from 0 to 10^18, or nothing`},
		{"tolerance alone", traceHead + "5,a,ACK,0,0,0,,,,5\n", `line 2, window_ppm: found "5", allowed: nothing where window_bytes is empty`},
		{"gzip", "\x1f\x8b\x08damaged", "damaged"},
	})
}
