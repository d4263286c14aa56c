// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
)

// upsetWait is the most cycles that an ACK may wait for its answer during upsets: every
// place of its queue before it, each with all passes through a ring.
const upsetWait = 1024

// Upset is what loss detection may do after a bit of its state changed: miss losses and
// report segments that were not lost. The sender takes every report at once.
var Upset = &bench.Upset{
	Settings: []string{
		"paths=8 pid_bits=3 depth=8 lanes=4 ack_queues=2 ack_queue=4 lost_queue=16 flow_bits=4 seq_bits=8",
		"paths=5 pid_bits=3 depth=8 lanes=4 ack_queues=2 ack_queue=4 lost_queue=16 flow_bits=4 seq_bits=8 ring_memory=bram",
	},
	Hold: map[string]uint64{"m_lost_ready": 1},
	Lifetime: `**The bound.** Every send is answered after its 4 cycles. A wrong bit in a ring or in its pointers makes the unit report
segments that were not lost or miss some that were, until the ring has turned once: depth sends. The scan of the timers
goes through all numbers that pid_bits can hold before it is within the paths again. **Upsets can stop the side of the
ACKs for good**: the queues' pointers (wr_q, rd_q, keep_q), the bit that a queue waits (blocked_q) and the count of the
lost segments' queue (lost_used_q) may end in a state in which an ACK waits for room or for another that never comes.
Only the reset ends that; s_ack_ready low for more than 1,024 cycles while lost segments are taken tells it.`,
	Law: newLaw,
}

// newLaw demands that every send is answered in its cycle, and that ACKs are taken and
// answered in time.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	x, err := newPins(l)
	if err != nil {
		return nil, err
	}
	return bench.Laws{
		bench.NewSame(l, "m_send_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(p.Paths) + params.ReadyDelay + 8},
		&bench.Ready{Pin: x.ackReady, Max: upsetWait},
		&bench.Answered{Valid: x.ackValid, Ready: x.ackReady, Answer: x.doneValid, Min: 4 + params.Slots, Max: upsetWait,
			Tags: [][2]bench.Pin{{x.ackPath, x.donePath}, {x.ackFlow, x.doneFlow}, {x.ackSeq, x.doneSeq}}},
		bench.Check(func(_, _, _, got []uint64) bool { return !x.lostValid.On(got) || x.lostPath.Get(got) < uint64(p.Paths) }),
	}, nil
}
