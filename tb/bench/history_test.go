// SPDX-License-Identifier: Apache-2.0

package bench_test

import (
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/event"
	"github.com/nicgen/nicgen/tb/bench"
)

// knobs are settings of which the second is no port of this configuration.
type knobs struct {
	Small  uint8
	Absent uint32 `port:",optional"`
	Large  uint64
	On     bool
}

// A history gives each field its value in another cycle, as a list of all cycles does, whether the ports
// change in every cycle or hardly ever.
func TestHistory(t *testing.T) {
	l, err := cosim.NewLayout([]cosim.Slot{{Name: "cfg_small", Width: 5}, {Name: "cfg_large", Width: 40}, {Name: "cfg_on", Width: 1}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const reach = 20
	after := []uint64{3, 0, 17, 0}
	group := event.Ports[knobs]("cfg_")
	for _, rare := range []int{1, 3, 40} {
		var h bench.History[knobs]
		var w bench.Wires[knobs]
		if err := bench.Wire("toy", l, &event.Contract{}, bench.Keeps(group, &h, reach), bench.WireGroup(group, &w)); err != nil {
			t.Fatal(err)
		}
		r := rand.New(rand.NewPCG(1, uint64(rare)))
		all := make([]knobs, reach, 2000)
		var now, got knobs
		steady := 0
		for cycle := uint64(reach); cycle < 2000; cycle++ {
			was := now
			if r.IntN(rare) == 0 {
				now = knobs{Small: uint8(r.IntN(4)), Large: r.Uint64N(1 << 40), On: r.IntN(2) == 0}
			}
			all = append(all, now)
			in := make([]uint64, l.InWords)
			w.Drive(in, &now)
			h.Note(in, cycle)
			var moved uint64
			for i, is := range []bool{now.Small != was.Small, false, now.Large != was.Large, now.On != was.On} {
				if is {
					moved |= 1 << i
				}
			}
			if m := h.Moved(); m != moved {
				t.Fatalf("cycle %d: fields %b moved, want %b", cycle, m, moved)
			}
			start := cycle - reach
			if at := *h.At(start); at != all[start] {
				t.Fatalf("cycle %d: %+v %d cycles ago, want %+v", cycle, at, reach, all[start])
			}
			if r.IntN(3) > 0 {
				continue
			}
			if !h.Settle(&got, start, after) {
				steady++
			}
			if want := (knobs{Small: all[start+3].Small, Large: all[start+17].Large, On: all[start].On}); got != want {
				t.Fatalf("cycle %d, changes in one of %d cycles: %+v, want %+v", cycle, rare, got, want)
			}
		}
		if (steady > 0) != (rare == 40) {
			t.Errorf("changes in one of %d cycles: %d times nothing had changed", rare, steady)
		}
	}
}

// Arrays on one port: each element of the port has one of each array, wherever words end.
func TestPacked(t *testing.T) {
	type hop struct {
		Code [5]uint8  `port:"hop_code"`
		Time [5]uint32 `port:"hop_time"`
	}
	s := event.Input[hop]("x").Packed("hop", 3, 30)
	const step, elements = 33, 4 // the port does not reach the fifth
	l, err := cosim.NewLayout([]cosim.Slot{{Name: "other", Width: 7}, {Name: "s_x_valid", Width: 1}, {Name: "s_x_hop", Width: step * elements}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	var w bench.Wires[hop]
	var port bench.Pin
	if err := bench.Wire("toy", l, &event.Contract{}, bench.WireIn(s, &w), bench.WirePin("s_x_hop", &port)); err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		var e, got hop
		for i := range e.Code {
			e.Code[i], e.Time[i] = uint8(r.IntN(8)), uint32(r.IntN(1<<30))
		}
		in := make([]uint64, l.InWords)
		w.Drive(in, &e)
		for i := range elements {
			if x, want := port.Bits(in, step*i, step), uint64(e.Code[i])|uint64(e.Time[i])<<3; x != want {
				t.Fatalf("element %d is %#x, want %#x", i, x, want)
			}
		}
		e.Code[4], e.Time[4] = 0, 0
		if !w.Read(in, &got) || got != e {
			t.Fatalf("read %+v, want %+v", got, e)
		}
	}
}
