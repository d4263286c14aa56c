// SPDX-License-Identifier: Apache-2.0

// Package measure records time series of a network's ports and computes figures from them.
package measure

import (
	"math"
	"slices"

	"github.com/nicgen/nicgen/sim/fabric"
)

// Series records a port's activity in equal bins of time.
type Series struct {
	Name  string    `json:"name"`
	Bin   float64   `json:"bin_us"`
	Gbps  []float64 `json:"gbps"`        // that left, by bin
	Queue []int64   `json:"queue_bytes"` // most that waited
	Drops []uint64  `json:"drops"`       // at the port and on its cable
}

// Watcher makes the series of a port.
type Watcher struct {
	bin    fabric.Instant
	series Series
	bytes  []uint64
	level  int64 // of the queue
}

// Watch watches a port in bins of a length, until the end of the run.
func Watch(p *fabric.Port, bin fabric.Instant) *Watcher {
	w := &Watcher{bin: bin, series: Series{Name: p.Name, Bin: float64(bin) / 1e6}}
	p.Watch = w
	return w
}

// at makes bins up to the present one. A queue that does not change is in all of them.
func (w *Watcher) at(now fabric.Instant) int {
	k := int(now / w.bin)
	for len(w.bytes) <= k {
		w.bytes = append(w.bytes, 0)
		w.series.Queue = append(w.series.Queue, w.level)
		w.series.Drops = append(w.series.Drops, 0)
	}
	return k
}

// Queued implements fabric.Watcher.
func (w *Watcher) Queued(now fabric.Instant, bytes int64) {
	k := w.at(now)
	w.level = bytes
	w.series.Queue[k] = max(w.series.Queue[k], bytes)
}

// Left implements fabric.Watcher.
func (w *Watcher) Left(now fabric.Instant, p *fabric.Packet) { w.bytes[w.at(now)] += uint64(p.Size) }

// Dropped implements fabric.Watcher.
func (w *Watcher) Dropped(now fabric.Instant, _ *fabric.Packet, _ fabric.Reason) {
	w.series.Drops[w.at(now)]++
}

// Series returns the bins so far; the last one may be incomplete.
func (w *Watcher) Series() Series {
	s := w.series
	s.Gbps = make([]float64, len(w.bytes))
	for i, b := range w.bytes {
		s.Gbps[i] = 8000 * float64(b) / float64(w.bin)
	}
	return s
}

// Imbalance returns how far the largest load is above the mean, as a fraction: REPS §4.5.2. It is 0 without load.
func Imbalance(loads []uint64) float64 {
	var sum, most uint64
	for _, l := range loads {
		sum, most = sum+l, max(most, l)
	}
	if sum == 0 {
		return 0
	}
	return float64(most)*float64(len(loads))/float64(sum) - 1
}

// Mean is the mean of some values and their standard deviation.
func Mean(values []float64) (mean, deviation float64) {
	for _, v := range values {
		mean += v / float64(len(values))
	}
	for _, v := range values {
		deviation += float64((v-mean)*(v-mean)) / float64(len(values))
	}
	return mean, math.Sqrt(deviation)
}

// Percentile is the smallest of the values that a share of them does not exceed; 0 of none.
func Percentile(values []float64, share float64) float64 {
	if len(values) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(values))
	return sorted[min(len(sorted)-1, max(0, int(math.Ceil(share*float64(len(sorted))))-1))]
}

// QueueHistogram returns the number of bins whose longest queue had at most steps[0] bytes, more than that and at most steps[1],
// …, and more than the last step.
func QueueHistogram(list []Series, steps []int64) []int {
	bins := make([]int, len(steps)+1)
	for _, s := range list {
		for _, q := range s.Queue {
			k, _ := slices.BinarySearch(steps, q)
			bins[k]++
		}
	}
	return bins
}

// Jain is Jain's fairness index of shares: 1 if all are equal, 1/n if one of n has
// everything. It is 1 for no shares, or none above 0.
func Jain(shares []float64) float64 {
	var sum, squares float64
	for _, x := range shares {
		sum += x
		squares += float64(x * x) // not fused, so the same on every processor
	}
	if squares == 0 {
		return 1
	}
	return sum * sum / (float64(len(shares)) * squares)
}
