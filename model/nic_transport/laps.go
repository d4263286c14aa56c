// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"encoding/binary"
	"fmt"
	"slices"

	params "github.com/nicgen/nicgen/gen/nic_transport"
	paths "github.com/nicgen/nicgen/model/laps_paths"
	probe "github.com/nicgen/nicgen/model/nic_probe"
	shim "github.com/nicgen/nicgen/model/nic_shim"
)

// LAPS predicts some of the behaviour of LAPS and its probes: which packets get a path, whether it
// is one of their destination, its anchors, and the format and contents of probes, answers and
// ACKs. The choice among several paths, the times of probes and the resulting rates belong to
// model/laps and are taken as given.
type LAPS struct {
	Tables    *paths.Tables
	Addresses []Address // by destination

	Max, Min uint64 // settings of rates

	sent     map[segment]int // packets that are tracked: how often each was sent
	wanted   []int           // by destination: packets that no probe followed
	measures []*Ack          // ACKs that have to be reported to LAPS
	rates    map[uint32]int  // by connection: rates that have to come
	answers  []probe.Frame   // that have to leave
}

// Address holds the values that software wrote for a destination.
type Address struct {
	Set   bool
	Bytes probe.Addresses
}

type segment struct {
	conn uint32
	psn  uint64
}

// Choice is the path of a departing packet, and the time in its shim.
type Choice struct {
	Path uint16
	Time uint64
}

func newLAPS(p *params.Params) *LAPS {
	c := p.LAPS()
	l := &LAPS{Tables: paths.New(c.Parts().Paths), Max: uint64(c.Rate.MaxRate), Min: uint64(c.Rate.MinRate),
		Addresses: make([]Address, p.Destinations), wanted: make([]int, p.Destinations)}
	l.reset()
	return l
}

func (l *LAPS) reset() {
	l.Tables.Reset()
	clear(l.Addresses)
	clear(l.wanted)
	l.sent, l.rates, l.measures, l.answers = map[segment]int{}, map[uint32]int{}, nil, nil
}

// Change is a word of software for the path tables.
func (l *LAPS) Change(c paths.Change, now uint64) {
	if l.Tables.Take(&c) == paths.Done {
		l.Tables.Do(&c, now, 1<<15)
	}
}

// Open opens a connection: its first rate is due.
func (l *LAPS) Open(conn uint32, connections int64) {
	if int64(conn) < connections {
		l.rates[conn]++
	}
}

// leads reports whether a path is in the set of a destination.
func (l *LAPS) leads(dst uint16, pid uint32) bool {
	if !l.Tables.LegalDst(uint32(dst)) || !l.Tables.LegalPath(pid) {
		return false
	}
	set := l.Tables.Set(uint32(dst))
	rows := uint32(l.rows())
	return set[pid/rows] == int32(pid%rows)
}

// rows returns the number of paths of a bank.
func (l *LAPS) rows() int {
	n := 0
	for l.Tables.LegalPath(uint32(n)) {
		n++
	}
	return n / len(l.Tables.Set(0))
}

// ask gives a packet a path, which one is not said yet, or none.
func (l *LAPS) ask(o *Packet, now uint64) {
	dst := o.Profile.Dst
	o.EV.Known, o.EV.None, o.Since = true, true, now
	if !l.Tables.LegalDst(uint32(dst)) {
		return
	}
	l.wanted[dst]++
	if slices.ContainsFunc(l.Tables.Set(uint32(dst)), func(row int32) bool { return row >= 0 }) {
		o.EV.None = false
		if o.Counts() {
			l.sent[segment{o.Conn, o.Header.PSN}]++
		}
	}
}

// Choose takes what the block is free to choose for a packet from the departing frame: whether the packet asks
// for an ACK, and LAPS' path, if it is legal.
func (b *Block) Choose(o *Packet, frame []byte, now uint64) {
	o.Asked = false
	if b.Settings.Ask && o.MayAsk() {
		shim := len(frame) - len(o.Frame)
		at := 4*int(o.Header.Lane) + 2 + askByte + max(shim, 0)
		o.Asked = at < len(frame) && frame[at]&0x80 != 0
	}
	b.choosePath(o, frame, now)
}

// askByte is the byte of the A bit, from the UDP header on: byte 8 of the BTH.
const askByte = 16

// choosePath takes LAPS' choice.
func (b *Block) choosePath(o *Packet, frame []byte, now uint64) {
	if o.Choice = nil; b.LAPS == nil || !o.wants() || o.EV == nil || o.EV.None || len(frame) < 24 {
		return
	}
	w := binary.BigEndian.Uint64(frame[16:])
	c := Choice{uint16(w >> 48), w & (1<<48 - 1)}
	if b.LAPS.leads(o.Profile.Dst, uint32(c.Path)) && o.Since <= c.Time && c.Time <= now {
		o.Choice = &c
	}
}

// told reports whether a packet carries path and delay of the packets that it answers.
func (o *Packet) told() bool {
	return o.Echo != nil && o.Echo.Fresh && o.Class == Edited && o.Profile.Telemetry
}

// shimOf returns the shim that a packet gets.
func (l *LAPS) shimOf(o *Packet) (s shim.Shim, ok bool) {
	s.Subtype = 1
	if o.told() {
		s.Type = shim.ACK
		binary.LittleEndian.PutUint64(s.Body[:], o.Echo.Shim[0])
		return s, true
	}
	if !o.wants() || o.EV == nil || o.EV.None {
		return s, false
	}
	s.Type, s.Count = shim.Data, params.Anchors
	if c := o.Choice; c != nil {
		binary.BigEndian.PutUint64(s.Body[:], uint64(c.Path)<<48|c.Time)
		for i, a := range l.Tables.Anchors(uint32(c.Path)) {
			binary.BigEndian.PutUint32(s.Body[8+4*i:], a)
		}
	}
	return s, true
}

// Shimmed sets the time at which the shim of a frame from the wire was removed. A probe has to be
// answered, unless it has one beat and is bad.
func (b *Block) Shimmed(f *Frame, head []byte, bad bool, now uint64) {
	if b.LAPS == nil || f.Had != shim.Ended && f.Had != shim.Removed {
		return
	}
	r := probe.Record{Bad: bad, Subtype: f.Shim.Subtype, Type: f.Shim.Type, Body: [8]byte(f.Shim.Body[:8]), Addresses: probe.Addresses(head[:12])}
	f.Took = r.Time()
	if f.Shim.Type == shim.Data {
		f.Took = r.Delay(now)
	}
	if f.Had == shim.Ended && r.Kind() == probe.Probe {
		b.LAPS.answers = append(b.LAPS.answers, probe.MakeAnswer(&r, b.Settings.EtherType, r.Delay(now)))
	}
}

// body returns the values that nic_echo and LAPS get from a frame's shim: its path and its delay.
func (f *Frame) body() (b [8]byte) {
	binary.BigEndian.PutUint64(b[:], uint64(binary.BigEndian.Uint16(f.Shim.Body[:]))<<48|f.Took)
	return b
}

// room is the number of frames of a kind that may wait in nic_probe, and of ACKs that may wait for
// LAPS.
const room = 16

// Made takes a frame that leaves as a probe or an answer of the block's own.
func (b *Block) Made(frame []byte, now uint64) (what string, ok bool) {
	l := b.LAPS
	if l == nil || len(frame) != len(probe.Frame{}) {
		return "", false
	}
	for i, a := range l.answers {
		if i > 0 && len(l.answers) <= room { // none was dropped
			break
		}
		if slices.Equal(a[:], frame) {
			l.answers = l.answers[i+1:]
			return "answer", true
		}
	}
	w := binary.BigEndian.Uint64(frame[16:])
	pid, at := uint32(w>>48), w&(1<<48-1)
	for dst := range l.Addresses {
		if a := &l.Addresses[dst]; l.leads(uint16(dst), pid) && a.Set && l.wanted[dst] > 0 && at <= now {
			want := probe.MakeProbe(a.Bytes, b.Settings.EtherType, uint16(pid), l.Tables.Anchors(pid), at)
			if slices.Equal(want[:], frame) {
				l.wanted[dst]--
				return "probe", true
			}
		}
	}
	return "", false
}

// Measure takes the next ACK that is passed to LAPS; earlier ones may have been dropped if there
// were many. It returns an error if no such ACK is due.
func (b *Block) Measure(conn uint32, psn uint64, pid uint16, delay uint32) error {
	l := b.LAPS
	text := "none is due"
	for i, a := range l.measures {
		if i > 0 && len(l.measures) <= room {
			break
		}
		w := binary.BigEndian.Uint64(a.Told[:])
		path, took := uint16(w>>48), uint32(probe.Cut(w&(1<<48-1)))
		if a.Conn == conn && a.PSN == psn && path == pid && took == delay {
			l.measures = l.measures[i+1:]
			if l.Tables.LegalPath(uint32(pid)) {
				if _, owner := l.Tables.State(uint32(pid)); owner >= 0 {
					l.rates[conn]++
				}
			}
			return nil
		}
		if i == 0 {
			text = fmt.Sprintf("want connection %d, PSN %d, path %d, delay %d", a.Conn, a.PSN, path, int32(took))
		}
	}
	return fmt.Errorf("LAPS is notified of connection %d, PSN %d, path %d, delay %d, %s", conn, psn, pid, int32(delay), text)
}

// Rate returns a rate of a connection: it is due, and within the settings.
func (b *Block) Rate(conn uint32, inv uint64) error {
	l := b.LAPS
	if l.rates[conn] == 0 {
		return fmt.Errorf("no rate of connection %d is due", conn)
	}
	l.rates[conn]--
	least, most := Inverse(uint32(l.Max)), Inverse(uint32(l.Min))
	if least-least>>13-1 > inv || inv > most+most>>13+1 {
		return fmt.Errorf("inverse %d of a rate of connection %d, want %d to %d", inv, conn, least, most)
	}
	return nil
}

// Lost records that LAPS considers a packet lost. It returns an error if the packet was lost more
// often than sent.
func (b *Block) Lost(conn uint32, psn uint64) error {
	s := segment{conn, psn}
	if b.LAPS.sent[s] == 0 {
		return fmt.Errorf("PSN %d of connection %d is lost, and was not sent so often", psn, conn)
	}
	b.LAPS.sent[s]--
	return nil
}

// left lists the due events that have not happened.
func (l *LAPS) left() (out []string) {
	if n := len(l.measures); n > 0 {
		out = append(out, fmt.Sprintf("LAPS was not told of %d ACKs", n))
	}
	if n := len(l.answers); n > 0 {
		out = append(out, fmt.Sprintf("%d probes were not answered", n))
	}
	n := 0
	for _, k := range l.rates {
		n += k
	}
	if n > 0 {
		out = append(out, fmt.Sprintf("%d rates of LAPS have not come", n))
	}
	return out
}
