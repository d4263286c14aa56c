// SPDX-License-Identifier: Apache-2.0

package niccsr_test

import (
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_csr"
)

// master is software in front of the RTL.
type master struct {
	t   *testing.T
	sim *cosim.Sim
}

func open(t *testing.T, p *params.Params) *master {
	m := &master{t, suite.Open(t, p)}
	m.sim.Set("rst", 1)
	m.sim.Step(2)
	m.sim.Set("rst", 0)
	return m
}

// wait lets cycles pass until a port is high, and returns how many.
func (m *master) wait(port string) int {
	m.t.Helper()
	for n := range 100 {
		if m.sim.Get(port) != 0 {
			return n
		}
		m.sim.Step(1)
	}
	m.t.Fatalf("%s stays low", port)
	return 0
}

// read reads a word.
func (m *master) read(address uint32) uint32 {
	m.t.Helper()
	m.wait("s_axil_arready")
	m.sim.Set("s_axil_arvalid", 1)
	m.sim.Set("s_axil_araddr", uint64(address))
	m.sim.Step(1)
	m.sim.Set("s_axil_arvalid", 0)
	if n := 1 + m.wait("s_axil_rvalid"); n != params.ReadLatency {
		m.t.Errorf("the data came %d cycles after the address, want %d", n, params.ReadLatency)
	}
	data := uint32(m.sim.Get("s_axil_rdata"))
	m.sim.Set("s_axil_rready", 1)
	m.sim.Step(1)
	m.sim.Set("s_axil_rready", 0)
	return data
}

// write writes a word: its address some cycles before its data, or behind it if that is negative.
func (m *master) write(address, data uint32, strobes uint64, lead int) (resp uint64) {
	m.t.Helper()
	m.wait("s_axil_awready")
	m.wait("s_axil_wready")
	m.sim.Set("s_axil_awaddr", uint64(address))
	m.sim.Set("s_axil_wdata", uint64(data))
	m.sim.Set("s_axil_wstrb", strobes)
	give := func(ports ...string) {
		for _, p := range ports {
			m.sim.Set(p, 1)
		}
		m.sim.Step(1)
		for _, p := range ports {
			m.sim.Set(p, 0)
		}
	}
	switch {
	case lead > 0:
		give("s_axil_awvalid")
		m.sim.Step(lead - 1)
		give("s_axil_wvalid")
	case lead < 0:
		give("s_axil_wvalid")
		m.sim.Step(-lead - 1)
		give("s_axil_awvalid")
	default:
		give("s_axil_awvalid", "s_axil_wvalid")
	}
	if n := 1 + m.wait("s_axil_bvalid"); n != params.WriteLatency {
		m.t.Errorf("the answer came %d cycles after the write, want %d", n, params.WriteLatency)
	}
	resp = m.sim.Get("s_axil_bresp")
	m.sim.Set("s_axil_bready", 1)
	m.sim.Step(1)
	m.sim.Set("s_axil_bready", 0)
	return resp
}

// Every word of the map, against the table: its reset value; all ones and zeros where software may
// write, in each order of address and data; and its bits that no register has.
func TestEveryRegister(t *testing.T) {
	p := params.Default()
	regs, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	m := open(t, p)
	lead := 0
	write := func(address, data uint32) {
		t.Helper()
		if resp := m.write(address, data, 15, lead); resp != 0 {
			t.Errorf("a write to 0x%04x is answered %d", address, resp)
		}
		if lead++; lead > 3 {
			lead = -3
		}
	}
	words, written := 0, 0
	for address := uint32(0); address < regs.Size()+64; address += 4 {
		b, r, n := regs.At(address)
		if r == nil || !r.Readable() {
			if address%128 == 0 || r != nil || address >= regs.Size() { // some of the holes
				if got := m.read(address); got != 0 {
					t.Errorf("hole 0x%04x is 0x%08x", address, got)
				}
			}
			continue
		}
		words++
		if want := uint32(r.Reset >> (32 * n)); b.Base > 0 && m.read(address) != want {
			t.Errorf("%s.%s, word %d, is 0x%08x, want 0x%08x", b.Name, r.Name, n, m.read(address), want)
		}
		if r.Kind != csr.Setting && r.Kind != csr.Enable {
			continue
		}
		written++
		mask := ^uint32(0)
		if left := r.Bits - 32*int(n); left < 32 {
			mask = 1<<left - 1
		}
		for _, v := range []uint32{0xffffffff, 0, 0xa5a5a5a5} {
			write(address, v)
			if got := m.read(address); got != v&mask {
				t.Errorf("%s.%s, word %d: 0x%08x was written, and is 0x%08x", b.Name, r.Name, n, v, got)
			}
		}
	}
	// The counts so far.
	own := regs.Blocks[0]
	for _, r := range own.Registers {
		if r.Name == "sts_illegal_cnt" && m.read(r.Offset) == 0 {
			t.Error("no hole is counted")
		}
	}
	if words < 100 || written < 18 {
		t.Errorf("only %d words, %d of them written", words, written)
	}
}

// Settings that belong together change in one cycle, all of a block and none of another.
func TestCommit(t *testing.T) {
	p := params.Default()
	regs, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	m := open(t, p)
	at := func(name string) uint32 {
		place, err := regs.Find(name)
		if err != nil {
			t.Fatal(err)
		}
		return place.Address()
	}
	tau := m.sim.Get("powertcp_cfg_tau_ns")
	for _, x := range []struct {
		name  string
		word  uint32
		value uint32
	}{
		{"powertcp.cfg_inv_tau_m", 0, 1}, {"powertcp.cfg_inv_tau_e", 0, 2}, {"powertcp.cfg_tau_ns", 0, 3},
		{"reps.cfg_freezing_timeout_ns", 0, 0xdeadbeef}, {"reps.cfg_freezing_timeout_ns", 4, 5},
	} {
		m.write(at(x.name)+x.word, x.value, 15, 0)
	}
	if got := m.sim.Get("powertcp_cfg_tau_ns"); got != tau || m.read(at("powertcp.commit")) != 1 {
		t.Errorf("before the commit τ is %d, want %d, and settings wait: %d", got, tau, m.read(at("powertcp.commit")))
	}
	m.write(at("powertcp.commit"), 1, 15, 0)
	for port, want := range map[string]uint64{"powertcp_cfg_inv_tau_m": 1, "powertcp_cfg_inv_tau_e": 2, "powertcp_cfg_tau_ns": 3} {
		if got := m.sim.Get(port); got != want {
			t.Errorf("%s is %d, want %d", port, got, want)
		}
	}
	if m.read(at("powertcp.commit")) != 0 || m.read(at("reps.commit")) != 1 {
		t.Error("the commit of one block is not that block's alone")
	}
	m.write(at("reps.commit"), 1, 15, 0)
	if got := m.sim.Get("reps_cfg_freezing_timeout_ns"); got != 0x5_deadbeef {
		t.Errorf("the wide setting is 0x%x", got)
	}
	if resp := m.write(at("reps.cfg_mode"), 1, 7, 0); resp != 2 || m.read(at("reps.cfg_mode")) != 0 {
		t.Errorf("a write with three strobes is answered %d, want 2, and must change nothing", resp)
	}
}
