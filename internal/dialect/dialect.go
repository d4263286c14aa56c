// SPDX-License-Identifier: Apache-2.0

// Package dialect writes emitted SystemVerilog for tools that read less of the language.
package dialect

import "regexp"

// Icarus is the name of the dialect of Icarus Verilog 11.
const Icarus = "icarus"

// Names are the dialects that there are.
func Names() []string { return []string{Icarus} }

// A rewrite replaces a construct that Icarus Verilog 11 does not accept by one that
// means the same.
type rewrite struct {
	pattern *regexp.Regexp
	with    string
}

// rewrites are all there is between the emitted text and what Icarus compiles.
var rewrites = []rewrite{
	// Four states in place of two, which makes no difference to a constant.
	{regexp.MustCompile(`\bint unsigned\b`), "logic [31:0]"},
	{regexp.MustCompile(`\b(signed|unsigned)'\(`), "$$$1("},
	// A check at elaboration becomes one at time 0.
	{regexp.MustCompile(`(?m)^(\s*)\$error\("`), `${1}initial $$fatal(1, "`},
	{regexp.MustCompile(`(for \(genvar (\w+) = [^;]*;[^;]*; )\w+ \+= (\d+)\)`), "${1}${2} = ${2} + ${3})"},
}

// ForIcarus is a source text as Icarus Verilog 11 accepts it. It knows what the units of
// nicgen consist of; other text may be refused.
func ForIcarus(text string) string {
	for _, r := range rewrites {
		text = r.pattern.ReplaceAllString(text, r.with)
	}
	return text
}
