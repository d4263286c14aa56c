// SPDX-License-Identifier: Apache-2.0

package event

import (
	"encoding/binary"
	"reflect"
)

// Beat is a beat of a frame on an AXI4-Stream of 64 bytes.
type Beat struct {
	Data [8]uint64 `port:"tdata"` // byte 0 in the lowest bits of Data[0]
	Keep uint64    `port:"tkeep"` // a bit a byte
	Last bool      `port:"tlast"`
	User bool      `port:"tuser"`
}

// InputAXIS declares events on the AXI4-Stream ports s_<name>_t*.
func InputAXIS[E any](name string) In[E] {
	return In[E]{axisOf(reflect.TypeFor[E](), name, "s_"+name+"_")}
}

// OutputAXIS declares answers on the AXI4-Stream ports m_<name>_t*.
func OutputAXIS[A any](name string) Out[A] {
	return Out[A]{axisOf(reflect.TypeFor[A](), name, "m_"+name+"_")}
}

func axisOf(t reflect.Type, name, prefix string) *Stream {
	s := streamOf(t, name, prefix, true)
	s.Valid = prefix + "tvalid"
	return s
}

// Counts returns the significant bits of a beat: all except missing bytes.
func (b *Beat) Counts() Beat {
	c := Beat{Keep: ^uint64(0), Last: true, User: true}
	for i := range c.Data {
		c.Data[i] = Spread(b.Keep >> (8 * i))
	}
	return c
}

// Append appends the beat's bytes, whether they are there or not.
func (b *Beat) Append(list []byte) []byte {
	for _, w := range b.Data {
		list = binary.LittleEndian.AppendUint64(list, w)
	}
	return list
}

// Put replaces the beat's first bytes.
func (b *Beat) Put(list []byte) {
	var all [64]byte
	b.Append(all[:0])
	copy(all[:], list)
	for i := range b.Data {
		b.Data[i] = binary.LittleEndian.Uint64(all[8*i:])
	}
}

// Spread expands each of the lowest eight bits to a byte of ones or zeros.
func Spread(bits uint64) uint64 {
	bits &= 0xff
	bits = (bits | bits<<28) & 0x0000000f0000000f
	bits = (bits | bits<<14) & 0x0003000300030003
	bits = (bits | bits<<7) & 0x0101010101010101
	return bits * 0xff
}
