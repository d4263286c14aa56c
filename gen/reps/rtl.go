// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"embed"
	"fmt"
	"slices"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// Sizes from which memories move from LUTRAM to BRAM under Auto: a RAMB18 is better used than this
// many LUTs.
const (
	stateInLUTRAM = 64  // largest number of connections for which wide state lives in LUTRAM
	flagInLUTRAM  = 512 // connections up to which single bits do
	evsInLUTRAM   = 64  // EVs in all up to which the ring does
)

// StateKind returns the memory of the control state: LUTRAM or BRAM.
func (p *Params) StateKind() string {
	return gen.MemoryFor(p.StateMemory, p.Rows(), stateInLUTRAM, gen.NoURAM)
}

// FlagKind returns the memory of the single-bit state: LUTRAM or BRAM.
func (p *Params) FlagKind() string {
	return gen.MemoryFor(p.StateMemory, p.Rows(), flagInLUTRAM, gen.NoURAM)
}

// EVKind returns the memory of the EVs: LUTRAM or BRAM.
func (p *Params) EVKind() string {
	return gen.MemoryFor(p.EVMemory, p.Rows()*p.BufferDepth, evsInLUTRAM, gen.NoURAM)
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ring, memories := rtl.PartIn("ram", p.EVKind()), p.memories()
	names := []string{ring}
	if p.Protection == Triple {
		names = append(names, "nic_lib_vote")
	}
	for _, m := range memories {
		names = append(names, m.Part)
	}
	if p.Coalescing == Carry {
		names = append(names, "nic_lib_fifo_lut")
	}
	slices.Sort(names)
	files, err := rtl.Parts(names...)
	if err != nil {
		return nil, err
	}
	var early []string
	for _, lane := range []string{"ack", "fail", "send"} {
		if slices.ContainsFunc(memories, func(m memory) bool { return m.Reader == lane+"_idx" || m.Other == lane+"_idx" }) {
			early = append(early, lane)
		}
	}

	coalescing := p.Coalescing
	if coalescing != None {
		coalescing = fmt.Sprintf("%s, ratio %d", coalescing, p.Ratio)
	}
	hi, lo := sv.RandomState(uint64(p.RandomSeed))
	modules := []string{"events", "memories", "lanes", "random", "answer", "counters", "reps"}
	if p.Coalescing == Carry {
		modules = append([]string{"carry"}, modules...)
	}
	own, err := texts.Modules(p, map[string]any{
		"Rows":        Rows,
		"ExploreBits": ExploreBits, "Ratio": p.Ratio,
		"Reuse": p.Coalescing == Reuse, "Carry": p.Coalescing == Carry,
		"Protection": p.Protection, "Scrub": p.Protected(), "Triple": p.Protection == Triple, "Memories": memories,
		"LastMemory": len(memories) - 1, "EarlyLanes": early, "SendEarly": slices.Contains(early, "send"), "FailEarly": slices.Contains(early, "fail"),
		"EVRAM": ring, "EVsInLUTs": p.EVKind() == gen.LUTRAM,
		"AckWordsInBlocks": p.ackWordsInBlocks(),
		"Seed":             fmt.Sprintf("127'h%016x_%016x", hi, lo),
		"Coalescing":       coalescing, "RandomSeed": p.RandomSeed,
		"StateIn": gen.MemoryName(p.StateKind()), "FlagsIn": gen.MemoryName(p.FlagKind()), "EVsIn": gen.MemoryName(p.EVKind()),
		"Depth": p.CarryDepth, "RatioBits": p.RatioBits(), "CountTop": p.RatioBits() - 1, "LastEV": p.Ratio - 1, "Clamp": p.Ratio+1 < 1<<p.RatioBits(),
	}, modules...)
	return append(files, own...), err
}

// memory is a memory of the control state: a copy for one reading lane, or for two.
type memory struct {
	Part, Name, Width   string
	Write, Writer, Data string // enable, address and data of its lane's write
	Reader, Word        string // the place of reading and the word read there
	Other, OtherWord    string // the place and the word of a second lane's read, or empty
	Latency             string // of a block RAM
	Comment             string
}

// ackWordsInBlocks reports whether the ACK lane reads only words from block RAM. Its flags, and
// with them the start of the longest paths, are in LUT RAM, and there is no vote.
func (p *Params) ackWordsInBlocks() bool {
	return p.StateKind() == gen.BRAM && p.FlagKind() == gen.LUTRAM && p.Protection != Triple
}

// memories returns the memories of the control state; the last one holds the exit time.
func (p *Params) memories() []memory {
	const (
		flags  = "{ack_thaw_next, ack_explore_next}"
		shared = "{send_next[SEND_W-1 -: SHARED_W], send_explored_next}"
	)
	// row returns the address at which a lane reads. Block RAMs of two cycles are addressed a stage
	// earlier.
	row := func(lane, kind string) string {
		if kind == gen.BRAM {
			return lane + "_idx"
		}
		return "p1_" + lane + "_idx"
	}
	var list []memory
	add := func(by, reader, part, kind string, m memory) {
		if p.Protection == Triple {
			part = "fwd_triple"
		}
		m.Part, m.Reader = rtl.PartIn(part, kind), row(reader, kind)
		m.Write, m.Writer = by+"_write", "p2_"+by+"_idx"
		if kind == gen.BRAM {
			m.Latency = "RAM_LATENCY"
			if reader == "ack" && p.ackWordsInBlocks() {
				m.Latency = "ACK_LATENCY"
			}
		}
		list = append(list, m)
	}
	word := func(by, reader string, m memory) { add(by, reader, "fwd", p.StateKind(), m) }
	// flag is a bit that a lane keeps for itself, as name, and for another lane, which sees it as
	// other.
	flag := func(by, other string, m memory) {
		kind := p.FlagKind()
		if p.Protection != Triple {
			m.Other = row(other, kind)
			add(by, by, "state", kind, m)
			return
		}
		seen := m.OtherWord
		m.OtherWord = ""
		add(by, by, "fwd", kind, m)
		m.Name, m.Word, m.Comment = m.Name+"_to_"+other, seen, ""
		add(by, other, "fwd", kind, m)
	}
	word("ack", "ack", memory{Name: "ack_to_ack", Width: "ACK_W", Data: "ack_next", Word: "ack_ack", Comment: "written by the ACK lane"})
	word("ack", "send", memory{Name: "ack_to_send", Width: "ACK_W + 2", Data: "{ack_next, ack_thaw_next, ack_explore_next}", Word: "{send_ack, send_thaw, send_explore}"})
	flag("ack", "fail", memory{Name: "ack_flags", Width: "2", Data: flags, Word: "{ack_thaw, ack_explore}", OtherWord: "{fail_thaw, fail_explore}"})
	word("send", "send", memory{Name: "send_to_send", Width: "SEND_W", Data: "send_next", Word: "send_send", Comment: "written by the SEND lane"})
	word("send", "ack", memory{Name: "send_to_ack", Width: "SHARED_W + 1", Data: shared, Word: "{ack_send, ack_explored}"})
	flag("send", "fail", memory{Name: "send_flag", Width: "1", Data: "send_explored_next", Word: "send_explored", OtherWord: "fail_explored"})
	flag("fail", "send", memory{Name: "fail_flag", Width: "1", Data: "fail_freeze_next", Word: "fail_freeze", OtherWord: "send_freeze", Comment: "written by the FAIL lane, which only toggles freeze"})
	word("fail", "ack", memory{Name: "fail_to_ack", Width: "1 + TIMER_BITS", Data: "{fail_freeze_next, p2_exit}", Word: "{p1_freeze_read, p1_exit_read}",
		Comment: "read by the ACK lane a stage before the rest"})
	exit := &list[len(list)-1]
	exit.Write, exit.Reader, exit.Latency = "fail_write_exit", "p0_ack_idx", ""
	return list
}
