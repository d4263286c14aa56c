// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"errors"
	"strings"
	"testing"
)

func TestMeasure(t *testing.T) {
	m, err := Measure(t.Context(), &fifoBench{src: source(t, "fifo")}, MeasureOptions{Seed: 5, Cycles: 20000, Rounds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Speeds) != 4 || m.Speeds[0].Ratio != 1 || m.Checksum == "0x0000000000000000" {
		t.Errorf("%+v", m)
	}
	for _, s := range m.Speeds {
		t.Logf("%-24s %6.2f Mcycles/s %.2f", s.Mode, s.CyclesPerSecond/1e6, s.Ratio)
	}
	_, err = Measure(t.Context(), &fifoBench{src: source(t, "fifo", "(DEPTH) || take)", "(DEPTH))")}, MeasureOptions{Cycles: 20000})
	var differ *Disagreement
	if !errors.As(err, &differ) || !strings.Contains(err.Error(), "level is") {
		t.Errorf("a bug gave %v", err)
	}
	_, err = Measure(t.Context(), &fifoBench{src: source(t, "fifo")}, MeasureOptions{Fixed: map[string]uint64{"psuh": 1}})
	if err == nil || !strings.Contains(err.Error(), `no input "psuh"`) {
		t.Errorf("an unknown input gave %v", err)
	}
}
