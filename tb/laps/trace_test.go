// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/laps"
)

// traceSettings is the configuration of the recorded trace.
const traceSettings = "destinations=64 banks=8 rows=64 flows=64"

// recordedFile is a recording of a closed loop whose hosts have Algorithms 1 and 2 in floating point: TestRecording of sim/host/laps
// writes it.
const recordedFile = "testdata/incast.csv.gz"

// The rates of the float64 model in a closed loop equal the rates of golden model and RTL,
// with every way to look up ACKs.
func TestTrace(t *testing.T) {
	text := benchtest.UnpackedTrace(t, recordedFile)
	for _, settings := range []string{"", "ack_lookup=own", "loss=false"} {
		t.Run(settings, func(t *testing.T) {
			r := suite.Trace(t, laps.NewTrace, suite.Configure(t, traceSettings+" "+settings), recordedFile, text)
			if !r.OK() {
				t.Fatalf("%s: %s", r.Outcome, benchtest.Summary(r))
			}
			want := fmt.Sprintf(`^%d recorded rates: all met by model and RTL, off by at most 0\.0[0-9]+ ppm; 0 recorded paths: all equal$`,
				bytes.Count(text, []byte(",ACK,"))+bytes.Count(text, []byte(",OPEN,")))
			if len(r.Notes) != 1 || !regexp.MustCompile(want).MatchString(r.Notes[0]) {
				t.Errorf("notes %q, want %s", r.Notes, want)
			}
		})
	}
}

// A wrong rate and a wrong path are noticed, with their lines, and so are settings that
// differ from the recording.
func TestTraceNotices(t *testing.T) {
	text := string(benchtest.UnpackedTrace(t, recordedFile))
	p := suite.Configure(t, traceSettings)
	wrong := strings.Replace(text, ",6400000.000,1\n", ",6400007.000,1\n", 1)
	line := 1 + strings.Count(wrong[:strings.Index(wrong, ",6400007.000")], "\n")
	r := suite.Trace(t, laps.NewTrace, p, "t.csv", []byte(wrong))
	if s := benchtest.Summary(r); r.Outcome != cosim.Verdict ||
		!strings.Contains(s, fmt.Sprintf("t.csv: 1 recorded rates are not what the model gives with this configuration; line %d: ACK at ", line)) ||
		!strings.Contains(s, "recorded rate 6.400007e+06, to be met to 1 ppm; the model gives 6.4e+06, off by 1.09 ppm") {
		t.Errorf("outcome %s (%s), want a verdict about one rate in line %d", r.Outcome, s, line)
	}
	// Of another destination.
	first := regexp.MustCompile(`,PATH,([^,]*),([^,]*),`).FindAllStringSubmatch(text, -1)
	wrong = strings.Replace(text, ",PACKET,"+first[0][1]+",,", ",PACKET,"+first[0][1]+","+first[8][2]+",", 1)
	r = suite.Trace(t, laps.NewTrace, p, "t.csv", []byte(wrong))
	if s := benchtest.Summary(r); r.Outcome != cosim.Verdict || !strings.Contains(s, "1 recorded paths are not what the model gives") {
		t.Errorf("outcome %s (%s), want a verdict about one path", r.Outcome, s)
	}
	r = suite.Trace(t, laps.NewTrace, suite.Configure(t, traceSettings+" stages=6"), "t.csv", []byte(text))
	if r.Outcome != cosim.Verdict {
		t.Errorf("another number of stages: outcome %s, want %s", r.Outcome, cosim.Verdict)
	}
}

func TestTraceColumns(t *testing.T) { suite.TraceColumns(t, laps.Header) }

func TestTraceErrors(t *testing.T) {
	const head = "time_ns,op,destination,path,base_ns,flow,seq,delay_ns,rate,rate_ppm\n"
	const path = head + "0,PATH,d,p,1000,,,,,\n"
	suite.RefusedTraces(t, laps.NewTrace, suite.Configure(t, "destinations=2 banks=2 rows=2 flows=1"), [][3]string{
		{"empty", "", "empty file, want the header time_ns,op,destination,path,base_ns,flow,seq,delay_ns,rate,rate_ppm"},
		{"no events", head, "no events"},
		{"paths alone", path, "no events after the paths"},
		{"header", "a,b\n", `line 1: found the header "a,b", want "time_ns,`},
		{"columns", head + "1,PATH\n", "line 2: found 2 columns, want 10: time_ns,"},
		{"time", head + "now,PATH,d,p,1000,,,,,\n", `line 2, time_ns: found "now", allowed: a whole number below 2^64`},
		{"backwards", path + "5,OPEN,,,,f,,,,\n4,OPEN,,,,f,,,,\n", `line 4, time_ns: found "4", allowed: at least 5, the time of the event before`},
		{"op", path + "5,SEND,d,,,f,,,,\n", `line 3, op: found "SEND", allowed: PATH, OPEN, PACKET, ACK or ANSWER`},
		{"late path", path + "5,OPEN,,,,f,,,,\n5,PATH,d,q,1000,,,,,\n", `line 4, op: found "PATH", allowed: PATH before all others`},
		{"path twice", path + "0,PATH,e,p,1000,,,,,\n", `line 3, path: found "p", allowed: each path once`},
		{"paths", path + "0,PATH,d,q,1000,,,,,\n0,PATH,e,r,1000,,,,,\n0,PATH,e,s,1000,,,,,\n0,PATH,e,t,1000,,,,,\n",
			`line 6, path: found "t", allowed: a name that was there before: banks × rows is 4`},
		{"destinations", path + "0,PATH,e,q,1000,,,,,\n0,PATH,f,r,1000,,,,,\n", `line 4, destination: found "f", allowed: a name that was there before: destinations is 2`},
		{"banks", path + "0,PATH,d,q,1000,,,,,\n0,PATH,d,r,1000,,,,,\n1,OPEN,,,,f,,,,\n", `line 4, destination: found "d", allowed: one with fewer than 2 paths before: banks is 2`},
		{"no path", head + "1,OPEN,,,,f,,,,\n", `line 2, op: found "OPEN", allowed: PATH first`},
		{"no base", head + "0,PATH,d,p,0,,,,,\n", `line 2, base_ns: found "0", allowed: at least 1`},
		{"base", head + "0,PATH,d,p,1048576,,,,,\n", `line 2, base_ns: found "1048576", allowed: a whole number below 2^20 (lat_bits)`},
		{"destination", path + "1,PACKET,e,,,,,,,\n", `line 3, destination: found "e", allowed: a name that was there before`},
		{"packet's path", path + "1,PACKET,d,q,,,,,,\n", `line 3, path: found "q", allowed: a name that was there before`},
		{"ack's path", path + "1,ACK,,q,,f,,1000,,\n", `line 3, path: found "q", allowed: a name that was there before`},
		{"flows", path + "1,OPEN,,,,f,,,,\n1,OPEN,,,,g,,,,\n", `line 4, flow: found "g", allowed: a name that was there before: flows is 1`},
		{"seq", path + "1,PACKET,d,,,f,16777216,,,\n", `line 3, seq: found "16777216", allowed: a whole number below 2^24 (seq_bits)`},
		{"delay", path + "1,ACK,,p,,f,,-5,,\n", `line 3, delay_ns: found "-5", allowed: a whole number below 2^31`},
		{"answer", path + "1,ANSWER,,p,,,,,,\n", `line 3, delay_ns: found "", allowed: a whole number below 2^31`},
		{"rate", path + "1,ACK,,p,,f,,5,fast,\n", `line 3, rate: found "fast", allowed: a number from 0 to 10^18, or nothing`},
		{"tolerance", path + "1,ACK,,p,,f,,5,,5\n", `line 3, rate_ppm: found "5", allowed: nothing where rate is empty`},
		{"rate of a packet", path + "1,PACKET,d,,,,,,5,\n", `line 3, rate: found "5", allowed: nothing where op is not OPEN or ACK`},
		{"gzip", "\x1f\x8b\x08damaged", "damaged"},
	})
}
