// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/dcsim_source"
	model "github.com/nicgen/nicgen/model/dcsim_source"
)

// DV5: two DATAs, exactly two SIMs. The first SIM-ACK, for either SIM, takes the first DATA, and
// leaves n_SIM = n_DATA = 1: no new SIM.
func TestTwoDatas(t *testing.T) {
	s := model.New(params.Default())
	if ok, joins := s.Data(3, 2); !ok || !joins {
		t.Fatal("new DATAs are refused")
	}
	first, stays := s.Queue(3)
	if !stays {
		t.Fatal("the flow wants one SIM, want two")
	}
	second, stays := s.Queue(3)
	if stays {
		t.Fatal("the flow wants a third SIM (D1)")
	}
	for i, sim := range []*model.SIM{first, second} {
		s.Number(sim)
		s.Step()
		s.Send(sim, uint64(10+i))
	}
	if s.Port(first) == s.Port(second) {
		t.Fatal("two SIMs have one port (D5)")
	}
	got := s.Ack(s.Port(second))
	if got != second {
		t.Fatal("the SIM-ACK is not of the second SIM")
	}
	if s.Ack(s.Port(second)) != nil {
		t.Error("a SIM-ACK counts twice (D2)")
	}
	s.Match(got, 20)
	if f := s.Flow(3); got.Seq != 0 || got.Sent != 11 || f.NSIM != 1 || f.NDATA != 1 || f.Wants() != 0 {
		t.Errorf("DATA %d of the SIM of %d, n_SIM %d, n_DATA %d; want DATA 0 of 11, 1 and 1", got.Seq, got.Sent, f.NSIM, f.NDATA)
	}
	s.Due(first)
	if s.Ack(s.Port(first)) != nil {
		t.Error("a SIM-ACK counts after RTTmax (D3)")
	}
	if joins := s.Late(3); !joins || s.Flow(3).NSIM != 0 {
		t.Error("a SIM timed out and the flow does not want another")
	}
}

// D15: DATAs that timed out go to the head, each before those there.
func TestHeadOfTheQueue(t *testing.T) {
	s := model.New(params.Default())
	s.Data(0, 9)
	take := func() uint64 {
		sim, _ := s.Queue(0)
		s.Match(sim, 1)
		return sim.Seq
	}
	var got []uint64
	for range 3 {
		got = append(got, take())
	}
	for _, seq := range []uint64{1, 2} {
		s.Reserve()
		s.Head(0, seq)
		s.Again(0)
	}
	for range 4 {
		got = append(got, take())
	}
	if want := []uint64{0, 1, 2, 2, 1, 3, 4}; !slices.Equal(got, want) {
		t.Errorf("DATAs %v, want %v", got, want)
	}
}

// A refused call changes nothing.
func TestRefused(t *testing.T) {
	p := params.Default()
	p.WantBits = 12
	s := model.New(p)
	for i, x := range []struct {
		flow  uint64
		count int64
		ok    bool
	}{{256, 1, false}, {0, 0, false}, {0, 2047, true}, {0, 255, true}, {0, 1, false}, {1, 1, true}} {
		if ok, _ := s.Data(x.flow, x.count); ok != x.ok {
			t.Errorf("%d: %d DATAs of flow %d: accepted %t, want %t", i, x.count, x.flow, ok, x.ok)
		}
	}
	if n := s.Flow(0).NDATA; n != 2302 {
		t.Errorf("%d DATAs, want 2302", n)
	}
}

// Eq. 3, n_SIM <= n_DATA, holds after any events, so that a SIM-ACK always finds a DATA (D4):
// counting SIMs when they are queued (D1) is enough. Ports of SIMs in use differ (D5).
func TestInvariants(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := params.Default()
		p.Flows, p.Outstanding, p.PortBits = 3, 16, 8
		s := model.New(p)
		var out []*model.SIM
		var lost []*model.SIM
		for range rapid.IntRange(1, 200).Draw(t, "events") {
			flow := rapid.Uint32Range(0, 2).Draw(t, "flow")
			f := s.Flow(flow)
			switch kind := rapid.IntRange(0, 4).Draw(t, "kind"); {
			case kind == 0:
				s.Data(uint64(flow), rapid.Int64Range(0, 5).Draw(t, "count"))
			case kind == 1 && f.Wants() > 0 && len(out) < 15 && slot(out) < 15:
				sim, _ := s.Queue(flow)
				s.Number(sim)
				s.Step()
				s.Send(sim, 1)
				for _, other := range out {
					if s.Port(other) == s.Port(sim) {
						t.Fatalf("slots %d and %d have one port", other.Slot, sim.Slot)
					}
				}
				if s.Slot(s.Port(sim)) != sim.Slot {
					t.Fatalf("port %x is not of slot %d", s.Port(sim), sim.Slot)
				}
				out = append(out, sim)
			case kind == 2 && len(out) > 0:
				i := rapid.IntRange(0, len(out)-1).Draw(t, "sim")
				if s.Ack(s.Port(out[i])) != nil {
					s.Match(out[i], 1)
					lost = append(lost, out[i])
				}
			case kind == 3 && len(out) > 0:
				s.Due(out[0])
				if !out[0].Acked {
					s.Late(out[0].Flow)
				}
				out = out[1:]
			case kind == 4 && len(lost) > 0:
				s.Reserve()
				s.Head(lost[0].Flow, lost[0].Seq)
				s.Again(lost[0].Flow)
				lost = lost[1:]
			}
			for flow := range uint32(3) {
				if f := s.Flow(flow); f.NSIM < 0 || f.NSIM > f.NDATA || int64(len(f.Again)) > f.NDATA {
					t.Fatalf("flow %d: %+v", flow, *f)
				}
			}
		}
	})
}

// slot returns the distance from the oldest SIM in use to the next slot.
func slot(out []*model.SIM) uint64 {
	if len(out) == 0 {
		return 0
	}
	return (out[len(out)-1].Slot + 1 - out[0].Slot) % 16
}

// The generator passes through all 2^31-1 nonzero states: its polynomial is primitive, as 2^31-1 is
// prime and x^(2^31) = x modulo x^31 + x^28 + 1.
func TestRandomPeriod(t *testing.T) {
	mul := func(a, b uint64) (c uint64) {
		for ; b > 0; b >>= 1 {
			if b&1 == 1 {
				c ^= a
			}
			if a <<= 1; a>>31 == 1 {
				a ^= 1<<31 | 1<<28 | 1
			}
		}
		return c
	}
	x := uint64(2)
	for range 31 {
		x = mul(x, x)
	}
	if x != 2 {
		t.Errorf("x^(2^31) is %x, want x", x)
	}
	// In words of six bits, all of them are alike over a long run.
	r, seen := model.NewRandom(1, 6), [64]int{}
	for range 64 * 10_000 {
		seen[r.Word()]++
		r.Step()
	}
	for word, n := range seen {
		if n < 9_500 || n > 10_500 {
			t.Errorf("word %d came %d times of 640,000", word, n)
		}
	}
}
