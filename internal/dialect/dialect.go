// SPDX-License-Identifier: Apache-2.0

// Package dialect adapts emitted SystemVerilog to tools that support less of the language.
package dialect

import "regexp"

// Icarus is the name of the dialect of Icarus Verilog 11.
const Icarus = "icarus"

// Names returns the dialects that there are.
func Names() []string { return []string{Icarus} }

// A rewrite replaces a construct that Icarus Verilog 11 does not accept by an equivalent one.
type rewrite struct {
	pattern *regexp.Regexp
	with    string
}

// rewrites are all differences between the emitted text and the text for Icarus.
var rewrites = []rewrite{
	// Four states instead of two, which makes no difference for a constant.
	{regexp.MustCompile(`\bint unsigned\b`), "logic [31:0]"},
	{regexp.MustCompile(`\b(signed|unsigned)'\(`), "$$$1("},
	// A check at elaboration becomes one at time 0.
	{regexp.MustCompile(`(?m)^(\s*)\$error\("`), `${1}initial $$fatal(1, "`},
	{regexp.MustCompile(`(for \(genvar (\w+) = [^;]*;[^;]*; )\w+ \+= (\d+)\)`), "${1}${2} = ${2} + ${3})"},
}

// ForIcarus returns a source text in a form that Icarus Verilog 11 accepts. It handles the
// constructs of nicgen's units; Icarus may refuse other text.
func ForIcarus(text string) string {
	for _, r := range rewrites {
		text = r.pattern.ReplaceAllString(text, r.with)
	}
	return text
}
