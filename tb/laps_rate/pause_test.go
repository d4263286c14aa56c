// SPDX-License-Identifier: Apache-2.0

package lapsrate_test

import (
	"testing"

	"github.com/nicgen/nicgen/tb/benchtest"
)

// A flow changes its rate with the first ACK after a pause of any length in which its interval of 2t ends, except in the last 512 - 2t
// ns of each whole range of the time: there the end of its interval seems to lie ahead.
func TestPauses(t *testing.T) {
	const (
		latency  = 100
		interval = 2 * latency
		ahead    = 2 << 8 // a time so far ahead is one of long ago
		held     = 0
		less     = 1
	)
	p := suite.Configure(t, "flows=1 flow_bits=1 paths=2 lat_bits=8 time_bits=16 rate_bits=8 counter_bits=8 state_memory=lutram ram_latency=1 max_rate=1 min_rate=1 stages=0")
	whole := uint64(1) << p.TimeBits
	x := suite.Ready(t, p)
	now := uint64(1000)
	ack := func() uint64 {
		x.Set("now_ns", now%whole)
		x.Cycle(benchtest.Ports{"s_ack_valid": 1, "s_ack_usable": 1, "s_ack_latency_ns": latency, "s_ack_base_ns": 1})
		if !x.Until(30, func() bool { return x.Get("m_rate_valid") == 1 }) {
			t.Fatal("no answer to an ACK")
		}
		return x.Get("m_rate_cause")
	}
	pauses := append(benchtest.Pauses(int(p.TimeBits), 300), interval, interval+1, whole+interval, whole+interval+1, 2*whole+interval+1,
		whole-(ahead-interval), whole-(ahead-interval)+1, 3*whole/2+7)
	for _, pause := range pauses {
		now += 1000 // behind the interval of the last one
		if cause := ack(); cause != less {
			t.Fatalf("cause %d, want %d", cause, less)
		}
		now += pause
		want := uint64(less)
		if in := pause % whole; in <= interval || in > whole-(ahead-interval) {
			want = held
		}
		if cause := ack(); cause != want {
			t.Errorf("an ACK %d ns after a decrease: cause %d, want %d", pause, cause, want)
		}
	}
}
