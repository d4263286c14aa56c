// SPDX-License-Identifier: Apache-2.0

package transport_test

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// star is a switch with three hosts: a packet of 1000 bytes takes 100 ns on each of two lines, one of 50 bytes 5 ns, and each line 100 ns more: 400 ns and 210
// from host to host.
func star(t *testing.T, q fabric.Queueing) *topo.Tree {
	tree, err := topo.New(&topo.Shape{Tiers: 1, Hosts: 3, Host: fabric.Link{Gbps: 80, Delay: 100_000}, Queue: q}, 1)
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// cut makes host 0's packets, including those on its cable, get lost from one time to another, in
// ns.
func cut(tree *topo.Tree, from, to fabric.Instant) {
	tree.At(from*1000, tree.Hosts[0].Fail)
	tree.At(to*1000, tree.Hosts[0].Repair)
}

func times(res *transport.EndpointResult) (ns []int64) {
	for _, f := range res.Flows {
		ns = append(ns, int64(f.Received)/1000)
	}
	return ns
}

func TestPHost(t *testing.T) {
	flow := func(dst int, packets, start uint64) workload.Flow {
		return workload.Flow{Dst: dst, Bytes: packets * 1000, Start: start * 1000}
	}
	for _, c := range []struct {
		name  string
		set   transport.PHost
		cut   [2]fabric.Instant
		flows []workload.Flow
		ends  []int64 // ns
		want  transport.EndpointCounts
		class int // of the data; 0: both
	}{
		// The RTS is there at 210, and tokens leave then, at 310 and at 410. They are at the source at 420, 520 and 620, and its packets 400 later.
		{"tokens", transport.PHost{Expiry: 1.5, Window: 3, Pause: 9000, Again: 9000}, [2]fabric.Instant{}, []workload.Flow{flow(1, 3, 0)}, []int64{1020},
			transport.EndpointCounts{Probes: 4, Packets: 3, Acks: 1}, transport.Payload},
		// A free packet leaves behind the RTS, at 5, and is there at 405. The destination leaves it its time, from 210 to 310.
		{"a free token", transport.PHost{Free: 1, Expiry: 1.5, Window: 3, Pause: 9000, Again: 9000}, [2]fabric.Instant{}, []workload.Flow{flow(1, 3, 0)}, []int64{1020},
			transport.EndpointCounts{Probes: 3, Packets: 3, Acks: 1}, transport.Payload},
		{"free tokens only", transport.PHost{Free: 3, Expiry: 1.5, Window: 3, Pause: 9000, Again: 9000}, [2]fabric.Instant{}, []workload.Flow{flow(1, 3, 0)}, []int64{605},
			transport.EndpointCounts{Probes: 1, Packets: 3, Acks: 1}, fabric.Bulk},
		// Both have two free tokens when the second RTS has left, at 10. The shorter flow's leave first, and the last packet has the token of 410.
		{"the shorter flow's free tokens first", transport.PHost{Free: 2, Expiry: 1.5, Window: 3, Pause: 9000, Again: 9000}, [2]fabric.Instant{}, []workload.Flow{flow(1, 3, 0), flow(2, 2, 0)}, []int64{1020, 510},
			transport.EndpointCounts{Probes: 3, Packets: 5, Acks: 2}, 0},
		// Tokens leave for the longer flow at 210, 510 and 610, and for the shorter one, whose RTS is there at 230, at 310 and 410.
		{"the shorter flow's tokens first", transport.PHost{Expiry: 1.5, Window: 3, Pause: 9000, Again: 9000}, [2]fabric.Instant{}, []workload.Flow{flow(2, 3, 0), {Src: 1, Dst: 2, Bytes: 2000, Start: 20_000}},
			[]int64{1220, 1020}, transport.EndpointCounts{Probes: 7, Packets: 5, Acks: 2}, transport.Payload},
		// The second flow's RTS leaves at 30, and its token is there at 450. It has fewer packets left, so it is next, at 520. The first flow's tokens, of 520 and
		// 620, wait 100 each.
		{"the shorter flow first", transport.PHost{Expiry: 1.5, Window: 3, Pause: 9000, Again: 1000}, [2]fabric.Instant{}, []workload.Flow{flow(1, 3, 0), flow(2, 1, 30)}, []int64{1120, 920},
			transport.EndpointCounts{Probes: 6, Packets: 4, Acks: 2}, transport.Payload},
		// Its token is good until 500 only, while the line is busy until 520. The next one leaves 1000 after the last, at 1240.
		{"a token expires", transport.PHost{Expiry: 0.5, Window: 3, Pause: 9000, Again: 1000}, [2]fabric.Instant{}, []workload.Flow{flow(1, 3, 0), flow(2, 1, 30)}, []int64{1020, 1850},
			transport.EndpointCounts{Probes: 7, ProbeTimeouts: 1, Packets: 4, Timeouts: 1, Acks: 2}, transport.Payload},
		// The packet of the token at 310 leaves at 520, and is lost on the cable. The last token is at 410, so the next one is at 1410.
		{"a packet is lost", transport.PHost{Expiry: 1.5, Window: 3, Pause: 9000, Again: 1000}, [2]fabric.Instant{650, 655}, []workload.Flow{flow(1, 3, 0)}, []int64{2020},
			transport.EndpointCounts{Probes: 5, Packets: 4, Timeouts: 1, Acks: 1}, transport.Payload},
		// Tokens leave at 210 and 310, and without an answer one each 700: at 1010 and 1710. All four packets are lost. The next turn begins at 11710: one
		// token, whose packet is there at 12320; then two, at 12320 and 12420, and the last one when the packet of the first of these is there, at 12930.
		{"no answer", transport.PHost{Expiry: 1.5, Window: 2, Pause: 700, Again: 10_000}, [2]fabric.Instant{150, 3000}, []workload.Flow{flow(1, 4, 0)}, []int64{13540},
			transport.EndpointCounts{Probes: 9, Packets: 8, Timeouts: 1, Acks: 1}, transport.Payload},
	} {
		tree := star(t, fabric.Queueing{})
		if c.cut[1] > 0 {
			cut(tree, c.cut[0], c.cut[1])
		}
		c.set.PacketBytes, c.set.ControlBytes, c.set.Deadline = 1000, 50, 100_000
		var classes [fabric.Classes]bool
		for _, p := range tree.Leaves[0].Down {
			p.Watch = classWatch{&classes}
		}
		res, err := transport.RunPHost(t.Context(), tree, c.flows, &c.set)
		if !ended(t, c.name, tree, res, err, c.ends) {
			continue
		}
		if res.Hosts != c.want {
			t.Errorf("%s: %+v, want %+v", c.name, res.Hosts, c.want)
		}
		if !classes[fabric.Control] || c.class > 0 && (!classes[c.class] || classes[fabric.Bulk] && classes[transport.Payload]) {
			t.Errorf("%s: classes %v, want %d and %d", c.name, classes, fabric.Control, c.class)
		}
	}
}

// ended checks when flows ended in a run, in ns; false: the run failed.
func ended(t *testing.T, name string, tree *topo.Tree, res *transport.EndpointResult, err error, ends []int64) bool {
	t.Helper()
	if err != nil {
		t.Errorf("%s: %v", name, err)
		return false
	}
	if err := tree.Check(); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	if got := times(res); !slices.Equal(got, ends) {
		t.Errorf("%s: ends at %v ns, want %v", name, got, ends)
	}
	return true
}

// classWatch notes the classes of what leaves.
type classWatch struct{ seen *[fabric.Classes]bool }

func (classWatch) Queued(fabric.Instant, int64)                          {}
func (w classWatch) Left(_ fabric.Instant, p *fabric.Packet)             { w.seen[p.Class] = true }
func (classWatch) Dropped(fabric.Instant, *fabric.Packet, fabric.Reason) {}

func TestPHostErrors(t *testing.T) {
	good := transport.PHost{PacketBytes: 1000, ControlBytes: 50, Expiry: 1.5, Window: 3, Pause: 9000, Again: 9000, Deadline: 100_000}
	for _, c := range []struct {
		change func(s *transport.PHost, f *workload.Flow)
		want   string
	}{
		{func(s *transport.PHost, _ *workload.Flow) { s.Window = 0 }, "pHost: found 0 tokens without an answer, 0 free ones, 1.5 packet times, allowed: 1 and more, 0 and more, above 0"},
		{func(s *transport.PHost, _ *workload.Flow) { s.PacketBytes = 0 }, "pHost: found packets of 0 bytes and 50 without payload, a deadline of 100000 ns, allowed: 1 and more, at most 10^12 ns"},
		{func(_ *transport.PHost, f *workload.Flow) { f.Dst = 3 }, "pHost: flow 0: found 9000 bytes from host 0 to 3, allowed: 1 and more, two of the 3 hosts"},
		{func(_ *transport.PHost, f *workload.Flow) { f.After = []int{0} }, "pHost: flow 0: found a loop or flows before it, allowed: flows that begin at a time"},
		{func(s *transport.PHost, _ *workload.Flow) { s.Deadline = 1500 }, "5 packets have not come after 1500 ns"},
	} {
		s, f := good, workload.Flow{Dst: 1, Bytes: 9000}
		c.change(&s, &f)
		if _, err := transport.RunPHost(t.Context(), star(t, fabric.Queueing{}), []workload.Flow{f}, &s); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
