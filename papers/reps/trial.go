// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"context"
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// lab has the runs of these figures.
type lab struct{ *papers.Lab }

// trial is a simulated run without its seed.
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

// ran is a run with its measurements.
type ran struct {
	*transport.Result
	ports []measure.Series
	peak  int64 // bytes that waited in the fullest queue of a switch's port up
	tree  *topo.Tree
}

const bin = 20_000_000 // ps, of series

// mtu is the bytes of a full packet on the wire.
func (t *trial) mtu() int32 { return int32(t.hosts.Payload + t.hosts.Headers) }

// run runs a trial with a seed.
func (l lab) run(ctx context.Context, t *trial, seed uint64) (*ran, error) {
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
	rtt := tree.LongestRoundTrip(t.mtu())
	bdp := float64(rtt) / 1000 * t.shape.Host.Gbps / 8
	window := func() transport.Window {
		m := float64(t.mtu())
		return &transport.MPRDMA{MTU: m, First: bdp, Most: 1.5 * bdp, Least: m * max(1, t.least), Fast: t.fast}
	}
	var maker func(h *transport.Host) (transport.Transport, error)
	if t.unit != "" {
		if maker, err = l.Hosts(ctx, t.unit, 0); err != nil {
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
func (l lab) runs(ctx context.Context, o *papers.Outcome, t *trial, n int) ([]*ran, float64, error) {
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
