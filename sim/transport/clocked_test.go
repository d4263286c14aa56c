// SPDX-License-Identifier: Apache-2.0

package transport_test

import (
	"testing"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/topo"
	"github.com/nicgen/nicgen/sim/transport"
	"github.com/nicgen/nicgen/sim/workload"
)

// lateChoices chooses an EV that names host and packet, a while after it is asked.
type lateChoices struct {
	t     *testing.T
	host  uint32
	asked []lateAsk
	acks  int
}

type lateAsk struct {
	conn int
	seq  uint32
	at   fabric.Instant
}

const lateness = 50_000

func (*lateChoices) grant() (transport.Grant, error) { return transport.Grant{Window: 8000}, nil }

func (l *lateChoices) Open(int, uint64) (transport.Grant, error) { return l.grant() }

func (l *lateChoices) Send(int, uint64) (transport.Choice, error) {
	l.t.Error("asked in place of Ask")
	return transport.Choice{}, nil
}

func (l *lateChoices) Ack(_ int, a *transport.Ack) (transport.Grant, error) {
	if want := l.host<<16 | a.Seq; a.EV != want {
		l.t.Errorf("an acknowledgement of packet %d of host %d has EV %#x, want %#x", a.Seq, l.host, a.EV, want)
	}
	l.acks++
	return l.grant()
}

func (l *lateChoices) Lost(int, *transport.Loss) (transport.Grant, error) { return l.grant() }

func (l *lateChoices) Ask(conn int, seq uint32, at fabric.Instant) error {
	l.asked = append(l.asked, lateAsk{conn, seq, at})
	return nil
}

func (l *lateChoices) Answers(to fabric.Instant) (list []transport.Answer, err error) {
	for len(l.asked) > 0 && l.asked[0].at+lateness <= to {
		a := l.asked[0]
		l.asked = l.asked[1:]
		list = append(list, transport.Answer{Conn: a.conn, Choice: transport.Choice{EV: l.host<<16 | a.seq}})
	}
	return list, nil
}

func (*lateChoices) Due() (fabric.Instant, bool) { return 0, false }

func (*lateChoices) Latency() fabric.Instant { return lateness }

// A packet that is lost on its host's cable, before its choice was taken, leaves the choice of no other packet changed.
func TestClockedLoss(t *testing.T) {
	tree, err := topo.New(&topo.Shape{Tiers: 1, Hosts: 3, Host: fabric.Link{Gbps: 80, Delay: 500_000}}, 1)
	if err != nil {
		t.Fatal(err)
	}
	tree.Hosts[0].SetLoss(0.2)
	hosts := make([]*lateChoices, 2)
	res, err := transport.Run(t.Context(), tree, []workload.Flow{{Src: 0, Dst: 2, Bytes: 500_000}, {Src: 1, Dst: 2, Bytes: 500_000}},
		&transport.Settings{Payload: 1000, Headers: 50, RTO: 20_000, Deadline: 100_000_000}, func(host, _ int) (transport.Transport, error) {
			hosts[host] = &lateChoices{t: t, host: uint32(host)}
			return hosts[host], nil
		})
	if err != nil {
		t.Fatal(err)
	}
	if n := res.Counts.Drops[fabric.Lossy]; n < 50 || hosts[0].acks < 500 || hosts[1].acks < 500 {
		t.Errorf("%d packets lost, %d and %d acknowledgements", n, hosts[0].acks, hosts[1].acks)
	}
}
