// SPDX-License-Identifier: Apache-2.0

package measure

import (
	"math"

	"github.com/nicgen/nicgen/sim/fabric"
)

// Classes records a port's activity for each class of packets, in equal bins of time.
type Classes struct {
	Bin   fabric.Instant
	Left  [fabric.Classes][]float64 // packets that left in the bin
	Came  [fabric.Classes][]float64 // packets that came in the bin, those that were dropped too
	Queue [fabric.Classes][]float64 // packets that waited at its end

	port   *fabric.Port
	number uint32
	left   [fabric.Classes]float64
	lost   [fabric.Classes]float64
	waited [fabric.Classes]float64 // at the end of the bin before
}

// WatchClasses watches a port from now on, until the end of the run.
func WatchClasses(n *fabric.Network, p *fabric.Port, bin fabric.Instant) *Classes {
	c := &Classes{Bin: bin, port: p}
	p.Watch = watcher{c}
	c.number = n.Register(c)
	n.Wake(c.number, n.Now()+bin, 0)
	return c
}

// Name returns the port's name.
func (c *Classes) Name() string { return c.port.Name }

// Fire implements fabric.Timer: a bin ends.
func (c *Classes) Fire(n *fabric.Network, _ uint32) {
	for k := range c.left {
		waits := float64(c.port.Count(k))
		c.Left[k] = append(c.Left[k], c.left[k])
		c.Came[k] = append(c.Came[k], c.left[k]+c.lost[k]+waits-c.waited[k])
		c.Queue[k] = append(c.Queue[k], waits)
		c.waited[k] = waits
	}
	c.left, c.lost = [fabric.Classes]float64{}, [fabric.Classes]float64{}
	n.Wake(c.number, n.Now()+c.Bin, 0)
}

// watcher makes a Classes a fabric.Watcher.
type watcher struct{ *Classes }

func (w watcher) Queued(fabric.Instant, int64)                                {}
func (w watcher) Left(_ fabric.Instant, p *fabric.Packet)                     { w.left[p.Class]++ }
func (w watcher) Dropped(_ fabric.Instant, p *fabric.Packet, _ fabric.Reason) { w.lost[p.Class]++ }

// Windows returns, for each start, the sum of the given number of consecutive bins.
func Windows(x []float64, bins int) (sums []float64) {
	sum := 0.
	for i, v := range x {
		if sum += v; i >= bins {
			sum -= x[i-bins]
		}
		if i >= bins-1 {
			sums = append(sums, sum)
		}
	}
	return sums
}

// Correlation returns Pearson's coefficient of x and of y delayed by lag places. It is 0 if one of them is
// constant.
func Correlation(x, y []float64, lag int) float64 {
	n := min(len(x), len(y)-lag)
	if lag < 0 || n < 2 {
		return 0
	}
	x, y = x[:n], y[lag:lag+n]
	mx, dx := Mean(x)
	my, dy := Mean(y)
	if dx == 0 || dy == 0 {
		return 0
	}
	sum := 0.
	for i := range x {
		sum += float64((x[i] - mx) * (y[i] - my))
	}
	return sum / float64(n) / dx / dy
}

// Peak is the lag from 0 to most with the highest correlation, and that.
func Peak(x, y []float64, most int) (lag int, correlation float64) {
	correlation = math.Inf(-1)
	for k := range most + 1 {
		if c := Correlation(x, y, k); c > correlation {
			lag, correlation = k, c
		}
	}
	return lag, correlation
}
