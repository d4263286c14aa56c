// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/reps"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/lib"
)

// Entry is the unit for the registry.
var Entry = bench.Entry{
	New:         params.New,
	Bench:       New,
	Trace:       NewTrace,
	Measure:     Measure,
	Published:   Published,
	Mutation:    Mutation,
	Proofs:      Proofs,
	Upset:       Upset,
	Transport:   Transport,
	Unreachable: []bench.Unreachable{lib.SecondStep},
	Evidence:    bench.Evidence{Tour: tour, NetlistSample: true},
}

// tour plays what the authors' simulator recorded, each recording with its settings.
var tour = []bench.TourStep{
	recorded("symmetric", "freezing_timeout_ns=10000000 --set explore_stride=8"),
	recorded("asymmetric", "freezing_timeout_ns=10000000 --set explore_stride=8"),
	recorded("failures", "freezing_timeout_ns=100000 --set explore_stride=8"),
	recorded("failures-stride1", "freezing_timeout_ns=100000 --set explore_stride=1"),
}

// recorded plays one of the recordings.
func recorded(name, set string) bench.TourStep {
	return bench.TourStep{
		Title: "REPS: recorded traffic, " + name,
		Run: "cosim --unit reps --trace tb/reps/testdata/" + name + ".csv.gz --evs-bits 16 --set num_pkts_cwnd=150 " +
			"--json REPORT/reps-" + name + ".json --set " + set,
	}
}

// Measure is line rate: an ACK, a failure and a SEND in every cycle, over all
// connections, while the settings stand still.
func Measure(cfg gen.Config) cosim.MeasureOptions {
	p := cfg.(*params.Params)
	conn := uint64(1)<<(p.ConnIdxBits()-1) - 1 // below connections whatever that is
	if p.Connections == 1<<p.ConnIdxBits() {
		conn = uint64(p.Connections - 1)
	}
	o := cosim.MeasureOptions{
		Idle: uint64(2*p.Rows()) + 3,
		Fixed: map[string]uint64{
			"cfg_mode": 0, "cfg_freezing": 1, "cfg_freezing_timeout_ns": 1000 & (1<<(p.TimerBits-1) - 1),
			"cfg_num_pkts_cwnd": 16, "cfg_ev_base": 0, "s_seed_valid": 0, "s_send_port": 0, "s_ack_port": 0, "s_fail_port": 0, "s_flush_port": 0, "rst": 0,
			"s_ack_valid": 1, "s_fail_valid": 0, "s_send_valid": 1, "s_flush_valid": 0, "s_send_inject": 0,
		},
		Mask: map[string]uint64{
			"s_ack_conn": conn, "s_fail_conn": conn, "s_send_conn": conn, "s_flush_conn": conn,
			"s_ack_ev": 1<<p.EVSBits - 1,
		},
	}
	if p.Coalescing == params.Carry {
		delete(o.Mask, "s_ack_ev")
	}
	return o
}
