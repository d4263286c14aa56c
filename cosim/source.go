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
	Reset  string            // active-high reset port, if there is one; empty means "rst"

	// Netlist marks text that a synthesis tool wrote: it is not linted, and Verilator
	// leaves out an optimisation that goes wrong on such text (5.006: -fno-dfg).
	Netlist bool `json:",omitempty"`
}

// ResetPort is the name of the reset port, if there is one.
func (s Source) ResetPort() string {
	if s.Reset == "" {
		return "rst"
	}
	return s.Reset
}
