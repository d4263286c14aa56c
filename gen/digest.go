// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"path"
	"slices"
)

// DesignDigest returns the identity of a design, 64 hexadecimal digits: a result measured for a
// design with another digest is out of date. It is the SHA-256 of the design's tokens. The
// following does not change it:
//
//   - blanks, comments, the names of files, the distribution of modules over files, and the order
//     of files;
//   - other names for the modules, if each is renamed at all of its places;
//   - the directives in every file of a unit: `resetall, `timescale 1ns / 1ps and `default_nettype
//     none;
//   - always_ff in place of always: it only asks tools for checks.
//
// Everything else changes it: ports, parameters, instances, attributes, strings and every other
// identifier. Two legal designs with one digest thus behave alike, but a synthesis tool that
// depends on the order of names or files may count a LUT more or less.
//
// If a design has other text outside its modules, another directive, a comment that a tool heeds or
// a file that is not SystemVerilog, the digest is taken of the names and texts of its files.
func DesignDigest(top string, files []File) string {
	h := sha256.New()
	if modules, ok := modulesOf(files); ok {
		writeModules(h, top, modules)
	} else {
		fmt.Fprintf(h, "text %s\n", top)
		for _, f := range files {
			fmt.Fprintf(h, "%s %d\n%s", f.Name, len(f.Text), f.Text)
		}
	}
	return hex.EncodeToString(h.Sum(nil))
}

// A module is its name and its tokens from attributes to endmodule.
type module struct {
	name   string
	tokens []string
}

// writeModules writes the modules in the order in which they are mentioned from the top down,
// unmentioned ones last. The name of a module is the place in that order.
func writeModules(w io.Writer, top string, modules []module) {
	tokens := map[string][]string{}
	for _, m := range modules {
		tokens[m.name] = m.tokens
	}
	place := map[string]int{}
	var order []string
	mention := func(name string) {
		if _, ok := place[name]; !ok {
			place[name] = len(order)
			order = append(order, name)
		}
	}
	spell := func(t string) {
		if n, ok := place[t]; ok {
			fmt.Fprintf(w, "#%d\n", n)
		} else {
			fmt.Fprintf(w, "%d:%s\n", len(t), t)
		}
	}
	if tokens[top] != nil {
		mention(top)
	}
	spell(top)
	for written := 0; written < len(modules); written++ {
		if written == len(order) { // nothing names the others
			mention(modules[slices.IndexFunc(modules, func(m module) bool {
				_, ok := place[m.name]
				return !ok
			})].name)
		}
		for _, t := range tokens[order[written]] {
			if tokens[t] != nil {
				mention(t)
			}
			spell(t)
		}
	}
}

// modulesOf splits files into modules; ok reports whether they consist only of modules.
func modulesOf(files []File) (list []module, ok bool) {
	names := map[string]bool{}
	var escaped []string
	for _, f := range files {
		if ext := path.Ext(f.Name); ext != ".sv" && ext != ".v" {
			return nil, false
		}
		tokens, ok := lex(f.Text)
		if !ok {
			return nil, false
		}
		if tokens, ok = withoutDirectives(tokens); !ok {
			return nil, false
		}
		for len(tokens) > 0 {
			m, rest, ok := cutModule(tokens)
			if !ok || names[m.name] {
				return nil, false
			}
			names[m.name] = true
			list, tokens = append(list, m), rest
			for _, t := range m.tokens {
				if t[0] == '\\' {
					escaped = append(escaped, t[1:])
				}
			}
		}
	}
	// \name is another spelling of name, which the digest's renaming would miss.
	for _, e := range escaped {
		if names[e] {
			return nil, false
		}
	}
	return list, len(list) > 0
}

// withoutDirectives drops the directives of every file of a unit; ok reports whether the files have
// no other directive.
func withoutDirectives(tokens []string) (rest []string, ok bool) {
	for _, t := range tokens {
		switch {
		case t == "`resetall", t == "`timescale 1ns / 1ps", t == "`default_nettype none":
		case t[0] == '`':
			return nil, false
		case t == "always":
			rest = append(rest, "always_ff")
		default:
			rest = append(rest, t)
		}
	}
	return rest, true
}

// cutModule cuts a module with its attributes from the front of tokens.
func cutModule(tokens []string) (m module, rest []string, ok bool) {
	at := 0
	for at < len(tokens) && tokens[at] == "(*" {
		end := slices.Index(tokens[at:], "*)")
		if end < 0 {
			return m, nil, false
		}
		at += end + 1
	}
	if at+1 >= len(tokens) || tokens[at] != "module" || !isWord(tokens[at+1]) {
		return m, nil, false
	}
	end := at + 1 + slices.Index(tokens[at+1:], "endmodule")
	if end == at || slices.Contains(tokens[at+1:end], "module") {
		return m, nil, false
	}
	return module{tokens[at+1], tokens[:end+1]}, tokens[end+1:], true
}
