// SPDX-License-Identifier: Apache-2.0

package transport

import "math/rand/v2"

// ECMP gives every packet of a connection the same EV, as a flow has one source port (RFC 2992).
func ECMP(h *Host) Paths {
	rnd := random(h)
	e := make(ecmp, h.Connections)
	for i := range e {
		e[i] = rnd.Uint32() & 0xffff
	}
	return e
}

type ecmp []uint32

func (e ecmp) Send(conn int, _ uint64) (Choice, error) { return Choice{EV: e[conn]}, nil }
func (ecmp) Ack(int, *Ack) (uint8, error)              { return 0, nil }
func (ecmp) Lost(int, *Loss) (uint8, error)            { return 0, nil }

// Flowlets gives a connection another random EV after a pause of the given number of ns (Vanini et al., "Let It Flow: Resilient
// Asymmetric Load Balancing with Flowlet Switching", NSDI 2017), at the host instead of the first switch.
func Flowlets(h *Host, pause uint64) Paths {
	return &flowlets{ecmp: ECMP(h).(ecmp), rnd: random(h).Uint32, pause: pause, last: make([]uint64, h.Connections)}
}

type flowlets struct {
	ecmp
	rnd   func() uint32
	pause uint64
	last  []uint64 // ns, when a packet was sent
}

func (f *flowlets) Send(conn int, now uint64) (Choice, error) {
	if now-f.last[conn] > f.pause {
		f.ecmp[conn] = f.rnd() & 0xffff
	}
	f.last[conn] = now
	return f.ecmp.Send(conn, now)
}

// OPS gives every packet a random EV of a number of bits, up to 32: oblivious packet spraying (Dixit et al., "On
// the impact of packet spraying in data center networks", INFOCOM 2013), as REPS §2 has it.
func OPS(h *Host, bits int) Paths { return &ops{random(h), 1<<bits - 1} }

type ops struct {
	rnd  *rand.Rand
	mask uint32
}

func (o *ops) Send(int, uint64) (Choice, error) { return Choice{EV: o.rnd.Uint32() & o.mask}, nil }
func (*ops) Ack(int, *Ack) (uint8, error)       { return 0, nil }
func (*ops) Lost(int, *Loss) (uint8, error)     { return 0, nil }

func random(h *Host) *rand.Rand { return rand.New(rand.NewPCG(h.Seed, 0x6576)) }

// MPRDMA is the congestion control that REPS runs on: DCTCP acknowledgement by acknowledgement, as in MP-RDMA (Lu et
// al., NSDI 2018, §3.1), and less by a packet for each that is lost (REPS §4.1). An unmarked
// acknowledgement adds 1/window packets, a marked one takes half a packet away.
type MPRDMA struct {
	MTU   float64 // bytes of a packet on the wire
	First float64 // window of a new connection, bytes
	Most  float64 // bytes
	Least float64 // bytes
	// Fast is the time in ns from which on an unmarked acknowledgement adds a packet; 0: never. The
	// paper has no such rule; the program that its authors published does, in one experiment.
	Fast uint64

	windows []float64
}

// Open implements Window.
func (m *MPRDMA) Open(conn int) float64 {
	for conn >= len(m.windows) {
		m.windows = append(m.windows, 0)
	}
	m.windows[conn] = m.First
	return m.First
}

// Ack implements Window.
func (m *MPRDMA) Ack(conn int, a *Ack) float64 {
	w := m.windows[conn]
	switch {
	case a.Again:
		return w
	case a.Marked:
		w -= m.MTU / 2
	case m.Fast > 0 && a.Now >= m.Fast:
		w += m.MTU
	default:
		w += m.MTU * m.MTU / w
	}
	return m.set(conn, w)
}

// Lost implements Window.
func (m *MPRDMA) Lost(conn int, _ *Loss) float64 { return m.set(conn, m.windows[conn]-m.MTU) }

func (m *MPRDMA) set(conn int, w float64) float64 {
	w = min(max(w, m.Least), m.Most)
	m.windows[conn] = w
	return w
}
