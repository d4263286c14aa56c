// SPDX-License-Identifier: Apache-2.0

package repsdetector_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	params "github.com/nicgen/nicgen/gen/reps_detector"
	model "github.com/nicgen/nicgen/model/reps_detector"
)

// sample is an RTT that was seen.
type sample struct{ at, rtt uint64 }

// literal implements Appendix A word for word: the largest RTT of the window before the
// timeout, over all samples on record.
func literal(samples []sample, now, window, threshold uint64) model.Cause {
	largest, any := uint64(0), false
	for _, s := range samples {
		if now-s.at <= window {
			largest, any = max(largest, s.rtt), true
		}
	}
	if any && largest >= threshold {
		return model.Congestion // "the maximum RTT is high: likely lost due to congestion"
	}
	return model.Failure
}

// One time a connection gives the verdict that all samples of the window give.
func TestEqualsLargestRTTOfTheWindow(t *testing.T) {
	const threshold = 20
	verdicts := map[model.Cause]int{}
	for seed := range uint64(50) {
		r := rand.New(rand.NewPCG(seed, 1))
		p := params.Default()
		p.Connections = 3
		p.RTTThresholdNS, p.WindowNS = threshold, r.Int64N(200)
		d := model.New(p)
		var seen [3][]sample
		var now uint64
		for range 2000 {
			now += r.Uint64N(20) * r.Uint64N(2)
			c := uint32(r.IntN(3))
			switch r.IntN(8) {
			case 0:
				want := literal(seen[c], now, uint64(p.WindowNS), threshold)
				if got := d.Timeout(c, now); got != want {
					t.Fatalf("seed %d, %d ns, window %d ns: %v, want %v of the samples %v", seed, now, p.WindowNS, got, want, seen[c])
				}
				verdicts[want]++
			case 1:
				if r.IntN(10) == 0 {
					d.Flush(c)
					seen[c] = nil
				}
			default:
				s := sample{now, r.Uint64N(threshold + 3)}
				d.RTT(c, s.rtt, now)
				seen[c] = append(seen[c], s)
			}
		}
	}
	if verdicts[model.Failure] < 1000 || verdicts[model.Congestion] < 1000 {
		t.Errorf("verdicts %v, want many of both", verdicts)
	}
}

// tumbling is the authors' simulator: one window, and when it has ended, the next
// sample begins a new one and all before is forgotten.
type tumbling struct{ start, largest uint64 }

func (w *tumbling) rtt(rtt, now, window uint64) {
	if now-w.start > window {
		*w = tumbling{start: now}
	}
	w.largest = max(w.largest, rtt)
}

// Just after a tumbling window has ended, the authors' simulator takes a
// congestion drop for a failure; the unit does not.
func TestTumblingWindowForgets(t *testing.T) {
	p := params.Default()
	p.RTTThresholdNS, p.WindowNS = 20, 100
	d := model.New(p)
	w := tumbling{}
	for _, s := range []sample{{10, 30}, {50, 40}, {100, 30}, {101, 10}} {
		d.RTT(0, s.rtt, s.at)
		w.rtt(s.rtt, s.at, 100)
	}
	if w.largest >= 20 {
		t.Errorf("tumbling window: largest RTT %d ns, want only the low one", w.largest)
	}
	if got := d.Timeout(0, 102); got != model.Congestion {
		t.Errorf("2 ns after a high RTT: %v, want %v", got, model.Congestion)
	}
}

// A high RTT counts again when its age comes round to 0 modulo the timer's range,
// for a window, and at no other time.
func TestAgeIsModuloTheTimer(t *testing.T) {
	p := params.Default()
	p.TimerBits, p.WindowNS, p.RTTThresholdNS = 16, 100, 20
	const mask = 1<<16 - 1
	d := model.New(p)
	const start = 65_000 // close to the wrap
	d.RTT(0, 20, start)
	for age := uint64(0); age < 3<<16; age++ {
		want := model.Failure
		if age&mask <= 100 {
			want = model.Congestion
		}
		if got := d.Timeout(0, (start+age)&mask); got != want {
			t.Fatalf("age %d ns: %v, want %v", age, got, want)
		}
	}
}

func TestIllegalConnectionChangesNothing(t *testing.T) {
	p := params.Default()
	p.Connections = 2
	d := model.New(p)
	d.RTT(1, 1<<20-1, 5)
	before, _ := d.State(1)
	if d.RTT(2, 1<<20-1, 6) {
		t.Error("an RTT of connection 2 of 2 is called high")
	}
	d.Flush(2)
	if got := d.Timeout(2, 7); got != model.None {
		t.Errorf("timeout of connection 2 of 2: %v, want %v", got, model.None)
	}
	if after, _ := d.State(1); after != before {
		t.Errorf("connection 1: %v, want %v", after, before)
	}
	if want := (model.Counters{RTT: 1, High: 1, IllegalConn: 3}); d.Count != want {
		t.Errorf("counters %+v, want %+v", d.Count, want)
	}
	if _, ok := d.State(2); ok {
		t.Error("connection 2 of 2 has a state")
	}
}

// Trimming makes each timeout a failure and leaves the record of RTTs alone.
func TestTrimming(t *testing.T) {
	d := model.New(params.Default())
	d.RTT(0, 30_000, 1000)
	d.Settings.Trimming = true
	if got := d.Timeout(0, 1001); got != model.Failure {
		t.Errorf("with trimming: %v, want %v", got, model.Failure)
	}
	d.Settings.Trimming = false
	if got := d.Timeout(0, 1001); got != model.Congestion {
		t.Errorf("without trimming: %v, want %v", got, model.Congestion)
	}
}

func TestReset(t *testing.T) {
	d := model.New(params.Default())
	d.RTT(7, 30_000, 1000)
	d.Reset()
	if s, _ := d.State(7); s != (model.State{}) || d.Count != (model.Counters{}) {
		t.Errorf("after reset: %v, %+v", s, d.Count)
	}
}

// A timeout 50 µs after an RTT of 25 µs, where an empty network has an RTT of 12.5 µs, is
// attributed to congestion; 150 µs after it, to a failure.
func Example() {
	d := model.New(params.Default()) // threshold 20.625 µs, window 140 µs
	d.RTT(0, 25_000, 0)
	fmt.Println(d.Timeout(0, 50_000), d.Timeout(0, 150_000))
	// Output: congestion failure
}

func BenchmarkEvents(b *testing.B) {
	m := model.New(params.Default())
	x := uint64(1)
	b.ReportAllocs()
	for i := range b.N {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		c := uint32(x >> 8 & 255)
		if x&7 == 0 {
			m.Timeout(c, uint64(i))
		} else {
			m.RTT(c, x>>20&65535, uint64(i))
		}
	}
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds()/1e6, "Mevents/s")
}
