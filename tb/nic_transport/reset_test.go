// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// cutting is a stimulus whose conversations are cut by resets of a length; after each, software reads all counters,
// which have to be 0.
type cutting struct {
	*stimulus
	length int
	resets int
	left   int // cycles of traffic until the next one
	reads  []access
	names  map[uint32]string
	wrong  error
}

func newCutting(p *params.Params, l *cosim.Layout, length int) (*cutting, error) {
	x, err := newStimulus(p, l, uint64(length))
	if err != nil {
		return nil, err
	}
	s := &cutting{stimulus: x.(*stimulus), length: length, left: 600, names: map[uint32]string{}}
	for _, at := range s.m.Places() {
		name := at.Block.Name + "." + at.Register.Name
		if at.Register.Kind != csr.Counter || !strings.HasSuffix(name, "_cnt") || name == "pace.sts_late_cnt" { // of the time
			continue
		}
		s.reads = append(s.reads, access{address: at.Address(), read: true})
		s.names[at.Address()] = name
	}
	return s, nil
}

// Next implements cosim.Stimulus.
func (s *cutting) Next(in []uint64) {
	s.stimulus.Next(in)
	s.pins.rReady.Raise(in)
}

// Hooks implements cosim.Stimulus.
func (s *cutting) Hooks() cosim.StimulusHooks { return cosim.StimulusHooks{React: s.react} }

func (s *cutting) react(got []uint64) {
	if s.phase == programming && s.bus.answer && s.program[0].read && s.pins.rValid.On(got) {
		if n := s.pins.rData.Get(got); n != 0 && s.wrong == nil {
			s.wrong = fmt.Errorf("after reset %d: %s is %d, want 0", s.resets, s.names[s.program[0].address], n)
		}
	}
	talks := s.phase == talking
	s.stimulus.react(got)
	if !talks {
		return
	}
	if s.left--; s.left > 0 && s.phase == talking {
		return
	}
	s.left = 200 + s.rng.IntN(1000)
	s.begin(resetting)
	s.stimulus.left = s.length
	s.resets++
	if err := s.episode(); err != nil {
		s.wrong = err
	}
	s.program = append(append([]access(nil), s.reads...), s.program...)
}

// cutBugs are mistakes that only a reset in traffic shows.
var cutBugs = []bug{
	{"a search from the host outlives a reset", find, "if (rst) begin @ rx_finding_q", "tx_finding_q <= 1'b0; m_tx_valid <= 1'b0;", ""},
	{"a search from the wire outlives a reset", find, "@ end end nic_lib_delay #( .WIDTH (1 + 16), .CYCLES (2) ) tx_finding (", "rx_finding_q <= 1'b0; m_rx_valid <= 1'b0;", ""},
	{"a visit outlives a reset", stored, "queue_m_done_valid}); if (@) begin", "rst", "1'b0"},
	{"inside, a reset is as short as rst", top, " rst_q <= @;", "rst_next", "rst"},
}

// Resets of one, two and three cycles, in traffic: no frame in flight remains, in the block or in its counters.
func TestShortResets(t *testing.T) {
	t.Parallel()
	b := withBugs(t, small, cutBugs).(*bench.Bench[*params.Params])
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	// run returns what is wrong in a run with some resets, with one of the bugs, or with none.
	run := func(t *testing.T, number, length, resets int) error {
		s, err := newCutting(b.P, l, length)
		if err != nil {
			t.Fatal(err)
		}
		c, err := New(b.P, l)
		if err != nil {
			t.Fatal(err)
		}
		x, err := lib.New(cosim.InstanceOptions{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		defer x.Close()
		in, got := make([]uint64, l.InWords), make([]uint64, l.OutWords)
		for s.resets < resets {
			if c.cycle > uint64(resets)*mostCycles {
				return fmt.Errorf("%d of %d resets after %d cycles", s.resets, resets, c.cycle)
			}
			clear(in)
			s.Next(in)
			l.MustSlot(planted).Set(in, uint64(number))
			if _, err := x.Run(in, got); err != nil {
				t.Fatal(err)
			}
			s.react(got)
			if err := errors.Join(c.Step(in, got), s.wrong); err != nil {
				return err
			}
		}
		t.Logf("%d cycles, %d resets, %v", c.cycle, s.resets, c)
		return nil
	}
	for length := 1; length <= 3; length++ {
		t.Run(fmt.Sprint(length), func(t *testing.T) {
			if err := run(t, 0, length, cuts); err != nil {
				t.Error(err)
			}
		})
	}
	for i, x := range cutBugs {
		t.Run(x.name, func(t *testing.T) {
			err := run(t, i+1, 1, searchedCuts)
			if err == nil {
				t.Fatal("not noticed")
			}
			t.Log(err)
		})
	}
}

// Resets of a run, and those among which a bug has to be noticed.
const (
	cuts         = 24
	searchedCuts = 60
	mostCycles   = 20_000 // for each of them
)

// Frames that did not come are missed at the reset after their conversation, not only at the end of a run.
func TestLeftOver(t *testing.T) {
	b := benchOf(t, small)
	lib, err := cosim.Build(t.Context(), b.Source(), cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	l := lib.Layout()
	in, out := record(t.Context(), t, lib, b, 30_000, 1)
	for _, stream := range []string{"", "m_axis_tx_tvalid", "m_axis_rx_tvalid"} {
		c, err := New(b.P, l)
		if err != nil {
			t.Fatal(err)
		}
		got := make([]uint64, l.OutWords)
		for i := range len(in) / l.InWords {
			copy(got, out[i*l.OutWords:(i+1)*l.OutWords])
			if stream != "" {
				l.MustSlot(stream).Set(got, 0)
			}
			if err := c.Step(in[i*l.InWords:(i+1)*l.InWords], got); err != nil {
				t.Fatalf("%q: within the conversation: %v", stream, err)
			}
		}
		v := make([]uint64, l.InWords)
		l.MustSlot("rst").Set(v, 1)
		if err := c.Step(v, got); (err != nil) != (stream != "") {
			t.Errorf("without %q: at the reset: %v", stream, err)
		}
	}
}
