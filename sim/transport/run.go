// SPDX-License-Identifier: Apache-2.0

package transport

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/workload"
)

// Settings holds the settings common to all hosts.
type Settings struct {
	Payload  int    `json:"payload_bytes"` // of a full packet
	Headers  int    `json:"header_bytes"`  // of a packet with payload
	RTO      uint64 `json:"rto_ns"`        // after which a packet that is not acknowledged is sent again
	Deadline uint64 `json:"deadline_ns"`   // a run with a flow that is longer has failed
	// Until ends the run at a time in ns, whatever flows are left; 0: it ends with the last flow.
	Until uint64 `json:"until_ns,omitempty"`
	// GoBackN is RoCEv2's recovery: a receiver takes packets in order only. It answers the first one behind a gap with a Nack, and
	// the sender goes on from there; so it does after a time-out.
	GoBackN bool `json:"go_back_n,omitempty"`
	// Telemetry has packets with payload collect what switches write, in a layout: they and their acknowledgements carry its bytes.
	Telemetry bool          `json:"telemetry,omitempty"`
	Layout    fabric.Layout `json:"layout,omitempty"`
}

// collects is the bytes of telemetry in a packet.
func (s *Settings) collects() int32 {
	if !s.Telemetry {
		return 0
	}
	return s.Layout.Size()
}

// Check returns every error in the settings.
func (s *Settings) Check() error {
	var bad []string
	rule := func(name string, n, least, most uint64) {
		if n < least || n > most {
			bad = append(bad, fmt.Sprintf("%s: found %d, allowed: %d to %d", name, n, least, most))
		}
	}
	rule("payload", uint64(s.Payload), 1, 1<<16)
	rule("headers", uint64(s.Headers), 0, 1<<10)
	rule("RTO", s.RTO, 1, 1e12)
	rule("deadline", s.Deadline, 1, 1e13)
	rule("until", s.Until, 0, s.Deadline)
	if bad != nil {
		return errors.New("hosts: " + strings.Join(bad, "; "))
	}
	return nil
}

// Result is the outcome of a run.
type Result struct {
	Flows      []Done // in the order of the workload
	Packets    uint64 // with payload, again included
	Again      uint64 // of these, sent again
	Duplicates uint64 // that came although they had come before
	Timeouts   uint64
	Nacks      uint64
	Probes     uint64
	Found      uint64 // segments that a Tracker found lost
	Order      Order
	Routes     [MaxCables + 1]Share // by the cables of a route, where sources choose among some
	Counts     fabric.Counts
}

// MaxCables is the most cables of a route.
const MaxCables = 15

// Share counts the traffic on routes of one length.
type Share struct {
	Packets uint64
	Even    float64 // packets, if each flow's were spread evenly over its routes
}

// Order counts the payload that receivers hold back because earlier packets of the flow are missing, sampled when each
// packet arrives.
type Order struct {
	Late  uint64                  // packets that found one of a higher number there before
	Early uint64                  // packets that had to wait
	Bytes float64                 // sum of what waits of its flow, with it
	Over  [len(OrderSteps)]uint64 // packets that found more than this step's bytes of payload
}

// OrderSteps are the bytes of Order.Over.
var OrderSteps = [...]int64{0, 1000, 4000, 16_000, 30_000, 100_000}

// Done records the end of a flow, in ps.
type Done struct {
	Flow     workload.Flow
	Received fabric.Instant // its last byte
	Acked    fabric.Instant // and the sender knows
	Calls    []Call         // of a Loop
}

// Call is a message of a Loop that is complete, in ps.
type Call struct {
	Start fabric.Instant
	Acked fabric.Instant
}

// Last returns when the last flow was acknowledged, in µs.
func (r *Result) Last() float64 {
	var last fabric.Instant
	for i := range r.Flows {
		last = max(last, r.Flows[i].Acked)
	}
	return float64(last) / 1e6
}

// Network is a network with hosts at its edge. If it also has Routes, sources choose one of them for each packet, by the EV: the
// number of the route, modulo how many there are.
type Network interface {
	Edge() (*fabric.Network, []*fabric.Port)
}

// Routed is a Network whose sources choose routes.
type Routed interface {
	Routes(src, dst int) []fabric.Route
}

// Run sends flows through a network. make gives each host that sends its transport, once, with
// the number of its connections. It fails if a flow does not end before the deadline.
func Run(ctx context.Context, t Network, flows []workload.Flow, s *Settings, make func(host, conns int) (Transport, error)) (res *Result, err error) {
	if err := s.Check(); err != nil {
		return nil, err
	}
	net, ports := t.Edge()
	r := &run{net: net, set: s, left: len(flows)}
	r.routed, _ = t.(Routed)
	defer func() {
		for _, h := range r.hosts {
			err = errors.Join(err, Close(h.by))
		}
	}()
	if err := r.open(ports, flows, make); err != nil {
		return nil, err
	}
	late := false
	if r.left > 0 {
		if s.Until > 0 {
			r.net.At(fabric.Instant(s.Until)*1000, r.net.Stop)
		} else {
			r.net.At(fabric.Instant(s.Deadline)*1000, func() { late = true; r.net.Stop() })
		}
		if err := r.net.Run(ctx); err != nil {
			return nil, err
		}
	}
	if late {
		return nil, fmt.Errorf("%d of %d flows are not complete after %d ns", r.left, len(flows), s.Deadline)
	}
	r.res.Counts = r.net.Count
	for i := range r.flows {
		d := r.flows[i].done
		d.Calls = slices.DeleteFunc(d.Calls, func(c Call) bool { return c.Acked == 0 })
		r.res.Flows = append(r.res.Flows, d)
	}
	return &r.res, nil
}

type run struct {
	net    *fabric.Network
	routed Routed // nil: switches choose
	set    *Settings
	hosts  []*host
	flows  []flow
	left   int // flows that are not complete
	res    Result
}

// mostPackets is the maximum number of packets of a workload, because the state of each takes
// some bytes.
const mostPackets = 1 << 30

// open puts hosts at all ports and begins the flows.
func (r *run) open(ports []*fabric.Port, flows []workload.Flow, make func(host, conns int) (Transport, error)) error {
	for i, p := range ports {
		h := &host{run: r, number: i, port: p}
		h.timer = r.net.Register(h)
		p.Attach(h, h)
		r.hosts = append(r.hosts, h)
	}
	var packets uint64
	for i, f := range flows {
		if f.Src < 0 || f.Src >= len(r.hosts) || f.Dst < 0 || f.Dst >= len(r.hosts) || f.Src == f.Dst {
			return fmt.Errorf("flow %d: found from host %d to %d, allowed: two of the %d hosts", i, f.Src, f.Dst, len(r.hosts))
		}
		if f.Bytes < 1 || f.Bytes > 1<<36 {
			return fmt.Errorf("flow %d: found %d bytes, allowed: 1 to 2^36", i, f.Bytes)
		}
		for _, k := range f.After {
			if k < 0 || k >= i || flows[k].Loop != nil || flows[k].Src != f.Src && flows[k].Dst != f.Src {
				return fmt.Errorf("flow %d: found flow %d before it, allowed: one of a lower number, without a loop, that begins or ends at host %d", i, k, f.Src)
			}
		}
		h := r.hosts[f.Src]
		n := int((f.Bytes + uint64(r.set.Payload) - 1) / uint64(r.set.Payload))
		if packets += uint64(n); packets > mostPackets {
			return fmt.Errorf("workload: found more than %d packets of %d bytes in the first %d of %d flows, allowed: at most %d, which take some 8 GB: send less, or in larger packets",
				mostPackets, r.set.Payload, i+1, len(flows), mostPackets)
		}
		r.flows = append(r.flows, flow{done: Done{Flow: f}, host: h, conn: len(h.own), message: n, left: n, missing: n, index: uint32(i)})
		h.own = append(h.own, nil)
	}
	for _, h := range r.hosts {
		if len(h.own) == 0 {
			continue
		}
		by, err := make(h.number, len(h.own))
		if err != nil {
			return fmt.Errorf("host %d: %w", h.number, err)
		}
		h.by = by
		h.spray, _ = by.(Tracker)
		if h.clock, _ = by.(Clocked); h.clock != nil {
			h.port.Lengthen(h.clock.Latency())
		}
	}
	for i := range r.flows {
		f := &r.flows[i]
		f.host.own[f.conn] = f
		if r.routed != nil {
			f.routes = r.routed.Routes(f.done.Flow.Src, f.done.Flow.Dst)
			for k := range f.routes {
				if n := len(f.routes[k].Ports); n > MaxCables {
					return fmt.Errorf("flow %d: route %d: found %d cables, allowed: at most %d", i, k, n, MaxCables)
				}
			}
		}
		for _, k := range f.done.Flow.After {
			r.flows[k].then = append(r.flows[k].then, f)
		}
		if f.before = len(f.done.Flow.After); f.before == 0 {
			r.net.At(fabric.Instant(f.done.Flow.Start), f.begin)
		}
	}
	return nil
}
