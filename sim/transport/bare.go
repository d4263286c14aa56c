// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"context"
	"fmt"
	"math/rand/v2"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/workload"
)

// bare is a run of hosts that are neither a unit nor use one: baselines whose transports make their packets themselves. Every packet is
// sprayed: it has a source port at random.
type bare struct {
	net   *fabric.Network
	flows []endpointFlow
	left  uint64
	rnd   *rand.Rand
	size  int32 // bytes of a packet with payload
	small int32 // bytes of one without
	res   EndpointResult
}

// open checks flows and lets each begin.
func (b *bare) open(net *fabric.Network, ports []*fabric.Port, flows []workload.Flow, seed, deadline uint64, begin func(flow int)) (err error) {
	if b.size < 1 || b.small < 1 || deadline < 1 || deadline > 1e12 {
		return fmt.Errorf("found packets of %d bytes and %d without payload, a deadline of %d ns, allowed: 1 and more, at most 10^12 ns", b.size, b.small, deadline)
	}
	b.net, b.rnd = net, rand.New(rand.NewPCG(seed, 0x62617265))
	if b.flows, b.left, err = deliveries(flows, len(ports), int64(b.size)); err != nil {
		return err
	}
	for i, f := range flows {
		net.At(fabric.Instant(f.Start), func() { begin(i) })
	}
	net.At(fabric.Instant(deadline)*1000, func() { net.Fail(fmt.Errorf("%d packets have not come after %d ns", b.left, deadline)) })
	return nil
}

// run runs it to the end.
func (b *bare) run(ctx context.Context) (*EndpointResult, error) {
	if b.left > 0 {
		if err := b.net.Run(ctx); err != nil {
			return nil, err
		}
	}
	b.res.Counts = b.net.Count
	for i := range b.flows {
		b.res.Flows = append(b.res.Flows, b.flows[i].done)
	}
	return &b.res, nil
}

// packet is one of a flow, from its source, or back to it without payload.
func (b *bare) packet(flow int, kind fabric.Kind, class uint8, seq int) *fabric.Packet {
	p, f := b.net.Packet(), &b.flows[flow].done.Flow
	p.Kind, p.Class, p.Flow, p.Seq, p.Port = kind, class, int32(flow), uint32(seq), uint16(b.rnd.Uint32())
	p.Src, p.Dst, p.Size, p.Sent = int32(f.Src), int32(f.Dst), b.small, b.net.Now()
	switch kind {
	case fabric.Data:
		p.Size = b.size
		b.res.Hosts.Packets++
	case fabric.Ack, fabric.Reply:
		p.Src, p.Dst = p.Dst, p.Src
	}
	return p
}

// came notes a packet with payload. The run ends with the last one.
func (b *bare) came(p *fabric.Packet) {
	if !b.res.take(b.net.Now(), &b.flows[p.Flow], p) {
		if b.left--; b.left == 0 {
			b.net.Stop()
		}
	}
}
