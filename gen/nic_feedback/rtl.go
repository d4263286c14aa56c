// SPDX-License-Identifier: Apache-2.0

package nicfeedback

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

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) { return p.FilesFor(FIFO) }

// FilesFor returns the files of a unit in which another number of lists may wait, a power of two of
// at least 2: waiting lists are wide, and proofs need few of them.
func (p *Params) FilesFor(fifo int64) ([]gen.File, error) {
	files, err := rtl.Parts(rtl.PartIn("ram", gen.BRAM))
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{
		"List": p.List, "Span": 1 << sv.CLog2(p.List), "FIFO": fifo, "FIFOBits": sv.CLog2(fifo), "Lines": lines(), "Begin": fmt.Sprintf("32'h%08x", begin()),
	}, "make", "end", "nic_feedback")
	sv.Align(own[:1]) // the widths of a list are filled in
	return append(files, own...), err
}

// poly is the polynomial of CRC-32: bit i is the coefficient of x^(31-i).
const poly = 0xEDB88320

// step returns a CRC register 32 zero bits later. For other bits, pass register XOR bits.
func step(r uint32) uint32 {
	for range 32 {
		r = r>>1 ^ poly&-(r&1)
	}
	return r
}

// begin returns the register after the eight bytes of ones at the beginning of an ICRC.
func begin() uint32 {
	const ones = ^uint32(0)
	return step(step(ones^ones) ^ ones)
}

// lines returns the assignments of step's bits: it is linear.
func lines() []string {
	var rows [32]uint32
	for i := range 32 {
		of := step(1 << i)
		for k := range rows {
			rows[k] |= of >> k & 1 << i
		}
	}
	var out []string
	for k, row := range rows {
		out = append(out, fmt.Sprintf("%-8s = ^(a & 32'h%08x);", fmt.Sprintf("step[%d]", k), row))
	}
	return out
}
