// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/nicgen/nicgen/internal/tool"
)

//go:embed slang.py
var slangScript string

// slangOff are slang's warnings about constructs of the house style, each with its reason.
var slangOff = []string{
	"useless-cast",           // W'(x) cuts in another configuration
	"arith-op-mismatch",      // $clog2 and loop variables are signed, widths and indices are not;
	"bitwise-op-mismatch",    // slang reports constants too,
	"sign-compare",           // and of bits that are compared for equality:
	"sign-conversion",        // Verilator and svparse watch widths and signs
	"shift-count-overflow",   // x >> W is 0 if x has W bits: no number is out of range
	"shadow-value",           // a block names its stages as the module does
	"case-redundant-default", // unique case with a default: no latch where a tool ignores unique
}

// Slang lints designs with slang, all in one process: every warning on except for the constructs
// that the house style asks for, and the analysis of each variable's drivers. Each design is read
// as one compilation unit and file by file; a finding of only one of these is marked. The result
// has the findings of each design in its place.
//
// In a design without Top, every module that no other one instantiates is a top, so that the files
// of several units can be read as one design.
//
// The error is a *tool.Missing if no Python with the package pyslang is found, a *tool.Failed, or
// the context's.
func Slang(ctx context.Context, designs []LintRequest) ([][]Finding, error) {
	type text struct {
		Name string `json:"name"`
		Text string `json:"text"`
	}
	type design struct {
		Top    string            `json:"top"`
		Files  []text            `json:"files"`
		Params map[string]string `json:"params"`
	}
	list := []design{}
	for _, r := range designs {
		d := design{Top: r.Top, Files: []text{}, Params: r.Params}
		for _, f := range r.Files {
			if ext := path.Ext(f.Name); ext == ".sv" || ext == ".v" {
				d.Files = append(d.Files, text(f))
			}
		}
		list = append(list, d)
	}
	in, err := json.Marshal(list)
	if err != nil {
		return nil, fmt.Errorf("slang: %w", err)
	}
	out, err := runSlang(ctx, strings.Join(slangOff, " "), in)
	if err != nil {
		return nil, err
	}
	var found [][]Finding
	if err := json.Unmarshal([]byte(out), &found); err != nil || len(found) != len(designs) {
		return nil, &tool.Failed{Name: tool.Slang.Name, Err: fmt.Errorf("wrote no findings of %d designs", len(designs)), Output: tool.Tail(out, 20)}
	}
	return found, nil
}

// SlangVersion returns the version that slang reports. The errors are the same as Slang's.
func SlangVersion(ctx context.Context) (string, error) {
	out, err := runSlang(ctx, "--version", nil)
	return strings.TrimSpace(out), err
}

// runSlang runs the script with one argument.
func runSlang(ctx context.Context, argument string, in []byte) (string, error) {
	python, err := tool.FindPackaged(tool.Python)
	if err != nil {
		return "", &tool.Missing{Tool: tool.Slang, Err: err}
	}
	// Isolated: neither the working directory nor the environment adds modules.
	cmd := tool.Command(ctx, python, "-I", "-W", "ignore", "-c", slangScript, argument)
	cmd.Stdin = bytes.NewReader(in)
	out, err := tool.Run(ctx, cmd)
	var failed *tool.Failed
	if errors.As(err, &failed) && strings.HasPrefix(failed.Output, "no slang: ") {
		return "", &tool.Missing{Tool: tool.Slang, Err: errors.New(failed.Output)}
	}
	return out, err
}
