// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"fmt"
	"math/bits"
)

// Name has the names of a unit, for a Config that embeds it.
type Name struct{ unit, title, paper string }

// Named returns the names of a unit: one in snake case for all folders, a description in one line and
// the source of the algorithm.
func Named(unit, title, paper string) Name { return Name{unit, title, paper} }

// Unit implements Config.
func (n Name) Unit() string { return n.unit }

// Title implements Config.
func (n Name) Title() string { return n.title }

// Paper implements Config.
func (n Name) Paper() string { return n.paper }

// Top implements Config: nic_<unit>.
func (n Name) Top() string { return "nic_" + n.unit }

// ConnBits returns the field conn_bits, the width of ports with the number of a connection.
func ConnBits(group string, width *int64) Field {
	return Field{Key: "conn_bits", Group: group, Unit: "bits", Int: width, Min: 1, Max: 24, SV: "CONN_BITS",
		Doc:  "Width of the connection ports; numbers from connections upwards are illegal and counted.",
		Cost: "about 1 FF a bit, and 1 LUT in 4 bits"}
}

// CounterBits returns the field counter_bits, the width of a number of event counters.
func CounterBits(group string, width *int64, counters int) Field {
	return Field{Key: "counter_bits", Group: group, Unit: "bits", Int: width, Min: 8, Max: 64, SV: "COUNTER_BITS",
		Doc:  "Width of the event counters; they wrap.",
		Cost: fmt.Sprintf("%d × counter_bits FF and carry bits", counters)}
}

// Fits returns a problem if a number of bits, the field key, is too small to number the things of
// another field.
func Fits(key string, width int64, of string, things int64) []Problem {
	if need := int64(bits.Len64(uint64(things - 1))); width < need {
		return []Problem{{Key: key, Found: fmt.Sprint(width), Allowed: fmt.Sprintf("at least %d for %s %d", need, of, things)}}
	}
	return nil
}
