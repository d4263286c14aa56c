// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"
	"slices"
	"strings"
)

// traced is a field of the trace.
type traced struct {
	name string // of the port, without its prefix
	net  string
	bits int
}

// seen are the nets behind the trace, by module and event: an expression for its occurrence, and
// its fields as one expression or as one for each field.
var seen = map[string]map[string][]string{
	"tx": {
		"release": {"release_valid", "release_conn", "release_echo ? '0 : release_psn"},
		"enter":   {"enter_valid", "enter_conn", "enter_psn", "enter_dropped"},
		"sample":  {"m_sample_valid", ""},
		"send":    {"m_send_valid", "m_send_conn", "!gate_valid"},
		"echo":    {"m_ask_valid", "m_ask_conn", "m_ask_psn"},
	},
	"rx": {
		"ack":  {"m_ack_valid", "m_conn", "m_psn", "m_nak"},
		"data": {"m_data_valid", "m_conn", "m_psn", "x_ev", "x_ce"},
	},
	"path": {
		"back":    {"back_valid", "back_conn", "back_ev", "back_mark"},
		"fail":    {"fail_valid", "fail_conn"},
		"measure": {"laps_s_ack_valid && laps_s_ack_ready", "laps_s_ack_flow", "laps_s_ack_seq", "laps_s_ack_pid", "laps_s_ack_delay_ns"},
		"rate":    {"m_rate_valid", "m_rate_conn", "m_rate_inv"},
		"lost":    {"laps_m_lost_valid", "laps_m_lost_flow", "laps_m_lost_seq", "laps_m_lost_timeout"},
	},
	"window": {"win": {"m_win_valid", "m_win_conn", "m_win_bytes", "m_win_inv"}},
}

// traced returns the fields of the trace by the module that they come from, in the order of the ports.
func (p *Params) traced() map[string][]traced {
	list := map[string][]traced{}
	for _, e := range p.TraceEvents() {
		for module, events := range seen {
			nets, ok := events[e.Name]
			if !ok {
				continue
			}
			for i, f := range append([]TraceField{{Name: "valid", Bits: 1}}, e.Fields...) {
				x := traced{name: e.Name + "_" + f.Name, bits: int(f.Bits)}
				if nets[1] == "" && i == 1 { // the fields are the highest bits of the sample
					n := 0
					for _, f := range e.Fields {
						n += int(f.Bits)
					}
					x.net = fmt.Sprintf("m_sample[%d:%d]", sampleBits-1, sampleBits-n)
				} else if nets[1] != "" || i == 0 {
					x.net = nets[i]
				}
				list[module] = append(list[module], x)
			}
		}
	}
	return list
}

// trace connects the trace of a module.
func (p *Params) trace(m module) string {
	concat := func(list []string) string { return "{" + strings.Join(list, ", ") + "}" }
	if m.Name == "nic_transport" {
		var names []string
		for _, name := range slices.Backward(p.traceOrder()) {
			for _, x := range p.traced()[name] {
				names = append(names, "m_trace_"+x.name)
			}
		}
		return "  assign " + concat(names) + " = trace;\n  assign m_trace_recover_valid = evt_recovered;\n"
	}
	var nets []string
	for _, x := range p.traced()[m.Name] {
		if strings.Contains(x.net, "?") || strings.Contains(x.net, "&&") {
			x.net = "(" + x.net + ")"
		}
		if x.net != "" {
			nets = append(nets, x.net)
		}
	}
	if len(nets) == 0 {
		return ""
	}
	return "  // ---------------------------------------------------------------- trace\n\n  assign trace = " + concat(nets) + ";\n"
}

// traceOrder returns the modules with a trace, the lowest first.
func (p *Params) traceOrder() (list []string) {
	for _, m := range p.tree() {
		if m.Name != "core" {
			continue
		}
		for _, name := range m.Inner {
			if len(p.traced()[name]) > 0 {
				list = append(list, name)
			}
		}
	}
	return list
}
