// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"errors"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_loss"
	"github.com/nicgen/nicgen/tb/bench"
)

// upsetWait is the most cycles that an ACK may wait for its answer during upsets: every
// place of its queue before it, each with all passes through a ring.
const upsetWait = 1024

// Upset defines the legal behaviour of loss detection after a bit of its state changed: it
// may miss losses and report segments that were not lost. The sender takes every report at
// once.
var Upset = &bench.Upset{
	Settings: []string{
		"paths=8 pid_bits=3 depth=8 lanes=4 ack_queues=2 ack_queue=4 lost_queue=16 flow_bits=4 seq_bits=8",
		"paths=5 pid_bits=3 depth=8 lanes=4 ack_queues=2 ack_queue=4 lost_queue=16 flow_bits=4 seq_bits=8 ring_memory=bram",
	},
	Hold: map[string]uint64{"m_lost_ready": 1},
	Lifetime: `**The bound.** Every send is answered after its 5 cycles, and no bit stops ACKs, timers or sends for good. A wrong
bit in a ring or in its pointers makes the unit report segments that were not lost or miss some that were, until the ring has
turned once: depth sends, or an ACK, or a timer. A path whose ring looks full without being so is tracked again after two
sends and a round of the timers. A queue of ACKs whose pointers do not belong together, or that waits for nothing, goes on
after 32 cycles in which none of its ACKs is in the barrel; those that such pointers skipped or doubled are answered never or
twice, no more than ack_queue of them. A look at a timer that vanished is made up for within 32 cycles. The count of the lost
segments' queue is right when the queue has been empty once.`,
	Law:    newLaw,
	Sample: 4096,
}

// upsetMissed is the number of segments that the undisturbed unit may lose by timers after
// the disturbed unit's last one.
const upsetMissed = 128

// newLaw demands that every send is answered in its cycle, that ACKs are taken and answered
// in time and that timers go on. A separate test shows that every path continues to be
// tracked: its time depends on timers that may take longer than an upset is watched.
func newLaw(cfg gen.Config, l *cosim.Layout) (bench.Law, error) {
	p, err := Unit.Params(cfg)
	if err != nil {
		return nil, err
	}
	var x wires
	err = x.bind(p, l)
	ports := bench.NewPorts(unitName, l)
	pair := func(field string) [2]bench.Pin {
		return [2]bench.Pin{ports.Pin("s_ack_" + field), ports.Pin("m_ack_" + field)}
	}
	ready := ports.Pin("s_ack_ready")
	return bench.Laws{
		bench.NewSame(l, "m_send_valid"),
		&bench.Ready{Pin: x.ready, Max: uint64(p.Paths+p.ReadyDelay()) + 8},
		&bench.Ready{Pin: ready, Max: upsetWait},
		&bench.Answered{Valid: ports.Pin("s_ack_valid"), Ready: ready, Answer: ports.Pin("m_ack_valid"),
			Min: uint64(params.EntryDelay + p.Slots()), Max: upsetWait, Tags: [][2]bench.Pin{pair("pid"), pair("flow"), pair("seq")}},
		&timed{x: &x},
		bench.Check(func(_, _, _, got []uint64) bool {
			var a params.Lost
			return !x.losses.Read(got, &a) || int64(a.PID) < p.Paths
		}),
	}, errors.Join(err, ports.Err())
}

// timed demands that timers go on: that the unit loses a segment with a timer before the
// undisturbed one has lost many so.
type timed struct {
	x      *wires
	missed int
}

// Clone implements bench.Law.
func (t *timed) Clone() bench.Law {
	c := *t
	return &c
}

// Lawful implements bench.Law.
func (t *timed) Lawful(_, want, _, got []uint64) bool {
	var is, should params.Lost
	switch {
	case t.x.losses.Read(got, &is) && is.Timeout:
		t.missed = 0
	case t.x.losses.Read(want, &should) && should.Timeout:
		t.missed++
		return t.missed < upsetMissed
	}
	return true
}
