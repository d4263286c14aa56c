// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"maps"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/export"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/registry"
)

func (r *runner) exportCommand() *cli.Command {
	p, flags := r.parameterFlags("export")
	return &cli.Command{
		Name:  "export",
		Usage: "make a C library of a unit, for use in other simulators",
		Description: "Writes the folder nicgen_UNIT: a header with a call for each event of the unit, a shared and\n" +
			"a static library of its Verilated RTL, files for pkg-config and CMake, a description in\n" +
			"JSON, a note on licences and a self-test. A program that uses it needs C99 only.\n" +
			"docs/export.md describes the calls, with examples.\n\n" +
			"The folder nicgen_golden next to it has the library of the golden models of all units. They are\n" +
			"written in Go: the build needs Go and nicgen's source, and takes minutes the first time.\n" +
			"--rtl-only leaves it out.\n\n" +
			"Either all files are written or none; a file that nicgen did not write, or that was\n" +
			"edited since, is not overwritten without --force.\n\n" +
			"Examples:\n" +
			"   nicgen export --unit reps --out build/export\n" +
			"   nicgen export --unit reps --connections 64 --name small --out build/export",
		Flags: append(flags,
			&cli.StringFlag{Name: "out", Value: "export", Usage: "the `FOLDER` to write to; each unit gets a folder in it", TakesFile: true},
			&cli.StringFlag{Name: "name", Usage: "use `NAME` instead of the unit's name in files, functions and constants, so that two configurations fit into one program"},
			&cli.BoolFlag{Name: "rtl-only", DisableDefaultText: true, Usage: "do not build the golden models' library"},
			&cli.IntFlag{Name: "optimize", Value: 1, Usage: "the C++ compiler's -O `LEVEL`, 1 to 3; 2 takes twice as long to compile as 1"},
			&cli.BoolFlag{Name: "force", DisableDefaultText: true, Usage: "overwrite files that nicgen did not write or that were edited"},
		),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if len(c.StringSlice("unit")) == 0 {
				return usagef("export: name at least one unit with --unit: a library takes a while to compile")
			}
			level := c.Int("optimize")
			if level < 1 || level > 3 {
				return usagef("--optimize: found %d, allowed: 1 to 3", level)
			}
			units, err := p.resolve(c)
			if err != nil {
				return err
			}
			status := func(what string) { r.log.Info(what) }
			label := c.String("name")
			if label != "" {
				if len(units) != 1 {
					return usagef("--name: found %s, allowed: one, named with --unit: the name stands for it", plural(len(units), "unit"))
				}
				var names []string
				for _, u := range r.all {
					names = append(names, u.New().Unit())
				}
				if err := export.CheckLabel(label, units[0].Config.Unit(), names); err != nil {
					return usagef("%v", err)
				}
			}
			tree := emit.Tree{}
			if !c.Bool("rtl-only") {
				source, err := export.Source(".")
				if err != nil {
					return err
				}
				status("compiling the golden models")
				golden, err := export.Golden(c.Context, source, registry.Outside(r.all))
				if err != nil {
					return err
				}
				if tree, err = export.GoldenTree(golden); err != nil {
					return err
				}
			}
			for _, u := range units {
				o := export.Options{Label: label, Golden: u.Bench != nil, Optimize: level, Status: status}
				if u.Bench != nil {
					if o.Follows, err = follows(u); err != nil {
						return err
					}
				}
				one, err := export.Render(c.Context, u.Config, u.Default, o)
				if err != nil {
					return err
				}
				maps.Copy(tree, one)
			}
			return r.writeTree(c, tree)
		},
	}
}

// follows reports whether a unit's golden model follows outputs of the RTL.
func follows(u selected) (bool, error) {
	b, err := u.Bench(u.Config)
	if err != nil {
		return false, err
	}
	l, err := cosim.Ports(b.Source())
	if err != nil {
		return false, err
	}
	p, err := b.NewPredictor(l, true)
	if err != nil {
		return false, err
	}
	return p.Hooks().Observe != nil, nil
}
