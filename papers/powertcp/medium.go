// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/workload"
)

// Fig. 2.6 has medium flows a third faster with PowerTCP than with HPCC. powertcp-2.6m tries what may be behind it: what the two schemes are
// set to, and between which hosts flows are.

// near is the traffic of the authors' published files at a load of the racks' uplinks. Their LEAF_COUNT of 2 lets only hosts of the first two racks send:
// the first rack's to any other host of the two, and the second rack's within their rack.
func (t *traffic) near(_ *topo.Tree, seed uint64) ([]workload.Flow, error) {
	rnd := rand.New(rand.NewPCG(seed, 0x747265))
	gap := workload.WebSearch.Mean() / (t.load * uplink) * perRack * 1000 // ps between two flows of a host
	const hosts = 2 * perRack
	var flows []workload.Flow
	for src := range hosts {
		first := src / perRack * perRack
		for at := rnd.ExpFloat64() * gap; at < t.ms*1e9; at += rnd.ExpFloat64() * gap {
			dst := src
			for dst == src {
				dst = first + rnd.IntN(hosts-first)
			}
			flows = append(flows, workload.Flow{Src: src, Dst: dst, Bytes: uint64(max(1, workload.WebSearch.At(rnd.Float64()))), Start: uint64(at)})
		}
	}
	return flows, nil
}

// medium are the completion times of medium flows in µs, in the order of the workload.
func (r *treeRan) medium() (list []float64) {
	for _, f := range r.Flows {
		if kindOf(f.Flow.Bytes) == kindMid {
			list = append(list, float64(f.Received-fabric.Instant(f.Flow.Start))/1e6)
		}
	}
	return list
}

// paired returns by how many % flows take longer than the same flows with another scheme: the geometric mean, and its standard error.
func paired(a, b []float64) (mean, deviation float64) {
	logs := make([]float64, len(a))
	for i := range a {
		logs[i] = math.Log(a[i] / b[i])
	}
	m, d := measure.Mean(logs)
	return 100 * (math.Exp(m) - 1), 100 * d / math.Sqrt(float64(len(logs)))
}

// Settings of the two schemes that differ from Fig. 2.6. W_AI is HPCC's increment of a window.
var (
	asFigure   = []scheme{{name: nameHPCC}, {name: nameInt, set: "variant=int"}}
	lessHPCC   = scheme{name: nameHPCC, label: "HPCC, W_AI of 181 bytes (N = 25)", share: 25}
	bigBeta    = scheme{name: nameInt, label: "PowerTCP, β of 9062 bytes (N = 10)", set: "variant=int beta=9062"}
	fullTarget = scheme{name: nameInt, label: "PowerTCP, target 100 %", set: "variant=int target=1"}
	pathTau    = scheme{name: nameInt, label: "PowerTCP, τ of each path", set: "variant=int base_rtt=observed"}
)

func powertcp26m(ctx context.Context, l lab, o *papers.Outcome) error {
	o.Head = []string{"flows", "load, %", "scheme", "medium flows", "mean, µs", "median", "95th percentile", "99th", "99.9th", "a flow against HPCC, %", "99th percentile of a run against HPCC, %"}
	for _, x := range []struct {
		setup string
		traffic
		runs    int
		near    bool
		schemes []scheme
	}{
		{"between all racks", traffic{load: .2, ms: 20}, 2, false, asFigure},
		{"between all racks", traffic{load: .6, ms: 10}, 2, false, append(asFigure, lessHPCC, bigBeta, fullTarget, pathTau)},
		{"in two racks", traffic{load: .2, ms: 100}, 14, true, append(asFigure, lessHPCC)},
		{"in two racks", traffic{load: .6, ms: 30}, 8, true, append(asFigure, lessHPCC)},
	} {
		flows := x.traffic.flows
		if x.near {
			flows = x.traffic.near
		}
		var runs []*treeRun
		for _, s := range x.schemes {
			for i := range x.runs {
				runs = append(runs, &treeRun{scheme: s, setup: x.setup, flows: flows, watch: -1, more: uint64(i)})
			}
		}
		out, err := l.trees(ctx, runs)
		if err != nil {
			return err
		}
		var hpcc []float64
		for k, s := range x.schemes {
			var all, tails []float64
			for i := range x.runs {
				list := out[k*x.runs+i].medium()
				all = append(all, list...)
				tails = append(tails, change(measure.Percentile(list, .99), measure.Percentile(out[i].medium(), .99)))
			}
			if k == 0 {
				hpcc = all
			}
			mean, _ := measure.Mean(all)
			m, d := paired(all, hpcc)
			tail, spread := measure.Mean(tails)
			row := []string{x.setup, fmt.Sprintf("%.0f", 100*x.load), s.title(), fmt.Sprint(len(all)), fmt.Sprintf("%.0f", mean)}
			for _, p := range []float64{.5, .95, .99, .999} {
				row = append(row, fmt.Sprintf("%.0f", measure.Percentile(all, p)))
			}
			o.Rows = append(o.Rows, append(row, fmt.Sprintf("%+.1f ± %.1f", m, d), fmt.Sprintf("%+.1f ± %.1f", tail, spread)))
			if k == 1 {
				o.Claim(fmt.Sprintf("%s, %.0f %%", x.setup, 100*x.load), "medium flows, PowerTCP against HPCC, 99.9th percentile", papers.About, -33, 10, "%", change(measure.Percentile(all, .999), measure.Percentile(hpcc, .999)))
			}
		}
	}
	return nil
}
