// SPDX-License-Identifier: Apache-2.0

// Package capture reads and writes captures of Ethernet frames: pcap and pcapng, with times
// in ns, of both directions of a NIC.
//
// This package reads the formats itself and writes them with gopacket's pcapgo, whose reader skips
// sections of minor version 2, reads flags of big-endian files in little-endian order, ignores FCS,
// and rounds times of binary resolutions.
package capture

import (
	"bytes"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/gopacket/gopacket/layers"
)

// Direction is the direction of a frame from the NIC's point of view.
type Direction uint8

// Directions.
const (
	Unknown Direction = iota
	TX                // from the host to the wire
	RX                // from the wire to the host
)

// String returns "tx", "rx" or "unknown".
func (d Direction) String() string { return [...]string{"unknown", "tx", "rx"}[d] }

// Packet is a frame, without FCS.
type Packet struct {
	Time      time.Time // with nanoseconds
	Data      []byte    // as long as on the wire: bytes that were not captured are zeros
	Missing   int       // bytes at its end that were not captured
	Dir       Direction
	Others    bool   // between two other hosts: it merely passes the NIC
	Section   int    // number of the section in its file, from 1: 0 in pcap
	Interface int    // number of the interface in its section: 0 in pcap
	Name      string // name of the interface, if the file has it
	File      string // name of the capture, if ReadFile read it
	Record    int    // the frame's number in its file, from 1, as in Wireshark; 0 if not read from a file
}

// Where names the frame by its file and its number there.
func (p *Packet) Where() string {
	if p.File == "" {
		return fmt.Sprintf("frame %d", p.Record)
	}
	return fmt.Sprintf("%s: frame %d", p.File, p.Record)
}

// Interface is an interface on which packets were recorded.
type Interface struct {
	Section, Number int // as in Packet
	Name            string
	Link            layers.LinkType
}

// String names the interface by number and name.
func (i *Interface) String() string { return faceName(i.Number, i.Name) }

func faceName(number int, name string) string {
	if name == "" {
		return fmt.Sprintf("interface %d", number)
	}
	return fmt.Sprintf("interface %d %q", number, name)
}

// Face names the interface at which the frame was recorded.
func (p *Packet) Face() string { return faceName(p.Interface, p.Name) }

// Sides are rules for the directions of packets; the first one that applies counts. The zero value
// uses only the directions in the file.
type Sides struct {
	All        Direction            // the direction of all packets
	Interfaces map[string]Direction // by an interface's name or number; Unknown if named without a direction
	MAC        net.HardwareAddr     // the NIC's address: frames from it are TX, frames to it RX
	Only       bool                 // leave out packets of interfaces that are not in Interfaces
}

// Of returns the direction of a packet by these rules.
func (s *Sides) Of(p *Packet) Direction {
	if s.All != Unknown {
		return s.All
	}
	if d := s.named(p); d != Unknown {
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

func (s *Sides) named(p *Packet) Direction {
	if d, ok := s.Interfaces[p.Name]; ok && p.Name != "" {
		return d
	}
	return s.Interfaces[strconv.Itoa(p.Interface)]
}

// Named reports whether the rules name an interface.
func (s *Sides) Named(number int, name string) bool {
	_, byName := s.Interfaces[name]
	_, byNumber := s.Interfaces[strconv.Itoa(number)]
	return byName && name != "" || byNumber
}

// Merge merges the packets of captures by time; ties go to the earlier capture. The packets of
// a capture keep their order, even if its clock was set back.
func Merge(captures ...[]Packet) []Packet {
	total := 0
	for _, c := range captures {
		total += len(c)
	}
	all := make([]Packet, 0, total)
	at := make([]int, len(captures))
	for len(all) < total {
		next := -1
		for i, c := range captures {
			if at[i] < len(c) && (next < 0 || c[at[i]].Time.Before(captures[next][at[next]].Time)) {
				next = i
			}
		}
		all = append(all, captures[next][at[next]])
		at[next]++
	}
	return all
}

// Count is a number of frames, blocks or other things of a file.
type Count struct {
	File string // empty if there is one file only, or none
	N    int
	Unit string // the counted thing, in the singular
	What string // the rest of the sentence, after number and unit
}

// Tally is a list of counts, in order of their first occurrence.
type Tally []Count

// Add adds n to a count.
func (t *Tally) Add(file string, n int, unit, what string) {
	for i := range *t {
		if c := &(*t)[i]; c.File == file && c.Unit == unit && c.What == what {
			c.N += n
			return
		}
	}
	*t = append(*t, Count{file, n, unit, what})
}

// Sum adds up all counts of a unit.
func (t Tally) Sum(unit string) (n int) {
	for _, c := range t {
		if c.Unit == unit {
			n += c.N
		}
	}
	return n
}

// Intake counts the outcomes for the frames of captures while they were read.
type Intake struct {
	Files   int   // captures
	Frames  int   // recorded frames, including those left out
	LeftOut Tally // frames that are not returned, and blocks without frames
	Notes   Tally // differences from the recording
}

// Units of an Intake's counts.
const (
	Frames = "frame"
	Blocks = "block"
	Bytes  = "byte"
)
