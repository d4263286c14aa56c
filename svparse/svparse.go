// SPDX-License-Identifier: Apache-2.0

// Package svparse reads the SystemVerilog subset that nicgen emits: it parses a
// file into its modules, parameters, ports and instances, computes port widths
// under any parameter values, and reports constructs that Verilator 5.006 or
// Yosys 0.23 reject or translate wrongly, or that slang 12.1 refuses.
//
//	f, err := svparse.Parse("nic_reps.sv", text)
//	widths, err := svparse.Elaborate(f).Module("nic_reps").PortWidths(nil)
//	findings := svparse.Check(f)
//
// Parse reads a file as a simulator does, with SYNTHESIS undefined. A file that
// mentions SYNTHESIS is parsed a second time with it defined, as Yosys reads it,
// and must be well formed both ways.
package svparse

import (
	"fmt"
	"strings"

	"github.com/antlr4-go/antlr/v4"

	"github.com/nicgen/nicgen/svparse/grammar"
)

// Limits of Parse. They are far above the needs of nicgen's output and keep time and memory bounded
// on any input.
const (
	MaxSize     = 4 << 20 // bytes of one file
	MaxTokens   = 250_000 // tokens of one file, macros expanded
	MaxNesting  = 200     // brackets within brackets
	MaxDepth    = 4_000   // grammar rules within rules: nested statements, chained operators
	MaxProblems = 20      // problems listed for one file
)

// Pos is a place in a source text.
type Pos struct {
	File string `json:"file"` // as given to Parse
	Line int    `json:"line"` // from 1
	Col  int    `json:"col"`  // in characters, from 1
}

// String returns "file:line:col".
func (p Pos) String() string { return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Col) }

func (p Pos) before(q Pos) bool { return p.Line < q.Line || p.Line == q.Line && p.Col < q.Col }

// File holds the declarations of one source text.
type File struct {
	Name       string      `json:"name"`
	Doc        string      `json:"doc,omitempty"` // comment at the top of the file
	Directives []Directive `json:"directives,omitempty"`
	Packages   []*Package  `json:"packages,omitempty"`
	Modules    []*Module   `json:"modules,omitempty"`
	Binds      []*Bind     `json:"binds,omitempty"`

	sim, syn *view // the views of a simulator and of Yosys; the same one if nothing depends on SYNTHESIS
}

// Directive is a compiler directive of a file, such as `default_nettype.
type Directive struct {
	Name string `json:"name"`          // "default_nettype"
	Arg  string `json:"arg,omitempty"` // "none"
	Pos  Pos    `json:"pos"`
}

// Package is a package and its exports.
type Package struct {
	Name      string    `json:"name"`
	Doc       string    `json:"doc,omitempty"`
	Params    []Param   `json:"params,omitempty"`
	Types     []Typedef `json:"types,omitempty"`
	Functions []string  `json:"functions,omitempty"`
	Pos       Pos       `json:"pos"`

	decl grammar.IPackageDeclContext
	view *view
}

// Typedef is a named type.
type Typedef struct {
	Name     string `json:"name"`
	Type     string `json:"type"`               // source text
	Unpacked string `json:"unpacked,omitempty"` // source text of unpacked dimensions
	Width    int    `json:"width,omitempty"`    // bits, for an array in all elements; 0 if the files at hand do not determine it
	Unknown  string `json:"unknown,omitempty"`  // why the width is not known
	Doc      string `json:"doc,omitempty"`
	Pos      Pos    `json:"pos"`
}

// Module is a module, or an interface, with its header and its instances.
type Module struct {
	Name      string      `json:"name"`
	Interface bool        `json:"interface,omitempty"`
	Doc       string      `json:"doc,omitempty"` // comment above it
	Params    []Param     `json:"params,omitempty"`
	Ports     []Port      `json:"ports,omitempty"`
	Instances []*Instance `json:"instances,omitempty"` // including instances within generate blocks
	Pos       Pos         `json:"pos"`

	decl grammar.IModuleDeclContext
	view *view
}

// Param is a parameter or localparam of a module or package.
type Param struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`              // "parameter" (may be overridden) or "localparam"
	Type    string `json:"type,omitempty"`    // source text: "int unsigned", "logic [3:0]"
	Default string `json:"default"`           // source text
	Value   string `json:"value,omitempty"`   // the default in decimal; empty if the files at hand do not determine it
	Unknown string `json:"unknown,omitempty"` // why the value is not known
	Header  bool   `json:"header"`            // declared in the module header
	Doc     string `json:"doc,omitempty"`
	Pos     Pos    `json:"pos"`
}

// Port is one port of a module header.
type Port struct {
	Name      string `json:"name"`
	Dir       string `json:"dir"`                // "input", "output", "inout", "ref"; "" for an interface port
	Type      string `json:"type"`               // without the range: "logic", "reps_pkg::origin_t"
	Net       string `json:"net,omitempty"`      // "wire", "var" and the like, if written
	Signed    bool   `json:"signed,omitempty"`   // declared signed
	Range     string `json:"range,omitempty"`    // source text: "[EVS_BITS-1:0]"
	Unpacked  string `json:"unpacked,omitempty"` // source text of unpacked dimensions
	Interface bool   `json:"interface,omitempty"`
	Width     int    `json:"width,omitempty"`   // bits under default parameters, for an array in all elements; 0 if the files at hand do not determine it
	Unknown   string `json:"unknown,omitempty"` // why the width is not known
	Doc       string `json:"doc,omitempty"`
	Pos       Pos    `json:"pos"`

	decl antlr.ParserRuleContext // source of the type: an earlier port if inherited, a declaration of the body if the header only names the port
	dims []grammar.IUnpackedDimContext
	body bool // declared in the body
}

// Instance is an instance of a module.
type Instance struct {
	Module   string       `json:"module"`
	Name     string       `json:"name"`
	Params   []Connection `json:"params,omitempty"`
	Ports    []Connection `json:"ports,omitempty"`
	Wildcard bool         `json:"wildcard,omitempty"` // connected by .*
	Pos      Pos          `json:"pos"`
}

// Connection is a parameter or port of an instance.
type Connection struct {
	Name  string `json:"name,omitempty"` // empty if by position
	Value string `json:"value"`          // source text; empty if left open
}

// Bind is a bind directive.
type Bind struct {
	Target   string    `json:"target"` // module or instance
	Instance *Instance `json:"instance"`
	Pos      Pos       `json:"pos"`
}

// Problem is one thing that keeps a file from being read.
type Problem struct {
	Pos Pos
	Msg string
}

// Error returns "file:line:col: message".
func (p Problem) Error() string { return p.Pos.String() + ": " + p.Msg }

// SyntaxError is the error of Parse: all problems of a file, in order of place, up to MaxProblems.
type SyntaxError struct {
	Problems []Problem
	More     bool // there were more
}

// Error lists the problems, one a line.
func (e *SyntaxError) Error() string {
	lines := make([]string, len(e.Problems))
	for i, p := range e.Problems {
		lines[i] = p.Error()
	}
	if e.More {
		lines = append(lines, fmt.Sprintf("%s: more than %d problems, the rest is not listed", e.Problems[0].Pos.File, MaxProblems))
	}
	return strings.Join(lines, "\n")
}

// Parse reads one source text; name is used in messages. It either reads a text or returns a
// *SyntaxError; the limits of this package bound time and memory.
func Parse(name, text string) (*File, error) {
	if len(text) > MaxSize {
		return nil, &SyntaxError{Problems: []Problem{{Pos{name, 1, 1},
			fmt.Sprintf("file of %d bytes, want at most %d: split it", len(text), MaxSize)}}}
	}
	text = strings.TrimPrefix(text, "\ufeff") // the byte-order mark of some editors
	sim, err := parseView(name, text, 0, nil)
	if err != nil {
		return nil, err
	}
	syn := sim
	if sim.mentionsSynthesis {
		if syn, err = parseView(name, text, 0, []string{"SYNTHESIS"}); err != nil {
			e := err.(*SyntaxError)
			for i := range e.Problems {
				e.Problems[i].Msg += " (with SYNTHESIS defined, as Yosys reads the file)"
			}
			return nil, e
		}
	}
	f := build(name, sim)
	f.syn = syn
	Elaborate(f).Annotate()
	return f, nil
}
