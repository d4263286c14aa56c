// SPDX-License-Identifier: Apache-2.0

// Package papers holds the code common to figures of papers: a figure is simulated, and its
// numbers are compared with the paper's. The figures of each paper are in a package below. A
// figure names the units that it needs; its caller provides their transports.
package papers

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
)

// Figure is a figure of a paper that can be checked by numbers in the paper's text.
type Figure struct {
	Name   string // "reps-4"
	Title  string
	Paper  string            // place within the paper
	Models []transport.Model // of its hosts; nil: it has none
	Takes  Option
	Work   func(ctx context.Context, l *Lab, o *Outcome) error // see By
}

// Option is a set of options of a Lab.
type Option uint8

// Options.
const (
	RTLHosts  Option = 1 << iota // Lab.RTLHosts: some senders have the RTL, the others the golden model
	Telemetry                    // Lab.Layout: switches write telemetry
)

// By returns the Work of a figure, for a package with its own methods on a Lab.
func By[L ~struct{ *Lab }](work func(ctx context.Context, l L, o *Outcome) error) func(ctx context.Context, l *Lab, o *Outcome) error {
	return func(ctx context.Context, l *Lab, o *Outcome) error { return work(ctx, L(struct{ *Lab }{l}), o) }
}

// Models of figures.
var (
	Lockstep  = []transport.Model{transport.Golden, transport.RTL}                   // large runs
	ByClock   = []transport.Model{transport.Golden, transport.RTL, transport.Cycles} // units that choose
	WithFloat = append(slices.Clone(ByClock), transport.Float)                       // units that compute: the papers' formulas without the hardware's integers
)

// Lab holds the settings and transports with which figures run.
type Lab struct {
	Seed  uint64 // of the first run of each kind; later ones count on
	Model transport.Model
	Unit  func(name string) (transport.Maker, error)
	// RTLHosts is the number of senders of a run with RTL under the RTL and Cycles models; the others have the golden model. 0: all senders,
	// but a single one in figures that would take hours.
	RTLHosts int
	// Layout is the layout of the switches' telemetry, in figures that use telemetry.
	Layout fabric.Layout
	// Endpoints are whole hosts that a unit brings.
	Endpoints func(name string) (transport.EndpointsMaker, error)
}

// named are models as a text.
func named(list []transport.Model) string {
	var names []string
	for _, m := range list {
		names = append(names, string(m))
	}
	return strings.Join(names, ", ")
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
		if l.RTLHosts < 0 || l.Model != transport.RTL && l.Model != transport.Cycles || o.Model == "" || f.Takes&RTLHosts == 0 {
			return nil, fmt.Errorf("%s: hosts with RTL: found %d by model %s, allowed: 1 or more by %s or %s, in a figure whose hosts have a model, DCSIM's apart: one or all of its hosts have the RTL",
				f.Name, l.RTLHosts, l.Model, transport.RTL, transport.Cycles)
		}
		o.RTLHosts = l.RTLHosts
	}
	if l.Layout != fabric.Exact {
		if f.Takes&Telemetry == 0 {
			return nil, fmt.Errorf("%s: telemetry: found %s, allowed: %s: only PowerTCP's figures of §2.3 have telemetry", f.Name, l.Layout, fabric.Exact)
		}
		o.Telemetry = l.Layout.String()
	}
	if err := f.Work(ctx, l, o); err != nil {
		return nil, fmt.Errorf("%s: %w", f.Name, err)
	}
	return o, nil
}

// Hosts returns what makes the hosts of a run, in order. few is how many have the RTL if the Lab does not say; 0: all.
func (l *Lab) Hosts(ctx context.Context, name string, few int) (func(h *transport.Host) (transport.Transport, error), error) {
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
