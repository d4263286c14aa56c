// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/pages"
	"github.com/nicgen/nicgen/registry"
)

func (r *runner) docCommand() *cli.Command {
	var kinds strings.Builder
	for _, b := range pages.Blocks() {
		fmt.Fprintf(&kinds, "\n   %s\t%s", strings.TrimSpace(b.Name+" "+b.Args), b.Doc)
	}
	return &cli.Command{
		Name:      "doc",
		Usage:     "renew the generated tables in Markdown pages",
		ArgsUsage: "[FILE.md or FOLDER]…",
		Description: "Run in the folder of the module. Renews the text between these marks in the pages;\n" +
			"without arguments, in every page below the current folder:\n\n" +
			"   <!-- nicgen:begin NAME ARGUMENTS -->\n" +
			"   <!-- nicgen:end -->\n\n" +
			"Without arguments it also begins docs/units/UNIT_evidence.md of a unit that has a page and\n" +
			"no page of evidence. A record that does not exist yet is replaced by the command that makes it.\n" +
			"Paths in block arguments are relative to the page. If one page has a mistake in its\n" +
			"marks, none is written. With --check nothing is written, and a page that is\n" +
			"out of date is a finding.\n\nBlocks:" + kinds.String() + "\n\n" +
			"Examples:\n" +
			"   nicgen doc\n" +
			"   nicgen doc --check README.md docs",
		Flags: []cli.Flag{&cli.BoolFlag{Name: "check", DisableDefaultText: true, Usage: "write nothing, exit with 1 if a page is out of date"}},
		Action: func(c *cli.Context) error {
			again, err := evidence.Due(os.DirFS("docs"), registry.Own(r.all))
			if err != nil {
				return err
			}
			m := &pages.Maker{Units: r.env.Units, Due: again, ReadFile: func(name string) ([]byte, error) {
				return os.ReadFile(filepath.FromSlash(name))
			}}
			args, begun := c.Args().Slice(), map[string][]byte{}
			if len(args) == 0 {
				args, begun = []string{"."}, m.Begun()
			}
			names, err := pageFiles(c.Context, args)
			if err != nil {
				return err
			}
			names = append(names, sorted(begun)...)
			fresh := map[string][]byte{}
			var problems []error
			for _, name := range names {
				if err := c.Context.Err(); err != nil {
					return err
				}
				old, err := os.ReadFile(name)
				from := old
				if text := begun[name]; text != nil {
					from, err = text, nil
				}
				if err != nil {
					return fmt.Errorf("doc: %w", err)
				}
				text, err := m.Renew(filepath.ToSlash(name), from)
				if err != nil {
					problems = append(problems, err)
				} else if !bytes.Equal(text, old) {
					fresh[name] = text
				}
			}
			if len(problems) > 0 {
				return errors.Join(problems...)
			}
			if len(fresh) == 0 {
				fmt.Fprintf(r.out, "%s: all tables are up to date\n", plural(len(names), "page"))
				return nil
			}
			if c.Bool("check") {
				for _, name := range sorted(fresh) {
					fmt.Fprintf(r.out, "%s: tables are out of date\n", name)
				}
				fmt.Fprintf(r.out, "run: nicgen doc %s\n", strings.Join(sorted(fresh), " "))
				return errFound
			}
			for _, name := range sorted(fresh) {
				if err := r.writeFile(name, name, fresh[name]); err != nil {
					return err
				}
				fmt.Fprintf(r.out, "wrote %s\n", name)
			}
			return nil
		},
	}
}

// pageFiles lists the Markdown files that the arguments name. Folders are searched, except
// hidden ones and those with output of programs: build, testdata.
func pageFiles(ctx context.Context, args []string) ([]string, error) {
	var list []string
	for _, a := range args {
		info, err := os.Stat(a)
		if err != nil {
			return nil, fmt.Errorf("doc: %w", err)
		}
		if !info.IsDir() {
			if path.Ext(a) != ".md" {
				return nil, usagef("doc: %s is not a Markdown page, want a name that ends in .md, or a folder", a)
			}
			list = append(list, filepath.Clean(a))
			continue
		}
		err = filepath.WalkDir(a, func(name string, d fs.DirEntry, err error) error {
			switch base := d.Name(); {
			case err != nil:
				return err
			case d.IsDir() && name != a && (strings.HasPrefix(base, ".") || base == "build" || base == "testdata"):
				return filepath.SkipDir
			case d.Type().IsRegular() && path.Ext(base) == ".md":
				list = append(list, filepath.Clean(name))
			}
			return ctx.Err()
		})
		if err != nil {
			return nil, fmt.Errorf("doc: %w", err)
		}
	}
	slices.Sort(list)
	return slices.Compact(list), nil
}
