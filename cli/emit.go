// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/gen/vivado"
	"github.com/nicgen/nicgen/gen/wrap"
	"github.com/nicgen/nicgen/internal/dialect"
)

func (r *runner) emitCommand() *cli.Command {
	p, flags := r.parameterFlags("emit")
	return &cli.Command{
		Name:  "emit",
		Usage: "write SystemVerilog and its accompanying files",
		Description: "Writes a folder for each unit: SystemVerilog, a file list, a FuseSoC core, constraints\n" +
			"and scripts for Vivado, interface documentation and a manifest; and the folder lib with\n" +
			"the parts that units share. The same configuration gives the same bytes everywhere.\n" +
			"Either all files are written or none; a file that nicgen did not write, or that was\n" +
			"edited since, is not overwritten without --force.\n\n" +
			"All units go into one design. For two configurations of one unit, or units of two\n" +
			"versions of nicgen, --prefix renames every folder, file, module and core of a run.\n\n" +
			"Without --unit: every unit and the block nic_transport, without a wrapper.\n" +
			"--wrap puts nic_transport into another NIC: it also writes the module that Corundum or\n" +
			"OpenNIC instantiates, with lists and settings for their builds, or one with plain streams.\n\n" +
			"--dialect icarus writes the SystemVerilog as Icarus Verilog 11 reads it, for benches that run\n" +
			"there; for synthesis, emit without it.\n\n" +
			"--part and --directive change the files for Vivado, not the SystemVerilog. A unit with UltraRAM\n" +
			"is refused for a part that has none.\n\n" +
			"Examples:\n" +
			"   nicgen emit --unit reps --out build/rtl\n" +
			"   nicgen emit --unit reps --evs-bits 8 --set freezing_timeout_ns=100000\n" +
			"   nicgen emit --unit reps --connections 4096 --prefix large --out build/rtl\n" +
			"   nicgen emit --unit nic_transport --wrap corundum --out build/rtl\n" +
			"   nicgen emit --unit reps --dialect icarus --out build/icarus\n" +
			"   nicgen emit --unit reps --part U250 --directive Explore --out build/rtl\n" +
			"   nicgen emit --print-config > nicgen.yaml\n" +
			"   nicgen emit --config nicgen.yaml --out build/rtl",
		Flags: append(flags,
			&cli.StringFlag{Name: "out", Value: "rtl", Usage: "the `FOLDER` to write to; each unit gets a folder in it", TakesFile: true},
			&cli.StringFlag{Name: "prefix", Usage: "prefix every name of the run with `NAME`_: folders, files, modules, cores"},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "wrap", Usage: "put nic_transport into `NIC`: " + strings.Join(wrap.Kinds(), ", ")}, choices: wrap.Kinds()},
			&choiceFlag{StringFlag: &cli.StringFlag{Name: "dialect", Usage: "write SystemVerilog for `TOOL`: " + strings.Join(dialect.Names(), ", ")}, choices: dialect.Names()},
			partFlag("write constraints and scripts for a device"),
			&cli.StringSliceFlag{Name: "directive", Usage: "set the directive of a step of the Vivado script: `STEP=NAME`, where STEP is " + strings.Join(vivado.Steps(), ", ") + "; NAME alone applies to every step that has it; may be repeated"},
			&cli.BoolFlag{Name: "force", DisableDefaultText: true, Usage: "overwrite files that nicgen did not write or that were edited"},
			&cli.BoolFlag{Name: "print-config", DisableDefaultText: true, Usage: "print the configuration as commented YAML and write no files"},
		),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			if c.IsSet("prefix") {
				prefix, printed := c.String("prefix"), c.Bool("print-config")
				switch ok, allowed := emit.ValidPrefix(prefix); {
				case !ok:
					p.problems = append(p.problems, gen.Located{Where: "--prefix", Problem: gen.Problem{Found: fmt.Sprintf("%q", prefix), Allowed: allowed}})
				case printed:
					p.problems = append(p.problems, gen.Located{Where: "--prefix", Problem: gen.Problem{Found: fmt.Sprintf("%q with --print-config", prefix),
						Allowed: "only where files are written, a configuration has no prefix"}})
				}
			}
			if kind := c.String("wrap"); c.IsSet("wrap") {
				settings, err := wrap.Settings(kind)
				if err != nil {
					return usagef("--wrap: found %s%s, allowed: %s", kind, nearest(kind, wrap.Kinds()), strings.Join(wrap.Kinds(), ", "))
				}
				if named := c.StringSlice("unit"); !slices.Equal(named, []string{wrap.Unit}) {
					return usagef("--wrap: goes with --unit %s and no other unit", wrap.Unit)
				}
				p.base = settings
			}
			if d := c.String("dialect"); c.IsSet("dialect") && !slices.Contains(dialect.Names(), d) {
				return usagef("--dialect: found %s%s, allowed: %s", d, nearest(d, dialect.Names()), strings.Join(dialect.Names(), ", "))
			}
			units, err := p.resolve(c)
			if err != nil {
				return err
			}
			chip, err := part(c)
			if err != nil {
				return err
			}
			directives, err := vivado.ParseDirectives(c.StringSlice("directive"))
			if err != nil {
				return usagef("--directive: %v", err)
			}
			if err := checkMemories(chip, units); err != nil {
				return err
			}
			if c.Bool("print-config") {
				for _, f := range []string{"part", "directive"} {
					if c.IsSet(f) {
						return usagef("--%s with --print-config: a configuration has neither part nor directives: omit one of the two options", f)
					}
				}
				var cfgs []gen.Config
				for _, u := range units {
					cfgs = append(cfgs, u.Config)
				}
				text, err := gen.WriteYAML(cfgs)
				if err != nil {
					return err
				}
				_, err = r.out.Write([]byte(text))
				return err
			}
			var list []emit.Unit
			for _, u := range units {
				list = append(list, emit.Unit{Config: u.Config, Default: u.Default})
			}
			tree, err := emit.Run{Units: list, Prefix: c.String("prefix"), Wrap: c.String("wrap"), Dialect: c.String("dialect"), Part: &chip, Directives: directives}.Render()
			if err != nil {
				return err
			}
			return r.writeTree(c, tree)
		},
	}
}

// writeTree writes a tree into the folder --out, all or nothing, and prints the files that
// changed.
func (r *runner) writeTree(c *cli.Context, tree emit.Tree) error {
	out := c.String("out")
	res, err := emit.Write(c.Context, out, tree, emit.Options{Force: c.Bool("force")})
	if err != nil {
		return err
	}
	for _, p := range res.Written {
		fmt.Fprintf(r.out, "wrote %s\n", filepath.Join(out, p))
	}
	for _, p := range res.Removed {
		fmt.Fprintf(r.out, "removed %s\n", filepath.Join(out, p))
	}
	if n := len(res.Unchanged); n > 0 && len(res.Written) == 0 && len(res.Removed) == 0 {
		fmt.Fprintf(r.out, "%s: all %s are up to date\n", out, plural(n, "file"))
	}
	return nil
}
