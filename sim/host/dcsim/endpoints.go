// SPDX-License-Identifier: Apache-2.0

package dcsim

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"

	port "github.com/nicgen/nicgen/gen/dcsim_port"
	responder "github.com/nicgen/nicgen/gen/dcsim_responder"
	source "github.com/nicgen/nicgen/gen/dcsim_source"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/transport"
	tbport "github.com/nicgen/nicgen/tb/dcsim_port"
	tbresponder "github.com/nicgen/nicgen/tb/dcsim_responder"
	tbsource "github.com/nicgen/nicgen/tb/dcsim_source"
)

// Properties common to all hosts.
const (
	probeBytes = 64              // of a SIM or SIM-ACK, and of a DATA-ACK at least
	ackBytes   = 14 + 20 + 8 + 4 // Ethernet, IPv4, UDP and checksum of a DATA-ACK
	tagBytes   = 2               // each of its tags
	mostNew    = 128             // DATAs announced to a source at once
	mostAhead  = 16_384          // and beyond those sent: a source takes 2^(want_bits-1)
	seedWords  = 8
	nicDATAs   = 4 // DATAs in a NIC's queue with which the source waits: there they have no timeout
)

// configure returns the configurations of a host's units.
func configure(x *transport.EndpointSettings) (*source.Params, *responder.Params, *port.Params) {
	s, r, p := source.Default(), responder.Default(), port.Default()
	s.Flows, r.Flows = int64(x.Flows), int64(x.Hosts)
	s.ClockHz, r.ClockHz, p.ClockHz = x.ClockHz, x.ClockHz, x.ClockHz
	s.RateGbps, p.RateGbps = x.Gbps, x.Gbps
	s.PacketBytes, r.PacketBytes, p.PacketBytes = x.PacketBytes, x.PacketBytes, x.PacketBytes
	s.ProbeBytes, r.ProbeBytes, p.ProbeBytes = x.ProbeBytes, x.ProbeBytes, x.ProbeBytes
	s.GapBytes, p.GapBytes = x.GapBytes, x.GapBytes
	s.SIMQueue, p.Queue = x.Queue, x.Queue
	s.Hops, s.RTTNS = x.Hops, x.RTTNS
	r.DataAckNS = x.AckNS
	// The sum that the responder's page has, unless it is set.
	if s.DataTimeoutNS = x.TimeoutNS; s.DataTimeoutNS == 0 {
		token, _ := s.Network().Period().Float64()
		s.DataTimeoutNS = s.RTTNS + int64(float64(x.Hops)*float64(3*x.Queue+2)*token) + r.DataAckNS + 1_000
	}
	return s, r, p
}

// units are the kinds of devices that hosts and ports are made of.
type units struct {
	source, responder, port *kind
	sx                      *sourceWires
	rx                      *responderWires
	px                      *portWires
	bytes                   int64 // L
	rows                    int64 // DATAs that a port has room for
	tags                    int   // that a port knows frames by
}

func newUnits(ctx context.Context, s *source.Params, r *responder.Params, p *port.Params, rtl bool) (u *units, err error) {
	u = &units{bytes: s.PacketBytes, rows: p.DataRows(), tags: 1 << p.TagBits}
	defer func() {
		if err != nil {
			err = errors.Join(err, u.Close())
		}
	}()
	if u.source, err = newKind(ctx, tbsource.Unit, s, rtl); err != nil {
		return nil, err
	}
	if u.responder, err = newKind(ctx, tbresponder.Unit, r, rtl); err != nil {
		return nil, err
	}
	if u.port, err = newKind(ctx, tbport.Unit, p, rtl); err != nil {
		return nil, err
	}
	if u.sx, err = newSourceWires(u.source); err != nil {
		return nil, err
	}
	if u.rx, err = newResponderWires(u.responder); err != nil {
		return nil, err
	}
	u.px, err = newPortWires(u.port)
	return u, err
}

// Close closes the libraries of RTL.
func (u *units) Close() error {
	if u == nil {
		return nil
	}
	return errors.Join(u.source.close(), u.responder.close(), u.port.close())
}

// egress is a dcsim_port with the frames whose descriptors it has.
type egress struct {
	*device
	x      *portWires
	frames []*transport.Frame // by tag
	next   uint64
	wait   []*transport.Frame // for a cycle in which the port takes their descriptor
}

func (u *units) newEgress(name string, seed uint64) (*egress, error) {
	d, err := u.port.new(name, seed)
	return &egress{device: d, x: u.px, frames: make([]*transport.Frame, u.tags)}, err
}

// clock clocks a port: it takes the descriptor of a waiting frame, and returns the frames that begin and those
// that are dropped.
func (p *egress) clock() (out, dropped *transport.Frame, err error) {
	x := p.x
	if len(p.wait) > 0 {
		f := p.wait[0]
		p.wait = p.wait[1:]
		if p.frames[p.next] != nil {
			return nil, nil, fmt.Errorf("%s: %d descriptors later, the port still has a frame", p.name, len(p.frames))
		}
		p.frames[p.next] = f
		x.arrivals.Drive(p.in, &port.Frame{Class: uint64(f.Class), Len: uint64(f.Bytes), Tag: p.next})
		p.next = (p.next + 1) % uint64(len(p.frames))
	}
	x.ready.Raise(p.in)
	if err := p.step(); err != nil {
		return nil, nil, err
	}
	take := func(tag uint64) *transport.Frame {
		f := p.frames[tag]
		p.frames[tag] = nil
		return f
	}
	if x.illegal.On(p.out) {
		return nil, nil, fmt.Errorf("%s: an illegal frame", p.name)
	}
	if a := (port.Frame{}); x.drops.Read(p.out, &a) {
		if dropped = take(a.Tag); dropped == nil {
			return nil, nil, fmt.Errorf("%s: drops a frame that it does not have", p.name)
		}
	}
	if a := (port.Frame{}); x.begins.Read(p.out, &a) {
		if out = take(a.Tag); out == nil {
			return nil, nil, fmt.Errorf("%s: sends a frame that it does not have", p.name)
		}
	}
	return out, dropped, nil
}

// newHost makes a host, whose flows go to these hosts. It is to be reset.
func (u *units) newHost(id int, to []int, rng *rand.Rand) (h *host, err error) {
	n := len(to)
	h = &host{id: id, to: to, sx: u.sx, rx: u.rx, bytes: u.bytes, left: make([]uint64, n), given: make([]uint64, n), sent: make([]numbers, n), began: map[uint64]uint64{}}
	for range seedWords {
		h.seeds = append(h.seeds, rng.Uint64())
	}
	name := fmt.Sprintf("host %d", id)
	if h.source, err = u.source.new(name, rng.Uint64()); err != nil {
		return h, err
	}
	if h.responder, err = u.responder.new(name, rng.Uint64()); err != nil {
		return h, err
	}
	if h.nic, err = u.newEgress(name, rng.Uint64()); err != nil {
		return h, err
	}
	// B_DATA belongs to the switch: a NIC takes DATAs when they become due.
	h.nic.set(&u.px.limit, uint64(u.rows))
	return h, nil
}

// reset resets all units, and waits until their memories are cleared.
func reset(hosts []*host, ports []*egress) error {
	for cycle, ready := 0, false; cycle < 4 || !ready; cycle++ {
		if cycle > 100_000 {
			return errors.New("the units are not ready 100,000 cycles after their reset")
		}
		ready = true
		step := func(d *device) error {
			if cycle < 2 {
				d.k.rst.Raise(d.in)
			}
			return d.step()
		}
		for _, h := range hosts {
			if err := errors.Join(step(h.source), step(h.responder)); err != nil {
				return err
			}
			ready = ready && h.sx.ready.On(h.source.out) && h.rx.ready.On(h.responder.out)
		}
		for _, p := range ports {
			if err := step(p.device); err != nil {
				return err
			}
		}
	}
	return nil
}

// Endpoints implements transport.EndpointsMaker: hosts made of a source, a responder and a port, as golden models, or as RTL in
// lockstep with the golden models: then each output must be equal in each cycle. With Cycles all hosts are RTL, each with its own
// clock.
func Endpoints(ctx context.Context, m transport.Model, x *transport.EndpointSettings) (transport.Endpoints, error) {
	if m != transport.Golden && m != transport.RTL && m != transport.Cycles {
		return nil, fmt.Errorf("sim/host/dcsim: model: found %q, allowed: %s, %s or %s", m, transport.Golden, transport.RTL, transport.Cycles)
	}
	s, r, p := configure(x)
	gain, _ := s.Network().Token(x.ClockHz)
	if gain *= max(1, x.ProbeRate); gain >= 1<<s.TokenBits {
		return nil, fmt.Errorf("sim/host/dcsim: gain of a bucket: found %d, allowed: less than %d, so a lower rate of SIMs", gain, 1<<s.TokenBits)
	}
	s.Outstanding, s.Copies = mostOutstanding, mostCopies
	e := &endpoints{hosts: x.RTL, gain: uint64(gain), rng: rand.New(rand.NewPCG(x.Seed, 0x6463_7369_6d))}
	var err error
	if e.golden, err = newUnits(ctx, s, r, p, false); err == nil && m != transport.Golden {
		e.rtl, err = newUnits(ctx, s, r, p, true)
	}
	if err != nil {
		return nil, fmt.Errorf("sim/host/dcsim: %w", err)
	}
	if m == transport.Cycles {
		e.hosts, e.phase = nil, phases(x)
	}
	return e, nil
}

// Every setting of a network is to have its whole rate, as far as the units have it.
const (
	mostOutstanding = 1024
	mostCopies      = 4096
)

type endpoints struct {
	golden, rtl *units // rtl: nil without RTL
	hosts       []int  // that are RTL; nil: all
	gain        uint64 // of the buckets of sources and NICs
	rng         *rand.Rand
	phase       func() fabric.Instant // of the next host; nil: no host has its own clock
}

// New implements transport.Endpoints.
func (e *endpoints) New(number int, to []int) (transport.Endpoint, error) {
	u := e.golden
	if e.rtl != nil && (e.hosts == nil || slices.Contains(e.hosts, number)) {
		u = e.rtl
	}
	h, err := u.newHost(number, to, e.rng)
	if err == nil {
		h.source.set(&u.sx.gain, e.gain)
		h.nic.set(&u.px.gain, e.gain)
		err = reset([]*host{h}, []*egress{h.nic})
	}
	if err != nil {
		return nil, errors.Join(err, h.Close())
	}
	if e.phase != nil {
		return &clockedHost{h, e.phase()}, nil
	}
	return h, nil
}

// Close implements io.Closer.
func (e *endpoints) Close() error { return errors.Join(e.golden.Close(), e.rtl.Close()) }
