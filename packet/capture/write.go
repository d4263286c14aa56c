// SPDX-License-Identifier: Apache-2.0

package capture

import (
	"bufio"
	"io"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// A Writer writes a pcapng file packet by packet, with the interfaces "tx" and "rx", and "unknown" from the first packet
// without a direction on. Each packet also has its direction.
type Writer struct {
	out     *pcapgo.NgWriter
	unknown bool // has its interface
}

// NewWriter writes the beginning of a file.
func NewWriter(w io.Writer) (*Writer, error) {
	out, err := pcapgo.NewNgWriterInterface(w, describe("tx"), pcapgo.NgWriterOptions{SectionInfo: pcapgo.NgSectionInfo{Application: "nicgen"}})
	if err != nil {
		return nil, err
	}
	_, err = out.AddInterface(describe("rx"))
	return &Writer{out: out}, err
}

func describe(name string) pcapgo.NgInterface {
	return pcapgo.NgInterface{Name: name, LinkType: layers.LinkTypeEthernet, TimestampResolution: 9}
}

// Write writes a packet.
func (w *Writer) Write(p *Packet) error {
	o, i := pcapgo.NgPacketOptions{}, 2
	switch p.Dir {
	case TX:
		o.Flags, i = &pcapgo.NgEpbFlags{Direction: pcapgo.NgEpbFlagDirectionOutbound}, 0
	case RX:
		o.Flags, i = &pcapgo.NgEpbFlags{Direction: pcapgo.NgEpbFlagDirectionInbound}, 1
	default:
		if !w.unknown {
			if _, err := w.out.AddInterface(describe("unknown")); err != nil {
				return err
			}
			w.unknown = true
		}
	}
	info := gopacket.CaptureInfo{Timestamp: p.Time, CaptureLength: len(p.Data), Length: len(p.Data), InterfaceIndex: i}
	return w.out.WritePacketWithOptions(info, p.Data, o)
}

// Flush writes all packets so far to the file.
func (w *Writer) Flush() error { return w.out.Flush() }

// WritePcapng writes a capture as a Writer does.
func WritePcapng(w io.Writer, packets []Packet) error {
	out, err := NewWriter(w)
	if err != nil {
		return err
	}
	for i := range packets {
		if err := out.Write(&packets[i]); err != nil {
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
