// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/synth/mapped"
	"github.com/nicgen/nicgen/verilator"
)

// LintRequest is a design to lint.
type LintRequest struct {
	Top    string
	Files  []File            // compile order
	Params map[string]string // parameters of Top, as for Request
}

// Lint checks a design with Verilator, with every warning on and none waived, and with Yosys
// (hierarchy -check; proc; check -assert). It returns the findings of both, in that order, and the
// joined errors of tools that could not run: a *tool.Missing, a *tool.Failed, or the context's.
// Findings of one tool are valid when the other is missing.
func Lint(ctx context.Context, r LintRequest) ([]Finding, error) {
	list := waivers(r.Files)
	v, err1 := LintVerilator(ctx, r)
	y, err2 := LintYosys(ctx, r)
	return append(append(list, v...), y...), errors.Join(err1, err2)
}

var waiver = regexp.MustCompile(`verilator\s+lint_off\s*(\w*)|\bverilog_lint:\s*waive`)

// waivers finds warnings switched off in the sources.
func waivers(files []File) []Finding {
	var list []Finding
	for _, f := range files {
		for i, line := range strings.Split(f.Text, "\n") {
			if at := waiver.FindStringIndex(line); at != nil {
				list = append(list, Finding{Tool: "nicgen", Rule: "waiver", File: f.Name, Line: i + 1, Column: at[0] + 1,
					Text: "a lint warning is switched off: mend its cause instead"})
			}
		}
	}
	return list
}

// LintVerilator returns the part of Lint that Verilator does.
func LintVerilator(ctx context.Context, r LintRequest) ([]Finding, error) {
	j, err := newJob(ctx, tool.Verilator, r.Top, r.Files)
	if err != nil {
		return nil, err
	}
	defer j.close()
	args := []string{"--lint-only", "-Wall", "--top-module", r.Top}
	for _, k := range sortedKeys(r.Params) {
		args = append(args, "-G"+k+"="+r.Params[k])
	}
	cmd := tool.Command(ctx, j.path, append(args, j.names...)...)
	cmd.Dir = j.dir
	out, err := tool.Run(ctx, cmd)
	if ctx.Err() != nil {
		return nil, err
	}
	list := parseVerilator(out)
	if err != nil && len(list) > 0 {
		err = nil // the findings are why it failed
	}
	if slices.ContainsFunc(list, func(f Finding) bool { return f.Rule == "error" }) {
		if bad := verilator.Works(ctx, j.dir); bad != nil {
			return nil, bad
		}
	}
	return list, err
}

var verilatorLine = regexp.MustCompile(`^%(Warning|Error)(?:-([A-Z0-9_]+))?: (?:([^\s:]+):(\d+):(?:(\d+):)? )?(.*)$`)

func parseVerilator(out string) []Finding {
	var list []Finding
	for _, line := range strings.Split(out, "\n") {
		m := verilatorLine.FindStringSubmatch(line)
		if m == nil {
			// " : ... In instance x" and the like continue a message; pictures of
			// the line ("12 | assign") and the general advice do not.
			if s := strings.TrimSpace(line); len(list) > 0 && strings.HasPrefix(s, ": ... ") && !strings.Contains(s, "Suggested alternative") {
				list[len(list)-1].Text += "; " + strings.TrimPrefix(s, ": ... ")
			}
			continue
		}
		if strings.HasPrefix(m[6], "Exiting due to") || strings.HasPrefix(m[6], "Command Failed") {
			continue
		}
		f := Finding{Tool: "verilator", Rule: m[2], File: m[3], Text: m[6]}
		if f.Rule == "" {
			f.Rule = strings.ToLower(m[1])
		}
		f.Line, _ = strconv.Atoi(m[4])
		f.Column, _ = strconv.Atoi(m[5])
		list = append(list, f)
	}
	return list
}

// LintYosys returns the part of Lint that Yosys does.
func LintYosys(ctx context.Context, r LintRequest) ([]Finding, error) {
	j, err := newJob(ctx, tool.Yosys, r.Top, r.Files)
	if err != nil {
		return nil, err
	}
	defer j.close()
	elaborate, err := j.elaborate(r.Params)
	if err != nil {
		return nil, err
	}
	// The netlist only provides the lines of the wires that check names.
	out, err := j.yosys(ctx, elaborate, "proc", "write_json wires.json", "check -assert")
	list, rejected := j.parseYosys(out)
	switch {
	case ctx.Err() != nil:
		return nil, err
	case err != nil && !rejected:
		return list, err
	}
	if _, statErr := os.Stat(filepath.Join(j.dir, "wires.json")); statErr == nil {
		modules, err := j.modules("wires.json")
		if err != nil {
			return list, err
		}
		locateIn(modules, list)
	}
	return list, nil
}

// locateIn adds lines to findings that name a module and a wire of it.
func locateIn(modules map[string]*mapped.Netlist, list []Finding) {
	for i := range list {
		m := moduleWire.FindStringSubmatch(list[i].Text)
		if m == nil {
			continue
		}
		if n := modules[strings.TrimPrefix(m[1], `\`)]; n != nil {
			locate(n, list[i:i+1])
		}
	}
}

var moduleWire = regexp.MustCompile(`(?:Wire |for |module )(\S+?)\.?\\\S`)
