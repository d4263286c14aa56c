// SPDX-License-Identifier: Apache-2.0

package nicshim

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	kept := p.Largest() // bytes of a beat that a shim displaces
	return texts.Modules(p, map[string]any{
		"LAPS": p.HasLAPS(), "INT": p.HasINT(), "Both": p.HasLAPS() && p.HasINT(),
		"BodyBits": p.BodyBits(), "ShimBits": kept * 8, "KeptBits": kept * 8, "KeptBytes": kept,
		"RemoveLatency": RemoveLatency,
	}, "insert", "remove", "nic_shim")
}
