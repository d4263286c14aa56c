// SPDX-License-Identifier: Apache-2.0

// Package nictransport is the golden model of the whole block: packets in, packets out, one packet
// or event at a time, without a clock. It consists of the golden models of the parts.
// docs/units/nic_transport.md describes it.
//
// Host and Wire take frames, in the order of arrival, and keep the events that are due because of
// them: frames that have to leave, and events inside the block. Where the order is free (between
// connections, between the classes of packets, and in time), the caller chooses it: each event has
// a method, which takes the due event, executes it, and returns it, or an error if none is due.
package nictransport

import (
	"net/netip"

	params "github.com/nicgen/nicgen/gen/nic_transport"
	echo "github.com/nicgen/nicgen/model/nic_echo"
	edit "github.com/nicgen/nicgen/model/nic_edit"
	feedback "github.com/nicgen/nicgen/model/nic_feedback"
	gate "github.com/nicgen/nicgen/model/nic_gate"
	lookup "github.com/nicgen/nicgen/model/nic_lookup"
	parse "github.com/nicgen/nicgen/model/nic_parse"
	shim "github.com/nicgen/nicgen/model/nic_shim"
	"github.com/nicgen/nicgen/model/powertcp"
	detector "github.com/nicgen/nicgen/model/reps_detector"

	editparams "github.com/nicgen/nicgen/gen/nic_edit"
	parseparams "github.com/nicgen/nicgen/gen/nic_parse"
	shimparams "github.com/nicgen/nicgen/gen/nic_shim"
)

// Profile is the treatment of a connection's packets.
type Profile struct {
	Queue, Path, Flow        bool
	EchoTX, EchoRX, Feedback bool
	Window, Telemetry        bool
	DSCPOn, ECNOn            bool
	DSCP, ECN                byte
	Dst                      uint16 // of LAPS, 14 bits
}

// ParseProfile reads the word of a profile.
func ParseProfile(w uint32) Profile {
	on := func(bit int) bool { return w>>bit&1 != 0 }
	return Profile{
		Queue: on(0), Path: on(1), Flow: on(2), EchoTX: on(3), EchoRX: on(4), Feedback: on(5), Window: on(6), Telemetry: on(7),
		DSCPOn: on(8), DSCP: byte(w >> 9 & 63), ECNOn: on(15), ECN: byte(w >> 16 & 3), Dst: uint16(w >> 18),
	}
}

// Word returns the word of a profile.
func (p Profile) Word() (w uint32) {
	for i, on := range []bool{p.Queue, p.Path, p.Flow, p.EchoTX, p.EchoRX, p.Feedback, p.Window, p.Telemetry, p.DSCPOn} {
		if on {
			w |= 1 << i
		}
	}
	w |= uint32(p.DSCP&63) << 9
	if p.ECNOn {
		w |= 1 << 15
	}
	return w | uint32(p.ECN&3)<<16 | uint32(p.Dst)<<18
}

// Class is the treatment of a packet from the host.
type Class uint8

// The classes.
const (
	Other  Class = iota // leaves immediately, unchanged
	Edited              // leaves immediately, edited
	Queued              // waits in a queue, leaves edited
)

// String names the class.
func (c Class) String() string { return [...]string{"other", "edited", "queued"}[c] }

// Settings are the run-time settings of parts that have no model here.
type Settings struct {
	TX, RX    parse.Settings // of the parsers
	EtherType uint16         // of shims
	LabelHigh uint32         // 4 bits
	MaxFrame  uint64         // bytes of the longest frame that a queue takes
	Quota     uint64         // cells of a connection
	Ask       bool           // the last packet of a visit asks for an ACK
}

// Block is the state of the block.
type Block struct {
	Settings Settings
	Table    *lookup.Table
	Profiles []Profile
	Echo     *echo.Unit
	Gate     *gate.Gate
	Path     Path               // nil without path unit or with LAPS
	LAPS     *LAPS              // nil without LAPS
	Detector *detector.Detector // nil without failure detector
	Power    *powertcp.Unit     // nil without window unit

	Templates []feedback.Template // of feedback packets, by connection

	p     *params.Params
	parse *parseparams.Params
	edit  *editparams.Params
	shim  *shimparams.Params

	packets   uint64 // from the host, so far
	frames    uint64 // from the wire
	due       due
	collected []collected
	rings     [][]*Departure // the packets in the gate's rings
}

// New returns the block in its state after reset, with the settings of p.
func New(p *params.Params) *Block {
	b := &Block{
		p: p, parse: p.Parse(), edit: p.Edit(), shim: p.Shim(),
		Table: lookup.New(p.Lookup()), Echo: echo.New(p.Echo()), Gate: gate.New(p.Gate()), Profiles: make([]Profile, p.Connections),
		Templates: make([]feedback.Template, p.Connections), collected: make([]collected, p.Connections),
		rings: make([][]*Departure, p.Connections),
	}
	for i := range b.rings {
		b.rings[i] = make([]*Departure, p.Ring)
	}
	s := parse.Settings{RoCEPort: uint16(b.parse.RoCEPort), UETPort: uint16(b.parse.UETPort), MaxFrame: uint64(b.parse.MaxFrame)}
	q := p.Queue()
	b.Settings = Settings{TX: s, RX: s, EtherType: uint16(b.shim.EtherType), MaxFrame: uint64(q.MaxFrame), Quota: uint64(q.Quota), Ask: true}
	b.Path = newPath(p)
	if p.HasLAPS() {
		b.LAPS = newLAPS(p)
	}
	if p.Path == params.REPS {
		b.Detector = detector.New(p.Detector())
	}
	if p.HasWindow() {
		b.Power = powertcp.New(p.PowerTCP())
	}
	b.due.init(p)
	return b
}

// Reset returns all but settings to the state after reset.
func (b *Block) Reset() {
	b.Table.Reset()
	clear(b.Profiles)
	clear(b.Templates)
	clear(b.collected)
	b.Echo.Reset()
	b.Gate.Reset()
	if b.Path != nil {
		b.Path.Reset()
	}
	if b.LAPS != nil {
		b.LAPS.reset()
	}
	if b.Detector != nil {
		b.Detector.Reset()
	}
	if b.Power != nil {
		b.Power.Reset()
	}
	for i := range b.rings {
		clear(b.rings[i])
	}
	b.due.init(b.p)
}

// search looks for the connection of a packet by its direction, and the address of its other end and its number.
func (b *Block) search(h *parse.Header, d lookup.Direction, address [16]byte) (conn uint32, hit bool) {
	if !h.Placed {
		return 0, false
	}
	var a netip.Addr
	if h.V6 {
		a = netip.AddrFrom16(address)
	} else {
		a = netip.AddrFrom4([4]byte(address[12:]))
	}
	key, err := lookup.KeyOf(b.p.IPv6, a, d, uint32(h.QP), int(b.p.NumberBits()))
	if err != nil {
		return 0, false
	}
	answer := b.Table.Search(key)
	return answer.Conn, answer.Hit
}

// source looks up the connection of a packet from the wire, if its kind is known.
func (b *Block) source(h *parse.Header) (conn uint32, hit bool) {
	if other(h) {
		return 0, false
	}
	return b.search(h, lookup.Received, h.Src)
}

// Searched reports whether the connection of a packet from the host is looked up, which holds for
// every packet whose number was found.
func (b *Block) Searched(head []byte) bool {
	h := parse.Parse(b.parse, head, b.Settings.TX)
	return h.Placed
}

// other reports whether the kind of a packet is unknown, in which case nothing in it is changed.
func other(h *parse.Header) bool { return h.Kind == parse.Other || h.Illegal() }

// data reports whether packets of a kind are queued and get EVs.
func data(k parse.Kind) bool {
	return k == parse.Request || k == parse.Read || k == parse.Response || k == parse.UETRequest
}

// ack reports whether a kind is an ACK.
func ack(k parse.Kind) bool { return k == parse.ACK || k == parse.UETACK }

// acknowledges reports whether a READ response acknowledges its request (D3): the first or only
// one, of RC.
func acknowledges(h *parse.Header) bool {
	return h.Kind == parse.Response && (h.Opcode&0x1f == 0x0d || h.Opcode&0x1f == 0x10)
}

// MayAsk reports whether the block may let a packet ask for an ACK for which its host does not ask: a SEND or
// WRITE of a reliable service that was in a queue.
func (o *Packet) MayAsk() bool {
	return o.Class == Queued && o.Header.Kind == parse.Request && o.Counts() && !o.Header.AckReq
}

// Answered reports whether a packet that left will be answered: it asks for an ACK, or has a response.
func (o *Packet) Answered() bool { return o.Header.AckReq || o.Asked || o.Header.Kind == parse.Read }

// Counts reports whether a packet counts for the window (D1): requests of reliable services.
func (o *Packet) Counts() bool {
	switch h := &o.Header; h.Kind {
	case parse.UETRequest:
		return true
	case parse.Request, parse.Read:
		return h.Opcode < 0x20 || h.Opcode >= 0xa0 && h.Opcode < 0xc0
	}
	return false
}

// Packet is a packet from the host on its way to the wire.
type Packet struct {
	Number  uint64
	Frame   []byte // as it came; nil until Ended
	Bad     bool   // it came with tuser
	Tag     uint64
	Ended   bool // all of it came
	Header  parse.Header
	Class   Class
	Conn    uint32 // if Hit
	Hit     bool
	Profile Profile

	Asks  bool       // nic_echo
	Echo  *echo.Echo // its answer
	Wants bool       // an EV of the path unit
	EV    *EV        // it, once it was asked for
	Idle  bool       // nothing of its connection was in flight when it left its queue

	Asked bool // for an ACK, by the block

	Since  uint64  // when LAPS was asked
	Choice *Choice // the path that it has, of those that it may have
	laps   bool    // the path unit is LAPS
	noEcho bool    // an echo that misses is a value, too
}

// EV is the path unit's answer for a packet.
type EV struct {
	Known bool // it has been given
	None  bool // the path unit has no EV for this packet
	Value uint32
}

// Short reports whether the frame is shorter than its IP length.
func (o *Packet) Short() bool { return o.Header.Short(uint64(len(o.Frame))) }

// Acknowledges reports whether the packet takes the echo of the packets that it acknowledges.
func (o *Packet) Acknowledges() bool { return ack(o.Header.Kind) || acknowledges(&o.Header) }

// Host takes a packet from the host once its headers have arrived: at least parse.Headers bytes, or
// all of it if it is shorter. The resulting frame is due from now on. End reports its end.
func (b *Block) Host(head []byte) *Packet {
	o := &Packet{Number: b.packets, laps: b.LAPS != nil, noEcho: b.p.NoEcho(), Header: parse.Parse(b.parse, head, b.Settings.TX)}
	b.packets++
	o.Conn, o.Hit = b.search(&o.Header, lookup.Sent, o.Header.Dst)
	if o.Hit {
		o.Profile = b.Profiles[o.Conn]
	}
	f, k := &o.Profile, o.Header.Kind
	switch {
	case !o.Hit:
	case (data(k) || other(&o.Header)) && f.Queue:
		o.Class = Queued
	case data(k), other(&o.Header), ack(k) && (f.EchoTX || f.Telemetry && b.p.HasShim()):
		o.Class = Edited
	}
	if o.Class != Other {
		o.Asks = o.Acknowledges() && (f.EchoTX || f.Telemetry && b.p.HasShim())
		o.Wants = data(k) && f.Path && (b.Path != nil || b.LAPS != nil)
	}
	b.due.host(o)
	return o
}

// End supplies the whole frame of a packet.
func (b *Block) End(o *Packet, frame []byte, bad bool, tag uint64) {
	o.Frame, o.Bad, o.Tag, o.Ended = frame, bad, tag, true
}

// Leaves returns the frame that leaves for a packet that has ended, and reports whether it is
// marked as bad. EV and echo must be available if it asked for them.
func (b *Block) Leaves(o *Packet) (frame []byte, bad bool) {
	bad = o.Bad || o.Short()
	if o.Class == Other || other(&o.Header) {
		return o.Frame, bad
	}
	h, f := &o.Header, &o.Profile
	c := edit.Command{
		V6: h.V6, Tags: int(h.Tags), Lane: int(h.Lane), UDPZero: true, ICRC: h.ICRC, UDPLen: int(h.UDPLen),
		Flow: f.Flow && h.V6,
	}
	if data(h.Kind) {
		c.DSCPOn, c.DSCP, c.ECNOn, c.ECN = f.DSCPOn, f.DSCP, f.ECNOn, f.ECN
	}
	c.Ask = o.Asked
	if o.EV != nil && !o.EV.None && !o.laps {
		c.EVOn, c.EV = true, o.EV.Value
	}
	if o.Echo != nil && f.EchoTX {
		e := o.Echo
		switch {
		case e.Hit:
			c.EVOn, c.EV = true, uint32(e.EV)
		case b.p.NoEcho():
			c.EVOn, c.EV = true, 0
		}
		// D4: without an entry BECN stays, unless marks are collected and one is set.
		if c.BECNOn = e.Hit || e.Mark; c.BECNOn {
			c.BECN = e.Mark
		}
	}
	if c.Flow {
		c.EV = c.EV&0xffff | b.Settings.LabelHigh<<16
	}
	frame, _ = edit.Edit(o.Frame, c.Built(b.edit))
	if s, ok := b.shimOf(o); ok {
		frame, _ = shim.Insert(b.shim, frame, s, b.Settings.EtherType)
	}
	return frame, bad
}

// slotsINT is the number of hops that an INT shim has words for.
const slotsINT = 5

// shimOf returns the shim for a packet: ACKs, and READ responses that acknowledge and are not
// queued (D11), get the newest received one, if it is fresh; data get one that collects.
func (b *Block) shimOf(o *Packet) (s shim.Shim, ok bool) {
	if b.LAPS != nil {
		return b.LAPS.shimOf(o)
	}
	if !b.p.HasShim() || !o.Profile.Telemetry {
		return s, false
	}
	s = shim.Shim{Subtype: shimparams.HPCC, Type: shim.Data, Count: slotsINT}
	if o.Echo != nil && o.Echo.Fresh && o.Class == Edited {
		s.Type = shim.ACK
		for i := range s.Body {
			s.Body[i] = byte(o.Echo.Shim[i/8] >> (8 * (i % 8)))
		}
		return s, true
	}
	return s, data(o.Header.Kind)
}

// Frame is a packet from the wire.
type Frame struct {
	Number  uint64
	Raw     []byte // as it came; nil until Ended
	Out     []byte // without shim
	Bad     bool   // it came with tuser
	Tag     uint64
	Ended   bool // all of it came
	Header  parse.Header
	Conn    uint32
	Hit     bool
	Profile Profile
	Shim    shim.Shim
	Had     shim.Kind // fate of its shim
	Took    uint64    // with a shim of LAPS: its delay
	Hidden  bool      // it ends here
}

// EV returns the packet's EV field.
func (f *Frame) EV() uint32 {
	if f.Profile.Flow && f.Header.V6 {
		return uint32(f.Header.Flow & 0xffff)
	}
	return uint32(f.Header.SrcPort)
}

// unshim takes a frame's shim out, if shims are built.
func (b *Block) unshim(raw []byte) ([]byte, shim.Shim, shim.Kind) {
	if !b.p.HasShim() {
		return raw, shim.Shim{}, shim.Plain
	}
	return shim.Remove(b.shim, raw, b.Settings.EtherType)
}

// Wire takes a packet from the wire once its headers have arrived: at least parse.Headers bytes and
// a shim, or all of it if it is shorter. Arrive reports its end.
func (b *Block) Wire(head []byte) *Frame {
	f := &Frame{Number: b.frames}
	b.frames++
	out, s, had := b.unshim(head)
	f.Shim, f.Had = s, had
	f.Hidden = had == shim.Ended
	if !f.Hidden {
		f.Header = parse.Parse(b.parse, out, b.Settings.RX)
		if f.Conn, f.Hit = b.source(&f.Header); f.Hit {
			f.Profile = b.Profiles[f.Conn]
			f.Hidden = f.Header.Kind == parse.Feedback && b.p.List > 0
		}
	}
	if !f.Hidden {
		b.due.toHost = append(b.due.toHost, f)
	}
	return f
}

// Search repeats the search for the connection of a frame from the wire that went to the host
// before the first search had ended.
func (b *Block) Search(f *Frame) {
	if f.Had == shim.Ended {
		return
	}
	f.Profile = Profile{}
	if f.Conn, f.Hit = b.source(&f.Header); f.Hit {
		f.Profile = b.Profiles[f.Conn]
	}
}

// Arrive supplies the whole frame from the wire. Its events are due from now on.
func (b *Block) Arrive(f *Frame, raw []byte, bad bool, tag uint64) {
	b.Whole(f, raw, bad, tag)
	b.Follow(f)
}

// Whole supplies the whole frame from the wire, as the host gets it.
func (b *Block) Whole(f *Frame, raw []byte, bad bool, tag uint64) {
	f.Raw, f.Bad, f.Tag, f.Ended = raw, bad, tag, true
	f.Out, _, _ = b.unshim(raw)
}

// Follow makes the events of a whole frame due.
func (b *Block) Follow(f *Frame) {
	h, bad := &f.Header, f.Bad
	if bad || f.Had == shim.Ended || !f.Hit || h.Short(uint64(len(f.Out))) {
		return
	}
	a := &Ack{Conn: f.Conn, PSN: h.PSN, Profile: f.Profile, EV: f.EV(), Mark: h.BECN}
	if h.Kind == parse.UETACK { // cumulative, and a separate offset
		a.PSN = uint64(uint32(a.PSN) + uint32(int16(h.MSN)))
	}
	if f.Had == shim.Removed && f.Shim.Type == shim.ACK && f.Shim.Subtype == shimparams.HPCC {
		a.INT = f.Shim.Body[:]
	}
	if told := f.body(); b.LAPS != nil && f.Had == shim.Removed && f.Shim.Type == shim.ACK {
		a.Told = &told
	}
	switch {
	case ack(h.Kind):
		k := h.Syndrome >> 5
		a.NAK = k == 1 || k == 3
		b.due.acks = append(b.due.acks, a)
	case acknowledges(h):
		b.due.acks = append(b.due.acks, a)
	case h.Kind == parse.Request || h.Kind == parse.Read || h.Kind == parse.UETRequest:
		d := &Data{Conn: f.Conn, Packet: echo.Packet{PSN: h.PSN, EV: uint64(f.EV()), CE: h.ECN == 3, Feedback: f.Profile.Feedback}}
		if f.Had == shim.Removed && f.Shim.Type == shim.Data {
			d.Packet.Shim = new(echo.Shim)
			body := f.Shim.Body[:]
			if told := f.body(); b.LAPS != nil {
				body = told[:]
			}
			for i, x := range body {
				d.Packet.Shim[i/8] |= uint64(x) << (8 * (i % 8))
			}
		}
		b.due.data = append(b.due.data, d)
	case h.Kind == parse.Feedback && b.p.List > 0:
		b.listed(f)
	}
}
