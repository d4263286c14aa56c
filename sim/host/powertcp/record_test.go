// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/sim/host/powertcp"
	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/benchtest"
	tbpowertcp "github.com/nicgen/nicgen/tb/powertcp"
)

// tolerance is the deviation of a window, in ppm, that the recordings of the trace test allow.
const tolerance = 1000

// recorder writes down the questions to a controller and its answers. Telemetry comes in
// the units of its header, as it does from a switch.
type recorder struct {
	powertcp.Controller
	text *bytes.Buffer
	host int
}

func (r *recorder) Ack(a *tbpowertcp.Ack) (powertcp.Window, error) {
	p := params.Default()
	var hops []string
	for i := range a.Hops {
		h := &a.Hops[i]
		h.QLen -= h.QLen % uint64(p.QlenUnit)
		h.Tx -= h.Tx % uint64(p.TxUnit)
		hops = append(hops, fmt.Sprintf("%d/%d/%d/%d", h.QLen, h.Tx, h.TS, h.Rate))
	}
	w, err := r.Controller.Ack(a)
	fmt.Fprintf(r.text, "%d,c%d,ACK,%d,%d,%d,%d,%s,%.3f,%d\n", a.Now, r.host, a.Seq, a.SndNxt, a.Path, a.RTT, strings.Join(hops, " "), w.Bytes, tolerance)
	return w, err
}

// incastRecorded records the beginning of the paper's Fig. 2.4, in which the float64 model of the
// paper computes the windows. The settings are the default configuration's.
func incastRecorded(t *testing.T, v bottleneck.Variant) []byte {
	t.Helper()
	sc := bottleneck.Incast(10, 1)
	sc.Event, sc.Steady, sc.End = 100_000, 500_000, 1_000_000
	for i := range sc.Flows {
		sc.Flows[i].Start = min(sc.Flows[i].Start, sc.Event)
		sc.Flows[i].Stop = sc.End
	}
	text := &bytes.Buffer{}
	fmt.Fprintln(text, strings.Join(tbpowertcp.Header, ","))
	set := bottleneck.NewSettings(v, bottleneck.Sets[1])
	play(t, sc, set, func(h *transport.Host) (transport.Transport, error) {
		s := powertcp.Settings{Settings: set, Connections: 1, Hops: 1}
		return powertcp.NewTransport(h, &recorder{controller(t, transport.Float, s), text, h.Number}, s), nil
	})
	return text.Bytes()
}

// The closed loop is the one that the bench's recordings have, which its trace test plays to RTL and golden model.
func TestRecording(t *testing.T) {
	for _, v := range []bottleneck.Variant{bottleneck.INT, bottleneck.Theta} {
		benchtest.RecordedTrace(t, fmt.Sprintf("../../../tb/powertcp/testdata/incast_%s.csv.gz", v), incastRecorded(t, v))
	}
}
