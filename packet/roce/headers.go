// SPDX-License-Identifier: Apache-2.0

package roce

import (
	"encoding/binary"
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// Layer types, of gopacket's range for applications.
const (
	LayerTypeBTH gopacket.LayerType = 1470 + iota
	LayerTypeAETH
	LayerTypeRETH
	LayerTypeAtomicETH
	LayerTypeAtomicAckETH
	LayerTypeDETH
	LayerTypeImmDt
	LayerTypeIETH
	LayerTypeXRCETH
	LayerTypeCNP
	LayerTypeFeedback
)

// Header is a header after the BTH. The next header depends on the BTH's opcode, so as a
// DecodingLayer it gives the payload as next.
type Header interface {
	gopacket.Layer
	gopacket.SerializableLayer
	gopacket.DecodingLayer
}

func newHeader(t gopacket.LayerType) Header {
	switch t {
	case LayerTypeAETH:
		return &AETH{}
	case LayerTypeRETH:
		return &RETH{}
	case LayerTypeAtomicETH:
		return &AtomicETH{}
	case LayerTypeAtomicAckETH:
		return &AtomicAckETH{}
	case LayerTypeDETH:
		return &DETH{}
	case LayerTypeImmDt:
		return &ImmDt{}
	case LayerTypeIETH:
		return &IETH{}
	case LayerTypeXRCETH:
		return &XRCETH{}
	case LayerTypeCNP:
		return &CNPBody{}
	}
	return &FeedbackBody{}
}

func init() {
	gopacket.RegisterLayerType(int(LayerTypeBTH), gopacket.LayerTypeMetadata{Name: "BTH", Decoder: gopacket.DecodeFunc(decodeBTH)})
	for t, name := range map[gopacket.LayerType]string{
		LayerTypeAETH: "AETH", LayerTypeRETH: "RETH", LayerTypeAtomicETH: "AtomicETH", LayerTypeAtomicAckETH: "AtomicAckETH",
		LayerTypeDETH: "DETH", LayerTypeImmDt: "ImmDt", LayerTypeIETH: "IETH", LayerTypeXRCETH: "XRCETH",
		LayerTypeCNP: "CNP", LayerTypeFeedback: "Feedback",
	} {
		decode := func(data []byte, p gopacket.PacketBuilder) error {
			h := newHeader(t)
			if err := h.DecodeFromBytes(data, p); err != nil {
				return err
			}
			p.AddLayer(h)
			return p.NextDecoder(gopacket.DecodePayload)
		}
		gopacket.RegisterLayerType(int(t), gopacket.LayerTypeMetadata{Name: name, Decoder: gopacket.DecodeFunc(decode)})
	}
	layers.RegisterUDPPortLayerType(Port, LayerTypeBTH)
}

// split returns the header's bytes and the bytes after them.
func split(name string, n int, data []byte, df gopacket.DecodeFeedback) (layers.BaseLayer, error) {
	if len(data) < n {
		df.SetTruncated()
		return layers.BaseLayer{}, fmt.Errorf("%s needs %d bytes, and %d are left before the ICRC", name, n, len(data))
	}
	return layers.BaseLayer{Contents: data[:n], Payload: data[n:]}, nil
}

// AETH is the acknowledgement extended transport header, 4 bytes.
type AETH struct {
	layers.BaseLayer
	Syndrome uint8  // kind in bits 6-5, its value in bits 4-0: see AckKind
	MSN      uint32 // 24 bits: message sequence number
}

// LayerType returns LayerTypeAETH.
func (h *AETH) LayerType() gopacket.LayerType { return LayerTypeAETH }

// CanDecode returns LayerTypeAETH.
func (h *AETH) CanDecode() gopacket.LayerClass { return LayerTypeAETH }

// NextLayerType returns the payload.
func (h *AETH) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads the header.
func (h *AETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	base, err := split("AETH", AETHBytes, data, df)
	if err != nil {
		return err
	}
	*h = AETH{BaseLayer: base, Syndrome: data[0], MSN: get24(data[1:])}
	return nil
}

// SerializeTo puts the header before the bytes in b.
func (h *AETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	if h.MSN > Mask24 {
		return fmt.Errorf("AETH: MSN 0x%x has more than 24 bits", h.MSN)
	}
	d, err := b.PrependBytes(AETHBytes)
	if err != nil {
		return err
	}
	d[0] = h.Syndrome
	put24(d[1:], h.MSN)
	return nil
}

// RETH is the RDMA extended transport header, 16 bytes.
type RETH struct {
	layers.BaseLayer
	VA     uint64 // virtual address
	RKey   uint32 // key of the memory region
	Length uint32 // bytes of the whole message
}

// LayerType returns LayerTypeRETH.
func (h *RETH) LayerType() gopacket.LayerType { return LayerTypeRETH }

// CanDecode returns LayerTypeRETH.
func (h *RETH) CanDecode() gopacket.LayerClass { return LayerTypeRETH }

// NextLayerType returns the payload.
func (h *RETH) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads the header.
func (h *RETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	base, err := split("RETH", RETHBytes, data, df)
	if err != nil {
		return err
	}
	*h = RETH{BaseLayer: base, VA: binary.BigEndian.Uint64(data), RKey: binary.BigEndian.Uint32(data[8:]), Length: binary.BigEndian.Uint32(data[12:])}
	return nil
}

// SerializeTo puts the header before the bytes in b.
func (h *RETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	d, err := b.PrependBytes(RETHBytes)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint64(d, h.VA)
	binary.BigEndian.PutUint32(d[8:], h.RKey)
	binary.BigEndian.PutUint32(d[12:], h.Length)
	return nil
}

// AtomicETH is the atomic extended transport header, 28 bytes.
type AtomicETH struct {
	layers.BaseLayer
	VA      uint64 // virtual address
	RKey    uint32 // key of the memory region
	SwapAdd uint64 // value to write, or to add
	Compare uint64 // value to compare with; of compare and swap only
}

// LayerType returns LayerTypeAtomicETH.
func (h *AtomicETH) LayerType() gopacket.LayerType { return LayerTypeAtomicETH }

// CanDecode returns LayerTypeAtomicETH.
func (h *AtomicETH) CanDecode() gopacket.LayerClass { return LayerTypeAtomicETH }

// NextLayerType returns the payload.
func (h *AtomicETH) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads the header.
func (h *AtomicETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	base, err := split("AtomicETH", AtomicETHBytes, data, df)
	if err != nil {
		return err
	}
	*h = AtomicETH{BaseLayer: base, VA: binary.BigEndian.Uint64(data), RKey: binary.BigEndian.Uint32(data[8:]), SwapAdd: binary.BigEndian.Uint64(data[12:]), Compare: binary.BigEndian.Uint64(data[20:])}
	return nil
}

// SerializeTo puts the header before the bytes in b.
func (h *AtomicETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	d, err := b.PrependBytes(AtomicETHBytes)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint64(d, h.VA)
	binary.BigEndian.PutUint32(d[8:], h.RKey)
	binary.BigEndian.PutUint64(d[12:], h.SwapAdd)
	binary.BigEndian.PutUint64(d[20:], h.Compare)
	return nil
}

// AtomicAckETH is the atomic acknowledgement extended transport header, 8 bytes.
type AtomicAckETH struct {
	layers.BaseLayer
	Original uint64 // value before the operation
}

// LayerType returns LayerTypeAtomicAckETH.
func (h *AtomicAckETH) LayerType() gopacket.LayerType { return LayerTypeAtomicAckETH }

// CanDecode returns LayerTypeAtomicAckETH.
func (h *AtomicAckETH) CanDecode() gopacket.LayerClass { return LayerTypeAtomicAckETH }

// NextLayerType returns the payload.
func (h *AtomicAckETH) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads the header.
func (h *AtomicAckETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	base, err := split("AtomicAckETH", AtomicAckETHBytes, data, df)
	if err != nil {
		return err
	}
	*h = AtomicAckETH{BaseLayer: base, Original: binary.BigEndian.Uint64(data)}
	return nil
}

// SerializeTo puts the header before the bytes in b.
func (h *AtomicAckETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	d, err := b.PrependBytes(AtomicAckETHBytes)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint64(d, h.Original)
	return nil
}

// DETH is the datagram extended transport header, 8 bytes.
type DETH struct {
	layers.BaseLayer
	QKey     uint32 // queue key
	Reserved uint8
	SrcQP    uint32 // 24 bits: the sender's queue pair
}

// LayerType returns LayerTypeDETH.
func (h *DETH) LayerType() gopacket.LayerType { return LayerTypeDETH }

// CanDecode returns LayerTypeDETH.
func (h *DETH) CanDecode() gopacket.LayerClass { return LayerTypeDETH }

// NextLayerType returns the payload.
func (h *DETH) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads the header.
func (h *DETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	base, err := split("DETH", DETHBytes, data, df)
	if err != nil {
		return err
	}
	*h = DETH{BaseLayer: base, QKey: binary.BigEndian.Uint32(data), Reserved: data[4], SrcQP: get24(data[5:])}
	return nil
}

// SerializeTo puts the header before the bytes in b.
func (h *DETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	if h.SrcQP > Mask24 {
		return fmt.Errorf("DETH: SrcQP 0x%x has more than 24 bits", h.SrcQP)
	}
	d, err := b.PrependBytes(DETHBytes)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(d, h.QKey)
	d[4] = h.Reserved
	put24(d[5:], h.SrcQP)
	return nil
}

// ImmDt is the immediate data, 4 bytes.
type ImmDt struct {
	layers.BaseLayer
	Data uint32
}

// LayerType returns LayerTypeImmDt.
func (h *ImmDt) LayerType() gopacket.LayerType { return LayerTypeImmDt }

// CanDecode returns LayerTypeImmDt.
func (h *ImmDt) CanDecode() gopacket.LayerClass { return LayerTypeImmDt }

// NextLayerType returns the payload.
func (h *ImmDt) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads the header.
func (h *ImmDt) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	base, err := split("ImmDt", ImmDtBytes, data, df)
	if err != nil {
		return err
	}
	*h = ImmDt{BaseLayer: base, Data: binary.BigEndian.Uint32(data)}
	return nil
}

// SerializeTo puts the header before the bytes in b.
func (h *ImmDt) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	d, err := b.PrependBytes(ImmDtBytes)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(d, h.Data)
	return nil
}

// IETH is the invalidate extended transport header, 4 bytes.
type IETH struct {
	layers.BaseLayer
	RKey uint32 // key to invalidate
}

// LayerType returns LayerTypeIETH.
func (h *IETH) LayerType() gopacket.LayerType { return LayerTypeIETH }

// CanDecode returns LayerTypeIETH.
func (h *IETH) CanDecode() gopacket.LayerClass { return LayerTypeIETH }

// NextLayerType returns the payload.
func (h *IETH) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads the header.
func (h *IETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	base, err := split("IETH", IETHBytes, data, df)
	if err != nil {
		return err
	}
	*h = IETH{BaseLayer: base, RKey: binary.BigEndian.Uint32(data)}
	return nil
}

// SerializeTo puts the header before the bytes in b.
func (h *IETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	d, err := b.PrependBytes(IETHBytes)
	if err != nil {
		return err
	}
	binary.BigEndian.PutUint32(d, h.RKey)
	return nil
}

// XRCETH is the header of requests over XRC, 4 bytes.
type XRCETH struct {
	layers.BaseLayer
	Reserved uint8
	SRQ      uint32 // 24 bits: shared receive queue
}

// LayerType returns LayerTypeXRCETH.
func (h *XRCETH) LayerType() gopacket.LayerType { return LayerTypeXRCETH }

// CanDecode returns LayerTypeXRCETH.
func (h *XRCETH) CanDecode() gopacket.LayerClass { return LayerTypeXRCETH }

// NextLayerType returns the payload.
func (h *XRCETH) NextLayerType() gopacket.LayerType { return gopacket.LayerTypePayload }

// DecodeFromBytes reads the header.
func (h *XRCETH) DecodeFromBytes(data []byte, df gopacket.DecodeFeedback) error {
	base, err := split("XRCETH", XRCETHBytes, data, df)
	if err != nil {
		return err
	}
	*h = XRCETH{BaseLayer: base, Reserved: data[0], SRQ: get24(data[1:])}
	return nil
}

// SerializeTo puts the header before the bytes in b.
func (h *XRCETH) SerializeTo(b gopacket.SerializeBuffer, _ gopacket.SerializeOptions) error {
	if h.SRQ > Mask24 {
		return fmt.Errorf("XRCETH: SRQ 0x%x has more than 24 bits", h.SRQ)
	}
	d, err := b.PrependBytes(XRCETHBytes)
	if err != nil {
		return err
	}
	d[0] = h.Reserved
	put24(d[1:], h.SRQ)
	return nil
}
