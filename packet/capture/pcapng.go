// SPDX-License-Identifier: Apache-2.0

package capture

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/bits"
	"strings"
	"time"

	"github.com/gopacket/gopacket/layers"
)

// Types of blocks.
const (
	sectionBlock   = 0x0A0D0D0A
	interfaceBlock = 1
	packetBlock    = 2 // obsolete, replaced by enhanced packet blocks
	simpleBlock    = 3
	statsBlock     = 5
	enhancedBlock  = 6
)

// blockNames are known blocks without frames.
var blockNames = map[uint32]string{4: "of name resolution", 9: "of the systemd journal", 10: "of decryption secrets", 0xBAD: "of custom data", 0x40000BAD: "of custom data"}

// Options. Each type of block has its own numbers.
const (
	endOfOptions   = 0
	interfaceName  = 2
	timeResolution = 9
	fcsLength      = 13
	timeOffset     = 14
	packetFlags    = 2 // of packets
	enhancedDrops  = 4
	statsIfDrop    = 5 // of statistics
	statsOSDrop    = 7
)

// Frames that a recorder reports as dropped. Statistics may count the same frames again.
const (
	lost      = "dropped by the recorder, by the packets' own counts: not in the file"
	lostInAll = "dropped by the recorder, by the interfaces' statistics: not in the file"
)

// mostBlock is the largest block that is not taken for damage.
const mostBlock = 1 << 27

// pcapng is the newer format.
type pcapng struct {
	r       *bufio.Reader
	in      *Intake
	order   binary.ByteOrder
	section int
	all     []*Interface // of all sections
	list    []*face      // of this section
	blocks  int          // blocks so far
}

// face is an interface with the parameters needed to read its packets.
type face struct {
	Interface
	units  uint64 // of time per second
	offset int64  // seconds
	snap   uint32 // 0: none
	fcs    int
	drops  [2]uint64 // dropped by the interface and by the operating system, as last reported
}

func newPcapng(r *bufio.Reader, in *Intake) (format, error) {
	n := &pcapng{r: r, in: in}
	_, body, err := n.block()
	if err == nil {
		err = n.wrap(n.begin(body))
	}
	return n, err
}

func (n *pcapng) faces() []*Interface { return n.all }

// wrap names the block in an error.
func (n *pcapng) wrap(err error) error {
	if err == nil || errors.Is(err, io.EOF) || errors.Is(err, ErrTruncated) {
		return err
	}
	return fmt.Errorf("block %d: %w", n.blocks, err)
}

// block reads the next block. Its body excludes the lengths and, in a section header, the byte order.
func (n *pcapng) block() (kind uint32, body []byte, err error) {
	var h [12]byte
	if _, err := io.ReadFull(n.r, h[:8]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			err = ErrTruncated
		}
		return 0, nil, err
	}
	n.blocks++
	done := 8
	if binary.LittleEndian.Uint32(h[:]) == sectionBlock { // the same in both orders
		if _, err := io.ReadFull(n.r, h[8:]); err != nil {
			return 0, nil, early(err)
		}
		done = 12
		switch {
		case binary.LittleEndian.Uint32(h[8:]) == 0x1A2B3C4D:
			n.order = binary.LittleEndian
		case binary.BigEndian.Uint32(h[8:]) == 0x1A2B3C4D:
			n.order = binary.BigEndian
		default:
			return 0, nil, n.wrap(fmt.Errorf("a section with the byte order % x: want 1a 2b 3c 4d or 4d 3c 2b 1a", h[8:]))
		}
	}
	kind = n.order.Uint32(h[:])
	size := n.order.Uint32(h[4:])
	if size%4 != 0 || int(size) < done+4 || size > mostBlock {
		return 0, nil, n.wrap(fmt.Errorf("a length of %d bytes: want a multiple of 4, from %d to %d: the file is damaged", size, done+4, mostBlock))
	}
	body, err = take(n.r, int(size)-done)
	if err != nil {
		return 0, nil, err
	}
	end := len(body) - 4
	if again := n.order.Uint32(body[end:]); again != size {
		return 0, nil, n.wrap(fmt.Errorf("lengths of %d and %d bytes at its two ends: the file is damaged", size, again))
	}
	return kind, body[:end], nil
}

func (n *pcapng) next() (record, error) {
	for {
		kind, body, err := n.block()
		if err != nil {
			return record{}, err
		}
		switch kind {
		case enhancedBlock, packetBlock, simpleBlock:
			var r record
			if kind == simpleBlock {
				r, err = n.simple(body)
			} else {
				r, err = n.packet(kind, body)
			}
			return r, n.wrap(err)
		case sectionBlock:
			err = n.begin(body)
		case interfaceBlock:
			err = n.describe(body)
		case statsBlock:
			err = n.stats(body)
		default:
			what := blockNames[kind]
			if what == "" {
				what = fmt.Sprintf("of unknown type 0x%08x", kind)
			}
			n.in.LeftOut.Add("", 1, Blocks, what)
		}
		if err != nil {
			return record{}, n.wrap(err)
		}
	}
}

// need returns an error if a body is shorter than its fixed part.
func need(body []byte, bytes int) error {
	if len(body) < bytes {
		return fmt.Errorf("a body of %d bytes, want at least %d: the file is damaged", len(body), bytes)
	}
	return nil
}

// begin starts a section, whose header's body excludes the byte order.
func (n *pcapng) begin(body []byte) error {
	if err := need(body, 12); err != nil {
		return err
	}
	n.section++
	n.list = nil
	// Minor version 2 means the same as 0; later ones can only add blocks and options.
	if major, minor := n.order.Uint16(body), n.order.Uint16(body[2:]); major != 1 {
		return fmt.Errorf("section %d has version %d.%d: want 1.0 or 1.2", n.section, major, minor)
	}
	return nil
}

// options calls a function with each option of a block.
func (n *pcapng) options(b []byte, each func(code uint16, value []byte) error) error {
	for len(b) >= 4 {
		code, size := n.order.Uint16(b), int(n.order.Uint16(b[2:]))
		if code == endOfOptions {
			return nil
		}
		b = b[4:]
		padded := (size + 3) &^ 3
		if padded > len(b) {
			return fmt.Errorf("option %d of %d bytes does not fit: the file is damaged", code, size)
		}
		if err := each(code, b[:size]); err != nil {
			return err
		}
		b = b[padded:]
	}
	return nil
}

// describe adds an interface.
func (n *pcapng) describe(body []byte) error {
	if err := need(body, 8); err != nil {
		return err
	}
	f := &face{Interface: Interface{Section: n.section, Number: len(n.list), Link: layers.LinkType(n.order.Uint16(body))}, units: 1_000_000, snap: n.order.Uint32(body[4:]), fcs: -1}
	err := n.options(body[8:], func(code uint16, v []byte) error {
		switch {
		case code == interfaceName:
			f.Name = strings.TrimRight(string(v), "\x00")
		case code == timeResolution && len(v) == 1:
			power, most, base := v[0]&0x7F, byte(19), uint64(10)
			if v[0]&0x80 != 0 {
				most, base = 63, 2
			}
			if power > most {
				return fmt.Errorf("times in units of %d^-%d s: want an exponent up to %d", base, power, most)
			}
			f.units = 1
			for range power {
				f.units *= base
			}
		case code == fcsLength && len(v) == 1:
			// In bytes; some writers give bits.
			if v[0] != 0 && v[0] != fcsBytes && v[0] != 8*fcsBytes && f.Link == layers.LinkTypeEthernet {
				return fmt.Errorf("an FCS of %d bytes: want 0 or %d, as Ethernet has", v[0], fcsBytes)
			}
			f.fcs = int(v[0])
		case code == timeOffset && len(v) == 8:
			f.offset = int64(n.order.Uint64(v))
		}
		return nil
	})
	n.list = append(n.list, f)
	n.all = append(n.all, &f.Interface)
	return err
}

// at returns an interface of this section.
func (n *pcapng) at(number uint32) (*face, error) {
	if uint64(number) >= uint64(len(n.list)) {
		return nil, fmt.Errorf("interface %d: its section has described %d so far", number, len(n.list))
	}
	return n.list[number], nil
}

// instant converts a timestamp in an interface's units.
func (f *face) instant(high, low uint32) time.Time {
	t := uint64(high)<<32 | uint64(low)
	// Exact: the product may exceed 64 bits, the quotient is below 10^9.
	over, under := bits.Mul64(t%f.units, 1_000_000_000)
	ns, _ := bits.Div64(over, under, f.units)
	return time.Unix(int64(t/f.units)+f.offset, int64(ns)).UTC()
}

// packet reads an enhanced packet block, or an obsolete packet block.
func (n *pcapng) packet(kind uint32, body []byte) (record, error) {
	if err := need(body, 20); err != nil {
		return record{}, err
	}
	number := n.order.Uint32(body)
	if kind == packetBlock {
		number = uint32(n.order.Uint16(body))
		if drops := n.order.Uint16(body[2:]); drops != 0xFFFF && drops != 0 {
			n.in.Notes.Add("", int(drops), Frames, lost)
		}
	}
	f, err := n.at(number)
	if err != nil {
		return record{}, err
	}
	r := record{face: &f.Interface, time: f.instant(n.order.Uint32(body[4:]), n.order.Uint32(body[8:])),
		wire: int(n.order.Uint32(body[16:])), fcs: f.fcs}
	size := n.order.Uint32(body[12:])
	padded := (uint64(size) + 3) &^ 3
	if padded > uint64(len(body)-20) {
		return record{}, fmt.Errorf("%d bytes of a frame in a block that has room for %d: the file is damaged", size, len(body)-20)
	}
	r.data = body[20 : 20+size : 20+size]
	err = n.options(body[20+padded:], func(code uint16, v []byte) error {
		switch {
		case code == packetFlags && len(v) == 4:
			flags := n.order.Uint32(v)
			switch flags & 3 {
			case 1:
				r.dir = RX
			case 2:
				r.dir = TX
			}
			if flags>>16 != 0 && ethernet(r.face) {
				n.in.Notes.Add("", 1, Frames, "with errors of the link layer, as the file declares: replayed as good ones")
			}
			if fcs := int(flags >> 5 & 15); fcs == fcsBytes {
				r.fcs = fcs
			} else if fcs != 0 && ethernet(r.face) {
				return fmt.Errorf("an FCS of %d bytes: want %d, as Ethernet has", fcs, fcsBytes)
			}
		case code == enhancedDrops && kind == enhancedBlock && len(v) == 8:
			if drops := n.order.Uint64(v); drops > 0 {
				n.in.Notes.Add("", int(min(drops, 1<<40)), Frames, lost)
			}
		}
		return nil
	})
	return r, err
}

// simple reads a simple packet block, which belongs to the first interface and has no time.
func (n *pcapng) simple(body []byte) (record, error) {
	if err := need(body, 4); err != nil {
		return record{}, err
	}
	f, err := n.at(0)
	if err != nil {
		return record{}, err
	}
	wire := n.order.Uint32(body)
	size := wire
	if f.snap != 0 {
		size = min(size, f.snap)
	}
	if uint64(size) > uint64(len(body)-4) {
		return record{}, fmt.Errorf("%d bytes of a frame in a block that has room for %d: the file is damaged", size, len(body)-4)
	}
	return record{face: &f.Interface, data: body[4 : 4+size : 4+size], wire: int(wire), fcs: f.fcs}, nil
}

// stats reads how many frames an interface's recorder has dropped so far.
func (n *pcapng) stats(body []byte) error {
	if err := need(body, 12); err != nil {
		return err
	}
	f, err := n.at(n.order.Uint32(body))
	if err != nil {
		return err
	}
	return n.options(body[12:], func(code uint16, v []byte) error {
		if i := int(code-statsIfDrop) / 2; (code == statsIfDrop || code == statsOSDrop) && len(v) == 8 {
			if now := n.order.Uint64(v); now > f.drops[i] {
				n.in.Notes.Add("", int(min(now-f.drops[i], 1<<40)), Frames, lostInAll)
				f.drops[i] = now
			}
		}
		return nil
	})
}
