// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"encoding/binary"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/sample"
)

// A window of PowerTCP and the reciprocal of its rate are, a cycle later, bit by bit those that the gate and the pacer take.
func TestWindows(t *testing.T) {
	t.Parallel()
	for _, set := range []string{small, telling} {
		if !sample.LeftOut(Unit.Name + "/" + set) {
			t.Run(set, func(t *testing.T) { windows(t, set) })
		}
	}
}

func windows(t *testing.T, set string) {
	const cycles, least = 1_000_000, 30 // at most, and windows
	b := benchOf(t, set)
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{State: true})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	elements := lib.Elements()
	read := func(state []byte, name string) uint64 {
		i := slices.IndexFunc(elements, func(e cosim.Element) bool { return e.Name == name })
		if i < 0 {
			t.Fatalf("no register %s", name)
		}
		e, word := elements[i], [8]byte{}
		copy(word[:], state[e.Offset:e.Offset+e.Bytes])
		return binary.LittleEndian.Uint64(word[:])
	}
	next, err := newStimulus(b.P, l, 1)
	if err != nil {
		t.Fatal(err)
	}
	s := next.(*stimulus)
	x, err := lib.New(cosim.InstanceOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	pins, err := newPins(b.P, l)
	if err != nil {
		t.Fatal(err)
	}
	win := pins.trace["win"]
	in, got := make([]uint64, l.InWords), make([]uint64, l.OutWords)
	var state []byte
	var bytes, inv uint64 // bits that were 1 in some window, and in some reciprocal
	found := 0
	for i := 0; i < cycles && found < least; i++ {
		clear(in)
		s.Next(in)
		if _, err := x.Run(in, got); err != nil {
			t.Fatal(err)
		}
		s.react(got)
		if s.phase == resetting || pins.rst.On(in) || !win.valid.On(got) {
			continue
		}
		if state, err = x.State(state[:0]); err != nil {
			t.Fatal(err)
		}
		found++
		bytes |= win.field["bytes"].Get(got)
		inv |= win.field["inv"].Get(got)
		for _, c := range []struct {
			register string
			want     uint64
		}{
			{"core.tx.queues.schedule.gate.p0_window_q", 1},
			{"core.tx.queues.schedule.gate.p0_window_conn_q", win.field["conn"].Get(got)},
			{"core.tx.queues.schedule.gate.p0_bytes_q", win.field["bytes"].Get(got)},
			{"core.tx.queues.schedule.pace.r0_rate_q", 1},
			{"core.tx.queues.schedule.pace.r0_conn_q", win.field["conn"].Get(got)},
			{"core.tx.queues.schedule.pace.r0_rate_inv_q", win.field["inv"].Get(got)},
		} {
			if v := read(state, c.register); v != c.want {
				t.Fatalf("cycle %d: %s is %#x, want %#x", i, c.register, v, c.want)
			}
		}
	}
	t.Logf("%d windows, bits %#x of them, %#x of reciprocals", found, bytes, inv)
	if found < least {
		t.Errorf("%d windows in %d cycles, want %d", found, cycles, least)
	}
}
