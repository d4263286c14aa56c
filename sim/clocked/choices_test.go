// SPDX-License-Identifier: Apache-2.0

package clocked

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/sim/transport"
)

// A choice is read in the cycle in which it is due, of the first packet that has none; Run returns each once, in the order of packets.
func TestChoices(t *testing.T) {
	const delay = 3
	c := Choices{Name: "toy", Delay: delay, Read: func(conn int, out []uint64) (transport.Choice, bool) {
		return transport.Choice{EV: uint32(out[conn])}, out[conn] > 0
	}}
	for _, a := range []ask{{2, 10}, {0, 11}, {2, 14}} {
		c.Asked(a.conn, a.cycle)
	}
	var got []transport.Answer
	for cycle := uint64(10); cycle < 20; cycle++ {
		before := len(c.answers)
		if err := c.See(cycle, []uint64{cycle, 100 + cycle, 200 + cycle}); err != nil {
			t.Fatal(err)
		}
		got = append(got, c.answers[before:]...)
	}
	want := []transport.Answer{{Conn: 2, Choice: transport.Choice{EV: 213}}, {Conn: 0, Choice: transport.Choice{EV: 14}}, {Conn: 2, Choice: transport.Choice{EV: 217}}}
	if d := cmp.Diff(want, c.answers); d != "" {
		t.Errorf("all answers: %s", d)
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("answers of each cycle: %s", d)
	}
	for _, want := range [][]transport.Answer{want, nil} {
		if list, err := c.Run(0); err != nil || !slices.Equal(list, want) {
			t.Errorf("Run returns %v, %v: want what came since it was called before, %v", list, err, want)
		}
	}
	if got, want := c.Latency(), At(delay+1); got != want {
		t.Errorf("a packet leaves after %d ps, want %d", got, want)
	}

	c.Asked(1, 20)
	if err := c.See(20+delay, []uint64{1, 0, 1}); err == nil || err.Error() != "module toy: no choice 3 cycles after a packet" {
		t.Errorf("without a choice: error %v", err)
	}
	if _, err := c.Send(1, 0); err == nil {
		t.Error("a choice at once, and no error")
	}
}
