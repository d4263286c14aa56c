// SPDX-License-Identifier: Apache-2.0

package load

import (
	"encoding/binary"

	feedback "github.com/nicgen/nicgen/model/nic_feedback"
	"github.com/nicgen/nicgen/packet/roce"
)

// flowBit is the profile's flag that the entropy value is in the flow label.
const flowBit = 2

// Template returns the template of a connection's feedback packets: Ethernet, tags, IP, UDP and
// BTH. The block fills in lengths, checksums, PSN and list. label is the flag flow of its profile.
func Template(c *Connection, label bool) feedback.Template {
	f := c.Feedback
	b := append(append([]byte(nil), f.PeerMAC...), f.MAC...)
	for i, tag := range f.Tags {
		ether := uint16(0x8100)
		if i+1 < len(f.Tags) {
			ether = 0x88A8 // the outer one of two
		}
		b = binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(b, ether), uint16(tag))
	}
	v6 := !c.Address.Is4()
	const udp = 17
	if v6 {
		b = append(b, 0x86, 0xDD)
		b = binary.BigEndian.AppendUint32(b, 6<<28|uint32(f.DSCP)<<22)
		b = append(b, 0, 0, udp, byte(f.TTL))
		b = append(append(b, f.Source.AsSlice()...), c.Address.AsSlice()...)
	} else {
		b = append(b, 0x08, 0x00)
		ip := []byte{0x45, byte(f.DSCP << 2), 0, 0, 0, 0, 0x40, 0, byte(f.TTL), udp, 0, 0}
		ip = append(append(ip, f.Source.AsSlice()...), c.Address.AsSlice()...)
		sum := uint32(0)
		for i := 0; i < len(ip); i += 2 {
			sum += uint32(binary.BigEndian.Uint16(ip[i:]))
		}
		sum = sum&0xFFFF + sum>>16
		sum = sum&0xFFFF + sum>>16
		binary.BigEndian.PutUint16(ip[10:], ^uint16(sum))
		b = append(b, ip...)
	}
	b = append(b, 0, 0, roce.Port>>8, roce.Port&0xFF, 0, 0, 0, 0)
	b = append(b, byte(roce.Feedback), 0, byte(f.PKey>>8), byte(f.PKey))
	b = binary.BigEndian.AppendUint32(b, *c.RemoteQP)
	b = append(b, 0, 0, 0, 0) // no PSN yet
	return feedback.NewTemplate(b, feedback.Place{Lane: feedback.LaneOf(v6, len(f.Tags)), V6: v6, Label: v6 && label})
}
