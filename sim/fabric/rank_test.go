// SPDX-License-Identifier: Apache-2.0

package fabric_test

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
)

// Packets of 1000 bytes come 1 ns after each other, and each takes 100 to leave: the first one leaves at once, and the others wait.
func TestRanked(t *testing.T) {
	type packet struct {
		flow int32
		rank uint32
	}
	const bulk, control = fabric.Bulk, fabric.Control
	for _, c := range []struct {
		name  string
		queue fabric.Queueing
		class uint8
		come  []packet
		leave []uint32 // numbers of them
	}{
		{"the lowest rank first", fabric.Queueing{Ranked: true}, bulk, []packet{{1, 9}, {2, 5}, {3, 3}, {4, 4}}, []uint32{0, 2, 3, 1}},
		{"of equals the first", fabric.Queueing{Ranked: true}, bulk, []packet{{1, 9}, {2, 5}, {3, 5}}, []uint32{0, 1, 2}},
		{"of a flow the first, whatever its rank", fabric.Queueing{Ranked: true}, bulk, []packet{{9, 1}, {1, 8}, {2, 5}, {1, 2}}, []uint32{0, 1, 3, 2}},
		{"drops the highest", fabric.Queueing{Ranked: true, Packets: [fabric.Classes]int{bulk: 2}}, bulk, []packet{{1, 9}, {2, 5}, {3, 3}, {4, 4}}, []uint32{0, 2, 3}},
		{"or what comes", fabric.Queueing{Ranked: true, Packets: [fabric.Classes]int{bulk: 2}}, bulk, []packet{{1, 9}, {2, 5}, {3, 3}, {4, 6}, {5, 5}}, []uint32{0, 2, 1}},
		{"of equals the last", fabric.Queueing{Ranked: true, Packets: [fabric.Classes]int{bulk: 2}}, bulk, []packet{{1, 9}, {2, 5}, {3, 5}, {4, 4}}, []uint32{0, 3, 1}},
		{"never what leaves", fabric.Queueing{Ranked: true, Bytes: 3000}, bulk, []packet{{1, 9}, {2, 3}, {3, 3}, {4, 2}}, []uint32{0, 3, 1}},
		{"by bytes", fabric.Queueing{Ranked: true, Bytes: 3000}, bulk, []packet{{1, 1}, {2, 5}, {3, 3}, {4, 4}}, []uint32{0, 2, 3}},
		{"control as it comes", fabric.Queueing{Ranked: true, Packets: [fabric.Classes]int{control: 2}}, control, []packet{{1, 9}, {2, 5}, {3, 3}, {4, 1}}, []uint32{0, 1, 2}},
		{"without ranks", fabric.Queueing{Packets: [fabric.Classes]int{bulk: 2}}, bulk, []packet{{1, 9}, {2, 5}, {3, 3}, {4, 1}}, []uint32{0, 1, 2}},
	} {
		n, p, s := line(c.queue)
		m := fabric.Memory{Bytes: 100_000}
		p.SetMemory(&m)
		for i, x := range c.come {
			n.At(fabric.Instant(i)*ns, func() {
				y := n.Packet()
				y.Seq, y.Size, y.Class, y.Flow, y.Rank = uint32(i), 1000, c.class, x.flow, x.rank
				p.Put(n, y)
			})
		}
		run(t, n)
		var got []uint32
		for _, x := range s.got {
			got = append(got, x.Seq)
		}
		if !slices.Equal(got, c.leave) {
			t.Errorf("%s: packets %v, want %v", c.name, got, c.leave)
		}
		if lost := len(c.come) - len(c.leave); p.Lost[c.class] != uint64(lost) || p.Waiting() != 0 || p.Count(int(c.class)) != 0 || m.Used != 0 {
			t.Errorf("%s: %d lost, %d bytes and %d packets wait, %d of the memory in use; want %d, and none", c.name, p.Lost[c.class], p.Waiting(), p.Count(int(c.class)), m.Used, lost)
		}
	}
}
