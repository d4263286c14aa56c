// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"bytes"
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/sim/scenario/rail"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/laps"
)

// The configuration of the recorded trace, and what a rate in it may be off, in ppm.
const (
	traceSettings  = "destinations=64 banks=8 rows=64 flows=64"
	traceTolerance = 1
)

// recorder records the calls of a host's transport, and its rates in 1/256 Mb/s. Names of destinations, paths and flows begin with the
// host's: a trace is of one device, in which hosts share only the random numbers.
type recorder struct {
	transport.Tracker
	host *transport.Host
	text *bytes.Buffer
	// exact also writes paths and segments down, of a transport that has the unit's
	// random numbers.
	exact bool
}

func (r *recorder) rate(rate float64) string {
	return fmt.Sprintf("%.3f,%d", rate*8000*256, traceTolerance)
}

func (r *recorder) flow(conn int) string { return fmt.Sprintf("h%df%d", r.host.Number, conn) }

func (r *recorder) dst(conn int) string {
	return fmt.Sprintf("h%dd%d", r.host.Number, r.host.Peers[conn])
}

func (r *recorder) path(conn int, number uint32) string {
	return fmt.Sprintf("h%dd%dp%d", r.host.Number, r.host.Peers[conn], number)
}

func (r *recorder) Open(conn int, now uint64) (transport.Grant, error) {
	g, err := r.Tracker.Open(conn, now)
	fmt.Fprintf(r.text, "%d,OPEN,,,,%s,,,%s\n", now, r.flow(conn), r.rate(g.Rate))
	return g, err
}

func (r *recorder) Segment(conn int, seq uint32, now uint64) (transport.Choice, error) {
	c, err := r.Tracker.Segment(conn, seq, now)
	if r.exact {
		fmt.Fprintf(r.text, "%d,PACKET,%s,%s,,%s,%d,,,\n", now, r.dst(conn), r.path(conn, c.EV), r.flow(conn), seq)
	} else {
		fmt.Fprintf(r.text, "%d,PACKET,%s,,,,,,,\n", now, r.dst(conn))
	}
	return c, err
}

func (r *recorder) Ack(conn int, a *transport.Ack) (transport.Grant, error) {
	g, err := r.Tracker.Ack(conn, a)
	seq := ""
	if r.exact {
		seq = fmt.Sprint(a.Seq)
	}
	fmt.Fprintf(r.text, "%d,ACK,,%s,,%s,%s,%d,%s\n", a.Now, r.path(conn, a.EV), r.flow(conn), seq, a.Delay, r.rate(g.Rate))
	return g, err
}

func (r *recorder) Answer(conn int, a *transport.Ack) error {
	fmt.Fprintf(r.text, "%d,ANSWER,,%s,,,,%d,,\n", a.Now, r.path(conn, a.EV), a.Delay)
	return r.Tracker.Answer(conn, a)
}

// shortIncast is the closed loop's incast in short: seven flows to one host for 40 µs, and
// one of them long enough to recover.
func shortIncast() *rail.Scenario {
	sc := rail.Incast(7, 1)
	sc.Event, sc.Repair, sc.End = 20_000, 60_000, 600_000
	sc.Warm = sc.Event
	for i := range sc.Flows {
		f := &sc.Flows[i]
		f.Start, f.Stop = sc.Event+uint64(17*i), sc.Repair
	}
	sc.Flows[0].Start, sc.Flows[0].Stop = 0, sc.End
	return sc
}

// recorded is the trace of a scenario whose hosts have a model.
func recorded(t *testing.T, sc *rail.Scenario, model transport.Model, exact bool) []byte {
	t.Helper()
	var paths, text bytes.Buffer
	s := rail.NewSettings(1, 1)
	_, err := rail.Run(t.Context(), sc, &s, func(h *transport.Host, _ bool) (transport.Transport, error) {
		h.Seed = 1 // as a trace's
		by, err := laps.Transport(t.Context(), model, h)
		if err != nil {
			return nil, err
		}
		r := &recorder{Tracker: by.(transport.Tracker), host: h, text: &text, exact: exact}
		for conn, dst := range h.Peers {
			for k, p := range h.Paths(dst) {
				fmt.Fprintf(&paths, "0,PATH,%s,%s,%d,,,,,\n", r.dst(conn), r.path(conn, uint32(k)), p.Base)
			}
		}
		return r, nil
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return []byte(strings.Join(laps.Header, ",") + "\n" + paths.String() + text.String())
}

// recordedIncast is with Algorithms 1 and 2 in floating point.
func recordedIncast(t *testing.T) []byte {
	t.Helper()
	return recorded(t, shortIncast(), transport.Float, false)
}

const recordedFile = "incast.csv.gz"

// The rates of the float64 model in a closed loop equal the rates of golden model and RTL,
// with every way to look up ACKs.
func TestTrace(t *testing.T) {
	text := benchtest.RecordedTrace(t, recordedFile, recordedIncast(t))
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

// The golden model in the closed loop has the unit's random numbers: its paths are
// reproduced, and so are acknowledged and lost segments.
func TestTraceWithPaths(t *testing.T) {
	sc := rail.Losses(1) // one segment in a hundred of one path
	sc.End, sc.Flows[0].Stop = 400_000, 400_000
	sc.Event, sc.Repair = 100_000, 200_000
	sc.Faults = sc.Faults[:1]
	text := recorded(t, sc, transport.Golden, true)
	r := suite.Trace(t, laps.NewTrace, suite.Configure(t, "destinations=16 banks=8 rows=8 flows=64 rate_bits=28 lat_bits=24 depth=1024"), "t.csv", text)
	packets, rates := bytes.Count(text, []byte(",PACKET,")), bytes.Count(text, []byte(",ACK,"))+bytes.Count(text, []byte(",OPEN,"))
	want := fmt.Sprintf("%d recorded rates: all met by model and RTL, off by at most 0 ppm; %d recorded paths: all equal", rates, packets)
	if !r.OK() || len(r.Notes) != 1 || r.Notes[0] != want || packets < 1000 {
		t.Errorf("%s: %s; notes %q, want %q", r.Outcome, benchtest.Summary(r), r.Notes, want)
	}
	if r.Coverage["count/loss/lost"] == 0 {
		t.Errorf("no segment was lost: %v", r.Coverage)
	}
}

// A wrong rate and a wrong path are noticed, with their lines, and so are settings that
// differ from the recording.
func TestTraceNotices(t *testing.T) {
	text := string(recordedIncast(t))
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
