// SPDX-License-Identifier: Apache-2.0

package load

import (
	"fmt"
	"math/big"
	"math/bits"
	"slices"
	"strconv"

	"github.com/nicgen/nicgen/gen/csr"
	nicgate "github.com/nicgen/nicgen/gen/nic_gate"
	nicqueue "github.com/nicgen/nicgen/gen/nic_queue"
	powertcp "github.com/nicgen/nicgen/gen/powertcp"
	"github.com/nicgen/nicgen/internal/registers"
)

// A Network is what settings follow from: HostBw and τ of the papers, and the packets.
type Network struct {
	RateGbps    float64 // of the host's port, HostBw
	RTT         int64   // ns: the largest round-trip time of the empty network, τ
	MTU         int64   // bytes of payload of a packet
	Flows       int64   // connections that share a port; 0: the authors' share, see beta
	Outstanding int64   // bytes that the host has outstanding on a connection; 0: a window
}

// Defaults and limits of a Network.
const (
	defaultMTU = 1024
	headers    = 20 + 8 + 12 + 4 // of a packet: IPv4, UDP, BTH, ICRC; the smallest ones that carry a payload
	onWire     = 14 + 4 + 20     // around it: Ethernet, FCS, preamble and gap
	maxWindow  = 1<<23 - 1       // bytes: the formats of gate and powertcp
	mostKiB    = 4096            // of nic_queue
	minStallNS = 1_000_000
	betaPPM    = 6_000 // of the window: 150 Mb/s of 25 Gb/s, the authors' simulator
)

// window returns HostBw·τ, in whole bytes.
func (n *Network) window() int64 {
	w := new(big.Rat).SetFloat64(n.RateGbps)
	w.Mul(w, big.NewRat(n.RTT, 8))
	return new(big.Int).Quo(w.Num(), w.Denom()).Int64()
}

// packet returns the bytes of IP of a full packet.
func (n *Network) packet() int64 { return n.MTU + headers }

// packets returns the most full packets in flight: the last one may exceed the window.
func (n *Network) packets() int64 { return (n.window() + n.packet() - 1) / n.packet() }

// time returns the ns that a number of full packets take on the wire, rounded up.
func (n *Network) time(packets int64) int64 {
	return int64(float64(packets*(n.packet()+onWire)*8)/n.RateGbps) + 1
}

// cells returns the number of nic_queue's cells for full packets with a number of bytes in all.
func (n *Network) cells(bytes int64) int64 {
	each := (n.packet() + 14 + nicqueue.CellBytes - 1) / nicqueue.CellBytes
	return (bytes + n.packet() - 1) / n.packet() * each
}

// noWindow is the window of a connection that has none.
const noWindow = "none"

// begins returns a connection with the window and rate that it has until its first sample, unless the file says other ones: with a
// window unit, the network's; without, none.
func (n *Network) begins(f *File, c *Connection) *Connection {
	if !f.flag(c, queueBit) {
		return c
	}
	x := *c
	switch windowed := f.flag(c, windowBit); {
	case windowed && x.RateGbps == 0:
		x.RateGbps = n.RateGbps
	case !windowed && x.Window == "":
		x.Window = noWindow
	}
	return &x
}

// check returns what is wrong with the numbers themselves.
func (n *Network) check() (errs []error) {
	bad := func(format string, args ...any) { errs = append(errs, fmt.Errorf("network: "+format, args...)) }
	if !(n.RateGbps >= 0.1 && n.RateGbps <= 1000) {
		bad("rate_gbps %g, want 0.1 to 1000: the rate of the host's port", n.RateGbps)
	}
	if n.RTT < 1 || n.RTT >= 1<<30 {
		bad("rtt %d ns, want 1 ns to 1 s: the largest round-trip time of the empty network, such as 12us", n.RTT)
	}
	if n.MTU < 64 || n.MTU > 9000 {
		bad("mtu %d, want 64 to 9000 bytes of payload", n.MTU)
	}
	if n.Flows < 0 {
		bad("flows %d, want a number of connections, or none", n.Flows)
	}
	if n.Outstanding < 0 || n.Outstanding >= 1<<30 {
		bad("outstanding %d, want bytes below 1 GiB, or none", n.Outstanding)
	}
	if len(errs) > 0 {
		return errs
	}
	switch w := n.window(); {
	case w > maxWindow:
		bad("%g Gb/s · %d ns = %d bytes, and windows are at most %d: want a shorter rtt, or a lower rate_gbps", n.RateGbps, n.RTT, w, maxWindow)
	case w < n.packet():
		bad("%g Gb/s · %d ns = %d bytes, less than a packet of %d: want a smaller mtu, or a longer rtt", n.RateGbps, n.RTT, w, n.packet())
	}
	return errs
}

// derived is a setting that follows from a network.
type derived struct {
	block, register string
	value           *big.Int
	from            string // in words
	low, high       int64  // limits of another value in the file; both 0: no other one
}

// derive returns the settings of a map that follow from a network, and refuses blocks that are too small. queued is the number of
// connections of the file with queue.
func (p *planner) derive(n *Network, queued int64) (list []derived) {
	add := func(block, register string, value int64, from string, low, high int64) {
		list = append(list, derived{block, register, big.NewInt(value), from, low, high})
	}
	rtt, w := fmt.Sprintf("rtt %d ns", n.RTT), n.window()
	bdp := fmt.Sprintf("rate_gbps %g · %s = %d bytes", n.RateGbps, rtt, w)
	if b := p.m.Block("powertcp"); b != nil {
		cfg := powertcp.Default()
		cfg.TauNS, cfg.MaxWindowBytes, cfg.MinWindowBytes = n.RTT, w, min(cfg.MinWindowBytes, w)
		share := "0.6 % of the window"
		if cfg.BetaBytes = w * betaPPM / 1_000_000; n.Flows > 0 {
			cfg.BetaBytes, share = w/n.Flows, fmt.Sprintf("the window / flows %d", n.Flows)
		}
		if err := configure(cfg, b, "variant", "base_rtt", "theta_update"); err != nil {
			p.errs = append(p.errs, fmt.Errorf("network: %w", err))
			return nil
		}
		values := cfg.PortValues()
		fixed := func(register, from string) {
			list = append(list, derived{block: "powertcp", register: register, value: new(big.Int).SetUint64(values[register]), from: from})
		}
		fixed("cfg_tau_ns", rtt)
		fixed("cfg_inv_tau_m", rtt)
		fixed("cfg_inv_tau_e", rtt)
		fixed("cfg_max_window", bdp)
		list = append(list, derived{"powertcp", "cfg_beta", new(big.Int).SetUint64(values["cfg_beta"]), share, 0, int64(values["cfg_max_window"])},
			derived{"powertcp", "cfg_min_window", new(big.Int).SetUint64(values["cfg_min_window"]), "one segment", 1, int64(values["cfg_max_window"])})
		add("gate", "cfg_init_window", w, bdp, 0, 0)
	}
	stall := max(4*n.RTT, minStallNS)
	add("gate", "cfg_stall_ns", stall, "4 · "+rtt+", at least 1 ms", stall, 1<<31-1)
	slot := int64(128)
	if b := p.m.Block("pace"); b != nil && b.Register("param_slot_ns") != nil {
		slot = int64(b.Register("param_slot_ns").Reset)
	}
	most := max(n.RTT/8, 1)
	least := min(slot, most)
	add("pace", "cfg_idle_ns", min(max(n.RTT/32, slot), most), rtt+" / 32", least, most)
	late := n.time(queued)
	add("pace", "cfg_allowance_ns", max(p.reset("pace", "cfg_allowance_ns"), late), fmt.Sprintf("a packet of each of %d connections with queue", queued), late, 1<<30-1)
	add("spray", "cfg_flowlet_timeout_ns", n.RTT, rtt, n.RTT, 1<<62)
	add("reps", "cfg_num_pkts_cwnd", n.packets(), "packets of the window", 0, 1<<16-1)
	p.queues(n, queued, add)
	p.ring(n)
	return slices.DeleteFunc(list, func(d derived) bool {
		b := p.m.Block(d.block)
		return b == nil || b.Register(d.register) == nil
	})
}

// reset returns the value of a register after a reset; 0 if the map has no such register.
func (p *planner) reset(block, register string) int64 {
	if b := p.m.Block(block); b != nil && b.Register(register) != nil {
		return int64(b.Register(register).Reset)
	}
	return 0
}

// queues derives the quota, and refuses a buffer that is too small for it.
func (p *planner) queues(n *Network, queued int64, add func(block, register string, value int64, from string, low, high int64)) {
	kib := p.reset("queue", "param_kib")
	if kib == 0 {
		return
	}
	bytes, what := n.window(), "a window"
	if n.Outstanding > 0 {
		bytes, what = n.Outstanding, "outstanding"
	}
	each := n.cells(bytes)
	add("queue", "cfg_quota", max(p.reset("queue", "cfg_quota"), each), fmt.Sprintf("%s of %d bytes in packets of mtu %d", what, bytes, n.MTU), each, 1<<15)
	all, of := each, what+" of one connection"
	if n.Outstanding > 0 && queued > 0 {
		all, of = each*queued, fmt.Sprintf("outstanding of %d connections with queue", queued)
	}
	if all*nicqueue.CellBytes > kib<<10 {
		remedy := "give outstanding, if the host has less"
		if n.Outstanding > 0 {
			remedy = "want fewer connections, or a smaller outstanding"
		}
		if need := int64(1) << bits.Len64(uint64(all*nicqueue.CellBytes-1)>>10); need <= mostKiB {
			remedy = fmt.Sprintf("emit it with --kib %d", need)
		}
		p.bad("network: %s takes %d cells of %d bytes, and the block was built with kib %d: %s", of, all, nicqueue.CellBytes, kib, remedy)
	}
}

// ring refuses a block whose connections cannot have a window of full packets in flight.
func (p *planner) ring(n *Network) {
	ring := p.reset("gate", "param_ring")
	if ring == 0 || ring >= n.packets() {
		return
	}
	remedy := "want a larger mtu"
	if need := int64(1) << bits.Len64(uint64(n.packets()-1)); need <= nicgate.MostRing(p.reset("gate", "param_connections")) {
		remedy = fmt.Sprintf("emit it with --ring %d, or use a larger mtu", need)
	}
	p.bad("network: a window of %d bytes is %d packets of mtu %d, and the block was built with ring %d, %d %% of it: %s",
		n.window(), n.packets(), n.MTU, ring, 100*ring/n.packets(), remedy)
}

// follow returns a file's assignments with those that follow from its network, and refuses those that contradict it.
func (p *planner) follow(f *File, said []registers.Assignment) []registers.Assignment {
	if f.Network == nil {
		return said
	}
	if errs := f.Network.check(); len(errs) > 0 {
		p.errs = append(p.errs, errs...)
		return said
	}
	for _, d := range p.derive(f.Network, f.queued()) {
		b := p.m.Block(d.block)
		r := b.Register(d.register)
		i := slices.IndexFunc(said, func(a registers.Assignment) bool { return a.Place.Register == r && a.Place.Bit == nil })
		if i < 0 {
			said = append(said, registers.Assignment{Place: csr.Place{Block: b, Register: r}, Value: d.value})
			continue
		}
		v := said[i].Value
		switch {
		case d.low == 0 && d.high == 0 && v.Cmp(d.value) != 0:
			p.bad("settings: %s.%s: %v contradicts network, from which %v follows, %s: leave one of them out", d.block, d.register, v, d.value, d.from)
		case d.high > 0 && (v.Cmp(big.NewInt(d.low)) < 0 || v.Cmp(big.NewInt(d.high)) > 0):
			p.bad("settings: %s.%s: %v contradicts network, which allows %d to %d: %v follows from %s", d.block, d.register, v, d.low, d.high, d.value, d.from)
		}
	}
	return said
}

// agree refuses settings of a file that contradict each other, or the values after a reset of those that it leaves out.
func (p *planner) agree(said []registers.Assignment) {
	value := func(block, register string) (v int64, set, ok bool) {
		b := p.m.Block(block)
		if b == nil || b.Register(register) == nil {
			return 0, false, false
		}
		for _, a := range said {
			if a.Place.Block == b && a.Place.Register == b.Register(register) {
				return a.Value.Int64(), true, true
			}
		}
		return int64(b.Register(register).Reset), false, true
	}
	const way = "give rate_gbps and rtt of network, from which all of them follow"
	tau, tauSet, ok := value("powertcp", "cfg_tau_ns")
	if !ok {
		return
	}
	if m, mSet, ok := value("powertcp", "cfg_inv_tau_m"); ok && tau > 0 {
		e, eSet, _ := value("powertcp", "cfg_inv_tau_e")
		cfg := powertcp.Default()
		cfg.TauNS = tau
		if wantM, wantE := cfg.InvTau(); (tauSet || mSet || eSet) && (m|1<<16 != int64(wantM)|1<<16 || e != int64(wantE)) {
			p.bad("settings: powertcp.cfg_tau_ns is %d, and cfg_inv_tau_m, cfg_inv_tau_e are %d, %d, want %d, %d: %s", tau, m, e, wantM, wantE, way)
		}
	}
	if idle, set, ok := value("pace", "cfg_idle_ns"); ok && (set || tauSet) && idle > tau/8 {
		p.bad("settings: pace.cfg_idle_ns is %d, want at most %d, an eighth of powertcp.cfg_tau_ns: a connection that resumes would send a window at once; %s", idle, tau/8, way)
	}
	if stall, set, ok := value("gate", "cfg_stall_ns"); ok && (set || tauSet) && stall < 4*tau {
		p.bad("settings: gate.cfg_stall_ns is %d, want at least %d, four times powertcp.cfg_tau_ns: packets would leave while ACKs are on their way; %s", stall, 4*tau, way)
	}
	largest, largestSet, _ := value("powertcp", "cfg_max_window")
	if least, set, _ := value("powertcp", "cfg_min_window"); (set || largestSet) && least > largest {
		p.bad("settings: powertcp.cfg_min_window is %s bytes, want at most cfg_max_window, %s; %s", quarters(least), quarters(largest), way)
	}
	if first, set, ok := value("gate", "cfg_init_window"); ok && set && first != largest>>2 {
		p.bad("settings: gate.cfg_init_window is %d bytes, and powertcp.cfg_max_window %s: want the same, PowerTCP begins with it; %s", first, quarters(largest), way)
	}
}

// quarters returns a number of quarter bytes as bytes.
func quarters(v int64) string { return strconv.FormatFloat(float64(v)/4, 'f', -1, 64) }
