// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	_ "embed"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// invariants are those of the state: what mends the checks at timers and the
// count of lost segments after an upset does nothing without one. timer is the bit of a slot
// of the barrel that tells of a check.
func invariants(paths, queues, lostQueue, timer int) []string {
	list := []string{
		fmt.Sprintf("scan_path_q < %d", paths),
		"lost_used_q == lost.wr_q - lost.rd_q",
		fmt.Sprintf("lost_used_q <= %d", lostQueue),
		fmt.Sprintf("!b6_room_q || lost_used_q < %d", lostQueue),
		"!ready_q || (!clearing_q && !p0_clear_q && !p1_clear_q)",
		"ready_q || (!e0_valid_q && !e1_valid_q && !ahead_q && !busy_q && !scan_want_q && !scan_busy_q && !ack_some_q)",
		"!scan_want_q || (scan_step_q == 4 && !scan_busy_q)",
		"scan_step_q <= 4",
	}
	for i := range queues {
		list = append(list, fmt.Sprintf("ready_q || g_queue[%d].wr_q == g_queue[%[1]d].rd_q", i))
	}
	var checks []string // by stage, that one is there
	for i := range 7 {
		at := fmt.Sprintf("b%d_q[%d]", i, timer)
		check := fmt.Sprintf("(busy_q[%d] && %s)", i, at)
		list = append(list, fmt.Sprintf("!ahead_q[%d] || !%s", i, at),
			fmt.Sprintf("!%s || scan_busy_q && (round_q < %d || scan_seen_q)", check, i))
		for _, other := range checks {
			list = append(list, fmt.Sprintf("!%s || !%s", check, other))
		}
		checks = append(checks, check)
	}
	return append(list, "!scan_busy_q || "+strings.Join(checks, " || "))
}

// Mutation says in which configurations the bench of loss detection is graded.
var Mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{
		{Name: "default", Settings: "counter_bits=8", Mutants: 128, Steps: bench.Steps, Long: bench.LongWide, Invariants: invariants(8192, 4, 32, 108),
			Why: "the default with counters that wrap"},
		{Name: "small", Mutants: 640, Sample: 6, Steps: bench.Steps, Long: bench.LongWide, Invariants: invariants(3, 2, 2, 69),
			Settings: "counter_bits=8 paths=3 pid_bits=2 depth=4 lanes=2 time_bits=20 lat_bits=8 lost_queue=2 ack_queues=2 ack_queue=2 rto_min_ns=100000",
			Why:      "few paths, short rings and queues, in LUTRAM"},
		{Name: "medium", Mutants: 384, Steps: bench.Steps, Long: bench.LongWide, Invariants: invariants(11, 4, 32, 83),
			Settings: "counter_bits=8 paths=11 pid_bits=4 depth=16 lanes=4 ring_memory=bram time_bits=24 rto_min_ns=100000",
			Why:      "enough paths for a full barrel, rings in block memory"},
	},
}
