// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// The monitor of source ports detects, from the ports alone, that one is used twice: here the RTL has
// mistakes in SIMs' slots or ports and runs without a golden model. All SIMs are acknowledged and no DATA
// is taken, or SIMs time out.
func TestPortMonitor(t *testing.T) {
	for _, c := range []struct {
		name string
		bug  benchtest.Bug
		acks bool
		want bool
	}{
		{name: "no mistake", bug: benchtest.Bug{File: fileSIMs}, acks: true},
		{name: "no mistake, SIMs time out", bug: benchtest.Bug{File: fileSIMs}},
		{name: "slots are given out without end", acks: true, want: true, bug: benchtest.Bug{File: fileSIMs, Edits: []string{
			"slot_room_q <= slots < SLOT_W'((1 << SLOT_W) - 2);", "slot_room_q <= 1'b1;"}}},
		{name: "a slot is free before its DATA was sent", acks: true, want: true, bug: benchtest.Bug{File: fileDatas, Edits: []string{
			"end else if (coming_q == '0) begin", "end else begin"}}},
		{name: "the slot's bits are lost", acks: true, want: true, bug: benchtest.Bug{File: fileSIMs, Edits: []string{"next_slot_q ^ mix}", "mix}"}}},
		{name: "the slot's bits are lost, SIMs time out", want: true, bug: benchtest.Bug{File: fileSIMs, Edits: []string{"next_slot_q ^ mix}", "mix}"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := suite.Configure(t, tiny)
			b := suite.Bench(p)
			b.Edit = func(name, text string) string {
				if name == c.bug.File && len(c.bug.Edits) > 0 {
					return c.bug.Plant(t, text)
				}
				return text
			}
			if err := b.Prepare(); err != nil {
				t.Fatal(err)
			}
			sim, err := cosim.Open(t.Context(), b.Source())
			if err != nil {
				t.Fatal(err)
			}
			h := &host{Sim: sim, t: t, p: p}
			for port, v := range map[string]uint64{"cfg_token_gain": 1, "cfg_token_cost": 1, "cfg_sim_queue": 12, "cfg_rtt_max": 100, "cfg_data_timeout": 2000} {
				h.Set(port, v)
			}
			h.Set("rst", 1)
			h.Step(3)
			h.Set("rst", 0)
			for range p.ReadyDelay() + 3 {
				h.Step(1)
			}
			h.data(0, 255)
			h.data(0, 255)
			for h.now < 20_000 && sim.Err() == nil {
				if s, _ := h.cycle(true, false); s != nil && c.acks {
					h.simAck(s.port)
				}
				if h.now%500 == 0 {
					h.data(0, 100)
				}
			}
			err = sim.Err()
			sim.Close()
			if got := err != nil && strings.Contains(err.Error(), "a SIM has a port that is in use"); got != c.want || !c.want && err != nil {
				t.Errorf("after %d cycles: %v; want the monitor to stop it: %t", h.now, err, c.want)
			}
		})
	}
}
