// SPDX-License-Identifier: Apache-2.0

package measure_test

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/measure"
)

func TestCorrelation(t *testing.T) {
	x := []float64{0, 0, 1, 5, 2, 0, 3, 0, 0, 0, 0}
	y := []float64{0, 0, 0, 0, 0, 0, 2, 10, 4, 0, 6} // twice x, four later
	if lag, c := measure.Peak(x, y, 6); lag != 4 || math.Abs(c-1) > 1e-12 {
		t.Errorf("highest correlation %v at %d, want 1 at 4", c, lag)
	}
	if c := measure.Correlation(x, y, 0); c > 0.2 {
		t.Errorf("correlation %v without a lag", c)
	}
	for i := range y {
		y[i] = -y[i]
	}
	if c := measure.Correlation(x, y, 4); math.Abs(c+1) > 1e-12 {
		t.Errorf("correlation %v with the negative, want -1", c)
	}
	if c := measure.Correlation(x, make([]float64, len(x)), 1); c != 0 {
		t.Errorf("correlation %v with what does not change", c)
	}
	if c := measure.Correlation(x, y, len(x)); c != 0 {
		t.Errorf("correlation %v beyond the end", c)
	}
	if d := cmp.Diff([]float64{6, 8, 7, 7}, measure.Windows([]float64{0, 1, 5, 2, 0, 5}, 3)); d != "" {
		t.Error(d)
	}
}

// Three packets arrive at once at a port that holds one in addition to the one being sent, 100 ns per
// packet.
func TestClasses(t *testing.T) {
	n := fabric.New(1)
	q := fabric.Queueing{}
	q.Packets[3] = 1
	p, _ := n.Connect(nil, sink{}, fabric.Link{Gbps: 80}, q, fabric.Queueing{})
	c := measure.WatchClasses(n, p, 90_000)
	n.At(0, func() {
		for range 3 {
			x := n.Packet()
			x.Class, x.Size = 3, 1000
			p.Put(n, x)
		}
	})
	n.At(350_000, n.Stop)
	if err := n.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	// One is being sent, so it has not come until it leaves.
	if d := cmp.Diff([][]float64{{0, 1, 1}, {2, 0, 1}, {1, 0, 0}}, [][]float64{c.Left[3], c.Came[3], c.Queue[3]}); d != "" {
		t.Error(d)
	}
}
