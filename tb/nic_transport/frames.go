// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"math/bits"

	shimparams "github.com/nicgen/nicgen/gen/nic_shim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	parse "github.com/nicgen/nicgen/model/nic_parse"
	shimmodel "github.com/nicgen/nicgen/model/nic_shim"
	model "github.com/nicgen/nicgen/model/nic_transport"
)

// collector puts beats together to frames.
type collector struct {
	s      *stream
	frame  []byte
	first  uint64 // tuser of the first beat
	inside bool

	held bool // the beat of the cycle before was not taken
	was  [10]uint64
	user uint64
}

// beat holds a stream's ports in a cycle.
type beat struct {
	taken, begins, last bool
	user                uint64
}

// bytes adds the bytes of a beat to the frame.
func (c *collector) bytes(data, keep []uint64, whole bool) error {
	n := 64
	if k := c.s.keep.Bits(keep, 0, 64); k != ^uint64(0) {
		if n = bits.OnesCount64(k); n == 0 || k&(k+1) != 0 || whole {
			return fmt.Errorf("%s_tkeep is %016x, want ones from bit 0 on, all but in the last beat", c.s.name, k)
		}
	}
	at := len(c.frame)
	for i := 0; i < 64; i += 8 {
		w := c.s.data.Bits(data, 8*i, 64)
		c.frame = append(c.frame, byte(w), byte(w>>8), byte(w>>16), byte(w>>24), byte(w>>32), byte(w>>40), byte(w>>48), byte(w>>56))
	}
	c.frame = c.frame[:at+n]
	return nil
}

// take looks at a stream whose payload is in v and whose ready is in r. A fault is one of the stream's source.
func (c *collector) take(v, r []uint64) (b beat, err error) {
	s := c.s
	valid := s.valid.On(v)
	if c.held && !valid {
		c.held = false
		return b, fmt.Errorf("%s_tvalid drops before its beat was taken", s.name)
	}
	if c.inside && !valid {
		b.begins = false
	}
	if !valid {
		return b, nil
	}
	var now [10]uint64
	for i := range 8 {
		now[i] = s.data.Bits(v, 64*i, 64)
	}
	now[8], now[9] = s.keep.Bits(v, 0, 64), s.valid.Get(v)|s.last.Get(v)<<1
	b.user = s.user.Get(v)
	for i := range 8 { // bytes that are not there may be anything
		k := now[8] >> (8 * i)
		for j := range 8 {
			if k>>j&1 == 0 {
				now[i] &^= 0xff << (8 * j)
			}
		}
	}
	if c.held && (now != c.was || b.user != c.user) {
		return b, fmt.Errorf("%s changes before its beat was taken", s.name)
	}
	c.was, c.user = now, b.user
	if c.held = !s.ready.On(r); c.held {
		return b, nil
	}
	b.taken, b.begins, b.last = true, !c.inside, s.last.On(v)
	if b.begins {
		c.frame, c.first = nil, b.user
	}
	c.inside = !b.last
	return b, c.bytes(v, v, !b.last)
}

// part names the byte of a frame that leaves, which got a shim of some bytes.
func part(h *parse.Header, shim, i int) string {
	if shim > 0 {
		if i >= 12 && i < 12+shim {
			return "shim"
		}
		if i >= 12 {
			i -= shim
		}
	}
	if h.Lane == 0 {
		return "frame"
	}
	l3, l4 := 14+4*int(h.Tags), 4*int(h.Lane)+2
	icrc := int(h.IPEnd) - 4
	in := func(at, n int) bool { return i >= at && i < at+n }
	switch {
	case i < 12:
		return "MAC addresses"
	case i < l3:
		return "tags, EtherType"
	case h.V6 && in(l3, 4):
		return "traffic class, flow label"
	case !h.V6 && in(l3+1, 1):
		return "DSCP, ECN"
	case !h.V6 && in(l3+10, 2):
		return "IPv4 checksum"
	case i < l4:
		return "IP header"
	case in(l4, 2):
		return "UDP source port"
	case in(l4+6, 2):
		return "UDP checksum"
	case i < l4+8:
		return "UDP header"
	case in(l4+12, 1):
		return "FECN, BECN"
	case i < l4+20:
		return "BTH"
	case h.ICRC && in(icrc, 4):
		return "ICRC"
	case i >= int(h.IPEnd):
		return "padding"
	}
	return "payload"
}

// differ returns the first difference of two frames, or "".
func differ(h *parse.Header, want, got []byte, shim int) (text string, bytes int) {
	first := -1
	for i := range min(len(want), len(got)) {
		if want[i] != got[i] {
			if bytes++; first < 0 {
				first = i
			}
		}
	}
	bytes += max(len(want), len(got)) - min(len(want), len(got))
	switch {
	case bytes == 0:
		return "", 0
	case first < 0:
		return fmt.Sprintf("%d bytes, want %d", len(got), len(want)), bytes
	}
	end := min(first+8, len(want), len(got))
	text = fmt.Sprintf("byte %d (%s) is %x, want %x", first, part(h, shim, first), got[first:end], want[first:end])
	if len(want) != len(got) {
		text += fmt.Sprintf("; %d bytes, want %d", len(got), len(want))
	}
	return text, bytes
}

// describe names a packet from the host.
func describe(o *model.Packet) string {
	s := fmt.Sprintf("packet %d from the host (kind %d", o.Number, o.Header.Kind)
	if o.Header.Kind != parse.Other && !o.Header.Illegal() {
		s += fmt.Sprintf(", opcode 0x%02x, PSN %d", o.Header.Opcode, o.Header.PSN)
	}
	s += ", class " + o.Class.String()
	if o.Hit {
		s += fmt.Sprintf(", connection %d", o.Conn)
	}
	return s + ")"
}

// leaves holds a frame to the wire against those that may be next.
func (c *Checker) leaves(frame []byte, user uint64) error {
	b := c.b
	tag, bad := user>>1, user&1 == 1
	const most = int(^uint(0) >> 1)
	best, text := most, fmt.Sprintf("a frame of %d bytes leaves, and none is due", len(frame))
	for _, o := range b.Heads() {
		if err := o.Complete(); err != nil {
			if best == most {
				text = fmt.Sprintf("a frame of %d bytes leaves; next is %s, and %v", len(frame), describe(o), err)
			}
			continue
		}
		b.Choose(o, frame, c.nows[c.cycle%nowRing])
		want, wantBad := b.Leaves(o)
		shim := len(want) - len(o.Frame)
		diff, n := differ(&o.Header, want, frame, shim)
		wantTag := o.Tag
		if o.Class == model.Queued {
			wantTag = 0
		}
		switch {
		case n == 0 && bad == wantBad && tag == wantTag:
			b.Leave(o)
			c.gone_[c.Count.Frames%uint64(len(c.gone_))] = o
			c.Count.Frames++
			if o.Class == model.Queued {
				c.gone(o)
			}
			return nil
		case n == 0 && bad != wantBad:
			diff = fmt.Sprintf("tuser[0] is %t, want %t", bad, wantBad)
		case n == 0:
			diff = fmt.Sprintf("tag %x, want %x", tag, wantTag)
		}
		if n < best {
			best, text = n, fmt.Sprintf("frame to the wire, %s: %s", describe(o), diff)
		}
	}
	if c.unsearched() {
		return c.leaves(frame, user)
	}
	if what, ok := b.Made(frame, c.nows[c.cycle%nowRing]); ok && tag == 0 && !bad {
		c.Count.Frames++
		c.Count.Events[what]++
		return nil
	}
	if tag == 0 && !bad && b.Feedback(frame) {
		c.Count.Frames++
		c.Count.Feedback++
		return nil
	}
	return c.fault("m_axis_tx_tdata", "%s%s", text, c.resembles(frame))
}

// resembles names, for a message, the packet whose frame leaves at the wrong time.
func (c *Checker) resembles(frame []byte) string {
	queued, direct := c.b.Leaving()
	best, text := len(frame)/2, ""
	for _, x := range []struct {
		list []*model.Packet
		what string
	}{{queued, "of those that left their queues"}, {direct, "of those that leave at once"}, {c.b.InQueues(), "of those that wait in queues"}} {
		for i, o := range x.list {
			if !o.Ended {
				continue
			}
			if _, n := differ(&o.Header, o.Frame, frame, 0); n < best {
				best, text = n, fmt.Sprintf("; it resembles %s, number %d %s", describe(o), i, x.what)
			}
		}
	}
	for i := len(c.gone_) - 1; i >= 0; i-- {
		if o := c.gone_[i]; o != nil {
			if _, n := differ(&o.Header, o.Frame, frame, 0); n < best {
				best, text = n, fmt.Sprintf("; it resembles %s, which has left already", describe(o))
			}
		}
	}
	return text
}

// arrives holds a frame to the host against the one that is next.
func (c *Checker) arrives(frame []byte, first, user uint64) error {
	if f := c.b.ToHost(); f == nil || !f.Ended { // it need not wait for the end of its search
		c.classifyBefore(rx, c.cycle+c.in[rx].search+shimparams.RemoveLatency)
	}
	f := c.b.ToHost()
	switch {
	case f == nil:
		return c.fault("m_axis_rx_tdata", "a frame of %d bytes comes to the host, and none is due", len(frame))
	case !f.Ended:
		return c.fault("m_axis_rx_tdata", "a frame of %d bytes comes to the host, and the last beat of frame %d from the wire has not come", len(frame), f.Number)
	}
	name := fmt.Sprintf("frame %d from the wire to the host (kind %d)", f.Number, f.Header.Kind)
	if diff, n := differ(&f.Header, f.Out, frame, 0); n > 0 {
		return c.fault("m_axis_rx_tdata", "%s: %s", name, diff)
	}
	if got := user&1 == 1; got != f.Bad {
		return c.fault("m_axis_rx_tuser", "%s: tuser[0] is %t, want %t", name, got, f.Bad)
	}
	if user>>1 != f.Tag {
		return c.fault("m_axis_rx_tuser", "%s: tuser is %x with it, want %x", name, user>>1, f.Tag)
	}
	c.b.Received()
	c.Count.ToHost++
	return nil
}

// headBytes is the number of bytes that determine a frame's kind: the headers, and a shim.
const headBytes = parse.Headers + 48

// arriving is a frame that comes in.
type arriving struct {
	due    uint64 // cycle in which its search ends
	head   []byte
	frame  []byte // once it has ended
	bad    bool
	tag    uint64
	ended  bool
	packet *model.Packet
	wire   *model.Frame
	early  bool // its connection was searched before its time
}

// userBits is the width of a tag.
func userBits(bits int64) uint64 { return 1<<min(bits, 64) - 1 }

// input takes the beats of both directions.
func (c *Checker) input(in, got []uint64) error {
	for side := range c.in {
		x := &c.in[side]
		b, err := x.c.take(in, got)
		if err != nil {
			return fmt.Errorf("the stimulus is wrong: %w", err)
		}
		if !b.taken {
			continue
		}
		c.busy()
		c.Count.Beats++
		if b.begins {
			x.now, x.shim = nil, c.shimOf(side)
			if side == rx && c.p.HasLAPS() {
				x.began = append(x.began, c.cycle)
			}
		}
		if x.now == nil {
			if later, ok := c.headers(side, b.last); ok {
				x.now = &arriving{due: c.cycle + later + x.search, head: x.c.frame}
				x.list = append(x.list, x.now)
			}
		}
		if b.last {
			a := x.now
			a.frame, a.bad, a.tag, a.ended = x.c.frame, b.user&1 == 1, x.c.first>>1, true
			a.head = a.frame
		} else if x.now != nil {
			x.now.head = x.c.frame
		}
	}
	return nil
}

// taken is the treatment of a frame's shim.
type taken struct {
	kind shimmodel.Kind
	size int // bytes that are taken out
}

// shimOf returns the treatment of a frame's shim from its first beat, which determines it.
func (c *Checker) shimOf(side int) (t taken) {
	if side == tx || !c.p.HasShim() {
		return t
	}
	p := c.p.Shim()
	_, s, kind := shimmodel.Remove(p, c.in[side].c.frame, c.b.Settings.EtherType)
	if t.kind = kind; kind == shimmodel.Removed {
		t.size = p.Size(s.Subtype)
	}
	return t
}

// headers reports whether the beat that was taken completes the headers of its frame, and how many cycles later the parser has
// them. docs/units/nic_shim.md has the times: a beat without shim takes RemoveLatency cycles. A beat of a frame whose shim is
// removed leaves a cycle earlier than that, when the next one has come, and the rest of the last beat as late as without a
// shim.
func (c *Checker) headers(side int, last bool) (later uint64, ok bool) {
	x := &c.in[side]
	n, behind := len(x.c.frame), parse.Headers
	if side == rx && c.p.HasShim() {
		later = shimparams.RemoveLatency
	}
	switch x.shim.kind {
	case shimmodel.Ended:
		return later, true // it is known by its first beat
	case shimmodel.Removed:
		behind += x.shim.size
		rest := last && (n <= params.DataBytes || n > params.DataBytes+x.shim.size && n <= 2*params.DataBytes)
		if !rest {
			later--
		}
	}
	return later, last || n >= behind
}

// unsearched checks packets from the host whose headers are not searched, up to the first searched one: they need not wait
// for the time of a search. It reports whether there was one.
func (c *Checker) unsearched() (any bool) {
	x := &c.in[tx]
	for _, a := range x.list {
		if a.packet == nil && (!a.ended || c.b.Searched(a.head)) {
			break
		}
		if a.packet == nil {
			any = true
			a.packet = c.b.Host(a.head[:min(len(a.head), headBytes)])
			c.Count.Packets++
			c.b.End(a.packet, a.frame, a.bad, a.tag)
		}
	}
	return any
}

// records notes the times at which shims are taken out: a cycle is sampled once before.
func (c *Checker) records() {
	const later = shimparams.RemoveLatency - 1
	for x := &c.in[rx]; len(x.began) > 0 && x.began[0]+later <= c.cycle; x.began = x.began[1:] {
		x.times = append(x.times, c.nows[(x.began[0]+later)%nowRing])
	}
}

// classify looks at the frames whose search ends, and tells the ends of those before.
func (c *Checker) classify() {
	c.records()
	for side := range c.in {
		c.classifyBefore(side, c.cycle)
	}
}

// classifyBefore does so for a direction, up to a cycle.
func (c *Checker) classifyBefore(side int, cycle uint64) {
	x := &c.in[side]
	for i := 0; i < len(x.list); i++ {
		a := x.list[i]
		if a.due > cycle || side == rx && c.p.HasLAPS() && a.wire == nil && len(x.times) == 0 {
			break
		}
		head := a.head[:min(len(a.head), headBytes)]
		if side == tx {
			if a.packet == nil {
				a.packet = c.b.Host(head)
				c.Count.Packets++
			}
			if a.ended {
				c.b.End(a.packet, a.frame, a.bad, a.tag)
				if c.seenPacket != nil {
					c.seenPacket(a.packet)
				}
			}
		} else {
			if a.wire == nil {
				a.wire = c.b.Wire(head)
				if c.p.HasLAPS() {
					c.b.Shimmed(a.wire, a.head, a.ended && a.bad && len(a.frame) <= params.DataBytes, x.times[0])
					x.times = x.times[1:]
				}
			}
			if a.due > c.cycle { // it goes to the host, and what follows from it is known later
				if a.early = true; a.ended {
					c.b.Whole(a.wire, a.frame, a.bad, a.tag)
				}
				continue
			}
			if a.early {
				a.early = false
				c.b.Search(a.wire)
			}
			if a.ended {
				c.b.Arrive(a.wire, a.frame, a.bad, a.tag)
				if c.seenFrame != nil {
					c.seenFrame(a.wire)
				}
			}
		}
		if a.ended {
			x.list = append(x.list[:i], x.list[i+1:]...)
			i--
		}
	}
}

// Directions.
const (
	tx = 0
	rx = 1
)

// side is a direction into the block.
type side struct {
	c      collector
	now    *arriving // the frame that comes in; nil: its headers are not there yet
	shim   taken     // its shim
	list   []*arriving
	search uint64   // cycles from the beat with them at the parser to the end of the search
	began  []uint64 // cycles of first beats, up to the record of their shims
	times  []uint64 // at the records, of frames that are not classified
}

// sides are both directions.
func (c *Checker) sides(p *params.Params) {
	search := uint64(4 + p.Lookup().SearchLatency())
	c.in[tx] = side{c: collector{s: &c.pins.hostTX}, search: search}
	c.in[rx] = side{c: collector{s: &c.pins.wireRX}, search: search}
}
