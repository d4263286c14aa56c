// SPDX-License-Identifier: Apache-2.0

package transport_test

import (
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// The network is the one of TestPHost: a packet arrives 400 ns after it starts to leave, and its acknowledgement 210 ns
// later.
func TestPFabric(t *testing.T) {
	flow := func(src, dst int, packets uint64) workload.Flow {
		return workload.Flow{Src: src, Dst: dst, Bytes: packets * 1000}
	}
	for _, c := range []struct {
		name  string
		set   transport.PFabric
		queue fabric.Queueing
		cut   [2]fabric.Instant
		flows []workload.Flow
		ends  []int64 // ns
		want  transport.EndpointCounts
		lost  uint64
	}{
		{"within the window", transport.PFabric{Window: 3, RTO: 5000, Timeouts: 5}, fabric.Queueing{}, [2]fabric.Instant{}, []workload.Flow{flow(0, 1, 3)}, []int64{600},
			transport.EndpointCounts{Packets: 3, Acks: 3}, 0},
		// The first two acknowledgements are there at 610 and 710, and let a packet each leave; the third one, at 1220, the last packet.
		{"a window of two", transport.PFabric{Window: 2, RTO: 5000, Timeouts: 5}, fabric.Queueing{}, [2]fabric.Instant{}, []workload.Flow{flow(0, 1, 5)}, []int64{1620},
			transport.EndpointCounts{Packets: 5, Acks: 5}, 0},
		// The second flow begins when the line has the first packet of the first flow.
		{"the shorter flow first", transport.PFabric{Window: 9, RTO: 5000, Timeouts: 5}, fabric.Queueing{}, [2]fabric.Instant{}, []workload.Flow{flow(0, 1, 3), flow(0, 2, 1)}, []int64{700, 500},
			transport.EndpointCounts{Packets: 4, Acks: 4}, 0},
		// Packet 1 leaves by 200 and is on the cable until 300. The acknowledgement of packet 0, at 610, starts the timer anew: at 5610 packet 1 is sent again,
		// and nothing else, as packet 2 is acknowledged.
		{"a packet is lost", transport.PFabric{Window: 3, RTO: 5000, Timeouts: 5}, fabric.Queueing{}, [2]fabric.Instant{250, 260}, []workload.Flow{flow(0, 1, 3)}, []int64{6010},
			transport.EndpointCounts{Packets: 4, Timeouts: 1, Acks: 3}, 1},
		// Packets 1 to 3 are lost. From the timeout at 5610 on the window is 1; packet 1 is acknowledged at 6220, and then it is 2, to the threshold, half of 4:
		// packets 2 and 3 leave, at 6220 and 6320.
		{"slow start", transport.PFabric{Window: 4, RTO: 5000, Timeouts: 5}, fabric.Queueing{}, [2]fabric.Instant{250, 500}, []workload.Flow{flow(0, 1, 4)}, []int64{6720},
			transport.EndpointCounts{Packets: 7, Timeouts: 1, Acks: 4}, 3},
		// Packets 1 to 8 are lost. Windows are 1 at 5610, 2 at 6220, 3 at 6830 and 4 at 6930, the threshold, and then grow by their inverse: packets 8 to 11 leave
		// with an acknowledgement each, from 7440 to 7740, and packet 12, with the window of 5, at 8050.
		{"congestion avoidance", transport.PFabric{Window: 8, RTO: 5000, Timeouts: 5}, fabric.Queueing{}, [2]fabric.Instant{250, 1100}, []workload.Flow{flow(0, 1, 13)}, []int64{8450},
			transport.EndpointCounts{Packets: 21, Timeouts: 1, Acks: 13}, 8},
		// Packets 1 and 2 are lost. At 1610 packet 1 is sent again, at 2610 a probe, and one each 1000 until 30610: it is acknowledged at 31030. Packet 1 leaves then,
		// and packet 2 with its acknowledgement, at 31640.
		{"probes", transport.PFabric{Window: 3, RTO: 1000, Timeouts: 2}, fabric.Queueing{}, [2]fabric.Instant{250, 30_000}, []workload.Flow{flow(0, 1, 3)}, []int64{32040},
			transport.EndpointCounts{Probes: 29, Packets: 6, Timeouts: 30, Acks: 4}, 31},
		// Two hosts send to a third, whose port has room for a packet besides the one that leaves. The longer flow's packets 1 and 2 come when the other one's of 220 and
		// 320 have begun to leave, and yield to its next ones. They are sent again at 5610 and, when the first of them is acknowledged, at 6220.
		{"the most left is dropped", transport.PFabric{Window: 9, RTO: 5000, Timeouts: 5}, fabric.Queueing{Ranked: true, Packets: [fabric.Classes]int{transport.Payload: 1}}, [2]fabric.Instant{},
			[]workload.Flow{flow(0, 2, 4), {Src: 1, Dst: 2, Bytes: 3000, Start: 20_000}}, []int64{6620, 700}, transport.EndpointCounts{Packets: 9, Timeouts: 1, Acks: 7}, 2},
	} {
		tree := star(t, c.queue)
		if c.cut[1] > 0 {
			cut(tree, c.cut[0], c.cut[1])
		}
		c.set.PacketBytes, c.set.ControlBytes, c.set.Deadline = 1000, 50, 100_000
		res, err := transport.RunPFabric(t.Context(), tree, c.flows, &c.set)
		if !ended(t, c.name, tree, res, err, c.ends) {
			continue
		}
		if res.Hosts != c.want || res.Counts.Dropped() != c.lost {
			t.Errorf("%s: %+v, %d lost, want %+v, %d", c.name, res.Hosts, res.Counts.Dropped(), c.want, c.lost)
		}
	}
}

func TestPFabricErrors(t *testing.T) {
	good := transport.PFabric{PacketBytes: 1000, ControlBytes: 50, Window: 3, RTO: 1000, Timeouts: 5, Deadline: 100_000}
	for _, c := range []struct {
		change func(s *transport.PFabric, f *workload.Flow)
		want   string
	}{
		{func(s *transport.PFabric, _ *workload.Flow) { s.RTO = 0 }, "pFabric: found a window of 3 packets, an RTO of 0 ns, 5 timeouts, allowed: 1 and more"},
		{func(_ *transport.PFabric, f *workload.Flow) { f.Src = 1 }, "pFabric: flow 0: found 9000 bytes from host 1 to 1, allowed: 1 and more, two of the 3 hosts"},
		{func(_ *transport.PFabric, f *workload.Flow) { f.Bytes = 65_536_000 }, "pFabric: flow 0: found 65536 packets, allowed: 65535"},
	} {
		s, f := good, workload.Flow{Dst: 1, Bytes: 9000}
		c.change(&s, &f)
		if _, err := transport.RunPFabric(t.Context(), star(t, fabric.Queueing{}), []workload.Flow{f}, &s); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}
