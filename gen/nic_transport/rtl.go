// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"embed"
	"fmt"
	"maps"
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

// Depths, and the number of entries kept free for data in flight.
const (
	store       = 32  // beats and frames of an intake
	storeMargin = 6   // beats that may come after s_room fell
	frameDepth  = 512 // beats of a frame memory
	frameCount  = 32  // frames
	out         = 32  // beats of a last queue
	outHigh     = 17  // number of beats at which the memories stop: 13 are in flight
	watchBits   = 11  // of the cycles of a window in which a fault must last
	drainBits   = 8   // of the cycles in which operations in flight end
	samples     = 16  // samples that wait for the window unit

	sampleTagBits = 21                                                           // data that goes with an ACK through the gate
	sampleBits    = ConnBits + 1 + 25 + 32 + 32 + EVBits + 1 + 8 + sampleTagBits // of the gate's sample
	rateLatency   = 11                                                           // cycles from a rate to its inverse
)

// PartModule returns the name that a part's module has in the block: nic_transport_queue for nic_queue.
// The block has other configurations of the parts than the standalone units.
func PartModule(name string) string { return "nic_transport" + strings.TrimPrefix(name, "nic") }

type profileField struct {
	Name string
	Bits int
}

// profileFields are the fields of a connection's profile, lowest first.
var profileFields = []profileField{
	{"queue", 1}, {"path", 1}, {"flow", 1}, {"echo_tx", 1}, {"echo_rx", 1}, {"feedback", 1}, {"window", 1}, {"telemetry", 1},
	{"dscp_valid", 1}, {"dscp", 6}, {"ecn_valid", 1}, {"ecn", 2},
}

// fields returns the fields of this configuration: with LAPS a destination follows.
func (p *Params) fields() []profileField {
	if p.HasLAPS() {
		return append(slices.Clone(profileFields), profileField{"dst", DstBits})
	}
	return profileFields
}

// Files implements gen.Config: the files of the parts, each once, and the modules that wire them.
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

// modules returns the modules of the block's own.
func (p *Params) modules() ([]gen.File, error) {
	values, err := p.values()
	if err != nil {
		return nil, err
	}
	at := p.layout()
	var files []gen.File
	for _, m := range p.tree() {
		maps.Copy(values, at.values(m))
		maps.Copy(values, map[string]any{"Nets": "", "Instances": "", "Registers": "", "Trace": p.trace(m)})
		// The nets follow from the names in the rest of the text.
		draft, err := texts.Modules(p, values, m.Template)
		if err != nil {
			return nil, err
		}
		values["Nets"], values["Instances"] = p.wiring(m, at, draft[0].Text)
		values["Registers"] = p.csr(at)
		file, err := texts.Modules(p, values, m.Template)
		if err != nil {
			return nil, err
		}
		file[0].Text = sv.Tidy(assigns(columns(blank(file[0].Text))))
		files = append(files, file[0])
	}
	return files, nil
}

// values returns the values for the templates, except for those that depend on the module.
func (p *Params) values() (map[string]any, error) {
	type field struct{ Name, Range string }
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
	search := p.Lookup().SearchLatency()
	path, rateNet, answers := "", "win", 32
	echo, echoBits := "tx_found_profile[3]", 18 // hit, mark, entropy value
	state := 7                                  // transmit-side state that recovery needs
	if p.HasShim() {
		echo += " || tx_found_profile[7]"
		echoBits++
		state++
	}
	if p.HasPath() {
		path = p.Path
	}
	if p.HasLAPS() {
		rateNet, answers = "rate", p.frameCount()
	}
	values := map[string]any{
		// Widths.
		"TagW": p.TxUserBits - 1, "RxTagW": p.RxUserBits - 1, "PSNW": p.PSNBits(), "KeyW": p.KeyBits(), "NumberW": p.NumberBits(), "ConnW": ConnBits,
		"ProfileW": p.ProfileBits(), "FoundW": 1 + ConnBits + p.ProfileBits(), "RowW": sv.IdxW(p.Connections), "CmdW": cmdBits, "InfoW": 2 + p.TxUserBits - 1 + cmdBits, "MetaW": p.metaBits(), "MetaUsed": p.metaBits(),
		"TxHdrW": 4 + 1 + 2 + 16 + 3 + 1 + p.PSNBits(), "RxHdrW": p.rxHeaderBits(), "EchoW": echoBits, "AnswerW": int64(echoBits) + 8*p.bodyBytes(), "ToldW": 1 + DstBits + p.PSNBits(), "StateW": state, "EVW": p.replyBits(), "BodyW": 8 * p.bodyBytes(), "DstW": DstBits,
		"SampleW": sampleBits, "SampleTagW": sampleTagBits, "AckTagW": sampleTagBits - 1, "CounterBits": p.CounterBits, "NowRange": p.nowRange(),
		// Variants.
		"Top": p.Top(), "V6": p.IPv6, "Tags": p.Tags > 0, "UET": p.Profile == UET, "Path": path, "Window": p.HasWindow(), "Shim": p.HasShim(), "INT": p.HasINT(), "LAPS": p.HasLAPS(),
		"List": p.List > 0, "NoEcho": p.NoEcho(), "Own": p.List > 0 || p.HasLAPS(), "RxStore": p.rxStore(), "Receive": p.receive(), "Shims": p.shims(),
		// Latencies and depths.
		"FindLatency": search + 2, "EchoLatency": p.Echo().EchoLatency(), "EditLatency": nicedit.Latency, "RemoveLatency": nicshim.RemoveLatency, "DoneDelay": p.Queue().ReadLatency() - 2 + 1,
		"PathLatency": p.PathLatency(), "RateLatency": rateLatency, "RxMargin": p.rxMargin(), "Connections": p.Connections, "AnchorCount": Anchors,
		"Store": store, "StoreMargin": storeMargin, "FrameDepth": frameDepth, "FrameCount": p.frameCount(), "Released": p.released(), "ReleasedDepth": p.releasedDepth(), "AnswerDepth": answers,
		"Out": out, "OutHigh": outHigh, "Lasts": 1 << watchBits, "WindowW": watchBits, "Drain": 1 << drainBits, "DrainW": drainBits, "Samples": samples,
		// Lists.
		"ProfileFields": fields, "TxProfile": prefixed("tx_p_"), "RxProfile": prefixed("rx_p_"), "EchoTx": echo, "RTT": rtt(p), "RateNet": rateNet, "Told": p.told(), "SampleUnused": p.sampleUnused(),
		"AllReady": p.allReady(), "Header": sv.Header(p),
	}
	maps.Copy(values, p.lists())
	return values, nil
}

// rxHeaderBits returns the width of the known properties of a packet from the wire.
func (p *Params) rxHeaderBits() int64 {
	bits := 4 + 1 + 16 + 16 + 1 + 5 + 1 + 1 + p.PSNBits()
	if p.List > 0 {
		bits += 4 + 14
	}
	return bits
}

// hasRates reports whether a unit of the block computes rates.
func (p *Params) hasRates() bool { return p.HasWindow() || p.HasLAPS() }

// released returns the number of beats, and of frames, from the queues that may wait for the path
// unit's answer. LAPS takes longer than the other units.
func (p *Params) released() int {
	if p.HasLAPS() {
		return 48
	}
	return 16
}

// releasedDepth returns the number of beats for which their memory has room: beats that may wait,
// and beats that arrive after the queues were stopped.
func (p *Params) releasedDepth() int64 {
	most, depth := int64(p.released())+2+p.Queue().Overrun(), int64(1)
	for depth < most {
		depth *= 2
	}
	return depth
}

// frameCount returns the number of frames for which a memory of frames has room.
func (p *Params) frameCount() int {
	if p.HasLAPS() {
		return 2 * frameCount
	}
	return frameCount
}

// replyBits returns the width of the path unit's answer: an entropy value, or a path and its anchors.
func (p *Params) replyBits() int64 {
	if p.HasLAPS() {
		return nicprobe.PathBits + 32*Anchors
	}
	return EVBits
}

// rxStore reports whether frames from the wire wait until they are classified, because some end in
// the block.
func (p *Params) rxStore() bool { return p.HasShim() || p.List > 0 }

// rxMargin returns the number of beats that may arrive from the wire after an intake has signalled
// that it is full.
func (p *Params) rxMargin() int {
	if p.HasShim() {
		return storeMargin + nicshim.RemoveLatency
	}
	return storeMargin
}

// nowBits returns the most that a part has of the time.
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

// rtt returns the round-trip time of a sample in the window unit's width.
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

// width returns the width of a port as text, or "" for one bit.
func width(bits int) string {
	if bits == 1 {
		return ""
	}
	return fmt.Sprint(bits)
}

// Widths of the metadata that goes with a packet.
const (
	cmdBits  = 1 + 1 + 2 + 1 + 16 + 1 + 1 + 6 + 1 + 2 + 1 + 1 + 16 + 1 + 2
	metaBits = 1 + 1 + 1 + 1 + 1 + 6 + 1 + 2 + 1 + 1 + 1 + 1 + 1 + 1 // without the PSN
)

// metaBits returns the width of the metadata that goes with a packet through the queues.
func (p *Params) metaBits() int64 {
	bits := metaBits + p.PSNBits()
	if p.HasLAPS() {
		bits += DstBits
	}
	return bits
}
