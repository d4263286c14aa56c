// SPDX-License-Identifier: Apache-2.0

// Package roce provides the headers of RoCEv2 as layers of gopacket: the base transport header
// (BTH) and the headers that follow it, the path feedback of this project's NIC, and the invariant
// CRC (ICRC). They are written from the formats' definitions, not from a parser of this project, so
// that one can check the other.
//
// All numbers on the wire are big-endian, except the ICRC, whose least significant byte comes
// first. Importing the package makes gopacket decode UDP packets to or from port 4791 with it.
package roce

import (
	"encoding/binary"
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// Port is the UDP destination port of RoCEv2.
const Port = 4791

// Sizes in bytes.
const (
	BTHBytes          = 12
	ICRCBytes         = 4
	AETHBytes         = 4
	RETHBytes         = 16
	AtomicETHBytes    = 28
	AtomicAckETHBytes = 8
	DETHBytes         = 8
	ImmDtBytes        = 4
	IETHBytes         = 4
	XRCETHBytes       = 4
	CNPBytes          = 16
)

// Mask24 has the bits of numbers of queue pairs, PSN and MSN.
const Mask24 = 1<<24 - 1

// BTH is the base transport header, 12 bytes, and the fields at the packet's end: padding, ICRC.
type BTH struct {
	layers.BaseLayer
	Opcode    Opcode
	Solicited bool   // SE: the responder's program is notified
	MigReq    bool   // M: state of path migration
	PadCount  uint8  // 2 bits: bytes of padding before the ICRC
	Version   uint8  // 4 bits: 0
	PKey      uint16 // partition
	FECN      bool   // not covered by the ICRC, as BECN and Reserved6
	BECN      bool
	Reserved6 uint8  // 6 bits after BECN
	DestQP    uint32 // 24 bits
	AckReq    bool   // A: an acknowledgement is requested
	Reserved7 uint8  // 7 bits after AckReq
	PSN       uint32 // 24 bits

	Padding [3]byte // the first PadCount count
	ICRC    uint32  // as hash/crc32 gives it
}

// LayerType returns LayerTypeBTH.
func (h *BTH) LayerType() gopacket.LayerType { return LayerTypeBTH }

// CanDecode returns LayerTypeBTH.
func (h *BTH) CanDecode() gopacket.LayerClass { return LayerTypeBTH }

// NextLayerType returns the layer of the first header after the BTH, or the payload.
func (h *BTH) NextLayerType() gopacket.LayerType {
	if l := h.Opcode.Headers(); len(l) > 0 {
		return l[0]
	}
	return gopacket.LayerTypePayload
}

// DecodeFromBytes reads the UDP payload, from the BTH to the ICRC. The layer's payload consists of
// the bytes between the BTH and the padding.
func (h *BTH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < BTHBytes+ICRCBytes {
		df.SetTruncated()
		return fmt.Errorf("BTH and ICRC need %d bytes, and there are %d", BTHBytes+ICRCBytes, len(data))
	}
	pad := data[1] >> 4 & 3
	end := len(data) - ICRCBytes - int(pad)
	if end < BTHBytes {
		return fmt.Errorf("BTH has %d bytes of padding, but only %d remain before the ICRC", pad, len(data)-BTHBytes-ICRCBytes)
	}
	*h = BTH{
		BaseLayer: layers.BaseLayer{Contents: data[:BTHBytes], Payload: data[BTHBytes:end]},
		Opcode:    Opcode(data[0]),
		Solicited: data[1]&0x80 != 0,
		MigReq:    data[1]&0x40 != 0,
		PadCount:  pad,
		Version:   data[1] & 0xF,
		PKey:      binary.BigEndian.Uint16(data[2:]),
		FECN:      data[4]&0x80 != 0,
		BECN:      data[4]&0x40 != 0,
		Reserved6: data[4] & 0x3F,
		DestQP:    get24(data[5:]),
		AckReq:    data[8]&0x80 != 0,
		Reserved7: data[8] & 0x7F,
		PSN:       get24(data[9:]),
		ICRC:      binary.LittleEndian.Uint32(data[len(data)-ICRCBytes:]),
	}
	copy(h.Padding[:], data[end:end+int(pad)])
	return nil
}

// SerializeTo puts the BTH before the bytes in b, and padding and ICRC after them. With FixLengths
// it sets PadCount so that the length is a multiple of 4. The ICRC is taken from the field: Seal
// computes it, from the whole frame.
func (h *BTH) SerializeTo(b gopacket.SerializeBuffer, opts gopacket.SerializeOptions) error {
	if opts.FixLengths {
		h.PadCount = uint8(-len(b.Bytes()) & 3)
	}
	if h.PadCount > 3 || h.Version > 15 || h.Reserved6 > 0x3F || h.Reserved7 > 0x7F || h.DestQP > Mask24 || h.PSN > Mask24 {
		return fmt.Errorf("a field of the BTH is wider than on the wire: %+v", *h)
	}
	end, err := b.AppendBytes(int(h.PadCount) + ICRCBytes)
	if err != nil {
		return err
	}
	copy(end, h.Padding[:h.PadCount])
	binary.LittleEndian.PutUint32(end[h.PadCount:], h.ICRC)
	d, err := b.PrependBytes(BTHBytes)
	if err != nil {
		return err
	}
	d[0] = byte(h.Opcode)
	d[1] = bit(h.Solicited, 7) | bit(h.MigReq, 6) | h.PadCount<<4 | h.Version
	binary.BigEndian.PutUint16(d[2:], h.PKey)
	d[4] = bit(h.FECN, 7) | bit(h.BECN, 6) | h.Reserved6
	put24(d[5:], h.DestQP)
	d[8] = bit(h.AckReq, 7) | h.Reserved7
	put24(d[9:], h.PSN)
	return nil
}

func get24(b []byte) uint32 { return uint32(b[0])<<16 | uint32(b[1])<<8 | uint32(b[2]) }

func put24(b []byte, v uint32) { b[0], b[1], b[2] = byte(v>>16), byte(v>>8), byte(v) }

func bit(on bool, at uint) byte {
	if on {
		return 1 << at
	}
	return 0
}

// decodeBTH adds the layers from the BTH to the payload.
func decodeBTH(data []byte, p gopacket.PacketBuilder) error {
	h := &BTH{}
	if err := h.DecodeFromBytes(data, p); err != nil {
		return err
	}
	p.AddLayer(h)
	rest := h.Payload
	for _, t := range h.Opcode.Headers() {
		x := newHeader(t)
		if err := x.DecodeFromBytes(rest, p); err != nil {
			return err
		}
		p.AddLayer(x)
		rest = x.LayerPayload()
	}
	if len(rest) == 0 {
		return nil
	}
	return p.NextDecoder(gopacket.DecodePayload)
}
