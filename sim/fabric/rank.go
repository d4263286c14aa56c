// SPDX-License-Identifier: Apache-2.0

package fabric

// Ranked queues are pFabric's (Alizadeh et al., "pFabric: Minimal Near-Optimal Datacenter Transport", SIGCOMM 2013, §4.1): a packet that finds
// no room replaces the one with the highest Rank, if its own is lower; and the flow of the packet with the lowest Rank is served next, its
// earliest packet first, lest a flow's packets overtake each other.

// sameFlow reports whether two packets belong to the same flow.
func sameFlow(a, b *Packet) bool { return a.Flow == b.Flow && a.Src == b.Src && a.Dst == b.Dst }

// yield drops packets of a higher Rank than one that finds no room, until it does: the highest first, of equals the latest.
func (p *Port) yield(n *Network, x *Packet) {
	for x.Class != Control && !p.room(x) {
		worst := p.queue[x.Class].first
		if worst == nil {
			return
		}
		for y := worst; y != nil; y = y.next {
			if y.Rank >= worst.Rank {
				worst = y
			}
		}
		if worst.Rank <= x.Rank {
			return
		}
		p.unlink(worst)
		p.bytes[worst.Class] -= int64(worst.Size)
		p.memory.add(-int64(worst.Size))
		if p.Watch != nil {
			p.Watch.Queued(n.now, p.Waiting())
		}
		p.drop(n, worst, Full)
	}
}

// room reports whether a packet may wait.
func (p *Port) room(x *Packet) bool {
	most := p.queueing.Packets[x.Class]
	return p.fits(x) && (most == 0 || p.count[x.Class] < most)
}

// take takes the packet of a class that is next in turn out of its queue. There must be one.
func (p *Port) take(class int) *Packet {
	x := p.queue[class].first
	if p.queueing.Ranked && class != Control {
		for y := x.next; y != nil; y = y.next {
			if y.Rank < x.Rank {
				x = y
			}
		}
		for y := p.queue[class].first; y != x; y = y.next {
			if sameFlow(x, y) {
				x = y
				break
			}
		}
	}
	p.unlink(x)
	return x
}

// unlink takes a packet out of its queue.
func (p *Port) unlink(x *Packet) {
	f := &p.queue[x.Class]
	p.count[x.Class]--
	if f.first == x {
		f.first = x.next
		return
	}
	y := f.first
	for y.next != x {
		y = y.next
	}
	if y.next = x.next; f.last == x {
		f.last = y
	}
}
