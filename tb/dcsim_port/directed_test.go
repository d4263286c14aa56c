// SPDX-License-Identifier: Apache-2.0

package dcsimport_test

import (
	"math/big"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/dcsim_port"
	model "github.com/nicgen/nicgen/model/dcsim_port"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// rig drives the RTL by hand.
type rig struct {
	t     testing.TB
	sim   *cosim.Sim
	cycle int64
}

// newRig is the RTL of a configuration after a reset.
func newRig(t testing.TB, p *params.Params, settings map[string]uint64) *rig {
	r := &rig{t: t, sim: suite.Open(t, p)}
	for port, v := range p.PortValues() {
		r.set(port, v)
	}
	for port, v := range settings {
		r.set(port, v)
	}
	r.set("m_frame_ready", 1)
	r.set("rst", 1)
	for range 3 {
		r.tick()
	}
	r.set("rst", 0)
	r.tick()
	r.cycle = 0
	return r
}

func (r *rig) set(port string, v uint64) { r.sim.Set(port, v) }

func (r *rig) get(port string) uint64 { return r.sim.Get(port) }

func (r *rig) tick() {
	r.sim.Step(1)
	r.cycle++
}

// send puts a frame into the port, which takes a cycle.
func (r *rig) send(class, length, tag uint64) {
	r.set("s_frame_valid", 1)
	r.set("s_frame_class", class)
	r.set("s_frame_len", length)
	r.set("s_frame_tag", tag)
	r.tick()
	r.set("s_frame_valid", 0)
}

// begun is the class of the frame that begins in this cycle: the line never pauses.
func (r *rig) begun() (class uint64, ok bool) {
	return r.get("m_frame_class"), r.get("m_frame_valid") == 1
}

// DV4: two SIMs leave with the tokens of the start, twelve wait without a token, and the 13th is
// dropped. It is reported with its tag; a DATA that comes meanwhile goes.
func TestDropsTheThirteenth(t *testing.T) {
	r := newRig(t, params.Default(), map[string]uint64{"cfg_token_gain": 1, "cfg_token_cost": 1 << 20})
	var sent, dropped, datas []uint64
	watch := func() {
		if class, ok := r.begun(); ok && class == model.Data {
			datas = append(datas, r.get("m_frame_tag"))
		} else if ok {
			sent = append(sent, r.get("m_frame_tag"))
		}
		if r.get("m_drop_valid") == 1 {
			dropped = append(dropped, r.get("m_drop_tag"))
		}
	}
	for i := range uint64(15) {
		r.send(model.SIM, 64, i)
		for range 20 {
			watch()
			r.tick()
		}
	}
	r.send(model.Data, 1500, 100)
	for range 20 {
		watch()
		r.tick()
	}
	if len(sent) != 2 || len(dropped) != 1 || dropped[0] != 14 || len(datas) != 1 || r.get("sts_sim_drop_cnt") != 1 {
		t.Errorf("sent %v, dropped %v, DATAs %v, counted %d", sent, dropped, datas, r.get("sts_sim_drop_cnt"))
	}
}

// A token's period is exact: SIMs that always wait, on a line that has nothing else to do,
// begin each in the first clock of which gain/cost tokens have come.
func TestTokensNeverDrift(t *testing.T) {
	p := params.Default()
	r := newRig(t, p, nil)
	gain, cost := p.Network().Token(p.ClockHz)
	var begins []int64
	r.set("s_frame_valid", 1)
	r.set("s_frame_class", model.SIM)
	r.set("s_frame_len", 64)
	for r.cycle < 3_000_000 {
		if _, ok := r.begun(); ok {
			begins = append(begins, r.cycle)
		}
		r.tick()
	}
	// The second of the start begins k periods before the k-th of the others, within two clocks:
	// that in which the token comes, and that in which the frame is picked.
	exact := new(big.Rat)
	for k, at := range begins[2:] {
		exact.SetFrac64(int64(k+1)*cost, gain)
		least, _ := exact.Float64()
		if late := float64(at-begins[0]) - least; late < 0 || late > 3 {
			t.Fatalf("SIM %d begins %.2f clocks late", k+2, late)
		}
	}
	if want := 3_000_000 * gain / cost; int64(len(begins)) < want || int64(len(begins)) > want+2 {
		t.Errorf("%d SIMs in 3,000,000 clocks, want %d", len(begins), want)
	}
}

// Theorem 1: with tokens at C/(α+1), SIMs and DATAs that always wait leave in turn, and the line
// is never idle. The clock is one in which the line's rate is exact.
func TestAlternate(t *testing.T) {
	p := params.Default()
	p.ClockHz = 250_000_000 // 50 bytes a clock
	for _, length := range []uint64{1500, 4096, 9000} {
		r := newRig(t, p, map[string]uint64{"cfg_gap": 0, "cfg_line_rate": 50 << params.FractionBits, "cfg_token_gain": 50, "cfg_token_cost": length + 64,
			"cfg_data_bytes": 1<<20 - 1})
		var last, wrong, first, bytes uint64
		n := 0
		settled := r.cycle
		for r.cycle < 400_000 {
			class, ok := r.begun()
			if ok {
				if n++; n > 40 {
					if class == last {
						wrong++
					}
					if first == 0 {
						first, bytes, settled = 1, 0, r.cycle
					}
				}
				last = class
				bytes += r.get("m_frame_len")
			}
			// Both queues are kept full.
			r.set("s_frame_valid", 1)
			if r.cycle%2 == 0 {
				r.set("s_frame_class", model.SIM)
				r.set("s_frame_len", 64)
			} else {
				r.set("s_frame_class", model.Data)
				r.set("s_frame_len", length)
			}
			r.tick()
		}
		rate := float64(bytes) / float64(r.cycle-settled)
		t.Logf("L = %d: %d frames, %d out of turn, %.4f bytes a clock", length, n, wrong, rate)
		if wrong > 0 {
			t.Errorf("L = %d: %d of %d frames are out of turn", length, wrong, n)
		}
		if rate < 49.9 {
			t.Errorf("L = %d: %.3f bytes a clock, want 50", length, rate)
		}
	}
}

// Theorem 3 and DV6: SIMs always wait, and a DATA comes whenever it would begin just before the next token does.
// With a bucket of one, a SIM comes each T' + L/C, nearly half as often; with two, each T'.
func TestBucketOfTwo(t *testing.T) {
	const period, length = 40, 1440 // clocks; bytes, 36 clocks of 40 bytes
	mean := func(bucket int64) (most int64, mean float64) {
		p := params.Default()
		p.Bucket = bucket
		r := newRig(t, p, map[string]uint64{"cfg_gap": 0, "cfg_line_rate": 40 << params.FractionBits, "cfg_token_gain": 1, "cfg_token_cost": period})
		last, first, n := int64(-1), int64(0), int64(0)
		for r.cycle < 100_000 {
			if class, ok := r.begun(); ok && class == model.SIM {
				if last >= 0 && r.cycle > 10_000 {
					most = max(most, r.cycle-last)
					if n++; n == 1 {
						first = last
					}
				}
				last = r.cycle
			}
			// A DATA that comes so long after a SIM begins in the clock before the next token.
			if last >= 0 && r.cycle == last+period-params.Latency {
				r.set("s_frame_class", model.Data)
				r.set("s_frame_len", length)
			} else {
				r.set("s_frame_class", model.SIM)
				r.set("s_frame_len", 64)
			}
			r.set("s_frame_valid", 1)
			r.tick()
		}
		return most, float64(last-first) / float64(n)
	}
	most, each := mean(1)
	t.Logf("a bucket of 1: a SIM each %.2f clocks, up to %d", each, most)
	if each < period+30 {
		t.Errorf("a bucket of 1: a SIM each %.2f clocks, want nearly %d", each, period+length/40)
	}
	most, each = mean(2)
	t.Logf("a bucket of 2: a SIM each %.2f clocks, up to %d", each, most)
	if each > period+0.1 {
		t.Errorf("a bucket of 2: a SIM each %.2f clocks, want %d", each, period)
	}
}

// 148.8 million frames of 64 bytes a second, for 10⁶ clocks of 322.265625 MHz; then longer and
// shorter ones in turn, at the line's exact rate. Without a gap the shortest are late, and longer
// ones make up for it.
func TestLineRate(t *testing.T) {
	p := params.Default()
	for _, c := range []struct {
		gap     uint64
		cycles  int64
		lengths []uint64
	}{
		{20, 1_000_000, []uint64{64}},
		{20, 300_000, []uint64{9216}},
		{20, 300_000, []uint64{9216, 1500, 64}},
		{20, 100_000, []uint64{1500, 1500, 64, 64, 64, 64}},
		{0, 300_000, []uint64{1500, 1500, 64, 64, 64, 64}},
		{0, 100_000, append(slices.Repeat([]uint64{64}, 96), 9216)},
	} {
		r := newRig(t, p, map[string]uint64{"cfg_data_bytes": 1<<20 - 1, "cfg_gap": c.gap})
		lengths, rate := c.lengths, uint64(p.LineRate())
		var bytes, n, tag uint64
		var first, last int64
		for r.cycle < c.cycles {
			if _, ok := r.begun(); ok {
				if n++; n == 1 {
					first = r.cycle
				}
				// In exact numbers it begins when the bytes before it have passed, rounded up, or two
				// cycles after the one before.
				if want := first + int64((bytes<<params.FractionBits+rate-1)/rate); n > 1 && r.cycle != max(want, last+2) {
					t.Fatalf("%v: frame %d begins in cycle %d, want %d", lengths, n, r.cycle, max(want, last+2))
				}
				last = r.cycle
				if want := lengths[(n-1)%uint64(len(lengths))]; r.get("m_frame_len") != want {
					t.Fatalf("frame %d has %d bytes, want %d", n, r.get("m_frame_len"), want)
				}
				bytes += r.get("m_frame_len") + c.gap
			}
			// The queue has some, and never drops.
			full := r.get("sts_data_packets") > 8
			r.set("s_frame_valid", benchtest.Bit(!full))
			r.set("s_frame_class", model.Data)
			r.set("s_frame_len", lengths[tag%uint64(len(lengths))])
			r.tick()
			if !full {
				tag++
			}
		}
		used := float64((bytes-lengths[(n-1)%uint64(len(lengths))]-c.gap)<<params.FractionBits) / float64(rate*uint64(last-first))
		if used < 0.999 { // it may end among the short ones
			t.Errorf("%v: %.4f of the line is used", lengths, used)
		}
		t.Logf("%v, gap of %d bytes: %.3f million frames a second, %.4f of the line", lengths[:min(len(lengths), 6)], c.gap,
			float64(n-1)/float64(last-first)*float64(p.ClockHz)/1e6, used)
	}
}
