// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"math"
	"testing"

	params "github.com/nicgen/nicgen/gen/powertcp"
)

// A constant power Γ, in units of the target, holds the window at w = βΓ/(Γ-1). There an error of
// one update, relative to the window, moves it by Γ/(γ(Γ-1)) times as much: near Γ = 1 windows
// drift far beyond the error of an update.
func TestDriftNearTarget(t *testing.T) {
	for _, c := range []struct {
		rtt uint32 // of τ = 50,000 ns: Γ is the quotient
		far bool   // the drift is more than 30 times the error of an update
	}{{100_000, false}, {60_000, false}, {52_632, false}, {51_000, true}, {50_350, true}, {50_150, true}} {
		p := wide(params.Theta, 50_000, 900_000, 1_000_000)
		p.MaxWindowBytes, p.BetaBytes = 1<<20, 543
		s := settingsOf(p)
		u := New(p)
		n := &u.conns[0]
		n.have, n.theta, n.tau, n.rtt = true, true, 50_000, c.rtt
		n.window, n.old = 200_000<<WindowFrac, 200_000<<WindowFrac
		step := func() float64 {
			n.old = n.window // every update closes a round-trip
			return float64(u.Ack(&Ack{Theta: true, RTTValid: true, RTT: c.rtt, Now: n.sent + 60_000, Seq: n.mark}).Window) / (1 << WindowFrac)
		}
		for range 20_000 {
			step()
		}
		gamma := float64(c.rtt) / 50_000
		rest := s.Beta * gamma / (gamma - 1)
		from := float64(n.window) / (1 << WindowFrac)
		got := step()
		once := math.Abs(got-(from+s.Gamma*(from/gamma+s.Beta-from))) / rest
		drift := math.Abs(got-rest) / rest
		amplified := once * gamma / (s.Gamma * (gamma - 1))
		t.Logf("Γ %.4f: window %.2f, %.2f without errors: drift 2^%.1f, one update 2^%.1f, quotient %.1f, Γ/(γ(Γ-1)) %.1f",
			gamma, got, rest, math.Log2(drift), math.Log2(once), drift/once, gamma/(s.Gamma*(gamma-1)))
		if got != from {
			t.Errorf("Γ %.4f: the window still moves, from %.2f to %.2f", gamma, from, got)
		}
		if math.Abs(drift-amplified) > 0.01*drift || c.far != (drift > 30*once) {
			t.Errorf("Γ %.4f: drift %g, one update %g, want %g", gamma, drift, once, amplified)
		}
	}
}
