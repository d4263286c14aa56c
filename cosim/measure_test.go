// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/cosimtest"
)

func TestMeasure(t *testing.T) {
	m, err := cosim.Measure(t.Context(), &cosimtest.FIFO{RTL: cosimtest.Design(t)}, cosim.MeasureOptions{Seed: 5, Cycles: 20000, Rounds: 3})
	if err != nil {
		t.Fatal(err)
	}
	if len(m.Speeds) != 4 || m.Speeds[0].Ratio != 1 || m.Checksum == "0x0000000000000000" {
		t.Errorf("%+v", m)
	}
	for _, s := range m.Speeds {
		t.Logf("%-24s %6.2f Mcycles/s %.2f", s.Mode, s.CyclesPerSecond/1e6, s.Ratio)
	}
	_, err = cosim.Measure(t.Context(), &cosimtest.FIFO{RTL: cosimtest.Design(t, "(DEPTH) || take)", "(DEPTH))")}, cosim.MeasureOptions{Cycles: 20000})
	var differ *cosim.Disagreement
	if !errors.As(err, &differ) || !strings.Contains(err.Error(), "level is") {
		t.Errorf("a bug gave %v", err)
	}
	_, err = cosim.Measure(t.Context(), &cosimtest.FIFO{RTL: cosimtest.Design(t)}, cosim.MeasureOptions{Fixed: map[string]uint64{"psuh": 1}})
	if err == nil || !strings.Contains(err.Error(), `no input "psuh"`) {
		t.Errorf("an unknown input gave %v", err)
	}
}
