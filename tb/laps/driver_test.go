// SPDX-License-Identifier: Apache-2.0

package laps

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	model "github.com/nicgen/nicgen/model/laps"
	"github.com/nicgen/nicgen/tb/bench"
)

// powered is a device whose outputs are all ones until it was reset.
type powered struct {
	tape
	cycles int
}

func (d *powered) Run(in, out []uint64) error {
	if err := d.tape.Run(in, out); err != nil {
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

// onePath is the golden models and the tables of one path.
func onePath(t *testing.T, depth int64) (*params.Params, *Tables, *tape) {
	t.Helper()
	p, l := tiny(t, depth)
	m, err := newPredictor(p, l, true)
	if err != nil {
		t.Fatal(err)
	}
	tables, err := NewTables(p, &Routes{Pairs: 1, Flows: 1, Paths: []Path{{Base: 1000, Anchors: []uint32{1}}}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return p, tables, &tape{l: l, predictor: m, care: make([]uint64, l.OutWords)}
}

// Outputs at power-up do not report a lost segment.
func TestPowerUp(t *testing.T) {
	p, tables, dev := onePath(t, 8)
	if d, err := NewDriver(p, tables, &powered{tape: *dev}, 1); err != nil || len(d.found) > 0 {
		t.Errorf("%v, lost %v, want nothing", err, d.found)
	}
}

// An ACK that skips most of a long ring is answered, however long that takes.
func TestLongSkip(t *testing.T) {
	p, tables, dev := onePath(t, 1024)
	d, err := NewDriver(p, tables, dev, 1)
	if err != nil {
		t.Fatal(err)
	}
	const n = 1000
	for seq := range uint64(n) {
		if x, err := d.Packet(&Packet{model.Segment{Seq: seq}, 0, true, 1000 + seq}); err != nil || x.Path != 0 {
			t.Fatalf("segment %d: %+v, %v", seq, x, err)
		}
	}
	r, err := d.Ack(&Feedback{model.Segment{Seq: n - 1}, 0, 1000, 5000})
	if err != nil || len(r.Lost) != n-1 || r.Lost[n-2].Seq != n-2 {
		t.Errorf("%d segments lost, %v, want %d", len(r.Lost), err, n-1)
	}
}
