// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"cmp"
	"container/heap"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	params "github.com/nicgen/nicgen/gen/laps_paths"
)

// The network of TestProbesReachEveryPath: every destination has reachPaths paths, on which
// a packet or probe takes reachLatency, and so does its answer. But the path of the last
// bank was measured at a bad moment.
const (
	reachPaths   = 8
	reachLatency = 5_000  // ns
	reachStale   = 40_000 // ns
)

// prober are the path tables in that network: a packet's probe, by bank, -1 for none, and
// a measurement.
type prober interface {
	packet(dst int, now uint64) int
	measured(dst, bank int, delay, now uint64)
}

// rtlProber uses the unit's tables.
type rtlProber struct {
	d *device
	p *params.Params
}

func (r rtlProber) packet(dst int, now uint64) int {
	r.d.cycle(ports{"s_packet_valid": 1, "s_packet_dst": uint64(dst), "now_ns": now})
	r.d.Step(params.CandLatency - 1)
	if r.d.Get("m_probe_valid") == 0 {
		return -1
	}
	return int(r.d.Get("m_probe_pid") >> r.p.RowBits())
}

func (r rtlProber) measured(dst, bank int, delay, now uint64) {
	r.d.cycle(ports{"s_ack_valid": 1, "s_ack_pid": uint64(bank)<<r.p.RowBits() | uint64(dst), "s_ack_delay_ns": delay, "now_ns": now})
	r.d.Step(params.WriteWindow)
}

// lowestProber probes the lowest bank that has expired, to compare with.
type lowestProber [][reachPaths]belief

// belief holds the tables' entry of a path.
type belief struct{ time, latency uint64 }

func (b belief) expired(now uint64) bool { return now-b.time > 2*b.latency }

func (l lowestProber) packet(dst int, now uint64) int {
	for b := range l[dst] {
		if x := &l[dst][b]; x.expired(now) {
			*x = belief{now, 2 * x.latency}
			return b
		}
	}
	return -1
}

func (l lowestProber) measured(dst, bank int, delay, now uint64) { l[dst][bank] = belief{now, delay} }

// coming is a packet to be sent, or with bank not below 0 an answer.
type coming struct {
	at        uint64
	dst, bank int
}

type agenda []coming

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return cmp.Or(cmp.Compare(a[i].at, a[j].at), cmp.Compare(a[i].dst, a[j].dst)) < 0
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(coming)) }
func (a *agenda) Pop() any {
	old := *a
	x := old[len(old)-1]
	*a = old[:len(old)-1]
	return x
}

// reached counts the results for the stale paths.
type reached struct {
	first, last uint64 // when the first and the last was measured again, ns; last is 0 if one never was
	share       [2]int // of the probes, by path: the least and the most, per mille
	packets     int    // the most that a path that had expired waited for, its own included
}

// reach sends packets to each of some destinations at an interval, until end.
func reach(p prober, dsts int, interval, end uint64) (r reached) {
	rng := rand.New(rand.NewPCG(uint64(dsts), interval))
	known := make(lowestProber, dsts)
	waits := make([][reachPaths]int, dsts)
	recovered := make([]uint64, dsts)
	var probes [reachPaths]int
	total := 0
	var queue agenda
	for dst := range dsts {
		for b := range reachPaths {
			known[dst][b] = belief{0, reachLatency}
		}
		known[dst][reachPaths-1].latency = reachStale
		queue = append(queue, coming{1 + interval*uint64(dst)/uint64(dsts), dst, -1})
	}
	heap.Init(&queue)
	for {
		x := heap.Pop(&queue).(coming)
		if x.at > end {
			break
		}
		mine := &known[x.dst]
		if x.bank >= 0 {
			p.measured(x.dst, x.bank, reachLatency, x.at)
			mine[x.bank] = belief{x.at, reachLatency}
			if x.bank == reachPaths-1 && recovered[x.dst] == 0 {
				recovered[x.dst] = x.at
			}
			continue
		}
		heap.Push(&queue, coming{x.at + interval, x.dst, -1})
		// Packets stay off paths of twice the latency; with a weight they would nearly.
		if bank := rng.IntN(reachPaths); mine[bank].latency < 2*reachLatency {
			heap.Push(&queue, coming{x.at + 2*reachLatency, x.dst, bank})
		}
		probe := p.packet(x.dst, x.at)
		for b := range mine {
			if waits[x.dst][b]++; !mine[b].expired(x.at) {
				waits[x.dst][b] = 0
			}
			r.packets = max(r.packets, waits[x.dst][b])
		}
		if probe >= 0 {
			mine[probe] = belief{x.at, 2 * mine[probe].latency}
			waits[x.dst][probe] = 0
			heap.Push(&queue, coming{x.at + 2*reachLatency, x.dst, probe})
			probes[probe]++
			total++
		}
	}
	least, most := probes[0], probes[0]
	for _, n := range probes {
		least, most = min(least, n), max(most, n)
	}
	r.share = [2]int{1000 * least / max(total, 1), 1000 * most / max(total, 1)}
	r.first = end
	for _, at := range recovered {
		if at == 0 {
			r.last = 0
			break
		}
		r.first, r.last = min(r.first, at), max(r.last, at)
	}
	return r
}

// Every path that has expired is probed within as many packets to its destination as it
// has paths, with one and with 63 destinations, on the RTL; a stale path recovers. Where
// packets are rare, a search that starts in the first bank never probes it. The table is
// docs/units/laps_paths_reach.md.
func TestProbesReachEveryPath(t *testing.T) {
	const end = 4_000_000 // ns
	p := suite.Configure(t, "destinations=64 dst_bits=6 banks=8 rows=64 pid_bits=9 anchors=1 path_memory=bram tag_bits=4")
	var rows strings.Builder
	starved := 0
	for _, dsts := range []int{1, 63} {
		for _, interval := range []uint64{1_000, 6_000, 12_000, 50_000} {
			d := open(t, p)
			d.Set("now_ns", 0)
			for dst := range dsts {
				for _, c := range tables(p, uint64(dst)) {
					d.cycle(c)
				}
			}
			d.Step(params.CandLatency)
			got := reach(rtlProber{d, p}, dsts, interval, end)
			lowest := make(lowestProber, dsts)
			for dst := range dsts {
				for b := range reachPaths {
					lowest[dst][b].latency = reachLatency
				}
				lowest[dst][reachPaths-1].latency = reachStale
			}
			other := reach(lowest, dsts, interval, end)
			if got.packets > reachPaths || got.last == 0 {
				t.Errorf("%d destinations, a packet every %d ns: a path that has expired waits for %d packets, want at most %d; the last stale one is measured at %d ns",
					dsts, interval, got.packets, reachPaths, got.last)
			}
			if other.last == 0 {
				starved++
			}
			say := func(r reached) string {
				when := fmt.Sprintf("%.0f to %.0f µs", float64(r.first)/1000, float64(r.last)/1000)
				switch {
				case r.last == 0:
					when = fmt.Sprintf("not in %.0f ms", float64(end)/1e6)
				case dsts == 1:
					when = fmt.Sprintf("%.0f µs", float64(r.last)/1000)
				}
				return fmt.Sprintf("%s | %.1f to %.1f %%", when, float64(r.share[0])/10, float64(r.share[1])/10)
			}
			fmt.Fprintf(&rows, "| %d | %d µs | %s | %d | %s |\n", dsts, interval/1000, say(got), got.packets, say(other))
		}
	}
	if starved == 0 {
		t.Error("a search that starts in the first bank reaches every path too: the table shows nothing")
	}
	suite.Page(t, "reach", "# Probes reach every path\n\n"+
		"Eight paths to each destination, all of 5 µs, and as long back. The last one was measured at a bad moment and is taken to have\n"+
		"40 µs, so no packet is sent on it, and it has expired after 80 µs. How long does it take until a probe has measured it again? One\n"+
		"destination, or 63, which are sent to in turn, each at the interval of the row, for 4 ms. *Share of a path*: of all probes, that of the\n"+
		"path with the fewest and of the one with the most. *Packets*: the most that a path waited for from its expiry, that of its\n"+
		"probe included. The left half is the RTL of [the path tables](laps_paths.md); the right half what a search would do that always starts\n"+
		"in the first bank.\n\n"+
		"Written by `go test ./tb/laps_paths -run TestProbesReachEveryPath -update`, which also checks it.\n\n"+
		"| destinations | a packet every | measured again after | share of a path | packets | from the first bank: measured again after | share of a path |\n"+
		"|---:|---:|---:|---:|---:|---:|---:|\n"+rows.String())
}

// tables writes the paths of a destination in that network, a change a cycle.
func tables(p *params.Params, dst uint64) (out []ports) {
	const one = 15<<params.MantissaBits | 1<<15
	commit := ports{"s_cfg_valid": 1, "s_cfg_op": params.OpCommit, "s_cfg_dst": dst, "s_cfg_scale": one}
	out = append(out, commit)
	for b := range uint64(reachPaths) {
		pid, latency := b<<p.RowBits()|dst, uint64(reachLatency)
		if b == reachPaths-1 {
			latency = reachStale
		}
		out = append(out,
			ports{"s_cfg_valid": 1, "s_cfg_op": params.OpPath, "s_cfg_pid": pid, "s_cfg_dst": dst, "s_cfg_latency": latency, "s_cfg_base": reachLatency},
			ports{"s_cfg_valid": 1, "s_cfg_op": params.OpList, "s_cfg_pid": pid})
	}
	return append(out, commit)
}
