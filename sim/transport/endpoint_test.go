// SPDX-License-Identifier: Apache-2.0

package transport_test

import (
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// plain is a host that sends a packet every tenth clock, and each third one twice; it acknowledges each by a packet with two tags.
type plain struct {
	number int
	to     []int
	left   []uint64
	seq    []uint64
	clock  int
	out    []*transport.Frame
	tags   []uint64
	fails  bool
	closed *int
}

func (p *plain) Offer(flow int, packets uint64) { p.left[flow] += packets }

func (p *plain) Receive(f *transport.Frame) {
	switch f.Class {
	case transport.Payload:
		p.out = append(p.out, &transport.Frame{Class: 2, Src: p.number, Dst: f.Src, Bytes: 64, Tags: []uint64{f.Tag, f.Seq}})
	case 2:
		p.tags = append(p.tags, f.Tags...)
	}
}

func (p *plain) Clock() (*transport.Frame, error) {
	if p.clock++; p.fails && p.clock == 7 {
		return nil, errors.New("no more")
	}
	if len(p.out) > 0 {
		f := p.out[0]
		p.out = p.out[1:]
		return f, nil
	}
	for flow := range p.left {
		if p.clock%10 == 0 && p.left[flow] > 0 {
			p.left[flow]--
			f := &transport.Frame{Class: transport.Payload, Src: p.number, Dst: p.to[flow], Bytes: 1000, Flow: flow, Seq: p.seq[flow], Tag: 7}
			if p.seq[flow]%3 == 0 {
				again := *f
				p.out = append(p.out, &again)
			}
			p.seq[flow]++
			return f, nil
		}
	}
	return nil, nil
}

func (p *plain) Counts() transport.EndpointCounts {
	return transport.EndpointCounts{Acks: uint64(len(p.tags)), MostRTT: uint64(p.number)}
}

func (p *plain) Close() error { *p.closed++; return nil }

type plains struct {
	fails  bool
	closed int
	hosts  []*plain
}

func (m *plains) New(number int, to []int) (transport.Endpoint, error) {
	p := &plain{number: number, to: to, left: make([]uint64, len(to)), seq: make([]uint64, len(to)), fails: m.fails, closed: &m.closed}
	m.hosts = append(m.hosts, p)
	return p, nil
}

func (*plains) Close() error { return nil }

func TestRunEndpoints(t *testing.T) {
	run := func(m *plains, deadline uint64, flows ...workload.Flow) (*transport.EndpointResult, error) {
		tree, err := topo.New(&topo.Shape{Tiers: 1, Hosts: 3, Host: fabric.Link{Gbps: 80, Delay: 100_000}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		res, err := transport.RunEndpoints(t.Context(), tree, flows, &transport.EndpointSettings{ClockHz: 100_000_000, PacketBytes: 1000, Deadline: deadline}, m)
		if e := tree.Check(); e != nil {
			t.Error(e)
		}
		return res, err
	}
	m := &plains{}
	res, err := run(m, 100_000, workload.Flow{Src: 0, Dst: 1, Bytes: 5_500}, workload.Flow{Src: 2, Dst: 1, Bytes: 3_000, Start: 2_000_000})
	if err != nil {
		t.Fatal(err)
	}
	// The first one begins after nine clocks of 10 ns. The line is busy with eight, and each takes 100 ns and the cable's 100 twice.
	if at := res.Flows[0].Received; at != 1_190_000 {
		t.Errorf("the flow ends at %d ps, want 1,190,000", at)
	}
	if res.Delivered != 9 || res.Again != 3 || res.Behind != 0 || m.closed != 3 || res.Hosts.MostRTT != 2 || res.Hosts.Acks == 0 {
		t.Errorf("%+v, %d closed", res, m.closed)
	}
	if d := cmp.Diff([]uint64{7, 0, 7, 0, 7, 1}, m.hosts[0].tags[:6]); d != "" {
		t.Error(d)
	}
	for _, c := range []struct {
		m        *plains
		deadline uint64
		flow     workload.Flow
		want     string
	}{
		{&plains{}, 300, workload.Flow{Src: 0, Dst: 1, Bytes: 9_000}, "9 packets have not come after 300 ns"},
		{&plains{fails: true}, 300, workload.Flow{Src: 0, Dst: 1, Bytes: 9_000}, "host 0, clock 6: no more"},
		{&plains{}, 300, workload.Flow{Src: 0, Dst: 3, Bytes: 9_000}, "flow 0: found 9000 bytes from host 0 to 3, allowed: 1 and more, two of the 3 hosts"},
		{&plains{}, 0, workload.Flow{}, "endpoints: found a clock of 100000000 Hz, packets of 1000 bytes, a deadline of 0 ns, allowed: 1 and more, at most 10^12 ns"},
	} {
		if _, err := run(c.m, c.deadline, c.flow); err == nil || err.Error() != c.want {
			t.Errorf("error %v, want %q", err, c.want)
		}
	}
}

// phased is such a host with its own clock.
type phased struct {
	*plain
	phase fabric.Instant
}

func (p *phased) Phase() fabric.Instant { return p.phase }

type phaseds struct{ plains }

func (m *phaseds) New(number int, to []int) (transport.Endpoint, error) {
	p, err := m.plains.New(number, to)
	return &phased{p.(*plain), 3000 * fabric.Instant(number)}, err
}

// A host with a phase sends so much later. Its clock begins with what it has to do: at an edge, or at the next one.
func TestPhases(t *testing.T) {
	for _, c := range []struct {
		start, received uint64 // ps
	}{
		// As above, with one packet: it begins after nine clocks of 10 ns, and takes 400 ns. Edges are 6 ns behind the multiples of 10 ns.
		{0, 496_000}, {5_000, 496_000}, {6_000, 496_000}, {6_001, 506_000}, {2_006_000, 2_496_000}, {2_006_001, 2_506_000},
	} {
		tree, err := topo.New(&topo.Shape{Tiers: 1, Hosts: 3, Host: fabric.Link{Gbps: 80, Delay: 100_000}}, 1)
		if err != nil {
			t.Fatal(err)
		}
		m := &phaseds{}
		res, err := transport.RunEndpoints(t.Context(), tree, []workload.Flow{{Src: 2, Dst: 1, Bytes: 1000, Start: c.start}},
			&transport.EndpointSettings{ClockHz: 100_000_000, PacketBytes: 1000, Deadline: 100_000}, m)
		if err != nil {
			t.Fatal(err)
		}
		if at := uint64(res.Flows[0].Received); at != c.received || m.closed != 3 {
			t.Errorf("a flow that begins at %d ps ends at %d, want %d; %d hosts closed, want 3", c.start, at, c.received, m.closed)
		}
	}
}

func TestArrivals(t *testing.T) {
	var a transport.Arrivals
	for _, c := range []struct {
		seq           uint64
		again, behind bool
	}{{0, false, false}, {2, false, false}, {1, false, true}, {2, true, false}, {1, true, true}, {5, false, false}, {3, false, true}, {4, false, true}, {6, false, false}, {6, true, false}} {
		if again, behind := a.Take(c.seq); again != c.again || behind != c.behind {
			t.Errorf("%d: again %t, behind a later one %t; want %t, %t", c.seq, again, behind, c.again, c.behind)
		}
	}
}
