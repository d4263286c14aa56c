// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"fmt"
	"math"
	"math/bits"
	"slices"
	"strings"
)

// rate returns the chance of an exponential variable of mean 1 to be below e.
func rate(e float64) float64 { return -math.Expm1(-e) }

// tail returns the end of the octave of the tail words, as a value of an exponential variable: with
// block RAM the value below which the variable lies with the tail's chance. Without block RAM,
// octaves are drawn by halving that chance, as if rate(e) were e.
func (n Noise) tail() float64 {
	share := float64(n.TailWords) / float64(int(1)<<n.AddrBits)
	if n.DrawBits == 0 {
		return share
	}
	return -math.Log1p(-share)
}

// exponential returns the value of an exponential variable for which the word at an address stands;
// for a tail word, the value before it is lowered.
func (n Noise) exponential(addr int) float64 {
	middle := float64(addr) + 0.5
	if addr >= n.TailWords {
		return -math.Log1p(-n.middle(addr))
	}
	part := middle / float64(n.TailWords)
	if n.DrawBits == 0 {
		return n.tail() * (1 + part) / 2
	}
	low := rate(n.tail() / 2)
	return -math.Log1p(-low - (rate(n.tail())-low)*part)
}

// middle returns the middle of the part of the range 0 to 1 for which an address stands.
func (n Noise) middle(addr int) float64 {
	size := int(1) << n.AddrBits
	if addr >= 64 {
		addr, size = addr>>n.CellBits, size>>n.CellBits
	}
	return (float64(addr) + 0.5) / float64(size)
}

// Word returns the word of noise at an address. From its low end: DrawBits for the partner;
// noise as log2 of the exponential variable in UQ5.FractionBits, with the tail's octave
// as number 15; the octaves by which the partner's tail words are lowered.
func (n Noise) Word(addr int) uint64 {
	unit := float64(int(1) << n.FractionBits)
	mean := float64(int(1)<<n.DrawBits-1) / 2 / float64(int(1)<<n.DrawBits)
	shift := 16 - float64(n.Shift)/256
	octaves := uint64(math.Round((math.Log2(n.exponential(addr)/n.tail())+shift)*unit - mean))
	if end := uint64(16 * unit); addr < n.TailWords {
		octaves = min(max(octaves, 15<<n.FractionBits), end-1)
	} else {
		octaves = max(octaves, end)
	}
	return n.lower(addr)<<(5+n.FractionBits+n.DrawBits) | octaves<<n.DrawBits | n.draw(addr)
}

// draw returns a number of DrawBits bits: uniform over all addresses, and nearly so over the
// addresses of any octave.
func (n Noise) draw(addr int) uint64 {
	size := 1 << n.AddrBits
	return uint64(433 * addr % size << n.DrawBits / size)
}

// lower returns the number of octaves by which an address lowers its partner's tail words. With
// block RAM it has the distribution of the octaves of an exponential variable below tail; otherwise
// it is the number of zeros at the address's low end.
func (n Noise) lower(addr int) uint64 {
	if n.DrawBits == 0 {
		return uint64(bits.TrailingZeros(uint(addr | 1<<n.AddrBits)))
	}
	reversed := float64(bits.Reverse64(uint64(addr)) >> (64 - n.AddrBits))
	k := 0
	for reversed < math.Round(math.Ldexp(rate(math.Ldexp(n.tail(), -k-1))/rate(n.tail()), n.AddrBits)) {
		k++
	}
	return uint64(k)
}

// CoarseWord and FineWord are the lookup's table of 2^-f for fractions of an octave of 9 bits: a
// word for the high 6 bits, and a reduction of it for the low 3, which depends on the high 3.
func CoarseWord(high int) uint64 { return uint64(math.Round(8191 * math.Pow(2, -float64(high)/64))) }

// FineWord returns the fine word; see CoarseWord.
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
	Taps  [][]int // for each of its bits, the state bits that it depends on
}

// Blocks returns the linear generators that give enough random bits with the fewest
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

// StateBits returns the number of bits of the random generator.
func (p *Params) StateBits() int {
	b := p.Blocks()
	last := b[len(b)-1]
	return last.First + len(last.Taps)
}

// seedWords returns the generator's state after reset in words, the highest first.
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
