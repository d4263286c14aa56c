// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/report"
	"github.com/nicgen/nicgen/registry"
)

func (r *runner) reportCommand() *cli.Command {
	return &cli.Command{
		Name:  "report",
		Usage: "gather the evidence for all units in one HTML page",
		Description: "Reads the records and measurement pages below --docs and writes one self-contained page:\n" +
			"the NIC block and its units, figures of papers with reasons for differences, resources,\n" +
			"estimated timing, accuracy, closed loops, coverage, mutation scores, proofs, netlists, other\n" +
			"simulators, upsets, soaks, fuzzing and speeds. In a module of your own the page is about your\n" +
			"units; evidence that does not exist yet is shown with the command that makes it.\n\n" +
			"Examples:\n" +
			"   nicgen report\n" +
			"   nicgen report --docs docs --out build/report.html",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "docs", Value: "docs", Usage: "the `FOLDER` of the module's pages and records", TakesFile: true},
			&cli.StringFlag{Name: "out", Value: "nicgen-report.html", Usage: "write the page to `FILE`, - for standard output", TakesFile: true},
		},
		Action: func(c *cli.Context) error {
			if err := noArguments(c); err != nil {
				return err
			}
			docs, out := c.String("docs"), c.String("out")
			if _, err := fs.Stat(os.DirFS(docs), "."); err != nil {
				return usagef("--docs: there is no folder %s: want the folder docs of the module", docs)
			}
			if err := checkFile("--out", out); err != nil {
				return err
			}
			again, err := evidence.Due(os.DirFS(docs), registry.Own(r.all))
			if err != nil {
				return err
			}
			page, err := report.Gather(os.DirFS(docs), r.all, again)
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
