// SPDX-License-Identifier: Apache-2.0

package report

import (
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/check/mutate"
	"github.com/nicgen/nicgen/check/prove"
	"github.com/nicgen/nicgen/check/record"
	"github.com/nicgen/nicgen/check/soak"
	"github.com/nicgen/nicgen/check/speed"
	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/synth"
)

// gatherers are the kinds of evidence in the order of the report.
var gatherers = []gatherer{
	{Section{ID: "resources", Title: "Resources", Command: "make doc-data",
		Lead: "Resources that Yosys reports for each unit on the Alveo U280's family, in its default configuration and in others that a page shows, beside the published figures for the same mechanism. " + synth.Disclaimer},
		"Resources", resources},
	{Section{ID: "accuracy", Title: "Accuracy", Command: "go test ./model/UNIT -run Accuracy -update",
		Lead: "Golden models round as the hardware does. The tables show how far they differ from the paper's arithmetic, in float64."},
		"", pages("accuracy")},
	{Section{ID: "network", Title: "Simulated networks", Command: "go test ./tb/UNIT -run ClosedLoop -update",
		Lead: "Closed-loop simulations in which the RTL decides, beside the paper's results."},
		"Network", pages("loop")},
	{Section{ID: "coverage", Title: "Coverage", Command: "make coverage",
		Lead: "Executed lines and branches of the RTL, and functional coverage points reached, merged over seeds. A branch that the constants of one configuration exclude counts in a configuration that has it."},
		"Lines", coverage},
	{Section{ID: "mutation", Title: "Mutation score", Command: "make mutate",
		Lead: "Mutants are small changes that Yosys makes in the design; each runs against the unit's bench. The score is the share of mutants that the bench noticed, not counting those that a solver showed equivalent."},
		"Mutation score", mutation},
	{Section{ID: "planted", Title: "Planted bugs", Command: "go test ./tb/… -run Planted -update",
		Lead: "Bugs planted in the RTL by hand, and how the bench noticed each."},
		"", pages("planted")},
	{Section{ID: "proofs", Title: "Proofs", Command: "make prove",
		Lead: "Properties proved for every stimulus of any length, in the small configurations named. Each has a planted mistake that breaks it."},
		"Proofs", proofs},
	{Section{ID: "netlists", Title: "Netlists", Command: "make netlist",
		Lead: "Yosys maps each unit to a netlist of device primitives, which runs against the golden model with the stimulus of the RTL."},
		"Netlist", runs("data/netlist")},
	{Section{ID: "simulators", Title: "Other simulators", Command: "make simulators",
		Lead: "The same RTL in other simulators, compared with the same golden model."},
		"Simulators", runs("data/simulators")},
	{Section{ID: "upsets", Title: "Single-event upsets", Command: "make upset",
		Lead: "Random bits of state flip during traffic: how each unit behaves until its outputs are correct again."},
		"Upsets", upsets},
	{Section{ID: "soak", Title: "Soak", Command: "make soak",
		Lead: "Long random runs over seeds and configurations: events compared with the golden model."},
		"Soak", soaked},
	{Section{ID: "throughput", Title: "Throughput and scaling", Command: "go test ./tb/… -run 'Throughput|Scaling|Cost' -update",
		Lead: "Throughput lost to stalls when events of one connection follow closely, and resources by size."},
		"", pages("throughput", "scaling", "cost")},
	{Section{ID: "parsers", Title: "Fuzzing", Command: "make fuzz",
		Lead: "Every parser against a fuzzer's inputs: no crash, no hang, no unbounded memory."},
		"", parsers},
	{Section{ID: "speed", Title: "Co-simulation speed", Command: "make bench",
		Lead: "Speed relative to a plain C++ loop over the same model in the same run; the latest records."},
		"", speeds},
}

func resources(docs fs.FS, units []Unit) ([]Part, map[string]Cell, error) {
	head := []string{"Unit", "LUT", "of which RAM and shift registers", "FF", "CARRY8", "DSP", "RAMB36", "URAM", "Levels", "Published"}
	return byUnit(head, units, func(u Unit) ([][]Cell, *Cell, error) {
		names, err := variants(docs, "data", u, units)
		if err != nil {
			return nil, nil, err
		}
		var rows [][]Cell
		var summary *Cell
		for _, name := range names {
			var r synth.Report
			if _, err := load(docs, name, &r); err != nil {
				return nil, nil, err
			}
			if r.Top == "" {
				continue
			}
			levels := Cell{Text: "none"}
			if r.RegToReg != nil {
				levels = number(r.RegToReg.Levels)
			}
			var published []string
			if r.Published != nil {
				for _, f := range r.Published.Figures {
					published = append(published, f.Resource+" "+f.Value)
				}
			}
			c := r.Counts
			rows = append(rows, []Cell{{Text: strings.TrimSuffix(path.Base(name), ".json")}, number(c.LUT), number(c.LUTRAM + c.SRL), number(c.FF),
				number(c.CARRY8), number(c.DSP), {Text: fmt.Sprint(c.BRAM36), Class: "number"}, number(c.URAM), levels, {Text: strings.Join(published, "; ")}})
			if summary == nil {
				s := verdict(len(r.Findings) == 0, "%s LUT", commas(fmt.Sprint(c.LUT)))
				summary = &s
			}
		}
		return rows, summary, nil
	})
}

func mutation(docs fs.FS, units []Unit) ([]Part, map[string]Cell, error) {
	head := []string{"Unit", "Configuration", "Mutants", "Killed", "Equivalent", "Listed with a reason", "Open", "Errors", "Score", "Seed"}
	return byUnit(head, units, func(u Unit) ([][]Cell, *Cell, error) {
		var r mutate.Report
		found, err := load(docs, "data/mutate/"+u.Name+".json", &r)
		if err != nil || !found {
			return nil, nil, err
		}
		var rows [][]Cell
		var mutants, killed, equivalent, open int
		for _, c := range r.Configurations {
			settings := c.Settings
			if settings == "" {
				settings = "default"
			}
			score := mutate.Score(c.Killed, c.Mutants, c.Equivalent)
			rows = append(rows, []Cell{{Text: u.Name}, {Text: settings}, number(c.Mutants), number(c.Killed), number(c.Equivalent), number(c.Listed),
				number(c.Survived), number(c.Errors), verdict(c.Survived+c.Errors == 0, "%s", mutate.Percent(score)), words("%d", r.Seed)})
			mutants, killed, equivalent, open = mutants+c.Mutants, killed+c.Killed, equivalent+c.Equivalent, open+c.Survived+c.Errors
		}
		c := verdict(open == 0, "%s of %s", mutate.Percent(mutate.Score(killed, mutants, equivalent)), commas(fmt.Sprint(mutants)))
		return rows, &c, nil
	})
}

func proofs(docs fs.FS, units []Unit) ([]Part, map[string]Cell, error) {
	head := []string{"Unit", "Property", "Meaning", "Status", "Configurations", "Planted mistake that breaks it"}
	shared := Unit{Name: "lib", Title: "shared parts"}
	parts, cells, err := byUnit(head, append(slices.Clone(units), shared), func(u Unit) ([][]Cell, *Cell, error) {
		var r prove.Report
		found, err := load(docs, "data/prove/"+u.Name+".json", &r)
		if err != nil || !found {
			return nil, nil, err
		}
		var rows [][]Cell
		proved, all := 0, 0
		for _, s := range r.Sets {
			var configs []string
			for _, p := range s.Proofs {
				configs = append(configs, p.Config)
			}
			for _, p := range s.Properties {
				all++
				if p.Status == prove.Proved {
					proved++
				}
				status := verdict(p.Status == prove.Proved, "%s", p.Status)
				if p.Status == prove.Open {
					status = words("open: %s", p.Open)
				}
				rows = append(rows, []Cell{{Text: u.Name}, {Text: s.Name + "/" + p.Name}, {Text: p.Says}, status, {Text: strings.Join(configs, "; ")}, {Text: p.Mistake}})
			}
		}
		c := verdict(proved == all, "%d of %d", proved, all)
		return rows, &c, nil
	})
	delete(cells, shared.Name)
	return parts, cells, err
}

// runs are records of co-simulations in the files <folder>/<unit>*.json.
func runs(folder string) func(docs fs.FS, units []Unit) ([]Part, map[string]Cell, error) {
	return func(docs fs.FS, units []Unit) ([]Part, map[string]Cell, error) {
		head := []string{"Unit", "Configuration", "Simulator", "Events", "Mismatches", "Outcome", "Cells"}
		return byUnit(head, units, func(u Unit) ([][]Cell, *Cell, error) {
			names, err := variants(docs, folder, u, units)
			if err != nil {
				return nil, nil, err
			}
			var rows [][]Cell
			var events uint64
			good := true
			for _, name := range names {
				list, err := loadList[record.Run](docs, name)
				if err != nil {
					return nil, nil, err
				}
				for _, r := range list {
					var set, cells []string
					for _, k := range slices.Sorted(maps.Keys(r.Set)) {
						set = append(set, k+"="+r.Set[k])
					}
					for _, k := range slices.Sorted(maps.Keys(r.Cells)) {
						cells = append(cells, fmt.Sprintf("%s %d", k, r.Cells[k]))
					}
					if set == nil {
						set = []string{"default"}
					}
					ok := r.Outcome == cosim.Pass && r.Mismatches == 0
					good = good && ok
					events += r.Events
					rows = append(rows, []Cell{{Text: u.Name}, {Text: strings.Join(set, " ")}, {Text: r.Simulator}, number(r.Events), number(r.Mismatches),
						verdict(ok, "%s", r.Outcome), {Text: strings.Join(cells, ", ")}})
				}
			}
			if rows == nil {
				return nil, nil, nil
			}
			c := verdict(good, "%s events equal", commas(fmt.Sprint(events)))
			if !good {
				c.Text = "differs"
			}
			return rows, &c, nil
		})
	}
}

func coverage(docs fs.FS, units []Unit) ([]Part, map[string]Cell, error) {
	head := []string{"Unit", "Configuration", "Events", "Points reached", "Required points missed", "Lines and branches executed", "Never executed"}
	return byUnit(head, units, func(u Unit) ([][]Cell, *Cell, error) {
		var r soak.Result
		found, err := load(docs, "data/coverage/"+u.Name+".json", &r)
		if err != nil || !found {
			return nil, nil, err
		}
		var rows [][]Cell
		lines, executed := 0, 0
		for _, c := range r.Configs {
			done, all := c.Executed()
			left := slices.Clone(c.Unexecuted)
			for _, line := range slices.Sorted(maps.Keys(c.Unreachable)) {
				left = append(left, fmt.Sprintf("unreachable: %s: %s", line, c.Unreachable[line]))
			}
			rows = append(rows, []Cell{{Text: u.Name}, {Text: c.String()}, number(c.Events), words("%d of %d", c.Reached, c.Points),
				verdict(len(c.Missed) == 0, "%d", len(c.Missed)), verdict(len(c.Unexecuted) == 0, "%d of %d", done, all), {Text: strings.Join(left, "; ")}})
			lines, executed = lines+all, executed+done
		}
		c := verdict(lines == executed && r.OK(), "%s", mutate.Percent(float64(executed)/float64(max(lines, 1))))
		return rows, &c, nil
	})
}

func soaked(docs fs.FS, units []Unit) ([]Part, map[string]Cell, error) {
	head := []string{"Unit", "Events", "Cycles", "Chunks (seeds)", "Configurations", "Mismatches", "Command"}
	return byUnit(head, units, func(u Unit) ([][]Cell, *Cell, error) {
		var r soak.Result
		found, err := load(docs, "data/soak/"+u.Name+".json", &r)
		if err != nil || !found {
			return nil, nil, err
		}
		c := verdict(r.OK(), "%s events", commas(fmt.Sprint(r.Events)))
		return [][]Cell{{{Text: u.Name}, number(r.Events), number(r.Cycles), number(r.Chunks), number(len(r.Configs)),
			verdict(len(r.Failures) == 0, "%d", len(r.Failures)), {Text: r.Command, Class: "command"}}}, &c, nil
	})
}

func upsets(docs fs.FS, units []Unit) ([]Part, map[string]Cell, error) {
	head := []string{"Unit", "Configuration", "Registers and memories", "Flips", "No output changed", "Correct again", "After at most, events", "Different but legal", "Never legal again"}
	return byUnit(head, units, func(u Unit) ([][]Cell, *Cell, error) {
		var r upset.Report
		found, err := load(docs, "data/upset/"+u.Name+".json", &r)
		if err != nil || !found {
			return nil, nil, err
		}
		var rows [][]Cell
		flips, never := 0, 0
		for _, x := range r.Results {
			settings := x.Settings
			if settings == "" {
				settings = "default"
			}
			s := upset.Sum(x.Elements)
			rows = append(rows, []Cell{{Text: u.Name}, {Text: settings}, number(len(x.Elements)), number(s.Flips), number(s.Unseen), number(s.Right), number(s.Again.MaxEvents),
				number(s.Legal), verdict(s.Never == 0, "%d", s.Never)})
			flips, never = flips+s.Flips, never+s.Never
		}
		c := verdict(never == 0, "legal after all of %s", commas(fmt.Sprint(flips)))
		if never > 0 {
			c.Text = fmt.Sprintf("%d of %s not legal again", never, commas(fmt.Sprint(flips)))
		}
		return rows, &c, nil
	})
}

func parsers(docs fs.FS, _ []Unit) ([]Part, map[string]Cell, error) {
	var r struct {
		Each    string
		Parsers []struct {
			Package, Target          string
			Inputs, Corpus, Failures int
		}
	}
	found, err := load(docs, "data/fuzz.json", &r)
	if err != nil || !found {
		return nil, nil, err
	}
	t := &Table{Head: []string{"Package", "Parser", "Time", "Inputs tried", "Inputs kept", "Failures"}}
	for _, p := range r.Parsers {
		t.Rows = append(t.Rows, []Cell{{Text: p.Package}, {Text: p.Target}, {Text: r.Each}, number(p.Inputs), number(p.Corpus), verdict(p.Failures == 0, "%d", p.Failures)})
	}
	return []Part{{Table: t}}, nil, nil
}

func speeds(docs fs.FS, units []Unit) ([]Part, map[string]Cell, error) {
	var h speed.History
	if found, err := load(docs, "data/speed.json", &h); err != nil || !found {
		return nil, nil, err
	}
	modes := []string{cosim.Checksummed, cosim.GoldenSequential, cosim.GoldenConcurrent}
	return byUnit(append([]string{"Unit", "Revision"}, modes...), units, func(u Unit) ([][]Cell, *Cell, error) {
		var rows [][]Cell
		for _, r := range h {
			if r.Unit != u.Name {
				continue
			}
			row := []Cell{{Text: u.Name}, {Text: r.Revision}}
			for _, m := range modes {
				row = append(row, Cell{Text: fmt.Sprintf("%.2f", r.Ratios[m]), Class: "number"})
			}
			rows = append(rows, row)
		}
		const last = 5
		return rows[max(0, len(rows)-last):], nil, nil
	})
}
