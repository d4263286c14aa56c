// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"embed"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/names"
	nicedit "github.com/nicgen/nicgen/gen/nic_edit"
	nicprobe "github.com/nicgen/nicgen/gen/nic_probe"
	nicshim "github.com/nicgen/nicgen/gen/nic_shim"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// Depths, and what is kept free in them for what is on its way.
const (
	store       = 32  // beats and frames of an intake
	storeMargin = 6   // beats that may come after s_room fell
	frameDepth  = 512 // beats of a frame memory
	frameCount  = 32  // frames
	out         = 32  // beats of a last queue
	outHigh     = 17  // beats from which on no more leave the memories: 13 are on their way
	watchBits   = 11  // of the cycles of a window in which a fault must last
	drainBits   = 8   // of the cycles in which what is under way comes to an end
	samples     = 16  // samples that wait for the window unit

	sampleTagBits = 21 // what goes with an ACK through the gate
	rateLatency   = 11 // cycles from a rate to its inverse
)

// PartModule is the name that a part's module has in the block: nic_transport_queue for nic_queue.
// The block has other configurations of the parts than those that stand alone.
func PartModule(name string) string { return "nic_transport" + strings.TrimPrefix(name, "nic") }

type profileField struct {
	Name string
	Bits int
}

// profileFields are the fields of a connection's profile, the lowest first.
var profileFields = []profileField{
	{"queue", 1}, {"path", 1}, {"flow", 1}, {"echo_tx", 1}, {"echo_rx", 1}, {"feedback", 1}, {"window", 1}, {"telemetry", 1},
	{"dscp_valid", 1}, {"dscp", 6}, {"ecn_valid", 1}, {"ecn", 2},
}

// fields are those of this configuration: with LAPS a destination follows.
func (p *Params) fields() []profileField {
	if p.HasLAPS() {
		return append(slices.Clone(profileFields), profileField{"dst", DstBits})
	}
	return profileFields
}

// counted are the events that the block's own counters count.
var counted = map[string]string{
	"tx_queued": "tx_begin && tx_queued", "tx_edited": "tx_begin && tx_edited", "tx_other": "tx_begin && !tx_queued && !tx_edited",
	"tx_short": "tx_go && tx_last && tx_short", "rx_frame": "x_frame_q", "rx_bad": "x_bad_q", "rx_data": "x_data_q", "rx_ack": "x_ack_q",
	"sample_lost": "sample_lost",
}

// Files implements gen.Config: those of the parts, each once, and the modules that wire them.
func (p *Params) Files() ([]gen.File, error) {
	shared, err := rtl.Parts(rtl.PartPrefix+"fifo_lut", rtl.PartPrefix+"delay", rtl.PartPrefix+"delay_ring", rtl.PartIn("ram", gen.BRAM))
	if p.hasRates() && err == nil {
		var more []gen.File
		more, err = rtl.Parts(rtl.PartPrefix+"normalise", rtl.PartPrefix+"recip")
		shared = append(shared, more...)
	}
	if err != nil {
		return nil, err
	}
	var parts []gen.File
	add := func(cfg gen.Config) error {
		list, err := cfg.Files()
		for _, f := range list {
			to := &parts
			if strings.HasPrefix(f.Name, rtl.PartPrefix) {
				to = &shared
			}
			if !slices.ContainsFunc(*to, func(g gen.File) bool { return g.Name == f.Name }) {
				*to = append(*to, f)
			}
		}
		return err
	}
	for _, part := range p.Parts() {
		if err := add(part.Config); err != nil {
			return nil, err
		}
	}
	if err := add(p.registers()); err != nil {
		return nil, err
	}
	own, err := p.modules()
	if err != nil {
		return nil, err
	}
	mine := names.Changes(parts, PartModule)
	return slices.Concat(shared, mine.Files(slices.Concat(parts, own))), nil
}

// Apart implements gen.Composite.
func (p *Params) Apart() (modules []string) {
	for _, part := range p.Parts() {
		if m := PartModule(part.Config.Top()); !slices.Contains(modules, m) {
			modules = append(modules, m)
		}
	}
	return append(modules, PartModule(p.registers().Top()))
}

// modules are the modules of the block's own.
func (p *Params) modules() ([]gen.File, error) {
	type field struct{ Name, Range string }
	type counter struct{ Name, Event string }
	var fields []field
	var high []string // names of a profile's fields, the highest first
	bits := 0
	for _, f := range p.fields() {
		fields = append(fields, field{f.Name, fmt.Sprintf("%-6s", sv.Range(width(f.Bits)))})
		high = append([]string{f.Name}, high...)
		bits += f.Bits
	}
	if bits != p.ProfileBits() {
		return nil, fmt.Errorf("profile of %d bits, want %d", bits, p.ProfileBits())
	}
	prefixed := func(prefix string) string { return prefix + strings.Join(high, ", "+prefix) }
	var counters []counter
	for _, c := range Counters {
		counters = append(counters, counter{c.Name, counted[c.Name]})
	}
	search := p.Lookup().SearchLatency()
	echo := "tx_found_profile[3]"
	if p.HasShim() {
		echo += " || tx_found_profile[7]"
	}
	path := ""
	if p.HasPath() {
		path = p.Path
	}
	rateNet := "win"
	if p.HasLAPS() {
		rateNet = "rate"
	}
	values := map[string]any{
		"Top": p.Top(), "Resets": p.resets(), "ResetW": longest(p.resets()), "CounterBits": p.CounterBits,
		"TagW": p.TxUserBits - 1, "RxTagW": p.RxUserBits - 1, "PSNW": p.PSNBits(), "KeyW": p.KeyBits(), "NumberW": p.NumberBits(), "ConnW": ConnBits,
		"ProfileW": p.ProfileBits(), "RowW": sv.IdxW(p.Connections), "Connections": p.Connections, "NowHigh": p.nowBits() - 1, "NowRange": p.nowRange(),
		"CmdW": cmdBits, "MetaW": p.metaBits(), "MetaUsed": p.metaBits(), "TxHdrW": 4 + 1 + 2 + 16 + 3 + p.PSNBits(), "RxHdrW": p.rxHeaderBits(),
		"V6": p.IPv6, "Tags": p.Tags > 0, "UET": p.Profile == UET, "Path": path, "Window": p.HasWindow(), "Shim": p.HasShim(), "INT": p.HasINT(), "LAPS": p.HasLAPS(), "DstW": DstBits, "AnchorCount": Anchors, "List": p.List > 0, "Own": p.List > 0 || p.HasLAPS(),
		"FindLatency": search + 2, "EchoTx": echo, "EchoLatency": p.Echo().EchoLatency(), "RxMargin": p.rxMargin(), "RxStore": p.rxStore(), "EditLatency": nicedit.Latency, "DoneDelay": p.Queue().ReadLatency() - 2 + 1,
		"PathLatency": p.PathLatency(), "RateNet": rateNet, "RateLatency": rateLatency,
		"Store": store, "StoreMargin": storeMargin, "FrameDepth": frameDepth, "FrameCount": p.frameCount(), "Released": p.released(), "ReleasedDepth": p.releasedDepth(), "EVW": p.replyBits(), "BodyW": 8 * p.bodyBytes(), "Out": out, "OutHigh": outHigh, "Lasts": 1 << watchBits, "WindowW": watchBits, "Drain": 1 << drainBits, "DrainW": drainBits, "Samples": samples,
		"ProfileFields": fields, "TxProfile": prefixed("tx_p_"), "RxProfile": prefixed("rx_p_"), "Counters": counters, "Outside": Outside,
		"AllReady": p.allReady(), "Trace": p.trace(), "RTT": rtt(p), "Header": sv.Header(p),
		"Nets": "", "Instances": "",
	}
	own := []string{"intake", "frames", "leave", "watch"}
	if p.hasRates() {
		own = append(own, "rate")
	}
	// The nets follow from what the rest of the text names.
	draft, err := texts.Modules(p, values, "nic_transport")
	if err != nil {
		return nil, err
	}
	values["Nets"], values["Instances"] = p.wiring(draft[0].Text)
	files, err := texts.Modules(p, values, append(own, "nic_transport")...)
	for i := range files {
		files[i].Text = sv.Tidy(files[i].Text)
	}
	return files, err
}

// rxHeaderBits is the width of what is known of a packet from the wire.
func (p *Params) rxHeaderBits() int64 {
	bits := 4 + 1 + 16 + 16 + 1 + 5 + 1 + 1 + p.PSNBits()
	if p.List > 0 {
		bits += 4 + 14
	}
	return bits
}

// hasRates tells whether a unit of the block computes rates.
func (p *Params) hasRates() bool { return p.HasWindow() || p.HasLAPS() }

// released is the number of beats, and of frames, of queues that may wait for the path unit's answer. LAPS takes
// longer than the others.
func (p *Params) released() int {
	if p.HasLAPS() {
		return 48
	}
	return 16
}

// releasedDepth is the number of beats for which their memory has room: those that may wait, and those that come after
// the queues were told to stop.
func (p *Params) releasedDepth() int64 {
	most, depth := int64(p.released())+2+p.Queue().Overrun(), int64(1)
	for depth < most {
		depth *= 2
	}
	return depth
}

// frameCount is the number of frames for which a memory of frames has room.
func (p *Params) frameCount() int {
	if p.HasLAPS() {
		return 2 * frameCount
	}
	return frameCount
}

// replyBits is the width of the path unit's answer: an entropy value, or a path and its anchors.
func (p *Params) replyBits() int64 {
	if p.HasLAPS() {
		return nicprobe.PathBits + 32*Anchors
	}
	return EVBits
}

// rxStore tells whether frames from the wire wait until they are known: some end in the block.
func (p *Params) rxStore() bool { return p.HasShim() || p.List > 0 }

// rxMargin is the number of beats that may come from the wire after an intake said that it has no room.
func (p *Params) rxMargin() int {
	if p.HasShim() {
		return storeMargin + nicshim.RemoveLatency
	}
	return storeMargin
}

// nowBits is the most that a part has of the time.
func (p *Params) nowBits() int {
	bits := 1
	for _, part := range p.Parts() {
		for _, q := range part.Config.Ports() {
			if q.Name == "now_ns" {
				bits = max(bits, q.Bits)
			}
		}
	}
	return bits
}

// nowRange cuts the time to that; empty if it is all.
func (p *Params) nowRange() string {
	if n := p.nowBits(); n < NowBits {
		return fmt.Sprintf("[%d:0]", n-1)
	}
	return ""
}

// rtt is the round-trip time of a sample in the width that the window unit has.
func rtt(p *Params) string {
	if !p.HasWindow() {
		return ""
	}
	n := p.PowerTCP().RTTBits
	if n >= 25 {
		return fmt.Sprintf("%d'(powertcp_s_ack_rtt_ns_wide)", n)
	}
	return fmt.Sprintf("(powertcp_s_ack_rtt_ns_wide[24:%d] != '0) ? '1 : powertcp_s_ack_rtt_ns_wide[%d:0]", n, n-1)
}

// width is that of a port as text; empty for one bit.
func width(bits int) string {
	if bits == 1 {
		return ""
	}
	return fmt.Sprint(bits)
}

// allReady is the conjunction of what says that a part is ready.
func (p *Params) allReady() string {
	terms := []string{"!profile_busy_q"}
	for _, part := range p.Parts() {
		if slices.ContainsFunc(part.Config.Ports(), func(q gen.Port) bool { return q.Name == "sts_ready" }) {
			terms = append(terms, part.Name+"_sts_ready")
		}
	}
	return strings.Join(terms, " && ")
}

// byRegister are the streams of software that share a port of a part with the block.
var byRegister = []string{"gate_s_window", "pace_s_rate"}

// wiring declares a net for each port of each part, and instantiates the parts. A net that text
// does not name and that is no register's is unused.
func (p *Params) wiring(text string) (nets, instances string) {
	named := map[string]bool{}
	for _, w := range regexp.MustCompile(`\w+`).FindAllString(text, -1) {
		named[w] = true
	}
	registers := p.registers()
	soft := map[string]string{} // ports of the registers, by the nets that they have
	for _, q := range registers.Ports() {
		name := q.Name
		for _, s := range byRegister {
			if strings.HasPrefix(name, s+"_") {
				name += "_by_register"
			}
		}
		soft[q.Name] = name
	}
	var decl, inst strings.Builder
	declare := func(bits int, name string) {
		r := sv.Range(width(bits))
		if r != "" {
			r += " "
		}
		fmt.Fprintf(&decl, "  logic %s%s;\n", r, name)
	}
	for _, part := range append([]Part{{Name: own, Config: &Own{p}}}, p.Parts()...) {
		fmt.Fprintf(&decl, "\n  // %s\n", part.Name)
		connect := map[string]string{"rst": resetOf(part.Name)}
		for _, q := range part.Config.Ports() {
			if q.Name == "clk" || q.Name == "rst" {
				continue
			}
			net := part.Name + "_" + q.Name
			if q.Name == "now_ns" {
				connect[q.Name] = fmt.Sprintf("now_q[%d:0]", q.Bits-1)
				continue
			}
			byName, isSoft := soft[net]
			if isSoft && byName != net {
				declare(q.Bits, byName)
			}
			if q.Dir == gen.Out && !named[net] && !isSoft {
				net = "unused_" + net
			}
			connect[q.Name] = net
			declare(q.Bits, net)
		}
		if part.Name == own {
			continue
		}
		for _, f := range sv.Overridable(part.Config) {
			connect[f.SV] = sv.Literal(f)
		}
		fmt.Fprintf(&inst, "%s\n", indent(sv.Instance(part.Config, part.Name, connect)))
	}
	connect := map[string]string{"rst": "rst_q"}
	for port, net := range soft {
		connect[port] = net
	}
	connect["clk"], connect["rst"] = "clk", "rst" // an access in the cycle after the reset is answered
	inst.WriteString(indent(sv.Instance(registers, "registers", connect)) + "\n")
	return decl.String(), inst.String()
}

// resetOf is the register of rst that a part has.
func resetOf(part string) string { return "rst_" + part + "_q" }

// resets are the registers of rst: the block's own, and one for each part.
func (p *Params) resets() []string {
	list := []string{"rst_q"}
	for _, part := range p.Parts() {
		list = append(list, resetOf(part.Name))
	}
	return list
}

// longest is the length of the longest name.
func longest(names []string) (n int) {
	for _, x := range names {
		n = max(n, len(x))
	}
	return n
}

// indent moves a text two columns to the right.
func indent(text string) string {
	return "  " + strings.ReplaceAll(strings.TrimRight(text, "\n"), "\n", "\n  ") + "\n"
}

// traced are the nets behind the trace.
func (p *Params) traced() map[string]string {
	m := map[string]string{
		"release_valid": "release_valid", "release_conn": "queue_m_axis_conn", "release_psn": "out_ev_set ? '0 : out_number",
		"enter_valid": "queue_m_enter_valid", "enter_conn": "queue_m_enter_conn", "enter_psn": "enter_psn", "enter_dropped": "queue_m_enter_dropped",
		"ack_valid": "x_ack_q", "ack_conn": "x_conn_q", "ack_psn": "x_psn_q", "ack_nak": "x_nak_q",
		"sample_valid": "gate_m_sample_valid", "sample_conn": "gate_m_sample_conn", "sample_hit": "gate_m_sample_hit", "sample_rtt": "gate_m_sample_rtt",
		"sample_una": "gate_m_sample_una", "sample_nxt": "gate_m_sample_nxt",
		"win_valid": "win_valid", "win_conn": "win_conn", "win_bytes": "win_bytes", "win_inv": "win_inv",
		"back_valid": "back_valid", "back_conn": "back_conn", "back_ev": "back_ev", "back_mark": "back_mark",
		"send_valid": "send_valid", "send_conn": "send_conn", "send_direct": "!gate_m_send_valid",
		"measure_valid": "laps_s_ack_valid && laps_s_ack_ready", "measure_conn": "laps_s_ack_flow", "measure_psn": "laps_s_ack_seq", "measure_pid": "laps_s_ack_pid", "measure_delay": "laps_s_ack_delay_ns",
		"rate_valid": "rate_valid", "rate_conn": "rate_conn", "rate_inv": "rate_inv",
		"lost_valid": "laps_m_lost_valid", "lost_conn": "laps_m_lost_flow", "lost_psn": "laps_m_lost_seq", "lost_timeout": "laps_m_lost_timeout",
		"data_valid": "x_data_q", "data_conn": "x_conn_q", "data_psn": "x_psn_q", "data_ev": "x_ev_q", "data_ce": "x_ce_q",
		"echo_valid": "tx_asks", "echo_conn": "tx_found_conn", "echo_psn": "tx_found_psn",
		"recover_valid": "transport_evt_recovered",
	}
	switch p.Path {
	case REPS:
		m["fail_valid"], m["fail_conn"] = "reps_s_fail_valid", "reps_s_fail_conn"
	default:
		m["fail_valid"], m["fail_conn"] = "gate_m_timeout_valid", "gate_m_timeout_conn"
	}
	return m
}

// trace connects the trace.
func (p *Params) trace() string {
	nets := p.traced()
	var left, right []string
	for _, e := range p.TraceEvents() {
		for _, f := range append([]TraceField{{Name: "valid"}}, e.Fields...) {
			name := e.Name + "_" + f.Name
			left, right = append(left, "m_trace_"+name), append(right, nets[name])
		}
	}
	w := 0
	for _, l := range left {
		w = max(w, len(l))
	}
	var b strings.Builder
	for i := range left {
		fmt.Fprintf(&b, "  assign %-*s = %s;\n", w, left[i], right[i])
	}
	return b.String()
}

// Widths of what goes with a packet.
const (
	cmdBits  = 1 + 1 + 2 + 1 + 16 + 1 + 1 + 6 + 1 + 2 + 1 + 1 + 16 + 2
	metaBits = 1 + 1 + 1 + 1 + 1 + 6 + 1 + 2 + 1 + 1 + 1 + 1 + 1 // but the PSN
)

// metaBits is the width of what goes with a packet through the queues.
func (p *Params) metaBits() int64 {
	bits := metaBits + p.PSNBits()
	if p.HasLAPS() {
		bits += DstBits
	}
	return bits
}
