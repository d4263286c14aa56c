// SPDX-License-Identifier: Apache-2.0

package svparse

// Tool is who a rule is for.
type Tool string

const (
	Yosys     Tool = "yosys"     // Yosys 0.23
	Verilator Tool = "verilator" // Verilator 5.006
	Slang     Tool = "slang"     // slang 12.1
	Style     Tool = "style"     // all take it, nicgen does not emit it
)

// Rule is one thing that Check looks for.
type Rule struct {
	Name    string `json:"name"`    // "packed-dims"
	Tool    Tool   `json:"tool"`    // who stumbles
	Rejects bool   `json:"rejects"` // the tool stops; otherwise the result is wrong, or only the style is
	Reason  string `json:"reason"`  // the effect of breaking the rule
	Instead string `json:"instead"` // the text to write instead
	Bench   bool   `json:"bench"`   // also applies to files that only a simulator reads
}

const (
	rejects  = true
	accepted = false
)

// rules by name; the texts follow "<source text>: ".
var rules = map[string]Rule{}

func rule(name string, tool Tool, rejected bool, reason, instead string) {
	rules[name] = Rule{name, tool, rejected, reason, instead, tool == Verilator}
}

func init() {
	rule("packed-dims", Yosys, rejects, "Yosys rejects packed arrays of several dimensions", "use one vector and part selects [i*W +: W]")
	rule("named-type-dims", Yosys, accepted, "Yosys drops a dimension added to a named type, and the upper elements with it", "use one vector and part selects [i*W +: W]")
	rule("unpacked-port", Yosys, rejects, "Yosys rejects ports that are unpacked arrays", "use one vector")
	rule("unpacked-param", Yosys, rejects, "Yosys rejects parameters that are unpacked arrays", "use one vector, or a function with a case statement")
	rule("assignment-pattern", Yosys, rejects, "Yosys rejects assignment patterns", "use a concatenation, or assign each member")
	rule("import", Yosys, rejects, "Yosys rejects imports", "write package::name at each use")
	rule("return", Yosys, rejects, "Yosys rejects return", "assign to the function's name")
	rule("void", Yosys, rejects, "Yosys rejects void functions and void casts", "use a task, or assign the result to a signal")
	rule("default-argument", Yosys, rejects, "Yosys rejects default values of arguments", "pass every argument")
	rule("named-argument", Yosys, rejects, "Yosys rejects arguments by name", "pass arguments by position")
	rule("unpacked-argument", Yosys, rejects, "Yosys rejects arguments that are unpacked arrays", "pass one vector")
	rule("jump", Yosys, rejects, "Yosys rejects break and continue", "guard the rest of the loop with a condition")
	rule("disable", Yosys, rejects, "Yosys rejects disable", "guard the rest of the block with a condition")
	rule("foreach", Yosys, rejects, "Yosys rejects foreach", "use for (int i = 0; i < N; i++)")
	rule("while", Yosys, rejects, "Yosys rejects while, do and forever loops outside of constant functions", "use a for loop with constant bounds")
	rule("inside", Yosys, rejects, "Yosys rejects inside", "use comparisons")
	rule("wildcard-equal", Yosys, rejects, "Yosys rejects ==? and !=?", "compare the bits that matter")
	rule("implication", Yosys, rejects, "Yosys rejects -> and <-> in expressions", "use !a || b, or a == b")
	rule("streaming", Yosys, rejects, "Yosys rejects streaming operators", "use a for loop over the bits")
	rule("type-cast", Yosys, rejects, "Yosys rejects casts to a type", "use a size cast N'(x), signed'(x), or assign to a variable of the type")
	rule("select-of-expression", Yosys, rejects, "Yosys rejects a select of anything but a name", "assign it to a signal and select from that")
	rule("enum-method", Yosys, rejects, "Yosys rejects methods", "compute the value with operators")
	rule("type-param", Yosys, rejects, "Yosys rejects type parameters", "use a width parameter")
	rule("string-param", Yosys, rejects, "Yosys rejects typed string parameters", "leave the type out: parameter FILE = \"x.mem\"")
	rule("param-keyword", Yosys, rejects, "Yosys rejects a typed header parameter without the keyword", "write parameter or localparam")
	rule("not-bits", Yosys, rejects, "Yosys rejects variables that are not made of bits", "use logic vectors")
	rule("type-operator", Yosys, rejects, "Yosys rejects type()", "use a typedef")
	rule("unpacked-struct", Yosys, rejects, "Yosys rejects unpacked structures", "write struct packed")
	rule("unique-if", Yosys, rejects, "Yosys rejects unique, unique0 and priority before if", "leave it out, or use unique case")
	rule("local-init", Yosys, rejects, "Yosys rejects automatic, static and initialised variables in a block", "declare the variable, then assign it")
	rule("for-list", Verilator, rejects, "Verilator and Yosys reject several variables in a for loop", "use one variable")
	rule("prefix-increment", Yosys, rejects, "Yosys rejects ++x and --x", "write x++ or x += 1")
	rule("array-member", Yosys, accepted, "Yosys loses members of an element of an array of structures", "copy the element to a variable first, or use one array a member")
	rule("result-member", Yosys, accepted, "Yosys loses members assigned on a function's result", "build the result in a local variable")
	rule("declaration-init", Yosys, accepted, "Yosys takes the initial value of a variable for its power-up value, not for a continuous assignment", "use assign, or wire")
	rule("constant-ones", Yosys, accepted, "Yosys takes '1 for a single bit where it computes with constants", "write {W{1'b1}}, or W'('1)")
	rule("cast-operand", Yosys, accepted, "Yosys makes an operation on a cast as wide as what is cast, if that is wider", "assign the cast to a signal of its width, and use that")
	rule("negative-replication", Verilator, rejects, "a negative replication count stops Verilator and is mistranslated by Yosys", "guard it with a generate if")
	rule("interface", Style, accepted, "Yosys leaves interface ports undriven, or rejects them", "use flat ports")
	rule("final-block", Yosys, rejects, "Yosys rejects final blocks", "move it to the assertion file")
	rule("concurrent-assertion", Yosys, rejects, "Yosys rejects concurrent assertions, properties and clocking", "move it to a file that is bound to the module")
	rule("assert-action", Yosys, rejects, "Yosys rejects an action, #0 or else after an immediate assertion", "wrap it in `ifndef SYNTHESIS, or move it to the assertion file")
	rule("assert-cell", Style, accepted, "Yosys leaves an assertion cell in the netlist", "wrap it in `ifndef SYNTHESIS, or move it to the assertion file")
	rule("sequence", Verilator, rejects, "Verilator rejects sequences: ##, repetition, and, or, if, throughout, within, intersect and default disable", "keep the history in registers, or use $past and |=>")
	rule("event-iff", Verilator, rejects, "Verilator and Yosys reject iff in an event control", "use an if in the block")
	rule("port-default", Verilator, rejects, "Verilator rejects default values of ports", "connect the port")
	rule("net-type", Verilator, rejects, "Verilator or Yosys rejects net types other than wire and tri", "use wire")
	rule("mixed-drivers", Verilator, rejects, "Verilator rejects a variable driven by always_ff and elsewhere (BLKANDNBLK)", "drive a separate register and assign from it")
	rule("timing", Verilator, rejects, "Verilator rejects delays, wait and event controls within a statement", "use always_ff and an enable")
	rule("declared-later", Slang, rejects, "slang rejects a name that is used before its declaration", "declare it above its first use")
	rule("initial-and-process", Slang, rejects, "slang, as other simulators, rejects a variable that initial and a process of always_ff, always_comb or always_latch write", "write a memory that initial fills from always @(posedge clk)")
	rule("elab-task", Style, accepted, "Yosys prints nothing for $fatal, $warning and $info", "use $error with a fixed sentence")
	rule("elab-text", Style, accepted, "Yosys prints the message unformatted, and Verilator rejects %m in it", "use $error with a fixed sentence and no arguments")
	rule("rom-distributed", Style, accepted, "Yosys finds no mapping for a ROM in distributed memory", "use rom_style = \"logic\", or no attribute")
	rule("timeunit", Yosys, rejects, "Yosys rejects timeunit and timeprecision", "use `timescale")
	rule("unit-scope", Yosys, rejects, "Yosys rejects $unit::", "use a package")
	rule("default-nettype", Style, accepted, "a misspelt name becomes a wire of one bit", "write `default_nettype none above the first module")
	rules["default-nettype"] = withBench(rules["default-nettype"])
	rule("resetall", Style, accepted, "`default_nettype none reaches into the files that are compiled after this one", "end the file with `resetall")
	rules["resetall"] = withBench(rules["resetall"])
	rule("dot-star", Style, accepted, "a port added later connects silently", "write .name for each port")
	rule("positional", Style, accepted, "a port added later shifts the connections", "write .name(value)")
	rule("initial", Style, accepted, "an initial block sets what no reset does", "reset the register; an initial block may fill memories, and set registers that always @(posedge clk) writes")
	rule("initial-value", Verilator, accepted, "newer releases of Verilator warn of a value in the declaration of a register (PROCASSINIT)", "reset the register; without a reset, set it in an initial block and write it from always @(posedge clk)")
	rule("similar-name", Style, accepted, "the two are one name to VHDL and to file systems that ignore case, and newer releases of Verilator warn (SIMILARNAME)", "use names that differ in more than case")
	rule("casez", Style, accepted, "a pattern with ? hides a priority", "use case with exact values, or if and else")
	rule("unknown-value", Style, accepted, "an x or z makes simulation and hardware differ", "use a defined value")
	rule("hierarchical", Style, accepted, "a hierarchical reference breaks when the hierarchy changes", "bring the signal out as a port")
	rule("port-direction", Style, accepted, "a port without direction is an inout, or declared elsewhere", "write input wire logic or output logic in the header")
}

func withBench(r Rule) Rule { r.Bench = true; return r }
