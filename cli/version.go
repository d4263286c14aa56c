// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"runtime/debug"
	"strings"
	"text/tabwriter"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/tool"
)

func (r *runner) versionCommand() *cli.Command {
	return &cli.Command{
		Name:  "version",
		Usage: "print the versions that a bug report needs",
		Description: "Prints nicgen's release and commit, the Go that built it, the platform, and the tools\n" +
			"that are installed. nicgen --version is the same. Emitted manifests name the release.\n\n" +
			"Example:\n" +
			"   nicgen version",
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			return r.showVersion(c.Context)
		},
	}
}

// showVersion prints the program, where it runs, and the tools.
func (r *runner) showVersion(ctx context.Context) error {
	list, _ := diagnose(ctx) // missing and broken tools are part of the answer
	if err := ctx.Err(); err != nil {
		return err
	}
	w := tabwriter.NewWriter(r.out, 0, 0, 2, ' ', 0)
	info, _ := debug.ReadBuildInfo()
	fmt.Fprintf(w, "nicgen\t%s\n", gen.Version)
	fmt.Fprintf(w, "commit\t%s\n", commit(info))
	if sum, err := tool.ProgramHash(); err == nil {
		fmt.Fprintf(w, "program\tSHA-256 %s\n", sum)
	}
	fmt.Fprintf(w, "go\t%s\n", runtime.Version())
	fmt.Fprintf(w, "platform\t%s/%s, %s%s\n", runtime.GOOS, runtime.GOARCH, plural(runtime.NumCPU(), "processor"), system())
	for _, d := range list {
		if d.Tool == "go" { // the installed Go need not be the one that built nicgen
			d.Tool = "go command"
		}
		switch d.Status {
		case "found":
			fmt.Fprintf(w, "%s\t%s\n", d.Tool, d.Version)
		case "broken":
			first, _, _ := strings.Cut(d.Error, "\n")
			fmt.Fprintf(w, "%s\tbroken: %s\n", d.Tool, first)
		default:
			fmt.Fprintf(w, "%s\t%s\n", d.Tool, d.Status)
		}
	}
	return w.Flush()
}

// commit returns the commit that Go recorded in the program.
func commit(info *debug.BuildInfo) string {
	if info == nil {
		return "unknown"
	}
	at := map[string]string{}
	for _, s := range info.Settings {
		at[s.Key] = s.Value
	}
	switch {
	case at["vcs.revision"] == "" && info.Main.Version != "" && info.Main.Version != "(devel)":
		return "of module version " + info.Main.Version // go install
	case at["vcs.revision"] == "":
		return "unknown: built without its repository"
	case at["vcs.modified"] == "true":
		return at["vcs.revision"] + ", with changes"
	}
	return at["vcs.revision"]
}

// system returns the name of the distribution after a comma.
func system() string {
	text, _ := os.ReadFile("/etc/os-release")
	for line := range strings.Lines(string(text)) {
		if name, ok := strings.CutPrefix(strings.TrimSpace(line), "PRETTY_NAME="); ok {
			return ", " + strings.Trim(name, `"'`)
		}
	}
	return ""
}
