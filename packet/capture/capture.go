// SPDX-License-Identifier: Apache-2.0

// Package capture reads and writes captures of Ethernet frames: pcap and pcapng, with times
// in ns, of both directions of a NIC.
package capture

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strconv"
	"time"

	"github.com/gopacket/gopacket"
	"github.com/gopacket/gopacket/layers"
	"github.com/gopacket/gopacket/pcapgo"
)

// Direction is where a frame goes, as the NIC sees it.
type Direction uint8

// Directions.
const (
	Unknown Direction = iota
	TX                // from the host to the wire
	RX                // from the wire to the host
)

// String is "tx", "rx" or "unknown".
func (d Direction) String() string { return [...]string{"unknown", "tx", "rx"}[d] }

// Packet is a frame, without FCS.
type Packet struct {
	Time      time.Time // with nanoseconds
	Data      []byte
	Dir       Direction
	Interface int    // number of the interface in its file: 0 in pcap
	Name      string // and its name, if the file tells it
}

// ErrTruncated is a file that ends within a packet.
var ErrTruncated = errors.New("the file ends early")

// Sides tells the directions of packets. The first rule that knows one counts; the
// zero value leaves only what pcapng itself tells.
type Sides struct {
	All        Direction            // that of all packets
	Interfaces map[string]Direction // by an interface's name or number
	MAC        net.HardwareAddr     // that of the NIC: frames from it are TX, frames to it RX
}

// Of is the direction of a packet by these rules.
func (s *Sides) Of(p *Packet) Direction {
	if s.All != Unknown {
		return s.All
	}
	if d, ok := s.Interfaces[p.Name]; ok && p.Name != "" {
		return d
	}
	if d, ok := s.Interfaces[strconv.Itoa(p.Interface)]; ok {
		return d
	}
	if len(s.MAC) == 6 && len(p.Data) >= 12 {
		switch {
		case bytes.Equal(p.Data[6:12], s.MAC):
			return TX
		case bytes.Equal(p.Data[:6], s.MAC):
			return RX
		}
	}
	return p.Dir
}

// Reader reads the packets of a capture, one after another.
type Reader struct {
	sides Sides
	count int
	in    *source
	next  func() ([]byte, gopacket.CaptureInfo, Direction, string, error)
}

// source keeps the error with which its input failed: what reads a format does not
// always hand it on.
type source struct {
	r   io.Reader
	err error
}

func (s *source) Read(b []byte) (int, error) {
	n, err := s.r.Read(b)
	if err != nil && !errors.Is(err, io.EOF) {
		s.err = err
	}
	return n, err
}

// NewReader looks at the beginning of a capture: pcap or pcapng, also compressed by
// gzip.
func NewReader(r io.Reader, sides Sides) (*Reader, error) {
	in := &source{r: r}
	b := bufio.NewReader(in)
	magic, _ := b.Peek(4)
	if len(magic) >= 2 && magic[0] == 0x1F && magic[1] == 0x8B {
		z, err := gzip.NewReader(b)
		if err != nil {
			return nil, fmt.Errorf("gzip: %w", early(err))
		}
		in = &source{r: z}
		b = bufio.NewReader(in)
		if magic, _ = b.Peek(4); in.err != nil {
			return nil, fmt.Errorf("gzip: %w", early(in.err))
		}
	}
	c := &Reader{sides: sides, in: in}
	if len(magic) < 4 {
		return nil, fmt.Errorf("%w: a capture has at least 24 bytes, and this one %d", ErrTruncated, len(magic))
	}
	if string(magic) == "\x0A\x0D\x0D\x0A" {
		return c.open(c.pcapng(b))
	}
	switch string(magic) {
	case "\xA1\xB2\xC3\xD4", "\xD4\xC3\xB2\xA1", "\xA1\xB2\x3C\x4D", "\x4D\x3C\xB2\xA1":
		return c.open(c.pcap(b))
	}
	return nil, fmt.Errorf("this is no capture: want pcap or pcapng, not a file that begins with % x", magic)
}

func (c *Reader) open(err error) (*Reader, error) {
	if c.in.err != nil {
		err = fmt.Errorf("the file's header: %w", early(c.in.err))
	}
	if err != nil {
		return nil, err
	}
	return c, nil
}

func early(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}

func wrongLink(l layers.LinkType) error {
	return fmt.Errorf("the capture has link type %d (%v): want Ethernet, 1", int(l), l)
}

func (c *Reader) pcap(b *bufio.Reader) error {
	r, err := pcapgo.NewReader(b)
	if err != nil {
		return fmt.Errorf("pcap: %w", early(err))
	}
	if l := r.LinkType(); l != layers.LinkTypeEthernet {
		return wrongLink(l)
	}
	c.next = func() ([]byte, gopacket.CaptureInfo, Direction, string, error) {
		data, info, err := r.ReadPacketData()
		if errors.Is(err, io.EOF) && info.Length > 0 { // behind a packet's header
			err = io.ErrUnexpectedEOF
		}
		return data, info, Unknown, "", err
	}
	return nil
}

func (c *Reader) pcapng(b *bufio.Reader) error {
	r, err := pcapgo.NewNgReader(b, pcapgo.NgReaderOptions{WantMixedLinkType: true, SkipUnknownVersion: true})
	if err != nil {
		return fmt.Errorf("pcapng: %w", early(err))
	}
	c.next = func() ([]byte, gopacket.CaptureInfo, Direction, string, error) {
		data, info, opts, err := r.ReadPacketDataWithOptions()
		if err != nil {
			return nil, info, Unknown, "", err
		}
		dir := Unknown
		if opts.Flags != nil {
			switch opts.Flags.Direction & pcapgo.NgEpbFlagDirectionMask {
			case pcapgo.NgEpbFlagDirectionInbound:
				dir = RX
			case pcapgo.NgEpbFlagDirectionOutbound:
				dir = TX
			}
		}
		i, err := r.Interface(info.InterfaceIndex)
		if err == nil && i.LinkType != layers.LinkTypeEthernet {
			err = wrongLink(i.LinkType)
		}
		return data, info, dir, i.Name, err
	}
	return nil
}

// Next is the next packet; io.EOF at the end.
func (c *Reader) Next() (Packet, error) {
	data, info, dir, name, err := c.next()
	c.count++
	if errors.Is(err, io.EOF) {
		_, _ = io.Copy(io.Discard, c.in) // gzip tells its end only if it is read
	}
	switch {
	case err != nil && c.in.err != nil:
		return Packet{}, fmt.Errorf("packet %d: %w", c.count, early(c.in.err))
	case errors.Is(err, io.EOF):
		return Packet{}, io.EOF
	case errors.Is(err, io.ErrUnexpectedEOF):
		return Packet{}, fmt.Errorf("packet %d: %w", c.count, ErrTruncated)
	case err != nil:
		return Packet{}, fmt.Errorf("packet %d: %w", c.count, err)
	case info.CaptureLength < info.Length:
		return Packet{}, fmt.Errorf("packet %d: only %d of its %d bytes were captured: capture again without a snapshot length (tcpdump -s 0)",
			c.count, info.CaptureLength, info.Length)
	}
	p := Packet{Time: info.Timestamp, Data: data, Dir: dir, Interface: info.InterfaceIndex, Name: name}
	p.Dir = c.sides.Of(&p)
	return p, nil
}

// ReadAll is all packets of a capture, in its order. With an error come the packets
// before it.
func ReadAll(r io.Reader, sides Sides) ([]Packet, error) {
	c, err := NewReader(r, sides)
	if err != nil {
		return nil, err
	}
	var all []Packet
	for {
		p, err := c.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil {
			return all, err
		}
		all = append(all, p)
	}
}

// Merge is the packets of several captures in the order of time; of those of one time,
// in the order of the captures.
func Merge(captures ...[]Packet) []Packet {
	all := slices.Concat(captures...)
	slices.SortStableFunc(all, func(a, b Packet) int { return a.Time.Compare(b.Time) })
	return all
}

// WritePcapng writes a capture with two interfaces, "tx" and "rx", and a third one,
// "unknown", if there are packets of no direction. Each packet also tells its direction.
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
