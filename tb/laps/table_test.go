// SPDX-License-Identifier: Apache-2.0

package laps_test

import (
	"bytes"
	"os"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/laps"
	model "github.com/nicgen/nicgen/model/laps_paths"
	"github.com/nicgen/nicgen/model/laps_paths/place"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/benchtest"
	"github.com/nicgen/nicgen/tb/laps"
)

// loader is a stimulus that plays hosts one after the other: after a reset it writes a
// host's tables by the sequence of nicgen place and sends tracked packets to every
// destination. ACKs of nine in ten of them come back on their paths, each path with its own
// delay, and it sends again.
type loader struct {
	*bench.Bench[*params.Params]
	placed []*place.Placement
}

// NewStimulus implements cosim.Bench.
func (b *loader) NewStimulus(l *cosim.Layout, _ uint64) (cosim.Stimulus, error) {
	m, err := b.NewPredictor(l, true)
	if err != nil {
		return nil, err
	}
	s := &loading{l: l, m: m, usual: b.P.PortValues(), want: make([]uint64, l.OutWords), care: make([]uint64, l.OutWords)}
	for _, p := range b.placed {
		s.add(s.vector(map[string]uint64{"rst": 1}))
		s.idle(int(b.P.ReadyDelay()))
		for _, c := range p.Sequence() {
			s.write(&c)
		}
		s.idle(b.P.Delays().Cand)
		base := map[uint64]uint64{} // by path number
		for _, e := range p.Entries {
			base[uint64(e.Pid)] = uint64(e.BaseNS)
		}
		seq := uint64(0)
		send := func() {
			s.pids = s.pids[:0]
			for range 8 {
				for dst := range p.Destinations {
					s.add(s.vector(map[string]uint64{
						"s_packet_valid": 1, "s_packet_dst": uint64(dst), "s_packet_tag": uint64(dst), "s_packet_track": 1,
						"s_packet_flow": uint64(dst), "s_packet_seq": seq,
					}))
					seq++
				}
			}
			s.idle(b.P.PacketLatency() + b.P.Delays().Send)
			s.picks += len(s.pids)
		}
		send()
		for i, pid := range s.pids {
			if i%10 == 9 {
				continue // lost
			}
			s.add(s.vector(map[string]uint64{
				"s_ack_valid": 1, "s_ack_pid": pid, "s_ack_flow": uint64(i % len(p.Destinations)), "s_ack_seq": uint64(i),
				"s_ack_delay_ns": base[pid]/2 + base[pid]*(pid%7)/8,
			}))
		}
		send()
		s.idle(b.P.Delays().Operands + 1)
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

// loading is the vectors of a loader, and what the golden models answer to them.
type loading struct {
	l          *cosim.Layout
	m          cosim.Predictor
	want, care []uint64
	usual      map[string]uint64
	all        [][]uint64
	at         int
	pids       []uint64 // paths that were picked since a host began to send, in order
	picks      int
}

// vector is the inputs of a cycle: the settings, the time and some ports.
func (s *loading) vector(ports map[string]uint64) []uint64 {
	v := make([]uint64, s.l.InWords)
	for _, values := range []map[string]uint64{s.usual, {"m_lost_ready": 1, "now_ns": uint64(3 * len(s.all))}, ports} {
		for name, x := range values {
			s.l.MustSlot(name).Set(v, x)
		}
	}
	return v
}

// add adds a vector, and notes the path if the golden models pick one in its cycle.
func (s *loading) add(v []uint64) {
	s.all = append(s.all, v)
	clear(s.want)
	clear(s.care)
	s.m.Step(v, s.want, s.care)
	if s.l.MustSlot("m_path_valid").Get(s.want) == 1 {
		s.pids = append(s.pids, s.l.MustSlot("m_path_pid").Get(s.want))
	}
}

// write adds a change of the control plane.
func (s *loading) write(c *model.Change) {
	v := s.vector(map[string]uint64{
		"s_cfg_valid": 1, "s_cfg_op": uint64(c.Op), "s_cfg_pid": uint64(c.Pid), "s_cfg_dst": uint64(c.Dst),
		"s_cfg_scale": c.Scale.Word(), "s_cfg_latency": uint64(c.Delay), "s_cfg_base": uint64(c.Base),
	})
	var anchors []uint64
	for i, a := range c.Anchors {
		if i%2 == 0 {
			anchors = append(anchors, 0)
		}
		anchors[i/2] |= uint64(a) << (32 * (i % 2))
	}
	s.l.MustSlot("s_cfg_anchors").Write(v, anchors)
	s.add(v)
}

func (s *loading) idle(n int) {
	for range n {
		s.add(s.vector(nil))
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

// The authors' tables of every source of Rail and of four of Dragonfly, placed and written
// through the configuration port: RTL and model give every packet the same path, with
// either picker, every ACK the same rate, and the same segments are lost.
func TestAuthorsTables(t *testing.T) {
	for _, c := range []struct {
		name, file, set string
		sources         []int64
	}{
		{"Rail", "rail-pst.txt.gz", "", span(80, 143)},
		{"Dragonfly", "dragonfly-pst.txt.gz", " picker=lookup", []int64{36, 83, 120, 179}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			text, err := os.ReadFile("../../model/laps_paths/place/testdata/" + c.file)
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
				least += 16 * len(placed.Destinations)
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
			r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: "laps", Seed: 1, Cycles: uint64(s.Hooks().Cycles)})
			if err != nil {
				t.Fatal(err)
			}
			if !r.OK() {
				t.Fatalf("%s\n%s", r.Outcome, benchtest.Summary(r))
			}
			t.Logf("%d sources, %d cycles, %d events", len(c.sources), r.Cycles, r.Events)
			if s.(*loading).picks != least {
				t.Errorf("%d picks, want %d", s.(*loading).picks, least)
			}
		})
	}
}

func span(first, last int64) (list []int64) {
	for x := first; x <= last; x++ {
		list = append(list, x)
	}
	return list
}
