// SPDX-License-Identifier: Apache-2.0

package fabric

// Queueing is a port's treatment of waiting packets.
type Queueing struct {
	Bytes   int64 // that the queue of a class holds, with the packet that is being sent; 0: any number
	Marking Marking
	Trim    bool // data that does not fit is cut to its header, which goes into the queue of class Control
	Pause   Pause
	// Packets are the most packets of each class that wait, the one that is being sent not counted; 0: any number.
	Packets [Classes]int `json:",omitzero"`
	Bucket  Bucket       `json:",omitzero"`
	// Ranked queues serve packets by their Rank, and drop by it: all classes but Control.
	Ranked bool `json:",omitempty"`
}

// Bucket bounds the rate of class Control: a packet of it that begins to leave uses a token, and without one lower classes go
// before it. A token comes in each period, up to Size; a full bucket keeps no part of the next one. Period 0: no bound.
type Bucket struct {
	Period Instant
	Size   int64
}

// Pause is priority flow control (IEEE 802.1Qbb) on the bytes in a switch that arrived through a port, for each class except
// Control: at Off bytes the port pauses the other end of its cable, and at On bytes or less it resumes it. A pause frame takes its
// transmission time and the cable's delay, and waits for no packet. Packets in flight until then still need room. With Alpha, both
// thresholds are added to Alpha times the free bytes of the switch's Memory. Off 0: no flow control.
type Pause struct {
	Off, On int64
	Alpha   float64 `json:",omitempty"`
}

// Memory is the packet memory that the ports of a switch share. With dynamic thresholds (Choudhury and Hahne, "Dynamic Queue Length Thresholds for
// Shared-Memory Packet Switches", IEEE/ACM ToN 1998) the queue of a class other than Control holds at most Alpha times the free bytes. Alpha 0: all of
// the memory.
type Memory struct {
	Bytes int64   `json:"bytes"` // 0: as many as come
	Alpha float64 `json:"alpha,omitempty"`

	Used int64 `json:"-"`
	Peak int64 `json:"-"`
}

// Free returns the number of free bytes.
func (m *Memory) Free() int64 { return m.Bytes - m.Used }

// admits reports whether a packet finds room behind the packets of its class.
func (m *Memory) admits(x *Packet, bytes int64) bool {
	if m == nil || m.Bytes == 0 {
		return true
	}
	free, size := m.Free(), int64(x.Size)
	return size <= free && (x.Class == Control || m.Alpha == 0 || float64(bytes+size) <= m.Alpha*float64(free))
}

// add takes a packet in, or, with a size below 0, out.
func (m *Memory) add(size int64) {
	if m != nil {
		m.Used += size
		m.Peak = max(m.Peak, m.Used)
	}
}

// Marking is RED: a packet that finds less than Min bytes of its class is not marked, one that finds Max or
// more always is, and between them the chance grows evenly, up to Chance (0: to 1). Min equal to Max is a step. Max 0:
// nothing is marked.
type Marking struct {
	Min, Max int64
	Chance   float64 `json:",omitempty"`
}

// Link describes a cable, the same in both directions.
type Link struct {
	Gbps  float64
	Delay Instant // of the cable, and of the node at its end
}

// Watcher sees a port: all is called after the fact.
type Watcher interface {
	Queued(now Instant, bytes int64)          // of all classes but Control, whenever that changes
	Left(now Instant, p *Packet)              // a packet has left
	Dropped(now Instant, p *Packet, r Reason) // a packet was lost at the port or behind it
}

// Starter is a Watcher that also sees packets begin to leave: what a switch writes into a frame on its way out.
type Starter interface {
	Watcher
	Begins(now Instant, p *Packet)
}

type fifo struct{ first, last *Packet }

// Port is an end of a cable with what waits to be sent there.
type Port struct {
	Name  string
	Watch Watcher
	Bytes uint64 // that have left
	Peak  int64  // most bytes of data that waited, with the packet that is being sent
	Drops [Reasons]uint64
	Held  int64   // most bytes that came in here and waited in the switch
	Quiet Instant // time for which class Bulk was paused

	Longest [Classes]int    // most packets of a class that waited
	Lost    [Classes]uint64 // packets of a class that were dropped

	node     Node
	source   Source
	sealer   Sealer // the source, if it is one
	peer     *Port
	queueing Queueing
	memory   *Memory // of the switch; nil: none is shared
	rate     float64 // ps a byte
	gbps     float64
	delay    Instant
	queue    [Classes]fifo
	bytes    [Classes]int64 // including the packet being sent
	count    [Classes]int   // packets that wait
	sending  *Packet
	full     Instant  // when the bucket is full again
	awaits   bool     // the next token: an event is set
	begun    uint64   // bytes of packets that it has begun to send
	use      struct { // of the link, as telemetry tells it
		since Instant
		begun uint64
		is    float64
	}
	held     [Classes]int64 // bytes in the switch that came in by this port
	pausing  [Classes]bool  // the other end was told to pause
	paused   [Classes]bool  // this end was
	since    Instant        // when class Bulk was paused
	wire     int            // packets on the cable
	failures int            // reasons for the cable to be down
	fails    uint32         // times that it went down
	loss     float64        // chance of a packet on the cable
}

// Connect makes a cable between two nodes and returns its ends.
func (n *Network) Connect(a, b Node, l Link, qa, qb Queueing) (*Port, *Port) {
	pa, pb := &Port{node: a, queueing: qa, delay: l.Delay}, &Port{node: b, queueing: qb, delay: l.Delay}
	pa.peer, pb.peer = pb, pa
	pa.SetRate(l.Gbps)
	pb.SetRate(l.Gbps)
	n.ports = append(n.ports, pa, pb)
	return pa, pb
}

// Attach puts a host at a port: the node, and what the port asks for packets.
func (p *Port) Attach(node Node, source Source) {
	p.node, p.source = node, source
	p.sealer, _ = source.(Sealer)
}

// Peer is the port at the other end of the cable.
func (p *Port) Peer() *Port { return p.peer }

// Node is the node of the port.
func (p *Port) Node() Node { return p.node }

// SetRate sets the rate of this way of the cable, from the next packet on.
func (p *Port) SetRate(gbps float64) { p.rate, p.gbps = 8000/gbps, gbps }

// SetLoss sets the chance that a packet is lost on this way of the cable.
func (p *Port) SetLoss(chance float64) { p.loss = chance }

// Fail makes this direction of the cable fail: packets on it and packets that leave the port
// from now on are lost. The port is not notified and continues to send.
func (p *Port) Fail() {
	p.failures++
	p.fails++
}

// Repair undoes a Fail.
func (p *Port) Repair() { p.failures-- }

// Down reports whether this way of the cable has failed.
func (p *Port) Down() bool { return p.failures > 0 }

// Time returns how long a packet of a size takes to leave the port.
func (p *Port) Time(size int32) Instant { return Instant(float64(size) * p.rate) }

// Lengthen adds to the delay of this way of the cable.
func (p *Port) Lengthen(by Instant) { p.delay += by }

// Delay returns the delay of the cable and the node at its end.
func (p *Port) Delay() Instant { return p.delay }

// Waiting returns the bytes of all classes except Control, including the packet being sent.
func (p *Port) Waiting() (sum int64) {
	for _, b := range p.bytes[Control+1:] {
		sum += b
	}
	return sum
}

// Count is the number of packets of a class that wait, without the one that is being sent.
func (p *Port) Count(class int) int { return p.count[class] }

// SetBucket sets the bound of class Control.
func (p *Port) SetBucket(b Bucket) { p.queueing.Bucket = b }

// token reports whether a packet of a class may leave by the bucket. If not, the port is woken when it
// may.
func (p *Port) token(n *Network, class int) bool {
	b := &p.queueing.Bucket
	next := p.full - Instant(b.Size-1)*b.Period
	if class != Control || b.Period == 0 || next <= n.now {
		return true
	}
	if !p.awaits {
		p.awaits = true
		n.events.Add(next, event{kind: token, port: p})
	}
	return false
}

// Busy reports whether the port is sending.
func (p *Port) Busy() bool { return p.sending != nil }

// Put gives the port a packet to send: it marks, queues, trims or drops it.
func (p *Port) Put(n *Network, x *Packet) {
	q := &p.queueing
	if x.Class != Control && q.Marking.Max > 0 && p.mark(n, p.bytes[x.Class]) {
		x.Marked = true
		n.Count.Marked++
	}
	if q.Ranked {
		p.yield(n, x)
	}
	if !p.fits(x) {
		if !q.Trim || x.Kind != Data {
			p.drop(n, x, Full)
			return
		}
		n.Count.Trimmed++
		x.free(n)
		x.Kind, x.Class, x.Size = Header, Control, HeaderSize
		if !p.fits(x) {
			p.drop(n, x, Full)
			return
		}
	}
	if most := q.Packets[x.Class]; most > 0 && p.count[x.Class] >= most {
		p.drop(n, x, Full)
		return
	}
	p.bytes[x.Class] += int64(x.Size)
	p.memory.add(int64(x.Size))
	if x.Class != Control {
		w := p.Waiting()
		p.Peak = max(p.Peak, w)
		if p.Watch != nil {
			p.Watch.Queued(n.now, w)
		}
	}
	f := &p.queue[x.Class]
	if p.sending == nil && !p.paused[x.Class] && f.first == nil && p.token(n, int(x.Class)) {
		p.send(n, x)
		return
	}
	p.count[x.Class]++
	p.Longest[x.Class] = max(p.Longest[x.Class], p.count[x.Class])
	x.next = nil
	if f.first == nil {
		f.first = x
	} else {
		f.last.next = x
	}
	f.last = x
}

// fits reports whether there is room for a packet.
func (p *Port) fits(x *Packet) bool {
	bytes := p.bytes[x.Class]
	return (p.queueing.Bytes == 0 || bytes+int64(x.Size) <= p.queueing.Bytes) && p.memory.admits(x, bytes)
}

// mark decides for a packet that finds some bytes before it.
func (p *Port) mark(n *Network, bytes int64) bool {
	m := &p.queueing.Marking
	switch {
	case bytes >= m.Max:
		return true
	case bytes < m.Min:
		return false
	}
	if n.Rand.Int64N(m.Max-m.Min) >= bytes-m.Min {
		return false
	}
	return m.Chance == 0 || n.Rand.Float64() < m.Chance
}

// Kick makes the port ask its source for a packet, unless it is sending.
func (p *Port) Kick(n *Network) {
	if p.sending == nil {
		p.next(n)
	}
}

func (p *Port) send(n *Network, x *Packet) {
	p.sending = x
	if x.telemetry != nil {
		p.stamp(n, x)
	}
	if p.Watch != nil {
		if s, ok := p.Watch.(Starter); ok {
			s.Begins(n.now, x)
		}
	}
	p.begun += uint64(x.Size)
	if b := &p.queueing.Bucket; x.Class == Control && b.Period > 0 {
		p.full = max(p.full, n.now) + b.Period
	}
	n.events.Add(n.now+p.Time(x.Size), event{kind: leave, port: p, packet: x})
}

// left is called when the last bit of a packet has left the port.
func (p *Port) left(n *Network, x *Packet) {
	p.sending = nil
	p.memory.add(-int64(x.Size))
	x.free(n)
	p.bytes[x.Class] -= int64(x.Size)
	p.Bytes += uint64(x.Size)
	n.Count.Hops++
	if p.Watch != nil {
		p.Watch.Left(n.now, x)
		if x.Class != Control {
			p.Watch.Queued(n.now, p.Waiting())
		}
	}
	switch {
	case p.failures > 0:
		p.drop(n, x, Down)
	case p.loss > 0 && n.Rand.Float64() < p.loss:
		p.drop(n, x, Lossy)
	default:
		x.port, x.fails = p, p.fails
		p.wire++
		n.events.Add(n.now+p.delay, event{kind: arrive, port: p.peer, packet: x})
	}
	p.next(n)
}

// next sends what is first in turn.
func (p *Port) next(n *Network) {
	for c := range p.queue {
		if p.queue[c].first != nil && !p.paused[c] && p.token(n, c) {
			p.send(n, p.take(c))
			return
		}
	}
	if p.source != nil && !p.paused[Bulk] {
		if x := p.source.Next(n, p); x != nil {
			p.bytes[x.Class] += int64(x.Size)
			p.send(n, x)
		}
	}
}

// arrived is called when a packet has reached this end of the cable.
func (p *Port) arrived(n *Network, x *Packet) {
	from := x.port
	from.wire--
	if x.fails != from.fails { // the cable failed while the packet was on it
		from.drop(n, x, Down)
		return
	}
	if from.sealer != nil {
		if err := from.sealer.Seal(n, x); err != nil {
			n.Fail(err)
			return
		}
	}
	p.node.Receive(n, p, x)
}

func (p *Port) drop(n *Network, x *Packet, r Reason) {
	p.Drops[r]++
	p.Lost[x.Class]++
	if p.Watch != nil {
		p.Watch.Dropped(n.now, x, r)
	}
	n.Drop(x, r)
}

// hold counts a packet that a switch takes in by the port.
func (p *Port) hold(n *Network, x *Packet) {
	t := &p.queueing.Pause
	if t.Off == 0 || x.Class == Control {
		return
	}
	x.in = p
	p.held[x.Class] += int64(x.Size)
	p.Held = max(p.Held, p.held[x.Class])
	if p.held[x.Class] >= t.Off+p.share() && !p.pausing[x.Class] {
		n.Count.Pauses++
		p.tell(n, x.Class, true)
	}
}

// share returns the bytes that the port may hold before its limits apply.
func (p *Port) share() int64 {
	if m := p.memory; m != nil && m.Bytes > 0 {
		return int64(p.queueing.Pause.Alpha * float64(m.Free()))
	}
	return 0
}

// free ends what hold began: the packet has left the switch, or was dropped in it.
func (x *Packet) free(n *Network) {
	p := x.in
	if p == nil {
		return
	}
	x.in = nil
	p.held[x.Class] -= int64(x.Size)
	if p.pausing[x.Class] && p.held[x.Class] <= p.queueing.Pause.On+p.share() {
		p.tell(n, x.Class, false)
	}
}

// tell sends the other end a frame.
func (p *Port) tell(n *Network, class uint8, on bool) {
	p.pausing[class] = on
	arg := uint32(class) << 1
	if on {
		arg |= 1
	}
	n.events.Add(n.now+p.Time(HeaderSize)+p.delay, event{kind: pause, port: p.peer, arg: arg})
}

// told takes such a frame.
func (p *Port) told(n *Network, class int, on bool) {
	if p.paused[class] = on; on {
		if class == Bulk {
			p.since = n.now
		}
		return
	}
	if class == Bulk {
		p.Quiet += n.now - p.since
	}
	p.Kick(n)
}

// SetPause sets what the port holds before it lets the other end pause.
func (p *Port) SetPause(t Pause) { p.queueing.Pause = t }

// SetMemory puts the port's queues into a switch's memory, before anything was sent.
func (p *Port) SetMemory(m *Memory) { p.memory = m }

// SetMarking sets how the port marks packets.
func (p *Port) SetMarking(m Marking) { p.queueing.Marking = m }

// Gbps is the rate of this way of the cable.
func (p *Port) Gbps() float64 { return p.gbps }
