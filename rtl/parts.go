// SPDX-License-Identifier: Apache-2.0

// Package rtl holds the checked-in SystemVerilog: the emitted units, and, in the folder lib, the
// hand-written parts that they share. A unit names the parts that it instantiates.
package rtl

import (
	"embed"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
)

//go:embed lib/*.sv
var sources embed.FS

// PartPrefix is the prefix of the names of all parts, and of no other module.
const PartPrefix = "nic_lib_"

// PartIn returns the name of a part from its function and its memory: PartIn("ram", gen.BRAM) is
// "nic_lib_ram_block".
func PartIn(part, memory string) string {
	return PartPrefix + part + "_" + map[string]string{gen.LUTRAM: "lut", gen.BRAM: "block", gen.URAM: "ultra"}[memory]
}

// instance is a line of a part that begins an instance of another one.
var instance = regexp.MustCompile(`(?m)^ +(` + PartPrefix + `\w+) #\(`)

// Parts returns the named parts in the order given, each once and after the parts that it consists
// of, as files to compile before the unit. Names are without the suffix: "nic_lib_ram_block".
func Parts(names ...string) ([]gen.File, error) {
	var out []gen.File
	for _, n := range names {
		if slices.ContainsFunc(out, func(f gen.File) bool { return f.Name == n+".sv" }) {
			continue
		}
		text, err := sources.ReadFile(gen.Library + "/" + n + ".sv")
		if err != nil {
			return nil, fmt.Errorf("rtl/lib has no part %q", n)
		}
		var within []string
		for _, m := range instance.FindAllSubmatch(text, -1) {
			within = append(within, string(m[1]))
		}
		files, err := Parts(within...)
		if err != nil {
			return nil, err
		}
		for _, f := range append(files, gen.File{Name: n + ".sv", Text: string(text)}) {
			if !slices.Contains(out, f) {
				out = append(out, f)
			}
		}
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
	files, err := Parts(list...)
	slices.SortFunc(files, func(a, b gen.File) int { return strings.Compare(a.Name, b.Name) })
	return files, err
}
