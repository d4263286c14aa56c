// SPDX-License-Identifier: Apache-2.0

// Package replay runs a capture of a NIC through a NIC block: frames that the host sent enter on the
// host side, frames from the wire on the wire side, and the frames that leave on both sides form a new
// capture.
//
// The connections are found in the capture. Each frame that leaves is compared with the one that
// entered: no byte may differ except in the fields that the block may edit.
package replay

import (
	"cmp"
	"net"
	"net/netip"
	"slices"

	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
)

// Conversation is a connection that a capture shows. RoCEv2 has no source queue pair, so the host's
// is found from the answers whose PSNs were requested.
type Conversation struct {
	Remote   netip.Addr
	Service  roce.Opcode
	RemoteQP uint32
	LocalQP  uint32
	HasTX    bool // packets to RemoteQP were seen
	HasRX    bool // packets to LocalQP were seen
	Frames   int  // of both directions
}

// end is a queue pair that packets go to.
type end struct {
	remote  netip.Addr
	qp      uint32
	service roce.Opcode
}

// seen holds the packets to one end.
type seen struct {
	end
	first    int // the frame that was seen first
	frames   int
	requests map[uint32]bool // PSNs requested, including those for all READ responses
	answers  []uint32        // PSNs answered
}

// Find finds the connections of a capture whose directions are known: RC, XRC and UC. A queue pair's service is the one
// of most of its packets; the others are ignored. Connections are in the order of their first frames; those to which the
// host sends nothing are last.
func Find(packets []capture.Packet) []Conversation {
	tx, rx := map[end]*seen{}, map[end]*seen{}
	for i, p := range packets {
		r, err := roce.Parse(p.Data)
		if err != nil || p.Others || !r.BTH.Opcode.Known() || r.BTH.Opcode == roce.CNP || r.BTH.Opcode == roce.Feedback {
			continue
		}
		src, dst := addresses(r)
		e, table := end{dst, r.BTH.DestQP, r.BTH.Opcode.Service()}, tx
		if p.Dir == capture.RX {
			e.remote, table = src, rx
		}
		x := table[e]
		if x == nil {
			x = &seen{end: e, first: i, requests: map[uint32]bool{}}
			table[e] = x
		}
		x.frames++
		switch op := r.BTH.Opcode.Operation(); {
		case op >= roce.ResponseFirst && op <= roce.AtomicAck:
			x.answers = append(x.answers, r.BTH.PSN)
		default:
			n := uint32(1)
			if h := roce.Find[roce.RETH](r); h != nil && op == roce.ReadRequest {
				n = max(1, (h.Length+255)/256) // the smallest MTU
			}
			for k := range min(n, 1<<16) {
				x.requests[(r.BTH.PSN+k)&roce.Mask24] = true
			}
		}
	}
	majority(tx)
	majority(rx)
	var out []Conversation
	used := map[*seen]bool{}
	for _, t := range ordered(tx) {
		c := Conversation{Remote: t.remote, Service: t.service, RemoteQP: t.qp, HasTX: true, Frames: t.frames}
		if best := t.partner(rx, used); best != nil {
			used[best] = true
			c.LocalQP, c.HasRX = best.qp, true
			c.Frames += best.frames
		}
		out = append(out, c)
	}
	// Nothing answers the packets of UC. If there is one connection with a peer, both ways are of it.
	for i := range out {
		c := &out[i]
		if c.Service != roce.UC || c.HasRX {
			continue
		}
		var all []*seen
		for _, x := range ordered(rx) {
			if x.remote == c.Remote && x.service == c.Service {
				all = append(all, x)
			}
		}
		n := 0
		for k := range out {
			if out[k].Service == c.Service && out[k].Remote == c.Remote {
				n++
			}
		}
		if n == 1 && len(all) == 1 {
			used[all[0]] = true
			c.LocalQP, c.HasRX = all[0].qp, true
			c.Frames += all[0].frames
		}
	}
	for _, x := range ordered(rx) {
		if !used[x] {
			out = append(out, Conversation{Remote: x.remote, Service: x.service, LocalQP: x.qp, HasRX: true, Frames: x.frames})
		}
	}
	return out
}

// majority leaves, of each queue pair's services, the one with the most frames, if it is one that connects two queue
// pairs.
func majority(m map[end]*seen) {
	type pair struct {
		remote netip.Addr
		qp     uint32
	}
	most := map[pair]*seen{}
	for _, x := range ordered(m) {
		k := pair{x.remote, x.qp}
		if b := most[k]; b == nil || x.frames > b.frames {
			most[k] = x
		}
	}
	for e, x := range m {
		if most[pair{x.remote, x.qp}] != x || x.service != roce.RC && x.service != roce.XRC && x.service != roce.UC {
			delete(m, e)
		}
	}
}

// partner returns the host's queue pair whose packets answer this end's packets or are answered by them,
// or nil.
func (t *seen) partner(rx map[end]*seen, used map[*seen]bool) *seen {
	var best *seen
	most := 0
	for _, x := range ordered(rx) {
		if used[x] || x.remote != t.remote || x.service != t.service {
			continue
		}
		hits := 0
		for _, psn := range x.answers {
			if t.requests[psn] {
				hits++
			}
		}
		for _, psn := range t.answers {
			if x.requests[psn] {
				hits++
			}
		}
		// Most of the answers must fit, because other PSNs do so by chance.
		if 2*hits > len(x.answers)+len(t.answers) && hits > most {
			best, most = x, hits
		}
	}
	return best
}

// ordered lists ends by their first frames.
func ordered(m map[end]*seen) []*seen {
	list := make([]*seen, 0, len(m))
	for _, x := range m {
		list = append(list, x)
	}
	slices.SortFunc(list, func(a, b *seen) int { return cmp.Compare(a.first, b.first) })
	return list
}

func addresses(p *roce.Packet) (src, dst netip.Addr) {
	a, b := net.IP(nil), net.IP(nil)
	if p.IPv4 != nil {
		a, b = p.IPv4.SrcIP.To4(), p.IPv4.DstIP.To4()
	} else {
		a, b = p.IPv6.SrcIP, p.IPv6.DstIP
	}
	src, _ = netip.AddrFromSlice(a)
	dst, _ = netip.AddrFromSlice(b)
	return src, dst
}
