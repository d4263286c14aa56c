// SPDX-License-Identifier: Apache-2.0

package niclookup

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	parts, err := rtl.Parts(rtl.PartPrefix + "delay_ring")
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{
		"KeyBits": p.KeyBits, "Ways": p.Ways, "Rows": p.Rows, "RowBits": sv.CLog2(p.Rows), "Ultra": p.Memory() == gen.URAM,
		"Memory": gen.MemoryName(p.Memory()), "MemoryLatency": p.MemoryLatency(), "Latency": p.SearchLatency(),
		"Hash": [][]string{p.hashLines(0), p.hashLines(1)}, "Sums": p.sums(),
	}, "hash", "memory", "search", "nic_lookup")
	return append(parts, own...), err
}
