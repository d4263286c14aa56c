// SPDX-License-Identifier: Apache-2.0

package nicecho

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// flagsInLUTRAM is the largest number of connections for which single bits are in LUTRAM.
const flagsInLUTRAM = 512

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	flags := gen.MemoryFor(gen.Auto, p.Connections, flagsInLUTRAM, gen.NoURAM)
	ring := p.RingKind()
	parts := []string{rtl.PartPrefix + "delay", rtl.PartIn("state", flags)}
	switch {
	case p.Banks() > 1:
		parts = append(parts, rtl.PartPrefix+"banks_ultra")
	case ring == gen.URAM:
		parts = append(parts, rtl.PartPrefix+"lanes_ultra")
	}
	if ring == gen.BRAM || p.ShimBits > 0 || p.List > 0 {
		parts = append(parts, rtl.PartIn("ram", gen.BRAM))
	}
	own := []string{"ring", "flags", "nic_echo"}
	if p.List > 0 {
		parts = append(parts, rtl.PartIn("fwd", gen.BRAM), rtl.PartPrefix+"fifo_lut")
		own = append([]string{"lists"}, own...)
	}
	files, err := rtl.Parts(parts...)
	if err != nil {
		return nil, err
	}
	modules, err := texts.Modules(p, map[string]any{
		"Ring": p.Ring, "RingBits": sv.CLog2(p.Ring), "PSNBits": p.PSNBits, "TagBits": p.TagBits, "EVBits": p.EVBits,
		"List": p.List, "ShimBits": p.ShimBits, "TimerBits": p.TimerBits,
		"Ultra": ring == gen.URAM, "Banks": p.Banks() > 1, "BankRows": gen.URAMBankRows, "RingLatency": p.RingLatency, "AnswerBits": p.RingLatency, "EchoLatency": p.EchoLatency(),
		"StateFlag": rtl.PartIn("state", flags), "FlagBlocks": flags == gen.BRAM, "FIFO": FIFO,
	}, own...)
	sv.Align(modules)
	return append(files, modules...), err
}
