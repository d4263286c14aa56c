// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/export"
	"github.com/nicgen/nicgen/gen/emit"
)

func (r *runner) exportCommand() *cli.Command {
	p, flags := r.parameterFlags()
	return &cli.Command{
		Name:  "export",
		Usage: "make a C library of a unit, for other people's simulators",
		Description: "Writes the folder nicgen_UNIT: a header with a call for each event of the unit, a shared and\n" +
			"a static library of its Verilated RTL, the library of the golden models, files for\n" +
			"pkg-config and CMake, a description in JSON, a note on licences and a self-test. C99 is\n" +
			"all that a user of the folder needs. docs/export.md has the calls and examples.\n\n" +
			"The golden models are Go: to make their library takes Go and nicgen's source, and some\n" +
			"minutes the first time. --rtl-only leaves it out.\n\n" +
			"Either all files are written or none; a file that nicgen did not write, or that was\n" +
			"edited since, is not overwritten without --force.\n\n" +
			"Examples:\n" +
			"   nicgen export --unit reps --out build/export\n" +
			"   nicgen export --unit reps --connections 64 --rtl-only --out build/export",
		Flags: append(flags,
			&cli.StringFlag{Name: "out", Value: "export", Usage: "the `FOLDER` to write to; each unit gets a folder in it", TakesFile: true},
			&cli.BoolFlag{Name: "rtl-only", DisableDefaultText: true, Usage: "leave the golden models' library out"},
			&cli.IntFlag{Name: "optimize", Value: 1, Usage: "the C++ compiler's -O, 1 to 3: `LEVEL` 2 takes twice the time to compile"},
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
			var golden []byte
			if !c.Bool("rtl-only") {
				source, err := export.Source(".")
				if err != nil {
					return err
				}
				status("compiling the golden models")
				if golden, err = export.Golden(c.Context, source); err != nil {
					return err
				}
			}
			tree := emit.Tree{}
			for _, u := range units {
				o := export.Options{Golden: golden, Optimize: level, Status: status}
				if u.Bench == nil {
					o.Golden = nil
				}
				if u.Bench != nil {
					if o.Follows, err = follows(u); err != nil {
						return err
					}
				}
				one, err := export.Render(c.Context, u.Config, u.Default, o)
				if err != nil {
					return err
				}
				for path, text := range one {
					tree[path] = text
				}
			}
			return r.writeTree(c, tree)
		},
	}
}

// follows tells whether a unit's golden model goes by what the RTL does.
func follows(u selected) (bool, error) {
	b, err := u.Bench(u.Config)
	if err != nil {
		return false, err
	}
	l, err := cosim.Ports(b.Source())
	if err != nil {
		return false, err
	}
	p, err := b.NewPredictor(l)
	if err != nil {
		return false, err
	}
	_, ok := p.(cosim.Follower)
	return ok, nil
}
