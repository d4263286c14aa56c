// SPDX-License-Identifier: Apache-2.0

package plot

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/plot/plotter"

	"github.com/nicgen/nicgen/sim/scenario/rail"
)

// RailRun is one run in the Rail network and its label.
type RailRun struct {
	Label  string
	Load   float64 // fraction of the link rate; 0 where the scenario has no load
	Result *rail.Result
}

var errNoRuns = errors.New("no runs, want at least one")

// CSVClasses writes the traffic by path length: a row for each run and length.
func CSVClasses(w io.Writer, runs []RailRun) error {
	if len(runs) == 0 {
		return errNoRuns
	}
	out := csv.NewWriter(w)
	// csv.Writer keeps its first error for Error.
	_ = out.Write([]string{"run", "load", "links", "sent_segments", "share", "relative_share", "mean_latency_ns", "empty_latency_ns"})
	for _, r := range runs {
		for _, c := range r.Result.Classes {
			_ = out.Write([]string{r.Label, number(r.Load), strconv.Itoa(c.Links), strconv.FormatUint(c.Sent, 10),
				number(c.Share), number(c.Relative), number(c.Latency), number(c.Empty)})
		}
	}
	out.Flush()
	return out.Error()
}

func number(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// CSVPaths writes the samples of runs of one scenario: a row for each run and instant,
// with segments and latency of each watched route, and rate and goodput of each flow
// under test.
func CSVPaths(w io.Writer, runs []RailRun) error {
	if len(runs) == 0 {
		return errNoRuns
	}
	out := csv.NewWriter(w)
	sc := runs[0].Result.Scenario
	head := []string{"run", "time_ns"}
	for _, what := range []string{"sent_%s", "latency_%s_ns"} {
		for _, w := range runs[0].Result.Watched {
			head = append(head, fmt.Sprintf(what, w.Name))
		}
	}
	for _, what := range []string{"rate_%d_gbps", "goodput_%d_gbps"} {
		for k := range sc.FlowsUnderTest() {
			head = append(head, fmt.Sprintf(what, k))
		}
	}
	_ = out.Write(head)
	for _, r := range runs {
		for _, s := range r.Result.Samples {
			row := []string{r.Label, strconv.FormatUint(s.At, 10)}
			for _, x := range s.Sent {
				row = append(row, strconv.FormatUint(x, 10))
			}
			for _, list := range [][]float64{s.Latency, s.Rate, s.Goodput} {
				for _, x := range list {
					row = append(row, number(x))
				}
			}
			_ = out.Write(row)
		}
	}
	out.Flush()
	return out.Error()
}

// Classes draws the share of each path length over the load, as in the paper's Fig. 19,
// with a panel for each label in the order of the runs.
func Classes(runs []RailRun) ([]byte, error) {
	if len(runs) == 0 {
		return nil, errNoRuns
	}
	var panels []*panel
	for at := 0; at < len(runs); {
		end := at
		for end < len(runs) && runs[end].Label == runs[at].Label {
			end++
		}
		p := newPanel("Traffic share relative to even spraying: "+runs[at].Label, "")
		for c, class := range runs[at].Result.Classes {
			var line plotter.XYs
			for _, r := range runs[at:end] {
				line = append(line, plotter.XY{X: 100 * r.Load, Y: r.Result.Classes[c].Relative})
			}
			if err := p.line(fmt.Sprintf("L%d: %d links", c+1, class.Links), c, line); err != nil {
				return nil, err
			}
		}
		if err := p.line("even", len(colours)-1, plotter.XYs{{X: 50, Y: 1}, {X: 100, Y: 1}}); err != nil {
			return nil, err
		}
		p.over(50, 100, 10)
		p.room(1.3)
		panels = append(panels, p)
		at = end
	}
	panels[len(panels)-1].X.Label.Text = "load, % of the link rate"
	return render(panels)
}

// Outage draws the share of the failed path over time and the segments lost on it, one
// line for each run.
func Outage(runs []RailRun) ([]byte, error) {
	if len(runs) == 0 {
		return nil, errNoRuns
	}
	sc := runs[0].Result.Scenario
	if len(runs[0].Result.Outages) == 0 {
		return nil, fmt.Errorf("scenario %s: no watched route fails, want at least one", sc.Name)
	}
	share := newPanel("Traffic share of the failed path, mean of 5 samples", "%")
	lost := newPanel("Segments lost on it, cumulative", "")
	share.X.Label.Text, lost.X.Label.Text = "", "µs since the failure"
	const n = 5
	from, to := micros(sc.Warm, sc.Event), micros(sc.End, sc.Event)
	for i, r := range runs {
		k := r.Result.Outages[0].Route
		var line, sum plotter.XYs
		var all, here, gone uint64
		for j, s := range r.Result.Samples {
			for p, x := range s.Sent {
				all += x
				if p == k {
					here += x
				}
			}
			if s.At > sc.Event && s.At <= sc.Repair {
				gone += s.Sent[k]
			}
			if s.At >= sc.Warm {
				sum = append(sum, plotter.XY{X: micros(s.At, sc.Event), Y: float64(gone)})
			}
			if j%n != n-1 {
				continue
			}
			if s.At > sc.Warm && all > 0 {
				line = append(line, plotter.XY{X: micros(s.At, sc.Event), Y: 100 * float64(here) / float64(all)})
			}
			all, here = 0, 0
		}
		if err := share.line(r.Label, i, line); err != nil {
			return nil, err
		}
		if err := lost.line(r.Label, i, sum); err != nil {
			return nil, err
		}
	}
	share.over(from, to, 300)
	lost.over(from, to, 300)
	lost.room(1.2)
	return render([]*panel{share, lost})
}

// room makes room for a larger legend.
func (p *panel) room(times float64) { p.Y.Max *= times }

// micros is a time in µs since an event.
func micros(at, event uint64) float64 { return (float64(at) - float64(event)) / 1000 }

// Incast draws the allowed rate of each flow, the goodput, and the latencies of the watched
// routes and the longest baseline T.
func Incast(r *rail.Result) ([]byte, error) {
	sc := r.Scenario
	rates := newPanel("Allowed rate of each flow", "Gb/s")
	good := newPanel("Goodput of all flows, mean of 5 samples", "Gb/s")
	latency := newPanel("Last measured latency of each path of the first flow", "µs")
	latency.X.Label.Text = "µs since the start of the burst"
	for k, i := range sc.FlowsUnderTest() {
		var line plotter.XYs
		for _, s := range r.Samples {
			if at := sc.Flows[i]; s.At >= at.Start && s.At <= at.Stop+sc.Sample {
				line = append(line, plotter.XY{X: micros(s.At, sc.Event), Y: s.Rate[k]})
			}
		}
		if err := rates.line(fmt.Sprintf("flow %d", k+1), k, line); err != nil {
			return nil, err
		}
	}
	const n = 5
	var line plotter.XYs
	var sum float64
	for j, s := range r.Samples {
		for _, g := range s.Goodput {
			sum += g / n
		}
		if j%n == n-1 {
			line = append(line, plotter.XY{X: micros(s.At, sc.Event), Y: sum})
			sum = 0
		}
	}
	if err := good.line("goodput", 0, line); err != nil {
		return nil, err
	}
	for k, w := range r.Watched {
		var line plotter.XYs
		for _, s := range r.Samples {
			if s.Latency[k] > 0 {
				line = append(line, plotter.XY{X: micros(s.At, sc.Event), Y: s.Latency[k] / 1000})
			}
		}
		if err := latency.line(w.Name, k, line); err != nil {
			return nil, err
		}
	}
	T := float64(r.T()) / 1000
	from, to := micros(0, sc.Event), micros(sc.End, sc.Event)
	if err := latency.line("T", len(colours)-1, plotter.XYs{{X: from, Y: T}, {X: to, Y: T}}); err != nil {
		return nil, err
	}
	panels := []*panel{rates, good, latency}
	for _, p := range panels {
		p.over(from, to, 200)
	}
	// The legend has a line for each flow or path.
	rates.room(1.5)
	latency.room(1.7)
	return render(panels)
}

// Losses draws the numbers of segments dropped and declared lost over time; the last
// timer expires long after the rest.
func Losses(r *rail.Result) ([]byte, error) {
	p := newPanel("Segments", "")
	p.X.Label.Text = "µs"
	end := uint64(0)
	for k, line := range []struct {
		name string
		at   []uint64
	}{{"dropped", r.Drops}, {"declared lost", r.Reports}} {
		xys := plotter.XYs{{}}
		for n, at := range line.at {
			x := float64(at) / 1000
			xys = append(xys, plotter.XY{X: x, Y: float64(n)}, plotter.XY{X: x, Y: float64(n + 1)})
			end = max(end, at)
		}
		if err := p.line(line.name, k, xys); err != nil {
			return nil, err
		}
	}
	p.over(0, float64(end/1000), 1000)
	return render([]*panel{p})
}
