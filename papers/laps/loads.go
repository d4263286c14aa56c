// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/workload"
)

// Figures with messages of up to 1 GB: in figures of 10 ms, packets are four times as large as the paper's to limit
// their number.
const (
	loadHosts   = 64
	loadBegin   = 10 * ms // in which messages begin, as in the authors' files
	loadPayload = 4 * lapsPayload
)

// atLoads returns messages between all hosts at some loads of the hosts' links, 1 or less, which begin within a time in ps. The messages of
// a lower load are a subset of those at a higher load, so a difference between loads is not due to the largest messages drawn.
func (l lab) atLoads(sizes workload.Sizes, begin uint64, loads []float64) ([][]workload.Flow, error) {
	rnd := rand.New(rand.NewPCG(l.Seed, 9))
	all, err := workload.All2all(loadHosts, sizes, hostGbps/8, begin, rnd)
	if err != nil {
		return nil, err
	}
	lists := make([][]workload.Flow, len(loads))
	for _, f := range all {
		x := rnd.Float64()
		for i, load := range loads {
			if x < load {
				lists[i] = append(lists[i], f)
			}
		}
	}
	return lists, nil
}

// atLoad returns what runs of a load have in common.
func atLoad(load float64, flows []workload.Flow) meshRun {
	r := mesh(lossless, false)
	sum := 0.
	for _, f := range flows {
		sum += float64(f.Bytes) / 1e9
	}
	r.setup = fmt.Sprintf("%s, %.0f %%, %d messages, %.1f GB", lossless, 100*load, len(flows), sum)
	r.hosts.Payload, r.flows, r.few = loadPayload, flows, 1
	return r
}

// byScheme are numbers of LAPS, ECMP, LetFlow and PLB.
type byScheme [4]float64

var schemeNames = [4]string{"LAPS", "ECMP, DCQCN", "LetFlow, DCQCN", "PLB, DCTCP"}

// atAll runs all to all at a load with LAPS, ECMP, LetFlow and PLB, and returns their mean completion times.
func (l lab) atAll(ctx context.Context, o *papers.Outcome, load float64, flows []workload.Flow) (found byScheme, err error) {
	base := atLoad(load, flows)
	for k, s := range []*meshRun{base.laps(schemeNames[0], ""), base.ecmp(), base.letFlow(), base.plb()} {
		if found[k], _, err = l.fcts(ctx, o, s); err != nil {
			return found, err
		}
	}
	return found, nil
}

func laps9(ctx context.Context, l lab, o *papers.Outcome) error {
	const compared = .8
	says := byScheme{1, 3.3, 2.8, 1.6}
	loads := []float64{.5, compared}
	lists, err := l.atLoads(workload.DataMining, loadBegin, loads)
	if err != nil {
		return err
	}
	for i, load := range loads {
		found, err := l.atAll(ctx, o, load, lists[i])
		if err != nil {
			return err
		}
		for k := 1; k < len(says) && load == compared; k++ {
			o.Claim(fmt.Sprintf("%s, %.0f %%", lossless, 100*load), "mean, "+schemeNames[k]+", of that of LAPS", papers.About, says[k], papers.Round(says[k]/5), "times", found[k]/found[0])
		}
	}
	return nil
}

func laps19(ctx context.Context, l lab, o *papers.Outcome) error {
	loads := []float64{.5, .6, .7, .8, .9, 1}
	lists, err := l.atLoads(workload.DataMining, loadBegin, loads)
	if err != nil {
		return err
	}
	o.Head = []string{"setup", "scheme", "packets between clusters", "L1, of even spraying", "L2, of even spraying", "L3, of even spraying", "packets on L1, %", "packets on L2, %", "packets on L3, %", "probes", "mean, ms"}
	for i, load := range loads {
		base := atLoad(load, lists[i])
		res, _, err := l.mesh(ctx, base.laps("LAPS", ""), l.Seed)
		if err != nil {
			return err
		}
		var even, part [3]float64
		all := uint64(0)
		classes := []int{4, 6, 8} // cables
		for _, n := range classes {
			all += res.Routes[n].Packets
		}
		for k, n := range classes {
			r := &res.Routes[n]
			even[k], part[k] = float64(r.Packets)/r.Even, 100*float64(r.Packets)/float64(all)
		}
		setup := fmt.Sprintf("%s, %.0f %%", lossless, 100*load)
		o.Claim(setup, "share of L1 over that of L2, each of its share by even spraying", papers.AtLeast, 1, 0, "times", even[0]/even[1])
		o.Claim(setup, "share of L2 over that of L3, each of its share by even spraying", papers.AtLeast, 1, 0, "times", even[1]/even[2])
		o.Claim(setup, "packets on L3", papers.AtLeast, 1, 0, "%", part[2])
		mean, _ := times(res)
		row := []string{base.setup, "LAPS", fmt.Sprint(all)}
		for _, x := range even {
			row = append(row, fmt.Sprintf("%.2f", x))
		}
		for _, x := range part {
			row = append(row, fmt.Sprintf("%.1f", x))
		}
		o.Rows = append(o.Rows, append(row, fmt.Sprint(res.Probes), fmt.Sprintf("%.4g", mean)))
	}
	return nil
}
