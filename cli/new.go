// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/starter"
)

func (r *runner) newCommand() *cli.Command {
	return &cli.Command{
		Name:      "new",
		Usage:     "start your own unit, in a Go module outside nicgen",
		ArgsUsage: "UNIT",
		Description: "Writes a Go module that imports nicgen and has one small unit, named UNIT: parameters,\n" +
			"ports, events, SystemVerilog, golden model, stimulus, coverage points, planted bugs, a\n" +
			"proof and a page. All its checks pass. Replace the algorithm step by step; its program\n" +
			"has all commands of nicgen, for your unit and for nicgen's units.\n\n" +
			"docs/adding-a-unit.md explains each file.\n\n" +
			"In the folder of such a module, it adds another unit, and prints the lines for main.go.\n\n" +
			"Examples:\n" +
			"   nicgen new mark_run --module example.com/mine\n" +
			"   cd mine && go run . cosim --unit mark_run && go test ./...\n" +
			"   go run . new my_second",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "module", Usage: "the import `PATH` of the new module, such as example.com/mine"},
			&cli.StringFlag{Name: "out", Usage: "the `FOLDER` to write to, which is new or empty, or that module's already (default: the last element of the path of --module, or the current folder)", TakesFile: true},
			&cli.StringFlag{Name: "nicgen", Usage: "the `FOLDER` of nicgen's source that the module uses (default: the current folder or one above it, or the release of this program)", TakesFile: true},
		},
		Action: r.newModule,
	}
}

func (r *runner) newModule(c *cli.Context) error {
	if c.NArg() != 1 {
		return usagef("new: found %s, want one: the name of the unit", plural(c.NArg(), "argument"))
	}
	var taken []string
	for _, u := range r.all {
		taken = append(taken, u.New().Unit())
	}
	o, out := starter.Options{Unit: c.Args().First(), Module: c.String("module")}, c.String("out")
	switch {
	case out == "" && o.Module == "":
		out = "."
	case out == "":
		out = filepath.Base(filepath.FromSlash(o.Module))
	}
	there := starter.ModuleIn(out)
	if o.Module == "" && !starter.IsSource(out) {
		o.Module = there
	}
	if o.Module == "" {
		return usagef("new: --module is missing: the import path of the new module, such as example.com/mine")
	}
	if err := o.Check(taken); err != nil {
		return usagef("new: %v", err)
	}
	if o.Module == there {
		return r.addUnit(c, o, out)
	}
	entries, err := os.ReadDir(out)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("--out: %w", err)
	}
	if len(entries) > 0 {
		return usagef("--out: %s is not empty and is not the folder of module %s, want a new or empty folder, or that module's", out, o.Module)
	}
	if dir := c.String("nicgen"); dir != "" {
		if o.Source, err = filepath.Abs(dir); err != nil {
			return err
		}
		if !starter.IsSource(o.Source) {
			return usagef("--nicgen: %s has no go.mod of module github.com/nicgen/nicgen", dir)
		}
	} else if o.Source, o.Version, err = starter.Find("."); err != nil {
		return err
	}
	files, err := starter.New(o)
	if err != nil {
		return err
	}
	if err := writeTexts(c, out, files); err != nil {
		return err
	}
	fmt.Fprintf(r.out, "wrote %s, a module with the unit %s: %s\n\n  cd %s\n", out, o.Unit, plural(len(files), "file"), out)
	if o.Source == "" {
		fmt.Fprintln(r.out, "  go mod tidy")
	}
	fmt.Fprintf(r.out, "  go run . cosim --unit %s     RTL against golden model\n  go run . synth --unit %s     resources and timing\n"+
		"  go run . mutate %s           how much the bench notices\n  go test ./...\n", o.Unit, o.Unit, o.Unit)
	return nil
}

// writeTexts writes files below a folder, all or none.
func writeTexts(c *cli.Context, out string, files map[string][]byte) error {
	tree := emit.Tree{}
	for name, text := range files {
		tree[name] = text
	}
	_, err := emit.Write(c.Context, out, tree, emit.Options{})
	return err
}

// addUnit writes a unit's files into a module that is there, in the folder out.
func (r *runner) addUnit(c *cli.Context, o starter.Options, out string) error {
	files, err := starter.Unit(o)
	if err != nil {
		return err
	}
	for _, name := range sorted(files) {
		if _, err := os.Stat(filepath.Join(out, filepath.FromSlash(name))); err == nil {
			return usagef("new: %s is there already: remove it, or name the unit otherwise", filepath.Join(out, name))
		}
	}
	if err := writeTexts(c, out, files); err != nil {
		return err
	}
	fmt.Fprintf(r.out, "wrote the unit %s: %s\n\nAdd it to main.go:\n\n  import %s\n  registry.With(…, %s)\n", o.Unit, plural(len(files), "file"), o.Imported(), o.Entry())
	return nil
}
