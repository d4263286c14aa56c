// SPDX-License-Identifier: Apache-2.0

package dcsimport_test

import (
	"fmt"
	"math/big"
	"slices"
	"testing"

	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/dcsim_port"
	model "github.com/nicgen/nicgen/model/dcsim_port"
)

var limits = model.Limits{Queue: 12, DataPackets: 24, DataBytes: 30_000}

// DV4: no token is available, twelve SIMs wait, and the 13th is dropped. One that leaves makes
// room for one.
func TestThirteenth(t *testing.T) {
	q := model.New(params.Default())
	for i := range uint64(13) {
		want := model.Queued
		if i == 12 {
			want = model.Dropped
		}
		if got := q.Arrive(model.Frame{Class: model.SIM, Len: 64, Tag: i}, limits); got != want {
			t.Errorf("SIM %d: outcome %d, want %d", i+1, got, want)
		}
	}
	if f := q.Leave(model.SIM); f.Tag != 0 {
		t.Errorf("SIM %d leaves, want the first", f.Tag)
	}
	for _, want := range []model.Outcome{model.Queued, model.Dropped} {
		if got := q.Arrive(model.Frame{Class: model.SIM, Len: 64}, limits); got != want {
			t.Errorf("outcome %d after one left, want %d", got, want)
		}
	}
}

// What is dropped, and what is illegal, hand by hand.
func TestArrive(t *testing.T) {
	p := params.Default()
	for _, c := range []struct {
		name string
		f    model.Frame
		l    model.Limits
		want model.Outcome
	}{
		{"shortest", model.Frame{Class: model.Data, Len: 1}, limits, model.Queued},
		{"longest", model.Frame{Class: model.Data, Len: 9216}, limits, model.Queued},
		{"too long", model.Frame{Class: model.Data, Len: 9217}, limits, model.Illegal},
		{"none", model.Frame{Class: model.SIM}, limits, model.Illegal},
		{"class 4", model.Frame{Class: 4, Len: 64}, limits, model.Illegal},
		{"class 7", model.Frame{Class: 7, Len: 64}, limits, model.Illegal},
		{"as many bytes as there are", model.Frame{Class: model.Data, Len: 1500}, model.Limits{Queue: 1, DataPackets: 1, DataBytes: 1500}, model.Queued},
		{"one more", model.Frame{Class: model.Data, Len: 1501}, model.Limits{Queue: 1, DataPackets: 1, DataBytes: 1500}, model.Dropped},
		{"bytes do not bound SIMs", model.Frame{Class: model.SIM, Len: 1501}, model.Limits{Queue: 1, DataPackets: 1, DataBytes: 1500}, model.Queued},
		{"no queue for SIM-ACKs", model.Frame{Class: model.SIMAck, Len: 64}, model.Limits{Queue: 0, DataPackets: 1, DataBytes: 1500}, model.Dropped},
	} {
		if got := model.New(p).Arrive(c.f, c.l); got != c.want {
			t.Errorf("%s: outcome %d, want %d", c.name, got, c.want)
		}
	}
}

// Each class by itself is first in, first out; the lowest that may go is picked; a frame that is
// illegal or dropped changes nothing.
func TestOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := params.Default()
		q := model.New(p)
		var lists [model.Classes][]model.Frame
		for i := range uint64(rapid.IntRange(1, 400).Draw(t, "events")) {
			if rapid.Bool().Draw(t, "arrives") {
				f := model.Frame{Class: rapid.Uint64Range(0, 4).Draw(t, "class"), Len: rapid.Uint64Range(0, 9300).Draw(t, "len"), Tag: i}
				bytes := uint64(0)
				for _, d := range lists[model.Data] {
					bytes += d.Len
				}
				want := model.Queued
				switch {
				case f.Class > 3 || f.Len == 0 || f.Len > 9216:
					want = model.Illegal
				case f.Class == model.Data && (len(lists[model.Data]) == 24 || bytes+f.Len > 30_000), f.Class < model.Data && len(lists[f.Class]) == 12:
					want = model.Dropped
				default:
					lists[f.Class] = append(lists[f.Class], f)
				}
				if got := q.Arrive(f, limits); got != want {
					t.Fatalf("%+v: outcome %d, want %d", f, got, want)
				}
				continue
			}
			token := rapid.Bool().Draw(t, "token")
			var some [model.Classes]bool
			want := -1
			for c := model.Data; c >= 0; c-- {
				some[c] = q.Len(c) > 0
				if len(lists[c]) > 0 && (c != model.SIM || token) {
					want = c
				}
			}
			class, ok := model.Pick(some, token)
			if ok != (want >= 0) || ok && class != want {
				t.Fatalf("class %d, %t, want %d", class, ok, want)
			}
			if ok {
				if f := q.Leave(class); f != lists[class][0] {
					t.Fatalf("%+v leaves, want %+v", f, lists[class][0])
				}
				lists[class] = lists[class][1:]
			}
		}
	})
}

// A line in real numbers: a frame begins in the first clock, but not before the second after the
// one before, from which on the line is free. Its time counts from when the line fell free, if
// that is less than a clock ago; else from the clock.
func TestLineIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Int64Range(1<<params.FractionBits, 1<<(params.RateBits+params.FractionBits)-1).Draw(t, "rate")
		if rapid.Bool().Draw(t, "slow") {
			rate = min(rate, 40<<params.FractionBits)
		}
		gap := rapid.Int64Range(0, 255).Draw(t, "gap")
		var l model.Line
		free := big.NewRat(1, 1) // when: at first, for the first frame
		clock, first := int64(0), int64(1)
		for range 50 {
			idle := rapid.SampledFrom([]int64{0, 0, 0, 1, 30}).Draw(t, "idle")
			pause := rapid.SampledFrom([]int64{0, 0, 0, 1, 5}).Draw(t, "pause")
			for !l.Free() {
				l.Idle(rate)
				clock++
			}
			for range idle {
				l.Idle(rate)
				clock++
			}
			l.Pick(rate, gap)
			clock++
			begin := big.NewRat(clock, 1)
			if idle == 0 { // the first clock at which it could
				want := max(first, new(big.Int).Div(new(big.Int).Add(free.Num(), new(big.Int).Sub(free.Denom(), big.NewInt(1))), free.Denom()).Int64())
				if clock != want {
					t.Fatalf("begins in clock %d, want %d: free at %s", clock, want, free.FloatString(3))
				}
			}
			for range pause {
				l.Pause()
				clock++
			}
			length := rapid.Int64Range(1, 9216).Draw(t, "len")
			if rapid.Bool().Draw(t, "short") {
				length = 64
			}
			l.Begin(length)
			if idle > 0 || new(big.Rat).Sub(begin, free).Cmp(big.NewRat(2, 1)) >= 0 {
				free.Set(begin)
			}
			free.Add(free, big.NewRat(pause, 1)).Add(free, big.NewRat((length+gap)<<params.FractionBits, rate))
			clock++
			first = clock + 1
		}
	})
}

// A frame every other clock is the most: without a gap frames of 64 bytes are shorter, and a line
// with long frames between them is not filled, as the page says. With a gap of 20 bytes it is.
func TestMixture(t *testing.T) {
	rate := params.Default().LineRate()
	for gap, want := range map[int64]string{0: "0.976", 20: "1.000"} {
		var l model.Line
		bytes, clock, n := int64(0), int64(0), 0
		for ; n < 600_000; clock++ {
			if !l.Free() {
				l.Idle(rate)
				continue
			}
			l.Pick(rate, gap)
			clock++
			length := []int64{1500, 1500, 64, 64, 64, 64}[n%6]
			l.Begin(length)
			bytes += length + gap
			n++
		}
		if got := fmt.Sprintf("%.3f", float64(bytes<<params.FractionBits)/float64(clock*rate)); got != want {
			t.Errorf("gap of %d bytes: %s of the line is used, want %s", gap, got, want)
		}
	}
}

// 148.8 million frames of 64 bytes a second: at 100 Gb/s and 322.265625 MHz one each 2.166
// clocks, with preamble and gap. 40 GB later none is late.
func TestShortestFrames(t *testing.T) {
	p := params.Default()
	rate := p.LineRate()
	if rate != 158875 { // 38.7878… bytes a clock
		t.Fatalf("rate %d", rate)
	}
	var l model.Line
	var begins []int64
	for clock := int64(0); len(begins) < 1_000_000; clock++ {
		if !l.Free() {
			l.Idle(rate)
			continue
		}
		l.Pick(rate, p.GapBytes)
		clock++
		begins = append(begins, clock)
		l.Begin(64)
	}
	for i, c := range begins {
		if want := 1 + (int64(i)*84<<params.FractionBits+rate-1)/rate; c != want {
			t.Fatalf("frame %d begins in clock %d, want %d", i, c, want)
		}
	}
	gaps := []int64{begins[1] - begins[0], begins[2] - begins[1], begins[3] - begins[2], begins[4] - begins[3], begins[5] - begins[4], begins[6] - begins[5]}
	if want := []int64{3, 2, 2, 2, 2, 2}; !slices.Equal(gaps, want) {
		t.Errorf("gaps %v, want %v", gaps, want)
	}
	if mpps := float64(len(begins)-1) / float64(begins[len(begins)-1]-1) * float64(p.ClockHz) / 1e6; mpps < 148.80 || mpps > 148.81 {
		t.Errorf("%.3f million frames a second", mpps)
	}
}

func ExamplePick() {
	fmt.Println(model.Pick([model.Classes]bool{model.SIM: true, model.Data: true}, true))
	fmt.Println(model.Pick([model.Classes]bool{model.SIM: true, model.Data: true}, false))
	fmt.Println(model.Pick([model.Classes]bool{model.SIM: true}, false))
	// Output:
	// 0 true
	// 3 true
	// 0 false
}
