// SPDX-License-Identifier: Apache-2.0

// Package rtl puts the block nic_transport, as RTL, between the hosts and the network of package pair.
package rtl

import (
	"context"
	"errors"
	"fmt"
	"math"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/sim/fabric"
	"github.com/nicgen/nicgen/sim/scenario/pair"
)

// Checker follows a block cycle by cycle with its golden model.
type Checker interface {
	Step(in, out []uint64) error
	End() error
}

// Options hold the setup of the blocks.
type Options struct {
	Period agenda.Instant
	Seed   uint64
	// Profile is the profile of all connections.
	Profile device.Profile
	// Tables are the path tables of a block with LAPS; nil: the scenario's tables.
	Tables *load.File
}

// NIC is a block of one host. It implements pair.NIC.
type NIC struct {
	*device.Device
	program *device.Program
	host    int
	checker Checker
	windows []float64 // of each flow, in bytes; NaN: none yet
	fails   uint64    // failures that went to the path unit
	numbers []int     // of connections, by flow
}

// New sets a block up for a host of a scenario. The library's model must be of p.
func New(ctx context.Context, lib *cosim.Library, p *params.Params, checker Checker, sc *pair.Scenario, host int, o Options) (n *NIC, err error) {
	n = &NIC{host: host, checker: checker}
	m, err := p.Map()
	if err != nil {
		return nil, err
	}
	l := lib.Layout()
	byConn := map[uint64]int{}
	slot := func(name string) cosim.Slot { s, _ := l.Slot(name); return s }
	winValid, hasWin := l.Slot("m_trace_win_valid")
	winConn, winBytes := slot("m_trace_win_conn"), slot("m_trace_win_bytes")
	failValid, hasFail := l.Slot("m_trace_fail_valid")
	follow := func(in, out []uint64) error {
		if err := checker.Step(in, out); err != nil {
			return err
		}
		if hasWin && winValid.Get(out) != 0 {
			if f, ok := byConn[winConn.Get(out)]; ok {
				n.windows[f] = float64(winBytes.Get(out))
			}
		}
		if hasFail && failValid.Get(out) != 0 && len(byConn) == len(sc.Flows) {
			n.fails++
		}
		return nil
	}
	d, err := device.New(device.Config{Library: lib, Map: m, Period: o.Period, Seed: o.Seed + uint64(host), Follow: follow})
	if err != nil {
		return nil, err
	}
	n.Device = d
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("NIC %d: %w", host, err), d.Close())
		}
	}()
	if n.program, err = device.NewProgram(ctx, n.Device, p); err != nil {
		return nil, err
	}
	if err = n.program.Seed(o.Seed*2 + uint64(host)); err != nil {
		return nil, err
	}
	if err = n.settings(p, sc); err != nil {
		return nil, err
	}
	if p.HasLAPS() {
		f := o.Tables
		if f == nil {
			if f, err = load.Parse("tables.yaml", []byte(Tables(sc))); err != nil {
				return nil, err
			}
		}
		if err = n.load(ctx, f); err != nil {
			return nil, err
		}
	}
	for i := range sc.Flows {
		f := &sc.Flows[i]
		c := device.Connection{Remote: f.Address(1 - host), Numbers: []uint32{pair.QP(i, 1-host), pair.QP(i, host)}, Profile: o.Profile}
		k, err := n.program.Open(ctx, c)
		if err != nil {
			return nil, err
		}
		if o.Profile.Feedback {
			if err := n.feedback(sc, i, k, o.Profile.Flow); err != nil {
				return nil, err
			}
		}
		n.numbers = append(n.numbers, k)
		n.windows = append(n.windows, math.NaN())
		byConn[uint64(k)] = i
	}
	n.Rebase()
	return n, nil
}

func one(name string, v uint32) device.Field { return device.Field{Name: name, Words: []uint32{v}} }

// largest is the longest frame of a scenario's flows.
func largest(sc *pair.Scenario) int {
	bytes := 0
	for i := range sc.Flows {
		bytes = max(bytes, sc.Flows[i].MTU+14+40+8+12+16+4)
	}
	return bytes
}

// RTT is the time from a packet's release to its ACK through an empty network, in ns: what the links and
// the responder take, and 400 ns for both blocks.
func RTT(sc *pair.Scenario) uint64 {
	slow := sc.Access.Rate
	for _, p := range sc.Paths {
		slow = min(slow, p.Rate)
	}
	t := agenda.Instant(0)
	for _, n := range []int{largest(sc), 62} {
		t += pair.WireTime(n, pair.LineRate) + pair.WireTime(n, slow) + pair.WireTime(n, sc.Access.Rate)
	}
	return t.NS() + 2*(2*sc.Access.Delay+sc.Paths[0].Delay) + sc.Turn + 400
}

// settings writes what depends on the network.
func (n *NIC) settings(p *params.Params, sc *pair.Scenario) error {
	rtt := RTT(sc)
	place := true
	for i := range sc.Flows {
		place = place && sc.Flows[i].Place
	}
	back := uint64(1)
	if place {
		back = 0
	}
	if err := n.program.Settings("gate", map[string]uint64{"cfg_go_back_n": back}); err != nil {
		return err
	}
	// The hosts' own limits are below what the queues hold: none is dropped there.
	if err := n.program.Settings("queue", map[string]uint64{"cfg_quota": uint64(p.Queue().Cells()) / uint64(len(sc.Flows))}); err != nil {
		return err
	}
	if p.Path == params.Spray {
		const ops = 1 // a new entropy value for each packet
		if err := n.program.Settings("spray", map[string]uint64{"cfg_mode": ops}); err != nil {
			return err
		}
	}
	if p.Path == params.PLB {
		// As in the paper, except for the pause after a timeout, which is meant for connections that last
		// minutes.
		if err := n.program.Settings("plb", map[string]uint64{"cfg_pause_ns": 0}); err != nil {
			return err
		}
	}
	if p.Path == params.REPS {
		// The paper's: 1.65 round-trip times, and two timeouts.
		if err := n.program.Settings("reps_detector", map[string]uint64{"cfg_rtt_threshold_ns": rtt * 165 / 100, "cfg_window_ns": 2 * sc.Flows[0].Timeout}); err != nil {
			return err
		}
		window := uint64(pair.LineRate * float64(rtt) / float64(sc.Flows[0].MTU))
		if err := n.program.Settings("reps", map[string]uint64{"cfg_freezing_timeout_ns": 4 * sc.Flows[0].Timeout, "cfg_num_pkts_cwnd": max(1, window)}); err != nil {
			return err
		}
	}
	if !p.HasWindow() {
		return nil
	}
	c := p.PowerTCP()
	c.TauNS = int64(rtt)
	c.MaxWindowBytes = int64(pair.LineRate * float64(rtt))
	c.MinWindowBytes = int64(sc.Flows[0].MTU)
	c.BetaBytes = c.MaxWindowBytes / 64
	values := c.PortValues()
	has := map[string]bool{}
	for _, q := range c.Ports() {
		has[q.Name] = true
	}
	for name := range values {
		if !has[name] {
			delete(values, name)
		}
	}
	if err := n.program.Settings("powertcp", values); err != nil {
		return err
	}
	if err := n.program.Settings("gate", map[string]uint64{"cfg_init_window": uint64(c.MaxWindowBytes)}); err != nil {
		return err
	}
	if c.Variant != powertcp.INT {
		return nil
	}
	for code, rate := range fabric.LinkRates {
		if rate == 0 {
			continue
		}
		e := c.Rate(code).Entry()
		if err := n.program.Do("powertcp.s_rate", device.Field{Name: "code", Words: []uint32{uint32(code)}}, device.Field{Name: "entry", Words: []uint32{uint32(e), uint32(e >> 32)}}); err != nil {
			return err
		}
	}
	return nil
}

// Run implements pair.NIC.
func (n *NIC) Run(ctx context.Context, until agenda.Instant, left func(pair.Left)) error {
	return n.Device.Run(ctx, until, func(l device.Left) {
		at := l.Gone
		if l.ToHost {
			at = l.Last
		}
		left(pair.Left{At: at, ToHost: l.ToHost, Bad: l.Bad, Data: l.Data})
	})
}

// Window is a flow's window, if the block has computed one.
func (n *NIC) Window(flow int) (bytes float64, ok bool) {
	w := n.windows[flow]
	return w, !math.IsNaN(w)
}

// Failures returns the number of failures reported to the path unit.
func (n *NIC) Failures() uint64 { return n.fails }

// Dropped implements pair.Dropper: the counters of the block's queues.
func (n *NIC) Dropped() (sum uint64, err error) {
	all, err := n.Counters("queue")
	if err != nil {
		return 0, err
	}
	for _, name := range []string{"sts_unknown_cnt", "sts_bad_cnt", "sts_long_cnt", "sts_full_cnt", "sts_quota_cnt", "sts_not_ready_cnt", "sts_discarded_cnt"} {
		v, ok := all[name]
		if !ok {
			return 0, fmt.Errorf("the queues have no counter %s", name)
		}
		sum += v
	}
	return sum, nil
}

// End asks the checker whether anything is owed.
func (n *NIC) End() error { return n.checker.End() }
