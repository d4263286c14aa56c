// SPDX-License-Identifier: Apache-2.0

package roce

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// AckKind is the meaning of an AETH: bits 6-5 of its syndrome.
type AckKind uint8

// Kinds, with the meaning of the value in bits 4-0.
const (
	ACK AckKind = 0 // credits
	RNR AckKind = 1 // the receiver is not ready: its timer's code
	NAK AckKind = 3 // for an error: NAKSequence and so on
)

// Values of a NAK.
const (
	NAKSequence    = 0 // PSN sequence error
	NAKRequest     = 1 // invalid request
	NAKAccess      = 2 // remote access error
	NAKOperational = 3 // remote operational error
	NAKReadRequest = 4 // invalid reliable datagram request
)

// NoCredits is the value of an ACK that grants no credits.
const NoCredits = 31

// Syndrome returns the byte of a kind and a value of 5 bits.
func Syndrome(k AckKind, value uint8) uint8 { return uint8(k)<<5 | value&31 }

// Kind returns the syndrome's kind, and its value.
func (h *AETH) Kind() (kind AckKind, value uint8) {
	return AckKind(h.Syndrome >> 5 & 3), h.Syndrome & 31
}

// CNPBody is the body of a CNP after its BTH: 16 bytes, reserved.
type CNPBody struct {
	layers.BaseLayer
	Reserved [CNPBytes]byte
}

// LayerType returns LayerTypeCNP.
func (h *CNPBody) LayerType() gopacket.LayerType { return LayerTypeCNP }

// CanDecode returns LayerTypeCNP.
func (h *CNPBody) CanDecode() gopacket.LayerClass { return LayerTypeCNP }

// NextLayerType returns the payload.
func (h *CNPBody) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads the reserved bytes.
func (h *CNPBody) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	base, err := split("CNP", CNPBytes, data, df)
	if err != nil {
		return err
	}
	*h = CNPBody{BaseLayer: base, Reserved: [CNPBytes]byte(data)}
	return nil
}

// SerializeTo puts the reserved bytes before the bytes in b.
func (h *CNPBody) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	d, err := b.PrependBytes(CNPBytes)
	if err != nil {
		return err
	}
	copy(d, h.Reserved[:])
	return nil
}

// FeedbackBody is the body of a feedback packet after its BTH: the entropy values (EV) of up to 16
// packets received, oldest first. The BTH's PSN is the newest packet's. It has 4 + 2·n bytes, and 2
// of padding if n is odd.
type FeedbackBody struct {
	layers.BaseLayer
	Version   uint8 // 4 bits: 0
	Flags     uint8
	CE        uint16   // bit i: the packet of EVs[i] came marked
	EVs       []uint16 // 1 to 16
	Unaligned [2]byte  // the padding, if the number of EVs is odd
}

// Flags of feedback packets.
const (
	FeedbackRetransmit = 1 << 0
	FeedbackDuplicate  = 1 << 1 // a packet came twice
)

// LayerType returns LayerTypeFeedback.
func (h *FeedbackBody) LayerType() gopacket.LayerType { return LayerTypeFeedback }

// CanDecode returns LayerTypeFeedback.
func (h *FeedbackBody) CanDecode() gopacket.LayerClass { return LayerTypeFeedback }

// NextLayerType returns the payload.
func (h *FeedbackBody) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads the list.
func (h *FeedbackBody) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	if len(data) < 4 {
		df.SetTruncated()
		return errors.New("feedback needs 8 bytes")
	}
	n := int(data[0]&0xF) + 1
	base, err := split("feedback", 4+(2*n+2)&^3, data, df)
	if err != nil {
		return err
	}
	*h = FeedbackBody{BaseLayer: base, Version: data[0] >> 4, Flags: data[1], CE: binary.BigEndian.Uint16(data[2:])}
	for i := range n {
		h.EVs = append(h.EVs, binary.BigEndian.Uint16(data[4+2*i:]))
	}
	copy(h.Unaligned[:], base.Contents[4+2*n:])
	return nil
}

// SerializeTo puts the list before the bytes in b.
func (h *FeedbackBody) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	n := len(h.EVs)
	if n < 1 || n > 16 || h.Version > 15 {
		return fmt.Errorf("feedback of %d EVs, version %d: want 1 to 16 EVs, and a version below 16", n, h.Version)
	}
	d, err := b.PrependBytes(4 + (2*n+2)&^3)
	if err != nil {
		return err
	}
	d[0], d[1] = h.Version<<4|uint8(n-1), h.Flags
	binary.BigEndian.PutUint16(d[2:], h.CE)
	for i, ev := range h.EVs {
		binary.BigEndian.PutUint16(d[4+2*i:], ev)
	}
	copy(d[4+2*n:], h.Unaligned[:])
	return nil
}
