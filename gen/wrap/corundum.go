// SPDX-License-Identifier: Apache-2.0

package wrap

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/vivado"
)

// Constants of Corundum. The port list is checked against testdata/corundum.txt.
const (
	// AppID is the required value of APP_ID in config.tcl; the driver's auxiliary device carries
	// it.
	AppID = 0x4E47_0001
	// StatBase is the first number of a statistics counter of the block; lower numbers belong to
	// PCIe, DMA and the board.
	StatBase = 1024
	// StatPort is the distance between the counters of one port and the next one's.
	StatPort = 16
	// corundumCommit is the commit whose port list is recorded.
	corundumCommit = "1ca0151b97af85aa5dd306d74b6bcec65904d2ce"
	// appFolder is the location of the emitted folders within the folder of a board.
	appFolder = "app/nicgen/rtl"
)

// A counter is sent on the statistics stream.
type counter struct{ Name, Event, Meaning string }

// statistics are the counters of each port, by their offset from the port's first number.
var statistics = []counter{
	{"tx_frames_in", "s_axis_sync_tx_tvalid[g] && s_axis_sync_tx_tready[g] && s_axis_sync_tx_tlast[g]", "frames from the host"},
	{"tx_frames_out", "m_axis_sync_tx_tvalid[g] && m_axis_sync_tx_tready[g] && m_axis_sync_tx_tlast[g]", "frames to the MAC"},
	{"tx_beats_out", "m_axis_sync_tx_tvalid[g] && m_axis_sync_tx_tready[g]", "their beats of 64 bytes"},
	{"rx_frames_in", "s_axis_sync_rx_tvalid[g] && s_axis_sync_rx_tready[g] && s_axis_sync_rx_tlast[g]", "frames from the MAC"},
	{"rx_beats_in", "s_axis_sync_rx_tvalid[g] && s_axis_sync_rx_tready[g]", "their beats of 64 bytes"},
	{"rx_frames_out", "m_axis_sync_rx_tvalid[g] && m_axis_sync_rx_tready[g] && m_axis_sync_rx_tlast[g]", "frames to the host"},
	{"rx_held", "s_axis_sync_rx_tvalid[g] && !s_axis_sync_rx_tready[g]", "cycles in which a frame from the MAC had to wait"},
	{"cpl_entry", "cpl_valid", "completions given when a packet entered a queue"},
	{"cpl_mac", "mac_passed", "completions of the MAC passed on"},
	{"cpl_own", "mac_own", "completions of the MAC of packets that the block made or had completed"},
	{"cpl_lost", "cpl_lost", "completions lost for want of room: 0, or the TX engine's table is larger than assumed"},
	{"flow_off", "flow_valid && flow_off", "queues of connections that became too full: XOFF"},
	{"flow_on", "flow_valid && !flow_off", "queues that have room again: XON"},
}

// corundumParameters returns the parameters of mqnic_app_block.
func corundumParameters() []parameter {
	var out []parameter
	add := func(pairs ...string) {
		for i := 0; i < len(pairs); i += 2 {
			out = append(out, parameter{pairs[i], pairs[i+1]})
		}
	}
	add("IF_COUNT", "1", "PORTS_PER_IF", "1", "SCHED_PER_IF", "PORTS_PER_IF", "PORT_COUNT", "IF_COUNT*PORTS_PER_IF",
		"CLK_PERIOD_NS_NUM", "4", "CLK_PERIOD_NS_DENOM", "1", "PTP_CLK_PERIOD_NS_NUM", "4", "PTP_CLK_PERIOD_NS_DENOM", "1",
		"PTP_TS_WIDTH", "96", "PTP_PORT_CDC_PIPELINE", "0", "PTP_PEROUT_ENABLE", "0", "PTP_PEROUT_COUNT", "1",
		"PTP_TS_ENABLE", "1", "TX_TAG_WIDTH", "16", "MAX_TX_SIZE", "9214", "MAX_RX_SIZE", "9214")
	for _, m := range []string{"DDR", "HBM"} {
		a := "AXI_" + m + "_"
		add(m+"_CH", "1", m+"_ENABLE", "0", m+"_GROUP_SIZE", "1", a+"DATA_WIDTH", "256", a+"ADDR_WIDTH", "32",
			a+"STRB_WIDTH", a+"DATA_WIDTH/8", a+"ID_WIDTH", "8")
		for _, c := range []string{"AW", "W", "B", "AR", "R"} {
			add(a+c+"USER_ENABLE", "0", a+c+"USER_WIDTH", "1")
		}
		add(a+"MAX_BURST_LEN", "256", a+"NARROW_BURST", "0", a+"FIXED_BURST", "0", a+"WRAP_BURST", "0")
	}
	add("APP_ID", fmt.Sprintf("32'h%08X", AppID), "APP_CTRL_ENABLE", "1", "APP_DMA_ENABLE", "1", "APP_AXIS_DIRECT_ENABLE", "1",
		"APP_AXIS_SYNC_ENABLE", "1", "APP_AXIS_IF_ENABLE", "1", "APP_STAT_ENABLE", "1", "APP_GPIO_IN_WIDTH", "32",
		"APP_GPIO_OUT_WIDTH", "32",
		"DMA_ADDR_WIDTH", "64", "DMA_IMM_ENABLE", "0", "DMA_IMM_WIDTH", "32", "DMA_LEN_WIDTH", "16", "DMA_TAG_WIDTH", "16",
		"RAM_SEL_WIDTH", "4", "RAM_ADDR_WIDTH", "16", "RAM_SEG_COUNT", "2", "RAM_SEG_DATA_WIDTH", "256*2/RAM_SEG_COUNT",
		"RAM_SEG_BE_WIDTH", "RAM_SEG_DATA_WIDTH/8", "RAM_SEG_ADDR_WIDTH", "RAM_ADDR_WIDTH-$clog2(RAM_SEG_COUNT*RAM_SEG_BE_WIDTH)",
		"RAM_PIPELINE", "2")
	for _, a := range []string{"AXIL_APP_CTRL_", "AXIL_CTRL_"} {
		add(a+"DATA_WIDTH", "32", a+"ADDR_WIDTH", "16", a+"STRB_WIDTH", a+"DATA_WIDTH/8")
	}
	add("AXIS_DATA_WIDTH", "512", "AXIS_KEEP_WIDTH", "AXIS_DATA_WIDTH/8", "AXIS_TX_USER_WIDTH", "TX_TAG_WIDTH+1",
		"AXIS_RX_USER_WIDTH", "(PTP_TS_ENABLE != 0 ? PTP_TS_WIDTH : 0)+1", "AXIS_RX_USE_READY", "0",
		"AXIS_SYNC_DATA_WIDTH", "AXIS_DATA_WIDTH", "AXIS_SYNC_KEEP_WIDTH", "AXIS_SYNC_DATA_WIDTH/8",
		"AXIS_SYNC_TX_USER_WIDTH", "AXIS_TX_USER_WIDTH", "AXIS_SYNC_RX_USER_WIDTH", "AXIS_RX_USER_WIDTH",
		"AXIS_IF_DATA_WIDTH", "AXIS_SYNC_DATA_WIDTH*2**$clog2(PORTS_PER_IF)", "AXIS_IF_KEEP_WIDTH", "AXIS_IF_DATA_WIDTH/8",
		"AXIS_IF_TX_ID_WIDTH", "12", "AXIS_IF_RX_ID_WIDTH", "PORTS_PER_IF > 1 ? $clog2(PORTS_PER_IF) : 1",
		"AXIS_IF_TX_DEST_WIDTH", "$clog2(PORTS_PER_IF)+4", "AXIS_IF_RX_DEST_WIDTH", "8",
		"AXIS_IF_TX_USER_WIDTH", "AXIS_SYNC_TX_USER_WIDTH", "AXIS_IF_RX_USER_WIDTH", "AXIS_SYNC_RX_USER_WIDTH",
		"STAT_ENABLE", "1", "STAT_INC_WIDTH", "24", "STAT_ID_WIDTH", "12")
	return out
}

// A tap is a place at which the block sees frames: a stream for each of n, with the widths in p.
type tap struct{ name, n, p string }

var taps = []tap{{"direct", "PORT_COUNT", "AXIS_"}, {"sync", "PORT_COUNT", "AXIS_SYNC_"}, {"if", "IF_COUNT", "AXIS_IF_"}}

// stream returns the signals of a tap in a direction, "tx" or "rx".
func (t tap) stream(way string) []string {
	up := strings.ToUpper(way)
	out := []string{"tdata " + times(t.n, t.p+"DATA_WIDTH"), "tkeep " + times(t.n, t.p+"KEEP_WIDTH"), "tvalid " + t.n, "<tready " + t.n, "tlast " + t.n}
	if t.name == "if" {
		out = append(out, "tid "+times(t.n, t.p+up+"_ID_WIDTH"), "tdest "+times(t.n, t.p+up+"_DEST_WIDTH"))
	}
	return append(out, "tuser "+times(t.n, t.p+up+"_USER_WIDTH"))
}

// completion returns the signals of a tap's completions.
func (t tap) completion() []string {
	return []string{"ts " + times(t.n, "PTP_TS_WIDTH"), "tag " + times(t.n, "TX_TAG_WIDTH"), "valid " + t.n, "<ready " + t.n}
}

// corundumPorts returns the ports of mqnic_app_block.
func corundumPorts() *list {
	l := &list{}
	in, out := gen.In, gen.Out
	l.group = "Clock, reset"
	l.bus(in, "", "clk", "rst")
	l.group = "Registers, from the host"
	l.lite(in, "s_axil_app_ctrl_", "AXIL_APP_CTRL_ADDR_WIDTH", "AXIL_APP_CTRL_DATA_WIDTH", "AXIL_APP_CTRL_STRB_WIDTH")
	l.group = "Registers of the NIC"
	l.lite(out, "m_axil_ctrl_", "AXIL_CTRL_ADDR_WIDTH", "AXIL_CTRL_DATA_WIDTH", "AXIL_CTRL_STRB_WIDTH")
	for _, use := range []string{"ctrl", "data"} {
		l.group = "DMA of " + use
		desc := []string{"dma_addr DMA_ADDR_WIDTH", "ram_sel RAM_SEL_WIDTH", "ram_addr RAM_ADDR_WIDTH"}
		imm := []string{"imm DMA_IMM_WIDTH", "imm_en"}
		end := []string{"len DMA_LEN_WIDTH", "tag DMA_TAG_WIDTH", "valid", "<ready"}
		status := []string{"tag DMA_TAG_WIDTH", "error 4", "valid"}
		l.bus(out, "m_axis_"+use+"_dma_read_desc_", append(desc[:3:3], end...)...)
		l.bus(in, "s_axis_"+use+"_dma_read_desc_status_", status...)
		l.bus(out, "m_axis_"+use+"_dma_write_desc_", append(append(desc[:3:3], imm...), end...)...)
		l.bus(in, "s_axis_"+use+"_dma_write_desc_status_", status...)
	}
	for _, use := range []string{"ctrl", "data"} {
		l.group = "RAM for DMA of " + use
		seg := func(w string) string { return times("RAM_SEG_COUNT", "RAM_"+w) }
		one := "RAM_SEG_COUNT"
		l.bus(in, use+"_dma_ram_", "wr_cmd_sel "+seg("SEL_WIDTH"), "wr_cmd_be "+seg("SEG_BE_WIDTH"), "wr_cmd_addr "+seg("SEG_ADDR_WIDTH"),
			"wr_cmd_data "+seg("SEG_DATA_WIDTH"), "wr_cmd_valid "+one, "<wr_cmd_ready "+one, "<wr_done "+one,
			"rd_cmd_sel "+seg("SEL_WIDTH"), "rd_cmd_addr "+seg("SEG_ADDR_WIDTH"), "rd_cmd_valid "+one, "<rd_cmd_ready "+one,
			"<rd_resp_data "+seg("SEG_DATA_WIDTH"), "<rd_resp_valid "+one, "rd_resp_ready "+one)
	}
	l.group = "PTP"
	l.bus(in, "ptp_", "clk", "rst", "sample_clk", "td_sd", "pps", "pps_str", "sync_locked", "sync_ts_rel PTP_TS_WIDTH", "sync_ts_rel_step",
		"sync_ts_tod PTP_TS_WIDTH", "sync_ts_tod_step", "sync_pps", "sync_pps_str", "perout_locked PTP_PEROUT_COUNT",
		"perout_error PTP_PEROUT_COUNT", "perout_pulse PTP_PEROUT_COUNT")
	for _, t := range taps {
		l.group = map[string]string{"direct": "Frames, at the MACs", "sync": "Frames, for each port", "if": "Frames, for each interface"}[t.name]
		way := func(w string, completion bool) {
			if t.name == "direct" {
				l.bus(in, "direct_"+w+"_", "clk "+t.n, "rst "+t.n)
			}
			l.bus(in, "s_axis_"+t.name+"_"+w+"_", t.stream(w)...)
			l.bus(out, "m_axis_"+t.name+"_"+w+"_", t.stream(w)...)
			if completion {
				l.bus(in, "s_axis_"+t.name+"_"+w+"_cpl_", t.completion()...)
				l.bus(out, "m_axis_"+t.name+"_"+w+"_cpl_", t.completion()...)
			}
		}
		way("tx", true)
		way("rx", false)
	}
	for _, m := range []string{"DDR", "HBM"} {
		l.group = m
		low, n := strings.ToLower(m), m+"_CH"
		w := func(p string) string { return times(n, "AXI_"+m+"_"+p+"_WIDTH") }
		address := func(c string) []string {
			return []string{c + "id " + w("ID"), c + "addr " + w("ADDR"), c + "len " + n + "*8", c + "size " + n + "*3", c + "burst " + n + "*2",
				c + "lock " + n, c + "cache " + n + "*4", c + "prot " + n + "*3", c + "qos " + n + "*4",
				c + "user " + w(strings.ToUpper(c)+"USER"), c + "valid " + n, "<" + c + "ready " + n}
		}
		l.bus(in, low+"_", "clk "+n, "rst "+n)
		l.bus(out, "m_axi_"+low+"_", append(append(address("aw"),
			"wdata "+w("DATA"), "wstrb "+w("STRB"), "wlast "+n, "wuser "+w("WUSER"), "wvalid "+n, "<wready "+n,
			"<bid "+w("ID"), "<bresp "+n+"*2", "<buser "+w("BUSER"), "<bvalid "+n, "bready "+n),
			append(address("ar"), "<rid "+w("ID"), "<rdata "+w("DATA"), "<rresp "+n+"*2", "<rlast "+n, "<ruser "+w("RUSER"),
				"<rvalid "+n, "rready "+n)...)...)
		l.bus(in, low+"_", "status "+n)
	}
	l.group = "Statistics"
	l.bus(out, "m_axis_stat_", "tdata STAT_INC_WIDTH", "tid STAT_ID_WIDTH", "tvalid", "<tready")
	l.group = "GPIO, JTAG"
	l.bus(in, "gpio_", "in APP_GPIO_IN_WIDTH", "<out APP_GPIO_OUT_WIDTH")
	l.bus(in, "jtag_", "tdi", "<tdo", "tms", "tck")
	return l
}

// declared matches the declaration of a parameter.
var declared = regexp.MustCompile(`parameter int unsigned +\w+`)

// corundum wraps the unit as Corundum's application block.
func corundum(e gen.Emission) (*Wrapper, error) {
	const top = "mqnic_app_block"
	const depth = 64
	width, err := widths(e.Config, "s_axil_awaddr", "s_axis_tx_tuser", "s_axis_rx_tuser", "s_axis_tx_tdata")
	if err != nil {
		return nil, err
	}
	lane := func(name, width string) string { return fmt.Sprintf("%s[g*%s +: %s]", name, width, width) }
	n := nets{"clk": "clk", "rst": "rst", "now_ns": "now_ns", "m_cpl_valid": "cpl_valid", "m_cpl_tag": "cpl_tag",
		"m_flow_valid": "flow_valid", "s_mac_tx_drop_cnt": "'0", "s_mac_rx_drop_cnt": "'0", "m_flow_ready": "1'b1", "m_flow_off": "flow_off", "irq": "irq[g]"}
	for _, way := range []string{"tx", "rx"} {
		for _, side := range []string{"s", "m"} {
			for _, s := range []string{"tdata DATA_W", "tkeep KEEP_W", "tvalid", "tready", "tlast", "tuser " + strings.ToUpper(way) + "_USER_W"} {
				signal, w, wide := strings.Cut(s, " ")
				net := fmt.Sprintf("%s_axis_sync_%s_%s", side, way, signal)
				if wide {
					net = lane(net, w)
				} else {
					net += "[g]"
				}
				n[side+"_axis_"+way+"_"+signal] = net
			}
		}
	}
	for _, s := range lite {
		n["s_axil_"+s] = "axil_" + s + map[string]string{"awaddr": "", "araddr": "", "wdata": "", "wstrb": "", "bresp": "[g*2 +: 2]", "rresp": "[g*2 +: 2]",
			"rdata": "[g*32 +: 32]"}[s]
		if strings.HasSuffix(s, "valid") || strings.HasSuffix(s, "ready") {
			n["s_axil_"+s] += "[g]"
		}
	}
	inst, err := instance(e.Config, "u_transport", "    ", n)
	if err != nil {
		return nil, err
	}

	ports, params := corundumPorts(), corundumParameters()
	var passed, tied []string
	for _, p := range ports.ports {
		switch v, use := corundumOutput(p); {
		case p.dir == gen.In || use == done:
		case use == pass:
			passed = append(passed, p.name, v)
		default:
			tied = append(tied, p.name, v)
		}
	}
	var events []string
	for i := len(statistics) - 1; i >= 0; i-- {
		events = append(events, "      "+statistics[i].Event)
	}
	values := map[string]any{
		"Unit": e.Unit(), "AddrBits": width["s_axil_awaddr"], "TagBits": width["s_axis_tx_tuser"] - 1, "RxUserBits": width["s_axis_rx_tuser"],
		"StatPort": StatPort, "StatBase": StatBase, "CplDepth": depth, "Header": ports.header(top, params), "Instance": inst,
		"Spare": StatPort - len(statistics), "Events": strings.Join(events, ",\n"), "Passed": assigns("  ", passed), "Tied": assigns("  ", tied),
		"Checks": strings.Join([]string{
			check("app_id", fmt.Sprintf("APP_ID != 32'h%08X", AppID), fmt.Sprintf("APP_ID must be 32'h%08X: set it in config.tcl", AppID)),
			check("data", fmt.Sprintf("AXIS_SYNC_DATA_WIDTH != %d", width["s_axis_tx_tdata"]), fmt.Sprintf("AXIS_SYNC_DATA_WIDTH must be %d", width["s_axis_tx_tdata"])),
			check("tx_user", fmt.Sprintf("AXIS_SYNC_TX_USER_WIDTH != %d || TX_TAG_WIDTH != %d", width["s_axis_tx_tuser"], width["s_axis_tx_tuser"]-1),
				"tags have another width here: emit the block with --tx-user-bits AXIS_SYNC_TX_USER_WIDTH"),
			check("rx_user", fmt.Sprintf("AXIS_SYNC_RX_USER_WIDTH != %d", width["s_axis_rx_tuser"]),
				"time stamps are other here: emit the block with --rx-user-bits AXIS_SYNC_RX_USER_WIDTH"),
			check("axil", "AXIL_APP_CTRL_DATA_WIDTH != 32", "AXIL_APP_CTRL_DATA_WIDTH must be 32"),
			check("ptp", "PTP_TS_WIDTH != 96", "PTP_TS_WIDTH must be 96"),
		}, ""),
		"Sinks": "", "TimeOfDay": timeOfDay(e.Config),
	}
	text, err := fill(top+".sv.tmpl", values)
	if err != nil {
		return nil, err
	}
	// The text shows which ports nothing reads.
	_, body, _ := strings.Cut(text, ");\n")
	var names, numbers []string
	for _, p := range ports.ports {
		if p.dir == gen.In {
			names = append(names, p.name)
		}
	}
	for _, p := range params {
		numbers = append(numbers, p.name)
	}
	idle := unread(names, body)
	if !timeOfDay(e.Config) {
		idle = append(idle, "ptp_sync_ts_rel") // except for the ns
	}
	values["Sinks"] = sink("unused_inputs", "  ", idle) + "\n" +
		sink("unused_parameters", "  ", unread(numbers, declared.ReplaceAllString(text, "")))
	if text, err = fill(top+".sv.tmpl", values); err != nil {
		return nil, err
	}
	w := &Wrapper{Name: e.Unit() + "_corundum", Top: top, Fixed: []string{top},
		Lint:   map[string]string{"AXIL_APP_CTRL_ADDR_WIDTH": "24"}, // set by the surrounding NIC; Corundum's default is too small
		Clocks: []vivado.Clock{{Name: "clk", NS: core}}}
	w.Alone = w.Lint
	if w.Parts, err = shared("fifo_lut"); err != nil {
		return nil, err
	}
	list := []string{"nic_wrap_time", "nic_wrap_axil_split", "nic_wrap_cpl", "nic_wrap_stat"}
	if timeOfDay(e.Config) {
		list = append(list, "nic_wrap_tod")
	}
	if w.Sources, err = parts(list...); err != nil {
		return nil, err
	}
	w.Sources = append(w.Sources, gen.File{Name: top + ".sv", Text: text})
	stamps := 0
	if width["s_axis_rx_tuser"] > 1 {
		stamps = 1
	}
	err = w.texts(map[string]any{"Unit": e.Unit(), "Folder": appFolder, "Files": w.Files(e), "AppID": AppID, "AddrBits": width["s_axil_awaddr"],
		"RxUserBits": width["s_axis_rx_tuser"], "TimeStamps": stamps, "CplDepth": depth, "Commit": corundumCommit, "StatBase": StatBase,
		"StatPort": StatPort, "Statistics": statistics, "PortSize": fmt.Sprintf("0x%X", 1<<width["s_axil_awaddr"])},
		"config.tcl", "corundum_config.tcl.tmpl", "files.mk", "corundum_files.mk.tmpl", "README.md", "corundum_README.md.tmpl")
	return w, err
}

// timeOfDay reports whether the unit compares times of several NICs, as LAPS does.
func timeOfDay(cfg gen.Config) bool {
	for _, f := range cfg.Fields() {
		if f.Key == "path" && f.Enum != nil {
			return *f.Enum == "laps"
		}
	}
	return false
}

// Treatments of an output.
const (
	done = iota // driven by the block
	pass        // by the signal on the tap's other side
	tie         // by something constant, or nearly so
)

// corundumOutput returns the value that an output is assigned, and the reason.
func corundumOutput(p port) (value string, use int) {
	switch n := p.name; {
	case strings.HasPrefix(n, "s_axil_app_ctrl_"), strings.Contains(n, "_axis_sync_"), strings.HasPrefix(n, "m_axis_stat_"), n == "gpio_out":
		return "", done
	case strings.HasPrefix(n, "m_axis_direct_"), strings.HasPrefix(n, "m_axis_if_"):
		return "s" + n[1:], pass
	case strings.HasPrefix(n, "s_axis_direct_"), strings.HasPrefix(n, "s_axis_if_"):
		return "m" + n[1:], pass
	case n == "m_axil_ctrl_bready", n == "m_axil_ctrl_rready":
		return "1'b1", tie
	case strings.HasSuffix(n, "_dma_ram_wr_cmd_ready"):
		return "'1", tie
	case strings.HasSuffix(n, "_dma_ram_wr_done"):
		return strings.TrimSuffix(n, "done") + "cmd_valid", tie
	case strings.HasSuffix(n, "_dma_ram_rd_cmd_ready"):
		return strings.TrimSuffix(n, "cmd_ready") + "resp_ready", tie
	case strings.HasSuffix(n, "_dma_ram_rd_resp_valid"):
		return strings.TrimSuffix(n, "resp_valid") + "cmd_valid", tie
	case n == "jtag_tdo":
		return "jtag_tdi", tie
	}
	return "'0", tie
}
