// SPDX-License-Identifier: Apache-2.0

package powertcp_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/powertcp"
)

// upset is a bench of RTL in which no connection is made new after a reset: each
// finds state, and its state is whatever the memories hold at power-up. The golden
// model, which knows nothing of that, only judges handshakes and which ACK an answer
// is for; the assertions judge every window.
type upset struct{ *bench.Bench[*params.Params] }

// NewPredictor implements cosim.Bench.
func (u *upset) NewPredictor(l *cosim.Layout, bare bool) (cosim.Predictor, error) {
	p, err := u.Bench.NewPredictor(l, bare)
	v := &visible{Predictor: p, mask: make([]uint64, l.OutWords)}
	for _, port := range []string{"sts_ready", "s_ack_ready", "s_flush_ready", "m_win_valid", "m_win_conn"} {
		l.MustSlot(port).Set(v.mask, ^uint64(0))
	}
	return v, err
}

// visible hides outputs of a golden model.
type visible struct {
	cosim.Predictor
	mask []uint64
}

// Step implements cosim.Predictor.
func (v *visible) Step(in, want, care []uint64) {
	v.Predictor.Step(in, want, care)
	for i, m := range v.mask {
		care[i] &= m
	}
}

// From any state of the memories every window is legal, and the unit goes on: with
// random contents that no reset clears, in several draws of them.
func TestAnyState(t *testing.T) {
	for _, set := range []string{"", "variant=theta state_memory=lutram", "variant=both throughput=ack"} {
		t.Run(set, func(t *testing.T) {
			t.Parallel()
			u := &upset{powertcp.Unit.Bench(suite.Configure(t, set))}
			u.Edit = func(name, text string) string {
				if name != "nic_powertcp.sv" {
					return text
				}
				const from, to = "|| pw_clear;", "|| (pw_clear && 1'b0);"
				if strings.Count(text, from) != 1 {
					t.Fatalf("%s has %q %d times, want once", name, from, strings.Count(text, from))
				}
				return strings.Replace(text, from, to, 1)
			}
			if err := u.Prepare(); err != nil {
				t.Fatal(err)
			}
			for seed := range uint64(8) {
				r, err := cosim.Run(t.Context(), u, cosim.RunOptions{Unit: "powertcp", Seed: seed, Cycles: 60_000})
				if err != nil {
					t.Fatal(err)
				}
				if r.Failure != nil && r.Outcome != cosim.Missed {
					t.Errorf("seed %d: %s: %s", seed, r.Outcome, r.Failure.Summary())
				}
			}
		})
	}
}
