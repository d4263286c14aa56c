// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math/rand/v2"

	"github.com/nicgen/nicgen/packet/shim"
	"github.com/nicgen/nicgen/sim/agenda"
)

// Reason is why a switch dropped a frame.
type Reason string

// Reasons.
const (
	Full   Reason = "queue full"
	Failed Reason = "link failed"
	Lost   Reason = "lost"
	Bad    Reason = "bad frame"
	NoPath Reason = "no such path"
)

// Reasons are all of them.
var Reasons = []Reason{Full, Failed, Lost, Bad, NoPath}

// parcel is a frame in the network.
type parcel struct {
	data  []byte
	from  int // host; -1: others
	path  int
	left  agenda.Instant // its NIC
	probe bool
}

// egress is a queue and the link behind it, in one direction.
type egress struct {
	*Link
	network *network
	id      uint16
	code    int
	next    *egress // nil: the NIC of host to
	to      int
	rng     *rand.Rand
	load    *rand.Rand // of Load

	queue []*parcel
	bytes uint64 // that wait
	busy  bool
	sent  uint64         // bytes
	came  uint64         // bytes, also of frames that were dropped
	late  agenda.Instant // what all frames that landed took together, from NIC to NIC
	Queue
}

// Queue is what went through a queue and its link.
type Queue struct {
	Frames  uint64 `json:"frames"` // that entered, dropped ones too
	Bytes   uint64 `json:"bytes"`  // that left, without those dropped
	Marked  uint64 `json:"marked"`
	Told    uint64 `json:"telemetry"` // shims that were written
	Longest uint64 `json:"longest_queue_bytes"`
	Drops   uint64 `json:"dropped"`
	Landed  uint64 `json:"landed"`
	Probes  uint64 `json:"probes"` // that entered
	Others  uint64 `json:"others"` // frames of the path's load; none of them is among the other numbers
}

// network is the two switches and their links.
type network struct {
	sc     *Scenario
	agenda *agenda.Agenda[func(agenda.Instant) error]
	paths  [2][]*egress // by the host that sends
	access [2]*egress   // to the host
	land   func(host int, at agenda.Instant, frame []byte)

	inside int // frames
	sent   [2]uint64
	landed [2]uint64 // by the host that sent
	drops  [2]map[Reason]uint64
	made   [2]uint64 // frames of NICs themselves: probes, answers, feedback, by the host that sent
	ended  [2]uint64 // of them, those that landed
}

func newNetwork(sc *Scenario, a *agenda.Agenda[func(agenda.Instant) error]) *network {
	n := &network{sc: sc, agenda: a}
	queue := func(l *Link, id int, next *egress, to int) *egress {
		return &egress{Link: l, network: n, id: uint16(id), code: rateCode(l.Rate), next: next, to: to,
			rng: rand.New(rand.NewPCG(sc.Seed, uint64(id))), load: rand.New(rand.NewPCG(sc.Seed, 0x10AD0000|uint64(id)))}
	}
	for host := range 2 {
		n.drops[host] = map[Reason]uint64{}
		n.access[host] = queue(&sc.Access, 0xA00+host, nil, host)
	}
	for host := range 2 {
		for p := range sc.Paths {
			n.paths[host] = append(n.paths[host], queue(&sc.Paths[p], 0x100*(host+1)+p, n.access[1-host], 1-host))
		}
	}
	for _, e := range n.paths[0] {
		if e.Load.Share > 0 {
			a.Add(agenda.At(e.Load.From), e.others)
		}
	}
	return n
}

// others is a frame of a path's load, and the next one.
func (e *egress) others(now agenda.Instant) error {
	if now >= agenda.At(e.Load.To) {
		return nil
	}
	e.Others++
	if size := uint64(e.Load.Bytes); e.Buffer == 0 || e.bytes+size <= e.Buffer {
		e.add(&parcel{data: make([]byte, size), from: -1}, now)
	}
	gap := float64(WireTime(e.Load.Bytes, e.Rate)) / e.Load.Share
	e.network.agenda.Add(now+agenda.Instant(gap*e.load.ExpFloat64())+1, e.others)
	return nil
}

// enter takes a frame whose last byte left a NIC.
func (n *network) enter(host int, at agenda.Instant, frame []byte, bad bool) {
	n.sent[host]++
	n.inside++
	p := &parcel{data: frame, from: host, left: at}
	if bad {
		n.drop(nil, p, Bad)
		return
	}
	var made bool
	if made, p.probe = ownFrame(frame); made {
		n.made[host]++
	}
	if named, path := follow(frame); named {
		if path >= uint32(len(n.sc.Paths)) {
			n.drop(nil, p, NoPath)
			return
		}
		p.path = int(path)
	} else {
		p.path = int(hash(frame, n.sc.Seed) % uint64(len(n.sc.Paths)))
	}
	n.agenda.Add(at+agenda.At(n.sc.Access.Delay), func(now agenda.Instant) error {
		n.paths[host][p.path].enter(p, now)
		return nil
	})
}

func (n *network) drop(e *egress, p *parcel, why Reason) {
	n.inside--
	n.drops[p.from][why]++
	if e != nil {
		e.Drops++
	}
}

// down tells whether the link fails at some instant from one to another.
func (e *egress) down(from, to agenda.Instant) bool {
	return e.Fails < e.Repaired && to >= agenda.At(e.Fails) && from < agenda.At(e.Repaired)
}

// enter puts a frame into the queue.
func (e *egress) enter(p *parcel, now agenda.Instant) {
	e.Frames++
	if p.probe {
		e.Probes++
	}
	size := uint64(len(p.data))
	e.came += size
	switch {
	case e.down(now, now):
		e.network.drop(e, p, Failed)
		return
	case e.Buffer > 0 && e.bytes+size > e.Buffer:
		e.network.drop(e, p, Full)
		return
	case e.Loss > 0 && e.rng.Float64() < e.Loss:
		e.network.drop(e, p, Lost)
		return
	}
	if e.marks() && mark(p.data) {
		e.Marked++
	}
	e.add(p, now)
}

// add puts a frame at the end of the queue.
func (e *egress) add(p *parcel, now agenda.Instant) {
	e.queue = append(e.queue, p)
	e.bytes += uint64(len(p.data))
	e.Longest = max(e.Longest, e.bytes)
	if !e.busy {
		e.start(now)
	}
}

// marks tells whether the next frame gets a mark.
func (e *egress) marks() bool {
	m := e.Mark
	switch {
	case m.High == 0, e.bytes < m.Low:
		return false
	case e.bytes >= m.High:
		return true
	}
	return e.rng.Float64() < m.Most*float64(e.bytes-m.Low)/float64(m.High-m.Low)
}

// start sends the first frame of the queue.
func (e *egress) start(now agenda.Instant) {
	p := e.queue[0]
	e.queue[0] = nil
	e.queue = e.queue[1:]
	size := uint64(len(p.data))
	e.bytes -= size
	e.busy = true
	if e.INT {
		w := shim.MakeWord(uint8(e.code), uint32(now.NS()), uint32(e.sent/128), uint32(min(e.bytes/80, 1<<17-1)))
		if telemetry(p.data, e.id, w) {
			e.Told++
		}
	}
	e.sent += size
	done := now + WireTime(len(p.data), e.Rate)
	e.network.agenda.Add(done, func(done agenda.Instant) error {
		e.busy = false
		if len(e.queue) > 0 {
			e.start(done)
		}
		if p.from < 0 {
			return nil
		}
		there := done + agenda.At(e.Delay)
		if e.down(now, there) {
			e.network.drop(e, p, Failed)
			return nil
		}
		e.Bytes += size
		e.network.agenda.Add(there, func(at agenda.Instant) error {
			if e.next != nil {
				e.next.enter(p, at)
				return nil
			}
			e.network.inside--
			n := e.network
			n.landed[p.from]++
			if made, _ := ownFrame(p.data); made {
				n.ended[p.from]++
			}
			path := n.paths[p.from][p.path]
			path.Landed++
			path.late += at - p.left
			e.network.land(e.to, at, p.data)
			return nil
		})
		return nil
	})
}
