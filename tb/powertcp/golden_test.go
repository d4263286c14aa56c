// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"testing"

	params "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/tb/bench"
)

// A beat with another header than the first of its ACK is none that the interface allows: from the next
// cycle on nothing is said of the unit, until a reset acts.
func TestContradictoryBeat(t *testing.T) {
	p := params.Default()
	p.Connections = 4
	l, err := bench.LayoutOf(p.Ports())
	if err != nil {
		t.Fatal(err)
	}
	var x wires
	if err := x.bind(p, l); err != nil {
		t.Fatal(err)
	}
	for _, second := range []params.ACK{{Conn: 1, HopCnt: 2, Seq: 7}, {Conn: 1, HopCnt: 2, Seq: 8}} {
		f, err := Unit.Bench(p).NewPredictor(l, false)
		if err != nil {
			t.Fatal(err)
		}
		want, care := make([]uint64, l.OutWords), make([]uint64, l.OutWords)
		step := func(drive func(in []uint64)) bool {
			in := make([]uint64, l.InWords)
			drive(in)
			f.Step(in, want, care)
			for _, w := range care {
				if w != 0 {
					return true
				}
			}
			return false
		}
		still := func([]uint64) {}
		step(x.rst.Raise)
		for range p.ReadyLatency() + 2 {
			step(still)
		}
		for _, e := range []params.ACK{{Conn: 1, HopCnt: 2, Seq: 7}, second} {
			if known := step(func(in []uint64) { x.acks.Drive(in, &e) }); !known || !x.ackReady.On(want) {
				t.Fatalf("%+v is not taken", e)
			}
		}
		same := second.Seq == 7
		if known := step(still); known != same || f.Events() != map[bool]uint64{true: 1}[same] {
			t.Errorf("second beat %+v: outputs compared %t, %d events", second, known, f.Events())
		}
		step(x.rst.Raise)
		if step(still); !step(still) {
			t.Errorf("second beat %+v: outputs are not compared after a reset", second)
		}
	}
}
