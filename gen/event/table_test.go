// SPDX-License-Identifier: Apache-2.0

package event_test

import (
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/event"
	"github.com/nicgen/nicgen/gen/powertcp"
)

// The table's description of an event in beats follows from the stream and from the ports that a
// configuration has.
func TestTableBeats(t *testing.T) {
	for set, want := range map[string]string{
		"":                                   "beats hop_cnt one  each hop flags ",
		"variant=both":                       "beats hop_cnt one theta each hop flags rtt_valid",
		"hop_format=fields":                  "beats hop_cnt one  each hop_rate hop_time hop_bytes hop_qlen flags ",
		"throughput=ack":                     "beats  one  each  flags ",
		"variant=theta":                      "beats  one  each  flags rtt_valid",
		"base_rtt=observed":                  "beats hop_cnt one  each hop flags rtt_valid",
		"variant=both throughput=ack hops=2": "beats  one  each  flags rtt_valid",
	} {
		p := powertcp.Default()
		if err := gen.SetAll(p, set); err != nil {
			t.Fatal(err)
		}
		e := event.Table(p)[0]
		got := fmt.Sprintf("beats %s one %s each %s flags %s", e.Beats, e.One, strings.Join(e.Each, " "), strings.Join(e.Flags, " "))
		if e.Name != "ack" || e.Answer != "win" || got != want {
			t.Errorf("%q: %+v, want %s", set, e, want)
		}
	}
}

// Check measures a port that fields share.
func TestCheckPacked(t *testing.T) {
	for bits, want := range map[[2]int64][]string{
		{3, 24}: {}, {4, 24}: {"s_ack_hop: 64 bits, but its elements have 65"},
		{9, 18}: {"s_ack_hop: 9 bits of an element, but field Rate holds 8"},
	} {
		p := powertcp.Default() // 3, 24, 20 and 17 bits
		c := p.Contract()
		c.Events[0] = event.Input[powertcp.ACK]("ack").Handshake().Packed("hop", bits[0], bits[1], 20, 17).Stream
		if got := c.Check(p); !reflect.DeepEqual(append([]string{}, got...), want) {
			t.Errorf("%v: %q, want %q", bits, got, want)
		}
	}
}
