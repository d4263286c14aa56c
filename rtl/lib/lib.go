// SPDX-License-Identifier: Apache-2.0

// Package lib holds the hand-written SystemVerilog parts that units share. A
// unit names the parts it instantiates, and they are emitted with it.
package lib

import (
	"embed"
	"fmt"
	"io/fs"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

//go:embed *.sv
var sources embed.FS

// In names a part by what it does and the memory that it is for: In("ram", gen.BRAM) is
// "nic_lib_ram_block".
func In(part, memory string) string {
	return "nic_lib_" + part + "_" + map[string]string{gen.LUTRAM: "lut", gen.BRAM: "block", gen.URAM: "ultra"}[memory]
}

// Parts returns the named parts in the order given, as files to compile before
// the unit. Names are without the suffix: "nic_lib_ram_block".
func Parts(names ...string) ([]gen.File, error) {
	var out []gen.File
	for _, n := range names {
		text, err := sources.ReadFile(n + ".sv")
		if err != nil {
			return nil, fmt.Errorf("rtl/lib has no part %q", n)
		}
		out = append(out, gen.File{Name: n + ".sv", Text: string(text)})
	}
	return out, nil
}

// All returns every part, by name.
func All() ([]gen.File, error) {
	list, err := fs.Glob(sources, "*.sv")
	if err != nil {
		return nil, err
	}
	for i, n := range list {
		list[i] = strings.TrimSuffix(n, ".sv")
	}
	return Parts(list...)
}
