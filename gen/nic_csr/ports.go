// SPDX-License-Identifier: Apache-2.0

package niccsr

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
)

// Ports implements gen.Config. The AXI4-Lite ports are followed, for each block, by the other ends
// of its unit's ports, with the block's name before the port's.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in, out := l.In, l.Out
	const flag = "flag"

	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset: accesses under way are lost; a cycle later settings take their reset values.")

	l.Group = "AXI4-Lite, write"
	in("s_axil_awaddr", "", p.AddrBits, "bytes; the low 2 bits do not count", "with s_axil_awvalid", "Address of a write.")
	in("s_axil_awvalid", "", 1, flag, "held until taken", "There is an address of a write.")
	out("s_axil_awready", "", 1, flag, "low until the write's data came and the answer to the last write was taken", "It is taken.")
	in("s_axil_wdata", "", 32, "word", "with s_axil_wvalid", "Data of a write.")
	in("s_axil_wstrb", "", 4, "bit i: byte i", "with s_axil_wvalid", "Bytes that are to be written: all, or the write is refused.")
	in("s_axil_wvalid", "", 1, flag, "held until taken", "There is data of a write.")
	out("s_axil_wready", "", 1, flag, "as s_axil_awready", "It is taken.")
	out("s_axil_bresp", "", 2, "0 OKAY, 2 SLVERR", "with s_axil_bvalid", "Answer to a write.")
	out("s_axil_bvalid", "", 1, flag, fmt.Sprintf("address and data + %d cycles; held until taken", WriteLatency), "There is an answer to a write.")
	in("s_axil_bready", "", 1, flag, "any", "It is taken.")

	l.Group = "AXI4-Lite, read"
	in("s_axil_araddr", "", p.AddrBits, "bytes; the low 2 bits do not count", "with s_axil_arvalid", "Address of a read.")
	in("s_axil_arvalid", "", 1, flag, "held until taken", "There is an address of a read.")
	out("s_axil_arready", "", 1, flag, "low until the data of the last read was taken", "It is taken.")
	out("s_axil_rdata", "", 32, "word", "with s_axil_rvalid", "Data of a read; 0 if there is no such register.")
	out("s_axil_rresp", "", 2, "0 OKAY", "with s_axil_rvalid", "Answer to a read.")
	out("s_axil_rvalid", "", 1, flag, fmt.Sprintf("address + %d cycles; held until taken", ReadLatency), "There is the data of a read.")
	in("s_axil_rready", "", 1, flag, "any", "It is taken.")

	l.Group = "Interrupt"
	out("irq", "", 1, "level", "event + 3 cycles", "An event that is enabled, of any block, has not been cleared.")

	return append(l.Ports, p.blockPorts()...)
}

// blockPorts returns the other ends of the units' ports, by block, or nil without a map, which
// Check reports.
func (p *Params) blockPorts() (list []gen.Port) {
	m, err := p.Map()
	if err != nil {
		return nil
	}
	for _, b := range m.Blocks[1:] {
		for _, q := range wires(b) {
			dir, timing := gen.Out, q.timing
			if q.Dir == gen.Out {
				dir = gen.In
			}
			q.Port.Name, q.Port.Dir, q.Port.Timing, q.Port.Group = Prefixed(b.Name, q.Name), dir, timing, "Block "+b.Name
			if q.Width = ""; q.Bits > 1 {
				q.Width = fmt.Sprint(q.Bits)
			}
			list = append(list, q.Port)
		}
	}
	return list
}

// Prefixed returns the name of the port of nic_csr that is the other end of a unit's port.
func Prefixed(block, port string) string { return block + "_" + port }

// A wire is a port of a unit that its block drives or reads.
type wire struct {
	gen.Port
	timing string
}

// wires returns the ports of the block's unit that belong to registers, in the unit's order.
func wires(b *csr.Block) []wire {
	used := map[string]string{}
	for _, r := range b.Registers {
		switch r.Kind {
		case csr.Setting:
			used[r.Port] = "from the cycle after a write of 1 to commit on"
		case csr.Counter:
			used[r.Port] = fmt.Sprintf("read %d cycles after the address is taken", ReadSample)
		case csr.Status:
			for _, f := range r.Bit {
				used[f.Port] = fmt.Sprintf("read %d cycles after the address is taken", ReadSample)
			}
		case csr.Events:
			for _, f := range r.Bit {
				used[f.Port] = "any cycle"
			}
		}
	}
	for _, w := range b.Windows {
		used[w.Name+"_valid"] = "held until taken"
		if !w.Ready {
			used[w.Name+"_valid"] = "one cycle"
		}
		used[w.Name+"_ready"] = "any"
		for _, f := range w.Fields {
			used[f.Port] = "with " + w.Name + "_valid"
		}
	}
	var out []wire
	for _, p := range b.Ports {
		if t, ok := used[p.Name]; ok {
			out = append(out, wire{p, t})
		}
	}
	return out
}
