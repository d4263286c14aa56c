// SPDX-License-Identifier: Apache-2.0

package plot

import (
	"encoding/csv"
	"fmt"
	"io"
	"strconv"

	"gonum.org/v1/plot/plotter"

	"github.com/nicgen/nicgen/sim/scenario/pair"
)

// PairRun is a run of two NICs and its label.
type PairRun struct {
	Label  string
	Result *pair.Result
}

// CSVPair writes the samples of runs of one scenario: a row for each run and instant, with bytes and
// frames sent onto each path, probes among them, bytes waiting before it, frames that came by it and their mean time, and payload
// and window of each flow.
func CSVPair(w io.Writer, runs []PairRun) error {
	if len(runs) == 0 {
		return errNoRuns
	}
	out := csv.NewWriter(w)
	sc := runs[0].Result.Scenario
	head := []string{"run", "time_ns"}
	for _, what := range []string{"sent_%d_bytes", "queue_%d_bytes", "frames_%d", "probes_%d", "landed_%d", "latency_%d_ns"} {
		for p := range sc.Paths {
			head = append(head, fmt.Sprintf(what, p))
		}
	}
	for _, what := range []string{"payload_%d_bytes", "window_%d_bytes"} {
		for f := range sc.Flows {
			head = append(head, fmt.Sprintf(what, f))
		}
	}
	// csv.Writer keeps its first error for Error.
	_ = out.Write(head)
	for _, r := range runs {
		for _, s := range r.Result.Samples {
			row := []string{r.Label, strconv.FormatUint(s.At, 10)}
			add := func(list []uint64) {
				for _, x := range list {
					row = append(row, strconv.FormatUint(x, 10))
				}
			}
			for _, list := range [][]uint64{s.Sent, s.Queue, s.Frames, s.Probes, s.Landed} {
				add(list)
			}
			for p, late := range s.Late {
				row = append(row, number(late/float64(max(1, s.Landed[p]))))
			}
			add(s.Bytes)
			for _, x := range s.Window {
				row = append(row, number(x))
			}
			_ = out.Write(row)
		}
	}
	out.Flush()
	return out.Error()
}

// PairFailure draws how runs react to a path's failure: the path's share of the packets sent, and the payload
// received.
func PairFailure(runs []PairRun) ([]byte, error) {
	if len(runs) == 0 {
		return nil, errNoRuns
	}
	sc := runs[0].Result.Scenario
	failed := 0
	for p := range sc.Paths {
		if sc.Paths[p].Fails < sc.Paths[p].Repaired {
			failed = p
		}
	}
	micro := func(t uint64) float64 { return (float64(t) - float64(sc.Event)) / 1000 }
	panels := []*panel{newPanel("Share of the path that fails at 0", "%"), newPanel("Payload that comes", "Gb/s")}
	panels[1].X.Label.Text = "µs since the path fails"
	const group = 4 // samples together: single ones hold few packets
	for i, r := range runs {
		var share, rate plotter.XYs
		var all, own, bytes uint64
		var from uint64
		for k, s := range r.Result.Samples {
			if s.At > sc.Stop {
				break
			}
			for p, b := range s.Sent {
				all += b
				if p == failed {
					own += b
				}
			}
			for _, b := range s.Bytes {
				bytes += b
			}
			if k%group != group-1 {
				continue
			}
			if all > 0 {
				share = append(share, plotter.XY{X: micro(s.At), Y: 100 * float64(own) / float64(all)})
			}
			rate = append(rate, plotter.XY{X: micro(s.At), Y: float64(bytes) * 8 / float64(s.At-from)})
			all, own, bytes, from = 0, 0, 0, s.At
		}
		for k, xys := range []plotter.XYs{share, rate} {
			if err := panels[k].line(r.Label, i, xys); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range panels {
		p.over(micro(0), micro(sc.Stop), 100)
	}
	return render(panels)
}

// PairBurst draws how runs take a burst: the queue before the path, the payload that comes, and the mean window of
// the flows that join.
func PairBurst(runs []PairRun) ([]byte, error) {
	if len(runs) == 0 {
		return nil, errNoRuns
	}
	sc := runs[0].Result.Scenario
	micro := func(t uint64) float64 { return (float64(t) - float64(sc.Event)) / 1000 }
	panels := []*panel{newPanel("Queue before the path", "KB"), newPanel("Payload that comes, mean of 10 samples", "Gb/s"),
		newPanel("Mean window of the flows that join", "KB")}
	panels[2].X.Label.Text = "µs since they join"
	for i, r := range runs {
		var queue, rate, window plotter.XYs
		var bytes, from uint64
		for k, s := range r.Result.Samples {
			if s.At > sc.Stop {
				break
			}
			queue = append(queue, plotter.XY{X: micro(s.At), Y: float64(s.Queue[0]) / 1000})
			for _, b := range s.Bytes {
				bytes += b
			}
			if k%10 == 9 {
				rate = append(rate, plotter.XY{X: micro(s.At), Y: float64(bytes) * 8 / float64(s.At-from)})
				bytes, from = 0, s.At
			}
			sum, n := 0.0, 0
			for f := range sc.Flows {
				if sc.Flows[f].Start == sc.Event && s.Window[f] > 0 {
					sum += s.Window[f]
					n++
				}
			}
			if n > 0 {
				window = append(window, plotter.XY{X: micro(s.At), Y: sum / float64(n) / 1000})
			}
		}
		for k, xys := range []plotter.XYs{queue, rate, window} {
			if len(xys) == 0 {
				continue // no NIC has windows
			}
			if err := panels[k].line(r.Label, i, xys); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range panels {
		p.over(micro(0), micro(sc.Stop), 100)
	}
	return render(panels)
}

// PairShare draws how a run shares its packets among paths: each path's share, its latency and the payload that comes. Of several runs it
// draws the last one's paths, and the payload of all.
func PairShare(runs []PairRun) ([]byte, error) {
	if len(runs) == 0 {
		return nil, errNoRuns
	}
	last := runs[len(runs)-1]
	sc := last.Result.Scenario
	micro := func(t uint64) float64 { return (float64(t) - float64(sc.Event)) / 1000 }
	panels := []*panel{newPanel("Share of each path, "+last.Label, "%"), newPanel("Mean latency of each path, "+last.Label, "µs"), newPanel("Payload that comes", "Gb/s")}
	panels[2].X.Label.Text = "µs since others load path 0"
	const group = 4 // samples together: single ones hold few packets
	points := func(r *pair.Result, y func(from, to uint64) float64) (out plotter.XYs) {
		from := uint64(0)
		for k, s := range r.Samples {
			if s.At > sc.Stop {
				break
			}
			if k%group != group-1 {
				continue
			}
			if v := y(from, s.At); v > 0 {
				out = append(out, plotter.XY{X: micro(s.At), Y: v})
			}
			from = s.At
		}
		return out
	}
	for p := range sc.Paths {
		for k, y := range []func(from, to uint64) float64{
			func(from, to uint64) float64 { return 100 * last.Result.Share(p, from, to) },
			func(from, to uint64) float64 { return last.Result.Latency(p, from, to) / 1000 },
		} {
			if err := panels[k].line(fmt.Sprintf("path %d", p), p, points(last.Result, y)); err != nil {
				return nil, err
			}
		}
	}
	for i, r := range runs {
		if err := panels[2].line(r.Label, i, points(r.Result, r.Result.Goodput)); err != nil {
			return nil, err
		}
	}
	for _, p := range panels {
		p.over(micro(0), micro(sc.Stop), 100)
	}
	return render(panels)
}
