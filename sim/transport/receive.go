// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"fmt"

	"github.com/nicgen/nicgen/sim/fabric"
)

// Receive implements fabric.Node.
func (h *host) Receive(n *fabric.Network, _ *fabric.Port, p *fabric.Packet) {
	f := &h.flows[p.Flow]
	switch p.Kind {
	case fabric.Data, fabric.Header:
		h.answer(n, f, p)
	case fabric.Ack:
		f.acked(n, p)
		n.Received(p)
	case fabric.Probe:
		h.back(n, p, fabric.Reply)
	case fabric.Reply:
		if err := h.spray.Answer(f.conn, &Ack{At: n.Now(), Now: n.Now().NS(), EV: p.EV(), Delay: (p.Delay + 500).NS()}); err != nil {
			n.Fail(fmt.Errorf("host %d at %d ns: %w", h.number, n.Now().NS(), err))
		}
		n.Received(p)
	case fabric.Nack:
		h.res.Nacks++
		if x := f.at(p.Seq); x.flying && (x.try == p.Try || h.set.GoBackN) {
			f.lost(n, p.Seq, p.EV(), true)
		}
		n.Received(p)
	}
}

// answer sends a packet back to its sender as an acknowledgement, with its EV and its mark.
func (h *host) answer(n *fabric.Network, f *flow, p *fabric.Packet) {
	kind := fabric.Nack
	if h.set.GoBackN && p.Kind == fabric.Data && p.Seq > f.expect {
		if f.asked == f.expect+1 { // the sender knows
			n.Received(p)
			return
		}
		f.asked = f.expect + 1
		p.Seq = f.expect
	} else if p.Kind == fabric.Data {
		kind = fabric.Ack
		x := f.at(p.Seq)
		if x.came {
			h.res.Duplicates++
		} else {
			x.came = true
			f.arrived(p.Seq)
			if f.missing--; f.missing == 0 {
				f.done.Received = n.Now()
				f.ended(n, f.done.Flow.Dst)
			}
		}
	}
	h.back(n, p, kind)
}

// back sends a packet back as another kind, by the way that it came if its source chose that.
func (h *host) back(n *fabric.Network, p *fabric.Packet, kind fabric.Kind) {
	n.Answered()
	p.Src, p.Dst = p.Dst, p.Src
	p.Kind, p.Class, p.Size, p.Echo, p.Marked = kind, fabric.Control, fabric.HeaderSize, p.Marked, false
	if kind == fabric.Ack {
		p.Size += h.set.collects()
	}
	p.Delay = n.Now() - p.Sent
	p.Back()
	h.port.Put(n, p)
}

// arrived counts what waits at the receiver because packets before it are missing.
func (f *flow) arrived(seq uint32) {
	o := &f.host.res.Order
	if seq+1 < f.last {
		o.Late++
	}
	f.last = max(f.last, seq+1)
	payload := func(seq uint32) int64 {
		return int64(f.size(seq)-f.host.set.collects()) - int64(f.host.set.Headers)
	}
	if seq != f.expect {
		o.Early++
		f.held += payload(seq)
	} else {
		for f.expect++; int(f.expect) < f.count() && f.at(f.expect).came; f.expect++ {
			f.held -= payload(f.expect)
		}
	}
	o.Bytes += float64(f.held)
	for i, step := range OrderSteps {
		if f.held > step {
			o.Over[i]++
		}
	}
}
