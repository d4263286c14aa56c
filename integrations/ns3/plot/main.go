// SPDX-License-Identifier: Apache-2.0

// Command plot draws what ports did in runs of leafspine as SVG: a run's rates and queues in a panel each.
//
//	plot OUT.svg RUN.json...
package main

import (
	"encoding/json"
	"fmt"
	"os"

	"github.com/nicgen/nicgen/sim/measure"
	"github.com/nicgen/nicgen/sim/plot"
)

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "plot: want the SVG and at least one file that leafspine wrote")
		os.Exit(2)
	}
	if err := draw(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "plot:", err)
		os.Exit(1)
	}
}

func draw(out string, files []string) error {
	var runs []plot.PortRun
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		var run struct {
			Label string           `json:"label"`
			Ports []measure.Series `json:"ports"`
		}
		if err := json.Unmarshal(text, &run); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		for _, p := range run.Ports {
			if len(p.Queue) != len(p.Gbps) {
				return fmt.Errorf("%s: port %s has %d rates and %d queues, want as many", name, p.Name, len(p.Gbps), len(p.Queue))
			}
		}
		runs = append(runs, plot.PortRun{Label: run.Label, Ports: run.Ports})
	}
	svg, err := plot.Ports(runs)
	if err != nil {
		return err
	}
	return os.WriteFile(out, svg, 0o666)
}
