// SPDX-License-Identifier: Apache-2.0

// Package shim provides the shims of telemetry and paths as layers of gopacket: LAPS, INT with
// HPCC's words, and a container for INT-MD. A shim replaces the EtherType, and ends with the
// EtherType of the next header, like a VLAN tag:
//
//	bytes of the frame   12-13   14-15                 16-43 or 16-59   then 2
//	                     0x88B5  version to subtype    body             EtherType
//
// Numbers are big-endian, except HPCC's words. Importing the package makes gopacket decode
// EtherType 0x88B5 with it.
package shim

import (
	"encoding/binary"
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// EtherType of shims: IEEE 802's first number for local experiments.
const EtherType layers.EthernetType = 0x88B5

// LayerTypeShim is the type of Shim.
const LayerTypeShim gopacket.LayerType = 1490

// Subtype is the type of the body.
type Subtype uint8

// Subtypes.
const (
	LAPS  Subtype = 1
	HPCC  Subtype = 2
	INTMD Subtype = 3
)

// Type is the purpose of the shim.
type Type uint8

// Types. INT has the first two: collect and echo.
const (
	Data    Type = 0
	Collect Type = 0
	ACK     Type = 1 // LAPS: Time is the one-way delay
	Echo    Type = 1
	Probe   Type = 2
	Answer  Type = 3 // Time is the one-way delay
)

// Shim is a shim of a frame. One of the bodies is there, as Subtype says.
type Shim struct {
	layers.BaseLayer
	Version uint8 // 2 bits: 0
	Type    Type
	Count   uint8 // 4 bits: anchors or slots
	Next    uint8 // 4 bits: next anchor; INT: 0
	Subtype Subtype
	LAPS    *LAPSBody
	HPCC    *HPCCBody
	INTMD   *INTMDBody

	EtherType layers.EthernetType // of the next header; 0 after a probe
}

// LAPSBody is the body of LAPS: 28 bytes.
type LAPSBody struct {
	Path    uint16
	Time    uint64 // 48 bits, ns: when it was sent, or the one-way delay
	Anchors [4]uint32
	Zero    [4]byte
}

// HPCCBody is the body of INT with HPCC's words: 44 bytes.
type HPCCBody struct {
	Path  uint16 // 12 bits are used
	Hops  uint16 // passed
	Words [5]Word
}

// Word is the telemetry of a hop, on the wire as 64 bits, the least significant byte first.
type Word uint64

// MakeWord returns the word of a hop: the code of its link's rate (3 bits), the time in ns (24
// bits), bytes sent in units of 128 (20 bits), and the queue in units of 80 bytes (17 bits).
func MakeWord(rate uint8, time, bytes, queue uint32) Word {
	return Word(uint64(rate&7) | uint64(time&0xFFFFFF)<<3 | uint64(bytes&0xFFFFF)<<27 | uint64(queue&0x1FFFF)<<47)
}

// Rate returns the code of the link's rate.
func (w Word) Rate() uint8 { return uint8(w & 7) }

// Time returns the time in ns, modulo 2^24.
func (w Word) Time() uint32 { return uint32(w >> 3 & 0xFFFFFF) }

// Bytes returns the amount of data sent, in units of 128 bytes, modulo 2^20.
func (w Word) Bytes() uint32 { return uint32(w >> 27 & 0xFFFFF) }

// Queue returns the queue's length in units of 80 bytes.
func (w Word) Queue() uint32 { return uint32(w >> 47) }

// INTMDBody is the body of INT-MD: 44 bytes. The header follows the INT specification 2.1, section
// 5.7.
type INTMDBody struct {
	Version                    uint8 // 4 bits: 2
	Discard, Exceeded, MTU     bool  // D, E, M
	Reserved                   uint16
	HopWords                   uint8 // 5 bits: words of 4 bytes that a hop adds
	Remaining                  uint8 // hops that may still add
	Instructions               uint16
	Domain, DomainInstructions uint16
	DomainFlags                uint16
	Hops                       [4]INTHop
}

// Instructions for the hops of an INTMDBody.
const (
	InstructionQueue       = 1 << (15 - 3) // queue and its occupancy
	InstructionUtilisation = 1 << (15 - 7) // egress interface
)

// INTHop is the telemetry of a hop.
type INTHop struct {
	Queue       uint8
	Occupancy   uint32 // 24 bits
	Utilisation uint32
}

// Size returns the bytes that a shim adds to a frame, 0 of an unknown subtype.
func (s Subtype) Size() int {
	switch s {
	case LAPS:
		return 32
	case HPCC, INTMD:
		return 48
	}
	return 0
}

func init() {
	decode := gopacket.DecodeFunc(func(data []byte, p gopacket.PacketBuilder) error {
		s := &Shim{}
		if err := s.DecodeFromBytes(data, p); err != nil {
			return err
		}
		p.AddLayer(s)
		if s.EtherType == 0 {
			return p.NextDecoder(gopacket.DecodePayload)
		}
		return p.NextDecoder(s.EtherType)
	})
	gopacket.RegisterLayerType(int(LayerTypeShim), gopacket.LayerTypeMetadata{Name: "Shim", Decoder: decode})
	layers.EthernetTypeMetadata[EtherType] = layers.EnumMetadata{DecodeWith: decode, Name: "Shim", LayerType: LayerTypeShim}
}

// LayerType returns LayerTypeShim.
func (s *Shim) LayerType() gopacket.LayerType { return LayerTypeShim }

// CanDecode returns LayerTypeShim.
func (s *Shim) CanDecode() gopacket.LayerClass { return LayerTypeShim }

// NextLayerType returns the layer type of the EtherType after the shim.
func (s *Shim) NextLayerType() gopacket.LayerType {
	if s.EtherType == 0 {
		return gopacket.LayerTypePayload
	}
	return s.EtherType.LayerType()
}

// DecodeFromBytes reads the bytes after the EtherType of the shim.
func (s *Shim) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < 2 {
		df.SetTruncated()
		return fmt.Errorf("a shim begins with 2 bytes, and there are %d", len(data))
	}
	sub := Subtype(data[1] & 0xF)
	n := sub.Size()
	if n == 0 {
		return fmt.Errorf("a shim of subtype %d: want 1 to 3", sub)
	}
	if len(data) < n {
		df.SetTruncated()
		return fmt.Errorf("a shim of subtype %d needs %d bytes, and there are %d", sub, n, len(data))
	}
	*s = Shim{
		BaseLayer: layers.BaseLayer{Contents: data[:n], Payload: data[n:]},
		Version:   data[0] >> 6, Type: Type(data[0] >> 4 & 3), Count: data[0] & 0xF,
		Next: data[1] >> 4, Subtype: sub,
		EtherType: layers.EthernetType(binary.BigEndian.Uint16(data[n-2:])),
	}
	switch b := data[2 : n-2]; sub {
	case LAPS:
		s.LAPS = &LAPSBody{Path: binary.BigEndian.Uint16(b), Time: binary.BigEndian.Uint64(b) & (1<<48 - 1), Zero: [4]byte(b[24:])}
		for i := range s.LAPS.Anchors {
			s.LAPS.Anchors[i] = binary.BigEndian.Uint32(b[8+4*i:])
		}
	case HPCC:
		s.HPCC = &HPCCBody{Path: binary.BigEndian.Uint16(b), Hops: binary.BigEndian.Uint16(b[2:])}
		for i := range s.HPCC.Words {
			s.HPCC.Words[i] = Word(binary.LittleEndian.Uint64(b[4+8*i:]))
		}
	case INTMD:
		w := binary.BigEndian.Uint32(b)
		m := &INTMDBody{
			Version: uint8(w >> 28), Discard: w>>27&1 != 0, Exceeded: w>>26&1 != 0, MTU: w>>25&1 != 0,
			Reserved: uint16(w >> 13 & 0xFFF), HopWords: uint8(w >> 8 & 0x1F), Remaining: uint8(w),
			Instructions: binary.BigEndian.Uint16(b[4:]), Domain: binary.BigEndian.Uint16(b[6:]),
			DomainInstructions: binary.BigEndian.Uint16(b[8:]), DomainFlags: binary.BigEndian.Uint16(b[10:]),
		}
		for i := range m.Hops {
			h := b[12+8*i:]
			m.Hops[i] = INTHop{Queue: h[0], Occupancy: binary.BigEndian.Uint32(h) & 0xFFFFFF, Utilisation: binary.BigEndian.Uint32(h[4:])}
		}
		s.INTMD = m
	}
	return nil
}

// SerializeTo puts the shim before the bytes in b.
func (s *Shim) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	n := s.Subtype.Size()
	if n == 0 || s.Version > 3 || s.Type > 3 || s.Count > 15 || s.Next > 15 {
		return fmt.Errorf("a field of the shim is wider than on the wire, or its subtype is not 1 to 3: %+v", *s)
	}
	if (s.LAPS != nil) != (s.Subtype == LAPS) || (s.HPCC != nil) != (s.Subtype == HPCC) || (s.INTMD != nil) != (s.Subtype == INTMD) {
		return fmt.Errorf("a shim of subtype %d has another body, or none", s.Subtype)
	}
	d, err := b.PrependBytes(n)
	if err != nil {
		return err
	}
	d[0] = s.Version<<6 | uint8(s.Type)<<4 | s.Count
	d[1] = s.Next<<4 | uint8(s.Subtype)
	binary.BigEndian.PutUint16(d[n-2:], uint16(s.EtherType))
	d = d[2 : n-2]
	switch s.Subtype {
	case LAPS:
		if s.LAPS.Time>>48 != 0 {
			return fmt.Errorf("a shim's time of %d ns has more than 48 bits", s.LAPS.Time)
		}
		binary.BigEndian.PutUint64(d, uint64(s.LAPS.Path)<<48|s.LAPS.Time)
		for i, a := range s.LAPS.Anchors {
			binary.BigEndian.PutUint32(d[8+4*i:], a)
		}
		copy(d[24:], s.LAPS.Zero[:])
	case HPCC:
		binary.BigEndian.PutUint16(d, s.HPCC.Path)
		binary.BigEndian.PutUint16(d[2:], s.HPCC.Hops)
		for i, w := range s.HPCC.Words {
			binary.LittleEndian.PutUint64(d[4+8*i:], uint64(w))
		}
	case INTMD:
		m := s.INTMD
		if m.Version > 15 || m.Reserved > 0xFFF || m.HopWords > 31 {
			return fmt.Errorf("a field of INT-MD is wider than on the wire: %+v", *m)
		}
		w := uint32(m.Version)<<28 | uint32(m.Reserved)<<13 | uint32(m.HopWords)<<8 | uint32(m.Remaining)
		for i, on := range []bool{m.Discard, m.Exceeded, m.MTU} {
			if on {
				w |= 1 << (27 - i)
			}
		}
		binary.BigEndian.PutUint32(d, w)
		binary.BigEndian.PutUint16(d[4:], m.Instructions)
		binary.BigEndian.PutUint16(d[6:], m.Domain)
		binary.BigEndian.PutUint16(d[8:], m.DomainInstructions)
		binary.BigEndian.PutUint16(d[10:], m.DomainFlags)
		for i, h := range m.Hops {
			if h.Occupancy > 0xFFFFFF {
				return fmt.Errorf("occupancy 0x%x of hop %d has more than 24 bits", h.Occupancy, i)
			}
			binary.BigEndian.PutUint32(d[12+8*i:], uint32(h.Queue)<<24|h.Occupancy)
			binary.BigEndian.PutUint32(d[16+8*i:], h.Utilisation)
		}
	}
	return nil
}
