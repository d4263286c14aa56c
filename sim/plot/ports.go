// SPDX-License-Identifier: Apache-2.0

package plot

import (
	"gonum.org/v1/plot/plotter"

	"github.com/nicgen/nicgen/sim/measure"
)

// PortRun holds the series of ports in a run, and the run's label.
type PortRun struct {
	Label string
	Ports []measure.Series
}

// Ports draws two panels for each run: the rate of each port by bin, and the longest queue in it. The horizontal axis spans the
// longest run.
func Ports(runs []PortRun) ([]byte, error) {
	var panels []*panel
	var end float64
	for _, r := range runs {
		rate, queue := newPanel(r.Label+": rate of each port", "Gb/s"), newPanel(r.Label+": longest queue of each port", "KB")
		queue.X.Label.Text = "µs"
		for i, s := range r.Ports {
			var rates, queues plotter.XYs
			for k := range s.Gbps {
				at := float64(k) * s.Bin
				rates = append(rates, plotter.XY{X: at, Y: s.Gbps[k]})
				queues = append(queues, plotter.XY{X: at, Y: float64(s.Queue[k]) / 1000})
				end = max(end, at)
			}
			if rates == nil {
				return nil, errNoRuns
			}
			if err := rate.line(s.Name, i, rates); err != nil {
				return nil, err
			}
			if err := queue.line(s.Name, i, queues); err != nil {
				return nil, err
			}
		}
		panels = append(panels, rate, queue)
	}
	if len(panels) == 0 {
		return nil, errNoRuns
	}
	step := 50.0
	for end/step > 10 {
		step *= 2
	}
	for _, p := range panels {
		p.over(0, end, step)
	}
	return render(panels)
}
