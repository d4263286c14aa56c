// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"errors"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps"
	"github.com/nicgen/nicgen/sim/transport"
)

// RTL that is not what the golden models are ends a run with the difference.
func TestTransportNotices(t *testing.T) {
	p, golden := params.Default(), params.Default()
	const set = "banks=2 rows=16 destinations=16 anchors=1 flows=64 depth=32 lanes=2 ack_queues=2"
	if err := errors.Join(gen.SetAll(p, set), gen.SetAll(golden, set+" increase_interval=base")); err != nil {
		t.Fatal(err)
	}
	x := &host{link: 12.5, every: 1000}
	net := x.routes(&transport.Host{Connections: 1, Peers: []int{1}, Paths: func(int) []transport.Path {
		return []transport.Path{{Base: 5000, Anchors: []uint32{1}}, {Base: 9000, Anchors: []uint32{2}}}
	}})
	by, err := openRTL(t.Context(), p, golden, net, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	x.by = by
	defer x.Close()
	err = func() error {
		if _, err := x.Open(0, 100); err != nil {
			return err
		}
		// Increases 2t apart, t below T: with intervals of 2T the second one comes too early.
		for seq := range uint32(4) {
			now := uint64(1000 + 11_000*seq)
			c, err := x.Segment(0, seq, now)
			if err != nil {
				return err
			}
			if _, err := x.Ack(0, &transport.Ack{Now: now + 10_000, EV: c.EV, Seq: seq, Delay: 5000}); err != nil {
				return err
			}
		}
		return nil
	}()
	var d *transport.Difference
	if !errors.As(err, &d) || d.Conn != 0 || d.Events == 0 || d.Names[0] != "rtl" {
		t.Errorf("%v, want a difference in an acknowledgement", err)
	}
}
