// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"context"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/nicgen/nicgen/internal/registers"
	"github.com/nicgen/nicgen/internal/registers/load"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/scenario/pair"
)

// Tables are the path tables of LAPS for a scenario, as a file of docs/registers.md has them: one destination, the other
// host, whose paths have an anchor, their number at the switch.
func Tables(sc *pair.Scenario) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# SPDX-License-Identifier: Apache-2.0\n\n# nicgen nic pair %s: both NICs.\n", sc.Name)
	fmt.Fprintf(&b, "settings:\n  laps.cfg_rto_min_ns: %d\npaths:\n", shortest(sc))
	for i := range sc.Paths {
		fmt.Fprintf(&b, "  - {destination: 1, path: %d, base_ns: %d, anchors: [%d]}\n", i, Base(sc, i), i)
	}
	fmt.Fprintf(&b, "writes:\n  - probe.s_address: {dst: 0, set: 1, bytes: 0x%012x%012x}\n", littleMAC(0), littleMAC(1))
	return b.String()
}

// shortest is the least timeout of a scenario's hosts.
func shortest(sc *pair.Scenario) uint64 {
	t := sc.Flows[0].Timeout
	for i := range sc.Flows {
		t = min(t, sc.Flows[i].Timeout)
	}
	return t
}

// room is the queue, in packets, that a path may have and still count as empty: LAPS lowers rates when all paths of a
// destination are slower than the longest one's base.
const room = 8

// Base returns a packet's latency on a path in ns, from the sender's stamp to the receiver's: its links, a short queue, and
// 100 ns for the blocks.
func Base(sc *pair.Scenario, path int) uint64 {
	l := &sc.Paths[path]
	n := largest(sc)
	t := pair.WireTime(n, pair.LineRate) + pair.WireTime(n, l.Rate) + pair.WireTime(n, sc.Access.Rate)
	t += room * pair.WireTime(n, l.Rate)
	return t.NS() + 2*sc.Access.Delay + l.Delay + 100
}

// littleMAC is a host's Ethernet address, its first byte in the low bits.
func littleMAC(host int) (v uint64) {
	for i, b := range pair.MAC(host) {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// bus are the registers of a block, for software that knows no simulation.
type bus struct{ *NIC }

func (b bus) Read32(at uint32) (uint32, error) { return b.ReadWord(at) }
func (b bus) Write32(at, v uint32) error       { return b.WriteWord(at, v) }
func (bus) Size() uint64                       { return 1 << 16 }
func (bus) Close() error                       { return nil }

// load sets the block up by a file of tables. Connections are the scenario's.
func (n *NIC) load(ctx context.Context, f *load.File) error {
	if len(f.Connections) > 0 {
		return fmt.Errorf("tables: %d connections, want none: the scenario opens its own", len(f.Connections))
	}
	steps, err := load.Plan(n.Map, f, load.Options{})
	if err != nil {
		return err
	}
	nic, err := registers.Attach(bus{n}, n.Map, false)
	if err != nil {
		return err
	}
	return load.Do(ctx, nic, steps, time.Minute)
}

// feedback writes the template of a flow's lists of feedback.
func (n *NIC) feedback(sc *pair.Scenario, flow, conn int, label bool) error {
	f := &sc.Flows[flow]
	qp := pair.QP(flow, 1-n.host)
	c := load.Connection{Conn: int64(conn), Address: f.Address(1 - n.host), RemoteQP: &qp,
		Feedback: &load.Feedback{MAC: pair.MAC(n.host), PeerMAC: pair.MAC(1 - n.host), Source: f.Address(n.host), DSCP: 48, TTL: 64, PKey: 0xFFFF}}
	t := load.Template(&c, label)
	place, _ := t.Place()
	for k := place.Needed() - 1; k >= 0; k-- {
		if err := n.program.Do("feedback.s_template", one("conn", uint32(conn)), one("word", uint32(k)), one("data", t[k])); err != nil {
			return err
		}
	}
	return nil
}

// Together sets the clocks of NICs to the same time, as PTP does: the time of the NIC whose setup
// took longest.
func Together(nics ...*NIC) {
	last := uint64(0)
	for _, n := range nics {
		last = max(last, n.Clock())
	}
	for _, n := range nics {
		n.Advance(agenda.At(last - n.Clock()))
	}
}

// Weights are the shares that LAPS' formula gives paths by their mean latencies in a time, with β′ 1. A path by which
// no frame came has none.
func Weights(r *pair.Result, from, to uint64) []float64 {
	longest := 0.0
	for i := range r.Scenario.Paths {
		longest = max(longest, float64(Base(r.Scenario, i)))
	}
	out, sum := make([]float64, len(r.Scenario.Paths)), 0.0
	for i := range out {
		if l := r.Latency(i, from, to); l > 0 {
			out[i] = math.Exp(-l / longest)
			sum += out[i]
		}
	}
	for i := range out {
		if sum > 0 {
			out[i] /= sum
		}
	}
	return out
}
