// SPDX-License-Identifier: Apache-2.0

// Package traffic generates captures of RoCEv2 conversations as a NIC sees them on its wire: a host
// with connections to several peers, over a network that loses, duplicates and marks packets.
// Requesters and responders are state machines, so that each answer fits its request. The captures
// may include other traffic and crafted packets.
package traffic

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
)

// Config describes the traffic to make. The same configuration gives the same frames.
type Config struct {
	Seed    uint64
	Frames  int // number of frames after which no new messages, other frames or crafted ones begin
	Conns   int // connections: RC, UC and UD in rotation, three of five are RC
	Peers   int
	MTU     int      // path MTU, a power of 2 from 256 to 4,096; 0 for a different one in each connection
	IP      Versions // IPv4, IPv6 or both
	Tags    int      // most VLAN tags: 0 to 2
	RateMbs int      // of the wire, Mb/s
	Gap     time.Duration
	// Gap is the mean time between the packets of a connection. 0 means as fast as the wire and the
	// window allow.

	// Probabilities for each packet.
	Loss, Duplicate, Reorder, Mark float64
	RNR                            float64 // for each request that needs a receive buffer
	Other, Crafted                 float64 // frames for each RoCEv2 frame
	FirstPSN                       func(conn, side int) uint32
	// FirstPSN is a connection's first PSN; if nil, half of the connections begin less than 200
	// before the wrap.
}

// Versions of IP.
type Versions uint8

// Versions to choose from.
const (
	BothIP Versions = iota
	OnlyIPv4
	OnlyIPv6
)

// Default returns some traffic of everything.
func Default() Config {
	return Config{Seed: 1, Frames: 2000, Conns: 10, Peers: 3, Tags: 2, RateMbs: 100_000,
		Loss: 0.01, Duplicate: 0.005, Reorder: 0.002, Mark: 0.02, RNR: 0.02, Other: 0.05, Crafted: 0.05}
}

func (c *Config) check() error {
	var bad []error
	within := func(name string, v, low, high int) {
		if v < low || v > high {
			bad = append(bad, fmt.Errorf("%s %d: want %d to %d", name, v, low, high))
		}
	}
	within("frames", c.Frames, 1, 1<<24)
	within("connections", c.Conns, 1, 1<<16)
	within("peers", c.Peers, 1, 250)
	within("tags", c.Tags, 0, 2)
	within("rate in Mb/s", c.RateMbs, 1, 1_600_000)
	within("IP versions", int(c.IP), 0, 2)
	if c.MTU != 0 && !slices.Contains(mtus, c.MTU) {
		bad = append(bad, fmt.Errorf("MTU %d: want one of %v, or 0 for any", c.MTU, mtus))
	}
	if c.Gap < 0 || c.Gap > time.Second {
		bad = append(bad, fmt.Errorf("gap %v: want 0 to 1s", c.Gap))
	}
	for _, p := range []struct {
		name     string
		v, limit float64
	}{
		{"loss", c.Loss, 0.2}, {"duplicate", c.Duplicate, 0.2}, {"reorder", c.Reorder, 0.2}, {"RNR", c.RNR, 0.2},
		{"mark", c.Mark, 1}, {"other", c.Other, 10}, {"crafted", c.Crafted, 10},
	} {
		if !(p.v >= 0 && p.v <= p.limit) {
			bad = append(bad, fmt.Errorf("%s %v: want 0 to %v", p.name, p.v, p.limit))
		}
	}
	return errors.Join(bad...)
}

var mtus = []int{256, 512, 1024, 2048, 4096}

// Side is an end of a connection.
type Side struct {
	MAC      net.HardwareAddr
	IP       netip.Addr
	QP       uint32
	Port     uint16 // UDP source port: the connection's entropy
	Flow     uint32 // flow label of IPv6
	FirstPSN uint32
}

// Conn is a connection. Each side is a requester, with its own PSNs.
type Conn struct {
	Service roce.Opcode // RC, UC or UD
	MTU     int
	Sides   [2]Side // the NIC's host, its peer
	Tags    []uint16
	QKey    uint32 // UD
	Credits uint8  // RC: credits in ACKs
	Every   int    // RC: number of packets per requested ACK
}

// Kind is the kind of a frame.
type Kind uint8

// Kinds.
const (
	Conversation Kind = iota
	Other
	Crafted
)

// Frame is a frame on the NIC's wire.
type Frame struct {
	capture.Packet
	Kind  Kind
	Conn  int    // its connection; -1 of other traffic
	What  string // in words
	Class Class  // class in which a parser should put it
}

// Trace is the generated traffic.
type Trace struct {
	NIC    net.HardwareAddr
	Conns  []Conn
	Frames []Frame // in the order of time
}

// Packets returns the frames as a capture.
func (t *Trace) Packets() []capture.Packet {
	all := make([]capture.Packet, len(t.Frames))
	for i := range t.Frames {
		all[i] = t.Frames[i].Packet
	}
	return all
}

// Generate makes the traffic.
func Generate(c Config) (*Trace, error) {
	if err := c.check(); err != nil {
		return nil, err
	}
	s := newSim(c)
	if err := s.run(); err != nil {
		return nil, err
	}
	return &s.trace, nil
}
