// SPDX-License-Identifier: Apache-2.0

package nicgate

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// inLUTRAM is the largest number of connections for which single bits are in LUTRAM.
const inLUTRAM = 256

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	small := gen.MemoryFor(gen.Auto, p.Connections, inLUTRAM, gen.NoURAM)
	ring := p.RingKind()
	memory := rtl.PartIn("ram", ring)
	if p.Banks() > 1 {
		memory = rtl.PartPrefix + "banks_ultra"
	}
	files, err := rtl.Parts(rtl.PartPrefix+"fifo_lut", rtl.PartPrefix+"delay", rtl.PartIn("state", small), rtl.PartIn("fwd", small),
		rtl.PartIn("ram", gen.BRAM), memory, rtl.PartIn("fwd", gen.BRAM))
	if err != nil {
		return nil, err
	}
	modules, err := texts.Modules(p, map[string]any{
		"Ring": p.Ring, "RingBits": sv.CLog2(p.Ring), "TickW": p.TimerBits - TickBits, "PSNBits": p.PSNBits, "LapBits": p.LapBits, "ByteBits": p.ByteBits,
		"PacketBits": p.PacketBits, "EVBits": p.EVBits, "EVLatency": p.EVLatency, "TimerBits": p.TimerBits, "RTTBits": p.RTTBits,
		"RingLatency": p.RingLatency, "ToRing": p.ToRing(), "Drain": p.Drain(), "SampleLatency": p.SampleLatency(),
		"Ultra": ring == gen.URAM, "Banks": p.Banks() > 1, "BankRows": gen.URAMBankRows, "State": rtl.PartIn("state", small), "Fwd": rtl.PartIn("fwd", small),
		"Looks": Looks, "Calls": Calls, "Pops": Pops, "WireBits": WireBits, "BudgetBits": BudgetBits, "DoneBits": DoneBits,
		"PSNsBits": PSNsBits, "NearBits": NearBits, "TickBits": TickBits, "CountBits": CountBits, "LengthBits": LengthBits, "BytesPerPSN": BytesPerPSN,
	}, "level", "enter", "release", "ring", "ack", "turn", "done", "push", "flush", "nic_gate")
	return append(files, modules...), err
}
