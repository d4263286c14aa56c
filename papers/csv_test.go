// SPDX-License-Identifier: Apache-2.0

package papers_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/measure"
)

// A table and series are CSV that other programs read: commas within a field are quoted, bins have their time.
func TestCSV(t *testing.T) {
	o := papers.Outcome{Figure: "x-1", Head: []string{"scheme", "completion, µs"}, Rows: [][]string{{"REPS, frozen", "12.5"}}}
	text, err := o.TableCSV()
	if want := "scheme,\"completion, µs\"\n\"REPS, frozen\",12.5\n"; err != nil || string(text) != want {
		t.Errorf("%q, %v, want %q", text, err, want)
	}
	if _, err := o.SeriesCSV(); err == nil || err.Error() != "figure x-1 has no series of ports" {
		t.Error(err)
	}
	o.Series = []papers.Plot{{Run: "OPS", Ports: []measure.Series{{Name: "leaf 0 up 1", Bin: 20, Gbps: []float64{400, 12.5}, Queue: []int64{0, 8300}, Drops: []uint64{0, 2}}}}}
	text, err = o.SeriesCSV()
	if want := "run,port,from_us,gbps,queue_bytes,drops\nOPS,leaf 0 up 1,0,400,0,0\nOPS,leaf 0 up 1,20,12.5,8300,2\n"; err != nil || string(text) != want {
		t.Errorf("%s, %v, want %s", text, err, strings.TrimSpace(want))
	}
}
