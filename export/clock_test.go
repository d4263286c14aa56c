// SPDX-License-Identifier: Apache-2.0

package export_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/clocked"
	"github.com/nicgen/nicgen/tb/bench"
)

// testClocked gives the events of a file, which the library of REPS answered by a clock, to a unit of nicgen's own
// simulator: the answers are the same, at the same times.
func testClocked(t *testing.T, name string) {
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(registry.Units, func(u registry.Unit) bool { return u.New().Unit() == "reps" })
	cfg := registry.Units[i].New()
	if err := gen.SetAll(cfg, "connections=16"); err != nil {
		t.Fatal(err)
	}
	b, err := registry.Units[i].Bench(cfg)
	if err != nil {
		t.Fatal(err)
	}
	lib, golden, err := bench.Build(t.Context(), b.(interface {
		bench.Compiled
		cosim.Bench
	}))
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	set := func(in []uint64, port string, x uint64) { l.MustSlot(port).Set(in, x) }
	idle := make([]uint64, l.InWords)
	values, err := csr.Values(cfg)
	if err != nil {
		t.Fatal(err)
	}
	for port, x := range values {
		set(idle, port, x)
	}
	var got, want []string
	see := func(cycle uint64, out []uint64) error {
		if l.MustSlot("m_ev_valid").Get(out) == 1 {
			got = append(got, fmt.Sprintf("answer %d %d", clocked.At(cycle), l.MustSlot("m_ev").Get(out)))
		}
		return nil
	}
	const lanes, most = 3, 100
	u, err := clocked.Open(clocked.Config{Library: lib, Golden: golden, Inputs: idle, Calm: 20, See: see}, lanes, "rst", "sts_ready", most)
	if err != nil {
		t.Fatal(err)
	}
	defer u.Close()
	events := 0
	for line := range strings.Lines(string(text)) {
		var what string
		var time, x, y uint64
		if _, err := fmt.Sscan(line, &what, &time, &x, &y); err != nil {
			t.Fatalf("%q: %v", line, err)
		}
		at, stream := agenda.At(time), "s_"+what+"_"
		switch what {
		case "answer":
			want = append(want, fmt.Sprintf("answer %d %d", time, x))
			continue
		case "poll":
			if err := u.Run(at); err != nil {
				t.Fatal(err)
			}
			continue
		}
		events++
		if err := u.Run(at - 1); err != nil {
			t.Fatal(err)
		}
		enter := func(in []uint64) {
			set(in, stream+"valid", 1)
			set(in, stream+"conn", x)
			switch what {
			case "send":
				set(in, stream+"inject", 1)
				set(in, stream+"random", y)
			case "ack":
				set(in, stream+"ev", y)
				set(in, stream+"ecn", y&1)
			}
		}
		if what == "flush" {
			u.Hold("s_flush_ready", at, enter)
		} else {
			u.Drive(slices.Index([]string{"send", "ack", "fail"}, what), at, enter)
		}
	}
	if !slices.Equal(got, want) || len(want) < 300 || events < 600 {
		for i := range min(len(got), len(want)) {
			if got[i] != want[i] {
				t.Fatalf("%d events: answer %d is %q, %q in the library", events, i, got[i], want[i])
			}
		}
		t.Errorf("%d events: %d answers, %d of the library", events, len(got), len(want))
	}
}
