// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"math"
	"math/big"
	"regexp"
	"strconv"
	"testing"
)

// table reads a case table of nic_lib_recip: the values of signal, in order.
func table(t *testing.T, text, signal string) []int64 {
	t.Helper()
	var out []int64
	for _, m := range regexp.MustCompile(`(?m)^ +(6'd(\d+)|default): +`+signal+` = \d+'d(\d+);$`).FindAllStringSubmatch(text, -1) {
		if m[1] != "default" && m[2] != strconv.Itoa(len(out)) {
			t.Fatalf("%s: line %s, want line %d", signal, m[1], len(out))
		}
		v, err := strconv.ParseInt(m[3], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, v)
	}
	return out
}

// recipSource returns the text of nic_lib_recip.
func recipSource(t *testing.T) string {
	t.Helper()
	files, err := Parts("nic_lib_recip")
	if err != nil {
		t.Fatal(err)
	}
	return files[0].Text
}

// TestReciprocalTable compares the tables with the formula in the part's header,
// worked out with 200 bits.
func TestReciprocalTable(t *testing.T) {
	num := func(x float64) *big.Float { return new(big.Float).SetPrec(200).SetFloat64(x) }
	quo := func(a, b *big.Float) *big.Float { return num(0).Quo(a, b) }
	nearest := func(x *big.Float) int64 {
		n, _ := num(0).Add(x, num(0.5)).Int64()
		return n
	}
	text := recipSource(t)
	starts, slopes := table(t, text, "start"), table(t, text, "slope")
	if len(starts) != 64 || len(slopes) != 64 {
		t.Fatalf("%d starts and %d slopes, want 64", len(starts), len(slopes))
	}
	for i := range 64 {
		a, b := quo(num(float64(64+i)), num(64)), quo(num(float64(65+i)), num(64))
		left, right := quo(num(1), a), quo(num(1), b)
		gap := num(0).Sub(num(0).Sqrt(left), num(0).Sqrt(right))
		half := quo(num(0).Mul(gap, gap), num(2))
		start := nearest(num(0).Mul(num(0).Sub(left, half), num(1<<18))) - 1<<17
		slope := nearest(num(0).Mul(num(0).Sub(left, right), num(1<<17)))
		if starts[i] != start || slopes[i] != slope {
			t.Errorf("line %d: start %d and slope %d, want %d and %d", i, starts[i], slopes[i], start, slope)
		}
	}
}

// TestReciprocalError goes through every mantissa.
func TestReciprocalError(t *testing.T) {
	text := recipSource(t)
	starts, slopes := table(t, text, "start"), table(t, text, "slope")
	worst := 0.0
	for m := int64(1 << 16); m < 1<<17; m++ {
		i := m >> 10 & 63
		r := 1<<17 + starts[i] - slopes[i]*(m&1023)>>9
		if r < 1<<17 || r >= 1<<18 {
			t.Fatalf("mantissa %#x: reciprocal %#x, want 18 bits with the highest set", m, r)
		}
		worst = max(worst, math.Abs(float64(r)*float64(m)/(1<<34)-1))
	}
	if worst >= math.Pow(2, -14.7) {
		t.Errorf("relative error up to 2^%.2f, want less than 2^-14.7", math.Log2(worst))
	}
}
