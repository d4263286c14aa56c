// SPDX-License-Identifier: Apache-2.0

package plot

import (
	"image/color"
	"math"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Range is a value with its bounds.
type Range struct {
	Label             string
	Low, Middle, High float64
}

// RangePanel is a panel of Ranges.
type RangePanel struct {
	Title, Unit string
	Ranges      []Range
}

// Ranges draws values side by side, each as a dot on a line from its lower to its upper
// bound, with a line at 0.
func Ranges(list []RangePanel) ([]byte, error) {
	var panels []*panel
	for _, r := range list {
		if len(r.Ranges) == 0 {
			return nil, errNoRuns
		}
		p := newPanel(r.Title, r.Unit)
		zero, err := plotter.NewLine(plotter.XYs{{X: -0.5, Y: 0}, {X: float64(len(r.Ranges)) - 0.5, Y: 0}})
		if err != nil {
			return nil, err
		}
		zero.Color, zero.Width = color.Gray{0x66}, vg.Points(1)
		p.Add(zero)
		var ticks plot.ConstantTicks
		var dots plotter.XYs
		p.Y.Min, p.Y.Max = 0, 0
		for i, x := range r.Ranges {
			at := float64(i)
			span, err := plotter.NewLine(plotter.XYs{{X: at, Y: x.Low}, {X: at, Y: x.High}})
			if err != nil {
				return nil, err
			}
			span.Color, span.Width = colours[0], vg.Points(2)
			p.Add(span)
			dots = append(dots, plotter.XY{X: at, Y: x.Middle})
			ticks = append(ticks, plot.Tick{Value: at, Label: x.Label})
			p.Y.Min, p.Y.Max = min(p.Y.Min, x.Low), max(p.Y.Max, x.High)
		}
		dot, err := plotter.NewScatter(dots)
		if err != nil {
			return nil, err
		}
		dot.Color, dot.Radius, dot.Shape = colours[1], vg.Points(3.5), draw.CircleGlyph{}
		p.Add(dot)
		p.X.Min, p.X.Max = -0.5, float64(len(r.Ranges))-0.5
		p.X.Tick.Marker = ticks
		p.X.Tick.Label.Rotation = math.Pi / 9
		p.X.Tick.Label.XAlign, p.X.Tick.Label.YAlign = draw.XRight, draw.YTop
		margin := 0.08 * (p.Y.Max - p.Y.Min)
		p.Y.Min, p.Y.Max = p.Y.Min-margin, p.Y.Max+margin
		panels = append(panels, p)
	}
	if len(panels) == 0 {
		return nil, errNoRuns
	}
	return render(panels)
}
