// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"encoding/binary"
	"fmt"
	"math/bits"
	"slices"

	params "github.com/nicgen/nicgen/gen/nic_transport"
	echo "github.com/nicgen/nicgen/model/nic_echo"
	gate "github.com/nicgen/nicgen/model/nic_gate"
	"github.com/nicgen/nicgen/model/powertcp"
	detector "github.com/nicgen/nicgen/model/reps_detector"
)

// Ack is an ACK on its way to the gate, or a NAK.
type Ack struct {
	Conn    uint32
	PSN     uint64
	NAK     bool
	Profile Profile
	EV      uint32   // of the ACK
	Mark    bool     // its BECN
	INT     []byte   // body of the echo that came with it; nil: none
	Told    *[8]byte // path and delay that it reports to LAPS, or nil
}

// Sample is an ACK with the gate's answer.
type Sample struct {
	*Ack
	gate.Sample
	filled bool
	of     *Departure // its packet; nil without a hit
}

// Departure is a packet in the gate's ring.
type Departure struct {
	EV *EV // nil without an EV of the path unit
}

// Data is a packet received, for the echo.
type Data struct {
	Conn   uint32
	Packet echo.Packet
}

// Back is an EV that comes back.
type Back struct {
	Conn uint32
	EV   uint32
	Mark bool
}

// Timeout is a timeout of a host, reported by its gate.
type Timeout struct {
	Conn uint32
	Fail bool // a failure for the path unit
}

// Win is a window and a rate.
type Win struct {
	Conn   uint32
	Bytes  uint64 // for the gate
	Result powertcp.Result
}

// due lists the events that have to happen, in order.
type due struct {
	entering []*Packet   // queued packets that have not entered
	queues   [][]*Packet // by connection: those that wait
	released []*Packet   // those that have left their queue, not the block
	direct   []*Packet   // of the other classes, not left
	echoes   []*Packet   // that ask nic_echo
	asks     []*Packet   // of class edited, that want an EV
	asked    []*Packet   // released, that want one

	toHost  []*Frame
	data    []*Data
	acks    []*Ack
	samples []*Sample
	backs   []*Sample // of samples
	lists   []Back    // of feedback packets
	power   []*Sample // for the window unit
	crowded bool      // more were offered than its queue has room for: some may have been lost
}

// powerQueue is the number of samples that may wait for the window unit.
const powerQueue = 16

func (d *due) init(p *params.Params) { *d = due{queues: make([][]*Packet, p.Connections)} }

func (d *due) host(o *Packet) {
	if o.Class == Queued {
		d.entering = append(d.entering, o)
	} else {
		d.direct = append(d.direct, o)
		if o.Wants {
			d.asks = append(d.asks, o)
		}
	}
	if o.Asks {
		d.echoes = append(d.echoes, o)
	}
}

// take takes the first of a list.
func take[T any](list *[]T) (x T, ok bool) {
	if len(*list) == 0 {
		return x, false
	}
	x = (*list)[0]
	*list = (*list)[1:]
	return x, true
}

// Entering returns the packet that enters its queue next; nil: none.
func (b *Block) Entering() *Packet {
	if len(b.due.entering) == 0 {
		return nil
	}
	return b.due.entering[0]
}

// MustDrop reports whether an entering packet has to be dropped because it is bad, short, or too
// long.
func (b *Block) MustDrop(o *Packet) bool {
	return o.Bad || o.Short() || uint64(len(o.Frame)) > b.Settings.MaxFrame
}

// Enter returns the end of a queued packet, which has entered its queue or was dropped.
func (b *Block) Enter(dropped bool) (o *Packet, err error) {
	o, ok := take(&b.due.entering)
	switch {
	case !ok:
		return nil, fmt.Errorf("no packet is about to enter a queue")
	case !o.Ended:
		return o, fmt.Errorf("packet %d enters its queue before its end", o.Number)
	case !dropped && b.MustDrop(o):
		return o, fmt.Errorf("packet %d of connection %d (%d bytes, tuser %t, short %t) enters its queue, it should have been dropped", o.Number, o.Conn, len(o.Frame), o.Bad, o.Short())
	case !dropped:
		b.due.queues[o.Conn] = append(b.due.queues[o.Conn], o)
	}
	return o, nil
}

// Stored notifies the gate immediately of a packet that has entered. timeout: the host's timer has
// sent it again.
func (b *Block) Stored(o *Packet, now uint64) (timeout bool) {
	s, _ := b.Gate.State(o.Conn)
	out, ok := b.Gate.Enter(o.Conn, o.Header.PSN, o.Counts(), s, now)
	if !ok || !out.Again && !out.Restart {
		return false
	}
	return b.Gate.Again(o.Conn, o.Header.PSN, out, s.Sent.Nxt)
}

// Timeout judges a timeout: a failure goes to the path unit.
func (b *Block) Timeout(conn uint32, now uint64) Timeout {
	t := Timeout{Conn: conn, Fail: b.Path != nil}
	if b.Detector != nil {
		t.Fail = b.Detector.Timeout(conn, b.detectorTime(now)) == detector.Failure
	}
	return t
}

func (b *Block) detectorTime(now uint64) uint64 { return now & (1<<b.p.Detector().TimerBits - 1) }

// Waiting returns the number of packets in the queue of a connection.
func (b *Block) Waiting(conn uint32) int { return len(b.due.queues[conn]) }

// Release lets the first packet of a connection leave its queue.
func (b *Block) Release(conn uint32) (o *Packet, err error) {
	if int(conn) >= len(b.due.queues) {
		return nil, fmt.Errorf("connection %d does not exist", conn)
	}
	o, ok := take(&b.due.queues[conn])
	if !ok {
		return nil, fmt.Errorf("no packet of connection %d waits in its queue", conn)
	}
	if o.wants() {
		o.EV = &EV{}
		b.due.asked = append(b.due.asked, o)
	}
	b.due.released = append(b.due.released, o)
	return o, nil
}

// Discard takes the packets out of the queue of a connection that is flushed.
func (b *Block) Discard(conn uint32) (list []*Packet) {
	list, b.due.queues[conn] = b.due.queues[conn], nil
	return list
}

// Departed notifies the gate immediately of a released packet, and puts it into its ring at now.
func (b *Block) Departed(o *Packet, now uint64) {
	s, _ := b.Gate.State(o.Conn)
	e, idle, ok := b.Gate.Release(o.Conn, o.Departing(), s.In, b.Gate.Una(o.Conn), now)
	if o.Idle = idle; ok && e.Valid {
		b.Put(o, e, now)
	}
}

// Departing returns the gate's knowledge of a departing packet.
func (o *Packet) Departing() gate.Packet {
	return gate.Packet{PSN: o.Header.PSN, Bytes: o.Header.IPSize, Counts: o.Counts()}
}

// Put puts a packet into the gate's ring at now.
func (b *Block) Put(o *Packet, e gate.Entry, now uint64) {
	b.Gate.Put(o.Conn, o.Header.PSN, e, 0, now)
	b.rings[o.Conn][b.Gate.Slot(o.Header.PSN)] = &Departure{EV: o.EV}
}

// Send asks the path unit for a packet's EV: for a packet of class edited, or a released one.
func (b *Block) Send(direct bool, now uint64) (o *Packet, err error) {
	list, what := &b.due.asked, "released"
	if direct {
		list, what = &b.due.asks, "edited"
	}
	o, ok := take(list)
	for ok && !o.wants() {
		o, ok = take(list)
	}
	if !ok {
		return nil, fmt.Errorf("no %s packet waits for an EV", what)
	}
	if o.EV == nil {
		o.EV = &EV{}
	}
	if b.LAPS != nil {
		b.LAPS.ask(o, now)
	} else {
		b.Path.Send(o.EV, o.Conn, o.Idle, now)
	}
	return o, nil
}

// wants reports whether a packet gets an EV from the path unit. READ responses that have an echo
// use the echo instead.
func (o *Packet) wants() bool {
	if o.laps && o.told() {
		return false
	}
	return o.Wants && !(o.Echo != nil && (o.Echo.Hit || o.noEcho) && o.Profile.EchoTX && acknowledges(&o.Header))
}

// AskEcho gives the first packet that asks nic_echo its answer.
func (b *Block) AskEcho() (o *Packet, err error) {
	o, ok := take(&b.due.echoes)
	if !ok {
		return nil, fmt.Errorf("no packet asks nic_echo")
	}
	e := b.Echo.Ack(o.Conn, o.Header.PSN)
	o.Echo = &e
	return o, nil
}

// Data gives the first packet received to the echo.
func (b *Block) Data(now uint64) (d *Data, err error) {
	d, ok := take(&b.due.data)
	if !ok {
		return nil, fmt.Errorf("no packet received waits for nic_echo")
	}
	before := b.Echo.Count.Duplicate
	b.Echo.Data(d.Conn, d.Packet, now)
	if d.Packet.Feedback && b.p.List > 0 {
		b.collect(d, b.Echo.Count.Duplicate != before)
	}
	return d, nil
}

// Ack takes the first ACK, for the gate. Its sample is due from now on, and has to be Judged before.
func (b *Block) Ack() (s *Sample, err error) {
	a, ok := take(&b.due.acks)
	if !ok {
		return nil, fmt.Errorf("no ACK waits for the gate")
	}
	s = &Sample{Ack: a}
	b.due.samples = append(b.due.samples, s)
	if a.Told != nil && a.Profile.Path && !a.NAK {
		b.LAPS.measures = append(b.LAPS.measures, a)
	}
	return s, nil
}

// Judge asks the gate immediately about an ACK that came at now.
func (b *Block) Judge(a *Sample, now uint64) {
	psn := b.Gate.Named(a.PSN, a.NAK)
	s, _ := b.Gate.State(a.Conn)
	of := b.Of(a.Conn, psn)
	a.Fill(b.Gate.Ack(a.Conn, psn, a.NAK, a.Profile.Queue, b.Gate.Find(a.Conn, psn), s.Sent, s.Restart, now), of)
}

// Of returns the packet that the gate's ring has in the place of a PSN; nil: none.
func (b *Block) Of(conn uint32, psn uint64) *Departure { return b.rings[conn][b.Gate.Slot(psn)] }

// Fill is the gate's answer, and the packet that was found.
func (s *Sample) Fill(x gate.Sample, of *Departure) {
	s.Sample, s.filled = x, true
	if x.Hit {
		s.of = of
	}
}

// Sample returns the first answer of the gate. Its consequences are due from now on.
func (b *Block) Sample(now uint64) (s *Sample, err error) {
	s, ok := take(&b.due.samples)
	if !ok || !s.filled {
		return nil, fmt.Errorf("the gate has no sample")
	}
	path := s.Profile.Path && b.Path != nil
	if path && !s.NAK && b.returns(s) {
		b.due.backs = append(b.due.backs, s)
	}
	if b.Detector != nil && path && s.Measured {
		most := uint64(1)<<b.p.Detector().RTTBits - 1
		b.Detector.RTT(s.Conn, min(s.RTT, most), b.detectorTime(now))
	}
	if b.Power != nil && s.Profile.Window && s.Hit && (b.p.HasShim() && s.INT != nil || !b.p.HasShim() && s.Measured) {
		b.due.power = append(b.due.power, s)
		b.due.crowded = b.due.crowded || len(b.due.power) > powerQueue
	}
	return s, nil
}

// returns reports whether a sample brings something back to the path unit: PLB counts ACKs of known packets, the
// others take EVs.
func (b *Block) returns(s *Sample) bool {
	switch {
	case b.p.Path == params.PLB || !s.Profile.EchoRX:
		return s.Hit
	case b.p.NoEcho():
		return s.Ack.EV != 0
	}
	return true
}

// BackOf returns the EV that a sample brings back, or nil.
func (b *Block) BackOf(s *Sample) *EV {
	if s.Profile.EchoRX {
		return &EV{Known: true, Value: s.Ack.EV}
	}
	return s.of.EV
}

// Returns returns the EVs that may come back next: of a sample, and of a feedback packet; either
// may be nil.
func (b *Block) Returns() (s *Sample, list *Back) {
	if len(b.due.backs) > 0 {
		s = b.due.backs[0]
	}
	if len(b.due.lists) > 0 {
		list = &b.due.lists[0]
	}
	return s, list
}

// Back returns the EV of the first sample, with the value ev, or of a feedback packet, to the path
// unit.
func (b *Block) Back(list bool, ev uint32, now uint64) {
	if list {
		x, _ := take(&b.due.lists)
		b.Path.Back(x, nil, now)
		return
	}
	s, _ := take(&b.due.backs)
	b.Path.Back(Back{s.Conn, ev, s.Mark}, s, now)
}

// PowerSamples returns the samples for the window unit, the oldest first.
func (b *Block) PowerSamples() []*Sample { return b.due.power }

// Lose drops the first sample for the window unit, if it may have been lost.
func (b *Block) Lose() (ok bool) {
	if len(b.due.power) <= powerQueue {
		return false
	}
	_, ok = take(&b.due.power)
	return ok
}

// Win returns the window unit's answer to the first sample, which reached it at now.
func (b *Block) Win(now uint64) (w Win, err error) {
	s, ok := take(&b.due.power)
	if !ok {
		return w, fmt.Errorf("no sample waits for the window unit")
	}
	a := powertcp.Ack{Conn: s.Conn, Seq: uint32(s.Una), SndNxt: uint32(s.Nxt)}
	if b.p.HasShim() {
		b.hops(&a, s.INT)
	} else {
		a.Theta, a.RTTValid, a.RTT, a.Now = true, true, uint32(s.RTT), now
	}
	w = Win{Conn: s.Conn, Result: b.Power.Ack(&a)}
	b.due.crowded = b.due.crowded && len(b.due.power) > 0
	w.Bytes = uint64(w.Result.Window >> 2)
	return w, nil
}

// hops reads the body of an INT shim.
func (b *Block) hops(a *powertcp.Ack, body []byte) {
	c := b.p.PowerTCP()
	a.Path = uint32(binary.BigEndian.Uint16(body))
	a.HopCnt = int(binary.BigEndian.Uint16(body[2:])) & 31
	for i := range min(a.HopCnt, slotsINT) {
		w := binary.LittleEndian.Uint64(body[4+8*i:])
		field := func(n int64) uint32 {
			x := w & (1<<n - 1)
			w >>= n
			return uint32(x)
		}
		var h powertcp.Hop
		h.Link = b.Power.Links[field(c.RateBits)]
		h.Time, h.Tx, h.Qlen = field(c.TimeBits), field(c.TxBits), field(c.QlenBits)
		a.Hops = append(a.Hops, h)
	}
}

// Inverse returns the time that a byte takes at a rate of UQ8.16 bytes a ns, in ns as UQ10.16; a
// rate of 0 is the slowest. It is exact, whereas the block's inverse has 14 bits.
func Inverse(rate uint32) uint64 {
	const slowest = 1<<26 - 1
	if rate == 0 {
		return slowest
	}
	return min(1<<32/uint64(rate), slowest)
}

// InverseOK reports whether an inverse matches a rate to 14 bits.
func InverseOK(rate uint32, inv uint64) bool {
	want := Inverse(rate)
	if want >= 1<<26-1 {
		return inv >= want-want>>13
	}
	slack := want>>13 + 1
	return inv+slack >= want && inv <= want+slack && bits.Len64(inv) <= 26
}

// SetWindow sets a connection's window in the gate.
func (b *Block) SetWindow(conn uint32, bytes uint64) { b.Gate.SetWindow(conn, bytes) }

// Heads returns the packets that may leave next: the first one of each class.
func (b *Block) Heads() (list []*Packet) {
	if len(b.due.released) > 0 {
		list = append(list, b.due.released[0])
	}
	for i, o := range b.due.direct {
		if i == 0 {
			list = append(list, o)
		} else if o.Class != b.due.direct[0].Class {
			return append(list, o)
		}
	}
	return list
}

// Leaving returns the packets that have to leave, in order: packets that have left their queues,
// and packets of the other classes.
func (b *Block) Leaving() (queued, direct []*Packet) { return b.due.released, b.due.direct }

// InQueues returns the packets that are in queues, or on their way there.
func (b *Block) InQueues() (list []*Packet) {
	list = append(list, b.due.entering...)
	for _, q := range b.due.queues {
		list = append(list, q...)
	}
	return list
}

// Leave takes a packet that leaves, one of Heads.
func (b *Block) Leave(o *Packet) {
	if o.Class == Queued {
		take(&b.due.released)
		return
	}
	i := slices.Index(b.due.direct, o)
	b.due.direct = slices.Delete(b.due.direct, i, i+1)
}

// Complete reports whether everything that a packet's bytes depend on is available.
func (o *Packet) Complete() error {
	switch {
	case !o.Ended:
		return fmt.Errorf("its last beat has not come")
	case o.Asks && o.Echo == nil:
		return fmt.Errorf("nic_echo was not asked")
	case o.wants() && (o.EV == nil || !o.EV.Known):
		return fmt.Errorf("the path unit was not asked for its EV")
	}
	return nil
}

// ToHost returns the frame that goes to the host next; nil: none.
func (b *Block) ToHost() *Frame {
	if len(b.due.toHost) == 0 {
		return nil
	}
	return b.due.toHost[0]
}

// Received takes the first frame that goes to the host.
func (b *Block) Received() { take(&b.due.toHost) }

// wanting returns the number of packets of a list that want an EV.
func wanting(list []*Packet) (n int) {
	for _, o := range list {
		if o.wants() {
			n++
		}
	}
	return n
}

// Left lists the due events that have not happened, except for packets in queues.
func (b *Block) Left() (out []string) {
	d := &b.due
	for _, x := range []struct {
		n    int
		what string
	}{
		{len(d.entering), "packets have not entered their queues"}, {len(d.released), "packets left their queues, not the block"},
		{len(d.direct), "packets of class edited or other have not left"}, {len(d.echoes), "packets have not asked nic_echo"},
		{wanting(d.asks), "packets of class edited have not asked for their EVs"}, {len(d.asked), "released packets have not asked for their EVs"},
		{len(d.toHost), "frames have not come to the host"}, {len(d.data), "packets received have not come to nic_echo"},
		{len(d.acks), "ACKs have not come to nic_gate"}, {len(d.samples), "samples have not come"},
		{len(d.backs), "EVs of ACKs have not come back"}, {len(d.lists), "EVs of feedback packets have not come back"},
	} {
		if x.n > 0 {
			out = append(out, fmt.Sprintf("%d %s", x.n, x.what))
		}
	}
	if n := len(d.power); n > 0 && !d.crowded {
		out = append(out, fmt.Sprintf("%d samples have no answer of the window unit", n))
	}
	if b.LAPS != nil {
		out = append(out, b.LAPS.left()...)
	}
	return out
}
