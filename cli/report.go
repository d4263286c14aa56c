// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/evidence/report"
)

func (r *runner) reportCommand() *cli.Command {
	return &cli.Command{
		Name:  "report",
		Usage: "gather the evidence for all units in one HTML page",
		Description: "Reads the records and measurement pages below --docs and writes one self-contained page:\n" +
			"the NIC block and its units, figures of papers with reasons for differences, resources,\n" +
			"estimated timing, accuracy, closed loops, coverage, mutation scores, proofs, netlists, other\n" +
			"simulators, upsets, soaks, fuzzing and speeds.\n\n" +
			"Examples:\n" +
			"   nicgen report\n" +
			"   nicgen report --docs docs --out build/report.html",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "docs", Value: "docs", Usage: "the `FOLDER` of the repository's results", TakesFile: true},
			&cli.StringFlag{Name: "out", Value: "nicgen-report.html", Usage: "write the page to `FILE`, - for standard output", TakesFile: true},
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			docs, out := c.String("docs"), c.String("out")
			if _, err := fs.Stat(os.DirFS(docs), "data"); err != nil {
				return usagef("--docs: %s has no folder data: want the folder docs of the repository", docs)
			}
			if err := checkFile("--out", out); err != nil {
				return err
			}
			var units []report.Unit
			for _, u := range r.all {
				cfg := u.New()
				units = append(units, report.Unit{Name: cfg.Unit(), Title: cfg.Title(), Paper: cfg.Paper(), Block: u.ByName})
			}
			page, err := report.Gather(os.DirFS(docs), units)
			if err != nil {
				return err
			}
			var b bytes.Buffer
			if _, err := page.WriteTo(&b); err != nil {
				return err
			}
			if err := r.writeFile("--out", out, b.Bytes()); err != nil || out == "-" {
				return err
			}
			if list := page.Missing(); list != nil {
				r.log.Warnf("not measured: %s", strings.Join(list, ", "))
			}
			fmt.Fprintf(r.out, "wrote %s\n", out)
			return nil
		},
	}
}
