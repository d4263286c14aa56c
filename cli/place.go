// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	params "github.com/nicgen/nicgen/gen/laps_paths"
	"github.com/nicgen/nicgen/model/laps_paths/place"
	"github.com/nicgen/nicgen/registry"
)

func (r *runner) placeCommand() *cli.Command {
	// This is the only unit that has banks.
	unit := withUnits([]registry.Unit{{New: params.New}})
	p, flags := unit.parameterFlags("place")
	flags = flags[1:] // --unit
	return &cli.Command{
		Name:  "place",
		Usage: "put a path table into the banks of the LAPS path tables",
		Description: "Reads the paths from one host, places them in banks so that no destination has two paths\n" +
			"in one bank, and writes a folder: placement.csv, the place of each path; sequence.csv, the\n" +
			"control plane's writes to the s_cfg_ ports, in order; and the content of each memory for\n" +
			"$readmemh. A table is either\n\n" +
			"   --paths FILE.csv\tthe columns " + strings.Join(place.Columns, ",") + "\n" +
			"   --paths FILE.yaml\tthe same, as below\n" +
			"   --pst FILE --pit FILE\tthe tables of the LAPS authors, with --source HOST; without --pit, every path has the same baseline and no anchors\n\n" +
			"A table in YAML:\n\n" +
			"   source: 80\n" +
			"   paths:\n" +
			"     - {destination: 88, path: 0, base_ns: 9600, latency_ns: 9600,\n" +
			"        anchors: [8, 1]}\n\n" +
			"Files may be compressed by gzip. A host's destinations are numbered from 0 upwards in the\n" +
			"order of their numbers in the table.\n\n" +
			"Examples:\n" +
			"   nicgen place --paths paths.csv --out build/place\n" +
			"   nicgen place --pst rail-pst.txt.gz --source 80 --banks 8 --rows 64",
		Flags: append(flags,
			&cli.StringFlag{Name: "paths", Usage: "read the table from a CSV or YAML `FILE`", TakesFile: true},
			&cli.StringFlag{Name: "pst", Usage: "read the authors' path search table from `FILE`", TakesFile: true},
			&cli.StringFlag{Name: "pit", Usage: "read the authors' path information table from `FILE`", TakesFile: true},
			&cli.Int64Flag{Name: "source", Usage: "the host `NUMBER` whose paths are placed; with --pst"},
			&cli.UintFlag{Name: "base-ns", Value: 1000, Usage: "baseline of any path of the authors' tables, `NS`"},
			&cli.UintFlag{Name: "hop-ns", Value: 1500, Usage: "latency that each link adds to a path's baseline, `NS`; with --pit"},
			&cli.Float64Flag{Name: "beta", Value: 1, Usage: "β′ `NUMBER` of the weights exp(-β′·latency/T), from 0 to 64"},
			&cli.StringFlag{Name: "out", Value: filepath.Join("build", "place"), Usage: "the `FOLDER` to write; must not exist", TakesFile: true},
		),
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			units, err := p.resolve(c)
			if err != nil {
				return err
			}
			for _, name := range []string{"base-ns", "hop-ns"} {
				if v := c.Uint(name); v > math.MaxUint32 {
					return usagef("place: --%s %d: want at most %d ns", name, v, uint32(math.MaxUint32))
				}
			}
			cfg := units[0].Config.(*params.Params)
			t, err := readTable(c, int(cfg.Anchors))
			if err != nil {
				return err
			}
			placed, err := place.Assign(cfg, t, c.Float64("beta"))
			if err != nil {
				return err
			}
			out := c.String("out")
			files := placed.Files(uint64(cfg.Beta))
			if err := newFolder(c.Context, out, files); err != nil {
				return err
			}
			fmt.Fprintln(r.out, placed.Summary())
			fmt.Fprintf(r.out, "wrote %s to %s\n", plural(len(files), "file"), out)
			return nil
		},
	}
}

// readTable reads the table that the flags name.
func readTable(c *cli.Context, anchors int) (*place.Table, error) {
	paths, pst, pit := c.String("paths"), c.String("pst"), c.String("pit")
	switch {
	case (paths == "") == (pst == ""):
		return nil, usagef("place: --paths and --pst: want one of them")
	case pst != "" && !c.IsSet("source"):
		return nil, usagef("place: --pst without --source: want the number of a host")
	case pst == "" && (pit != "" || c.IsSet("source")):
		return nil, usagef("place: --pit or --source without --pst: want them together")
	}
	open := func(name string) ([]byte, error) {
		text, err := os.ReadFile(name)
		if err != nil {
			return nil, fmt.Errorf("place: %w", err)
		}
		return place.Plain(name, text)
	}
	if paths != "" {
		text, err := open(paths)
		if err != nil {
			return nil, err
		}
		switch filepath.Ext(strings.TrimSuffix(paths, ".gz")) {
		case ".csv":
			return place.ReadCSV(paths, bytes.NewReader(text))
		case ".yaml", ".yml":
			return place.ReadYAML(paths, text)
		}
		return nil, usagef("place: %s: want a name that ends in .csv, .yaml or .yml, optionally followed by .gz", paths)
	}
	text, err := open(pst)
	if err != nil {
		return nil, err
	}
	var info io.Reader
	if pit != "" {
		text, err := open(pit)
		if err != nil {
			return nil, err
		}
		info = bytes.NewReader(text)
	}
	return place.ReadAuthors(pst, bytes.NewReader(text), pit, info, c.Int64("source"),
		place.Costs{BaseNS: uint32(c.Uint("base-ns")), HopNS: uint32(c.Uint("hop-ns")), Anchors: anchors})
}

// newFolder writes files into a folder that must not exist yet. The folder appears
// completely or not at all.
func newFolder(ctx context.Context, folder string, files map[string][]byte) (err error) {
	if _, err := os.Lstat(folder); err == nil {
		return fmt.Errorf("place: %s already exists: move it away, or name another folder with --out", folder)
	} else if !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("place: %w", err)
	}
	parent := filepath.Dir(folder)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return fmt.Errorf("place: %w", err)
	}
	temp, err := os.MkdirTemp(parent, ".nicgen-")
	if err != nil {
		return fmt.Errorf("place: %w", err)
	}
	defer func() {
		if err != nil {
			err = errors.Join(fmt.Errorf("place: %w", err), os.RemoveAll(temp))
		}
	}()
	for _, name := range sorted(files) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(temp, name), files[name], 0o666); err != nil {
			return err
		}
	}
	// MkdirTemp makes a private folder, but a placement must be readable by all.
	if err := os.Chmod(temp, 0o755); err != nil {
		return err
	}
	return os.Rename(temp, folder)
}
