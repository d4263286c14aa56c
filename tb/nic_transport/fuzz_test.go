// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/sample"
)

// Crafted frames among good ones, in both directions: no difference, no hang, and all are accounted for.
func TestFuzz(t *testing.T) {
	t.Parallel()
	for _, set := range sets {
		if sample.LeftOut(Unit.Name + "/" + set) {
			continue
		}
		t.Run(set, func(t *testing.T) {
			p := params.Default()
			if err := gen.Configure(p, set); err != nil {
				t.Fatal(err)
			}
			b, err := Fuzz.New(p)
			if err != nil {
				t.Fatal(err)
			}
			var r *cosim.Report
			for n := 3 * *cycles; ; n *= 2 { // some conversations are slow: until one has ended
				if r, err = cosim.Run(t.Context(), b, cosim.RunOptions{Unit: unitName, Seed: 1, Cycles: n}); err != nil {
					t.Fatal(err)
				}
				if r.Coverage["accounted"] > 0 || r.Outcome != cosim.Missed || n > 8**cycles {
					break
				}
			}
			t.Logf("%d frames, %d cycles, %.0f a second, %v", r.Events, r.Cycles, r.CyclesPerSecond, r.Coverage)
			if r.Outcome != cosim.Missed && !r.OK() {
				t.Errorf("%s in cycle %d: %s%s", r.Failure.Kind, r.Failure.Cycle, r.Failure.Explain, r.Failure.Message)
			}
			if r.Coverage["accounted"] == 0 {
				t.Error("no conversation came to its end")
			}
		})
	}
}

// The watcher detects the faults that it checks for in addition to the checker.
func TestFuzzLies(t *testing.T) {
	p := params.Default()
	if err := gen.Configure(p, small); err != nil {
		t.Fatal(err)
	}
	b, err := Fuzz.New(p)
	if err != nil {
		t.Fatal(err)
	}
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	for _, x := range []struct {
		name string
		tell func(c uint64, in, got []uint64)
		want string
	}{
		{"nothing", func(uint64, []uint64, []uint64) {}, ""},
		{"counters are two too high, or too low", func(_ uint64, in, got []uint64) {
			if l.MustSlot("s_axil_rvalid").Get(got) == 1 {
				s := l.MustSlot("s_axil_rdata")
				s.Set(got, s.Get(got)^2) // not the bit that commands are polled for
			}
		}, "after conversation 1: "},
		{"the host is held for ever", func(c uint64, in, got []uint64) {
			if c > 12_000 {
				l.MustSlot("s_axis_tx_tready").Set(got, 0)
				l.MustSlot("s_axis_rx_tready").Set(got, 0)
				mute(l, got)
			}
		}, "hang: "},
	} {
		t.Run(x.name, func(t *testing.T) {
			stimulus, err := b.NewStimulus(l, 1)
			if err != nil {
				t.Fatal(err)
			}
			predictor, err := b.NewPredictor(l, false)
			if err != nil {
				t.Fatal(err)
			}
			w := predictor.(*watcher)
			i, err := lib.New(cosim.InstanceOptions{Seed: 1})
			if err != nil {
				t.Fatal(err)
			}
			defer i.Close()
			in, got := make([]uint64, l.InWords), make([]uint64, l.OutWords)
			want, care := make([]uint64, l.OutWords), make([]uint64, l.OutWords)
			for c := uint64(0); c < 120_000 && w.err == nil && w.done < 1; c++ {
				clear(in)
				stimulus.Next(in)
				if _, err := i.Run(in, got); err != nil {
					t.Fatal(err)
				}
				x.tell(c, in, got)
				stimulus.Hooks().React(got)
				clear(want)
				clear(care)
				w.Hooks().Observe(got)
				w.Step(in, want, care)
			}
			switch {
			case x.want == "" && (w.err != nil || w.done != 1):
				t.Errorf("%d conversations accounted for, %v", w.done, w.err)
			case x.want != "" && (w.err == nil || !strings.Contains(w.err.Error(), x.want)):
				t.Errorf("found %v, want %q", w.err, x.want)
			default:
				t.Log(w.err)
			}
		})
	}
}

// mute clears the outputs that tell that something moves.
func mute(l *cosim.Layout, got []uint64) {
	for _, s := range l.Outputs {
		if strings.HasSuffix(s.Name, "valid") && strings.HasPrefix(s.Name, "m_") {
			s.Set(got, 0)
		}
	}
}
