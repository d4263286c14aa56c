// SPDX-License-Identifier: Apache-2.0

package registers

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
)

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }

// mostNamed is the largest number of candidates in a message.
const mostNamed = 6

// choose returns the name that a text means: the name itself, the name without its block if only
// one block has it, or an end of one name after a dot or an underscore, "ack_cnt" for
// "reps.sts_ack_cnt". A block's name and a dot may precede it.
func choose(what, text string, names []string) (int, error) {
	if i := slices.Index(names, text); i >= 0 {
		return i, nil
	}
	block, rest, _ := strings.Cut(text, ".")
	inBlock := slices.ContainsFunc(names, func(n string) bool { return strings.HasPrefix(n, block+".") })
	if !inBlock {
		block, rest = "", text
	}
	var whole, ends []int
	for i, n := range names {
		of, name, _ := strings.Cut(n, ".")
		switch {
		case block != "" && of != block, rest == "":
		case name == rest:
			whole = append(whole, i)
		case strings.HasSuffix(name, "."+rest), strings.HasSuffix(name, "_"+rest):
			ends = append(ends, i)
		}
	}
	found := whole
	if len(found) == 0 {
		found = ends
	}
	switch {
	case len(found) == 1:
		return found[0], nil
	case len(found) == 0:
		among := slices.Clone(names)
		if block == "" && !strings.Contains(text, ".") {
			for i, n := range names {
				_, among[i], _ = strings.Cut(n, ".")
			}
		}
		near := gen.Nearest(text, among)
		if i := slices.Index(among, near); i >= 0 {
			near = ", nearest: " + names[i]
		}
		return 0, fmt.Errorf("no %s %q%s", what, text, near)
	}
	var list []string
	for _, i := range found[:min(len(found), mostNamed)] {
		list = append(list, names[i])
	}
	more := ""
	if n := len(found) - len(list); n > 0 {
		more = fmt.Sprintf(" and %d more", n)
	}
	return 0, fmt.Errorf("%s %q may be %s%s", what, text, strings.Join(list, ", "), more)
}

// Find returns the place that a name means.
func Find(m *csr.Map, name string) (csr.Place, error) {
	places := m.Places()
	names := make([]string, len(places))
	for i, p := range places {
		names[i] = p.Name()
	}
	i, err := choose("register", name, names)
	if err != nil {
		return csr.Place{}, err
	}
	return places[i], nil
}

// FindWindow returns the window that a name means.
func FindWindow(m *csr.Map, name string) (*csr.Block, *csr.Window, error) {
	var (
		names   []string
		blocks  []*csr.Block
		windows []*csr.Window
	)
	for _, b := range m.Blocks {
		for _, w := range b.Windows {
			names, blocks, windows = append(names, b.Name+"."+w.Name), append(blocks, b), append(windows, w)
		}
	}
	i, err := choose("window", name, names)
	if err != nil {
		return nil, nil, err
	}
	return blocks[i], windows[i], nil
}

// Select returns the places matched by names and patterns, by address, each once: a name as in
// Find, a block's name for its registers, or a pattern with * and ? for full names, "reps.sts_*".
func Select(m *csr.Map, names []string) ([]csr.Place, error) {
	places := m.Places()
	chosen := map[string]bool{}
	for _, name := range names {
		found := false
		take := func(match func(csr.Place) bool) {
			for _, p := range places {
				if match(p) {
					chosen[p.Name()], found = true, true
				}
			}
		}
		switch {
		case m.Block(name) != nil:
			take(func(p csr.Place) bool { return p.Block.Name == name && p.Bit == nil })
		case strings.ContainsAny(name, "*?["):
			if _, err := path.Match(name, ""); err != nil {
				return nil, fmt.Errorf("pattern %q: %w", name, err)
			}
			take(func(p csr.Place) bool {
				ok, _ := path.Match(name, p.Name()) // the pattern is a legal one
				return ok
			})
			if !found {
				return nil, fmt.Errorf("no register's name is as %q", name)
			}
		default:
			p, err := Find(m, name)
			if err != nil {
				return nil, err
			}
			chosen[p.Name()] = true
		}
	}
	return slices.DeleteFunc(places, func(p csr.Place) bool { return !chosen[p.Name()] }), nil
}
