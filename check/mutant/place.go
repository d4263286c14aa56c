// SPDX-License-Identifier: Apache-2.0

package mutant

import (
	"cmp"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// cellLine declares a cell in RTLIL: its type and its name.
var cellLine = regexp.MustCompile(`^  cell (\S+) (\S+)$`)

// places names the cells of a module for records. Yosys names a cell by file, line and a running
// number, which all change when a line is inserted above it. A place is the path of the instance in
// the flattened design, the kind of cell, and the ordinal from 1 within both:
// "lanes.memories.$add#2". It changes only if the module gains or loses a cell of the kind. A cell
// that has a name in the source, such as an instance, keeps it.
func places(rtlil, module string) map[string]string {
	type cell struct {
		name string
		id   int
	}
	groups := map[string][]cell{}
	named := map[string]string{}
	inside := false
	for line := range strings.Lines(rtlil) {
		line = strings.TrimRight(line, "\n")
		if name, ok := strings.CutPrefix(line, "module "); ok {
			inside = name == `\`+module
		}
		m := cellLine.FindStringSubmatch(line)
		if !inside || m == nil {
			continue
		}
		name := strings.TrimPrefix(m[2], `\`)
		instance, rest := instanceOf(name)
		if !strings.HasPrefix(rest, "$") {
			named[name] = join(instance, rest)
			continue
		}
		kind, id := kindOf(rest)
		groups[join(instance, kind)] = append(groups[join(instance, kind)], cell{name, id})
	}
	for group, cells := range groups {
		// Running numbers follow the source; line numbers, which start a name, do not sort as text.
		slices.SortFunc(cells, func(a, b cell) int { return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.name, b.name)) })
		for i, c := range cells {
			named[c.name] = fmt.Sprintf("%s#%d", group, i+1)
		}
	}
	return named
}

// instanceOf splits the name of a cell in a flattened design, "$flatten\a.\b.$add$…", into
// the path of its instance, "a.b", and the name within that.
func instanceOf(cell string) (instance, rest string) {
	flat, ok := strings.CutPrefix(cell, "$flatten")
	if !ok {
		return "", cell
	}
	at := strings.Index(flat, ".$")
	if at < 0 {
		at = strings.LastIndex(flat, ".")
	}
	return strings.ReplaceAll(flat[:at], `\`, ""), strings.TrimPrefix(flat[at+1:], `\`)
}

// number is the last part of a name that Yosys made: "97", or "97_CMP3" of a comparison in a
// procmux.
var number = regexp.MustCompile(`^(\d+)(_CMP)?\d*$`)

// kindOf reads the kind and the running number from a name that Yosys made: "$add" and 97 from
// "$add$ring.sv:353$97", "$pmuxtree" and 12 from
// "$auto$pmuxtree.cc:65:recursive_mux_generator$12".
func kindOf(name string) (kind string, id int) {
	words := strings.Split(name[1:], "$")
	kind = words[0]
	if kind == "auto" && len(words) > 1 {
		file, _, _ := strings.Cut(words[1], ":")
		kind = strings.TrimSuffix(file, path.Ext(file))
	}
	if m := number.FindStringSubmatch(words[len(words)-1]); m != nil {
		id, _ = strconv.Atoi(m[1])
		kind += m[2]
	}
	return "$" + kind, id
}

// join returns a name in an instance; in the top module that is empty.
func join(instance, name string) string {
	if instance == "" {
		return name
	}
	return instance + "." + name
}
