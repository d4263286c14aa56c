// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// A timeout after a pause is a failure, for any pause: only if the age is within the window again, at whole ranges of the time, is it judged
// congestion.
func TestPauses(t *testing.T) {
	const window = 100
	p := suite.Configure(t, "connections=5 conn_bits=3 rtt_bits=8 timer_bits=16 counter_bits=8 rtt_threshold_ns=20 window_ns=100 state_memory=lutram")
	whole := uint64(1) << p.TimerBits
	x := suite.Ready(t, p)
	now := uint64(1000)
	for _, pause := range append(benchtest.Pauses(int(p.TimerBits), window+1), 0, window, window+1, whole+window, whole+window+1, 2*whole+window) {
		x.Set("now_ns", now%whole)
		x.Cycle(benchtest.Ports{"s_rtt_valid": 1, "s_rtt_conn": 3, "s_rtt_ns": 25})
		for range 4 {
			x.Cycle(nil)
		}
		now += pause
		x.Set("now_ns", now%whole)
		x.Cycle(benchtest.Ports{"s_timeout_valid": 1, "s_timeout_conn": 3})
		if !x.Until(6, func() bool { return x.Get("m_timeout_valid") == 1 }) {
			t.Fatal("no verdict")
		}
		if failed, want := x.Get("m_fail_valid") == 1, pause%whole > window; failed != want {
			t.Errorf("a timeout %d ns after a high RTT: failure %t, want %t", pause, failed, want)
		}
	}
}
