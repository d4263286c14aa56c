// SPDX-License-Identifier: Apache-2.0

package nicfeedback

import (
	"encoding/binary"
	"hash/crc32"
	"math/rand/v2"
	"testing"

	"github.com/nicgen/nicgen/gen/gentest"
)

// Rules over several parameters, on both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, Default, []gentest.Rule{
		{Set: "connections=257 conn_bits=9"},
		{Set: "connections=257 conn_bits=8", Key: "conn_bits", Found: "8", Allowed: "at least 9 for connections 257"},
	})
}

// The step of 32 bits in the text equals CRC-32 as another package computes it.
func TestStep(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	for range 1000 {
		b := []byte{255, 255, 255, 255, 255, 255, 255, 255}
		crc := begin()
		for range r.IntN(20) {
			word := r.Uint32()
			b = binary.LittleEndian.AppendUint32(b, word)
			crc = step(crc ^ word)
		}
		if want := crc32.ChecksumIEEE(b); ^crc != want {
			t.Fatalf("%x: %08x, want %08x", b, ^crc, want)
		}
	}
}
