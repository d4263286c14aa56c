// SPDX-License-Identifier: Apache-2.0

package pair

import (
	"math/rand/v2"

	"github.com/nicgen/nicgen/packet/shim"
	"github.com/nicgen/nicgen/packet/transit"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/fabric"
)

// Reason is a switch's reason for dropping a frame.
type Reason string

// Reasons.
const (
	Full   Reason = "queue full"
	Failed Reason = "link failed"
	Lost   Reason = "lost"
	Bad    Reason = "bad frame"
	NoPath Reason = "no such path"
)

// reasons maps the network's reasons to these.
var reasons = [fabric.Reasons]Reason{fabric.Full: Full, fabric.Down: Failed, fabric.Lossy: Lost, fabric.NoRoute: NoPath}

// Reasons are all of them.
var Reasons = []Reason{Full, Failed, Lost, Bad, NoPath}

// frame is a frame in the network. Its packet's Flow is its number.
type frame struct {
	data  []byte
	from  int // host; others: -1
	path  int
	left  agenda.Instant // its NIC
	probe bool
}

// egress is a switch's port to a path or to a NIC: it marks frames, writes telemetry into them and counts them.
type egress struct {
	*Link
	port    *fabric.Port
	network *network
	id      uint16
	code    int
	rng     *rand.Rand
	load    *rand.Rand // of Load

	waiting uint64         // bytes, without the frame that is being sent
	sent    uint64         // bytes that began to leave
	came    uint64         // bytes, also of frames that were dropped
	late    agenda.Instant // total latency of all frames that landed, from NIC to NIC
	Queue
}

// Queue counts the traffic through a queue and its link.
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
	*fabric.Network
	sc     *Scenario
	paths  [2][]*egress // by the host that sends
	access [2]*egress   // to the host
	land   func(host int, at agenda.Instant, frame []byte)

	frames []frame
	free   []int32 // of frames

	inside int // frames
	sent   [2]uint64
	landed [2]uint64 // by the host that sent
	drops  [2]map[Reason]uint64
	made   [2]uint64 // frames of NICs themselves: probes, answers, feedback, by the host that sent
	ended  [2]uint64 // of them, those that landed
}

func newNetwork(sc *Scenario) *network {
	n := &network{Network: fabric.New(sc.Seed), sc: sc}
	use := func(l *Link, id int, p *fabric.Port) *egress {
		e := &egress{Link: l, port: p, network: n, id: uint16(id), code: rateCode(l.Rate),
			rng: rand.New(rand.NewPCG(sc.Seed, uint64(id))), load: rand.New(rand.NewPCG(sc.Seed, 0x10AD0000|uint64(id)))}
		p.Watch = e
		if l.Fails < l.Repaired {
			n.At(agenda.At(l.Fails), p.Fail)
			n.At(agenda.At(l.Repaired), p.Repair)
		}
		return e
	}
	cable := func(l *Link, a, b fabric.Node) (*fabric.Port, *fabric.Port) {
		return n.Connect(a, b, fabric.Link{Gbps: 8 * l.Rate, Delay: agenda.At(l.Delay)}, fabric.Queueing{}, fabric.Queueing{})
	}
	for host := range 2 {
		n.drops[host] = map[Reason]uint64{}
		out, _ := cable(&sc.Access, node{n, host}, end{n, host})
		n.access[host] = use(&sc.Access, 0xA00+host, out)
	}
	for p := range sc.Paths {
		there, back := cable(&sc.Paths[p], node{n, 0}, node{n, 1})
		n.paths[0] = append(n.paths[0], use(&sc.Paths[p], 0x100+p, there))
		n.paths[1] = append(n.paths[1], use(&sc.Paths[p], 0x200+p, back))
	}
	for _, e := range n.paths[0] {
		if e.Load.Share > 0 {
			n.At(agenda.At(e.Load.From), e.others)
		}
	}
	return n
}

// node is the switch of a host.
type node struct {
	n    *network
	host int
}

// Receive implements fabric.Node: a frame that came by a path goes to the host.
func (x node) Receive(_ *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	f := x.n.frame(p)
	if f.from < 0 {
		x.n.end(p)
		return
	}
	x.n.paths[f.from][f.path].Bytes += uint64(len(f.data))
	x.n.access[x.host].enter(p)
}

// end is the NIC of a host.
type end struct {
	n    *network
	host int
}

// Receive implements fabric.Node.
func (x end) Receive(_ *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	n, f := x.n, *x.n.frame(p)
	x.n.access[x.host].Bytes += uint64(len(f.data))
	n.inside--
	n.landed[f.from]++
	if made, _ := transit.Own(f.data); made {
		n.ended[f.from]++
	}
	path := n.paths[f.from][f.path]
	path.Landed++
	path.late += n.Now() - f.left
	n.end(p)
	n.land(x.host, n.Now(), f.data)
}

// packet makes the packet of a frame.
func (n *network) packet(f frame) *fabric.Packet {
	if len(n.free) == 0 {
		n.free = append(n.free, int32(len(n.frames)))
		n.frames = append(n.frames, frame{})
	}
	p := n.Packet()
	p.Flow = n.free[len(n.free)-1]
	n.free = n.free[:len(n.free)-1]
	n.frames[p.Flow] = f
	p.Class, p.Size = fabric.Bulk, int32(wireBytes(len(f.data)))
	return p
}

func (n *network) frame(p *fabric.Packet) *frame { return &n.frames[p.Flow] }

// end frees a packet that has been received or dropped.
func (n *network) end(p *fabric.Packet) {
	n.forget(p)
	n.Received(p)
}

func (n *network) forget(p *fabric.Packet) {
	n.frames[p.Flow] = frame{}
	n.free = append(n.free, p.Flow)
}

// lose counts a frame that is dropped.
func (n *network) lose(p *fabric.Packet, why Reason) {
	n.inside--
	n.drops[n.frame(p).from][why]++
	n.forget(p)
}

// others is a frame of a path's load, and the next one.
func (e *egress) others() {
	now := e.network.Now()
	if now >= agenda.At(e.Load.To) {
		return
	}
	e.Others++
	if size := uint64(e.Load.Bytes); e.Buffer == 0 || e.waiting+size <= e.Buffer {
		e.add(e.network.packet(frame{data: make([]byte, size), from: -1}))
	}
	gap := float64(WireTime(e.Load.Bytes, e.Rate)) / e.Load.Share
	e.network.At(now+agenda.Instant(gap*e.load.ExpFloat64())+1, e.others)
}

// enter takes a frame whose last byte left a NIC.
func (n *network) enter(host int, at agenda.Instant, data []byte, bad bool) {
	n.sent[host]++
	n.inside++
	f := frame{data: data, from: host, left: at}
	if bad {
		n.refuse(host, Bad)
		return
	}
	var made bool
	if made, f.probe = transit.Own(data); made {
		n.made[host]++
	}
	if named, path := transit.Follow(data); named {
		if path >= uint32(len(n.sc.Paths)) {
			n.refuse(host, NoPath)
			return
		}
		f.path = int(path)
	} else {
		f.path = int(transit.Hash(data, n.sc.Seed) % uint64(len(n.sc.Paths)))
	}
	n.At(at+agenda.At(n.sc.Access.Delay), func() { n.paths[host][f.path].enter(n.packet(f)) })
}

// refuse counts a frame that the first switch drops.
func (n *network) refuse(host int, why Reason) {
	n.inside--
	n.drops[host][why]++
}

// enter puts a frame into the queue.
func (e *egress) enter(p *fabric.Packet) {
	n, f := e.network, e.network.frame(p)
	e.Frames++
	if f.probe {
		e.Probes++
	}
	size := uint64(len(f.data))
	e.came += size
	drop := func(why fabric.Reason) {
		e.Dropped(n.Now(), p, why)
		n.Drop(p, why)
	}
	switch {
	case e.port.Down():
		drop(fabric.Down)
		return
	case e.Buffer > 0 && e.waiting+size > e.Buffer:
		drop(fabric.Full)
		return
	case e.Loss > 0 && e.rng.Float64() < e.Loss:
		drop(fabric.Lossy)
		return
	}
	if e.marks() && transit.Mark(f.data) {
		e.Marked++
	}
	e.add(p)
}

// add puts a frame at the end of the queue.
func (e *egress) add(p *fabric.Packet) {
	e.waiting += uint64(len(e.network.frame(p).data))
	e.Longest = max(e.Longest, e.waiting)
	e.port.Put(e.network.Network, p)
}

// marks reports whether the next frame gets a mark.
func (e *egress) marks() bool {
	m := e.Mark
	switch {
	case m.High == 0, e.waiting < m.Low:
		return false
	case e.waiting >= m.High:
		return true
	}
	return e.rng.Float64() < m.Most*float64(e.waiting-m.Low)/float64(m.High-m.Low)
}

// Begins implements fabric.Starter: a switch writes telemetry into a frame that begins to leave.
func (e *egress) Begins(now agenda.Instant, p *fabric.Packet) {
	f := e.network.frame(p)
	size := uint64(len(f.data))
	e.waiting -= size
	if e.INT {
		w := shim.MakeWord(uint8(e.code), uint32(now.NS()), uint32(e.sent/128), uint32(min(e.waiting/80, 1<<17-1)))
		if transit.Telemetry(f.data, e.id, w) {
			e.Told++
		}
	}
	e.sent += size
}

// Dropped implements fabric.Watcher.
func (e *egress) Dropped(_ agenda.Instant, p *fabric.Packet, why fabric.Reason) {
	if e.network.frame(p).from < 0 {
		e.network.forget(p)
		return
	}
	e.Drops++
	e.network.lose(p, reasons[why])
}

// Queued implements fabric.Watcher.
func (*egress) Queued(agenda.Instant, int64) {}

// Left implements fabric.Watcher.
func (*egress) Left(agenda.Instant, *fabric.Packet) {}
