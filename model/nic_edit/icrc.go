// SPDX-License-Identifier: Apache-2.0

package nicedit

import "hash/crc32"

// icrc computes the ICRC of a frame: CRC-32 of eight bytes of ones, in place of the header that
// RoCEv2 does not have, and of the packet from the IP header on, with ones for fields that may
// change in transit.
func (c *Command) icrc(frame []byte) uint32 {
	l3, l4 := c.L3(), c.L4()
	head := append([]byte{255, 255, 255, 255, 255, 255, 255, 255}, frame[l3:l4+20]...) // to the end of the BTH
	ip, udp := head[8:], head[8+l4-l3:]
	if c.V6 {
		ip[0] |= 0x0f // traffic class, flow label
		ip[1], ip[2], ip[3] = 255, 255, 255
		ip[7] = 255 // hop limit
	} else {
		ip[1] = 255               // type of service
		ip[8] = 255               // time to live
		ip[10], ip[11] = 255, 255 // header checksum
	}
	udp[6], udp[7] = 255, 255 // UDP checksum
	udp[12] = 255             // FECN, BECN
	return crc32.Update(crc32.ChecksumIEEE(head), crc32.IEEETable, frame[l4+20:c.ICRCAt()])
}

// Right returns the ICRC that a whole frame should have, least significant byte first on the wire.
func (c *Command) Right(frame []byte) uint32 { return c.icrc(frame) }
