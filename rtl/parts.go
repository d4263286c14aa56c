// SPDX-License-Identifier: Apache-2.0

// Package rtl holds the SystemVerilog that is checked in: the units as they are emitted,
// and, in the folder lib, the hand-written parts that they share. A unit names the parts
// that it instantiates.
package rtl

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

//go:embed lib/*.sv
var sources embed.FS

// PartPrefix is what the names of all parts begin with, and no other module's.
const PartPrefix = "nic_lib_"

// PartIn names a part by what it does and the memory that it is for: PartIn("ram", gen.BRAM) is
// "nic_lib_ram_block".
func PartIn(part, memory string) string {
	return PartPrefix + part + "_" + map[string]string{gen.LUTRAM: "lut", gen.BRAM: "block", gen.URAM: "ultra"}[memory]
}

// Parts returns the named parts in the order given, as files to compile before
// the unit. Names are without the suffix: "nic_lib_ram_block".
func Parts(names ...string) ([]gen.File, error) {
	var out []gen.File
	for _, n := range names {
		text, err := sources.ReadFile(gen.Library + "/" + n + ".sv")
		if err != nil {
			return nil, fmt.Errorf("rtl/lib has no part %q", n)
		}
		out = append(out, gen.File{Name: n + ".sv", Text: string(text)})
	}
	return out, nil
}

// All returns every part, by name.
func All() ([]gen.File, error) {
	list, err := fs.Glob(sources, gen.Library+"/*.sv")
	if err != nil {
		return nil, err
	}
	for i, n := range list {
		list[i] = strings.TrimSuffix(path.Base(n), ".sv")
	}
	return Parts(list...)
}
