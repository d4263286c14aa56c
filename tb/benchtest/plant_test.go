// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
)

// Only cycles with a valid are events, each of a repetition for itself.
func TestEventful(t *testing.T) {
	s := &cosim.Shrunk{Inputs: []cosim.CycleInput{
		{Cycle: 0, Last: 2, Ports: map[string]string{"rst": "0x1"}},
		{Cycle: 3, Last: 3, Ports: map[string]string{"s_ack_valid": "0x1", "s_send_valid": "0x1"}},
		{Cycle: 4, Last: 8, Ports: map[string]string{"s_ack_valid": "0x1", "now_ns": "0x7"}},
		{Cycle: 9, Last: 9, Ports: map[string]string{"s_ack_conn": "0x1"}},
	}}
	if n := eventful(s); n != 6 {
		t.Errorf("%d cycles with events, want 6", n)
	}
}

// A failure is named by its port, or by the sentence of the assertion.
func TestWhere(t *testing.T) {
	for _, c := range []struct {
		f    cosim.Failure
		want string
	}{
		{cosim.Failure{Kind: cosim.Mismatch, Port: "m_ev"}, "`m_ev`"},
		{cosim.Failure{Kind: cosim.Fault, Message: "%Error: x.sv:3: one write a cycle\nmore: of it"}, "assertion: one write a cycle"},
		{cosim.Failure{Kind: cosim.Fault, Message: "gone"}, "assertion: gone"},
	} {
		if got := where(&c.f); got != c.want {
			t.Errorf("%+v is noticed by %q, want %q", c.f, got, c.want)
		}
	}
}
