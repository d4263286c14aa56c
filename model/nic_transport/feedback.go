// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"bytes"

	feedback "github.com/nicgen/nicgen/model/nic_feedback"
	parse "github.com/nicgen/nicgen/model/nic_parse"
)

// collected holds the entries that nic_echo has collected of a connection since the last feedback
// packet. nic_echo chooses when a list is sent: by number, by time.
type collected struct {
	seen  []seen
	total int   // packets so far, without duplicates
	again []int // of each duplicate, how many had come before it
}

type seen struct {
	psn uint32
	ev  uint16
	ce  bool
}

// collect notes a packet received; duplicate: it had come before.
func (b *Block) collect(d *Data, duplicate bool) {
	c := &b.collected[d.Conn]
	if duplicate {
		c.again = append(c.again, c.total)
		return
	}
	c.total++
	c.seen = append(c.seen, seen{uint32(d.Packet.PSN), uint16(d.Packet.EV), d.Packet.CE})
	if most := 4 * int(b.p.List); len(c.seen) > most { // never sent
		c.seen = c.seen[len(c.seen)-most:]
	}
}

// Feedback takes a frame to the wire as a feedback packet that the block has made. It is one if it
// matches the template of a connection and the entries that came next for it; the oldest may have
// been lost while a list was full.
func (b *Block) Feedback(frame []byte) bool {
	h := parse.Parse(b.parse, frame, b.Settings.TX)
	if b.p.List == 0 || h.Kind != parse.Feedback {
		return false
	}
	at := 4*int(h.Lane) + 2 + 8 + 12
	n := int(frame[at]&15) + 1
	for conn := range b.collected {
		c := &b.collected[conn]
		for lost := 0; lost+n <= len(c.seen) && (lost == 0 || len(c.seen) > int(b.p.List)); lost++ {
			for _, again := range []bool{false, true} {
				if again && len(c.again) == 0 {
					continue
				}
				l := feedback.List{PSN: c.seen[lost+n-1].psn, Again: again}
				for _, x := range c.seen[lost : lost+n] {
					l.EVs, l.Marks = append(l.EVs, x.ev), append(l.Marks, x.ce)
				}
				if want, ok := b.Templates[conn].Make(l); ok && bytes.Equal(want, frame) {
					c.seen = c.seen[lost+n:]
					if again {
						c.told()
					}
					return true
				}
			}
		}
	}
	return false
}

// Forget discards the entries collected of a connection, as nic_echo does at a flush.
func (b *Block) Forget(conn uint32) { b.collected[conn] = collected{} }

// told forgets the duplicates that a list has reported, which are the ones before its last packet.
// If no duplicate came before it, one came while the list waited to leave; others may have come
// after the list was made.
func (c *collected) told() {
	before := c.total - len(c.seen)
	n := 0
	for n < len(c.again) && c.again[n] < before {
		n++
	}
	c.again = c.again[max(n, 1):]
}

// listed is the content of a received feedback packet.
func (b *Block) listed(f *Frame) {
	h := &f.Header
	if len(f.Out) <= 64 || !f.Profile.Path || b.Path == nil {
		return
	}
	whole := append(bytes.Clone(f.Out), make([]byte, 128)...)
	l, ok := feedback.End(whole, int(h.Lane), int(h.UDPLen))
	if !ok {
		return
	}
	for i, ev := range l.EVs {
		b.due.lists = append(b.due.lists, Back{f.Conn, uint32(ev), l.Marks[i]})
	}
}
