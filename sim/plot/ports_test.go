// SPDX-License-Identifier: Apache-2.0

package plot_test

import (
	"bytes"
	"testing"

	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/plot"
)

// Every port has a line in both panels of its run, and the same runs give the same bytes.
func TestPorts(t *testing.T) {
	s := func(name string) measure.Series {
		return measure.Series{Name: name, Bin: 20, Gbps: []float64{100, 400, 200}, Queue: []int64{0, 8300, 4150}, Drops: []uint64{0, 0, 0}}
	}
	runs := []plot.PortRun{{Label: "first run", Ports: []measure.Series{s("a"), s("b")}}, {Label: "second run", Ports: []measure.Series{s("a"), s("b")}}}
	got, err := plot.Ports(runs)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"first run: rate of each port", "second run: longest queue of each port"} {
		if n := bytes.Count(got, []byte(want)); n != 1 {
			t.Errorf("%q is there %d times, want once", want, n)
		}
	}
	if lines := bytes.Count(got, []byte("#0072B2")) + bytes.Count(got, []byte("#0072b2")); lines < 4 {
		t.Errorf("%d lines of the first colour, want one in each of 4 panels", lines)
	}
	again, err := plot.Ports(runs)
	if err != nil || !bytes.Equal(got, again) {
		t.Errorf("another drawing of the same runs: %v", err)
	}
	for _, bad := range [][]plot.PortRun{nil, {{Label: "x", Ports: []measure.Series{{Name: "a", Bin: 20}}}}} {
		if _, err := plot.Ports(bad); err == nil {
			t.Errorf("%v is drawn", bad)
		}
	}
}
