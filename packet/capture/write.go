// SPDX-License-Identifier: Apache-2.0

package capture

import (
	"bufio"
	"io"
	"slices"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// WritePcapng writes a capture with two interfaces, "tx" and "rx", and a third one, "unknown", if
// some packets have no direction. Each packet also has its direction.
func WritePcapng(w io.Writer, packets []Packet) error {
	face := func(name string) pcapgo.NgInterface {
		return pcapgo.NgInterface{Name: name, LinkType: layers.LinkTypeEthernet, TimestampResolution: 9}
	}
	info := pcapgo.NgSectionInfo{Application: "nicgen"}
	out, err := pcapgo.NewNgWriterInterface(w, face("tx"), pcapgo.NgWriterOptions{SectionInfo: info})
	if err != nil {
		return err
	}
	if _, err := out.AddInterface(face("rx")); err != nil {
		return err
	}
	if slices.ContainsFunc(packets, func(p Packet) bool { return p.Dir == Unknown }) {
		if _, err := out.AddInterface(face("unknown")); err != nil {
			return err
		}
	}
	for _, p := range packets {
		o, i := pcapgo.NgPacketOptions{}, 2
		switch p.Dir {
		case TX:
			o.Flags, i = &pcapgo.NgEpbFlags{Direction: pcapgo.NgEpbFlagDirectionOutbound}, 0
		case RX:
			o.Flags, i = &pcapgo.NgEpbFlags{Direction: pcapgo.NgEpbFlagDirectionInbound}, 1
		}
		info := gopacket.CaptureInfo{Timestamp: p.Time, CaptureLength: len(p.Data), Length: len(p.Data), InterfaceIndex: i}
		if err := out.WritePacketWithOptions(info, p.Data, o); err != nil {
			return err
		}
	}
	return out.Flush()
}

// WritePcap writes a capture in the older format, with nanoseconds. Directions are not kept.
func WritePcap(w io.Writer, packets []Packet) error {
	b := bufio.NewWriter(w)
	out := pcapgo.NewWriterNanos(b)
	if err := out.WriteFileHeader(1<<18, layers.LinkTypeEthernet); err != nil {
		return err
	}
	for _, p := range packets {
		info := gopacket.CaptureInfo{Timestamp: p.Time, CaptureLength: len(p.Data), Length: len(p.Data)}
		if err := out.WritePacket(info, p.Data); err != nil {
			return err
		}
	}
	return b.Flush()
}
