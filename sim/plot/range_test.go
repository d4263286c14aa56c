// SPDX-License-Identifier: Apache-2.0

package plot_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/sim/plot"
)

func TestRanges(t *testing.T) {
	panels := []plot.RangePanel{
		{Title: "First", Unit: "ns", Ranges: []plot.Range{{Label: "one", Low: -1, Middle: 0.5, High: 1}, {Label: "two", Low: 0, Middle: 1, High: 2}}},
		{Title: "Second", Unit: "ns", Ranges: []plot.Range{{Label: "one", Low: 1, Middle: 1, High: 1}}},
	}
	svg, err := plot.Ranges(panels)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"First", "Second", "one", "two", "ns"} {
		if !strings.Contains(string(svg), ">"+want+"<") {
			t.Errorf("the figure does not say %q", want)
		}
	}
	again, err := plot.Ranges(panels)
	if err != nil || !bytes.Equal(svg, again) {
		t.Errorf("the same values give another figure, %v", err)
	}
	for _, bad := range [][]plot.RangePanel{nil, {{Title: "Empty"}}} {
		if _, err := plot.Ranges(bad); err == nil {
			t.Errorf("%v: no error", bad)
		}
	}
}
