// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"flag"
	"math"
	"math/rand/v2"
	"testing"

	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

var paced = flag.Int64("paced", 0, "ms of TestRates; 0: 2 in a short test, else 10")

// line holds a connection's departures: each packet's first beat, and the bytes on the wire before it. The slope of
// the line nearest to them is the time of a byte.
type line struct {
	n, t, b, bb, bt float64
	bytes           float64
}

func (l *line) leaves(ns float64, wire int) {
	l.n, l.t, l.b = l.n+1, l.t+ns, l.b+l.bytes
	l.bb, l.bt = l.bb+l.bytes*l.bytes, l.bt+l.bytes*ns
	l.bytes += float64(wire)
}

// rate is in bytes a ns.
func (l *line) rate() float64 { return (l.n*l.bb - l.b*l.b) / (l.n*l.bt - l.b*l.t) }

// Each of 256 connections has its rate, with 90 % of the line in use, and jumbo frames among frames of 66 and 1,514 bytes.
func TestRates(t *testing.T) {
	p := params.Default()
	ms, most := *paced, 0.0005
	if ms == 0 {
		ms = 10
		if testing.Short() {
			ms, most = 2, 0.002
		}
	}
	s := start(t, build(t, p), p, device.Config{Seed: 1})
	// A visit for each packet: else some leave together, and the time of one tells less.
	if err := s.Settings("gate", map[string]uint64{"cfg_quantum": 1}); err != nil {
		t.Fatal(err)
	}
	const conns, load = 256, 0.9
	sum := 0
	for i := range conns {
		sum += 2 + i%3
	}
	rates := make([]float64, conns)
	for i := range conns {
		rates[i] = load * 12.5 * float64(2+i%3) / float64(sum)
		profile := device.Profile{Queue: true, Path: true, DSCP: -1, ECN: -1}
		if _, err := s.Open(t.Context(), device.Connection{Remote: there, Numbers: []uint32{0x100 + uint32(i)}, Profile: profile, Rate: rates[i]}); err != nil {
			t.Fatal(err)
		}
	}
	s.Rebase()
	type waiting struct{ wire, inside []int }
	r := rand.New(rand.NewPCG(1, 2))
	queue := make([]waiting, conns)
	lines := make([]line, conns)
	psn := make([]uint32, conns)
	give := func(i int) { // as much as the connection needs until it is looked at again
		q := &queue[i]
		for total := 0; ; {
			total = 0
			for _, n := range q.inside {
				total += n
			}
			if len(q.inside) >= 2 && total > 1600 {
				return
			}
			n := []int{8, 1456, 1456, 1456}[r.IntN(4)]
			if r.IntN(24) == 0 {
				n = 9156
			}
			f := rc(t, opUCSend, here, there, 0x100+uint32(i), psn[i], n)
			psn[i]++
			q.inside = append(q.inside, len(f)+device.Gap)
			s.Host(s.Now(), f)
		}
	}
	for i := range conns {
		give(i)
	}
	begin := agenda.At(500_000) // all began at once: until then some are late
	until := begin + agenda.At(uint64(ms)*1_000_000)
	bytes := 0
	for s.Now() < until {
		var gone []int
		if err := s.Run(t.Context(), s.Now()+agenda.At(1000), func(l device.Left) {
			i := int(l.Data[49]) // the low byte of the queue pair's number
			wire := len(l.Data) + device.Gap
			if l.ToHost || queue[i].inside[0] != wire {
				t.Fatalf("connection %d: a frame of %d bytes, want %d", i, wire, queue[i].inside[0])
			}
			queue[i].inside = queue[i].inside[1:]
			if l.First >= begin {
				lines[i].leaves(float64(l.First)/agenda.PS, wire)
				bytes += wire
			}
			gone = append(gone, i)
		}); err != nil {
			t.Fatal(err)
		}
		for _, i := range gone {
			give(i)
		}
	}
	worst, square, at := 0.0, 0.0, 0
	for i := range lines {
		e := math.Abs(lines[i].rate()/rates[i] - 1)
		square += e * e / conns
		if e > worst {
			worst, at = e, i
		}
	}
	drops, err := s.Counters("queue")
	if err != nil {
		t.Fatal(err)
	}
	if n := drops["sts_full_cnt"] + drops["sts_quota_cnt"]; n > 0 {
		t.Errorf("%d packets were dropped: the host gives too much", n)
	}
	used := float64(bytes) / 12.5 / float64(ms) / 1e6
	t.Logf("%d ms, %.2f %% of the line; largest error of a rate %.4f %% (connection %d), root of the mean square %.4f %%", ms, 100*used, 100*worst, at, 100*math.Sqrt(square))
	if worst > most || math.Abs(used-load) > 0.01 {
		t.Errorf("an error of %.4f %%, want at most %.4f %%; %.2f %% of the line, want %.0f %%", 100*worst, 100*most, 100*used, 100*load)
	}
}
