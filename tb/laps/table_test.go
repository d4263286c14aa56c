// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	lapspaths "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/place"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/laps"
)

// loader is a stimulus that plays hosts one after the other: after a reset it writes a
// host's tables by the sequence of nicgen place, then sends tracked packets to every
// destination, lets an ACK come back on every path, and sends again.
type loader struct {
	*bench.Bench[*params.Params]
	placed []*place.Placement
}

// NewStimulus implements cosim.Bench.
func (b *loader) NewStimulus(l *cosim.Layout, _ uint64) (cosim.Stimulus, error) {
	s := &loading{l: l, usual: b.P.PortValues()}
	for _, p := range b.placed {
		s.add(map[string]uint64{"rst": 1})
		s.idle(int(b.P.ReadyDelay()))
		for _, c := range p.Sequence() {
			v := s.add(map[string]uint64{
				"s_cfg_valid": 1, "s_cfg_op": uint64(c.Op), "s_cfg_pid": uint64(c.Pid), "s_cfg_dst": uint64(c.Dst),
				"s_cfg_scale":   uint64(c.Scale.Exponent)<<lapspaths.MantissaBits | uint64(c.Scale.Mantissa),
				"s_cfg_latency": uint64(c.Delay), "s_cfg_base": uint64(c.Base),
			})
			var anchors []uint64
			for i, a := range c.Anchors {
				if i%2 == 0 {
					anchors = append(anchors, 0)
				}
				anchors[i/2] |= uint64(a) << (32 * (i % 2))
			}
			l.MustSlot("s_cfg_anchors").Write(v, anchors)
		}
		s.idle(lapspaths.CandLatency)
		seq := uint64(0)
		send := func() {
			for range 8 {
				for dst := range p.Destinations {
					s.add(map[string]uint64{
						"s_packet_valid": 1, "s_packet_dst": uint64(dst), "s_packet_tag": uint64(dst), "s_packet_track": 1,
						"s_packet_flow": uint64(dst), "s_packet_seq": seq,
					})
					seq++
				}
			}
			s.idle(b.P.PacketLatency())
		}
		send()
		for _, e := range p.Entries {
			s.add(map[string]uint64{"s_ack_valid": 1, "s_ack_pid": uint64(e.Pid), "s_ack_flow": uint64(e.Pid % 64), "s_ack_delay_ns": uint64(e.LatencyNS) * 5 / 4})
		}
		send()
		s.idle(lapspaths.RateLatency + 1)
	}
	return s, nil
}

// Points implements cosim.Bench: tables reach few, and none is required.
func (b *loader) Points() []cosim.Point {
	list := b.Bench.Points()
	for i := range list {
		list[i].Required = false
	}
	return list
}

// loading is the vectors of a loader.
type loading struct {
	l     *cosim.Layout
	usual map[string]uint64
	all   [][]uint64
	at    int
}

func (s *loading) add(ports map[string]uint64) []uint64 {
	v := make([]uint64, s.l.InWords)
	for _, values := range []map[string]uint64{s.usual, {"m_lost_ready": 1, "now_ns": uint64(3 * len(s.all))}, ports} {
		for name, x := range values {
			s.l.MustSlot(name).Set(v, x)
		}
	}
	s.all = append(s.all, v)
	return v
}

func (s *loading) idle(n int) {
	for range n {
		s.add(nil)
	}
}

// Next implements cosim.Stimulus.
func (s *loading) Next(in []uint64) {
	copy(in, s.all[s.at])
	s.at++
}

// Cycles implements cosim.Finite.
func (s *loading) Cycles() int { return len(s.all) }

// The authors' tables of sources of Rail and Dragonfly, placed and written through the
// configuration port: RTL and model give every packet the same path, with either
// picker, and every ACK the same rate.
func TestAuthorsTables(t *testing.T) {
	for _, c := range []struct {
		name, file, set string
		sources         []int64
	}{
		{"Rail", "rail-pst.txt.gz", "", []int64{80, 111, 143}},
		{"Dragonfly", "dragonfly-pst.txt.gz", " picker=lookup", []int64{36, 179}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../../place/testdata/" + c.file)
			if err != nil {
				t.Fatal(err)
			}
			if text, err = place.Plain(c.file, text); err != nil {
				t.Fatal(err)
			}
			p := suite.Configure(t, "destinations=143 banks=8 rows=256"+c.set)
			b := &loader{Bench: laps.Unit.Bench(p)}
			least := 0
			for _, src := range c.sources {
				table, err := place.ReadAuthors(c.file, bytes.NewReader(text), "", nil, src, place.Costs{BaseNS: 9000})
				if err != nil {
					t.Fatal(err)
				}
				placed, err := place.Assign(p.Parts().Paths, table, 1)
				if err != nil {
					t.Fatal(err)
				}
				least += 16*len(placed.Destinations) + len(placed.Entries)
				b.placed = append(b.placed, placed)
			}
			if err := b.Prepare(); err != nil {
				t.Fatal(err)
			}
			l, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			s, err := b.NewStimulus(l.Layout(), 1)
			if err != nil {
				t.Fatal(err)
			}
			r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: "laps", Seed: 1, Cycles: uint64(s.(cosim.Finite).Cycles())})
			if err != nil {
				t.Fatal(err)
			}
			if !r.OK() {
				t.Fatalf("%s\n%s", r.Outcome, benchtest.Summary(r))
			}
			t.Logf("%d sources, %d cycles, %d events", len(c.sources), r.Cycles, r.Events)
			if int(r.Events) < least {
				t.Errorf("%d events, want at least %d", r.Events, least)
			}
		})
	}
}
