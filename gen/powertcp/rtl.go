// SPDX-License-Identifier: Apache-2.0

package powertcp

import (
	"embed"
	"fmt"
	"math/bits"
	"regexp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// New returns the default configuration, for the registry.
func New() gen.Config { return Default() }

// Sizes from which memories move under Auto.
const (
	stateInLUTRAM = 64    // rows up to which a memory lives in LUTRAM
	stateInBRAM   = 16384 // largest number of rows for which a memory is cheaper in BRAM than in URAM
)

// StateKind returns the memory of a state with one row per connection: LUTRAM, BRAM or URAM.
func (p *Params) StateKind() string { return p.kind(p.Connections) }

// RecordKind returns the memory of the hop records: LUTRAM, BRAM or URAM.
func (p *Params) RecordKind() string { return p.kind(p.recordRows()) }

// recordRows returns the depth of a memory of hop records.
func (p *Params) recordRows() int64 {
	if p.Throughput == PerAck {
		return p.Connections
	}
	return p.Connections << sv.CLog2(p.Hops)
}

func (p *Params) kind(rows int64) string {
	return gen.MemoryFor(p.StateMemory, rows, stateInLUTRAM, stateInBRAM)
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	state, record := rtl.PartIn("ram", p.StateKind()), rtl.PartIn("ram", p.RecordKind())
	use := map[string]bool{state: true, "nic_lib_delay": true, "nic_lib_normalise": true, "nic_lib_recip": true}
	if p.HasINT() {
		use[record] = true
	}
	if p.Protection == Triple {
		use["nic_lib_vote"] = true
	}
	var names []string
	for _, n := range []string{"nic_lib_delay", "nic_lib_normalise", "nic_lib_ram_block", "nic_lib_ram_lut", "nic_lib_ram_ultra", "nic_lib_recip", "nic_lib_vote"} {
		if use[n] {
			names = append(names, n)
		}
	}
	files, err := rtl.Parts(names...)
	if err != nil {
		return nil, err
	}
	modules := []string{"gate"}
	if p.HasINT() {
		modules = append(modules, "rates", "hop", "lane", "pick")
	}
	if p.HasRTT() {
		modules = append(modules, "base")
	}
	if p.HasTheta() {
		modules = append(modules, "theta")
	}
	if p.Observes() {
		modules = append(modules, "inverse")
	}
	own, err := texts.Modules(p, p.values(state, record), append(modules, "smooth", "window", "pace", "ack", "count", "powertcp")...)
	for i, f := range own {
		// A section that a configuration leaves out leaves the blank lines around it.
		own[i].Text = blanks.ReplaceAllString(f.Text, "\n\n")
	}
	return append(files, own...), err
}

// values returns the values for the texts.
func (p *Params) values(state, record string) map[string]any {
	g := p.ByteUnit()
	q := uint64(p.QlenUnit / g)
	lo, hi := bits.TrailingZeros64(q), bits.Len64(q)-1
	var rates []entry
	var known uint64
	for code := range 1 << p.RateBits {
		e := p.Rate(code).Entry()
		of := "no such link"
		if e != 0 {
			of = fmt.Sprintf("%g Gb/s", float64(p.LinkRatesMbps[code])/1000)
		}
		rates = append(rates, entry{Bits: fmt.Sprintf("63'h%016x", e>>1), Known: fmt.Sprintf("3'b%03b", 7*(e&1)), Of: of})
		known |= (e & 1) << code
	}
	var lanes []int
	for i := range p.Lanes() {
		lanes = append(lanes, int(i))
	}
	levels := tree(len(lanes))
	return map[string]any{
		"INT": p.HasINT(), "Theta": p.HasTheta(), "Both": p.Variant == Both,
		"PerAck": p.HasINT() && p.Throughput == PerAck, "Variant": p.Variant, "Throughput": p.Throughput,
		"Fields": p.HopFormat == Fields, "HopFormat": p.HopFormat,
		"Hops": p.Hops, "Lanes": p.Lanes(), "HopIdxW": p.HopIdxBits(), "CountW": p.CountBits(),
		"RateW": p.RateBits, "TimeW": p.TimeBits, "TxW": p.TxBits, "QlenW": p.QlenBits, "SumW": p.SumBits(),
		"TxUnit": p.TxUnit, "QlenUnit": p.QlenUnit, "ByteUnit": g,
		"TxShift": bits.TrailingZeros64(uint64(p.TxUnit / g)), "QlenShift": lo, "QlenShift2": hi, "QlenTwo": lo != hi,
		"ShiftBase": p.ShiftBase(), "Rates": rates, "Known": fmt.Sprintf("%d'h%x", 1<<p.RateBits, known), "KnownAt": knownAt, "EntryAt": entryAt, "LaneLatency": p.powerLatency() + 1,
		"Triple": p.Protection == Triple, "First": fmt.Sprintf("64'h%016x", p.Rate(0).Entry()),
		"Beats": p.HasINT() && p.Throughput == PerHop, "HopRows": 1 << sv.CLog2(p.Hops), "HopRowsW": sv.CLog2(p.Hops),
		"DtW": p.RTTBits, "Lane": lanes, "Levels": levels, "Best": levels[len(levels)-1].Out,
		"RTTW": p.RTTBits, "NowW": p.NowBits,
		"StateRAM": state, "RecordRAM": record, "EarlyIdx": p.HasINT() && p.RecordKind() != gen.LUTRAM || p.HasRTT() && p.StateKind() != gen.LUTRAM,
		"EarlyHop": p.HasINT() && p.Throughput == PerHop && p.Hops > 1 && p.RecordKind() != gen.LUTRAM, "StateLUT": p.StateKind() == gen.LUTRAM, "RecordLUT": p.RecordKind() == gen.LUTRAM, "StateIn": gen.MemoryName(p.StateKind()), "RecordIn": gen.MemoryName(p.RecordKind()),
		"Observes": p.Observes(), "RTT": p.HasRTT(), "PowerLatency": p.powerLatency(), "ScaleLatency": scaleLatency,
		"HopLatency": HopLatency, "AckLatency": AckLatency, "AckLoop": AckLoop, "Choice": p.ChoiceLatency(),
		"EveryAck": p.HasTheta() && p.UpdatesEachAck(), "Latency": p.WindowLatency(), "Distance": p.Distance(),
	}
}

var blanks = regexp.MustCompile(`\n{3,}`)

// entry is a row of the link-rate table.
type entry struct{ Bits, Known, Of string }

// level is one step of the choice among hop lanes.
type level struct {
	In, Out string
	Nodes   []node
}

// node chooses between two, or passes on the one that is left over.
type node struct {
	Left, Right int
	Pair        bool
}

// tree returns the choice among n lanes, two to one in each step, at least one step.
func tree(n int) []level {
	var levels []level
	for name := "pick0"; ; {
		l := level{In: name, Out: fmt.Sprintf("pick%d_q", len(levels)+1)}
		for i := 0; i < n; i += 2 {
			l.Nodes = append(l.Nodes, node{i, i + 1, i+1 < n})
		}
		levels = append(levels, l)
		name, n = l.Out, len(l.Nodes)
		if n == 1 {
			return levels
		}
	}
}
