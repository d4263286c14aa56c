// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"embed"
	"fmt"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// rowsInLUTRAM is the number of rows up to which a memory is LUTRAM.
const rowsInLUTRAM = 64

// in is the memory for so many rows, as its part is named.
func in(part string, bits int) string {
	return rtl.PartIn(part, gen.MemoryFor(gen.Auto, 1<<bits, rowsInLUTRAM, gen.NoURAM))
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	want, flow, spot, slot := in("fwd", p.FlowIdxBits()), in("ram", p.FlowIdxBits()), in("ram", sv.CLog2(p.Repeats)), in("ram", p.SlotBits())
	parts, err := rtl.Parts("nic_lib_bucket", "nic_lib_delay", "nic_lib_fifo_lut", "nic_lib_ram_block", "nic_lib_ram_lut", want, flow, spot, slot)
	if err != nil {
		return nil, err
	}
	part := func(name string) string { return strings.TrimPrefix(name, rtl.PartPrefix) }
	own, err := texts.Modules(p, map[string]any{
		"Outstanding": p.Outstanding, "Copies": p.Copies, "Repeats": p.Repeats, "PortBits": p.PortBits, "TimeBits": p.TimeBits, "TagBits": p.TagBits,
		"SeqBits": p.SeqBits, "WantBits": p.WantBits, "TokenBits": p.TokenBits, "CountBits": CountBits, "QueueBits": QueueBits, "Bucket": p.Bucket,
		"Settle": Settle, "SweepBits": p.SweepBits(), "Seed": fmt.Sprintf("31'h%08x", expandSeed(uint64(p.RandomSeed))), "Flows": p.Flows,
		"RandomBits": p.RandomBits(), "RandomTop": p.RandomBits() - 1, "SlotTop": p.SlotBits() - 1, "Recurrence": p.recurrence(), "MixRows": p.mixRows(), "MixUnused": p.mixUnused(),
		"WantRAM": part(want), "FlowRAM": part(flow), "SpotRAM": part(spot), "SlotRAM": part(slot),
	}, "queue", "marks", "ring", "random", "mix", "want", "sims", "flight", "match", "datas", "copies", "counters", "dcsim_source")
	return append(parts, own...), err
}

// expandSeed is the state of the random generator after reset: small seeds give states with as
// many ones as zeros.
func expandSeed(seed uint64) uint64 { return max(1, seed*0x9e3779b97f4a7c15>>33) }

// mixTaps has for each number of random bits the taps of a primitive recurrence: bit k is set if
// b[t+k] is in the sum that is b[t+n]. Of all such recurrences these leave most of the random
// bits in hashes of the port; TestPortsSpread.
var mixTaps = map[int]uint{2: 0x3, 3: 0x3, 4: 0x3, 5: 0x1b, 6: 0x2d, 7: 0x3, 8: 0x4d, 9: 0x59, 10: 0x27, 11: 0x5, 12: 0x107}

// recurrence is the sum with which the random bits go on.
func (p *Params) recurrence() string {
	var terms []string
	for k := range p.RandomBits() {
		switch {
		case mixTaps[p.RandomBits()]>>k&1 == 0:
		case k == 0:
			terms = append(terms, "b[t]")
		default:
			terms = append(terms, fmt.Sprintf("b[t+%d]", k))
		}
	}
	return strings.Join(terms, " ^ ")
}

// mixRow is a bit with which one of a slot is mixed.
type mixRow struct {
	Bit int
	Sum string
}

// mixUnused are the random bits that are in no sum: with few slots there are few sums.
func (p *Params) mixUnused() string {
	var list []string
	for k := range p.RandomBits() {
		bit := fmt.Sprintf("random[%d]", k)
		if !slices.ContainsFunc(p.mixRows(), func(r mixRow) bool { return slices.Contains(strings.Split(r.Sum, " ^ "), bit) }) {
			list = append(list, bit)
		}
	}
	return strings.Join(list, ", ")
}

// mixRows are the bits with which those of a slot are mixed, as sums of random bits.
func (p *Params) mixRows() []mixRow {
	n := p.RandomBits()
	var sums []uint // of the random bits, then of those that follow
	for k := range n {
		sums = append(sums, 1<<k)
	}
	rows := make([]mixRow, p.SlotBits())
	for i := range rows {
		var sum uint
		for k := range n {
			if mixTaps[n]>>k&1 == 1 {
				sum ^= sums[i+k]
			}
		}
		sums = append(sums, sum)
		var terms []string
		for k := range n {
			if sum>>k&1 == 1 {
				terms = append(terms, fmt.Sprintf("random[%d]", k))
			}
		}
		rows[i] = mixRow{i, strings.Join(terms, " ^ ")}
	}
	return rows
}
