// SPDX-License-Identifier: Apache-2.0

package cosim

// File is one source text.
type File struct {
	Name string
	Text string
}

// Source is a design to compile: SystemVerilog in compile order, its top
// module, and what goes with it.
type Source struct {
	Top    string
	Files  []File            // compile order; packages first
	Bind   []File            // assertions attached by bind; compiled after Files
	Params map[string]string // parameters of Top overridden at instantiation, as SystemVerilog literals
	Clock  string            // clock port; empty means "clk"
}
