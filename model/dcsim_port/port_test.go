// SPDX-License-Identifier: Apache-2.0

package dcsimport_test

import (
	"fmt"
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

// Dropped and illegal descriptors, one by one.
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

// Each class alone is first in, first out; the lowest class that may go is picked; an illegal or
// dropped frame changes nothing.
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

// busy is a time in which frames wait, with the observed frames that began in it. Clocks in which
// the line paused are not counted. Bytes are times 2^FractionBits.
type busy struct {
	begins []int64 // clocks
	takes  []int64 // bytes that each frame takes on the line, with its gap
}

// check compares a busy time with the limits of a line, over each interval from one frame's
// beginning to another's. A frame begins two clocks after the one before, or later.
//
//   - From the first frame on, at most one frame more leaves than the rate allows, and in any
//     interval no more than the line's permitted delay adds.
//   - A frame begins two clocks after the one before, or in the first clock at which all since any
//     earlier one have passed, unless the line was as late as it may be since then.
func (b *busy) check(t *rapid.T, rate, most int64) {
	for i := range b.begins {
		sum := int64(0)
		for j := i + 1; j < len(b.begins); j++ {
			sum += b.takes[j-1]
			clocks := b.begins[j] - b.begins[i]
			late := clocks*rate - sum
			if i == 0 && late < 0 || late < -(most+2)*rate-most<<params.FractionBits {
				t.Fatalf("frames %d to %d take %d bytes of the line, and it had %d", i, j-1, sum>>params.FractionBits, clocks*rate>>params.FractionBits)
			}
			if early := b.begins[j] - b.begins[j-1] - 2; early < 0 || early > 0 && late >= rate {
				t.Fatalf("frame %d begins %d clocks after the one before, and %.2f late for those from %d on", j, early+2, float64(late)/float64(rate), i)
			}
			if late >= (most-2)*rate {
				break
			}
		}
	}
}

// The line's output equals its rate exactly while frames wait, regardless of their lengths, up to
// the bound on delay. An idle line saves nothing up.
func TestLineIsExact(t *testing.T) {
	bound := false
	rapid.Check(t, func(t *rapid.T) {
		rate := rapid.Int64Range(1<<params.FractionBits, 1<<(params.RateBits+params.FractionBits)-1).Draw(t, "rate")
		if rapid.Bool().Draw(t, "slow") {
			rate = min(rate, 40<<params.FractionBits)
		}
		gap := rapid.SampledFrom([]int64{0, 0, 20, 255}).Draw(t, "gap")
		p := params.Default()
		p.QueueDepth = rapid.SampledFrom([]int64{2, 4, 32}).Draw(t, "queue_depth")
		short := rapid.IntRange(0, 8).Draw(t, "short") // of 8 frames
		l := model.NewLine(p)
		var seen busy
		clock, paused := int64(0), int64(0)
		for n := range 350 {
			random := n < 50 || n >= 300 // between them shortest frames only: a fast line becomes as late as it may be
			for !l.Free() {
				l.Idle(rate)
				clock++
			}
			idle, pause, length := 0, 0, int64(1)
			if random {
				idle = max(0, rapid.IntRange(-30, 3).Draw(t, "idle"))
				pause = max(0, rapid.IntRange(-9, 3).Draw(t, "pause"))
				length = 64
				if rapid.IntRange(0, 7).Draw(t, "which") >= short {
					length = rapid.Int64Range(1, 9216).Draw(t, "len")
				}
			}
			if idle > 0 {
				seen.check(t, rate, p.MostLate())
				seen = busy{}
			}
			for range idle {
				l.Idle(rate)
				clock++
			}
			bound = bound || l.Most(rate)
			l.Pick(rate, gap)
			clock++
			seen.begins = append(seen.begins, clock-paused)
			for range pause {
				l.Pause()
				paused++
				clock++
			}
			l.Begin(length)
			seen.takes = append(seen.takes, (length+gap)<<params.FractionBits)
			clock++
		}
		seen.check(t, rate, p.MostLate())
	})
	if !bound {
		t.Error("no line was as late as it may be")
	}
}

// mixture returns the share of the line that frames of these lengths fill, one after the other, over
// a long run.
func mixture(p *params.Params, gap int64, lengths []int64) float64 {
	rate, l := p.LineRate(), model.NewLine(p)
	bytes, clock := int64(0), int64(0)
	for n := 0; clock < 2_000_000 || n%len(lengths) > 0; clock++ {
		if !l.Free() {
			l.Idle(rate)
			continue
		}
		l.Pick(rate, gap)
		clock++
		l.Begin(lengths[n%len(lengths)])
		bytes += lengths[n%len(lengths)] + gap
		n++
	}
	return float64(bytes<<params.FractionBits) / float64(clock*rate)
}

// A frame every other clock is the most. Longer ones make up for those that are shorter than that:
// frames of two clocks in the mean fill the line, shorter ones alone do not.
func TestMixture(t *testing.T) {
	small := slices.Repeat([]int64{64}, 96) // contents of the three small queues
	for _, c := range []struct {
		gbps, gap int64
		lengths   []int64
		want      string
	}{
		{100, 0, []int64{1500, 1500, 64, 64, 64, 64}, "1.000"},
		{100, 20, []int64{1500, 1500, 64, 64, 64, 64}, "1.000"},
		{100, 0, []int64{1500, 64, 64, 64, 64}, "1.000"},
		{100, 0, append([]int64{9216}, small...), "1.000"},
		{400, 0, append([]int64{9216, 9216, 9216}, small...), "1.000"},
		{100, 20, []int64{64}, "1.000"},
		{100, 0, []int64{64}, "0.825"},
		{100, 0, []int64{77}, "0.993"},
		{100, 0, []int64{78}, "1.000"},
		{100, 0, []int64{91, 64}, "0.999"},
		{100, 0, []int64{92, 64}, "1.000"},
	} {
		p := params.Default()
		p.RateGbps = c.gbps
		if got := fmt.Sprintf("%.3f", mixture(p, c.gap, c.lengths)); got != c.want {
			t.Errorf("%d Gb/s, gap of %d bytes, frames of %d: %s of the line is used, want %s", c.gbps, c.gap, c.lengths[:min(6, len(c.lengths))], got, c.want)
		}
	}
}

// The largest lead of the port over the real line, with the defaults: shortest frames without a
// gap.
func TestMost(t *testing.T) {
	p := params.Default()
	rate, l, most := p.LineRate(), model.NewLine(p), int64(0)
	for range 100_000 {
		l.Pick(rate, 0)
		most = max(most, l.Credit())
		l.Begin(1)
	}
	if got := most >> params.FractionBits; got != 10_061 {
		t.Errorf("%d bytes, the page says 10,061", got)
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
	l := model.NewLine(p)
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
