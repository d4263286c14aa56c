// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps_paths"
	model "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/model/laps_paths/place"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/benchtest"
	paths "github.com/nicgen/nicgen/tb/laps_paths"
)

// loader is a stimulus that plays hosts one after the other: after a reset it writes
// a host's tables by the sequence of nicgen place, then sends a packet and an ACK to
// every destination.
type loader struct {
	*bench.Bench[*params.Params]
	placed []*place.Placement
}

// NewStimulus implements cosim.Bench.
func (b *loader) NewStimulus(l *cosim.Layout, _ uint64) (cosim.Stimulus, error) {
	s := &loading{l: l}
	ready := b.P.ReadyDelay()
	for _, p := range b.placed {
		s.add(map[string]uint64{"rst": 1})
		s.idle(int(ready))
		for _, c := range p.Sequence() {
			v := s.add(map[string]uint64{
				"s_cfg_valid": 1, "s_cfg_op": uint64(c.Op), "s_cfg_pid": uint64(c.Pid), "s_cfg_dst": uint64(c.Dst),
				"s_cfg_scale":   c.Scale.Word(),
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
		s.idle(params.CandLatency)
		for dst := range p.Destinations {
			s.add(map[string]uint64{"s_packet_valid": 1, "s_packet_dst": uint64(dst), "s_packet_tag": uint64(dst)})
		}
		for _, e := range p.Entries {
			s.add(map[string]uint64{"s_ack_valid": 1, "s_ack_pid": uint64(e.Pid), "s_ack_delay_ns": uint64(e.LatencyNS) * 5 / 4})
		}
		for dst := range p.Destinations {
			s.add(map[string]uint64{"s_packet_valid": 1, "s_packet_dst": uint64(dst), "s_packet_tag": uint64(dst)})
		}
		s.idle(params.CandLatency + 1)
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
	l   *cosim.Layout
	all [][]uint64
	at  int
}

func (s *loading) add(ports map[string]uint64) []uint64 {
	v := make([]uint64, s.l.InWords)
	s.l.MustSlot("cfg_beta").Set(v, 1<<15)
	for name, x := range ports {
		s.l.MustSlot(name).Set(v, x)
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

// Hooks implements cosim.Stimulus.
func (s *loading) Hooks() cosim.StimulusHooks {
	return cosim.StimulusHooks{Cycles: len(s.all)}
}

// The authors' tables of every source of Rail and four of Dragonfly, placed and
// written through the configuration port: RTL and model give the same candidates to
// every packet and the same operands to every ACK, and as many candidates as the
// tables have paths.
func TestAuthorsTables(t *testing.T) {
	for _, c := range []struct {
		file    string
		sources []int64
	}{
		{"rail-pst.txt.gz", span(80, 143)},
		{"dragonfly-pst.txt.gz", []int64{36, 83, 120, 179}},
	} {
		t.Run(c.file, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../../model/laps_paths/place/testdata/" + c.file)
			if err != nil {
				t.Fatal(err)
			}
			if text, err = place.Plain(c.file, text); err != nil {
				t.Fatal(err)
			}
			p := suite.Configure(t, "destinations=143 banks=8 rows=256")
			b := &loader{Bench: paths.Unit.Bench(p)}
			candidates := 0
			for _, src := range c.sources {
				table, err := place.ReadAuthors(c.file, bytes.NewReader(text), "", nil, src, place.Costs{BaseNS: 9000})
				if err != nil {
					t.Fatal(err)
				}
				placed, err := place.Assign(p, table, 1)
				if err != nil {
					t.Fatal(err)
				}
				candidates += len(table.Paths)
				b.placed = append(b.placed, placed)
				if n := usable(p, placed); n != len(table.Paths) {
					t.Errorf("source %d: %d candidates, want %d", src, n, len(table.Paths))
				}
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
			r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: "laps_paths", Seed: 1, Cycles: uint64(s.Hooks().Cycles)})
			if err != nil {
				t.Fatal(err)
			}
			if !r.OK() {
				t.Fatalf("%s\n%s", r.Outcome, benchtest.Summary(r))
			}
			t.Logf("%d sources, %d candidates, %d cycles, %d events", len(c.sources), candidates, r.Cycles, r.Events)
			if int(r.Events) < 2*candidates {
				t.Errorf("%d events, want more than %d", r.Events, 2*candidates)
			}
		})
	}
}

// usable counts the candidates of packets to all destinations by the model.
func usable(p *params.Params, placed *place.Placement) (n int) {
	m := model.New(p)
	for _, c := range placed.Sequence() {
		m.Take(&c)
		m.Do(&c, 0, 1<<15)
	}
	var found model.Candidates
	for dst := range placed.Destinations {
		m.Packet(uint32(dst), 0, true, &found)
		for b := range 32 {
			n += int(found.Usable >> b & 1)
		}
	}
	return n
}

func span(first, last int64) (list []int64) {
	for x := first; x <= last; x++ {
		list = append(list, x)
	}
	return list
}
