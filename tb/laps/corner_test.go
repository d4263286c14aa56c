// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/laps"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/laps"
)

// suite are the tests that every unit has.
var suite = benchtest.Suite[*params.Params]{Unit: laps.Unit}

// small is a configuration that empties its tables in few cycles.
const small = "destinations=3 dst_bits=3 banks=4 rows=4 pid_bits=5 anchors=1 lat_bits=8 time_bits=16 tag_bits=4 counter_bits=16 " +
	"flows=3 flow_bits=3 rate_bits=16 max_rate=25600 min_rate=256 seq_bits=8 depth=8 lanes=2 ack_queues=2 ack_queue=2 lost_queue=2 rto_min_ns=500"

// corners covers both ends of every parameter and each choice.
var corners = []benchtest.Corner{
	{Name: "small", Set: small, Cycles: 130_000},
}

// Every corner is clean in nicgen's own parser, Verilator and Yosys, and equals the
// golden model over 100,000 events that reach every coverage point.
func TestCorners(t *testing.T) { suite.Corners(t, corners) }
