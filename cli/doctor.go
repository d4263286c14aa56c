// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/verilator"
)

// check is a tool that doctor looks for.
type check struct {
	tool.Tool
	needed  bool
	version func(ctx context.Context, t tool.Tool) (string, error)
}

// with returns a function that asks a tool for its version with these arguments.
func with(args ...string) func(context.Context, tool.Tool) (string, error) {
	return func(ctx context.Context, t tool.Tool) (string, error) {
		path, err := tool.Find(t)
		if err != nil {
			return "", err
		}
		out, err := tool.Run(ctx, tool.Command(ctx, path, args...))
		line, _, _ := strings.Cut(strings.TrimSpace(out), "\n")
		return line, err
	}
}

// gtkwave leaves the version empty where there is no display, because GTKWave
// then complains about that instead.
func gtkwave(ctx context.Context, t tool.Tool) (string, error) {
	v, err := tool.Version(ctx, t)
	var missing *tool.Missing
	if errors.As(err, &missing) || ctx.Err() != nil {
		return "", err
	}
	if !strings.HasPrefix(v, "GTKWave") {
		v = "" // the program exists
	}
	return v, nil
}

// verilatorVersion adds to the version whether nicgen is tested with it.
func verilatorVersion(ctx context.Context, _ tool.Tool) (string, error) {
	v, number, err := verilator.Version(ctx)
	if err != nil {
		return "", err
	}
	if verilator.IsTested(number) {
		return v + "; tested", nil
	}
	return v + "; not tested: nicgen is tested with " + verilator.Tested(), nil
}

// compilerVersion asks the compiler that co-simulation uses.
func compilerVersion(ctx context.Context, _ tool.Tool) (string, error) {
	command, name, err := verilator.Compiler(ctx)
	if err != nil {
		return "", err
	}
	if os.Getenv("CXX") != "" {
		return name + "; CXX is " + strings.Join(command, " "), nil
	}
	return name, nil
}

// checks lists the tools, first those that some command requires.
func checks() []check {
	return []check{
		{tool.Verilator, true, verilatorVersion},
		{tool.GXX, true, compilerVersion},
		{tool.Yosys, true, tool.Version},
		{tool.ABC, false, func(ctx context.Context, t tool.Tool) (string, error) {
			// The first line repeats the command.
			path, err := tool.Find(t)
			if err != nil {
				return "", err
			}
			out, err := tool.Run(ctx, tool.Command(ctx, path, "-c", "version"))
			lines := strings.Split(strings.TrimSpace(out), "\n")
			return lines[len(lines)-1], err
		}},
		{tool.Tool{Name: "go", Purpose: "building nicgen and its tests", Install: "apt-get install golang-go"}, false, with("version")},
		{tool.Tool{Name: "make", Purpose: "the targets of the repository", Install: "apt-get install make"}, false, with("--version")},
		{tool.Slang, false, func(ctx context.Context, _ tool.Tool) (string, error) { return synth.SlangVersion(ctx) }},
		{tool.NextPNR, false, tool.Version},
		{tool.Icarus, false, tool.Version},
		{tool.GTKWave, false, gtkwave},
		{tool.Tool{Name: "tclsh", Purpose: "testing the Vivado scripts", Install: "apt-get install tcl"}, false,
			func(ctx context.Context, t tool.Tool) (string, error) {
				path, err := tool.Find(t)
				if err != nil {
					return "", err
				}
				cmd := tool.Command(ctx, path)
				cmd.Stdin = strings.NewReader("puts $tcl_patchLevel\n")
				out, err := tool.Run(ctx, cmd)
				return "Tcl " + strings.TrimSpace(out), err
			}},
		{tool.Clang, false, tool.Version},
	}
}

// diagnosis is doctor's result for one tool.
type diagnosis struct {
	Tool    string `json:"tool"`
	Status  string `json:"status"` // "found", "missing", "broken"
	Needed  bool   `json:"needed"`
	Version string `json:"version,omitempty"`
	Purpose string `json:"purpose"`
	Install string `json:"install,omitempty"` // if it is not found
	Error   string `json:"error,omitempty"`   // the error of a broken tool
}

func (r *runner) doctorCommand() *cli.Command {
	return &cli.Command{
		Name:  "doctor",
		Usage: "check which tools are installed, and try them",
		Description: "Emission and the golden models need nicgen only. Co-simulation needs Verilator and a\n" +
			"C++ compiler, which CXX may name: doctor compiles and runs a small module with them.\n" +
			"Synthesis needs Yosys. Exits with 3 if one of these is missing or broken.\n\n" +
			"nicgen is tested with Verilator " + verilator.Tested() + ". With another release it\n" +
			"reports Verilator's warnings and goes on.\n\n" +
			"Examples:\n" +
			"   nicgen doctor\n" +
			"   nicgen doctor --json -",
		Flags: []cli.Flag{jsonFlag("the findings", "")},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if err := checkJSON(c); err != nil {
				return err
			}
			list, bad := diagnose(c.Context)
			bad = errors.Join(bad, tryTools(c.Context, list))
			if c.Context.Err() != nil {
				return c.Context.Err()
			}
			people, err := r.asJSON(c, list)
			if err != nil {
				return err
			}
			if people {
				if err := r.printDiagnosis(list); err != nil {
					return err
				}
			}
			return bad
		},
	}
}

// diagnose asks all tools for their versions, and joins the errors of the required ones.
func diagnose(ctx context.Context) (list []diagnosis, err error) {
	var bad []error
	for _, k := range checks() {
		d := diagnosis{Tool: k.Name, Status: "found", Needed: k.needed, Purpose: k.Purpose}
		v, err := k.version(ctx, k.Tool)
		d.judge(v, err, k.Install)
		if err != nil && k.needed {
			bad = append(bad, err)
		}
		list = append(list, d)
	}
	return list, errors.Join(bad...)
}

// tryTools compiles and runs a module with Verilator and the compiler if both are
// installed, and records which of them failed.
func tryTools(ctx context.Context, list []diagnosis) error {
	for _, d := range list {
		if (d.Tool == tool.Verilator.Name || d.Tool == tool.GXX.Name) && d.Status != "found" {
			return nil // reported already
		}
	}
	err := cosim.Try(ctx)
	if err == nil {
		return nil
	}
	var failed *tool.Failed
	culprit := tool.Verilator
	if command, _, bad := verilator.Compiler(ctx); bad == nil && errors.As(err, &failed) && failed.Name == filepath.Base(command[0]) {
		culprit = tool.GXX
	}
	for i := range list {
		if list[i].Tool == culprit.Name {
			list[i].judge("", err, culprit.Install)
		}
	}
	return err
}

// judge records a tool's version, or why it could not be determined.
func (d *diagnosis) judge(version string, err error, install string) {
	var missing *tool.Missing
	switch {
	case errors.As(err, &missing):
		d.Status, d.Install = "missing", missing.Install
	case err != nil:
		d.Status, d.Version, d.Install, d.Error = "broken", "", install, err.Error()
	default:
		d.Version = version
	}
}

func (r *runner) printDiagnosis(list []diagnosis) error {
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	for _, d := range list {
		need := "optional"
		if d.Needed {
			need = "needed"
		}
		what := d.Version
		switch d.Status {
		case "missing":
			what = "install it with: " + d.Install
		case "broken":
			what, _, _ = strings.Cut(d.Error, "\n")
		}
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\t%s\n", d.Tool, d.Status, need, "for "+d.Purpose, what)
	}
	return w.Flush()
}
