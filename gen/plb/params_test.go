// SPDX-License-Identifier: Apache-2.0

package plb_test

import (
	"testing"

	"github.com/nicgen/nicgen/gen/gentest"
	params "github.com/nicgen/nicgen/gen/plb"
)

// Rules over several parameters, on both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "connections=257 conn_bits=9"},
		{Set: "connections=257 conn_bits=8", Key: "conn_bits", Found: "8", Allowed: "at least 9 for connections 257"},
		{Set: "pkts_bits=12 balance_bits=31"},
		{Set: "pkts_bits=12 balance_bits=30", Key: "balance_bits", Found: "30", Allowed: "at least pkts_bits + 19 = 31"},
		{Set: "pause_bits=28 timer_bits=30 pause_ns=1024"},
		{Set: "pause_bits=29 timer_bits=30 pause_ns=1024", Key: "pause_bits", Found: "29", Allowed: "at most timer_bits - 2 = 28"},
		{Set: "label_bits=14"},
		{Set: "label_bits=13 port_bits=14", Key: "port_bits", Found: "14", Allowed: "at most label_bits = 13"},
		{Set: "port_base=16384"},
		{Set: "port_base=16385", Key: "port_base", Found: "16385", Allowed: "a multiple of 2^14 with port_bits 14"},
		{Set: "rtt_bits=8 target_ns=255"},
		{Set: "rtt_bits=8 target_ns=256", Key: "target_ns", Found: "256", Allowed: "below 2^8 with rtt_bits 8"},
		{Set: "idle_rounds=15"},
		{Set: "idle_rounds=16", Key: "idle_rounds", Found: "16", Allowed: "below 2^4 with round_bits 4"},
		{Set: "forced_rounds=16", Key: "forced_rounds", Found: "16", Allowed: "below 2^4 with round_bits 4"},
		{Set: "pause_bits=22 pause_ns=4194304", Key: "pause_ns", Found: "4194304", Allowed: "below 2^22 with pause_bits 22"},
	})
}
