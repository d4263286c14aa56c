// SPDX-License-Identifier: Apache-2.0

// Package plot writes the series of simulated runs as CSV and draws them as SVG, and
// ranges of other values in the same look. Writing the same runs again gives the same
// bytes.
package plot

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"image/color"
	"io"
	"strconv"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
	"gonum.org/v1/plot/vg/vgsvg"

	"github.com/nicgen/nicgen/sim/scenario/bottleneck"
)

// Run is one run and its label.
type Run struct {
	Label  string
	Result *bottleneck.Result
}

// CSV writes all samples of runs of one scenario: a row for each run and instant,
// with the queue, the throughput of all flows together, and throughput and window
// of each flow. Time is in ns, queue and windows are in bytes, throughput is in
// Gb/s over the time since the previous row.
func CSV(w io.Writer, runs []Run) error {
	if err := check(runs); err != nil {
		return err
	}
	out := csv.NewWriter(w)
	head := []string{"run", "time_ns", "queue_bytes", "throughput_gbps"}
	flows := len(runs[0].Result.Scenario.Flows)
	for _, what := range []string{"throughput_%d_gbps", "window_%d_bytes"} {
		for i := range flows {
			head = append(head, fmt.Sprintf(what, i))
		}
	}
	// csv.Writer keeps its first error for Error.
	_ = out.Write(head)
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for _, r := range runs {
		for _, s := range r.Result.Samples {
			row := []string{r.Label, strconv.FormatUint(s.At, 10), strconv.FormatUint(s.Queue, 10), number(s.Total())}
			for _, list := range [][]float64{s.Throughput, s.Window} {
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

// Reaction draws how runs of one scenario react to its event, one line for each
// run: queue, throughput of all flows, and mean window of the flows that start at
// the event, from a little before it until 1 ms after.
func Reaction(runs []Run) ([]byte, error) {
	if err := check(runs); err != nil {
		return nil, err
	}
	sc := runs[0].Result.Scenario
	var burst []int
	for i, f := range sc.Flows {
		if f.Start == sc.Event {
			burst = append(burst, i)
		}
	}
	if burst == nil {
		return nil, fmt.Errorf("scenario %s: no flow starts at %d ns, want at least one", sc.Name, sc.Event)
	}
	const before, after = 100_000, 1_000_000 // ns
	micro := func(t uint64) float64 { return (float64(t) - float64(sc.Event)) / 1000 }
	panels := []*panel{
		newPanel("Queue at the bottleneck", "KB"),
		newPanel("Total throughput, mean of 10 samples", "Gb/s"),
		newPanel(fmt.Sprintf("Mean window of the %d flows that start together", len(burst)), "KB"),
	}
	panels[2].X.Label.Text = "µs since they start"
	for i, r := range runs {
		var queue, window, rate plotter.XYs
		for k, s := range r.Result.Samples {
			if s.At+before < sc.Event || s.At > sc.Event+after {
				continue
			}
			queue = append(queue, plotter.XY{X: micro(s.At), Y: float64(s.Queue) / 1000})
			var sum float64
			for _, f := range burst {
				sum += s.Window[f]
			}
			if s.At >= sc.Event {
				window = append(window, plotter.XY{X: micro(s.At), Y: sum / float64(len(burst)) / 1000})
			}
			if mean, ok := mean(r.Result.Samples, k, bottleneck.Sample.Total); ok {
				rate = append(rate, plotter.XY{X: micro(s.At), Y: mean})
			}
		}
		for k, xys := range []plotter.XYs{queue, rate, window} {
			if err := panels[k].line(r.Label, i, xys); err != nil {
				return nil, err
			}
		}
	}
	for _, p := range panels {
		p.over(-before/1000, after/1000, 100)
	}
	return render(panels)
}

// Shares draws how flows share the link, over the whole of a scenario: a panel for
// each run with the throughput of each flow, and one with the queues.
func Shares(runs []Run) ([]byte, error) {
	if err := check(runs); err != nil {
		return nil, err
	}
	milli := func(t uint64) float64 { return float64(t) / 1e6 }
	var panels []*panel
	queues := newPanel("Queue at the bottleneck", "KB")
	queues.X.Label.Text = "ms"
	for i, r := range runs {
		p := newPanel("Throughput of each flow, mean of 10 samples: "+r.Label, "Gb/s")
		var queue plotter.XYs
		for f := range r.Result.Scenario.Flows {
			var rate plotter.XYs
			for k, s := range r.Result.Samples {
				if mean, ok := mean(r.Result.Samples, k, func(s bottleneck.Sample) float64 { return s.Throughput[f] }); ok {
					rate = append(rate, plotter.XY{X: milli(s.At), Y: mean})
				}
			}
			if err := p.line(fmt.Sprintf("flow %d", f+1), f, rate); err != nil {
				return nil, err
			}
		}
		for _, s := range r.Result.Samples {
			queue = append(queue, plotter.XY{X: milli(s.At), Y: float64(s.Queue) / 1000})
		}
		if err := queues.line(r.Label, i, queue); err != nil {
			return nil, err
		}
		// At the right the lines of few flows leave no room for the legend.
		p.Legend.XOffs = -width / 4
		panels = append(panels, p)
	}
	panels = append(panels, queues)
	for _, p := range panels {
		p.over(0, milli(runs[0].Result.Scenario.End), 2)
	}
	return render(panels)
}

// mean is the mean of the ten samples up to the k-th, for every tenth k: a single
// sample holds only a few packets.
func mean(samples []bottleneck.Sample, k int, of func(bottleneck.Sample) float64) (float64, bool) {
	const n = 10
	if k%n != n-1 {
		return 0, false
	}
	var sum float64
	for _, s := range samples[k+1-n : k+1] {
		sum += of(s)
	}
	return sum / n, true
}

// check refuses runs that cannot share a figure or a table.
func check(runs []Run) error {
	if len(runs) == 0 {
		return errors.New("no runs, want at least one")
	}
	first := runs[0].Result.Scenario
	for _, r := range runs[1:] {
		if sc := r.Result.Scenario; sc.Name != first.Name || len(sc.Flows) != len(first.Flows) || sc.Event != first.Event {
			return fmt.Errorf("run %s: scenario %s with %d flows, want %s with %d as in run %s",
				r.Label, sc.Name, len(sc.Flows), first.Name, len(first.Flows), runs[0].Label)
		}
	}
	return nil
}

// Colours safe for colour-blind readers, dark enough for a light background.
var colours = []color.Color{
	color.RGBA{0x00, 0x72, 0xb2, 0xff}, color.RGBA{0xd5, 0x5e, 0x00, 0xff}, color.RGBA{0x00, 0x9e, 0x73, 0xff},
	color.RGBA{0xcc, 0x79, 0xa7, 0xff}, color.RGBA{0x8a, 0x6d, 0x00, 0xff}, color.RGBA{0x33, 0x33, 0x33, 0xff},
}

const (
	width  = 16 * vg.Centimeter
	height = 6 * vg.Centimeter // of a panel
)

// panel is one plot of a figure.
type panel struct{ *plot.Plot }

func newPanel(title, unit string) *panel {
	p := &panel{plot.New()}
	p.Title.Text, p.Y.Label.Text = title, unit
	p.Title.Padding = 2 * vg.Millimeter
	p.Y.Min = 0
	p.Legend.Top = true
	p.Legend.Padding = vg.Millimeter
	p.Legend.ThumbnailWidth = 6 * vg.Millimeter
	for style, size := range map[*font.Font]vg.Length{
		&p.Title.TextStyle.Font: 11, &p.X.Label.TextStyle.Font: 10, &p.Y.Label.TextStyle.Font: 10,
		&p.X.Tick.Label.Font: 9, &p.Y.Tick.Label.Font: 9, &p.Legend.TextStyle.Font: 10,
	} {
		style.Typeface, style.Variant, style.Size = "Liberation", "Sans", size
	}
	grid := plotter.NewGrid()
	grid.Horizontal.Color, grid.Vertical.Color = color.Gray{0xdd}, color.Gray{0xdd}
	p.Add(grid)
	return p
}

func (p *panel) line(label string, i int, xys plotter.XYs) error {
	l, err := plotter.NewLine(xys)
	if err != nil {
		return fmt.Errorf("%s: %s: %w", p.Title.Text, label, err)
	}
	l.Color, l.Width = colours[i%len(colours)], vg.Points(1.2)
	if i >= len(colours) {
		l.Dashes = []vg.Length{vg.Points(4), vg.Points(2)}
	}
	p.Add(l)
	p.Legend.Add(label, l)
	return nil
}

// over sets the range and tick distance of the horizontal axis, and makes room for the
// legend.
func (p *panel) over(from, to, step float64) {
	p.X.Min, p.X.Max = from, to
	var ticks plot.ConstantTicks
	for x := from; x <= to; x += step {
		ticks = append(ticks, plot.Tick{Value: x, Label: strconv.FormatFloat(x, 'g', -1, 64)})
	}
	p.X.Tick.Marker = ticks
	p.Y.Max *= 1.35
}

// render stacks panels with their axes aligned.
func render(panels []*panel) ([]byte, error) {
	c := vgsvg.New(width, height*vg.Length(len(panels)))
	rows := make([][]*plot.Plot, len(panels))
	for i, p := range panels {
		rows[i] = []*plot.Plot{p.Plot}
	}
	dc := draw.New(c)
	dc.SetColor(color.White)
	dc.Fill(dc.Rectangle.Path())
	tiles := draw.Tiles{Rows: len(panels), Cols: 1, PadTop: 3 * vg.Millimeter, PadBottom: 2 * vg.Millimeter,
		PadLeft: 2 * vg.Millimeter, PadRight: 5 * vg.Millimeter, PadY: 4 * vg.Millimeter}
	for i, row := range plot.Align(rows, tiles, dc) {
		panels[i].Draw(row[0])
	}
	var b bytes.Buffer
	if _, err := c.WriteTo(&b); err != nil {
		return nil, err
	}
	// Fonts of the same metrics replace Liberation Sans if it is not installed.
	return bytes.ReplaceAll(b.Bytes(), []byte("font-family:Liberation Sans"), []byte("font-family:Liberation Sans,Arial,Helvetica,sans-serif")), nil
}
