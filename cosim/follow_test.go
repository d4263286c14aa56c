// SPDX-License-Identifier: Apache-2.0

package cosim_test

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/cosimtest"
)

// A predictor that observes the device adopts its free choices, here the depth: a FIFO that refuses a push while it
// is full and popped passes. Batches and the second thread change nothing.
func TestFollowerPasses(t *testing.T) {
	for _, b := range []*cosimtest.FIFO{{RTL: cosimtest.Design(t)}, cosimtest.Bug(t)} {
		for _, concurrent := range []bool{false, true} {
			for _, batch := range []int{0, 1, 7} {
				r, err := cosim.Run(t.Context(), &cosimtest.Following{FIFO: b}, cosim.RunOptions{Unit: "fifo", Seed: 7, Cycles: 20000, Batch: batch, Concurrent: concurrent})
				if err != nil {
					t.Fatal(err)
				}
				if !r.OK() || r.Cycles != 20000 || r.Events != 20000 {
					t.Errorf("concurrent %t, batch %d: %+v %+v", concurrent, batch, r, r.Failure)
				}
			}
		}
	}
}

// A device that ends shows no outputs in its last cycle: no explanation.
func TestFollowerFault(t *testing.T) {
	b := &cosimtest.Following{FIFO: &cosimtest.FIFO{RTL: cosimtest.Design(t, "if (take) rd_q", "if (take && level == 4'd6) $stop;\n    if (take) rd_q")}}
	for _, concurrent := range []bool{false, true} {
		r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: "fifo", Seed: 7, Concurrent: concurrent})
		if err != nil {
			t.Fatal(err)
		}
		if r.Outcome != cosim.Fault || r.Failure.Explain != "" {
			t.Errorf("concurrent %t: %+v %+v", concurrent, r, r.Failure)
		}
	}
}

// A wrapper that embeds a Predictor or a Stimulus has its hooks.
func TestWrappersKeepHooks(t *testing.T) {
	b := &cosimtest.Following{FIFO: &cosimtest.FIFO{RTL: cosimtest.Design(t)}}
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	p, err := b.NewPredictor(lib.Layout(), false)
	if err != nil {
		t.Fatal(err)
	}
	struct{ cosim.Predictor }{p}.Hooks().Observe(make([]uint64, lib.Layout().OutWords))
	if p.(*cosimtest.Follower).Seen != 1 {
		t.Error("the outputs were not passed on")
	}
	b.Length = 7
	s, err := b.NewStimulus(lib.Layout(), 1)
	if err != nil {
		t.Fatal(err)
	}
	if n := (struct{ cosim.Stimulus }{s}).Hooks().Cycles; n != 7 {
		t.Errorf("a wrapper has %d cycles, want 7", n)
	}
}
