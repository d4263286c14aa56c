// SPDX-License-Identifier: Apache-2.0

package dcsimport

import (
	"embed"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// rowsInLUTRAM is the largest number of rows for which the memory is LUTRAM.
const rowsInLUTRAM = 64

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ram := rtl.PartIn("ram", gen.MemoryFor(gen.Auto, p.Descriptors, rowsInLUTRAM, gen.NoURAM))
	parts, err := rtl.Parts("nic_lib_bucket", ram)
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{
		"Descriptors": p.Descriptors, "QueueDepth": p.QueueDepth, "TagBits": p.TagBits, "MaxBytes": p.MaxBytes, "ByteBits": p.ByteBits, "Bucket": p.Bucket,
		"TokenBits": p.TokenBits, "ClassBits": ClassBits, "LengthBits": LengthBits, "QueueBits": QueueBits, "GapBits": GapBits, "RateBits": RateBits,
		"FractionBits": FractionBits, "RAM": strings.TrimPrefix(ram, rtl.PartPrefix),
	}, "line", "small", "data", "dcsim_port")
	return append(parts, own...), err
}
