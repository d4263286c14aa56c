// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	Group:    bench.Windows,
	New:      params.New,
	Bench:    New,
	Trace:    NewTrace,
	Measure:  Measure,
	Mutation: Mutation,
	Proofs:   Proofs,
	Upset:    Upset,
	Evidence: bench.Evidence{
		Tour:           tour,
		Configurations: []string{"variant=theta", "variant=both"},
		NetlistCycles:  1_000_000, CoverageCycles: 3_200_000, // an ACK takes several cycles
	},
}

// tour puts the RTL into simulated networks; each window is checked against the golden
// model. The summary has the table of the burst, not the long one of the fairness run.
var tour = []bench.TourStep{closedLoop("incast", " algorithm .* peak queue, KB |PowerTCP "), closedLoop("fairness", "")}

// closedLoop is one of the networks.
func closedLoop(name, show string) bench.TourStep {
	file := "REPORT/powertcp-" + name
	return bench.TourStep{Title: "PowerTCP: closed loop, " + name, Show: show,
		Run: "sim " + name + " --svg " + file + ".svg --csv " + file + ".csv --json " + file + ".json"}
}

// Measure runs at line rate: an ACK in every cycle that takes one, over all connections, on
// one path, with constant settings and link-rate table. With one hop per cycle, ACKs have
// at most one hop.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	o := bench.MeasureEvents(p, p.Contract())
	o.Idle = uint64(p.ReadyLatency()) + 1
	o.Fixed["s_ack_valid"], o.Fixed["s_flush_valid"], o.Fixed["s_ack_path"] = 1, 0, 0
	switch {
	case !p.HasINT():
	case p.Throughput == params.PerHop:
		o.Mask["s_ack_hop_cnt"] = 1
	default:
		o.Fixed["s_ack_hop_cnt"] = uint64(p.Hops)
	}
	if p.HasRTT() {
		o.Fixed["s_ack_rtt_valid"] = 1
	}
	return o
}
