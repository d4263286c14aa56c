// SPDX-License-Identifier: Apache-2.0

package capture

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"

	"github.com/gopacket/gopacket/layers"
)

// pcap is the older format.
type pcap struct {
	r     *bufio.Reader
	order binary.ByteOrder
	unit  time.Duration // of the fractions of times
	head  []byte        // room for a record's header
	most  uint32        // bytes of a record
	face  *Interface
	fcs   int
}

// Bytes of a record's header. The modified pcap of an old libpcap patch adds 8: Linux' interface,
// protocol and packet type.
const (
	pcapHead     = 16
	modifiedHead = pcapHead + 8
	outgoing     = 4 // Linux' PACKET_OUTGOING; all others were received
)

// Bits of the file header's link type.
const (
	linkMask   = 1<<26 - 1
	fcsPresent = 1 << 26 // the upper four bits are the length of the FCS in words of 16 bits
)

func newPcap(r *bufio.Reader, _ *Intake) (format, error) {
	var h [24]byte
	if _, err := io.ReadFull(r, h[:]); err != nil {
		return nil, err
	}
	p := &pcap{r: r, order: binary.LittleEndian, unit: time.Microsecond, head: make([]byte, pcapHead)}
	if h[0] == 0xA1 {
		p.order = binary.BigEndian
	}
	switch p.order.Uint32(h[:]) {
	case 0xA1B23C4D:
		p.unit = time.Nanosecond
	case 0xA1B2CD34:
		p.head = make([]byte, modifiedHead)
	}
	if major, minor := p.order.Uint16(h[4:]), p.order.Uint16(h[6:]); major != 2 || minor < 4 {
		return nil, fmt.Errorf("pcap of version %d.%d: want 2.4; `editcap -F pcapng FILE NEW.pcapng` of Wireshark rewrites older ones", major, minor)
	}
	p.most = max(longest, p.order.Uint32(h[16:]))
	link := p.order.Uint32(h[20:])
	p.face = &Interface{Link: layers.LinkType(link & linkMask)}
	p.fcs = -1
	if link&fcsPresent != 0 {
		p.fcs = int(link >> 28)
		// An Ethernet FCS is two words; some writers give bytes.
		if p.fcs != 0 && p.fcs != 2 && p.fcs != fcsBytes {
			return nil, fmt.Errorf("pcap with an FCS of %d words of 16 bits: want 0 or 2, as Ethernet has", p.fcs)
		}
	}
	if !ethernet(p.face) {
		return nil, noEthernet(p.faces())
	}
	return p, nil
}

func (p *pcap) faces() []*Interface { return []*Interface{p.face} }

func (p *pcap) next() (record, error) {
	if _, err := io.ReadFull(p.r, p.head); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = ErrTruncated
		}
		return record{}, err
	}
	n, wire := p.order.Uint32(p.head[8:]), p.order.Uint32(p.head[12:])
	if n > p.most {
		return record{}, fmt.Errorf("a record of %d bytes, want at most %d: the file is damaged, or of a variant of pcap; Wireshark's `editcap -F pcapng FILE NEW.pcapng` converts the variants that it knows", n, p.most)
	}
	r := record{face: p.face, wire: int(wire), fcs: p.fcs}
	r.time = time.Unix(int64(p.order.Uint32(p.head)), int64(p.order.Uint32(p.head[4:]))*int64(p.unit)).UTC()
	if len(p.head) == modifiedHead {
		r.dir = RX
		if p.head[pcapHead+6] == outgoing {
			r.dir = TX
		}
	}
	var err error
	r.data, err = take(p.r, int(n))
	return r, err
}

// take reads n bytes. It does not trust n: memory grows as bytes arrive.
func take(r io.Reader, n int) ([]byte, error) {
	const chunk = 1 << 16
	var b []byte
	for len(b) < n {
		at := len(b)
		b = append(b, make([]byte, min(chunk, n-at))...)
		if _, err := io.ReadFull(r, b[at:]); err != nil {
			return nil, early(err)
		}
	}
	return b, nil
}
