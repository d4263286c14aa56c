// SPDX-License-Identifier: Apache-2.0

// Package transport implements the hosts of a simulated network: the host side of a run
// (Run), the interface of a transport, and reference transports in Go. Units provide their
// transports, as golden model or RTL, through the registry; the package imports none.
package transport

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/nicgen/nicgen/sim/fabric"
)

// Model names the implementation behind a Transport.
type Model string

// Models.
const (
	Golden Model = "golden" // the golden model: the hardware's integers
	Float  Model = "float"  // the papers' formulas in float64
	RTL    Model = "rtl"    // the RTL itself, in lockstep with the golden model: the clock is stopped between events
	Cycles Model = "cycles" // the RTL with its own clock, each cycle compared with the golden model
)

// Grant bounds a connection's sending until its next event.
type Grant struct {
	Window float64 // bytes that may be unacknowledged; one packet may always be
	Rate   float64 // bytes per ns; 0: as fast as the host's link
	Note   uint8   // the implementation's decision; compared, but not used
}

// Choice is the route and header fields of a packet.
type Choice struct {
	EV    uint32 // entropy value: its source port, and above that its flow label; the number of a route where sources choose these
	Note  uint8  // the origin of the choice; compared, but not used
	Probe bool   // the host sends a probe, too,
	On    uint32 // on the route of this number
}

// Ack is an acknowledgement of a packet as its sender gets it. Times are in ns.
type Ack struct {
	At       fabric.Instant
	Now, RTT uint64
	EV       uint32       // of the packet
	Marked   bool         // the packet was
	Again    bool         // the packet had been acknowledged before
	Seq      uint32       // of the packet in its flow
	Delay    uint64       // of the packet, one way
	Next     uint32       // packet that the flow sends next for the first time
	First    uint32       // the first of its packets that is not acknowledged
	Hops     []fabric.Hop // telemetry that switches wrote into the packet; valid during the call
}

// Loss is a packet that was lost. Times are in ns.
type Loss struct {
	At      fabric.Instant
	Now     uint64
	EV      uint32 // of the packet
	Trimmed bool   // its header came through; otherwise its time is over
}

// Transport decides for the connections of one host, which it numbers from 0. Calls are
// in the order of time. An error ends the run. A Transport that is an io.Closer is closed
// after it.
//
// A Transport that is a Tracker is asked as such.
type Transport interface {
	Open(conn int, now uint64) (Grant, error)
	Send(conn int, now uint64) (Choice, error)
	Ack(conn int, a *Ack) (Grant, error)
	Lost(conn int, l *Loss) (Grant, error)
}

// Clocked is a Transport with its own clock (Cycles): events reach it in the next cycle, and its answers come cycles later. The results of
// Open, Ack and Lost hold until an answer changes them. If a Clocked is a Tracker, Missing returns the packets found missing since the last
// call.
type Clocked interface {
	Transport
	// Ask is asked in place of Send, and of Segment.
	Ask(conn int, seq uint32, at fabric.Instant) error
	// Answers lets the clock run to a time, and returns what came since, in order; it is valid until the next call.
	Answers(to fabric.Instant) ([]Answer, error)
	// Due returns when the next answer that was not returned yet is to be taken. It returns false if there is no such answer except a
	// Choice, which can wait for Latency.
	Due() (fabric.Instant, bool)
	// Latency is the time from a packet to its Choice; it leaves so much later.
	Latency() fabric.Instant
}

// Answer is a Choice for the first packet that has none, or a Grant.
type Answer struct {
	Conn   int
	Grants bool
	Grant  Grant
	Choice Choice
}

// Tracker is a Transport that tells segments apart: it finds their losses itself, and has probes sent. The host's own
// timer stays behind it, for losses that the Tracker does not find.
type Tracker interface {
	Transport
	// Segment is asked in place of Send.
	Segment(conn int, seq uint32, now uint64) (Choice, error)
	// Answer takes what a probe of a connection measured, in EV and Delay.
	Answer(conn int, a *Ack) error
	// Tick looks at timers, each Every ns while flows are open.
	Tick(now uint64) error
	Every() uint64
	// Missing are the segments that the call before found lost, in order; they are valid until the next one.
	Missing() []Segment
}

// Segment is a packet of a connection that a Tracker found lost.
type Segment struct {
	Conn  int
	Seq   uint32
	Timer bool // by a timer, not by the acknowledgement of a later one
}

// Path is a candidate route of a host.
type Path struct {
	Base    uint64   // ns that a full packet takes, five packets before it at each switch (LAPS §III-F)
	Cables  int      // along it
	Anchors []uint32 // nodes that distinguish it
}

// Host describes a host to the maker of its transport.
type Host struct {
	Number      int
	Connections int
	Peers       []int                // destination of each connection
	Paths       func(dst int) []Path // routes by number, if sources choose them
	Gbps        float64              // of its link
	Seed        uint64               // of the host; others have others
	// Window makes the window of a transport that only chooses paths.
	Window   func() Window
	BaseRTT  uint64 // ns, in an empty network
	RTO      uint64 // ns
	Trimming bool   // full queues cut packets to headers
	Settings string // words "key=value" of the unit's configuration
}

// Maker makes the transport of a host by a model. The context can cancel the compilation of
// RTL and the run.
type Maker func(ctx context.Context, m Model, h *Host) (Transport, error)

// Window is the half of a transport that says how much may be under way, in bytes.
type Window interface {
	Open(conn int) float64
	Ack(conn int, a *Ack) float64
	Lost(conn int, l *Loss) float64
}

// Paths is the half of a transport that chooses entropy values.
type Paths interface {
	Send(conn int, now uint64) (Choice, error)
	Ack(conn int, a *Ack) (note uint8, err error)
	Lost(conn int, l *Loss) (note uint8, err error)
}

// Join makes a transport of two halves. It closes Paths that are an io.Closer.
func Join(w Window, p Paths) Transport { return &joined{w, p} }

type joined struct {
	window Window
	paths  Paths
}

func (j *joined) Open(conn int, _ uint64) (Grant, error) {
	return Grant{Window: j.window.Open(conn)}, nil
}

func (j *joined) Send(conn int, now uint64) (Choice, error) { return j.paths.Send(conn, now) }

func (j *joined) Ack(conn int, a *Ack) (Grant, error) {
	note, err := j.paths.Ack(conn, a)
	return Grant{Window: j.window.Ack(conn, a), Note: note}, err
}

func (j *joined) Lost(conn int, l *Loss) (Grant, error) {
	note, err := j.paths.Lost(conn, l)
	return Grant{Window: j.window.Lost(conn, l), Note: note}, err
}

// Close implements io.Closer.
func (j *joined) Close() error { return Close(j.paths) }

// Close closes the given transports and paths that are an io.Closer.
func Close(list ...any) (err error) {
	for _, x := range list {
		if c, ok := x.(io.Closer); ok {
			err = errors.Join(err, c.Close())
		}
	}
	return err
}

// Lockstep asks two transports for every decision, and takes the first one's. It fails with a
// *Difference as soon as they differ. Of two Trackers it makes a Tracker.
func Lockstep(first Transport, firstName string, second Transport, secondName string) Transport {
	l := &lockstep{[2]Transport{first, second}, [2]string{firstName, secondName}, 0}
	a, isA := first.(Tracker)
	b, isB := second.(Tracker)
	if isA && isB {
		return &lockstepTracker{lockstep: l, by: [2]Tracker{a, b}}
	}
	return l
}

type lockstep struct {
	by     [2]Transport
	names  [2]string
	events uint64
}

// Difference is the error of two transports that decide differently.
type Difference struct {
	Events uint64 // on which they agreed
	Event  string // the next one
	Conn   int
	Now    uint64 // ns
	Names  [2]string
	Said   [2]any // Grant or Choice
}

// Error names the event and both decisions.
func (d *Difference) Error() string {
	return fmt.Sprintf("after %d equal decisions: %s of connection %d at %d ns: %s says %+v, %s %+v",
		d.Events, d.Event, d.Conn, d.Now, d.Names[0], d.Said[0], d.Names[1], d.Said[1])
}

func both[T comparable](l *lockstep, event string, conn int, now uint64, ask func(Transport) (T, error)) (T, error) {
	var said [2]T
	for i, t := range l.by {
		var err error
		if said[i], err = ask(t); err != nil {
			return said[0], fmt.Errorf("%s: %w", l.names[i], err)
		}
	}
	if said[0] != said[1] {
		return said[0], &Difference{l.events, event, conn, now, l.names, [2]any{said[0], said[1]}}
	}
	l.events++
	return said[0], nil
}

func (l *lockstep) Open(conn int, now uint64) (Grant, error) {
	return both(l, "opening", conn, now, func(t Transport) (Grant, error) { return t.Open(conn, now) })
}

func (l *lockstep) Send(conn int, now uint64) (Choice, error) {
	return both(l, "a packet", conn, now, func(t Transport) (Choice, error) { return t.Send(conn, now) })
}

func (l *lockstep) Ack(conn int, a *Ack) (Grant, error) {
	return both(l, "an acknowledgement", conn, a.Now, func(t Transport) (Grant, error) { return t.Ack(conn, a) })
}

func (l *lockstep) Lost(conn int, x *Loss) (Grant, error) {
	return both(l, "a loss", conn, x.Now, func(t Transport) (Grant, error) { return t.Lost(conn, x) })
}

// lockstepTracker is two Trackers: what they find lost is compared after each call.
type lockstepTracker struct {
	*lockstep
	by      [2]Tracker
	missing []Segment
}

// found compares what the call before found lost.
func (l *lockstepTracker) found(event string, conn int, now uint64, err error) error {
	if err != nil {
		return err
	}
	l.missing = l.by[0].Missing()
	if other := l.by[1].Missing(); !slices.Equal(l.missing, other) {
		return &Difference{l.events, "what is lost after " + event, conn, now, l.names, [2]any{slices.Clone(l.missing), slices.Clone(other)}}
	}
	return nil
}

func (l *lockstepTracker) Open(conn int, now uint64) (Grant, error) {
	g, err := l.lockstep.Open(conn, now)
	return g, l.found("opening", conn, now, err)
}

func (l *lockstepTracker) Segment(conn int, seq uint32, now uint64) (Choice, error) {
	c, err := both(l.lockstep, "a packet", conn, now, func(t Transport) (Choice, error) { return t.(Tracker).Segment(conn, seq, now) })
	return c, l.found("a packet", conn, now, err)
}

func (l *lockstepTracker) Ack(conn int, a *Ack) (Grant, error) {
	g, err := l.lockstep.Ack(conn, a)
	return g, l.found("an acknowledgement", conn, a.Now, err)
}

func (l *lockstepTracker) Lost(conn int, x *Loss) (Grant, error) {
	g, err := l.lockstep.Lost(conn, x)
	return g, l.found("a loss", conn, x.Now, err)
}

func (l *lockstepTracker) Answer(conn int, a *Ack) error {
	return l.found("a probe", conn, a.Now, errors.Join(l.by[0].Answer(conn, a), l.by[1].Answer(conn, a)))
}

func (l *lockstepTracker) Tick(now uint64) error {
	return l.found("a look at the timers", -1, now, errors.Join(l.by[0].Tick(now), l.by[1].Tick(now)))
}

func (l *lockstepTracker) Every() uint64 { return l.by[0].Every() }

func (l *lockstepTracker) Missing() []Segment { return l.missing }

// Close implements io.Closer.
func (l *lockstep) Close() error { return Close(l.by[0], l.by[1]) }
