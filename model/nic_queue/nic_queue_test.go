// SPDX-License-Identifier: Apache-2.0

package nicqueue_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_queue"
	model "github.com/nicgen/nicgen/model/nic_queue"
)

const noQuota = 1 << 20

// small returns queues with 512 cells for four connections.
func small() *params.Params {
	p := params.Default()
	p.KiB, p.Connections = 64, 4
	return p
}

// send brings a packet of some bytes to the end of its queue, unless it is dropped.
func send(q *model.Queues, conn uint64, bytes int, bad bool, quota int) (p *model.Packet, reason int) {
	p = &model.Packet{Conn: conn, Bytes: max(bytes-14, 0)}
	for left := bytes; left > 0; left -= params.KeepBits {
		q.Take(p, model.Beat{Len: min(left, params.KeepBits)})
	}
	if reason = q.Enter(p, bad, quota); reason == params.Stored {
		q.Join(p)
	}
	return p, reason
}

// pop ends a visit immediately.
func pop(q *model.Queues, conn uint64, budget int, discard bool) *model.Visit {
	v := q.Visit(conn, budget, discard)
	for _, p := range v.Packets {
		for range p.Cells() {
			q.Give()
		}
	}
	q.Leave(v)
	q.Settle(v)
	return v
}

// The outcome for a packet, and the cells that it takes: counted by hand.
func TestEnter(t *testing.T) {
	for _, c := range []struct {
		name   string
		conn   uint64
		bytes  int
		bad    bool
		quota  int
		before int // bytes of a packet that is there
		reason int
		cells  int // never returned
	}{
		{"one beat", 0, 64, false, noQuota, 0, params.Stored, 1},
		{"two beats", 0, 65, false, noQuota, 0, params.Stored, 1},
		{"three beats", 0, 129, false, noQuota, 0, params.Stored, 2},
		{"an Ethernet frame", 3, 1514, false, noQuota, 0, params.Stored, 12},
		{"the longest", 1, 9262, false, noQuota, 0, params.Stored, 73},
		{"one byte longer", 1, 9263, false, noQuota, 0, params.Long, 0},
		{"much longer", 1, 30000, false, noQuota, 0, params.Long, 0},
		{"bad", 1, 1514, true, noQuota, 0, params.Bad, 0},
		{"bad and long", 1, 30000, true, noQuota, 0, params.Bad, 0},
		{"unknown", 4, 64, true, noQuota, 0, params.Unknown, 0},
		{"the whole quota", 2, 1514, false, 12, 0, params.Stored, 12},
		{"above it", 2, 1514, false, 11, 0, params.Quota, 0},
		{"no quota", 2, 60, false, 0, 0, params.Quota, 0},
		{"the rest of it", 2, 256, false, 5, 384, params.Stored, 2},
		{"above the rest", 2, 257, false, 5, 384, params.Quota, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			q := model.New(small())
			if c.before > 0 {
				send(q, c.conn, c.before, false, noQuota)
			}
			free := q.Free()
			_, reason := send(q, c.conn, c.bytes, c.bad, c.quota)
			if reason != c.reason || free-q.Free() != c.cells {
				t.Errorf("reason %d and %d cells, want %d and %d", reason, free-q.Free(), c.reason, c.cells)
			}
		})
	}
}

// The buffer is full: a packet takes the available cells and returns them.
func TestFull(t *testing.T) {
	q := model.New(small())
	for range 7 {
		send(q, 0, 9262, false, noQuota)
	}
	if q.Free() != 1 {
		t.Fatalf("%d cells are free, want 512 - 7 * 73 = 1", q.Free())
	}
	for _, c := range []struct{ bytes, reason, free int }{
		{129, params.Full, 1}, {9263, params.Long, 1}, {128, params.Stored, 0}, {60, params.Full, 0}, {9263, params.Long, 0},
	} {
		if _, reason := send(q, 1, c.bytes, false, noQuota); reason != c.reason || q.Free() != c.free {
			t.Errorf("%d bytes: reason %d, %d cells free, want %d, %d", c.bytes, reason, q.Free(), c.reason, c.free)
		}
	}
	if v := pop(q, 0, 0, true); len(v.Packets) != 7 || q.Free() != 511 {
		t.Errorf("%d packets are discarded, %d cells free, want 7, 511", len(v.Packets), q.Free())
	}
}

// How many of five packets with 100, 50, 200, 1 and 300 IP bytes leave.
func TestBudget(t *testing.T) {
	for _, c := range []struct {
		budget  int
		discard bool
		want    int
	}{
		{0, false, 1}, {1, false, 1}, {100, false, 1}, {101, false, 2}, {150, false, 2}, {151, false, 3}, {350, false, 3},
		{351, false, 4}, {352, false, 5}, {1 << 23, false, 5}, {0, true, 5},
	} {
		q := model.New(small())
		for _, bytes := range []int{100, 50, 200, 1, 300} {
			send(q, 1, bytes+14, false, noQuota)
		}
		v := pop(q, 1, c.budget, c.discard)
		if len(v.Packets) != c.want || q.Waiting(1) != 5-c.want {
			t.Errorf("budget %d, discard %t: %d packets leave and %d stay, want %d of 5", c.budget, c.discard, len(v.Packets), q.Waiting(1), c.want)
		}
	}
}

// Bytes on the wire: 84 at least.
func TestWire(t *testing.T) {
	for _, c := range []struct{ bytes, tags, shim, want int }{
		{0, 0, 0, 84}, {46, 0, 0, 84}, {47, 0, 0, 85}, {42, 1, 0, 84}, {43, 1, 0, 85}, {1500, 0, 0, 1538}, {1500, 2, 32, 1578}, {9200, 0, 48, 9286},
	} {
		p := model.Packet{Bytes: c.bytes, Tags: c.tags}
		if got := p.Wire(c.shim); got != c.want {
			t.Errorf("%+v: %d bytes", c, got)
		}
	}
}

// Messages of the flow control, with thresholds of 8 and 3 cells.
func TestLook(t *testing.T) {
	q := model.New(small())
	want := []string{"7", "8 stop", "9", "3 go on", "4", "0", "8 stop", "4", "100", "2 go on"}
	for _, w := range want {
		var used int
		fmt.Sscan(w, &used)
		got := fmt.Sprint(used)
		if message, stop := q.Look(2, used, 8, 3); message {
			got += map[bool]string{true: " stop", false: " go on"}[stop]
		}
		if got != w {
			t.Errorf("%q, want %q", got, w)
		}
	}
}

// Queues equal the queues in a list of all packets, and cells are conserved.
func TestEqualsList(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	p := small()
	q := model.New(p)
	var list []*model.Packet
	stored, left := 0, 0
	for i := range 20_000 {
		conn := r.Uint64N(4)
		if r.IntN(3) > 0 {
			if x, reason := send(q, conn, 1+r.IntN(1+r.IntN(2000)), r.IntN(5) == 0, 300); reason == params.Stored {
				list, stored = append(list, x), stored+1
			}
		} else {
			budget, discard := r.IntN(3000), r.IntN(8) == 0
			var want []*model.Packet
			list = slices.DeleteFunc(list, func(x *model.Packet) bool {
				goes := x.Conn == conn && (discard || budget > 0 || len(want) == 0)
				if x.Conn == conn && goes {
					want, budget = append(want, x), budget-x.Bytes
				}
				return goes
			})
			if v := pop(q, conn, budget+sum(want), discard); !slices.Equal(v.Packets, want) {
				t.Fatalf("step %d: %d packets leave, want %d", i, len(v.Packets), len(want))
			}
			left += len(want)
		}
		cells := 0
		for _, x := range list {
			cells += x.Cells()
		}
		if q.Free()+cells != int(p.Cells()) {
			t.Fatalf("step %d: %d cells are free and %d used, of %d", i, q.Free(), cells, p.Cells())
		}
	}
	if stored < 1000 || left < 1000 {
		t.Errorf("%d packets were stored and %d left", stored, left)
	}
}

// sum returns the IP bytes of packets.
func sum(list []*model.Packet) (n int) {
	for _, p := range list {
		n += p.Bytes
	}
	return n
}
