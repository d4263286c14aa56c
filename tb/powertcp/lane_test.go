// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/powertcp"
	model "github.com/nicgen/nicgen/model/powertcp"
)

// laneVectors is the number of random inputs of each lane.
const laneVectors = 200_000

// lane is one arithmetic lane by itself.
type lane struct {
	*cosim.Sim
	t *testing.T
}

// openLane compiles a module of the unit with the library parts. Each edit
// replaces a text by another before that: a planted bug.
func openLane(t *testing.T, p *params.Params, top string, edits ...string) lane {
	t.Helper()
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	src := cosim.Source{Top: top}
	for _, f := range files {
		if f.Name == top+".sv" {
			for i := 0; i < len(edits); i += 2 {
				if strings.Count(f.Text, edits[i]) != 1 {
					t.Fatalf("%s: %q is not there once", f.Name, edits[i])
				}
				f.Text = strings.Replace(f.Text, edits[i], edits[i+1], 1)
			}
		}
		if f.Name == top+".sv" || strings.HasPrefix(f.Name, "nic_lib_") && !strings.HasPrefix(f.Name, "nic_lib_ram") {
			src.Files = append(src.Files, cosim.File{Name: f.Name, Text: f.Text})
		}
	}
	m, err := cosim.Open(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return lane{m, t}
}

// octaves draws from 0 to 2^bits - 1, each octave as often as another.
func octaves(r *rand.Rand, bits int) uint64 {
	return r.Uint64() >> (63 - r.IntN(bits)) >> r.IntN(2)
}

// hopInput is what enters a hop lane.
type hopInput struct {
	qlen, sum, time, oldSum, oldTime uint64
	use                              bool
	entry                            uint64
}

// drawHop is a hop as it may occur, or a corner of the formats.
func drawHop(r *rand.Rand, p *params.Params, u *model.Unit) hopInput {
	sum, time := uint64(1)<<p.SumBits()-1, uint64(1)<<p.TimeBits-1
	h := hopInput{
		qlen: octaves(r, int(p.QlenBits)), oldSum: r.Uint64() & sum, oldTime: r.Uint64() & time,
		use: r.IntN(8) > 0, entry: p.Rate(r.IntN(1<<p.RateBits)).Entry() | 1,
	}
	num, dt := octaves(r, p.SumBits()), octaves(r, int(p.TimeBits))
	switch r.IntN(16) {
	case 0:
		h.entry = r.Uint64() | 1
	case 1:
		num = -num
	case 2:
		num, h.qlen = sum>>r.IntN(5), 1<<p.QlenBits-1
	case 3:
		num = 0
	case 4:
		dt = time >> r.IntN(int(p.TimeBits))
	}
	if h.use && dt&time == 0 {
		dt = 1
	}
	h.sum, h.time = (h.oldSum+num)&sum, (h.oldTime+dt)&time
	return h
}

// hopMismatch compares n hops with the model and describes the first difference.
func hopMismatch(m lane, p *params.Params, n int, seed uint64) string {
	r := rand.New(rand.NewPCG(seed, 0))
	u := model.New(p)
	const rateStage = 10
	in := make([]hopInput, n)
	for i := range in {
		in[i] = drawHop(r, p, u)
	}
	at := func(i int) hopInput {
		if i < 0 || i >= n {
			return hopInput{}
		}
		return in[i]
	}
	bit := map[bool]uint64{true: 1}
	m.Set("rst", 1)
	m.Step(20)
	m.Set("rst", 0)
	for i := range n + params.HopLatency {
		h := at(i)
		m.Set("s_qlen", h.qlen)
		m.Set("s_sum", h.sum)
		m.Set("s_time", h.time)
		m.Set("s_old_sum", h.oldSum)
		m.Set("s_old_time", h.oldTime)
		m.Set("s_use", bit[at(i-1).use])
		m.Set("s_rate", at(i-rateStage).entry)
		if j := i - params.HopLatency; j >= 0 {
			h := in[j]
			var key, dt uint64
			if h.use {
				link := model.LinkOf(h.entry)
				dt = (h.time - h.oldTime) & (1<<p.TimeBits - 1)
				key = uint64(u.Power(&link, h.sum-h.oldSum, dt, h.qlen))
				dt = min(dt, 1<<p.RTTBits-1)
			}
			if use := m.Get("m_use"); use != bit[h.use] || m.Get("m_key") != key || m.Get("m_dt") != dt {
				return fmt.Sprintf("hop %d %+v: use %d, key %#x, dt %d; want key %#x, dt %d", j, h, use, m.Get("m_key"), m.Get("m_dt"), key, dt)
			}
		}
		m.Step(1)
	}
	if err := m.Err(); err != nil {
		return err.Error()
	}
	return ""
}

// laneConfigs are configurations in which the lanes differ.
func laneConfigs() map[string]*params.Params {
	wide, narrow := params.Default(), params.Default()
	wide.QlenBits, wide.QlenUnit, wide.TxBits, wide.TxUnit, wide.TimeBits = 26, 1, 32, 4096, 32
	narrow.QlenBits, narrow.QlenUnit, narrow.TxBits, narrow.TxUnit, narrow.TimeBits = 8, 4096, 8, 4096, 8
	return map[string]*params.Params{"default": params.Default(), "wide": wide, "narrow": narrow}
}

// TestHopLane compares every key of a hop lane with the model.
func TestHopLane(t *testing.T) {
	t.Parallel()
	for name, p := range laneConfigs() {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if why := hopMismatch(openLane(t, p, "nic_powertcp_hop"), p, laneVectors, 1); why != "" {
				t.Error(why)
			}
		})
	}
}
