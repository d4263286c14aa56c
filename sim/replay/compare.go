// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
	"github.com/nicgen/nicgen/sim/agenda"
)

// Kind is a frame's kind in the report.
type Kind string

// Kinds.
const (
	Request  Kind = "request"
	Read     Kind = "READ or atomic request"
	Response Kind = "READ response"
	ACK      Kind = "ACK"
	CNP      Kind = "CNP"
	Feedback Kind = "feedback"
	Datagram Kind = "datagram"
	Unknown  Kind = "not understood RoCEv2"
	Other    Kind = "other"
)

// Kinds are all of them, in the order of reports.
var Kinds = []Kind{Request, Read, Response, ACK, CNP, Feedback, Datagram, Unknown, Other}

// longest is the longest frame without tags that is understood: the block's setting after reset.
const longest = 9214

// headers is the bytes of AETH, if an opcode has one: the only header behind BTH that has to be there.
func headers(op roce.Opcode) int {
	if slices.Contains(op.Headers(), roce.LayerTypeAETH) {
		return roce.AETHBytes
	}
	return 0
}

// sight holds the protocols that a block understands in its configuration.
type sight struct {
	tags int  // VLAN tags
	v6   bool // IPv6
}

// kindOf looks at a frame as a block does. The second result is its destination queue pair's number, its third one whether
// it is a packet whose order in its connection counts.
func (s sight) kindOf(f []byte) (k Kind, qp uint32, data bool) {
	f, _ = Strip(f)
	n := len(f)
	f, p, _, err := locate(f)
	if err == nil && (p.Tags > s.tags || p.V6 && !s.v6) {
		return Other, 0, false
	}
	if err != nil {
		if len(f) >= 42 && s.udp(f) {
			return Unknown, 0, false
		}
		return Other, 0, false
	}
	op := roce.Opcode(f[p.L4+8])
	ip := p.ICRC + roce.ICRCBytes - p.L3
	fragment := !p.V6 && binary.BigEndian.Uint16(f[p.L3+6:])&0x3FFF != 0
	qp = binary.BigEndian.Uint32(f[p.L4+8+4:]) & 0xFFFFFF
	switch {
	case !op.Known() && !op.Connected(), fragment, ip+14 > longest, p.ICRC-p.L4-8-roce.BTHBytes < headers(op), n < p.L4+8+roce.BTHBytes+headers(op):
		return Unknown, qp, false
	case op == roce.CNP:
		return CNP, qp, false
	case op == roce.Feedback:
		return Feedback, qp, false
	case op.Service() == roce.UD:
		return Datagram, qp, true
	case op.Request():
		return Request, qp, true
	}
	switch op.Operation() {
	case roce.ReadRequest, roce.CompareSwap, roce.FetchAdd, roce.Flush:
		return Read, qp, true
	case roce.ResponseFirst, roce.ResponseMiddle, roce.ResponseLast, roce.ResponseOnly:
		return Response, qp, true
	case roce.Acknowledge, roce.AtomicAck:
		return ACK, qp, false
	}
	return Request, qp, true // a frame of unknown kind keeps its place in its connection
}

// udp reports whether a frame that is not whole RoCEv2 is to its UDP port.
func (s sight) udp(f []byte) bool {
	at, tags := 12, 0
	for at+4 < len(f) && (f[at] == 0x81 && f[at+1] == 0 || f[at] == 0x88 && f[at+1] == 0xA8) {
		at += 4
		tags++
	}
	at += 2
	switch {
	case tags > s.tags:
		return false
	case at+24 <= len(f) && f[at-2] == 8 && f[at-1] == 0 && f[at] == 0x45 && f[at+9] == 17:
		at += 20
	case s.v6 && at+44 <= len(f) && f[at-2] == 0x86 && f[at-1] == 0xDD && f[at]>>4 == 6 && f[at+6] == 17:
		at += 40
	default:
		return false
	}
	return binary.BigEndian.Uint16(f[at+2:]) == roce.Port
}

// Strip takes a shim out.
func Strip(f []byte) (out []byte, had bool) {
	if len(f) >= 16 && binary.BigEndian.Uint16(f[12:]) == uint16(shim.EtherType) {
		if n := shim.Subtype(f[15] & 0xF).Size(); n > 0 && len(f) >= 12+n+2 {
			return slices.Concat(f[:12], f[12+n:]), true
		}
	}
	return f, false
}

// locate is roce.Locate, also for a frame that ends before its packet: the block edits its headers before it sees the
// end. Short tells so; the rest of the frame counts as zeros.
func locate(f []byte) (whole []byte, p roce.Place, short bool, err error) {
	p, err = roce.Locate(f)
	if !errors.Is(err, roce.ErrShort) {
		return f, p, false, err
	}
	whole = append(slices.Clone(f), make([]byte, 1<<16)...)
	p, err = roce.Locate(whole)
	return whole[:p.ICRC+roce.ICRCBytes], p, true, err
}

// Identity returns a hash of the bytes that the block must not change in a frame.
func Identity(f []byte) [32]byte {
	f, _ = Strip(f)
	m, p, _, err := locate(f)
	if err != nil {
		return sha256.Sum256(f)
	}
	m = slices.Clone(m)
	if p.V6 {
		m[p.L3] &= 0xF0
		clear(m[p.L3+1 : p.L3+4])
	} else {
		m[p.L3+1] = 0
		clear(m[p.L3+10 : p.L3+12])
	}
	clear(m[p.L4 : p.L4+2])
	clear(m[p.L4+6 : p.L4+8])
	m[p.L4+8+4] = 0
	m[p.L4+8+8] &^= askBit
	clear(m[p.ICRC : p.ICRC+roce.ICRCBytes])
	return sha256.Sum256(m[:len(f)])
}

// Edit is a change that a frame got.
type Edit string

// Edits.
const (
	SourcePort Edit = "source port"
	FlowLabel  Edit = "flow label"
	Class      Edit = "DSCP, ECN"
	BECN       Edit = "BECN"
	AckReq     Edit = "ACK request"
	Checksum   Edit = "UDP checksum"
	ICRC       Edit = "ICRC"
	ShimIn     Edit = "shim put in"
	ShimOut    Edit = "shim taken out"
)

// Edits are all of them, in the order of reports.
var Edits = []Edit{SourcePort, FlowLabel, Class, BECN, AckReq, Checksum, ICRC, ShimIn, ShimOut}

// EditsOf returns how two frames of one identity differ. The error names a difference that no
// edit may make.
func EditsOf(in, out []byte) ([]Edit, error) {
	var list []Edit
	a, hadA := Strip(in)
	b, hadB := Strip(out)
	if !hadA && hadB {
		list = append(list, ShimIn)
	}
	if hadA && !hadB {
		list = append(list, ShimOut)
	}
	a, p, short, err := locate(a)
	if err != nil {
		return list, nil // the bytes are equal: Identity has all of them
	}
	if short {
		b, _, _, _ = locate(b)
	}
	add := func(e Edit, lo, hi int, mask byte) {
		for i := lo; i < hi; i++ {
			if (a[i]^b[i])&mask != 0 {
				list = append(list, e)
				return
			}
		}
	}
	add(SourcePort, p.L4, p.L4+2, 0xFF)
	if p.V6 {
		class := func(f []byte) byte { return f[p.L3]<<4 | f[p.L3+1]>>4 }
		if a[p.L3+1]&0xF != b[p.L3+1]&0xF || a[p.L3+2] != b[p.L3+2] || a[p.L3+3] != b[p.L3+3] {
			list = append(list, FlowLabel)
		}
		if class(a) != class(b) {
			list = append(list, Class)
		}
	} else {
		add(Class, p.L3+1, p.L3+2, 0xFF)
		if sum(a[p.L3:p.L3+20]) == 0 && sum(b[p.L3:p.L3+20]) != 0 {
			return list, fmt.Errorf("the IPv4 checksum was right and is not")
		}
	}
	add(BECN, p.L4+8+4, p.L4+8+5, 0xFF)
	if (a[p.L4+8+4]^b[p.L4+8+4])&^0x40 != 0 {
		return list, fmt.Errorf("FECN, or a reserved bit beside BECN, has changed")
	}
	add(AckReq, p.L4+8+8, p.L4+8+9, askBit)
	if slices.Contains(list, AckReq) && !mayAsk(a, b, p) {
		return list, fmt.Errorf("the A bit has changed, and not from 0 to 1 in a SEND or WRITE of a reliable service")
	}
	add(Checksum, p.L4+6, p.L4+8, 0xFF)
	if b[p.L4+6]|b[p.L4+7] != 0 && len(list) > 0 && slices.Contains(list, Checksum) {
		return list, fmt.Errorf("the UDP checksum has changed, and not to 0")
	}
	add(ICRC, p.ICRC, p.ICRC+roce.ICRCBytes, 0xFF)
	if !short && roce.Verify(a) == nil {
		if err := roce.Verify(b); err != nil {
			return list, fmt.Errorf("the ICRC was right and is not: %w", err)
		}
	}
	return list, nil
}

// askBit is A in byte 8 of the BTH.
const askBit = 0x80

// mayAsk reports whether the block may have let a packet ask for an ACK.
func mayAsk(was, is []byte, p roce.Place) bool {
	op := roce.Opcode(is[p.L4+8])
	reliable := op.Service() == roce.RC || op.Service() == roce.XRC
	return was[p.L4+8+8]&askBit == 0 && reliable && op.Request() && op.Operation() != roce.ReadRequest
}

// sum is the ones' complement sum of an IPv4 header: 0 if its checksum is right.
func sum(h []byte) uint16 {
	s := uint32(0)
	for i := 0; i < len(h); i += 2 {
		s += uint32(binary.BigEndian.Uint16(h[i:]))
	}
	for s>>16 != 0 {
		s = s&0xFFFF + s>>16
	}
	return ^uint16(s)
}

// Row counts the results for the frames of a kind.
type Row struct {
	Dir     capture.Direction
	Kind    Kind
	In      int // frames that came
	Out     int // of them, those that left
	Bad     int // of them, those marked as bad
	Gone    int // did not leave
	Made    int // left and had not come
	Edited  int // left and were changed
	Edits   map[Edit]int
	Latency []agenda.Instant // from a frame's first beat in to its first beat out, ascending
}

// arrival is a frame that went in.
type arrival struct {
	frame []byte
	first agenda.Instant
	left  bool
	data  bool
	kind  Kind
	qp    uint32
	dst   string // IP address
	where string // its file and its number there; empty: it is of no file
}

// name returns a frame's name in messages, which includes its file if it has one.
func (b *book) name(a *arrival) string {
	if a.where != "" {
		return a.where
	}
	return fmt.Sprintf("frame %d", b.number[a]+1)
}

// book pairs frames that came with those that left.
type book struct {
	sight
	in     map[capture.Direction][]*arrival
	byID   map[capture.Direction]map[[32]byte][]*arrival
	number map[*arrival]int
	last   map[string]int // per order that must hold: the frame that left last
	psns   *psnOrder
	rows   map[capture.Direction]map[Kind]*Row
}

func newBook() *book {
	b := &book{sight: sight{tags: 2, v6: true}, in: map[capture.Direction][]*arrival{}, byID: map[capture.Direction]map[[32]byte][]*arrival{}, number: map[*arrival]int{}, last: map[string]int{}, psns: newPSNOrder(), rows: map[capture.Direction]map[Kind]*Row{}}
	for _, d := range []capture.Direction{capture.TX, capture.RX} {
		b.byID[d] = map[[32]byte][]*arrival{}
		b.rows[d] = map[Kind]*Row{}
	}
	return b
}

func (b *book) row(dir capture.Direction, k Kind) *Row {
	r := b.rows[dir][k]
	if r == nil {
		r = &Row{Dir: dir, Kind: k, Edits: map[Edit]int{}}
		b.rows[dir][k] = r
	}
	return r
}

// came enters a frame that is to go in.
func (b *book) came(dir capture.Direction, frame []byte) {
	a := &arrival{frame: frame}
	a.kind, a.qp, a.data = b.kindOf(frame)
	bare, _ := Strip(frame)
	if whole, p, _, err := locate(bare); err == nil {
		a.dst = string(whole[p.L4-map[bool]int{false: 4, true: 16}[p.V6] : p.L4])
	}
	b.number[a] = len(b.in[dir])
	if dir == capture.TX {
		b.psns.came(frame, b.sight, b.number[a])
	}
	b.in[dir] = append(b.in[dir], a)
	id := Identity(frame)
	b.byID[dir][id] = append(b.byID[dir][id], a)
	b.row(dir, a.kind).In++
}

// entered notes when a frame's first beat went in.
func (b *book) entered(dir capture.Direction, number int, first agenda.Instant) {
	b.in[dir][number].first = first
}

// order returns the class of frames in which a frame keeps its place. Towards the host there is one class. Towards the
// wire, packets of the same queue pair and kind are one class, and so are packets of no connection.
func order(dir capture.Direction, a *arrival) string {
	switch {
	case dir == capture.RX, a.kind == CNP, a.kind == Feedback:
		return dir.String()
	case a.kind == Other: // behind options or extension headers: psnOrder checks them in their connection
		if s, _, ok := psnOf(a.frame, sight{tags: 2, v6: true}); ok {
			return fmt.Sprintf("other for %x %x", s.dst, s.qp)
		}
		return dir.String()
	case a.kind == Unknown: // packets of one queue pair keep their order; psnOrder checks them in their connection
		if a.dst == "" {
			return fmt.Sprintf("frame %p", a)
		}
		return fmt.Sprintf("unknown for %x %x", a.dst, a.qp)
	case a.data:
		return fmt.Sprintf("data for %x %x", a.dst, a.qp)
	}
	return fmt.Sprintf("answers for %x %x", a.dst, a.qp)
}

// left enters a frame that left. The error is a change that must not be, or a frame that left before
// one that it had to follow.
func (b *book) left(dir capture.Direction, frame []byte, first agenda.Instant, bad bool) error {
	id := Identity(frame)
	list := b.byID[dir][id]
	if len(list) == 0 {
		k, _, _ := b.kindOf(frame)
		b.row(dir, k).Made++
		if k != Feedback {
			return fmt.Errorf("a frame of %d bytes (%s) leaves that never came: % x…", len(frame), k, frame[:min(len(frame), 60)])
		}
		return nil
	}
	// Of several of one content, such as a packet that was sent again, it is the first that keeps the order: one
	// before it may have been dropped.
	at := 0
	for k, a := range list {
		if n, ok := b.last[order(dir, a)]; !ok || b.number[a] > n {
			at = k
			break
		}
	}
	a := list[at]
	b.byID[dir][id] = list[at+1:]
	a.left = true
	r := b.row(dir, a.kind)
	r.Out++
	if bad {
		r.Bad++
	}
	if dir == capture.TX {
		if err := b.psns.left(frame, b.sight, func(n int) string { return b.name(b.in[dir][n]) }); err != nil {
			return err
		}
	}
	what, err := EditsOf(a.frame, frame)
	if err != nil {
		return fmt.Errorf("%s, %s: %w", b.name(a), a.kind, err)
	}
	if len(what) > 0 {
		r.Edited++
	}
	for _, e := range what {
		r.Edits[e]++
	}
	r.Latency = append(r.Latency, first-a.first)
	o := order(dir, a)
	if n, ok := b.last[o]; ok && b.number[a] < n {
		return fmt.Errorf("%s, %s, leaves behind %s", b.name(a), a.kind, b.name(b.in[dir][n]))
	}
	b.last[o] = b.number[a]
	return nil
}

// close counts what did not leave, and lists the rows.
func (b *book) close() []Row {
	var out []Row
	for _, dir := range []capture.Direction{capture.TX, capture.RX} {
		for _, a := range b.in[dir] {
			if !a.left {
				b.row(dir, a.kind).Gone++
			}
		}
		for _, k := range Kinds {
			if r := b.rows[dir][k]; r != nil {
				slices.Sort(r.Latency)
				out = append(out, *r)
			}
		}
	}
	return out
}
