// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"fmt"
	"strings"
)

// Target is one configuration in which a unit is mutated.
type Target struct {
	Name     string // "small"
	Settings string // "key=value …" on top of the default; empty for the default itself
	Why      string // what the configuration is for
	Own      bool   // mutants of the top module only, of its logic and its connections to the modules in it
	Mutants  int    // drawn by a full run
	Steps    []Step // stimuli before a proof is tried
	Long     []Step // those after it
	// Invariants of the design after a reset, over its registers, by which it can be shown
	// that a mutant makes no difference where the design never is.
	Invariants []string
}

// steps are the stimuli of a unit that is at work after some hundred cycles.
var steps = []Step{{1, 4_000}, {2, 20_000}, {3, 100_000}, {4, 200_000}}

// long are those of a mutant without a proof: three million cycles.
var long = []Step{{5, 500_000}, {6, 500_000}, {7, 1_000_000}, {8, 1_000_000}}

// longWide are those of larger units, of which a cycle takes longer: a million and a half.
var longWide = []Step{{5, 500_000}, {6, 1_000_000}}

// ready are invariants of the sweep over the connections after a reset.
var ready = []string{"!ready_q || (again_q && clear_idx_q == 0)"}

// narrow are those of injected words of 2 bits: where the word counts, its upper bits are 0.
var narrow = []string{"p0_random_q < 4", "!p1_legal_q || p1_random_q < 4", "p2_no_inject_q || p2_random_q < 4", "!p3_valid_q || p3_inject_q < 4"}

// causes are those of the REPS detector's answer: two bits with three values.
var causes = []string{"m_timeout_cause != 3"}

// lossState are invariants of the LAPS loss detector: what mends the looks at timers and the
// count of lost segments after an upset does nothing without one. timer is the bit of a slot
// of the barrel that tells of a look.
func lossState(paths, queues, lostQueue, timer int) []string {
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
	var looks []string // by stage, that one is there
	for i := range 7 {
		at := fmt.Sprintf("b%d_q[%d]", i, timer)
		look := fmt.Sprintf("(busy_q[%d] && %s)", i, at)
		list = append(list, fmt.Sprintf("!ahead_q[%d] || !%s", i, at),
			fmt.Sprintf("!%s || scan_busy_q && (round_q < %d || scan_seen_q)", look, i))
		for _, other := range looks {
			list = append(list, fmt.Sprintf("!%s || !%s", look, other))
		}
		looks = append(looks, look)
	}
	return append(list, "!scan_busy_q || "+strings.Join(looks, " || "))
}

// outcomes are those of the LAPS rate control's answer: three bits with seven values.
var outcomes = []string{"m_rate_cause != 7"}

// targets says, for each unit, in which configurations it is mutated. One of them is
// the default, but for the width of its event counters: 32 bits do not wrap in a run
// that one can wait for, and each of their upper bits would be one more copy of the same
// survivor. The others have small memories, so that all of the state is soon in use, and
// the variants of the hardware that the default leaves out. LAPS as a whole and its path
// tables have only such: a design with mutants of their defaults takes minutes to compile, and
// seconds for what the others do in one of them.
var targets = map[string][]Target{
	"reps": {
		{Name: "default", Settings: "counter_bits=8", Mutants: 1000, Steps: steps, Long: long,
			Invariants: append(ready[:1:1], "sts_illegal_ev_cnt == 0"), // every EV of 16 bits is legal
			Why:        "the default with counters that wrap"},
		{Name: "small", Mutants: 400, Steps: steps, Long: long, Invariants: append(ready[:1:1], narrow...),
			Settings: "counter_bits=8 connections=6 conn_bits=4 buffer_depth=4 explore_stride=2 evs_bits=2 timer_bits=16 freezing_timeout_ns=1000 nic_ports=3 random_seed=0",
			Why:      "few connections, all in LUTRAM; three NIC ports"},
		{Name: "reuse", Mutants: 200, Steps: steps, Long: long, Invariants: ready,
			Settings: "counter_bits=8 connections=3 conn_bits=3 buffer_depth=4 explore_stride=4 timer_bits=16 freezing_timeout_ns=1000 ack_coalescing=reuse ack_coalescing_ratio=3",
			Why:      "an EV is used several times"},
		{Name: "carry", Mutants: 300, Steps: steps, Long: long, Invariants: ready,
			Settings: "counter_bits=8 connections=3 conn_bits=3 buffer_depth=4 explore_stride=4 timer_bits=16 freezing_timeout_ns=1000 ack_coalescing=carry ack_coalescing_ratio=3 carry_queue_depth=4",
			Why:      "an ACK carries several EVs"},
	},
	"reps_detector": {
		{Name: "default", Settings: "counter_bits=8", Mutants: 1000, Steps: steps, Long: long, Invariants: causes,
			Why: "the default with counters that wrap"},
		{Name: "small", Mutants: 300, Steps: steps, Long: long, Invariants: causes,
			Settings: "counter_bits=8 connections=3 conn_bits=3 rtt_bits=9 rtt_threshold_ns=100 timer_bits=16 window_ns=1000",
			Why:      "few connections, all in LUTRAM"},
	},
	"powertcp": {
		{Name: "default", Settings: "counter_bits=8", Mutants: 1000, Steps: steps, Long: longWide,
			Why: "the default, telemetry of a hop a cycle, with counters that wrap"},
		{Name: "theta", Mutants: 400, Steps: steps, Long: longWide,
			Settings: "counter_bits=8 variant=theta connections=3 conn_bits=3",
			Why:      "round-trip times in place of telemetry"},
		{Name: "both", Mutants: 400, Steps: steps, Long: longWide,
			Settings: "counter_bits=8 variant=both throughput=ack connections=3 conn_bits=3 hops=2",
			Why:      "either with each ACK, all hops in one cycle"},
	},
	"laps_pick": {
		{Name: "default", Settings: "counter_bits=8", Mutants: 1000, Steps: steps, Long: longWide,
			Why: "the default with counters that wrap"},
		{Name: "lut", Mutants: 300, Steps: steps, Long: longWide,
			Settings: "counter_bits=8 paths=3 noise_memory=lut inject=true tag_bits=4",
			Why:      "noise in LUTs, a number of paths that is no power of two, random bits of one's own"},
		{Name: "lookup", Mutants: 400, Steps: steps, Long: longWide,
			Settings: "counter_bits=8 paths=5 picker=lookup inject=true tag_bits=4",
			Why:      "the exact picker: weights by table"},
	},
	"laps_rate": {
		{Name: "default", Settings: "counter_bits=8", Mutants: 1000, Steps: steps, Long: longWide,
			Invariants: append(outcomes[:1:1], "!ready_q || clear_idx_q == 0"),
			Why:        "the default, trees over 32 paths, with counters that wrap"},
		{Name: "latencies", Mutants: 300, Steps: steps, Long: longWide, Invariants: outcomes,
			Settings: "counter_bits=8 flows=3 flow_bits=3 paths=3 operands=latencies decrease_interval=max increase_interval=base",
			Why:      "few flows, the largest base latency from outside, the intervals of the authors' simulator"},
		{Name: "extremes", Mutants: 300, Steps: steps, Long: longWide, Invariants: outcomes,
			Settings: "counter_bits=8 flows=5 flow_bits=3 operands=extremes lat_bits=9 time_bits=16 rate_bits=10 max_rate=1000 min_rate=10",
			Why:      "no trees, narrow numbers"},
	},
	"laps_paths": {
		{Name: "small", Mutants: 640, Steps: steps, Long: long,
			Settings: "counter_bits=8 destinations=3 dst_bits=3 banks=4 rows=4 pid_bits=5 anchors=1 lat_bits=8 time_bits=16 tag_bits=4",
			Why:      "few destinations and narrow numbers"},
		{Name: "own", Mutants: 384, Steps: steps, Long: long,
			Settings: "counter_bits=8 destinations=3 dst_bits=2 banks=2 rows=4 pid_bits=4 anchors=2 lat_bits=8 time_bits=16 tag_bits=4 ack_lookup=own baselines=paths path_latency=true",
			Why:      "ACKs look up in a memory of their own, a baseline a path"},
	},
	"laps_loss": {
		{Name: "default", Settings: "counter_bits=8", Mutants: 128, Steps: steps, Long: longWide, Invariants: lossState(8192, 4, 32, 108),
			Why: "the default with counters that wrap"},
		{Name: "small", Mutants: 640, Steps: steps, Long: longWide, Invariants: lossState(3, 2, 2, 69),
			Settings: "counter_bits=8 paths=3 pid_bits=2 depth=4 lanes=2 time_bits=20 lat_bits=8 lost_queue=2 ack_queues=2 ack_queue=2 rto_min_ns=100000",
			Why:      "few paths, short rings and queues, in LUTRAM"},
		{Name: "medium", Mutants: 384, Steps: steps, Long: longWide, Invariants: lossState(11, 4, 32, 83),
			Settings: "counter_bits=8 paths=11 pid_bits=4 depth=16 lanes=4 ring_memory=bram time_bits=24 rto_min_ns=100000",
			Why:      "enough paths for a full barrel, rings in block memory"},
	},
	"laps": {
		{Name: "small", Own: true, Mutants: 640, Steps: steps, Long: longWide,
			Settings: "counter_bits=8 destinations=3 dst_bits=3 banks=4 rows=4 pid_bits=5 anchors=1 lat_bits=8 time_bits=16 tag_bits=4 flows=3 flow_bits=3 " +
				"rate_bits=16 max_rate=25600 min_rate=256 seq_bits=8 depth=8 lanes=2 ack_queues=2 ack_queue=2 lost_queue=2 rto_min_ns=500",
			Why: "nic_laps itself and its connections to its parts, which have scores of their own; few of everything"},
		{Name: "own", Own: true, Mutants: 384, Steps: steps, Long: longWide,
			Settings: "counter_bits=8 loss=false destinations=3 dst_bits=3 banks=4 rows=4 pid_bits=5 anchors=1 flows=3 flow_bits=3 tag_bits=4 " +
				"ack_lookup=own baselines=paths picker=lookup",
			Why: "the same without the loss detector: packets and ACKs at once, the exact picker, a baseline a path"},
	},
}

// Targets lists the configurations in which a unit is mutated: those of the table, or
// the default for a unit that is not in it.
func Targets(unit string) []Target {
	if t, ok := targets[unit]; ok {
		return t
	}
	return []Target{{Name: "default", Why: "the default", Mutants: 1000, Steps: steps, Long: long}}
}

// modelTarget says how the golden model of a unit is mutated.
type modelTarget struct {
	Files []string // of the model that the bench compares with; empty: all
	Steps []ModelSteps
}

// modelFiles leaves out what the bench does not run: the papers' arithmetic in floating
// point, the exact distributions, and the composition of LAPS for users without ports, as
// the bench composes the models of the parts at their ports.
var modelFiles = map[string][]string{
	"laps":      {},
	"powertcp":  {"arith.go", "lanes.go", "powertcp.go"},
	"laps_pick": {"lookup.go", "noise.go", "pick.go", "random.go"},
}

// HasModel tells whether a unit's bench compares with a golden model of the unit's own.
func HasModel(unit string) bool {
	files, some := modelFiles[unit]
	return !some || len(files) > 0
}

// modelOf gives every configuration of a unit's targets to the mutants of its model, but
// with fewer stimuli.
func modelOf(unit string) modelTarget {
	t := modelTarget{Files: modelFiles[unit]}
	for _, x := range Targets(unit) {
		t.Steps = append(t.Steps, ModelSteps{Name: x.Name, Settings: x.Settings, Steps: x.Steps[:min(3, len(x.Steps))]})
	}
	return t
}
