// SPDX-License-Identifier: Apache-2.0

package reps

import (
	"embed"
	"fmt"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// Where memories move from LUTRAM to BRAM under Auto: a RAMB18 is better used
// than this many LUTs.
const (
	stateInLUTRAM = 64  // connections up to which wide state lives in LUTRAM
	flagInLUTRAM  = 512 // connections up to which single bits do
	evsInLUTRAM   = 64  // EVs in all up to which the ring does
)

// StateKind is the memory of the control state: LUTRAM or BRAM.
func (p *Params) StateKind() string {
	return gen.MemoryFor(p.StateMemory, p.Connections, stateInLUTRAM, gen.NoURAM)
}

// FlagKind is the memory of the single-bit state: LUTRAM or BRAM.
func (p *Params) FlagKind() string {
	return gen.MemoryFor(p.StateMemory, p.Connections, flagInLUTRAM, gen.NoURAM)
}

// EVKind is the memory of the EVs: LUTRAM or BRAM.
func (p *Params) EVKind() string {
	return gen.MemoryFor(p.EVMemory, p.Connections*p.BufferDepth, evsInLUTRAM, gen.NoURAM)
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	fwd, flag, ring := rtl.PartIn("fwd", p.StateKind()), rtl.PartIn("state", p.FlagKind()), rtl.PartIn("ram", p.EVKind())

	use := map[string]bool{ring: true}
	if p.Protection == Triple {
		use["nic_lib_vote"] = true
		for _, m := range p.memories() {
			use[m.Part] = true
		}
		use["nic_lib_ram_lut"] = use["nic_lib_ram_lut"] || use["nic_lib_fwd_triple_lut"]
	} else {
		use[fwd], use[flag] = true, true
	}
	if use["nic_lib_state_block"] {
		use["nic_lib_fwd_block"] = true
	}
	if use["nic_lib_fwd_block"] || use["nic_lib_fwd_triple_block"] {
		use["nic_lib_ram_block"] = true
	}
	if p.Coalescing == Carry {
		use["nic_lib_fifo_lut"] = true
	}
	var names []string
	for _, n := range []string{"nic_lib_vote", "nic_lib_fifo_lut", "nic_lib_ram_block", "nic_lib_ram_lut", "nic_lib_fwd_block", "nic_lib_fwd_lut",
		"nic_lib_fwd_triple_block", "nic_lib_fwd_triple_lut", "nic_lib_state_block", "nic_lib_state_lut"} {
		if use[n] {
			names = append(names, n)
		}
	}
	files, err := rtl.Parts(names...)
	if err != nil {
		return nil, err
	}

	coalescing := p.Coalescing
	if coalescing != None {
		coalescing = fmt.Sprintf("%s, ratio %d", coalescing, p.Ratio)
	}
	hi, lo := expandSeed(uint64(p.RandomSeed))
	modules := []string{"reps"}
	if p.Coalescing == Carry {
		modules = []string{"carry", "reps"}
	}
	own, err := texts.Modules(p, map[string]any{
		"Latency":     SendLatency,
		"ExploreBits": ExploreBits, "Ratio": p.Ratio,
		"Reuse": p.Coalescing == Reuse, "Carry": p.Coalescing == Carry,
		"Protection": p.Protection, "Scrub": p.Protected(), "Triple": p.Protection == Triple, "Memories": p.memories(),
		"Fwd": fwd, "Flag": flag, "EVRAM": ring,
		"Seed":       fmt.Sprintf("127'h%016x_%016x", hi, lo),
		"Coalescing": coalescing, "RandomSeed": p.RandomSeed,
		"StateIn": gen.MemoryName(p.StateKind()), "FlagsIn": gen.MemoryName(p.FlagKind()), "EVsIn": gen.MemoryName(p.EVKind()),
		"Depth": p.CarryDepth, "RatioBits": p.RatioBits(), "Clamp": p.Ratio+1 < 1<<p.RatioBits(),
	}, modules...)
	return append(files, own...), err
}

// memory is one that holds words three times, for one lane that reads it.
type memory struct {
	Part, Name, Width   string
	Write, Writer, Data string // when, at which address and what its lane writes
	Reader, Word        string // where it is read, and what that gives
}

// memories are those of the control state, the last one that with the exit time.
func (p *Params) memories() []memory {
	word, flag := rtl.PartIn("fwd_triple", p.StateKind()), rtl.PartIn("fwd_triple", p.FlagKind())
	renewed := ""
	if p.Coalescing == Reuse {
		renewed = "ack_renewed, "
	}
	const (
		flags  = "{ack_thaw_next, ack_explore_next}"
		shared = "{send_next[SEND_W-1 -: SHARED_W], send_explored_next}"
		ack    = "p0_ack_idx"
		send   = "p0_send_idx"
		fail   = "p0_fail_idx"
	)
	by := func(lane string, m memory) memory {
		m.Write, m.Writer = lane+"_write", "p1_"+lane+"_idx_q"
		return m
	}
	exit := by("fail", memory{Part: word, Name: "fail_to_ack", Width: "1 + TIMER_BITS", Data: "{fail_freeze_next, fail_exit}", Reader: ack, Word: "{ack_freeze, ack_exit}"})
	exit.Write += "_exit"
	return []memory{
		by("ack", memory{Part: word, Name: "ack_to_ack", Width: "ACK_W", Data: "ack_next", Reader: ack, Word: "ack_ack"}),
		by("ack", memory{Part: word, Name: "ack_to_send", Width: "ACK_W + 2", Data: "{ack_next, ack_thaw_next, ack_explore_next}", Reader: send, Word: "{send_ack, send_thaw, send_explore}"}),
		by("ack", memory{Part: flag, Name: "ack_flags", Width: "2", Data: flags, Reader: ack, Word: "{ack_thaw, ack_explore}"}),
		by("ack", memory{Part: flag, Name: "ack_flags_to_fail", Width: "2", Data: flags, Reader: fail, Word: "{fail_thaw, fail_explore}"}),
		by("send", memory{Part: word, Name: "send_to_send", Width: "SEND_W", Data: "send_next", Reader: send, Word: "send_send"}),
		by("send", memory{Part: word, Name: "send_to_ack", Width: "SHARED_W + 1", Data: shared, Reader: ack, Word: "{ack_moves, ack_pops, ack_restarted, " + renewed + "ack_explored}"}),
		by("send", memory{Part: flag, Name: "send_flag", Width: "1", Data: "send_explored_next", Reader: send, Word: "send_explored"}),
		by("send", memory{Part: flag, Name: "send_flag_to_fail", Width: "1", Data: "send_explored_next", Reader: fail, Word: "fail_explored"}),
		by("fail", memory{Part: flag, Name: "fail_flag", Width: "1", Data: "fail_freeze_next", Reader: fail, Word: "fail_freeze"}),
		by("fail", memory{Part: flag, Name: "fail_flag_to_send", Width: "1", Data: "fail_freeze_next", Reader: send, Word: "send_freeze"}),
		exit,
	}
}

// expandSeed gives bits 126..64 and 63..0 of the random generator's state after
// reset: two steps of SplitMix64, with bit 0 set so that the state is not zero.
func expandSeed(seed uint64) (hi, lo uint64) {
	next := func() uint64 {
		seed += 0x9e3779b97f4a7c15
		z := seed
		z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
		z = (z ^ z>>27) * 0x94d049bb133111eb
		return z ^ z>>31
	}
	return next() & (1<<63 - 1), next() | 1
}
