// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// module is a module of the block's own.
type module struct {
	Name     string   // by which others instantiate it
	Template string   // its text, and the end of its name
	Parts    []string // units in it
	Inner    []string // modules in it that have units
}

// tree returns the block's own modules, by the variant that the configuration chooses. A module
// precedes the modules in it.
func (p *Params) tree() []module {
	list := []module{
		{Name: "nic_transport", Template: "nic_transport", Inner: []string{"core"}},
		{Name: "registers", Template: "registers"},
	}
	add := func(name, template string, parts ...string) string {
		list = append(list, module{Name: name, Template: template, Parts: parts})
		return name
	}
	within := func(name string, inner ...string) string {
		list = append(list, module{Name: name, Template: name, Inner: inner})
		return name
	}
	out := []string{"tx_edit"}
	if p.HasShim() {
		out = append(out, "shims")
	}
	rx := []string{"rx_classify", "rx_events"}
	if p.List > 0 {
		rx = append(rx, "rx_lists")
	}
	core := []string{"tx", "rx", "find"}
	if p.HasPath() {
		core = append(core, "path")
	}
	if p.HasWindow() {
		core = append(core, "window")
	}

	within("core", core...)
	within("tx", "tx_classify", "tx_queues", "tx_out")
	add("tx_classify", "tx_classify", "parse_tx")
	within("tx_queues", "tx_store", "tx_schedule")
	add("tx_store", "tx_store", "queue")
	add("tx_schedule", "tx_schedule", "gate", "pace")
	within("tx_out", out...)
	if p.HasPath() {
		add("tx_ask", "tx_ask")
	}
	add("tx_edit", "tx_edit", "edit")
	if p.HasShim() {
		add("shims", "shims_"+p.shims(), "shim")
		add("bodies", "bodies")
	}
	within("rx", rx...)
	add("rx_classify", "rx_classify_"+p.receive(), "parse_rx")
	if p.rxStore() && p.RxUserBits > 1 {
		add("rx_tags", "rx_tags")
	}
	add("rx_events", "rx_events", "echo")
	if p.List > 0 {
		add("rx_lists", "rx_lists", "feedback")
	}
	add("find", "find", "lookup")
	add("profiles", "profiles")
	switch p.Path {
	case None:
	case REPS:
		add("path", "path_reps", "reps", "reps_detector")
	case LAPS:
		add("path", "path_laps", "laps", "probe")
		add("delays", "delays")
	default:
		add("path", "path_"+p.Path, p.Path)
	}
	if p.HasWindow() {
		add("window", "window_"+p.Telemetry, "powertcp")
	}
	add("recovery", "recovery")
	own := []string{"intake", "frames", "leave", "watch"}
	if p.hasRates() {
		own = append(own, "rate")
	}
	for _, name := range own {
		add(name, name)
	}
	return list
}

// receive returns the classification of frames from the wire: some end in the block, or all pass.
func (p *Params) receive() string {
	if p.rxStore() {
		return "store"
	}
	return "pass"
}

// shims returns the contents of the shims.
func (p *Params) shims() string {
	if p.HasLAPS() {
		return LAPS
	}
	return INT
}

// A layout assigns places to the modules' registers and trace: software's settings and commands are
// one vector, the parts' outputs are another one. The places of a module's parts are next to each
// other.
type layout struct {
	width map[string]map[string]int // by vector, cfg, sts or trace, and module
	from  map[string]map[string]int // the lowest bit of a module's place, in the vector of its parent
	port  map[string]place          // of a part's port, by its net, in the vector of its module
	abs   map[string]place          // and within the block's
	now   map[string]int            // bits of the time
}

// place is the position of a port in a vector.
type place struct {
	vector   string
	low, len int
}

// String returns the place as an expression.
func (x place) String() string { return x.vector + span(x.low, x.len) }

// span selects bits of a vector.
func span(low, bits int) string {
	if bits == 1 {
		return fmt.Sprintf("[%d]", low)
	}
	return fmt.Sprintf("[%d:%d]", low+bits-1, low)
}

// layout places the ports of all parts that registers have.
func (p *Params) layout() layout {
	vectors := []string{"cfg", "sts", "trace"}
	at := layout{width: map[string]map[string]int{}, from: map[string]map[string]int{}, port: map[string]place{}, abs: map[string]place{}, now: map[string]int{}}
	for _, v := range vectors {
		at.width[v], at.from[v] = map[string]int{}, map[string]int{}
	}
	soft := map[string]bool{}
	for _, q := range p.registers().Ports() {
		soft[q.Name] = true
	}
	parts := map[string]gen.Config{}
	for _, x := range p.Parts() {
		parts[x.Name] = x.Config
	}
	modules := map[string]module{}
	for _, m := range p.tree() {
		modules[m.Name] = m
	}
	var place1 func(name string, base map[string]int)
	place1 = func(name string, base map[string]int) {
		m := modules[name]
		n := map[string]int{}
		for _, part := range m.Parts {
			for _, q := range parts[part].Ports() {
				if q.Name == "now_ns" {
					at.now[name] = max(at.now[name], q.Bits)
				}
				net := part + "_" + q.Name
				if !soft[net] {
					continue
				}
				v := "cfg"
				if q.Dir == gen.Out {
					v = "sts"
				}
				at.port[net] = place{v, n[v], q.Bits}
				at.abs[net] = place{v, base[v] + n[v], q.Bits}
				n[v] += q.Bits
			}
		}
		if p.HasLAPS() && (name == "shims" || name == "rx_events") {
			at.now[name] = NowBits
		}
		for _, inner := range m.Inner {
			there := map[string]int{}
			for _, v := range vectors {
				there[v] = base[v] + n[v]
			}
			place1(inner, there)
			for _, v := range vectors {
				at.from[v][inner] = n[v]
				n[v] += at.width[v][inner]
			}
			at.now[name] = max(at.now[name], at.now[inner])
		}
		for _, e := range p.traced()[name] {
			n["trace"] += e.bits
		}
		for _, v := range vectors {
			at.width[v][name] = n[v]
		}
	}
	place1("nic_transport", map[string]int{})
	for _, v := range vectors {
		at.width[v]["registers"] = at.width[v]["nic_transport"]
	}
	return at
}

// values returns the widths of a module's vectors, and the places of its submodules in them.
func (at layout) values(m module) map[string]any {
	inner := func(vector string) map[string]string {
		list := map[string]string{}
		for _, name := range m.Inner {
			list[name] = span(at.from[vector][name], at.width[vector][name])
		}
		return list
	}
	now, timed := map[string]string{}, map[string]bool{}
	for _, name := range m.Inner {
		timed[name] = at.now[name] > 0
		if n := at.now[name]; n < at.now[m.Name] {
			now[name] = span(0, n)
		} else {
			now[name] = ""
		}
	}
	return map[string]any{
		"CfgW": at.width["cfg"][m.Name], "StsW": at.width["sts"][m.Name], "TraceW": at.width["trace"][m.Name], "NowW": at.now[m.Name],
		"CfgAt": inner("cfg"), "StsAt": inner("sts"), "TraceAt": inner("trace"), "NowAt": now, "Timed": timed,
	}
}
