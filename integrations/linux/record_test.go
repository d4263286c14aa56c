// SPDX-License-Identifier: Apache-2.0

//go:build peers

package linux

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/nicgen/nicgen/internal/evidence/section"
	"github.com/nicgen/nicgen/sim/live"
)

// record holds the table of runs.
type record struct{ lines []string }

// add adds a run.
func (x *record) add(r *row, res *result, bad []string) {
	milliseconds := "–"
	if c := res.Sides[0].NIC; c != nil && c.TimeNS > 0 {
		milliseconds = fmt.Sprintf("%.1f", float64(c.TimeNS)/1e6)
	}
	verdict := "finishes"
	if !res.finished {
		verdict = "**stands**"
	}
	switch {
	case r.want.known != "":
		verdict += ": " + r.want.known
	case len(bad) > 0:
		verdict += ": " + strings.Join(bad, "; ")
	}
	x.lines = append(x.lines, fmt.Sprintf("| %s | %d (%d) | %d | %d | %d | %d | %s | %s |", r.name, r.sent(res.Result), r.needed, res.count(live.NAK), res.count(live.RNR),
		res.counter("gate.sts_stall_cnt"), res.Wire.Ports, milliseconds, verdict))
}

// table returns the table in Markdown.
func (x *record) table() string {
	return "| run | frames sent (needed) | NAKs | RNR NAKs | by the stall rule | entropy values | ms of the blocks' time | result |\n|---|---:|---:|---:|---:|---:|---:|---|\n" + strings.Join(x.lines, "\n") + "\n"
}

// write writes the table into the page.
func (x *record) write(want int) error {
	if len(x.lines) != want {
		return fmt.Errorf("%d of %d rows have run: -update needs all of them", len(x.lines), want)
	}
	name := filepath.Join("..", "..", "docs", "nic_live.md")
	page, err := os.ReadFile(name)
	if err != nil {
		return err
	}
	text, err := section.Replace(string(page), "linux", x.table())
	if err != nil {
		return err
	}
	return os.WriteFile(name, []byte(text), 0o666)
}
