// SPDX-License-Identifier: Apache-2.0

// Package reproduce simulates the figures of papers and compares what comes out with what the
// papers say. A figure names the units that it needs; whoever runs it brings their transports.
package reproduce

import (
	"bytes"
	"cmp"
	"context"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// Figure is a figure of a paper that can be checked by numbers in the paper's text.
type Figure struct {
	Name   string // "reps-4"
	Title  string
	Paper  string // where it is
	Models []transport.Model

	run func(ctx context.Context, l *Lab, o *Outcome) error
}

// Figures are all figures, in order.
var Figures = slices.Concat(reps, powertcp, laps, plb, dcsimFigures)

// Find returns a figure by its name.
func Find(name string) (*Figure, error) {
	var names []string
	for i := range Figures {
		if Figures[i].Name == name {
			return &Figures[i], nil
		}
		names = append(names, Figures[i].Name)
	}
	return nil, fmt.Errorf("figure: found %q, allowed: %s", name, strings.Join(names, ", "))
}

// Lab is what figures are run with.
type Lab struct {
	Seed  uint64 // of the first run of each kind; later ones count on
	Model transport.Model
	Unit  func(name string) (transport.Maker, error)
	// RTLHosts are how many senders of a run have the RTL, by the models RTL and Cycles; the others have the golden model. 0: all, but one in
	// figures that would take hours.
	RTLHosts int
	// Layout is that of the switches' telemetry, in figures that have some.
	Layout fabric.Layout
	// Endpoints are whole hosts that a unit brings.
	Endpoints func(name string) (transport.EndpointsMaker, error)
}

// Outcome is what came out of a figure.
type Outcome struct {
	Figure string          `json:"figure"`
	Title  string          `json:"title"`
	Paper  string          `json:"paper"`
	Model  transport.Model `json:"model,omitempty"`
	// RTLHosts are those of the Lab.
	RTLHosts int `json:"rtl_hosts,omitempty"`
	// Telemetry is the layout, if it is not exact.
	Telemetry string     `json:"telemetry,omitempty"`
	Seed      uint64     `json:"seed"`
	Claims    []Claim    `json:"claims"`
	Head      []string   `json:"head"`
	Rows      [][]string `json:"rows"`
	Series    []Plot     `json:"series,omitempty"`
	// SeriesDigest stands for the series in a record: the SHA-256 of their JSON.
	SeriesDigest string `json:"series_sha256,omitempty"`
}

// Outcomes reads what nicgen reproduce --json wrote: a list, or the outcome of a single figure.
func Outcomes(text []byte) (list []Outcome, err error) {
	if text = bytes.TrimSpace(text); bytes.HasPrefix(text, []byte("{")) {
		text = slices.Concat([]byte("["), text, []byte("]"))
	}
	return list, json.Unmarshal(text, &list)
}

// TableCSV is the table as CSV (RFC 4180), with its heads.
func (o *Outcome) TableCSV() ([]byte, error) {
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(append([][]string{o.Head}, o.Rows...))
	return b.Bytes(), err
}

// SeriesCSV is what ports did, by run, port and bin, as CSV (RFC 4180).
func (o *Outcome) SeriesCSV() ([]byte, error) {
	if o.Series == nil {
		return nil, fmt.Errorf("figure %s has no series of ports", o.Figure)
	}
	lines := [][]string{{"run", "port", "from_us", "gbps", "queue_bytes", "drops"}}
	for _, p := range o.Series {
		for _, s := range p.Ports {
			for k := range s.Gbps {
				lines = append(lines, []string{p.Run, s.Name, strconv.FormatFloat(float64(k)*s.Bin, 'g', -1, 64),
					strconv.FormatFloat(s.Gbps[k], 'g', -1, 64), strconv.FormatInt(s.Queue[k], 10), strconv.FormatUint(s.Drops[k], 10)})
			}
		}
	}
	var b bytes.Buffer
	err := csv.NewWriter(&b).WriteAll(lines)
	return b.Bytes(), err
}

// named are models as a text.
func named(list []transport.Model) string {
	var names []string
	for _, m := range list {
		names = append(names, string(m))
	}
	return strings.Join(names, ", ")
}

// Plot is what the ports of a switch did in a run.
type Plot struct {
	Run   string           `json:"run"`
	Ports []measure.Series `json:"ports"`
}

// Relation is how a paper's number is meant.
type Relation string

// Relations.
const (
	About   Relation = "about"
	AtLeast Relation = "at least"
	AtMost  Relation = "at most"
)

// Claim is a number of a paper beside ours.
type Claim struct {
	Setup    string   `json:"setup"`
	What     string   `json:"what"`
	Relation Relation `json:"relation"`
	Paper    float64  `json:"paper"`
	Within   float64  `json:"within,omitempty"` // of an About: the difference that still counts as the same
	Unit     string   `json:"unit,omitempty"`
	Found    float64  `json:"found"`
	Holds    bool     `json:"holds"`
}

// claim adds a claim; numbers are rounded to what is printed, so that records repeat to the byte.
func (o *Outcome) claim(setup, what string, r Relation, paper, within float64, unit string, found float64) {
	c := Claim{Setup: setup, What: what, Relation: r, Paper: paper, Within: within, Unit: unit, Found: round(found)}
	switch r {
	case About:
		c.Holds = math.Abs(c.Found-paper) <= within
	case AtLeast:
		c.Holds = c.Found >= paper
	case AtMost:
		c.Holds = c.Found <= paper
	}
	o.Claims = append(o.Claims, c)
}

func round(x float64) float64 { return math.Round(x*100) / 100 }

// Says is the paper's number.
func (c *Claim) Says() string {
	text := strings.TrimSpace(fmt.Sprintf("%s %g %s", c.Relation, c.Paper, c.Unit))
	if c.Within > 0 {
		text += fmt.Sprintf(" (± %g)", c.Within)
	}
	return text
}

// Comes is ours.
func (c *Claim) Comes() string { return strings.TrimSpace(fmt.Sprintf("%g %s", c.Found, c.Unit)) }

// Apart is how far ours is from the paper's.
func (c *Claim) Apart() string {
	d := round(c.Found - c.Paper)
	if d == 0 {
		return "0"
	}
	text := strings.TrimSpace(fmt.Sprintf("%+g %s", d, c.Unit))
	if c.Paper != 0 && c.Unit != "%" {
		text += fmt.Sprintf(" (%+.1f %%)", 100*d/c.Paper)
	}
	return text
}

// Verdict is one word.
func (c *Claim) Verdict() string {
	if c.Holds {
		return "reproduced"
	}
	return "differs"
}

// Run runs a figure.
func (f *Figure) Run(ctx context.Context, l *Lab) (*Outcome, error) {
	o := &Outcome{Figure: f.Name, Title: f.Title, Paper: f.Paper, Seed: l.Seed}
	if len(f.Models) > 0 {
		if !slices.Contains(f.Models, l.Model) {
			return nil, fmt.Errorf("%s: model: found %q, allowed: %s", f.Name, l.Model, named(f.Models))
		}
		o.Model = l.Model
	}
	if l.RTLHosts != 0 {
		if l.RTLHosts < 0 || l.Model != transport.RTL && l.Model != transport.Cycles || o.Model == "" || strings.HasPrefix(f.Name, "dcsim-") {
			return nil, fmt.Errorf("%s: hosts with RTL: found %d by model %s, allowed: 1 or more by %s or %s, in a figure whose hosts have a model, DCSIM's apart: one or all of its hosts have the RTL",
				f.Name, l.RTLHosts, l.Model, transport.RTL, transport.Cycles)
		}
		o.RTLHosts = l.RTLHosts
	}
	if l.Layout != fabric.Exact {
		if !strings.HasPrefix(f.Name, "powertcp-2.") {
			return nil, fmt.Errorf("%s: telemetry: found %s, allowed: %s: only PowerTCP's figures of §2.3 have telemetry", f.Name, l.Layout, fabric.Exact)
		}
		o.Telemetry = l.Layout.String()
	}
	if err := f.run(ctx, l, o); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return o, nil
}

// trial is a simulated run, but for its seed.
type trial struct {
	setup, scheme string
	shape         topo.Shape
	hosts         transport.Settings
	flows         func(t *topo.Tree, seed uint64) ([]workload.Flow, error)
	// unit is the unit that chooses EVs, with its settings. Without one it is OPS or ECMP.
	unit, set string
	evBits    int    // of OPS; 0: ECMP
	pause     uint64 // of flowlets, ns; 0: ECMP
	fast      uint64
	least     float64 // least window in packets; 0: 1
	change    func(t *topo.Tree, seed uint64)
	watch     func(t *topo.Tree) []*fabric.Port
}

// ran is a run with what was measured.
type ran struct {
	*transport.Result
	ports []measure.Series
	peak  int64 // bytes that waited in the fullest queue of a switch's port up
	tree  *topo.Tree
}

const bin = 20_000_000 // ps, of series

// mtu is the bytes of a full packet on the wire.
func (t *trial) mtu() int32 { return int32(t.hosts.Payload + t.hosts.Headers) }

// unit returns what makes the hosts of a run, in order. few is how many have the RTL if the Lab does not say; 0: all.
func (l *Lab) unit(ctx context.Context, name string, few int) (func(h *transport.Host) (transport.Transport, error), error) {
	maker, err := l.Unit(name)
	if err != nil {
		return nil, err
	}
	left := cmp.Or(l.RTLHosts, few, math.MaxInt)
	return func(h *transport.Host) (transport.Transport, error) {
		m := l.Model
		if m == transport.RTL || m == transport.Cycles {
			if left--; left < 0 {
				m = transport.Golden
			}
		}
		return maker(ctx, m, h)
	}, nil
}

// longest is the round trip between the first and the last host.
func longest(tree *topo.Tree, mtu int32) fabric.Instant {
	return tree.RoundTrip(0, len(tree.Hosts)-1, mtu, fabric.HeaderSize)
}

// run runs a trial with a seed.
func (l *Lab) run(ctx context.Context, t *trial, seed uint64) (*ran, error) {
	tree, err := topo.New(&t.shape, seed)
	if err != nil {
		return nil, err
	}
	flows, err := t.flows(tree, seed)
	if err != nil {
		return nil, err
	}
	var watched []*measure.Watcher
	if t.watch != nil {
		for _, p := range t.watch(tree) {
			watched = append(watched, measure.Watch(p, bin))
		}
	}
	if t.change != nil {
		t.change(tree, seed)
	}
	rtt := longest(tree, t.mtu())
	bdp := float64(rtt) / 1000 * t.shape.Host.Gbps / 8
	window := func() transport.Window {
		m := float64(t.mtu())
		return &transport.MPRDMA{MTU: m, First: bdp, Most: 1.5 * bdp, Least: m * max(1, t.least), Fast: t.fast}
	}
	var maker func(h *transport.Host) (transport.Transport, error)
	if t.unit != "" {
		if maker, err = l.unit(ctx, t.unit, 0); err != nil {
			return nil, err
		}
	}
	make := func(host, conns int) (transport.Transport, error) {
		h := &transport.Host{Number: host, Connections: conns, Seed: seed<<20 | uint64(host), Window: window,
			BaseRTT: rtt.NS(), RTO: t.hosts.RTO, Trimming: t.shape.Queue.Trim, Settings: t.set}
		switch {
		case maker != nil:
			return maker(h)
		case t.evBits > 0:
			return transport.Join(window(), transport.OPS(h, t.evBits)), nil
		case t.pause > 0:
			return transport.Join(window(), transport.Flowlets(h, t.pause)), nil
		}
		return transport.Join(window(), transport.ECMP(h)), nil
	}
	res, err := transport.Run(ctx, tree, flows, &t.hosts, make)
	if err == nil {
		err = tree.Check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s, %s, seed %d: %w", t.setup, t.scheme, seed, err)
	}
	r := &ran{Result: res, tree: tree}
	for _, w := range watched {
		r.ports = append(r.ports, w.Series())
	}
	for _, sw := range slices.Concat(tree.Leaves, tree.Spines) {
		for _, p := range sw.Up {
			r.peak = max(r.peak, p.Peak)
		}
	}
	return r, nil
}

// runs runs a trial with some seeds, adds a row, and returns the runs and the mean completion in µs.
func (l *Lab) runs(ctx context.Context, o *Outcome, t *trial, n int) ([]*ran, float64, error) {
	var list []*ran
	var last, drops, failed, trimmed, timeouts, again, peak []float64
	for i := range n {
		r, err := l.run(ctx, t, l.Seed+uint64(i))
		if err != nil {
			return nil, 0, err
		}
		c := &r.Counts
		list = append(list, r)
		last, drops, failed = append(last, r.Last()), append(drops, float64(c.Drops[fabric.Full])), append(failed, float64(c.Drops[fabric.Down]))
		trimmed, timeouts = append(trimmed, float64(c.Trimmed)), append(timeouts, float64(r.Timeouts))
		again, peak = append(again, float64(r.Again)), append(peak, float64(r.peak)/float64(t.mtu()))
	}
	o.Head = []string{"setup", "scheme", "completion, µs", "full queue", "failed cable", "trimmed", "time-outs", "sent again", "longest queue, packets"}
	mean := func(x []float64) string { m, _ := measure.Mean(x); return fmt.Sprintf("%.0f", m) }
	m, d := measure.Mean(last)
	o.Rows = append(o.Rows, []string{t.setup, t.scheme, fmt.Sprintf("%.1f ± %.1f", m, d), mean(drops), mean(failed), mean(trimmed), mean(timeouts), mean(again), mean(peak)})
	return list, m, nil
}
