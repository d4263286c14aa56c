// SPDX-License-Identifier: Apache-2.0

package figures_test

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/papers/figures"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/host/dcsim"
	"github.com/nicgen/nicgen/sim/host/laps"
	"github.com/nicgen/nicgen/sim/host/plb"
	"github.com/nicgen/nicgen/sim/host/powertcp"
	"github.com/nicgen/nicgen/sim/host/reps"
	"github.com/nicgen/nicgen/sim/plot"
	"github.com/nicgen/nicgen/sim/transport"
)

func lab(m transport.Model) *papers.Lab {
	return &papers.Lab{Seed: 1, Model: m, Unit: func(name string) (transport.Maker, error) {
		switch name {
		case "reps":
			return reps.Transport, nil
		case "powertcp":
			return powertcp.Transport, nil
		case "laps":
			return laps.Transport, nil
		case "plb":
			return plb.Transport, nil
		}
		return nil, fmt.Errorf("no unit %s", name)
	}, Endpoints: func(name string) (transport.EndpointsMaker, error) {
		if name == "dcsim_source" {
			return dcsim.Endpoints, nil
		}
		return nil, fmt.Errorf("no unit %s", name)
	}}
}

// The records of the pages repeat.
func TestRecordRepeats(t *testing.T) {
	record := map[string]papers.Outcome{}
	for _, paper := range figures.Papers {
		raw, err := os.ReadFile("../../docs/data/papers/" + paper.Name + ".json")
		if err != nil {
			t.Fatal(err)
		}
		list, err := papers.Outcomes(raw)
		if err != nil {
			t.Fatal(err)
		}
		for _, o := range list {
			record[o.Figure] = o
		}
		for _, f := range paper.Figures {
			if _, ok := record[f.Name]; !ok {
				t.Errorf("the record of %s has no figure %s", paper.Name, f.Name)
			}
		}
	}
	for _, name := range []string{"reps-4", "reps-14", "powertcp-2.4", "powertcp-2.4b", "powertcp-2.5", "powertcp-theorems", "plb-2.3", "laps-t1", "laps-20s", "dcsim-eq5"} {
		f, err := figures.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		o, err := f.Run(t.Context(), lab(transport.Golden))
		if err != nil {
			t.Fatal(err)
		}
		now, err := evidence.Figures([]*papers.Outcome{o})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(record[name], now[0]); d != "" {
			t.Errorf("%s: -record +now; run: nicgen reproduce %[1]s --record docs/data/papers/PAPER.json, nicgen doc docs/papers\n%[2]s", name, d)
		}
		drawing := map[string]string{"reps-4": "reps_4.svg", "powertcp-2.4": "powertcp_2_4.svg", "powertcp-2.4b": "powertcp_2_4b.svg"}[name]
		if drawing == "" {
			continue
		}
		want, err := os.ReadFile("../../docs/papers/" + drawing)
		if err != nil {
			t.Fatal(err)
		}
		var runs []plot.PortRun
		for _, p := range o.Series {
			runs = append(runs, plot.PortRun{Label: p.Run, Ports: p.Ports})
		}
		if svg, err := plot.Ports(runs); err != nil || !bytes.Equal(svg, want) {
			t.Errorf("docs/papers/%s is not the record's, %v; run: nicgen reproduce %s --svg docs/papers/%s", drawing, err, name, drawing)
		}
	}
}

// REPS' Fig. 4 is also reproduced with RTL with its own clock in the hosts, and every cycle equals the golden models.
func TestCycles(t *testing.T) {
	f, err := figures.Find("reps-4")
	if err != nil {
		t.Fatal(err)
	}
	o, err := f.Run(t.Context(), lab(transport.Cycles))
	if err != nil {
		t.Fatal(err)
	}
	golden, err := f.Run(t.Context(), lab(transport.Golden))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := os.ReadFile("../../docs/data/papers/cycles.json")
	if err != nil {
		t.Fatal(err)
	}
	list, err := papers.Outcomes(raw)
	if err != nil {
		t.Fatal(err)
	}
	now, err := evidence.Figures([]*papers.Outcome{o})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(list[0], now[0]); d != "" {
		t.Errorf("-record +now; run: nicgen reproduce reps-4 reps-7 reps-2 powertcp-2.4 powertcp-2.5 plb-t1 plb-13 laps-20s dcsim-eq5 dcsim-8 dcsim-11 --model cycles --record docs/data/papers/cycles.json\n%s", d)
	}
	same := true
	for i, c := range o.Claims {
		if !c.Holds {
			t.Errorf("%s, %s: %v, the paper says %s", c.Setup, c.What, c.Found, c.Says())
		}
		same = same && c.Found == golden.Claims[i].Found
	}
	if same {
		t.Error("latency changes nothing: the clock may stand still")
	}
}

// A claim holds within its range, at its end, and not beyond.
// The layout of telemetry changes PowerTCP's queue as the page says, and nothing of what has none.
func TestTelemetry(t *testing.T) {
	f, err := figures.Find("powertcp-2.4")
	if err != nil {
		t.Fatal(err)
	}
	rows := map[fabric.Layout]string{}
	for layout, want := range map[fabric.Layout]string{fabric.Exact: "", fabric.HPCC: "same rack PowerTCP 319.1 260 98.0 95.7 3967", fabric.INTMD: "same rack PowerTCP 334.7 270 97.3 95.6 4170"} {
		l := lab(transport.Golden)
		l.Layout = layout
		o, err := f.Run(t.Context(), l)
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Join(o.Rows[0], " "); want != "" && (got != want || o.Telemetry != layout.String()) {
			t.Errorf("%s: %s by %q, want %s", layout, got, o.Telemetry, want)
		}
		rows[layout] = fmt.Sprint(o.Rows[1], o.Rows[3]) // θ-PowerTCP and TIMELY
	}
	if rows[fabric.HPCC] != rows[fabric.Exact] || rows[fabric.INTMD] != rows[fabric.Exact] {
		t.Errorf("schemes without telemetry: %v, want the same", rows)
	}
}

func TestClaims(t *testing.T) {
	for _, c := range []struct {
		claim papers.Claim
		says  string
		comes string
		apart string
	}{
		{papers.Claim{Relation: papers.About, Paper: 1400, Within: 70, Unit: "µs", Found: 1432.11, Holds: true}, "about 1400 µs (± 70)", "1432.11 µs", "+32.11 µs (+2.3 %)"},
		{papers.Claim{Relation: papers.AtLeast, Paper: 35, Unit: "%", Found: 30.5}, "at least 35 %", "30.5 %", "-4.5 %"},
		{papers.Claim{Relation: papers.AtMost, Paper: 1, Found: 1, Holds: true}, "at most 1", "1", "0"},
	} {
		verdict := map[bool]string{true: "reproduced", false: "differs"}[c.claim.Holds]
		for _, x := range [][2]string{{c.claim.Says(), c.says}, {c.claim.Comes(), c.comes}, {c.claim.Apart(), c.apart}, {c.claim.Verdict(), verdict}} {
			if x[0] != x[1] {
				t.Errorf("%q, want %q", x[0], x[1])
			}
		}
	}
}

func TestRefuses(t *testing.T) {
	if _, err := figures.Find("reps-1"); err == nil || err.Error() != `figure: found "reps-1", allowed: reps-4, reps-7, reps-14, reps-2, reps-22, reps-23, reps-15, reps-3, reps-5, reps-10b, powertcp-2.4, powertcp-2.4b, powertcp-2.5, powertcp-2.6, powertcp-2.6m, powertcp-2.7, powertcp-theorems, laps-t1, laps-t3, laps-t4, laps-9, laps-12, laps-19, laps-20s, laps-20r, plb-2.3, plb-t1, plb-t2, plb-13, dcsim-eq5, dcsim-8, dcsim-10, dcsim-11` {
		t.Errorf("%v", err)
	}
	f, err := figures.Find("reps-4")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := f.Run(t.Context(), lab("float")); err == nil || err.Error() != `reps-4: model: found "float", allowed: golden, rtl, cycles` {
		t.Errorf("%v", err)
	}
}

// Figures without a model, without RTL in their hosts, or with hosts that are RTL all together refuse a number of RTL hosts.
func TestRefusesRTLHosts(t *testing.T) {
	for _, c := range []struct {
		figure string
		model  transport.Model
		hosts  int
	}{{"reps-4", transport.Golden, 1}, {"reps-4", transport.RTL, -1}, {"laps-t1", transport.RTL, 1}, {"dcsim-eq5", transport.RTL, 1}} {
		f, err := figures.Find(c.figure)
		if err != nil {
			t.Fatal(err)
		}
		_, err = f.Run(t.Context(), &papers.Lab{Seed: 1, Model: c.model, RTLHosts: c.hosts})
		if want := fmt.Sprintf("%s: hosts with RTL: found %d by model %s, allowed: 1 or more by rtl or cycles", c.figure, c.hosts, c.model); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%v, want %s", err, want)
		}
	}
}
