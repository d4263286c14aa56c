// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	lapsrate "github.com/nicgen/nicgen/gen/laps_rate"
	rate "github.com/nicgen/nicgen/model/laps_rate"
	"github.com/nicgen/nicgen/tb/bench"
)

// The limits of the rates during upsets, and the most cycles in which an ACK is not
// taken.
const (
	upsetMinRate = 256
	upsetMaxRate = 25_600
	upsetWait    = 1024
)

// Upset defines the pipeline's legal behaviour after a bit of its state changed: whatever
// its parts may do. There are no repairs by the control plane, seeds or openings; the
// sender takes every lost segment at once.
var Upset = &bench.Upset{
	Settings: []string{"destinations=4 dst_bits=3 banks=4 rows=4 pid_bits=5 anchors=1 lat_bits=8 time_bits=16 tag_bits=4 counter_bits=16 " +
		"flows=4 flow_bits=3 rate_bits=16 max_rate=25600 min_rate=256 seq_bits=8 depth=8 lanes=2 ack_queues=2 ack_queue=2 lost_queue=4 rto_min_ns=500"},
	Hold:  map[string]uint64{"m_lost_ready": 1, "cfg_min_rate": upsetMinRate, "cfg_max_rate": upsetMaxRate},
	Quiet: []string{"s_cfg_valid", "s_seed_valid", "s_open_valid"},
	Law:   newLaw,
	Lifetime: `
**The bound.** That of the part whose register or memory it is: [laps_paths](laps_paths_evidence.md#single-event-upsets),
[laps_pick](laps_pick_evidence.md#single-event-upsets), [laps_rate](laps_rate_evidence.md#single-event-upsets) and [laps_loss](laps_loss_evidence.md#single-event-upsets). Every packet has its
answer in its cycle whatever happened; the ACKs wait at most for the mends of the loss detection.
`,
}

// newLaw demands that every packet has its path in its cycle, one that exists, that
// ACKs are taken in time, that rates are at most the largest and that no decrease leads
// below the least. A rate that an upset made less stays so until a decrease: rates of 0
// are increased to 0.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	err = x.bind(p, l)
	const illegal = uint8(rate.None) // the cause of a flow that does not exist
	laws := bench.Laws{
		bench.NewSame(l, "m_path_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(p.ReadyDelay()) + 8},
		bench.Check(func(_, _, _, got []uint64) bool {
			var a lapspaths.Path
			return !x.paths.Read(got, &a) || a.None || int64(a.PID) < p.Tables.Paths()
		}),
		bench.Check(func(_, _, _, got []uint64) bool {
			var a lapsrate.Rate
			if !x.rates.Read(got, &a) || a.Cause == illegal {
				return true
			}
			low := a.Cause == uint8(rate.Decrease) && a.Current < upsetMinRate
			return a.Cause < illegal && !low && a.Current <= upsetMaxRate && a.Expected <= upsetMaxRate
		}),
	}
	if p.Loss {
		ports := bench.NewPorts(unitName, l)
		laws = append(laws, &bench.Ready{Pin: x.ackReady, Max: upsetWait, Unless: []bench.Pin{ports.Pin("s_packet_valid"), ports.Pin("s_answer_valid")}})
	}
	return laws, err
}
