// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"fmt"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/workload"
)

// deliveries are flows of whole packets, whose bytes are rounded up to them, before any has come.
func deliveries(flows []workload.Flow, hosts int, packet int64) (list []endpointFlow, packets uint64, err error) {
	for i, f := range flows {
		if f.Src < 0 || f.Src >= hosts || f.Dst < 0 || f.Dst >= hosts || f.Src == f.Dst || f.Bytes < 1 {
			return nil, 0, fmt.Errorf("flow %d: found %d bytes from host %d to %d, allowed: 1 and more, two of the %d hosts", i, f.Bytes, f.Src, f.Dst, hosts)
		}
		if f.Loop != nil || f.After != nil {
			return nil, 0, fmt.Errorf("flow %d: found a loop or flows before it, allowed: flows that begin at a time", i)
		}
		n := (f.Bytes + uint64(packet) - 1) / uint64(packet)
		list = append(list, endpointFlow{done: Done{Flow: f}, missing: n})
		packets += n
	}
	return list, packets, nil
}

// take notes a packet of a flow that has come, and whether it had come before.
func (r *EndpointResult) take(now fabric.Instant, f *endpointFlow, p *fabric.Packet) (again bool) {
	again, behind := f.came.Take(uint64(p.Seq))
	if again {
		r.Again++
		return true
	}
	r.Delivered++
	r.Delay += now - p.Sent
	if behind {
		r.Behind++
	}
	if f.missing--; f.missing == 0 {
		f.done.Received = now
	}
	return false
}
