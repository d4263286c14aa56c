// SPDX-License-Identifier: Apache-2.0

package dcsimsource_test

import (
	"fmt"
	"math"
	"math/bits"
	"testing"

	params "github.com/nicgen/nicgen/gen/dcsim_source"
	model "github.com/nicgen/nicgen/model/dcsim_source"
)

// hashes are hashes of a source port that a switch may use: 16 bits, whose low ones choose the
// path.
var hashes = map[string]func(port uint16) uint16{
	"XOR of the bytes": func(port uint16) uint16 { return port>>8 ^ port&0xff },
	"CRC16 0x1021": func(port uint16) uint16 { // most significant bit first
		c := uint16(0)
		for _, b := range ports4791(port) {
			c ^= uint16(b) << 8
			for range 8 {
				c = c<<1 ^ 0x1021*(c>>15)
			}
		}
		return c
	},
	"CRC16 0x8005": func(port uint16) uint16 { // least significant bit first
		c := uint16(0)
		for _, b := range ports4791(port) {
			c ^= uint16(b)
			for range 8 {
				c = c>>1 ^ 0xa001*(c&1)
			}
		}
		return c
	},
}

// ports4791 returns the UDP ports of a RoCEv2 packet, in line format.
func ports4791(port uint16) [4]byte { return [4]byte{byte(port >> 8), byte(port), 0x12, 0xb7} }

// first is the first port of the range.
const first = 49152

// uneven returns the number of standard deviations by which chi² of the counts exceeds its value
// for random paths.
func uneven(counts []int) float64 {
	n := 0
	for _, c := range counts {
		n += c
	}
	want, chi := float64(n)/float64(len(counts)), 0.0
	for _, c := range counts {
		chi += (float64(c) - want) * (float64(c) - want) / want
	}
	free := float64(len(counts) - 1)
	return (chi - free) / math.Sqrt(2*free)
}

// spreads returns the unevenness of the paths of SIMs whose ports are made this way: of all SIMs,
// of the SIMs of a slot (the worst one), and of the step from each to the next.
func spreads(hash func(uint16) uint16, paths, sims int, port func() (slot, port uint64)) (all, slots, steps float64) {
	total, step := make([]int, paths), make([]int, paths)
	var bySlot [256][]int
	var last uint16
	for i := range sims {
		slot, x := port()
		path := hash(uint16(first+x)) % uint16(paths)
		if bySlot[slot] == nil {
			bySlot[slot] = make([]int, paths)
		}
		bySlot[slot][path]++
		total[path]++
		if i%2 == 1 {
			step[(path^last)%uint16(paths)]++
		}
		last = path
	}
	for _, counts := range bySlot {
		slots = max(slots, uneven(counts))
	}
	return uneven(total), slots, uneven(step)
}

// Under each hash the default's SIMs go as evenly as random ones over 8, 64 and 256 paths. The SIMs
// of one slot, and the steps from one to the next, do so over 8 and 64 paths, as a port has six
// random bits. The old mixing, which repeated the random bits, is worse.
func TestPortsSpread(t *testing.T) {
	const sims = 1 << 19
	p := params.Default()
	for name, hash := range hashes {
		for _, paths := range []int{8, 64, 256} {
			m := model.New(p)
			all, slots, steps := spreads(hash, paths, sims, func() (uint64, uint64) {
				sim, _ := m.Queue(0)
				m.Number(sim)
				m.Step()
				return sim.Slot, m.Port(sim)
			})
			if all > 5 || paths <= 64 && (slots > 6 || steps > 5) {
				t.Errorf("%s, %d paths: chi² is %.1f σ above random; of one slot %.1f, of steps %.1f", name, paths, all, slots, steps)
			}
		}
	}
	m := model.New(p)
	_, slots, steps := spreads(hashes["XOR of the bytes"], 64, sims, func() (uint64, uint64) {
		sim, _ := m.Queue(0)
		m.Number(sim)
		m.Step()
		return sim.Slot, sim.Random<<8 | sim.Slot ^ (sim.Random | sim.Random<<6&0xff)
	})
	if slots < 100 || steps < 100 {
		t.Errorf("repeated random bits: of one slot %.1f σ above random, of steps %.1f; want many", slots, steps)
	}
}

// The random bits of a port that a hash keeps, of any configuration: a sum has as many as its rank,
// as all hashes here are linear. XORing the bytes keeps all or nearly all.
func TestPortsKeepRandomBits(t *testing.T) {
	worst := 0
	for slots := 4; slots <= 10; slots++ {
		for width := max(8, slots+2); width <= 16; width++ {
			p := params.Default()
			p.Outstanding, p.PortBits = 1<<slots, int64(width)
			m := model.New(p)
			for name, hash := range hashes {
				for _, n := range []int{3, 6, 8} {
					var images []uint16
					for k := range p.RandomBits() {
						port := m.Port(&model.SIM{Random: 1 << k})
						images = append(images, (hash(uint16(port))^hash(0))&(1<<n-1))
					}
					lost := min(n, p.RandomBits()) - rank(images)
					worst = max(worst, lost)
					if lost > 0 && slots == 8 && width == 14 || lost > 3 {
						t.Errorf("%d slots, ports of %d bits, %s, %d paths: %d random bits are lost", 1<<slots, width, name, 1<<n, lost)
					}
				}
			}
		}
	}
	t.Log(fmt.Sprint("at most ", worst, " random bits are lost"))
}

// rank returns the number of independent words.
func rank(words []uint16) (n int) {
	words = append([]uint16(nil), words...)
	for i, w := range words {
		if w == 0 {
			continue
		}
		n++
		for j := i + 1; j < len(words); j++ {
			if words[j]>>bits.TrailingZeros16(w)&1 == 1 {
				words[j] ^= w
			}
		}
	}
	return n
}
