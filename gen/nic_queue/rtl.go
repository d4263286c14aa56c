// SPDX-License-Identifier: Apache-2.0

package nicqueue

import (
	"embed"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

const (
	rowsInLUTRAM = 64  // the largest number of connections whose state is in LUTRAM
	kibInBRAM    = 128 // the buffer up to which it is in block RAM
	metaInBRAM   = 48  // the width of meta up to which that is
	rowsOfURAM   = 4096
)

// counter is an event counter of the top module, with its meaning.
type counter struct{ Name, Event string }

// counters returns the event counters, in port order.
func counters() (list []counter) {
	entered := func(reason int) string {
		return fmt.Sprintf("m_enter_valid && m_enter_reason == %d'd%d", ReasonBits, reason)
	}
	events := map[string]string{
		"stored": entered(Stored), "unknown": entered(Unknown), "bad": entered(Bad), "long": entered(Long), "full": entered(Full), "quota": entered(Quota),
		"not_ready": "early", "sent": "sent", "discarded": "discarded", "empty": "empty", "pop_unknown": "unknown",
	}
	for _, name := range CounterNames {
		list = append(list, counter{name, events[name]})
	}
	return list
}

// bufferInURAM reports whether packets are in UltraRAM.
func (p *Params) bufferInURAM() bool {
	return gen.MemoryFor(p.BufferMemory, p.KiB, 0, kibInBRAM) == gen.URAM
}

// metaInURAM reports whether their metadata is in UltraRAM.
func (p *Params) metaInURAM() bool {
	if p.MetaMemory == gen.Auto && !p.bufferInURAM() {
		return false
	}
	return gen.MemoryFor(p.MetaMemory, p.MetaBits, 0, metaInBRAM) == gen.URAM
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	memory := gen.MemoryFor(gen.Auto, 1<<p.ConnIdxBits(), rowsInLUTRAM, gen.NoURAM)
	state, plain := rtl.PartIn("fwd", memory), rtl.PartIn("ram", memory)
	uram := p.bufferInURAM()
	need := []string{"nic_lib_fifo_lut", "nic_lib_delay", "nic_lib_ram_block", "nic_lib_fwd_block", state, plain}
	if uram {
		need = append(need, "nic_lib_lanes_ultra")
	}
	if uram || p.metaInURAM() {
		need = append(need, "nic_lib_ram_ultra")
	}
	parts, err := rtl.Parts(need...)
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{
		"Counters": counters(), "StateRAM": strings.TrimPrefix(state, rtl.PartPrefix), "PlainRAM": strings.TrimPrefix(plain, rtl.PartPrefix), "URAM": uram, "MetaURAM": p.metaInURAM(),
		"Lanes": min(4, max(1, p.Cells()*2/rowsOfURAM)), "Connections": p.Connections, "ConnW": p.ConnIdxBits(), "Cells": p.Cells(), "CellW": p.CellIdxBits(),
		"Pops": Pops, "Visits": Visits, "Bells": Bells, "Look": Look, "CellBytes": CellBytes,
		"ToCell": ToCell, "ToStore": ToStore, "ToWalk": ToWalk,
		"BytesBits": BytesBits, "FrameBits": BytesBits + 1, "TagsBits": TagsBits, "BudgetBits": BudgetBits, "DebtBits": BudgetBits + 1, "SumBits": SumBits, "CountBits": CountBits, "ShimBits": ShimBits,
		"BeatsBits": BeatsBits, "ReasonBits": ReasonBits,
		"Stored": Stored, "Unknown": Unknown, "Bad": Bad, "Long": Long, "Full": Full, "Quota": Quota, "SizeBits": BeatsBits + BytesBits + TagsBits, "KnownBits": BytesBits + TagsBits + 1,
	}, "cells", "enter", "pick", "walk", "done", "beats", "flow", "nic_queue")
	sv.Align(own)
	return append(parts, own...), err
}
