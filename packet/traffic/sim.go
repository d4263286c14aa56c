// SPDX-License-Identifier: Apache-2.0

package traffic

import (
	"container/heap"
	"math/rand/v2"
	"net"
	"net/netip"
	"slices"
	"time"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
)

// Times in ps.
const (
	nanosecond  = int64(1000)
	microsecond = 1000 * nanosecond

	latency    = 2 * microsecond   // of the network, one way
	late       = 20 * microsecond  // delay of packets which others overtake, at most
	timeout    = 500 * microsecond // without progress: go back
	ackDelay   = 5 * microsecond   // at most, of a coalesced ACK
	cnpEvery   = 50 * microsecond  // at most one CNP in this time
	backAgain  = 30 * microsecond  // no second return to the same PSN before
	windowPSNs = 48
)

// sides of a connection, and directions of the wire.
const (
	local  = 0
	remote = 1
)

type event struct {
	at  int64
	seq uint64
	do  func()
}

type agenda []event

func (a agenda) Len() int { return len(a) }
func (a agenda) Less(i, j int) bool {
	return a[i].at < a[j].at || a[i].at == a[j].at && a[i].seq < a[j].seq
}
func (a agenda) Swap(i, j int) { a[i], a[j] = a[j], a[i] }
func (a *agenda) Push(x any)   { *a = append(*a, x.(event)) }
func (a *agenda) Pop() any {
	old := *a
	e := old[len(old)-1]
	*a = old[:len(old)-1]
	return e
}

// sim is the simulation: the NIC's wire is a queue in each direction, after which the network
// delays packets.
type sim struct {
	Config
	rng   *rand.Rand
	todo  agenda
	seq   uint64
	now   int64
	free  [2]int64 // when the wire is, from each side
	conns []*conn
	trace Trace
	err   error
}

type conn struct {
	Conn
	number int
	flows  [2]*flow // by requester
	id     uint16   // IPv4
}

func newSim(c Config) *sim {
	s := &sim{Config: c, rng: rand.New(rand.NewPCG(c.Seed, 0x526f4345))}
	nic := net.HardwareAddr{0x02, 0x4E, 0x47, 0, 0, 1}
	s.trace.NIC = nic
	services := []roce.Opcode{roce.RC, roce.UC, roce.RC, roce.UD, roce.RC}
	for i := range c.Conns {
		peer := s.rng.IntN(c.Peers)
		k := &conn{number: i, Conn: Conn{
			Service: services[i%len(services)],
			MTU:     c.MTU,
			QKey:    s.rng.Uint32(),
			Credits: roce.NoCredits,
			Every:   1,
		}}
		if k.MTU == 0 {
			k.MTU = mtus[i%len(mtus)]
		}
		if s.rng.IntN(2) == 0 {
			k.Every = 2 + s.rng.IntN(7)
		}
		if s.rng.IntN(4) == 0 {
			k.Credits = uint8(s.rng.IntN(31))
		}
		for range s.rng.IntN(c.Tags + 1) {
			k.Tags = append(k.Tags, uint16(1+s.rng.IntN(4094))|uint16(s.rng.IntN(8))<<13)
		}
		v6 := c.IP == OnlyIPv6 || c.IP == BothIP && s.rng.IntN(2) == 0
		for side := range k.Sides {
			host := byte(1)
			mac := nic
			if side == remote {
				host = byte(peer + 2)
				mac = net.HardwareAddr{0x02, 0x4E, 0x47, 0, 1, host}
			}
			ip := netip.AddrFrom4([4]byte{10, 0, 0, host})
			if v6 {
				ip = netip.AddrFrom16([16]byte{0xFD, 0x4E, 0x47, 15: host})
			}
			first := uint32(roce.Mask24 + 1 - s.rng.IntN(200))
			if s.rng.IntN(2) == 0 {
				first = s.rng.Uint32()
			}
			if c.FirstPSN != nil {
				first = c.FirstPSN(i, side)
			}
			k.Sides[side] = Side{
				MAC: mac, IP: ip,
				QP:       uint32(0x100+i) | uint32(s.rng.IntN(0x7F))<<16,
				Port:     0xC000 | uint16(s.rng.IntN(0x4000)),
				Flow:     s.rng.Uint32N(1 << 20),
				FirstPSN: first & roce.Mask24,
			}
		}
		for side := range k.flows {
			k.flows[side] = &flow{s: s, c: k, side: side, cnp: -cnpEvery}
		}
		s.conns = append(s.conns, k)
		s.trace.Conns = append(s.trace.Conns, k.Conn)
	}
	return s
}

// more reports whether the simulation needs new messages.
func (s *sim) more() bool { return len(s.trace.Frames) < s.Frames }

func (s *sim) chance(p float64) bool { return s.rng.Float64() < p }

func (s *sim) at(t int64, do func()) {
	s.seq++
	heap.Push(&s.todo, event{t, s.seq, do})
}

func (s *sim) run() error {
	for _, c := range s.conns {
		for _, f := range c.flows {
			f.kick(s.rng.Int64N(10 * microsecond))
		}
	}
	for len(s.todo) > 0 && s.err == nil {
		e := heap.Pop(&s.todo).(event)
		s.now = e.at
		e.do()
	}
	// Arriving frames were entered when they were sent.
	slices.SortStableFunc(s.trace.Frames, func(a, b Frame) int { return a.Time.Compare(b.Time) })
	return s.err
}

// wire returns the time that a frame takes, with preamble, FCS and gap.
func (s *sim) wire(frame []byte) int64 {
	return int64(max(len(frame), 60)+24) * 8 * 1_000_000 / int64(s.RateMbs)
}

// send puts a frame onto the wire from a side. arrive is called each time that it arrives at the
// other side, with its mark. send returns the time at which the frame has left.
func (s *sim) send(from int, f Frame, arrive func(marked bool)) int64 {
	t := max(s.now, s.free[from])
	s.free[from] = t + s.wire(f.Data)
	if from == local {
		f.Dir = capture.TX
		s.record(t, f)
	}
	if arrive == nil { // other traffic
		if from == remote {
			f.Dir = capture.RX
			s.record(t+latency, f)
		}
		return s.free[from]
	}
	copies := 1
	switch {
	case s.chance(s.Loss):
		copies = 0
	case s.chance(s.Duplicate):
		copies = 2
	}
	for i := range copies {
		marked := s.chance(s.Mark)
		// The second copy takes the wire's time once more.
		at := s.free[from] + latency
		if i > 0 {
			s.free[from] += s.wire(f.Data)
			at = s.free[from] + latency
		}
		if s.chance(s.Reorder) {
			at += s.rng.Int64N(late)
		}
		g := f
		if from == remote {
			g.Dir = capture.RX
			g.Data = slices.Clone(f.Data)
			if marked {
				mark(g.Data)
			}
		}
		s.at(at, func() {
			if from == remote {
				s.record(s.now, g)
			}
			arrive(marked)
		})
	}
	return s.free[from]
}

var epoch = time.Unix(1_790_000_000, 0).UTC()

func (s *sim) record(t int64, f Frame) {
	f.Time = epoch.Add(time.Duration(t / nanosecond))
	s.trace.Frames = append(s.trace.Frames, f)
	if f.Kind != Conversation || !s.more() {
		return
	}
	for p := s.Other; s.chance(p); p-- {
		s.other()
	}
	for p := s.Crafted; s.chance(p); p-- {
		s.crafted()
	}
}
