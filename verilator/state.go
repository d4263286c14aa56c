// SPDX-License-Identifier: Apache-2.0

package verilator

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// stateVersion changes when StateGlue's text for the same variables, or its choice of variables,
// changes.
const stateVersion = "state 2"

// Variable is a variable of a verilated design: a register, a memory or a result of combinational
// logic.
type Variable struct {
	Path  string // of instances, blocks and the name in SystemVerilog, with dots; the top module is not in it
	Ident string // in C++
	Width int    // bits of a word
	Depth int    // words of a memory; 0: it is none
}

// Bytes returns the memory of a variable in the model, and so in its saved state.
func (v Variable) Bytes() int { return max(v.Depth, 1) * wordBytes(v.Width) }

// wordBytes returns the memory of a word of some bits.
func wordBytes(width int) int {
	switch {
	case width <= 8:
		return 1
	case width <= 16:
		return 2
	}
	return 4 * ((width + 31) / 32)
}

var variableRE = regexp.MustCompile(`(?m)^\s*(?:VlUnpacked<)?(?:[CSIQ]Data|VlWide<\d+>)/\*(\d+):(\d+)\*/(?:, (\d+)>)? (\w+__DOT__\w+);$`)

// Variables reads the variables of the design from the header that Verilator wrote
// into obj for a model with Options.State, in its order.
func Variables(obj, top string) ([]Variable, error) {
	b, err := os.ReadFile(filepath.Join(obj, "Vm___024root.h"))
	if err != nil {
		return nil, unusable(err)
	}
	var list []Variable
	for _, m := range variableRE.FindAllStringSubmatch(string(b), -1) {
		name, ok := strings.CutPrefix(m[4], top+"__DOT__")
		if !ok || strings.HasPrefix(name, "__V") || strings.Contains(name, "__DOT____V") {
			continue // a variable of Verilator's own
		}
		msb, _ := strconv.Atoi(m[1])
		lsb, _ := strconv.Atoi(m[2])
		v := Variable{Ident: m[4], Width: msb - lsb + 1}
		if v.Width < 1 {
			return nil, fmt.Errorf("variable %s has the range %d:%d, want a descending one", m[4], msb, lsb)
		}
		if m[3] != "" {
			v.Depth, _ = strconv.Atoi(m[3])
		}
		name = strings.ReplaceAll(name, "__DOT__", ".")
		name = strings.ReplaceAll(strings.ReplaceAll(name, "__BRA__", "["), "__KET__", "]")
		v.Path = svName(name)
		list = append(list, v)
	}
	if len(list) == 0 {
		return nil, unusable(errors.New("no variables in Vm___024root.h, which is written in a new form"))
	}
	return list, nil
}

// StateGlue writes the C++ that copies variables out of a model and back. After the copy back it
// updates all combinational logic, by running the model's own settling of its first cycle again.
func StateGlue(list []Variable) string {
	var b strings.Builder
	bytes := 0
	for _, v := range list {
		bytes += v.Bytes()
	}
	fmt.Fprintf(&b, "#line 1 \"state.cpp\"\n#include \"Vm___024root.h\"\nAPI uint64_t m_state_size(void) { return %d; }\n", bytes)
	copying := func(name, from, to string) {
		fmt.Fprintf(&b, "API void %s(void* p, %s* b) {\n    Model* m = static_cast<Model*>(p);\n    Vm___024root& r = *m->top->rootp;\n", name, from)
		for _, v := range list {
			fmt.Fprintf(&b, "    static_assert(sizeof r.%s == %d, \"size\");\n", v.Ident, v.Bytes())
			fmt.Fprintf(&b, "    memcpy("+to+", %d); b += %d;\n", v.Ident, v.Bytes(), v.Bytes())
		}
	}
	copying("m_state_get", "uint8_t", "b, &r.%s")
	b.WriteString("}\n")
	copying("m_state_put", "const uint8_t", "&r.%s, b")
	b.WriteString("    Enter e(m);\n    guarded(m, [&] { Vm___024root___eval_settle(&r); });\n}\n")
	return b.String()
}
