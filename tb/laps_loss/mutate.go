// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	_ "embed"
	"fmt"

	"github.com/nicgen/nicgen/tb/bench"
)

//go:embed survivors.yaml
var survivors string

// invariants returns the invariants of the state, from the first cycle of a reset on: the
// logic that repairs timer checks and the count of lost segments after an upset does
// nothing without one.
func invariants(paths, queues, lostQueue int) []string {
	const (
		ramLatency  = 2
		ringLatency = 3
		slots       = ramLatency + ringLatency + 4
		scanLast    = ramLatency + 4
		checks      = "(barrel.busy_q & barrel.timer_q)" // by stage
	)
	list := []string{
		fmt.Sprintf("scan.path_q < %d", paths),
		"lost_used_q == lost.wr_q - lost.rd_q",
		fmt.Sprintf("lost_used_q <= %d", lostQueue),
		fmt.Sprintf("!lost_room_q || lost_used_q < %d", lostQueue),
		"!send.ready_q || (!send.clearing_q && send.clear_q == 0)",
		"send.ready_q || (!queues.e0_valid_q && !queues.e1_valid_q && queues.ack_some_q == 0)",
		"send.ready_q || (barrel.ahead_q == 0 && barrel.busy_q == 0)",
		"send.ready_q || (!scan.want_q && !scan.busy_q)",
		fmt.Sprintf("!scan.want_q || (scan.step_q == %d && !scan.busy_q)", scanLast),
		fmt.Sprintf("scan.step_q <= %d", scanLast),
		"(barrel.ahead_q & barrel.timer_q) == 0",
		"(barrel.ahead_q & barrel.busy_q) == 0",
		"(barrel.ahead_q & barrel.report_q) == 0",
		"(" + checks + " & (" + checks + " - 1)) == 0",
		"scan.busy_q == (" + checks + " != 0)",
	}
	for i := range queues {
		list = append(list, fmt.Sprintf("send.ready_q || queues.g_queue[%d].wr_q == queues.g_queue[%[1]d].rd_q", i))
	}
	for i := range slots {
		list = append(list, fmt.Sprintf("!(barrel.busy_q[%d] && barrel.timer_q[%[1]d]) || queues.round_q < %[1]d || scan.seen_q", i))
	}
	for i, x := range list {
		list[i] = "rst_q || " + x
	}
	return list
}

// Mutation says in which configurations the bench of loss detection is graded.
var Mutation = &bench.Mutation{
	Survivors: survivors,
	Targets: []bench.Target{
		{Name: "default", Settings: "counter_bits=8", Mutants: 128, Steps: bench.Steps, Long: bench.LongWide, Invariants: invariants(8192, 4, 32),
			Why: "the default with counters that wrap"},
		{Name: "small", Mutants: 640, Sample: 6, Steps: bench.Steps, Long: bench.LongWide, Invariants: invariants(3, 2, 2),
			Settings: "counter_bits=8 paths=3 pid_bits=2 depth=4 lanes=2 time_bits=20 lat_bits=8 lost_queue=2 ack_queues=2 ack_queue=2 rto_min_ns=100000",
			Why:      "few paths, short rings and queues, in LUTRAM"},
		{Name: "medium", Mutants: 384, Steps: bench.Steps, Long: bench.LongWide, Invariants: invariants(11, 4, 32),
			Settings: "counter_bits=8 paths=11 pid_bits=4 depth=16 lanes=4 ring_memory=bram time_bits=24 rto_min_ns=100000",
			Why:      "enough paths for a full barrel, rings in block memory"},
	},
}
