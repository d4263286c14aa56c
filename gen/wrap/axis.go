// SPDX-License-Identifier: Apache-2.0

package wrap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/constraints"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/vivado"
)

// axisPorts returns the unit's ports without the time and the trace, with the MAC's clocks and an
// outer time.
func axisPorts(cfg gen.Config) *list {
	l := &list{group: "Clocks, resets: synchronous, active high"}
	l.bus(gen.In, "", "clk", "rst", "tx_clk", "tx_rst", "rx_clk", "rx_rst")
	l.group = "Time, in clk"
	l.bus(gen.In, "s_time_", "locked", "ns 48")
	for _, p := range cfg.Ports() {
		if inner(p.Name) {
			continue
		}
		l.group = p.Group + map[string]string{"m_axis_tx": ", in tx_clk", "s_axis_rx": ", in rx_clk"}[p.Name[:min(9, len(p.Name))]]
		w := p.Width
		if w == "" {
			w = "1"
		}
		l.add(p.Dir, p.Name, w)
	}
	l.group = "Frames dropped: too long, or no room; evt_rx_drop is in rx_clk"
	l.bus(gen.Out, "evt_", "tx_drop", "rx_drop")
	return l
}

// inner reports whether a port of the unit is not a port of the wrapper.
func inner(name string) bool {
	return slices.Contains([]string{"clk", "rst", "now_ns"}, name) || strings.HasPrefix(name, "m_trace_") || drops(name)
}

// drops reports whether a port of the unit counts the drops of the wrapper's queues.
func drops(name string) bool { return strings.HasPrefix(name, "s_mac_") }

// axis wraps the unit with plain streams.
func axis(e gen.Emission) (*Wrapper, error) {
	top := e.Unit() + "_axis"
	width, err := widths(e.Config, "s_axil_awaddr", "s_axis_tx_tuser", "s_axis_rx_tuser", "s_axis_tx_tdata", "s_mac_rx_drop_cnt")
	if err != nil {
		return nil, err
	}
	if width["s_axis_tx_tdata"] != 512 {
		return nil, fmt.Errorf("beats of %d bits, want 512", width["s_axis_tx_tdata"])
	}
	n := nets{"clk": "clk", "rst": "rst", "now_ns": "now_ns"}
	for _, p := range e.Ports() {
		switch {
		case drops(p.Name):
			n[p.Name] = strings.TrimPrefix(p.Name, "s_mac_")
		case strings.HasPrefix(p.Name, "m_axis_tx_"), strings.HasPrefix(p.Name, "s_axis_rx_"):
			n[p.Name] = p.Name[len("x_axis_"):]
		case !inner(p.Name):
			n[p.Name] = p.Name
		}
	}
	inst, err := instance(e.Config, "u_transport", "  ", n)
	if err != nil {
		return nil, err
	}
	type side struct {
		Name, Pad string
		High      int
	}
	var sides []side
	for _, way := range []string{"tx", "rx"} {
		high := width["s_axis_"+way+"_tuser"] - 1
		sides = append(sides, side{way, strings.Repeat(" ", len("511")-len(fmt.Sprint(high))), high})
	}
	text, err := fill(e.Unit()+"_axis.sv.tmpl", map[string]any{
		"Unit": e.Unit(), "Instance": inst, "Sides": sides, "TxWidth": 512 + 64 + width["s_axis_tx_tuser"], "RxWidth": 512 + 64 + width["s_axis_rx_tuser"], "CountBits": width["s_mac_rx_drop_cnt"],
		"Header": axisPorts(e.Config).header(top, []parameter{{"MAC_CLOCK", "0"}, {"TX_DEPTH", "512"}, {"RX_DEPTH", "512"}, {"CLK_NUM", "4"}, {"CLK_DENOM", "1"}}),
	})
	if err != nil {
		return nil, err
	}
	w := &Wrapper{Name: top, Top: top, Crossings: []string{"nic_lib_frames_cross.tcl", "settings_cross.tcl", "nic_wrap_sync.tcl"},
		Alone: map[string]string{"MAC_CLOCK": "1"}, // else it has one clock
		Clocks: []vivado.Clock{{Name: "clk", NS: core}, {Name: "tx_clk", NS: vivado.PeriodNS, Ports: []string{"tx_rst", "m_axis_tx_*"}},
			{Name: "rx_clk", NS: vivado.PeriodNS, Ports: []string{"rx_rst", "s_axis_rx_*", "evt_rx_drop"}}}}
	if w.Parts, err = shared("frames_cross"); err != nil {
		return nil, err
	}
	w.Sources, err = parts("settings_cross", "nic_wrap_sync", "nic_wrap_time")
	if err != nil {
		return nil, err
	}
	w.Sources = append(w.Sources, gen.File{Name: top + ".sv", Text: text})
	err = w.texts(map[string]any{"Unit": e.Unit(), "Top": top, "Library": gen.Prefixed(e.Prefix, gen.Library), "AddrBits": width["s_axil_awaddr"],
		"TagBits": width["s_axis_tx_tuser"] - 1, "RxExtra": width["s_axis_rx_tuser"] - 1}, "README.md", "axis_README.md.tmpl")
	w.Others = append(w.Others, gen.File{Name: "nic_lib_frames_cross.tcl", Text: constraints.FramesTcl}, gen.File{Name: "settings_cross.tcl", Text: constraints.CrossTcl}, gen.File{Name: "nic_wrap_sync.tcl", Text: syncTcl})
	return w, err
}
