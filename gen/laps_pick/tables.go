// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"fmt"
	"math"
	"slices"
	"strings"
)

// offset is what is added to noise, in octaves: the octave that is spliced is 15.
func (n Noise) offset() float64 { return float64(n.AddrBits - n.SpliceBits + 1<<ZeroBits) }

// octaves is the noise of an address, without the octaves by which it is lowered.
func (n Noise) octaves(addr int) float64 {
	size := float64(int(1) << n.AddrBits)
	if addr < 1<<n.SpliceBits {
		// In the octave below the others. E is V·(1 + V/2 + …); the second term is
		// taken for the mean of all octaves, 2/3 of what it is in the first.
		cells := float64(int(1) << n.SpliceBits)
		v := (cells + float64(addr) + 0.5) / (2 * size)
		return n.offset() + math.Log2(v) + 2*math.Log2(-math.Log1p(-v)/v)/3
	}
	return n.offset() + math.Log2(-math.Log1p(-(float64(addr)+0.5)/size))
}

// Word is the word of noise at an address: UQ5.FractionBits, and for the block RAM
// the number of zeros at the address's low end above it.
func (n Noise) Word(addr int) uint64 {
	w := uint64(math.Round(n.octaves(addr) * float64(int(1)<<n.FractionBits)))
	if addr < 1<<n.SpliceBits {
		w = min(w, 1<<(ZeroBits+n.FractionBits)-1) // the mean may lie beyond the octave
	}
	zeros := 0
	for zeros < n.AddrBits && addr>>zeros&1 == 0 {
		zeros++
	}
	return w | uint64(zeros)<<(5+n.FractionBits)
}

// KeyBits is the width of a key.
func (n Noise) KeyBits() int { return 6 + n.KeyFraction }

// CoarseWord and FineWord are the lookup's table of 2^-f for fractions of an octave
// of 9 bits: a word for the high 6 bits, and what the low 3 take off it, which
// depends on the high 3.
func CoarseWord(high int) uint64 { return uint64(math.Round(8191 * math.Pow(2, -float64(high)/64))) }

// FineWord is described with CoarseWord.
func FineWord(high, low int) uint64 {
	return uint64(math.Round(8191 * math.Pow(2, -(float64(high)+0.5)/8) * -math.Expm1(-float64(low)*math.Ln2/512)))
}

// tapSeeds draw the taps of the generator's blocks, by their bits.
var tapSeeds = []struct {
	bits int
	seed uint64
}{{127, 18}, {107, 167}, {89, 1297}, {61, 101}, {31, 52}}

// mix steps SplitMix64.
func mix(state *uint64) uint64 {
	*state += 0x9e3779b97f4a7c15
	z := *state
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// Block is one linear generator of the random generator.
type Block struct {
	First int     // its first bit in the state
	Taps  [][]int // for each of its bits, the bits of the state that make it
}

// Blocks are the linear generators that give enough random bits with the fewest
// flip-flops; one of 31 bits is never alone.
func (p *Params) Blocks() []Block {
	need := p.RandomBits()
	chosen, fewest := 0, math.MaxInt
	for set := 1; set < 1<<len(tapSeeds); set++ {
		sum := 0
		for i, b := range tapSeeds {
			sum += b.bits * (set >> i & 1)
		}
		if sum >= need && sum < fewest && sum != 31 {
			chosen, fewest = set, sum
		}
	}
	var out []Block
	first := 0
	for i, b := range tapSeeds {
		if chosen>>i&1 != 0 {
			out = append(out, Block{first, drawTaps(first, b.bits, b.seed)})
			first += b.bits
		}
	}
	return out
}

// drawTaps draws the taps of a block of n bits: a permutation of its bits, and two
// more for each even bit, three for each odd one.
func drawTaps(first, n int, seed uint64) [][]int {
	perm := make([]int, n)
	for i := range perm {
		perm[i] = i
	}
	for i := n - 1; i > 0; i-- {
		j := int(mix(&seed) % uint64(i+1))
		perm[i], perm[j] = perm[j], perm[i]
	}
	taps := make([][]int, n)
	for i, p := range perm {
		list := []int{first + p}
		for len(list) < 3+i&1 {
			if j := first + int(mix(&seed)%uint64(n)); !slices.Contains(list, j) {
				list = append(list, j)
			}
		}
		slices.Sort(list)
		taps[i] = list
	}
	return taps
}

// StateBits is the number of bits of the random generator.
func (p *Params) StateBits() int {
	b := p.Blocks()
	last := b[len(b)-1]
	return last.First + len(last.Taps)
}

// seedWords are the generator's state after reset in words, the highest first.
func (p *Params) seedWords() string {
	n, s := p.StateBits(), uint64(p.RandomSeed)
	words := make([]uint64, (n+63)/64)
	for i := range words {
		words[i] = mix(&s)
	}
	if r := n % 64; r != 0 {
		words[len(words)-1] &= 1<<r - 1
	}
	for _, b := range p.Blocks() {
		words[b.First/64] |= 1 << (b.First % 64)
	}
	slices.Reverse(words)
	text := make([]string, len(words))
	for i, w := range words {
		width := 64
		if r := n % 64; i == 0 && r != 0 {
			width = r
		}
		text[i] = fmt.Sprintf("    %d'h%0*x", width, (width+3)/4, w)
	}
	return strings.Join(text, ",\n")
}
