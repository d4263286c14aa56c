// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"encoding/binary"

	params "github.com/nicgen/nicgen/gen/nic_parse"
)

// Tag is a VLAN tag.
type Tag struct{ Type, Value uint16 }

// Frame is a UDP packet in an Ethernet frame, field by field, even with inconsistent fields. Append
// makes the bytes that Parse reads.
type Frame struct {
	MAC  [12]byte
	Tags []Tag
	Type uint16 // EtherType

	V6           bool // the form of the IP header
	Version, IHL byte
	Class        byte   // traffic class, or type of service
	Flow         uint32 // IPv6: label
	Length       uint16 // IPv4: total length; IPv6: payload length
	ID, Fragment uint16 // IPv4
	TTL          byte
	Protocol     byte     // or next header
	SumError     uint16   // IPv4: the error of the checksum
	Src, Dst     [16]byte // IPv4: the last four

	SrcPort, DstPort, UDPLen, UDPSum uint16

	Body    []byte // after the UDP header: BTH, payload, ICRC
	Trailer []byte // after the IP packet
}

// Fit makes types and lengths agree.
func (f *Frame) Fit() {
	f.UDPLen = uint16(8 + len(f.Body))
	f.Type, f.Version, f.IHL, f.Protocol = typeIPv4, 4, 5, protocolUDP
	f.Length = f.UDPLen + params.IPv4Bytes
	if f.V6 {
		f.Type, f.Version, f.Length = typeIPv6, 6, f.UDPLen
	}
}

// L4 returns the offset of UDP.
func (f *Frame) L4() int {
	n := params.EthernetBytes + params.TagBytes*len(f.Tags)
	if f.V6 {
		return n + params.IPv6Bytes
	}
	return n + params.IPv4Bytes
}

// Append appends the bytes of the frame.
func (f *Frame) Append(b []byte) []byte {
	word := func(list ...uint16) {
		for _, v := range list {
			b = binary.BigEndian.AppendUint16(b, v)
		}
	}
	b = append(b, f.MAC[:]...)
	for _, t := range f.Tags {
		word(t.Type, t.Value)
	}
	word(f.Type)
	l3 := len(b)
	if f.V6 {
		b = binary.BigEndian.AppendUint32(b, uint32(f.Version)<<28|uint32(f.Class)<<20|f.Flow)
		word(f.Length, uint16(f.Protocol)<<8|uint16(f.TTL))
		b = append(append(b, f.Src[:]...), f.Dst[:]...)
	} else {
		b = append(b, f.Version<<4|f.IHL, f.Class)
		word(f.Length, f.ID, f.Fragment, uint16(f.TTL)<<8|uint16(f.Protocol), 0)
		b = append(append(b, f.Src[12:]...), f.Dst[12:]...)
		binary.BigEndian.PutUint16(b[l3+10:], checksum(b[l3:])+f.SumError)
	}
	word(f.SrcPort, f.DstPort, f.UDPLen, f.UDPSum)
	return append(append(b, f.Body...), f.Trailer...)
}

// checksum returns the checksum of an IPv4 header whose own checksum field is 0 (RFC 1071).
func checksum(ip []byte) uint16 {
	sum := uint32(0)
	for ; len(ip) > 1; ip = ip[2:] {
		sum += uint32(ip[0])<<8 | uint32(ip[1])
	}
	for sum > 0xffff {
		sum = sum>>16 + sum&0xffff
	}
	return ^uint16(sum)
}
