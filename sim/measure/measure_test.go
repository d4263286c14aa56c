// SPDX-License-Identifier: Apache-2.0

package measure_test

import (
	"math"
	"reflect"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
)

type sink struct{}

func (sink) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) { n.Received(p) }

// Three packets at once through a queue of two, at 1000 bytes in 100 ns: bins of 150 ns.
func TestSeries(t *testing.T) {
	n := fabric.New(1)
	p, _ := n.Connect(nil, sink{}, fabric.Link{Gbps: 80}, fabric.Queueing{Bytes: 2000}, fabric.Queueing{})
	w := measure.Watch(p, 150_000)
	n.At(160_000, func() {
		for range 3 {
			x := n.Packet()
			x.Size, x.Class = 1000, fabric.Bulk
			p.Put(n, x)
		}
	})
	if err := n.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	s := w.Series()
	gbps := float64(8000) / 150
	if !slices.Equal(s.Queue, []int64{0, 2000, 1000}) || !slices.Equal(s.Drops, []uint64{0, 1, 0}) ||
		len(s.Gbps) != 3 || s.Gbps[0] != 0 || math.Abs(s.Gbps[1]-gbps) > 1e-9 || math.Abs(s.Gbps[2]-gbps) > 1e-9 {
		t.Errorf("%+v", s)
	}
}

func TestFigures(t *testing.T) {
	if got := measure.Imbalance([]uint64{1, 2, 3}); got != 0.5 {
		t.Errorf("imbalance %v, want 0.5", got)
	}
	if got := measure.Imbalance([]uint64{0, 0}); got != 0 {
		t.Errorf("imbalance %v without load, want 0", got)
	}
	if m, d := measure.Mean([]float64{1, 3}); m != 2 || d != 1 {
		t.Errorf("mean %v ± %v, want 2 ± 1", m, d)
	}
}

func TestPercentile(t *testing.T) {
	list := []float64{5, 1, 4, 2, 3}
	for _, c := range []struct{ share, want float64 }{{0, 1}, {.2, 1}, {.21, 2}, {.5, 3}, {.99, 5}, {1, 5}} {
		if got := measure.Percentile(list, c.share); got != c.want {
			t.Errorf("%v: %v, want %v", c.share, got, c.want)
		}
	}
	if got := measure.Percentile(nil, .5); got != 0 || list[0] != 5 {
		t.Errorf("of none: %v, want 0; the list %v, want it as it was", got, list)
	}
}

// Bins of series are counted by their fullest queue.
func TestQueueHistogram(t *testing.T) {
	list := []measure.Series{{Queue: []int64{0, 1, 1000, 1001}}, {Queue: []int64{4000, 9000}}}
	if got, want := measure.QueueHistogram(list, []int64{0, 1000, 4000}), []int{1, 2, 2, 1}; !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestJain(t *testing.T) {
	for _, c := range []struct {
		shares []float64
		want   float64
	}{
		{nil, 1}, {[]float64{0, 0}, 1}, {[]float64{5}, 1}, {[]float64{2, 2, 2}, 1},
		{[]float64{1, 0, 0, 0}, 0.25}, {[]float64{1, 3}, 0.8},
	} {
		if got := measure.Jain(c.shares); math.Abs(got-c.want) > 1e-12 {
			t.Errorf("%v: %g, want %g", c.shares, got, c.want)
		}
	}
}
