// SPDX-License-Identifier: Apache-2.0

package nicprobe

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
	files, err := rtl.Parts(rtl.PartIn("ram", gen.BRAM), rtl.PartPrefix+"fifo_lut")
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{
		"Anchors": p.Anchors, "FIFO": FIFO, "HeadBytes": HeadBytes, "FrameBytes": FrameBytes,
	}, "nic_probe")
	return append(files, own...), err
}
