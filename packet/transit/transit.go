// SPDX-License-Identifier: Apache-2.0

// Package transit has what a switch does with a frame in transit: it finds the IP header behind shims and tags, hashes
// a flow, takes a path's number from a shim, marks congestion and writes telemetry. The ICRC covers none of these edits.
package transit

import (
	"encoding/binary"

	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
)

// IPAt returns the position of the IP header, behind shims and tags, and its version, or 0 if
// there is no IP header.
func IPAt(f []byte) (at, version int) {
	at = 12
	for at+2 <= len(f) {
		switch binary.BigEndian.Uint16(f[at:]) {
		case 0x0800:
			if len(f) >= at+22 && f[at+2]>>4 == 4 {
				return at + 2, 4
			}
			return 0, 0
		case 0x86DD:
			if len(f) >= at+42 && f[at+2]>>4 == 6 {
				return at + 2, 6
			}
			return 0, 0
		case 0x8100, 0x88A8:
			at += 4
		case uint16(shim.EtherType):
			if len(f) < at+4 {
				return 0, 0
			}
			n := shim.Subtype(f[at+3] & 0xF).Size()
			if n == 0 {
				return 0, 0
			}
			at += n
		default:
			return 0, 0
		}
	}
	return 0, 0
}

// Hash returns ECMP's hash over addresses, protocol, ports, and IPv6's flow label: FNV-1a with
// its high bits mixed into the low ones.
func Hash(f []byte, seed uint64) uint64 {
	h := uint64(14695981039346656037) ^ seed
	add := func(b ...byte) {
		for _, x := range b {
			h = (h ^ uint64(x)) * 1099511628211
		}
	}
	at, version := IPAt(f)
	l4 := 0
	switch version {
	case 4:
		add(f[at+12 : at+20]...)
		add(f[at+9])
		l4 = at + 20
	case 6:
		add(f[at+8 : at+40]...)
		add(f[at+1]&0xF, f[at+2], f[at+3], f[at+6])
		l4 = at + 40
	default:
		add(f[:min(12, len(f))]...)
	}
	if l4 > 0 && len(f) >= l4+4 {
		add(f[l4 : l4+4]...)
	}
	h ^= h >> 33
	h *= 0xFF51AFD7ED558CCD
	return h ^ h>>33
}

// Follow takes the next anchor of a LAPS shim, if the frame has one with anchors left: the number of a path. The shim
// then names the one behind it.
func Follow(f []byte) (named bool, path uint32) {
	const at = 24 // of the first anchor
	if len(f) < at+16 || binary.BigEndian.Uint16(f[12:]) != uint16(shim.EtherType) || f[14]>>6 != 0 || shim.Subtype(f[15]&0xF) != shim.LAPS {
		return false, 0
	}
	count, next := f[14]&0xF, f[15]>>4
	if next >= count || next >= 4 {
		return false, 0
	}
	f[15] += 1 << 4
	return true, binary.BigEndian.Uint32(f[at+4*int(next):])
}

// Own reports whether NICs make and consume a frame without their hosts: a probe or its answer, or a list of
// feedback.
func Own(f []byte) (own, probe bool) {
	if len(f) >= 46 && binary.BigEndian.Uint16(f[12:]) == uint16(shim.EtherType) && shim.Subtype(f[15]&0xF) == shim.LAPS {
		typ := shim.Type(f[14] >> 4 & 3)
		return typ == shim.Probe || typ == shim.Answer, typ == shim.Probe
	}
	at, version := IPAt(f)
	l4 := map[int]int{4: at + 20, 6: at + 40}[version]
	return l4 > 0 && len(f) > l4+8 && binary.BigEndian.Uint16(f[l4+2:]) == roce.Port && f[l4+8] == byte(roce.Feedback), false
}

// ce is the code of the ECN field that a switch writes.
const ce = 3

// Mark sets CE if the sender knows ECN: RFC 3168, and RFC 1624 for the checksum.
func Mark(f []byte) bool {
	at, version := IPAt(f)
	switch version {
	case 4:
		if f[at+1]&3 == 0 {
			return false
		}
		old := binary.BigEndian.Uint16(f[at:])
		f[at+1] |= ce
		sum := uint32(^binary.BigEndian.Uint16(f[at+10:])) + uint32(^old) + uint32(binary.BigEndian.Uint16(f[at:]))
		sum = sum&0xFFFF + sum>>16
		sum = sum&0xFFFF + sum>>16
		binary.BigEndian.PutUint16(f[at+10:], ^uint16(sum))
		return true
	case 6:
		if f[at+1]>>4&3 == 0 {
			return false
		}
		f[at+1] |= ce << 4
		return true
	}
	return false
}

// Marked reports whether the frame has CE.
func Marked(f []byte) bool {
	at, version := IPAt(f)
	return version == 4 && f[at+1]&3 == ce || version == 6 && f[at+1]>>4&3 == ce
}

// Telemetry writes a hop into a shim that collects, if the frame has one and a slot is left.
func Telemetry(f []byte, switchID uint16, w shim.Word) bool {
	if len(f) < 62 || binary.BigEndian.Uint16(f[12:]) != uint16(shim.EtherType) || shim.Subtype(f[15]&0xF) != shim.HPCC ||
		f[14]>>6 != 0 || shim.Type(f[14]>>4&3) != shim.Collect {
		return false
	}
	hops := binary.BigEndian.Uint16(f[18:])
	if hops >= uint16(min(f[14]&0xF, 5)) {
		return false
	}
	binary.LittleEndian.PutUint64(f[20+8*hops:], uint64(w))
	binary.BigEndian.PutUint16(f[18:], hops+1)
	binary.BigEndian.PutUint16(f[16:], binary.BigEndian.Uint16(f[16:])^switchID&0xFFF)
	return true
}
