// SPDX-License-Identifier: Apache-2.0

package lapsloss

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

const (
	// fewWords is the largest number of words for which a memory is LUTRAM under Auto: above it a
	// block RAM is better used than that many LUTs.
	fewWords = 64
	// manyWords is the number of words of a lane from which the rings are URAM under
	// Auto: an URAM288 holds 8,192 words of up to 36 bits.
	manyWords = 8192
)

// RingWords returns the number of words in each lane's memory.
func (p *Params) RingWords() int64 { return max(2, p.Paths) * p.Depth / p.Lanes }

// RingKind returns the memory of the rings: LUTRAM, BRAM or URAM.
func (p *Params) RingKind() string {
	return gen.MemoryFor(p.RingMemory, p.RingWords(), fewWords, manyWords-1)
}

// StateKind returns the memory of pointers and timers: LUTRAM or BRAM.
func (p *Params) StateKind() string {
	return gen.MemoryFor(gen.Auto, p.Paths, fewWords, gen.NoURAM)
}

// columnRows is the number of rows in a column of the rings: 8 URAM of 4,096 rows each, half of a
// clock region's URAM in a column of the device. With 16 the multiplexer that Yosys puts behind
// them takes 4.0 ns by the pessimistic estimate.
const columnRows = 8 * 4096

// share returns the number of lanes in a word of the rings' memory: URAM has words of 72 bits,
// eight bytes of nine that can be written apart, so that two lanes of up to 36 bits go
// into one. Other memories have words as wide as a lane.
func (p *Params) share() int64 {
	if p.RingKind() != gen.URAM {
		return 1
	}
	n := int64(1)
	for bytes := (p.FlowBits + p.SeqBits + 8) / 9; 2*n*bytes <= 8 && 2*n <= p.Lanes; n *= 2 {
	}
	return n
}

// segmentBits returns the number of bits that a segment takes in the rings' memory.
func (p *Params) segmentBits() int {
	bits := int(p.FlowBits + p.SeqBits)
	if p.share() > 1 {
		return (bits + 8) / 9 * 9
	}
	return bits
}

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ring, share, kind := rtl.PartIn("ram", p.RingKind()), p.share(), p.StateKind()
	if share > 1 {
		ring = rtl.PartIn("lanes", p.RingKind())
	}
	ram, fwd, state := rtl.PartIn("ram", kind), rtl.PartIn("fwd", kind), rtl.PartIn("state", kind)
	parts := []string{"nic_lib_delay", "nic_lib_fifo_lut", fwd, ram, state}
	if ring != ram {
		parts = append(parts, ring)
	}
	files, err := rtl.Parts(parts...)
	if err != nil {
		return nil, err
	}
	mostRead := 2 // a register of the read, and one of the output
	if p.RingKind() == gen.URAM {
		mostRead = mostRingLatency // and of a cascade
	}
	depthW, laneW := sv.CLog2(p.Depth), sv.CLog2(p.Lanes)
	own, err := texts.Modules(p, map[string]any{
		"FlowW": p.FlowBits, "SeqW": p.SeqBits, "LatW": p.LatBits, "TimeW": p.TimeBits, "WordW": p.FlowBits + p.SeqBits,
		"Paths": p.Paths, "PidBits": p.PidBits, "IdxW": p.PathIdxBits(), "StateRows": max(2, p.Paths), "Single": p.Paths == 1,
		"Depth": p.Depth, "DepthW": depthW, "PtrW": depthW + 1, "Lanes": p.Lanes, "LaneW": laneW,
		"Rows": p.RingWords(), "RowAddrW": p.PathIdxBits() + depthW - laneW, "ColumnRows": columnRows, "Share": share, "MostRead": mostRead, "Shared": share > 1,
		"Queues": p.AckQueues, "QueueW": sv.CLog2(p.AckQueues), "AckQueue": p.AckQueue, "LostQueue": p.LostQueue,
		"RAMLatency": p.RAMLatency, "RingLatency": p.RingLatency, "Slots": p.Slots(),
		"SendLatency": p.SendLatency(), "ScanCycles": p.ScanCycles(), "MaxPasses": p.MaxPasses(),
		"RingRAM": ring, "StateRAM": ram, "FwdRAM": fwd, "State": state,
	}, "watch", "send", "ring", "barrel", "acks", "scan", "laps_loss")
	return append(files, own...), err
}
