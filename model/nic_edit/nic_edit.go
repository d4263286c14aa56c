// SPDX-License-Identifier: Apache-2.0

// Package nicedit is the golden model of the packet editor: it works on whole frames in bytes.
// Where the RTL patches, the model recomputes: the ICRC over all bytes that it covers, the IPv4
// checksum from the header's two versions.
package nicedit

import (
	"encoding/binary"

	params "github.com/nicgen/nicgen/gen/nic_edit"
)

// Command is the set of edits to apply to a frame.
type Command struct {
	V6   bool // IPv6, else IPv4
	Tags int  // VLAN tags
	Lane int  // of the UDP source port

	EVOn bool
	EV   uint32 // flow label, or the source port in the low 16 bits
	Flow bool   // the flow label gets the EV

	DSCPOn, ECNOn bool
	DSCP, ECN     byte

	BECNOn, BECN bool
	Ask          bool // the A bit is inverted
	UDPZero      bool

	ICRC   bool // the frame has one
	UDPLen int
}

// Places in a frame.
const (
	ethernet = 14 // bytes of the header without tags
	tag      = 4
	ipv4     = 20
	ipv6     = 40
	icrcSize = 4
)

// L3 returns the offset of the IP header.
func (c *Command) L3() int { return ethernet + tag*c.Tags }

// L4 returns the offset of the UDP header.
func (c *Command) L4() int {
	if c.V6 {
		return c.L3() + ipv6
	}
	return c.L3() + ipv4
}

// ICRCAt returns the offset of the ICRC.
func (c *Command) ICRCAt() int { return c.L4() + c.UDPLen - icrcSize }

// Patched reports whether the ICRC has to change with the frame.
func (c *Command) Patched() bool { return c.ICRC && (c.EVOn && !c.Flow || c.Ask) }

// Built returns the command without the edits that a configuration does not have.
func (c Command) Built(p *params.Params) Command {
	if !p.FlowLabel {
		c.Flow = false
	}
	if !p.TrafficClass {
		c.DSCPOn, c.ECNOn = false, false
	}
	c.BECNOn = c.BECNOn && p.BECN
	c.Ask = c.Ask && p.Ask
	c.UDPZero = c.UDPZero && p.UDPZero
	c.ICRC = c.ICRC && p.ICRC
	return c
}

// Legal reports whether a command can be executed.
func (c *Command) Legal() bool {
	switch {
	case c.Tags > 2 || c.Lane != (c.L4()-2)/4:
		return false
	case c.EVOn && c.Flow && !c.V6:
		return false
	case c.ICRC && (c.UDPLen%4 != 0 || c.UDPLen < params.LeastUDP):
		return false
	}
	return true
}

// Edit returns the edited frame, or the unchanged frame and false if the command is illegal. A
// frame that ends early is edited as far as it goes.
func Edit(frame []byte, c Command) ([]byte, bool) {
	if !c.Legal() {
		return frame, false
	}
	// Missing bytes are taken as zeros, and cut off again.
	size := max(len(frame), c.L4()+params.LeastUDP)
	if c.ICRC {
		size = max(size, c.ICRCAt()+icrcSize)
	}
	was, is := make([]byte, size), make([]byte, size)
	copy(was, frame)
	copy(is, frame)

	l3, l4 := c.L3(), c.L4()
	if c.EVOn && !c.Flow {
		binary.BigEndian.PutUint16(is[l4:], uint16(c.EV))
	}
	if c.V6 {
		word := binary.BigEndian.Uint32(is[l3:])
		class := c.class(byte(word >> 20))
		word = word&0xf00f_ffff | uint32(class)<<20
		if c.EVOn && c.Flow {
			word = word&0xfff0_0000 | c.EV&0xf_ffff
		}
		binary.BigEndian.PutUint32(is[l3:], word)
	} else if c.DSCPOn || c.ECNOn {
		is[l3+1] = c.class(is[l3+1])
		check := binary.BigEndian.Uint16(is[l3+10:])
		binary.BigEndian.PutUint16(is[l3+10:], checksum(check, was[l3:l3+2], is[l3:l3+2]))
	}
	if c.UDPZero {
		is[l4+6], is[l4+7] = 0, 0
	}
	if c.BECNOn {
		is[l4+12] &^= 0x40
		if c.BECN {
			is[l4+12] |= 0x40
		}
	}
	if c.Ask {
		is[l4+16] ^= 0x80
	}
	if c.ICRC {
		// A correct ICRC stays correct; a wrong one differs as before.
		at := is[c.ICRCAt():]
		patch := c.icrc(was) ^ c.icrc(is)
		binary.LittleEndian.PutUint32(at, binary.LittleEndian.Uint32(at)^patch)
	}
	return is[:len(frame)], true
}

// class returns the new traffic class, from the old one.
func (c *Command) class(old byte) byte {
	if c.DSCPOn {
		old = old&3 | c.DSCP<<2
	}
	if c.ECNOn {
		old = old&^3 | c.ECN&3
	}
	return old
}

// checksum returns the IPv4 header checksum after 16 bits of the header changed. The sum of a
// header with its checksum stays the same modulo 65,535; no correct checksum is 65,535, as no
// header has only zero words.
func checksum(check uint16, was, is []byte) uint16 {
	const modulus = 65535
	before, now := int(binary.BigEndian.Uint16(was)), int(binary.BigEndian.Uint16(is))
	return uint16((int(check) + before - now + modulus) % modulus)
}
