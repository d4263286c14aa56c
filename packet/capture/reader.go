// SPDX-License-Identifier: Apache-2.0

package capture

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"slices"
	"time"

	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/internal/gunzip"
)

// ErrTruncated is a file that ends within a packet.
var ErrTruncated = errors.New("the file ends early")

// longest is the longest frame that is not considered damaged: libpcap's largest snapshot length.
const longest = 1 << 18

// Bytes of an Ethernet FCS, and of the shortest frame with one.
const (
	fcsBytes = 4
	leastFCS = 64
)

// record is a packet as stored in a file.
type record struct {
	face *Interface
	time time.Time // the zero time: none
	data []byte
	wire int // bytes on the wire, with FCS
	dir  Direction
	fcs  int // bytes of FCS on the wire; -1: the file does not say
}

// format reads a file's records, after its header.
type format interface {
	// next returns the next packet of any link type: io.EOF at the end, ErrTruncated within a record.
	next() (record, error)
	faces() []*Interface
}

// Reader reads the packets of a capture, one after another.
type Reader struct {
	sides  Sides
	format format
	intake Intake
	packed *gunzip.Reader // nil: the file is not compressed
}

// NewReader reads the beginning of a capture: pcap or pcapng, optionally compressed by gzip.
func NewReader(r io.Reader, sides Sides) (*Reader, error) {
	c := &Reader{sides: sides, intake: Intake{Files: 1}}
	b := bufio.NewReader(r)
	if magic, _ := b.Peek(2); gunzip.Is(magic) {
		z, err := gunzip.New(b)
		if err != nil {
			return nil, early(err)
		}
		c.packed = z
		b = bufio.NewReader(z)
	}
	magic, err := b.Peek(4)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		return nil, fmt.Errorf("the file's header: %w", early(err))
	case len(magic) < 4:
		return nil, fmt.Errorf("%w: a capture has at least 24 bytes, and this one %d", ErrTruncated, len(magic))
	}
	switch string(magic) {
	case "\x0A\x0D\x0D\x0A":
		c.format, err = newPcapng(b, &c.intake)
	case "\xA1\xB2\xC3\xD4", "\xD4\xC3\xB2\xA1", "\xA1\xB2\x3C\x4D", "\x4D\x3C\xB2\xA1", "\xA1\xB2\xCD\x34", "\x34\xCD\xB2\xA1":
		c.format, err = newPcap(b, &c.intake)
	default:
		return nil, foreign(magic)
	}
	if err != nil {
		return nil, fmt.Errorf("the file's header: %w", early(err))
	}
	return c, nil
}

// foreign returns the error for a file of another format, by its first bytes.
func foreign(magic []byte) error {
	for _, f := range []struct{ begin, what, way string }{
		{"\x28\xB5\x2F\xFD", "compressed by zstd", "unpack it first: zstd -d FILE"},
		{"\xFD7zX", "compressed by xz", "unpack it first: xz -dk FILE"},
		{"BZh", "compressed by bzip2", "unpack it first: bzip2 -dk FILE"},
		{"\x04\x22\x4D\x18", "compressed by lz4", "unpack it first: lz4 -d FILE"},
		{"PK\x03\x04", "a ZIP archive", "unpack it first: unzip FILE"},
		{"7z\xBC\xAF", "a 7-Zip archive", "unpack it first: 7z x FILE"},
		{"snoo", "a snoop capture", "rewrite it: editcap -F pcapng FILE NEW.pcapng"},
		{"XCP\x00", "a NetXRay capture", "rewrite it: editcap -F pcapng FILE NEW.pcapng"},
		{"GMBU", "a Network Monitor capture", "rewrite it: editcap -F pcapng FILE NEW.pcapng"},
		{"RTSS", "a Network Monitor capture", "rewrite it: editcap -F pcapng FILE NEW.pcapng"},
		{"TRSN", "a Sniffer capture", "rewrite it: editcap -F pcapng FILE NEW.pcapng"},
		{"\x1C\x00\x01\xAC", "an IXIA capture", "rewrite it: editcap -F pcapng FILE NEW.pcapng"},
		{"\x1C\x00\x01\xAB", "an IXIA capture", "rewrite it: editcap -F pcapng FILE NEW.pcapng"},
	} {
		if bytes.HasPrefix(magic, []byte(f.begin)) {
			return fmt.Errorf("this is %s: want pcap or pcapng, plain or gzipped; %s", f.what, f.way)
		}
	}
	return fmt.Errorf("this is no capture: want pcap or pcapng, not a file that begins with % x; `editcap -F pcapng FILE NEW.pcapng` of Wireshark rewrites other formats", magic)
}

// early turns an end of input into ErrTruncated.
func early(err error) error {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return ErrTruncated
	}
	return err
}

// advice returns the link type to record instead of another one.
func advice(l layers.LinkType) string {
	switch l {
	case 113, 276: // LINUX_SLL, LINUX_SLL2
		return "Linux cooked captures, of `tcpdump -i any`, have no Ethernet header: record the NIC's own interface, tcpdump -i NAME"
	case 0, 108: // NULL, LOOP
		return "a loopback interface has no Ethernet header: record the NIC's own interface, tcpdump -i NAME"
	case 12, 14, 101, 228, 229: // RAW, IPV4, IPV6
		return "packets of a tunnel have no Ethernet header: record the NIC's own interface, tcpdump -i NAME"
	case 247: // INFINIBAND
		return "InfiniBand has no Ethernet header: record an interface of a RoCEv2 NIC"
	}
	return "record an Ethernet interface"
}

// linkNames are names of common link types that gopacket does not name.
var linkNames = map[layers.LinkType]string{113: "Linux cooked", 276: "Linux cooked, version 2", 247: "InfiniBand"}

func linkName(l layers.LinkType) string {
	if n := linkNames[l]; n != "" {
		return fmt.Sprintf("link type %d (%s)", int(l), n)
	}
	return fmt.Sprintf("link type %d (%v)", int(l), l)
}

// noEthernet returns the error for a capture without an Ethernet interface.
func noEthernet(faces []*Interface) error {
	l := faces[0].Link
	return fmt.Errorf("the capture has %s: want Ethernet, 1; %s", linkName(l), advice(l))
}

// Interfaces returns the interfaces described so far, in file order.
func (c *Reader) Interfaces() []*Interface { return c.format.faces() }

// Next returns the next packet, or io.EOF at the end. The packet's time is zero if the file has no
// time for it.
func (c *Reader) Next() (Packet, error) {
	for {
		r, err := c.format.next()
		switch {
		case errors.Is(err, io.EOF) && c.intake.Frames > 0 && !slices.ContainsFunc(c.Interfaces(), ethernet):
			return Packet{}, noEthernet(c.Interfaces())
		case errors.Is(err, io.EOF):
			c.tail()
			return Packet{}, io.EOF
		case err != nil:
			return Packet{}, fmt.Errorf("frame %d: %w", c.intake.Frames+1, early(err))
		}
		p, err := c.packet(&r)
		if err != nil {
			return Packet{}, err
		}
		if p != nil {
			return *p, nil
		}
	}
}

func ethernet(i *Interface) bool { return i.Link == layers.LinkTypeEthernet }

// packet turns a record into a packet; nil if it is left out.
func (c *Reader) packet(r *record) (*Packet, error) {
	c.intake.Frames++
	p := &Packet{Time: r.time, Data: r.data, Dir: r.dir, Section: r.face.Section, Interface: r.face.Number, Name: r.face.Name, Record: c.intake.Frames}
	switch {
	case c.sides.Only && !c.sides.Named(r.face.Number, r.face.Name):
		c.intake.LeftOut.Add("", 1, Frames, fmt.Sprintf("of %v, which is not selected", r.face))
		return nil, nil
	case !ethernet(r.face):
		c.intake.LeftOut.Add("", 1, Frames, fmt.Sprintf("of %v: %s, not Ethernet", r.face, linkName(r.face.Link)))
		return nil, nil
	case r.wire > longest || len(r.data) > longest:
		return nil, fmt.Errorf("frame %d: %d bytes on the wire, want at most %d: the file is damaged", c.intake.Frames, max(r.wire, len(r.data)), longest)
	}
	if r.wire < len(r.data) {
		c.intake.Notes.Add("", 1, Frames, "with a wire length below their captured length: replayed as captured")
		r.wire = len(r.data)
	}
	if r.time.IsZero() {
		c.intake.Notes.Add("", 1, Frames, "in simple packet blocks, which have no timestamp: spread between their neighbours")
	}
	c.bare(r)
	p.Data, p.Missing = r.data, r.wire-len(r.data)
	if p.Missing > 0 {
		c.intake.Notes.Add("", 1, Frames, "truncated by the snapshot length: the rest is zeros, and their ICRC is not checked")
		p.Data = append(make([]byte, 0, r.wire), r.data...)[:r.wire]
	}
	p.Dir = c.sides.Of(p)
	return p, nil
}

// bare removes a frame's FCS, whether or not the file declares it.
func (c *Reader) bare(r *record) {
	whole := len(r.data) == r.wire
	n := r.wire - fcsBytes
	right := whole && n >= 0 && crc32.ChecksumIEEE(r.data[:n]) == binary.LittleEndian.Uint32(r.data[n:])
	switch {
	case r.fcs > 0 && !right && packetEnd(r.data) > n:
		c.intake.Notes.Add("", 1, Frames, "without the FCS that the file declares: their last bytes belong to the IP packet")
		return
	case r.fcs > 0:
		c.intake.Notes.Add("", 1, Frames, "with an FCS, as the file declares: removed")
		if whole && !right {
			c.intake.Notes.Add("", 1, Frames, "with a wrong FCS: removed, and the frames replayed as good ones")
		}
	case r.fcs < 0 && r.wire >= leastFCS && right:
		c.intake.Notes.Add("", 1, Frames, "ending in a correct FCS that the file does not declare: removed")
	default:
		return
	}
	r.wire = max(0, n)
	r.data = r.data[:min(len(r.data), r.wire)]
}

// packetEnd returns the end of a frame's IP packet according to its length field, or 0 without IP
// packet.
func packetEnd(f []byte) int {
	at := 14
	for len(f) >= at+4 && (f[at-2] == 0x81 && f[at-1] == 0 || f[at-2] == 0x88 && f[at-1] == 0xA8) {
		at += 4
	}
	if len(f) < at+6 {
		return 0
	}
	switch binary.BigEndian.Uint16(f[at-2:]) {
	case 0x0800:
		return at + int(binary.BigEndian.Uint16(f[at+2:]))
	case 0x86DD:
		return at + 40 + int(binary.BigEndian.Uint16(f[at+4:]))
	}
	return 0
}

func (c *Reader) all() (all []Packet, err error) {
	defer func() { fill(all) }()
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

// Spacing of packets without timestamps: if no packet has one, and the largest before the first or
// after the last one.
const (
	untimed   = time.Microsecond
	mostApart = time.Millisecond
)

// fill sets missing times. Between two packets with times they are spread evenly; before the first and after the last
// one they are spaced like the first two with times. If no packet has a time, they are 1 µs apart.
func fill(all []Packet) {
	first, last, apart := -1, -1, untimed
	for i := range all {
		if all[i].Time.IsZero() {
			continue
		}
		if first < 0 {
			first = i
		} else {
			d := all[i].Time.Sub(all[last].Time)
			if last == first && d > 0 {
				apart = min(mostApart, d/time.Duration(i-last))
			}
			for k := last + 1; k < i; k++ {
				all[k].Time = all[last].Time.Add(max(0, d) / time.Duration(i-last) * time.Duration(k-last))
			}
		}
		last = i
	}
	for i := range all {
		switch {
		case first < 0:
			all[i].Time = time.Unix(0, 0).UTC().Add(time.Duration(i) * untimed)
		case i < first:
			all[i].Time = all[first].Time.Add(time.Duration(i-first) * apart)
		case i > last:
			all[i].Time = all[last].Time.Add(time.Duration(i-last) * apart)
		}
	}
}

// File is a capture file that has been read.
type File struct {
	Name       string
	Packets    []Packet
	Interfaces []*Interface
	Intake     Intake
}

// ReadFile reads a capture. If a file ends within a record, it returns the packets before that one,
// and the intake counts it as left out. Errors name the file.
func ReadFile(name string, sides Sides) (*File, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	c, err := NewReader(f, sides)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	all, err := c.all()
	if errors.Is(err, ErrTruncated) && c.intake.Frames > 0 {
		c.intake.Frames++
		c.intake.LeftOut.Add("", 1, Frames, fmt.Sprintf("cut off: the file ends early, after frame %d", c.intake.Frames-1))
		err = nil
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i := range all {
		all[i].File = name
	}
	for _, t := range []Tally{c.intake.LeftOut, c.intake.Notes} {
		for i := range t {
			t[i].File = name
		}
	}
	return &File{name, all, c.Interfaces(), c.intake}, nil
}
