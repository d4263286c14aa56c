// SPDX-License-Identifier: Apache-2.0

package transport

import "github.com/nicgen/nicgen/sim/fabric"

// flow is a flow at its sender and at its receiver.
type flow struct {
	done    Done
	host    *host
	conn    int
	message int // packets of a message
	before  int // flows that it still waits for
	then    []*flow
	packets []packet
	over    int           // packets of a flow that is complete, whose packets are forgotten
	una     uint32        // the first that is not acknowledged
	gap     func() uint64 // of a Loop: ps until the next message
	comes   bool          // of a Loop that is open: there will be one
	unacked []int         // of a Loop: packets of each message that are not acknowledged
	next    uint32        // the first that was never sent
	again   []uint32      // to be sent again, from the first on
	left    int           // packets that are not acknowledged
	missing int           // packets that have not come
	flying  int64         // bytes
	grant   Grant
	routes  []fabric.Route
	ready   bool           // in the host's list
	waits   bool           // for soonest: a timer is set
	soonest fabric.Instant // for the next packet, by its rate
	sends   []send         // in the order of time, from first on
	first   int
	timed   bool   // a timer is set
	index   uint32 // number within the run
	asked   uint32 // at the receiver: 1 above the packet that a Nack asked for
	expect  uint32 // at the receiver: the first packet that has not come
	last    uint32 // and the number behind the last one that has
	held    int64  // payload of those between them that have
	hops    []fabric.Hop
}

// packet is the state of a packet of a flow.
type packet struct {
	try    uint16 // times that it was sent
	flying bool   // the last of these is under way
	acked  bool
	came   bool
}

type send struct {
	at  fabric.Instant
	ev  uint32
	seq uint32
	try uint16
}

// ended tells the flows of a host that wait for this one that it has ended there.
func (f *flow) ended(n *fabric.Network, host int) {
	for _, x := range f.then {
		if x.host.number == host {
			if x.before--; x.before == 0 {
				n.At(n.Now()+fabric.Instant(x.done.Flow.Start), x.begin)
			}
		}
	}
}

func (f *flow) begin() {
	h := f.host
	h.open++
	if loop := f.done.Flow.Loop; loop != nil {
		f.gap = loop.Gaps()
		f.left, f.missing = 0, 0
		f.call()
	} else {
		f.packets = make([]packet, f.message)
	}
	if h.spray != nil && !h.ticks {
		h.ticks = true
		h.net.Wake(h.timer, h.net.Now()+fabric.Instant(h.spray.Every())*1000, tick)
	}
	f.granted(f.host.by.Open(f.conn, f.host.net.Now().NS()))
}

// at returns the state of a packet.
func (f *flow) at(seq uint32) *packet {
	if f.over > 0 {
		return &packet{acked: true, came: true}
	}
	return &f.packets[seq]
}

// count is the number of packets.
func (f *flow) count() int { return max(f.over, len(f.packets)) }

// forget frees the packet state of a completed flow with no copy in flight, because a run has many flows.
func (f *flow) forget() {
	if f.left == 0 && f.missing == 0 && f.flying == 0 && f.gap == nil {
		f.over = f.count()
		f.packets, f.sends, f.first, f.again = nil, nil, 0, nil
	}
}

// size is the bytes of a packet on the wire.
func (f *flow) size(seq uint32) int32 {
	payload := f.host.set.Payload
	if k := int(seq) % f.message; k == f.message-1 {
		payload = int(f.done.Flow.Bytes - uint64(k)*uint64(payload))
	}
	return int32(payload+f.host.set.Headers) + f.host.set.collects()
}

// call begins a message of a Loop, and has the next one come if that is open.
func (f *flow) call() {
	n := f.host.net
	f.packets = append(f.packets, make([]packet, f.message)...)
	f.left, f.missing = f.left+f.message, f.missing+f.message
	f.done.Calls, f.unacked = append(f.done.Calls, Call{Start: n.Now()}), append(f.unacked, f.message)
	if f.done.Flow.Loop.Open {
		f.comes = f.another()
	}
}

// another has the next message of a Loop begin, if there is one.
func (f *flow) another() bool {
	n := f.host.net
	at := n.Now() + fabric.Instant(f.gap())
	if uint64(at) > f.done.Flow.Loop.Until {
		return false
	}
	n.At(at, func() {
		f.call()
		f.wake()
	})
	return true
}

// called takes the acknowledgement of a packet of a Loop, and reports whether there are more
// messages.
func (f *flow) called(n *fabric.Network, seq uint32) bool {
	k := int(seq) / f.message
	if f.unacked[k]--; f.unacked[k] > 0 {
		return true
	}
	f.done.Calls[k].Acked = n.Now()
	if f.left > 0 || f.comes {
		return true
	}
	return !f.done.Flow.Loop.Open && f.another()
}
