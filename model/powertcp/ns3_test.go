// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"container/heap"
	"math"
	"slices"
	"testing"

	params "github.com/nicgen/nicgen/gen/powertcp"
)

// ns3Choices are the places in which the authors' ns-3 program (UpdateRatePower in rdma-hw.cc, inet-tub/ns3-datacenter)
// and the unit differ. True is the unit's decision.
type ns3Choices struct {
	sent      bool // λ is of bytes sent and of the queue's growth (P5), not of bytes received in units of 128
	stores    bool // the first ACK is only stored (P8), not an update from telemetry of zeros
	compounds bool // the (1-γ) term is the window before this ACK (P11), not the window of a round trip ago
}

// ns3 is a connection of that program in its own words: rates in bit/s, cut to whole ones.
type ns3 struct {
	ns3Choices
	tau           float64 // ns
	target        float64
	line          float64 // bit/s
	u             float64
	rate, current float64 // the rate in use, and m_curRate
	last          int64   // m_lastUpdateSeq
	hop           ns3Hop
	have          bool
}

// ns3Hop is the telemetry of a port, as ns-3 writes it: bytes in units of 128, the queue in units of 80.
type ns3Hop struct{ time, sent, received, queue int64 }

func newNS3(as ns3Choices, tau, line float64) *ns3 {
	return &ns3{ns3Choices: as, tau: tau, target: 0.95, line: line, u: 1, rate: line, current: line}
}

func (n *ns3) ack(seq, next int64, h ns3Hop) {
	prev := n.hop
	n.hop = h
	if n.stores && !n.have {
		n.have, n.last = true, next
		return
	}
	full := seq > n.last
	dt := float64(h.time - prev.time)
	if dt == 0 {
		return
	}
	arrived := float64(h.received-prev.received) * 128
	if n.sent {
		arrived = float64(h.sent-prev.sent)*128 + float64(h.queue-prev.queue)*80
	}
	lambda := max(arrived*8/(dt*1e-9), n.line/2)
	power := lambda * (float64(h.queue)*80*8 + n.line*n.tau*1e-9) / (n.line * n.line * n.tau * 1e-9)
	weight := min(dt, n.tau)
	n.u = (n.u*(n.tau-weight) + power*weight) / n.tau
	before := n.current
	if n.compounds {
		before = n.rate
	}
	const gamma, increase = 0.9, 150e6
	rate := math.Floor(gamma*(math.Floor(n.current/(n.u/n.target))+increase)) + math.Floor((1-gamma)*before)
	n.rate = min(max(rate, 100e6), n.line)
	if full {
		n.current, n.last = n.rate, max(n.last, next)
	}
}

// packet is one on its way: to the queue, or, as an ACK, back.
type packet struct {
	at   int64 // ns
	flow int
	seq  int64 // the first byte after it
	ack  bool
	hop  ns3Hop
	n    int // order among events of the same time
}

type packets []packet

func (p packets) Len() int { return len(p) }
func (p packets) Less(i, j int) bool {
	return p[i].at < p[j].at || p[i].at == p[j].at && p[i].n < p[j].n
}
func (p packets) Swap(i, j int) { p[i], p[j] = p[j], p[i] }
func (p *packets) Push(x any)   { *p = append(*p, x.(packet)) }
func (p *packets) Pop() any {
	x := (*p)[len(*p)-1]
	*p = (*p)[:len(*p)-1]
	return x
}

// sync gives the connection the unit's state.
func (n *ns3) sync(c *conn) {
	rate := func(window uint32) float64 { return float64(window) / 4 * 8 / (n.tau * 1e-9) }
	n.u = float64(c.power) / (1 << 26) * n.target
	n.rate, n.current = rate(c.window), rate(c.old)
}

// ns3Apart has flows share a link of 25 Gb/s with the unit's windows, each beginning 100 µs after
// the one before, while ns-3 sees the same ACKs, and returns the distances between the windows, ACK
// by ACK, in ascending order. If same is set, ns-3 begins each ACK except the first in the unit's
// state; otherwise it keeps its own state throughout.
func ns3Apart(as ns3Choices, flows int, same bool) []float64 {
	const (
		tau     = 28_960
		line    = 25e9
		perByte = 0.32 // ns
		payload = 1000
		size    = payload + 48
		end     = 4_000_000
	)
	p := params.Default()
	p.Connections, p.TargetPPM = int64(flows), 950_000
	unit := New(p)
	other := make([]*ns3, flows)
	sent, acked := make([]int64, flows), make([]int64, flows)
	window := make([]int64, flows)
	var (
		events                 packets
		order                  int
		apart                  []float64
		free                   float64 // when the link is
		enqueued, left, queued int64
		waiting                []packet
	)
	push := func(x packet) {
		x.n = order
		order++
		heap.Push(&events, x)
	}
	fill := func(flow int, now int64) {
		for sent[flow]+payload-acked[flow] <= max(window[flow], payload) {
			sent[flow] += payload
			push(packet{at: now + tau/2, flow: flow, seq: sent[flow]})
		}
	}
	for f := range flows {
		other[f] = newNS3(as, tau, line)
		window[f] = p.MaxWindowBytes
		push(packet{at: int64(f) * 100_000, flow: f, ack: true, seq: -1}) // begins
	}
	for len(events) > 0 {
		x := heap.Pop(&events).(packet)
		if x.at > end {
			break
		}
		switch {
		case x.ack && x.seq < 0:
			fill(x.flow, x.at)
		case x.ack:
			f := x.flow
			h := x.hop
			if same && unit.conns[f].have {
				other[f].sync(&unit.conns[f])
			}
			r := unit.Ack(&Ack{Conn: uint32(f), Seq: uint32(x.seq), SndNxt: uint32(sent[f]), HopCnt: 1, Hops: []Hop{{
				Qlen: uint32(h.queue), Tx: uint32(h.sent) & (1<<p.TxBits - 1), Time: uint32(h.time) & (1<<p.TimeBits - 1), Link: unit.Links[0]}}})
			other[f].ack(x.seq, sent[f], h)
			acked[f] = x.seq
			window[f] = int64(r.Window >> 2)
			ours, theirs := float64(r.Window)/4, max(other[f].rate*tau*1e-9/8, float64(p.MinWindowBytes))
			apart = append(apart, math.Abs(ours/theirs-1))
			fill(f, x.at)
		case x.hop.time == 1: // has left the queue
			y := waiting[0]
			waiting = waiting[1:]
			queued -= size
			h := ns3Hop{time: x.at, sent: left / 128, received: enqueued / 128, queue: queued / 80}
			left += size
			push(packet{at: x.at + tau/2, flow: y.flow, seq: y.seq, ack: true, hop: h})
		default:
			waiting = append(waiting, x)
			enqueued += size
			queued += size
			free = max(free, float64(x.at)) + size*perByte
			push(packet{at: int64(free), hop: ns3Hop{time: 1}})
		}
	}
	slices.Sort(apart)
	return apart
}

// With the unit's decisions a transcription of the authors' ns-3 program gives the unit's windows, except for roundings:
// from the same state, and over thousands of ACKs from its own. The page has the distance for each of ns-3's choices.
func TestNS3(t *testing.T) {
	const flows = 10
	measure := func(name string, as ns3Choices, same bool) (median, high, most float64) {
		apart := ns3Apart(as, flows, same)
		median, high, most = apart[len(apart)/2], apart[len(apart)*99/100], apart[len(apart)-1]
		t.Logf("%-32s %d ACKs: median %.3f %%, 99th percentile %.2f %%, most %.1f %%", name, len(apart),
			100*median, 100*high, 100*most)
		return median, high, most
	}
	ours := ns3Choices{true, true, true}
	if median, _, _ := measure("the unit's, own state", ours, false); median > 0.002 {
		t.Errorf("with the unit's decisions the median is %.3f %%, want at most 0.2 %%", 100*median)
	}
	_, exact, _ := measure("the unit's, same state", ours, true)
	if exact > 0.0005 {
		t.Errorf("from the same state the 99th percentile is %.3f %%, want at most 0.05 %%", 100*exact)
	}
	for _, c := range []struct {
		name string
		with ns3Choices
	}{
		{"received bytes", ns3Choices{false, true, true}},
		{"window of a round trip ago", ns3Choices{true, true, false}},
		{"all of ns-3's", ns3Choices{}},
	} {
		if _, high, _ := measure(c.name, c.with, true); high < 5*exact {
			t.Errorf("%s: the 99th percentile is %.3f %%, with the unit's decisions %.3f %%: the traffic does not show the difference", c.name, 100*high, 100*exact)
		}
	}
	if _, _, most := measure("first ACK updates", ns3Choices{true, false, true}, true); most < 0.5 {
		t.Errorf("an update with the first ACK changes a window by at most %.1f %%: the traffic does not show the difference", 100*most)
	}
}
