// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"math"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
)

// TestInverse gives the rate part every rate that PowerTCP or LAPS can have, a part of them in a short test: each of the
// least and the greatest, which no run of the block reaches. The time of a byte is 2^32 / rate, at most 2^-14.2 of it too
// long, or 2^-14.7 of it and a unit too short; of what does not fit into 26 bits it is all ones.
func TestInverse(t *testing.T) {
	t.Parallel()
	files, err := params.Default().Files()
	if err != nil {
		t.Fatal(err)
	}
	src := cosim.Source{Top: "nic_transport_rate"}
	for _, f := range files {
		for _, part := range []string{src.Top, "nic_lib_normalise", "nic_lib_recip", "nic_lib_delay"} {
			if strings.TrimSuffix(f.Name, ".sv") == part {
				src.Files = append(src.Files, cosim.File{Name: f.Name, Text: f.Text})
			}
		}
	}
	lib, err := cosim.Build(t.Context(), src, cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer lib.Close()
	x, err := lib.New(cosim.InstanceOptions{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer x.Close()
	const (
		whole   = 1 << 24 // rates
		most    = 1<<26 - 1
		latency = 11
		batch   = 4096
	)
	step := uint64(1)
	if testing.Short() {
		step = 61
	}
	next := func(rate uint64) uint64 { // all below 2^12 and the last of them
		if rate < 1<<12 || rate >= whole-1<<12 {
			return rate + 1
		}
		return min(rate+step, whole-1<<12)
	}
	l := lib.Layout()
	var rst, valid, conn, bytes, rate = l.MustSlot("rst"), l.MustSlot("s_valid"), l.MustSlot("s_conn"), l.MustSlot("s_bytes"), l.MustSlot("s_rate")
	var mValid, mConn, mBytes, mInv = l.MustSlot("m_valid"), l.MustSlot("m_conn"), l.MustSlot("m_bytes"), l.MustSlot("m_inv")
	in, out := make([]uint64, batch*l.InWords), make([]uint64, batch*l.OutWords)
	rst.Set(in, 1)
	if _, err := x.Run(in[:l.InWords], out[:l.OutWords]); err != nil {
		t.Fatal(err)
	}
	clear(in)
	// The reciprocal uses 17 bits of a rate: the bits below them make it too large.
	above, below := math.Exp2(32)*(1+math.Exp2(-14.7))*(1+math.Exp2(-16)), math.Exp2(32)*(1-math.Exp2(-14.7))
	worst, least := 0.0, math.Inf(1)
	seen, ends, idle := uint64(0), 0, 0
	for r := uint64(0); seen < whole; {
		for c := range batch {
			v := in[c*l.InWords : (c+1)*l.InWords]
			if valid.Set(v, 0); r < whole {
				valid.Set(v, 1)
				rate.Set(v, r)
				conn.Set(v, r&0xffff)
				bytes.Set(v, 4*(r&0x3fffff)+r&3)
				r = next(r)
			}
		}
		if _, err := x.Run(in, out); err != nil {
			t.Fatal(err)
		}
		for c := range batch {
			v := out[c*l.OutWords : (c+1)*l.OutWords]
			if seen >= whole {
				break
			}
			if mValid.Get(v) == 0 {
				idle++
				continue
			}
			inv := mInv.Get(v)
			if seen < 64 { // 2^32 / 64 is one more than fits
				ends++
				if inv != most {
					t.Fatalf("the inverse of %d is 0x%x, want 0x%x", seen, inv, most)
				}
			} else if product := float64(inv * seen); product > above || product <= below-float64(seen) {
				t.Fatalf("the inverse of %d is %d, and 2^32 by it is %.2f", seen, inv, float64(1<<32)/float64(seen))
			} else {
				worst = max(worst, product/(1<<32)-1)
				least = min(least, product+float64(seen))
			}
			if mConn.Get(v) != seen&0xffff || mBytes.Get(v) != seen&0x3fffff {
				t.Fatalf("with the inverse of %d comes connection %d with %d bytes", seen, mConn.Get(v), mBytes.Get(v))
			}
			seen = next(seen)
		}
	}
	t.Logf("at most 2^%.2f too long, and 2^%.2f and a unit too short", math.Log2(worst), math.Log2(1-least/(1<<32)))
	if idle != latency || ends != 64 {
		t.Errorf("%d cycles to the first answer, want %d; %d rates whose inverse does not fit", idle, latency, ends)
	}
}
