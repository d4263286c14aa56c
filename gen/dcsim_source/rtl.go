// SPDX-License-Identifier: Apache-2.0

package dcsimsource

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
		"WantRAM": part(want), "FlowRAM": part(flow), "SpotRAM": part(spot), "SlotRAM": part(slot),
	}, "queue", "marks", "ring", "random", "want", "sims", "flight", "match", "datas", "copies", "counters", "dcsim_source")
	return append(parts, own...), err
}

// expandSeed is the state of the random generator after reset: small seeds give states with as
// many ones as zeros.
func expandSeed(seed uint64) uint64 { return max(1, seed*0x9e3779b97f4a7c15>>33) }
