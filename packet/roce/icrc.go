// SPDX-License-Identifier: Apache-2.0

package roce

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"
)

// ICRC returns the invariant CRC of a RoCEv2 packet, from its IP header to the last byte before the
// ICRC: the CRC-32 of Ethernet over 8 bytes of ones and the packet, in which ones replace fields
// that may change in transit. On the wire its least significant byte comes first.
//
//	IPv4   type of service, TTL, checksum
//	IPv6   traffic class, flow label, hop limit
//	UDP    checksum
//	BTH    byte 4: FECN, BECN, reserved
func ICRC(ip []byte) (uint32, error) {
	l4, err := headerBytes(ip)
	if err != nil {
		return 0, err
	}
	head := l4 + 8 + BTHBytes
	if len(ip) < head {
		return 0, fmt.Errorf("IP, UDP and BTH need %d bytes, and there are %d", head, len(ip))
	}
	m := slices.Clone(ip[:head])
	if m[0]>>4 == 4 {
		m[1], m[8], m[10], m[11] = 0xFF, 0xFF, 0xFF, 0xFF
	} else {
		m[0] |= 0x0F
		m[1], m[2], m[3], m[7] = 0xFF, 0xFF, 0xFF, 0xFF
	}
	m[l4+6], m[l4+7] = 0xFF, 0xFF
	m[l4+8+4] = 0xFF
	crc := crc32.ChecksumIEEE([]byte{0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF})
	return crc32.Update(crc32.Update(crc, crc32.IEEETable, m), crc32.IEEETable, ip[head:]), nil
}

// headerBytes returns the size of the IP header before UDP.
func headerBytes(ip []byte) (int, error) {
	switch {
	case len(ip) < 20:
		return 0, fmt.Errorf("an IP header needs 20 bytes, and there are %d", len(ip))
	case ip[0] == 0x45 && ip[9] == 17:
		return 20, nil
	case ip[0]>>4 == 6 && ip[6] == 17:
		return 40, nil
	}
	return 0, fmt.Errorf("want UDP in IPv4 without options or in IPv6 without extension headers, not IP header % x", ip[:min(len(ip), 10)])
}

// Place holds the offsets of the parts of a frame.
type Place struct {
	Tags   int // VLAN tags
	V6     bool
	L3, L4 int // IP and UDP header
	ICRC   int
}

// ErrShort is a frame that ends before its IP packet does.
var ErrShort = errors.New("the frame ends before the packet")

// Locate finds the parts of a RoCEv2 frame, which has up to two tags, of type 0x8100 or 0x88A8. The
// lengths of IP and UDP, which have to agree, give the place of the ICRC, as padding may follow it.
func Locate(frame []byte) (Place, error) {
	p := Place{L3: 14}
	for {
		if len(frame) < p.L3 {
			return Place{}, fmt.Errorf("the Ethernet header needs %d bytes, and there are %d", p.L3, len(frame))
		}
		t := binary.BigEndian.Uint16(frame[p.L3-2:])
		if t == 0x8100 || t == 0x88A8 {
			if p.Tags++; p.Tags > 2 {
				return Place{}, fmt.Errorf("more than 2 VLAN tags")
			}
			p.L3 += 4
			continue
		}
		if t != 0x0800 && t != 0x86DD {
			return Place{}, fmt.Errorf("EtherType 0x%04x is not IP", t)
		}
		p.V6 = t == 0x86DD
		break
	}
	ip := frame[p.L3:]
	n, err := headerBytes(ip)
	if err != nil {
		return Place{}, err
	}
	if p.V6 != (n == 40) {
		return Place{}, fmt.Errorf("the EtherType and the version in the IP header differ")
	}
	p.L4 = p.L3 + n
	if len(ip) < n+8 {
		return Place{}, fmt.Errorf("IP and UDP headers need %d bytes, and there are %d", n+8, len(ip))
	}
	size := int(binary.BigEndian.Uint16(ip[2:]))
	if p.V6 {
		size = int(binary.BigEndian.Uint16(ip[4:])) + 40
	}
	udp := int(binary.BigEndian.Uint16(ip[n+4:]))
	switch port := binary.BigEndian.Uint16(ip[n+2:]); {
	case !p.V6 && binary.BigEndian.Uint16(ip[6:])&0x3FFF != 0:
		return Place{}, fmt.Errorf("an IPv4 fragment")
	case port != Port:
		return Place{}, fmt.Errorf("UDP port %d: want %d", port, Port)
	case udp+n != size:
		return Place{}, fmt.Errorf("UDP length %d and IP length %d differ", udp, size-n)
	case udp%4 != 0 || udp < 8+BTHBytes+ICRCBytes:
		return Place{}, fmt.Errorf("UDP length %d: want a multiple of 4, at least %d", udp, 8+BTHBytes+ICRCBytes)
	case len(ip) < size:
		return Place{}, fmt.Errorf("%w by %d bytes", ErrShort, size-len(ip))
	}
	p.ICRC = p.L3 + size - ICRCBytes
	return p, nil
}

// Seal computes the ICRC of a RoCEv2 frame and writes it into the frame.
func Seal(frame []byte) error {
	p, err := Locate(frame)
	if err != nil {
		return err
	}
	crc, err := ICRC(frame[p.L3:p.ICRC])
	if err != nil {
		return err
	}
	binary.LittleEndian.PutUint32(frame[p.ICRC:], crc)
	return nil
}

// Verify returns an error with the found and the correct ICRC if a RoCEv2 frame's ICRC is wrong.
func Verify(frame []byte) error {
	p, err := Locate(frame)
	if err != nil {
		return err
	}
	want, err := ICRC(frame[p.L3:p.ICRC])
	if err != nil {
		return err
	}
	if got := binary.LittleEndian.Uint32(frame[p.ICRC:]); got != want {
		return fmt.Errorf("ICRC 0x%08x: want 0x%08x", got, want)
	}
	return nil
}
