// SPDX-License-Identifier: Apache-2.0

package roce

import (
	"fmt"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// Packet is a RoCEv2 packet in its layers.
type Packet struct {
	Ethernet layers.Ethernet
	Tags     []layers.Dot1Q
	IPv4     *layers.IPv4 // or IPv6
	IPv6     *layers.IPv6
	UDP      layers.UDP
	BTH      BTH
	Headers  []Header // after the BTH, in order
	Payload  []byte
}

// Find returns the packet's header of type T, or nil.
func Find[T any, P interface {
	*T
	Header
}](p *Packet) P {
	for _, h := range p.Headers {
		if h, ok := h.(P); ok {
			return h
		}
	}
	return nil
}

// Parse reads a frame that holds a whole RoCEv2 packet. It does not check checksums and the ICRC:
// see Verify.
func Parse(frame []byte) (*Packet, error) {
	if _, err := Locate(frame); err != nil {
		return nil, err
	}
	all := gopacket.NewPacket(frame, layers.LayerTypeEthernet, gopacket.NoCopy)
	if fail := all.ErrorLayer(); fail != nil {
		return nil, fail.Error()
	}
	p, bth := &Packet{}, false
	for _, l := range all.Layers() {
		switch l := l.(type) {
		case *layers.Ethernet:
			p.Ethernet = *l
		case *layers.Dot1Q:
			p.Tags = append(p.Tags, *l)
		case *layers.IPv4:
			p.IPv4 = l
		case *layers.IPv6:
			p.IPv6 = l
		case *layers.UDP:
			p.UDP = *l
		case *BTH:
			p.BTH, bth = *l, true
		case *gopacket.Payload:
			p.Payload = *l
		case Header:
			p.Headers = append(p.Headers, l)
		}
	}
	if !bth {
		return nil, fmt.Errorf("no BTH in %v", all)
	}
	return p, nil
}

// Append appends the frame of the packet: with correct lengths, padding to 60 bytes, IPv4 checksum
// and ICRC, and 0 as UDP checksum. The packet's fields change accordingly.
func (p *Packet) Append(frame []byte) ([]byte, error) {
	all := []gopacket.SerializableLayer{&p.Ethernet}
	for i := range p.Tags {
		all = append(all, &p.Tags[i])
	}
	if p.IPv4 != nil {
		all = append(all, p.IPv4)
	} else {
		all = append(all, p.IPv6)
	}
	p.UDP.Checksum = 0
	all = append(all, &p.UDP, &p.BTH)
	for _, h := range p.Headers {
		all = append(all, h)
	}
	f, err := Serialize(append(all, gopacket.Payload(p.Payload))...)
	if err != nil {
		return nil, err
	}
	if err := Seal(f); err != nil {
		return nil, err
	}
	return append(frame, f...), nil
}

// Serialize returns the bytes of layers, with correct lengths and checksums; UDP keeps the layer's
// own.
func Serialize(all ...gopacket.SerializableLayer) ([]byte, error) {
	b := gopacket.NewSerializeBuffer()
	for i := len(all) - 1; i >= 0; i-- {
		l := all[i]
		_, udp := l.(*layers.UDP)
		if err := l.SerializeTo(b, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: !udp}); err != nil {
			return nil, err
		}
		b.PushLayer(l.LayerType())
	}
	return b.Bytes(), nil
}
