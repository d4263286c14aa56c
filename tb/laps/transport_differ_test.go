// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"errors"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps"
	model "github.com/nicgen/nicgen/model/laps"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/tb/bench"
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
	c, err := openRTL(t.Context(), p, golden, net, 1, 1)
	if err != nil {
		t.Fatal(err)
	}
	x.by = c
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

// powered is a device whose outputs are all ones until it was reset.
type powered struct {
	tape
	cycles int
}

func (d *powered) run(in, out []uint64) error {
	if err := d.tape.run(in, out); err != nil {
		return err
	}
	for ; d.cycles < 1 && len(out) > 0; d.cycles++ {
		for i := range d.l.OutWords {
			out[i] = ^uint64(0)
		}
		out = out[d.l.OutWords:]
	}
	return nil
}

// tiny is a configuration that golden models run quickly, with rings of a depth, and the layout of its ports.
func tiny(t *testing.T, depth int64) (*params.Params, *cosim.Layout) {
	t.Helper()
	p := params.Default()
	p.Tables.Destinations, p.Tables.Banks, p.Tables.Rows, p.Rate.Flows, p.Detector.Depth = 4, 4, 4, 4, depth
	l, err := bench.LayoutOf(p.Ports())
	if err != nil {
		t.Fatal(err)
	}
	return p, l
}

// recording is a controller of one path, by golden models.
func recording(t *testing.T, depth int64) *controller {
	t.Helper()
	p, l := tiny(t, depth)
	m, err := newPredictor(p, l, true)
	if err != nil {
		t.Fatal(err)
	}
	c := &controller{p: p, net: &routes{pairs: 1, flows: 1, paths: []path{{base: 1000, anchors: []uint32{1}}}},
		dev: &tape{l: l, predictor: m, care: make([]uint64, l.OutWords)}}
	if err := c.place(1); err != nil {
		t.Fatal(err)
	}
	return c
}

// Outputs at power-up do not report a lost segment.
func TestPowerUp(t *testing.T) {
	c := recording(t, 8)
	c.dev = &powered{tape: *c.dev.(*tape)}
	if err := c.start(1); err != nil || len(c.found) > 0 {
		t.Errorf("%v, lost %v, want nothing", err, c.found)
	}
}

// An ACK that skips most of a long ring is answered, however long that takes.
func TestLongSkip(t *testing.T) {
	c := recording(t, 1024)
	if err := c.start(1); err != nil {
		t.Fatal(err)
	}
	const n = 1000
	for seq := range uint64(n) {
		if x, err := c.packet(&packet{model.Segment{Seq: seq}, 0, true, 1000 + seq}); err != nil || x.path != 0 {
			t.Fatalf("segment %d: %+v, %v", seq, x, err)
		}
	}
	r, err := c.ack(&feedback{model.Segment{Seq: n - 1}, 0, 1000, 5000})
	if err != nil || len(r.lost) != n-1 || r.lost[n-2].Seq != n-2 {
		t.Errorf("%d segments lost, %v, want %d", len(r.lost), err, n-1)
	}
}
