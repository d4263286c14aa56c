// SPDX-License-Identifier: Apache-2.0

package event

import "reflect"

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
