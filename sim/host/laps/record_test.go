// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps"
	"github.com/nicgen/nicgen/sim/host/laps"
	"github.com/nicgen/nicgen/sim/scenario/rail"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/benchtest"
	tblaps "github.com/nicgen/nicgen/tb/laps"
)

// traceTolerance is by how much a rate of a recording may be off, in ppm.
const traceTolerance = 1

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
	return fmt.Sprintf("%.3f,%d", rate*tblaps.PerByte, traceTolerance)
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
	return []byte(strings.Join(tblaps.Header, ",") + "\n" + paths.String() + text.String())
}

// recordedIncast is with Algorithms 1 and 2 in floating point.
func recordedIncast(t *testing.T) []byte {
	t.Helper()
	return recorded(t, shortIncast(), transport.Float, false)
}

// The closed loop is the one that the bench's recording has, which its trace test plays to RTL and golden model.
func TestRecording(t *testing.T) {
	benchtest.RecordedTrace(t, "../../../tb/laps/testdata/incast.csv.gz", recordedIncast(t))
}

// The golden model in the closed loop has the unit's random numbers: its paths are
// reproduced, and so are acknowledged and lost segments.
func TestTraceWithPaths(t *testing.T) {
	sc := rail.Losses(1) // one segment in a hundred of one path
	sc.End, sc.Flows[0].Stop = 400_000, 400_000
	sc.Event, sc.Repair = 100_000, 200_000
	sc.Faults = sc.Faults[:1]
	text := recorded(t, sc, transport.Golden, true)
	suite := benchtest.Suite[*params.Params]{Unit: tblaps.Unit}
	r := suite.Trace(t, tblaps.NewTrace, suite.Configure(t, "destinations=16 banks=8 rows=8 flows=64 rate_bits=28 lat_bits=24 depth=1024"), "t.csv", text)
	packets, rates := bytes.Count(text, []byte(",PACKET,")), bytes.Count(text, []byte(",ACK,"))+bytes.Count(text, []byte(",OPEN,"))
	want := fmt.Sprintf("%d recorded rates: all met by model and RTL, off by at most 0 ppm; %d recorded paths: all equal", rates, packets)
	if !r.OK() || len(r.Notes) != 1 || r.Notes[0] != want || packets < 1000 {
		t.Errorf("%s: %s; notes %q, want %q", r.Outcome, benchtest.Summary(r), r.Notes, want)
	}
	if r.Coverage["count/loss/lost"] == 0 {
		t.Errorf("no segment was lost: %v", r.Coverage)
	}
}
