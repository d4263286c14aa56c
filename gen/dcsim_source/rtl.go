// SPDX-License-Identifier: Apache-2.0

package dcsimsource

import (
	"embed"
	"fmt"
	"math/bits"
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

// in returns the memory for a number of rows, named as its part names it.
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

// expandSeed returns the state of the random generator after reset: small seeds give states with
// about as many ones as zeros.
func expandSeed(seed uint64) uint64 { return max(1, seed*0x9e3779b97f4a7c15>>33) }

// mixTaps holds for each number of random bits the taps of a primitive recurrence: bit k is set if
// b[t+k] is part of the sum b[t+n]. Of all such recurrences, these keep most of the random bits in
// hashes of the port; see TestPortsSpread.
var mixTaps = map[int]uint{2: 0x3, 3: 0x3, 4: 0x3, 5: 0x1b, 6: 0x2d, 7: 0x3, 8: 0x4d, 9: 0x59, 10: 0x27, 11: 0x5, 12: 0x107}

// sumOf returns a sum of the bits of a mask, each written by its place.
func sumOf(mask uint, write func(k int) string) string {
	var terms []string
	for k := range bits.Len(mask) {
		if mask>>k&1 == 1 {
			terms = append(terms, write(k))
		}
	}
	return strings.Join(terms, " ^ ")
}

func randomBit(k int) string { return fmt.Sprintf("random[%d]", k) }

// recurrence returns the sum that gives the next random bit.
func (p *Params) recurrence() string {
	return sumOf(mixTaps[p.RandomBits()], func(k int) string {
		if k == 0 {
			return "b[t]"
		}
		return fmt.Sprintf("b[t+%d]", k)
	})
}

// mixSums returns masks of the random bits: a slot's bit i is mixed with the sum of the bits in mask i.
func (p *Params) mixSums() []uint {
	n := p.RandomBits()
	var sums []uint // of the random bits, then of those that follow
	for k := range n {
		sums = append(sums, 1<<k)
	}
	for i := range p.SlotBits() {
		var sum uint
		for k := range n {
			if mixTaps[n]>>k&1 == 1 {
				sum ^= sums[i+k]
			}
		}
		sums = append(sums, sum)
	}
	return sums[n:]
}

// mixRow is a bit that is mixed into a bit of a slot.
type mixRow struct {
	Bit int
	Sum string
}

func (p *Params) mixRows() []mixRow {
	var rows []mixRow
	for i, sum := range p.mixSums() {
		rows = append(rows, mixRow{i, sumOf(sum, randomBit)})
	}
	return rows
}

// mixUnused returns the random bits that are in no sum, as few slots have few sums, in the form of
// a sum, or "".
func (p *Params) mixUnused() string {
	used := uint(0)
	for _, sum := range p.mixSums() {
		used |= sum
	}
	return sumOf((1<<p.RandomBits()-1)&^used, randomBit)
}
