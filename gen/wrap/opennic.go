// SPDX-License-Identifier: Apache-2.0

package wrap

import (
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/constraints"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/vivado"
)

// Constants of OpenNIC: the CMAC's clock is 322.265625 MHz.
const (
	// openNICCommit is the commit whose port list is recorded.
	openNICCommit = "940907fc99fc8d73dbea0028b3a23095a660a42a"

	cmacNum   = 512
	cmacDenom = 165

	axilNS = "8.000" // the period of its registers' clock, 125 MHz
)

// openNICPorts returns the ports of the user logic in the 322 MHz box: the box's, with one bit of the pairs of
// resets. They are checked against testdata/opennic.txt.
func openNICPorts() *list {
	const n = "NUM_CMAC_PORT"
	l := &list{}
	in, out := gen.In, gen.Out
	l.group = "Registers, in axil_aclk"
	l.bus(in, "s_axil_", "awvalid", "awaddr 32", "<awready", "wvalid", "wdata 32", "<wready", "<bvalid", "<bresp 2", "bready",
		"arvalid", "araddr 32", "<arready", "<rvalid", "<rdata 32", "<rresp 2", "rready")
	frame := []string{"tvalid " + n, "tdata 512*" + n, "tkeep 64*" + n, "tlast " + n, "tuser_err " + n}
	held := append(frame[:5:5], "<tready "+n)
	l.group = "Frames from the host, in cmac_clk"
	l.bus(in, "s_axis_adap_tx_322mhz_", held...)
	l.group = "Frames to the host"
	l.bus(out, "m_axis_adap_rx_322mhz_", frame...)
	l.group = "Frames to the CMAC"
	l.bus(out, "m_axis_cmac_tx_", held...)
	l.group = "Frames from the CMAC"
	l.bus(in, "s_axis_cmac_rx_", frame...)
	l.group = "Reset, in axil_aclk; clocks"
	l.bus(in, "", "mod_rstn", "<mod_rst_done", "axil_aclk", "cmac_clk "+n)
	return l
}

// openNIC wraps the unit as the user logic of OpenNIC's 322 MHz box.
func openNIC(e gen.Emission) (*Wrapper, error) {
	top := e.Unit() + "_322mhz"
	width, err := widths(e.Config, "s_axil_awaddr", "s_axis_tx_tuser", "s_axis_rx_tuser", "s_axis_tx_tdata")
	if err != nil {
		return nil, err
	}
	if width["s_axis_tx_tdata"] != 512 {
		return nil, fmt.Errorf("beats of %d bits, want 512", width["s_axis_tx_tdata"])
	}
	n := nets{"clk": "clk", "rst": "port_rst", "now_ns": "now_ns", "s_mac_tx_drop_cnt": "'0", "s_mac_rx_drop_cnt": "'0", "m_flow_ready": "1'b1",
		"s_axis_tx_tuser": pad("s_axis_adap_tx_322mhz_tuser_err[g]", width["s_axis_tx_tuser"]), "m_axis_tx_tuser": "tx_user",
		"s_axis_rx_tuser": pad("s_axis_cmac_rx_tuser_err[g]", width["s_axis_rx_tuser"]), "m_axis_rx_tuser": "rx_user",
		"m_axis_rx_tready": "1'b1"}
	for ours, theirs := range map[string]string{"s_axis_tx": "s_axis_adap_tx_322mhz", "m_axis_tx": "m_axis_cmac_tx", "s_axis_rx": "s_axis_cmac_rx", "m_axis_rx": "m_axis_adap_rx_322mhz"} {
		n[ours+"_tdata"], n[ours+"_tkeep"] = theirs+"_tdata[512*g +: 512]", theirs+"_tkeep[64*g +: 64]"
		n[ours+"_tvalid"], n[ours+"_tlast"] = theirs+"_tvalid[g]", theirs+"_tlast[g]"
		if strings.HasSuffix(ours, "tx") {
			n[ours+"_tready"] = theirs + "_tready[g]"
		}
	}
	for _, s := range lite {
		n["s_axil_"+s] = "port_" + s
	}
	inst, err := instance(e.Config, "u_transport", "    ", n)
	if err != nil {
		return nil, err
	}
	text, err := fill(e.Unit()+"_322mhz.sv.tmpl", map[string]any{
		"Unit": e.Unit(), "AddrBits": width["s_axil_awaddr"], "TxUserBits": width["s_axis_tx_tuser"], "RxUserBits": width["s_axis_rx_tuser"],
		"Num": cmacNum, "Denom": cmacDenom, "Instance": inst, "Header": openNICPorts().header(top, []parameter{{"NUM_CMAC_PORT", "1"}}),
		"Checks": check("ports", fmt.Sprintf("NUM_CMAC_PORT * %d > %d", 1<<width["s_axil_awaddr"], 1<<20), "the registers of all ports do not fit into the box's 1 MiB"),
		"Sinks":  sink("unused_address", "  ", []string{"s_axil_awaddr[31:20]", "s_axil_araddr[31:20]"}),
	})
	if err != nil {
		return nil, err
	}
	w := &Wrapper{Name: e.Unit() + "_opennic", Top: top, Crossings: []string{"settings_cross.tcl", "nic_wrap_sync.tcl"},
		Clocks: []vivado.Clock{{Name: "axil_aclk", NS: axilNS}, {Name: "cmac_clk", Pins: "cmac_clk*", NS: vivado.PeriodNS, Ports: []string{"s_axis_*", "m_axis_*"}}}}
	w.Sources, err = parts("settings_cross", "nic_wrap_sync", "nic_wrap_reset", "nic_wrap_time", "nic_wrap_axil_split", "nic_wrap_axil_cross")
	if err != nil {
		return nil, err
	}
	w.Sources = append(w.Sources, gen.File{Name: top + ".sv", Text: text})
	var pins []string
	for _, p := range openNICPorts().ports {
		bit := ""
		if strings.HasPrefix(p.name, "mod_") {
			bit = "[0]"
		}
		pins = append(pins, fmt.Sprintf("  .%-32s (%s%s)", p.name, p.name, bit))
	}
	values := map[string]any{"Unit": e.Unit(), "Top": top, "Files": w.Files(e), "Connections": strings.Join(pins, ",\n"), "Commit": openNICCommit,
		"PortSize": fmt.Sprintf("0x%X", 1<<width["s_axil_awaddr"])}
	err = w.texts(values, "build_box_322mhz.tcl", "opennic_build.tcl.tmpl", "box_322mhz/user_plugin_322mhz_inst.vh", "opennic_inst.vh.tmpl",
		"README.md", "opennic_README.md.tmpl")
	const direct = "The box's registers go straight to its one user logic: there is no "
	w.Others = append(w.Others,
		gen.File{Name: "box_322mhz/box_322mhz_address_map.v", Text: "// " + direct + "map of addresses.\n"},
		gen.File{Name: "box_322mhz/box_322mhz_address_map_inst.vh", Text: "// " + direct + "map of addresses.\n"},
		gen.File{Name: "box_322mhz/box_322mhz_axi_crossbar.tcl", Text: "# " + direct + "crossbar.\n"},
		gen.File{Name: "settings_cross.tcl", Text: constraints.CrossTcl}, gen.File{Name: "nic_wrap_sync.tcl", Text: syncTcl})
	return w, err
}

// lite are the signals of an AXI4-Lite port of the unit.
var lite = []string{"awaddr", "awvalid", "awready", "wdata", "wstrb", "wvalid", "wready", "bresp", "bvalid", "bready",
	"araddr", "arvalid", "arready", "rdata", "rresp", "rvalid", "rready"}

// pad returns a single bit with zeros above it.
func pad(bit string, width int) string {
	if width == 1 {
		return bit
	}
	return fmt.Sprintf("{%d'd0, %s}", width-1, bit)
}

// widths returns the widths of the unit's ports.
func widths(cfg gen.Config, names ...string) (map[string]int, error) {
	out := map[string]int{}
	for _, n := range names {
		b, err := bits(cfg, n)
		if err != nil {
			return nil, err
		}
		out[n] = b
	}
	return out, nil
}
