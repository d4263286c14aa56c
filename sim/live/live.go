// SPDX-License-Identifier: Apache-2.0

// Package live puts NIC blocks between two hosts that run in real time, such as virtual machines with Linux' own RoCE:
//
//	host A ◄port► NIC A ◄paths► NIC B ◄port► host B
//
// A port is a UDP socket or a TAP device, and a NIC is a block as RTL, with its golden model alongside, or changes
// nothing. Each frame is checked by code that shares nothing with the block: its ICRC and IPv4 checksum, and that a frame
// that leaves a NIC equals one that entered, except in fields that a NIC may edit.
//
// Two times exist. Hosts use the wall clock. The blocks have a separate time, in which a cycle always takes one period:
// cycles of both run as fast as the machine can while something is inside, and a few each millisecond otherwise.
// The network uses either.
package live

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"net"
	"net/netip"
	"sync"
	"time"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/sim/agenda"
)

// Config holds the settings of a run.
type Config struct {
	NICs    [2]NIC
	Ports   [2]Port
	Network Network
	// BlockTime lets the network use the blocks' time in place of the wall clock: delays and rates then have the meaning
	// that they have in a data centre, whatever the machine's speed, and only the hosts are slow.
	BlockTime bool
	Learner   *Learner       // nil: no connections are opened in the course of the run
	Senders   map[End]uint32 // queue pairs of connections known before the run, by the ends that their packets go to
	Period    agenda.Instant // of both NICs' clocks; 0: Period
	Seed      uint64

	HostGap time.Duration // least time between two frames to a host, whose socket holds few
	Drain   time.Duration // that frames inside may take to leave at the end

	// Capture takes the frames of a side: of its host's port, or of its wire. It may be nil.
	Capture func(side int, wire bool, p *capture.Packet) error
	// Opened is called for each connection that was opened; it may be nil.
	Opened func(l Learned)
}

// End is a queue pair of a host.
type End struct {
	Addr netip.Addr
	QP   uint32
}

// Cycles that a block runs at a time: while something is inside, and in a millisecond otherwise.
const (
	busyCycles = 64
	idleCycles = 32
	idleEvery  = time.Millisecond
	settle     = 2200 // at the end: after these, the golden model owes nothing
)

// Side holds the counts of a side.
type Side struct {
	FromHost map[Kind]uint64 `json:"from_host"`
	ToWire   map[Kind]uint64 `json:"to_wire"`
	FromWire map[Kind]uint64 `json:"from_wire"`
	ToHost   map[Kind]uint64 `json:"to_host"`
	Unsent   uint64          `json:"unsent"`    // frames that the port did not take
	InsideTX int             `json:"inside_tx"` // frames of the host that did not leave the NIC
	InsideRX int             `json:"inside_rx"`
	NIC      *Counters       `json:"nic"`
}

// Result holds the counts of a run.
type Result struct {
	Wall    time.Duration `json:"wall_ns"`
	Sides   [2]Side       `json:"sides"`
	Wire    WireCounts    `json:"wire"`
	Learned []Learned     `json:"learned"`
	LeftOut []string      `json:"left_out"` // connections that could not be opened
	Faults  []Fault       `json:"faults"`
	Flying  int           `json:"flying"` // frames that were on their way between the blocks
}

// Fault is something that must not happen, and how often it did.
type Fault struct {
	What  string `json:"what"`
	Count uint64 `json:"count"`
	First string `json:"first"` // the first time
}

// middle is a run.
type middle struct {
	Config
	net     *network
	res     *Result
	ledgers [2][2]ledger // by side and direction: to the wire, to the host
	hosts   [2]outbox
	inbox   inbox
	faults  map[string]int
	failure error // of a capture
	start   time.Time
	began   agenda.Instant // the blocks' time at the start
}

// arrival is a frame of a side's host.
type arrival struct {
	side  int
	frame []byte
}

// inbox holds frames that came from hosts.
type inbox struct {
	mu     sync.Mutex
	frames []arrival
	errs   error
	wake   chan struct{}
}

func (b *inbox) put(f arrival) {
	b.mu.Lock()
	b.frames = append(b.frames, f)
	b.mu.Unlock()
	b.signal()
}

func (b *inbox) signal() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *inbox) take() ([]arrival, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	f := b.frames
	b.frames = nil
	return f, b.errs
}

// outbox holds frames for a host.
type outbox struct {
	frames [][]byte
	next   time.Time
}

// Run moves frames until ctx is done, then lets what is inside leave, and returns the counts. The ports are closed. The
// result is valid even if there is an error.
func Run(ctx context.Context, c Config) (*Result, error) {
	m := &middle{Config: c, res: &Result{}, faults: map[string]int{}, start: time.Now(), began: c.NICs[0].Now()}
	m.Period = cmp.Or(m.Period, Period)
	m.net = newNetwork(c.Network, c.Seed, m.start)
	maps.Copy(m.net.senders, c.Senders)
	for s := range m.res.Sides {
		m.res.Sides[s] = Side{FromHost: map[Kind]uint64{}, ToWire: map[Kind]uint64{}, FromWire: map[Kind]uint64{}, ToHost: map[Kind]uint64{}}
		m.ledgers[s] = [2]ledger{newLedger(), newLedger()}
	}
	m.inbox.wake = make(chan struct{}, 1)
	var readers sync.WaitGroup
	for s := range c.Ports {
		readers.Add(1)
		go func() {
			defer readers.Done()
			m.read(s)
		}()
	}
	err := m.loop(ctx)
	for _, p := range c.Ports {
		err = errors.Join(err, p.Close())
	}
	readers.Wait()
	m.finish(err == nil)
	return m.res, err
}

// read takes frames from a port until it is closed.
func (m *middle) read(side int) {
	buf := make([]byte, 1<<16)
	for {
		n, err := m.Ports[side].Receive(buf)
		if err != nil {
			if !errors.Is(err, net.ErrClosed) {
				m.inbox.mu.Lock()
				m.inbox.errs = errors.Join(m.inbox.errs, fmt.Errorf("%v: %w", m.Ports[side], err))
				m.inbox.mu.Unlock()
				m.inbox.signal()
			}
			return
		}
		if n > 0 {
			m.inbox.put(arrival{side, append([]byte(nil), buf[:n]...)})
		}
	}
}

// loop moves frames until ctx is done and nothing is inside.
func (m *middle) loop(ctx context.Context) error {
	work := context.WithoutCancel(ctx)
	timer := time.NewTimer(0)
	defer timer.Stop()
	var idle, until time.Time
	for {
		now := time.Now()
		stopping := ctx.Err() != nil
		if stopping && until.IsZero() {
			until = now.Add(m.Drain)
		}
		frames, err := m.inbox.take()
		if err != nil {
			return err
		}
		for _, f := range frames {
			if err := m.fromHost(work, f.side, f.frame); err != nil {
				return err
			}
		}
		for {
			f, ok := m.net.arrived(m.clock())
			if !ok {
				break
			}
			m.fromWire(f.to, f.frame)
		}
		// The blocks run in step, so that delays between them have a meaning.
		inside := m.NICs[0].Busy() || m.NICs[1].Busy() || m.BlockTime && m.net.due.Len() > 0
		switch {
		case inside:
			err = m.run(work, busyCycles)
		case now.After(idle):
			err = m.run(work, idleCycles)
		}
		if err != nil {
			return err
		}
		if now.After(idle) {
			idle = now.Add(idleEvery)
		}
		m.toHosts(time.Now())
		if m.failure != nil {
			return m.failure
		}
		busy := inside || len(frames) > 0
		empty := !busy && m.net.due.Len() == 0 && len(m.hosts[0].frames)+len(m.hosts[1].frames) == 0
		if stopping && (empty || now.After(until)) {
			return m.run(work, settle)
		}
		if busy {
			continue
		}
		wait := idleEvery
		for s := range m.hosts {
			if len(m.hosts[s].frames) > 0 {
				wait = min(wait, time.Until(m.hosts[s].next))
			}
		}
		if at, ok := m.net.next(); ok { // of the wall clock
			wait = min(wait, time.Until(at))
		}
		timer.Reset(max(wait, 0))
		select {
		case <-m.inbox.wake:
		case <-timer.C:
		}
	}
}

// clock is the network's time.
func (m *middle) clock() time.Time {
	if m.BlockTime {
		return m.at(m.NICs[0].Now())
	}
	return time.Now()
}

// at is an instant of the blocks' time as a time of the network.
func (m *middle) at(t agenda.Instant) time.Time {
	return m.start.Add(time.Duration(t-m.began) / agenda.PS)
}

// run lets both NICs go on by some cycles, at the same time, and takes the frames that left. The one that lags, as the
// other has opened a connection meanwhile, catches up.
func (m *middle) run(ctx context.Context, cycles int) error {
	var left [2][]Left
	var errs [2]error
	until := max(m.NICs[0].Now(), m.NICs[1].Now()) + agenda.Instant(cycles)*m.Period
	one := func(s int) {
		errs[s] = m.NICs[s].Run(ctx, until, func(l Left) { left[s] = append(left[s], l) })
	}
	done := make(chan struct{})
	go func() {
		one(0)
		close(done)
	}()
	one(1)
	<-done
	now := time.Now()
	for s := range left {
		for _, l := range left[s] {
			if m.BlockTime {
				now = m.at(l.At)
			}
			m.left(s, l, now)
		}
		if errs[s] != nil {
			return fmt.Errorf("NIC %s: %w", Name(s), errs[s])
		}
	}
	return nil
}

// Name is the name of a side: A or B.
func Name(side int) string { return string(rune('A' + side)) }

// fault counts something that must not happen.
func (m *middle) fault(side int, what, first string) {
	what = "NIC " + Name(side) + ": " + what
	i, ok := m.faults[what]
	if !ok {
		i = len(m.res.Faults)
		m.faults[what] = i
		m.res.Faults = append(m.res.Faults, Fault{What: what, First: first})
	}
	m.res.Faults[i].Count++
}

// capture records a frame.
func (m *middle) capture(side int, wire bool, dir capture.Direction, frame []byte) {
	if m.Capture == nil || m.failure != nil {
		return
	}
	m.failure = m.Capture(side, wire, &capture.Packet{Time: time.Now(), Data: frame, Dir: dir})
}

// fromHost takes a frame of a host. Connections that it completes are opened before it goes on.
func (m *middle) fromHost(ctx context.Context, side int, frame []byte) error {
	m.capture(side, false, capture.TX, frame)
	l := read(frame)
	m.res.Sides[side].FromHost[l.kind]++
	if m.Learner != nil {
		for _, x := range m.Learner.frame(side, frame, l) {
			if err := m.open(ctx, x); err != nil {
				return err
			}
		}
	}
	m.ledgers[side][0].came(frame)
	m.NICs[side].Host(frame)
	return nil
}

// open opens a connection in both NICs.
func (m *middle) open(ctx context.Context, x Learned) error {
	if x.Ends[0].Side == x.Ends[1].Side {
		return nil
	}
	for i, e := range x.Ends {
		o := x.Ends[1-i]
		c := Connection{Local: e.Addr, Remote: o.Addr, LocalQP: e.QP, RemoteQP: o.QP, LocalMAC: e.MAC, RemoteMAC: o.MAC}
		err := m.NICs[e.Side].Open(ctx, c)
		if errors.Is(err, ErrGolden) {
			return err
		}
		if err != nil {
			m.res.LeftOut = append(m.res.LeftOut, fmt.Sprintf("NIC %s: %v", Name(e.Side), err))
		}
	}
	for i, e := range x.Ends {
		m.net.senders[End{e.Addr, e.QP}] = x.Ends[1-i].QP
	}
	m.res.Learned = append(m.res.Learned, x)
	if m.Opened != nil {
		m.Opened(x)
	}
	return nil
}

// fromWire takes a frame that has arrived.
func (m *middle) fromWire(side int, frame []byte) {
	m.capture(side, true, capture.RX, frame)
	m.res.Sides[side].FromWire[read(frame).kind]++
	m.ledgers[side][1].came(frame)
	m.NICs[side].Wire(frame)
}

// left takes a frame that left a NIC.
func (m *middle) left(side int, f Left, now time.Time) {
	l := read(f.Data)
	dir, to := 0, "wire"
	if f.ToHost {
		dir, to = 1, "host"
	}
	if f.Bad {
		m.fault(side, "frames to the "+to+" marked as bad", describe(f.Data))
		return
	}
	if err := m.ledgers[side][dir].left(f.Data, l.made); err != nil {
		m.fault(side, "frames to the "+to+" that are wrong", err.Error())
	}
	x := &m.res.Sides[side]
	if f.ToHost {
		x.ToHost[l.kind]++
		m.hosts[side].frames = append(m.hosts[side].frames, f.Data)
		return
	}
	x.ToWire[l.kind]++
	m.capture(side, true, capture.TX, f.Data)
	m.net.enter(side, f.Data, l, now)
}

// toHosts sends frames to the hosts, at most one in each gap.
func (m *middle) toHosts(now time.Time) {
	const late = 2 * time.Millisecond // by which a host's next frame may lag behind its turn, and catch up
	for s := range m.hosts {
		h := &m.hosts[s]
		for len(h.frames) > 0 && !now.Before(h.next) {
			f := h.frames[0]
			h.frames = h.frames[1:]
			m.capture(s, false, capture.RX, f)
			if err := m.Ports[s].Send(f); err != nil {
				m.res.Sides[s].Unsent++
			}
			if early := now.Add(-late); h.next.Before(early) {
				h.next = early
			}
			h.next = h.next.Add(m.HostGap)
		}
	}
}

// finish asks the NICs for their counters, and accounts for all frames of a run that ended in order.
func (m *middle) finish(whole bool) {
	r := m.res
	r.Wall = time.Since(m.start)
	m.net.count.Ports = len(m.net.ports)
	r.Wire, r.Flying = m.net.count, m.net.due.Len()
	for s, n := range m.NICs {
		x := &r.Sides[s]
		x.InsideTX, x.InsideRX = m.ledgers[s][0].inside(), m.ledgers[s][1].inside()
		c, err := n.End()
		if err != nil {
			m.fault(s, "differences from the golden model", err.Error())
		}
		if c == nil {
			continue
		}
		x.NIC = c
		if err != nil || !whole {
			continue
		}
		if want := int(c.Dropped) + c.Held + c.Waiting[0]; x.InsideTX != want {
			m.fault(s, "frames of the host that are not accounted for", fmt.Sprintf("%d did not leave, %d are held or counted as dropped", x.InsideTX, want))
		}
		// Probes, their answers and lists of feedback end in the block.
		if want := int(x.FromWire[Made]) + c.Waiting[1]; x.InsideRX != want {
			m.fault(s, "frames from the wire that are not accounted for", fmt.Sprintf("%d did not leave, %d were for the block", x.InsideRX, want))
		}
	}
}
