// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
)

// other puts a frame of other traffic onto the wire.
func (s *sim) other() {
	c := s.conns[s.rng.IntN(len(s.conns))]
	from := s.rng.IntN(2)
	src, dst := c.Sides[from], c.Sides[1-from]
	kinds := []string{"TCP", "UDP", "ICMP", "fragment", "ARP"}
	v6 := src.IP.Is6()
	if v6 {
		kinds[3], kinds[4] = "destination options", "IPv6 fragment"
	}
	what := kinds[s.rng.IntN(len(kinds))]

	eth := &layers.Ethernet{SrcMAC: src.MAC, DstMAC: dst.MAC, EthernetType: layers.EthernetTypeIPv4}
	v4 := &layers.IPv4{Version: 4, Id: uint16(s.rng.Uint32()), TTL: 64, SrcIP: src.IP.AsSlice(), DstIP: dst.IP.AsSlice()}
	six := &layers.IPv6{Version: 6, HopLimit: 64, FlowLabel: s.rng.Uint32N(1 << 20), SrcIP: src.IP.AsSlice(), DstIP: dst.IP.AsSlice()}
	var ip interface {
		gopacket.SerializableLayer
		gopacket.NetworkLayer
	} = v4
	if v6 {
		eth.EthernetType, ip = layers.EthernetTypeIPv6, six
	}
	protocol := func(p layers.IPProtocol) { v4.Protocol, six.NextHeader = p, p }
	data := make(gopacket.Payload, s.rng.IntN(1400))
	for i := range data {
		data[i] = byte(s.rng.Uint32())
	}
	udp := func() *layers.UDP {
		u := &layers.UDP{SrcPort: layers.UDPPort(0xC000 | s.rng.IntN(0x4000)), DstPort: layers.UDPPort(20000 + s.rng.IntN(1000))}
		_ = u.SetNetworkLayerForChecksum(ip) // fails for other layers than IP only
		return u
	}
	all := []gopacket.SerializableLayer{eth}
	switch what {
	case "TCP":
		protocol(layers.IPProtocolTCP)
		t := &layers.TCP{SrcPort: layers.TCPPort(0xC000 | s.rng.IntN(0x4000)), DstPort: layers.TCPPort(20000 + s.rng.IntN(1000)),
			Seq: s.rng.Uint32(), Ack: s.rng.Uint32(), ACK: true, PSH: true, Window: 512}
		_ = t.SetNetworkLayerForChecksum(ip)
		all = append(all, ip, t, data)
	case "UDP":
		protocol(layers.IPProtocolUDP)
		all = append(all, ip, udp(), data)
	case "ICMP":
		id, seq := uint16(s.rng.Uint32()), uint16(s.rng.Uint32())
		if v6 {
			protocol(layers.IPProtocolICMPv6)
			i := &layers.ICMPv6{TypeCode: layers.CreateICMPv6TypeCode(layers.ICMPv6TypeEchoRequest, 0)}
			_ = i.SetNetworkLayerForChecksum(ip)
			all = append(all, ip, i, &layers.ICMPv6Echo{Identifier: id, SeqNumber: seq}, data)
		} else {
			protocol(layers.IPProtocolICMPv4)
			all = append(all, ip, &layers.ICMPv4{TypeCode: layers.CreateICMPv4TypeCode(layers.ICMPv4TypeEchoRequest, 0), Id: id, Seq: seq}, data)
		}
	case "fragment": // a later one, of any UDP packet
		protocol(layers.IPProtocolUDP)
		v4.FragOffset = uint16(1 + s.rng.IntN(1000))
		all = append(all, ip, data)
	case "ARP":
		eth.EthernetType = layers.EthernetTypeARP
		all = append(all, &layers.ARP{AddrType: layers.LinkTypeEthernet, Protocol: layers.EthernetTypeIPv4, HwAddressSize: 6, ProtAddressSize: 4,
			Operation: uint16(1 + s.rng.IntN(2)), SourceHwAddress: src.MAC, SourceProtAddress: src.IP.AsSlice(),
			DstHwAddress: dst.MAC, DstProtAddress: dst.IP.AsSlice()})
	case "destination options":
		protocol(layers.IPProtocolIPv6Destination)
		head := gopacket.Payload{byte(layers.IPProtocolUDP), 0, 1, 4, 0, 0, 0, 0} // PadN of 4
		all = append(all, ip, head, udp(), data)
	case "IPv6 fragment":
		protocol(layers.IPProtocolIPv6Fragment)
		at := uint16(1+s.rng.IntN(1000)) << 3
		head := gopacket.Payload{byte(layers.IPProtocolUDP), 0, byte(at >> 8), byte(at), 1, 2, 3, 4}
		all = append(all, ip, head, data)
	}
	b := gopacket.NewSerializeBuffer()
	if err := gopacket.SerializeLayers(b, gopacket.SerializeOptions{FixLengths: true, ComputeChecksums: true}, all...); err != nil {
		s.err = err
		return
	}
	f := Frame{Kind: Other, Conn: -1, What: what}
	f.Data = b.Bytes()
	s.send(from, f, nil)
}
