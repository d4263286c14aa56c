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
	"github.com/nicgen/nicgen/check/soak"
	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/record"
	"github.com/nicgen/nicgen/internal/evidence/speed"
	"github.com/nicgen/nicgen/internal/evidence/table"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/synth/timing"
)

// gatherers are the kinds of evidence in the order of the report.
var gatherers = []gatherer{
	{Section{ID: "resources", Title: "Resources",
		Lead: "Resources that Yosys reports for each unit on the Alveo U280's family, in its default configuration and in others that a page shows, next to the published figures for the same mechanism. " + synth.Disclaimer},
		"Resources", "synth", resources},
	{Section{ID: "timing", Title: "Estimated timing",
		Lead: "Delays of the longest paths between registers on the Alveo U280, in three columns: optimistic / typical / pessimistic. " + timing.Note},
		"Estimated path", "synth", timed},
	{Section{ID: "accuracy", Title: "Accuracy", Command: "go test ./model/UNIT -run Accuracy -update",
		Lead: "Golden models round as the hardware does. The tables show how far they differ from the paper's arithmetic, in float64."},
		"", "", pages("accuracy")},
	{Section{ID: "network", Title: "Simulated networks", Command: "go test ./sim/host/UNIT -run ClosedLoop -update",
		Lead: "Closed-loop simulations in which the RTL decides, next to the paper's results."},
		"Network", "", pages("loop")},
	{Section{ID: "coverage", Title: "Coverage",
		Lead: "Executed lines and branches of the RTL, and functional coverage points reached, merged over seeds. A branch that the constants of one configuration exclude counts in a configuration that has it."},
		"Lines", "coverage", coverage},
	{Section{ID: "mutation", Title: "Mutation score",
		Lead: "Mutants are small changes that Yosys makes in the design; each runs against the unit's bench. The score is the share of mutants that the bench noticed, not counting those that a solver showed equivalent."},
		"Mutation score", "mutate", mutation},
	{Section{ID: "planted", Title: "Planted bugs", Command: "go test ./tb/… -run Planted -update",
		Lead: "Bugs planted in the RTL by hand, and how the bench noticed each."},
		"", "", pages("planted")},
	{Section{ID: "proofs", Title: "Proofs",
		Lead: "Properties proved for every stimulus of any length, in the small configurations named. Each has a planted mistake that breaks it."},
		"Proofs", "prove", proofs},
	{Section{ID: "netlists", Title: "Netlists",
		Lead: "Yosys maps each unit to a netlist of device primitives, which runs against the golden model with the stimulus of the RTL."},
		"Netlist", "netlist", runs("data/netlist")},
	{Section{ID: "simulators", Title: "Other simulators",
		Lead: "The same RTL in other simulators, compared with the same golden model."},
		"Simulators", "simulators", runs("data/simulators")},
	{Section{ID: "upsets", Title: "Single-event upsets",
		Lead: "Random bits of state flip during traffic: how each unit behaves until its outputs are correct again."},
		"Upsets", "upset", upsets},
	{Section{ID: "soak", Title: "Soak",
		Lead: "Long random runs over seeds and configurations: events compared with the golden model."},
		"Soak", "soak", soaked},
	{Section{ID: "throughput", Title: "Throughput and scaling", Command: "go test ./tb/… -run 'Throughput|Scaling|Cost' -update",
		Lead: "Throughput lost to stalls when events of one connection follow closely, and resources by size."},
		"", "", pages("throughput", "scaling", "cost")},
	{Section{ID: "parsers", Title: "Fuzzing", Command: "make fuzz",
		Lead: "Every parser against a fuzzer's inputs: no crash, no hang, no unbounded memory."},
		"", "", parsers},
	{Section{ID: "speed", Title: "Co-simulation speed",
		Lead: "Speed relative to a plain C++ loop over the same model in the same run; the latest records."},
		"", "speed", speeds},
}

func resources(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
	head := []string{"Unit", "LUT", "of which RAM and shift registers", "FF", "CARRY8", "DSP", "RAMB36", "URAM", "Levels", "Published"}
	return byUnit(head, units, func(u Unit) ([][]table.Cell, *table.Cell, error) {
		names, err := variants(docs, "data", u, units)
		if err != nil {
			return nil, nil, err
		}
		var rows [][]table.Cell
		var summary *table.Cell
		for _, name := range names {
			var r synth.Report
			if _, err := load(docs, name, &r); err != nil {
				return nil, nil, err
			}
			if r.Top == "" {
				continue
			}
			levels := table.Cell{Text: "none"}
			if r.RegToReg != nil {
				levels = table.Number(r.RegToReg.Levels)
			}
			var published []string
			if r.Published != nil {
				for _, f := range r.Published.Figures {
					published = append(published, f.Resource+" "+f.Value)
				}
			}
			c := r.Counts
			rows = append(rows, []table.Cell{{Text: strings.TrimSuffix(path.Base(name), ".json")}, table.Number(c.LUT), table.Number(c.LUTRAM + c.SRL), table.Number(c.FF),
				table.Number(c.CARRY8), table.Number(c.DSP), {Text: fmt.Sprint(c.BRAM36), Kind: table.Count}, table.Number(c.URAM), levels, {Text: strings.Join(published, "; ")}})
			if summary == nil {
				s := table.Verdict(len(r.Findings) == 0, "%s LUT", commas(fmt.Sprint(c.LUT)))
				summary = &s
			}
		}
		return rows, summary, nil
	})
}

func mutation(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
	head := append(append([]string{"Unit"}, evidence.Mutants(&mutate.Report{}).Head...), "Settings")
	return byUnit(head, units, func(u Unit) ([][]table.Cell, *table.Cell, error) {
		var r mutate.Report
		found, err := load(docs, "data/mutate/"+u.Name+".json", &r)
		if err != nil || !found {
			return nil, nil, err
		}
		rows := evidence.Mutants(&r).Rows
		for i, row := range rows {
			settings := table.Words("")
			if i < len(r.Configurations) {
				settings = table.Settings(r.Configurations[i].Settings)
			}
			rows[i] = append(append([]table.Cell{{Text: u.Name}}, row...), settings)
		}
		sum := r.Sum()
		c := table.Verdict(sum.Survived+sum.Errors == 0, "%s of %s", mutate.Percent(mutate.Score(sum.Killed, sum.Mutants, sum.Equivalent)), commas(fmt.Sprint(sum.Mutants)))
		return rows, &c, nil
	})
}

func proofs(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
	head := append([]string{"Unit", "Set", "Configurations"}, evidence.Properties(&prove.SetReport{}).Head...)
	shared := Unit{Name: "lib", Title: "shared parts"}
	parts, cells, err := byUnit(head, append(slices.Clone(units), shared), func(u Unit) ([][]table.Cell, *table.Cell, error) {
		var r prove.Report
		found, err := load(docs, "data/prove/"+u.Name+".json", &r)
		if err != nil || !found {
			return nil, nil, err
		}
		var rows [][]table.Cell
		for _, s := range r.Sets {
			var configs []string
			for _, p := range s.Proofs {
				configs = append(configs, p.Config)
			}
			for _, row := range evidence.Properties(&s).Rows {
				rows = append(rows, append([]table.Cell{{Text: u.Name}, {Text: s.Name}, {Text: strings.Join(configs, "; ")}}, row...))
			}
		}
		proved, all := r.Proved()
		c := table.Verdict(proved == all, "%d of %d", proved, all)
		return rows, &c, nil
	})
	delete(cells, shared.Name)
	return parts, cells, err
}

// runs returns records of co-simulations in the files <folder>/<unit>*.json.
func runs(folder string) func(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
	return func(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
		var all []record.Run
		cells := map[string]table.Cell{}
		for _, u := range units {
			names, err := variants(docs, folder, u, units)
			if err != nil {
				return nil, nil, err
			}
			var own []record.Run
			for _, name := range names {
				list, err := loadList[record.Run](docs, name)
				if err != nil {
					return nil, nil, err
				}
				own = append(own, list...)
			}
			if len(own) == 0 {
				continue
			}
			all = append(all, own...)
			var events uint64
			good := true
			for i := range own {
				good = good && own[i].OK()
				events += own[i].Events
			}
			c := table.Verdict(good, "%s events", commas(fmt.Sprint(events)))
			if !good {
				c.Text = "differs"
			}
			cells[u.Name] = c
		}
		if len(all) == 0 {
			return nil, cells, nil
		}
		return []Part{{Table: record.Table(all)}}, cells, nil
	}
}

func coverage(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
	head := []string{"Unit", "Configuration", "Events", "Points reached", "Required points missed", "Lines and branches executed", "Never executed"}
	return byUnit(head, units, func(u Unit) ([][]table.Cell, *table.Cell, error) {
		var r soak.Result
		found, err := load(docs, "data/coverage/"+u.Name+".json", &r)
		if err != nil || !found {
			return nil, nil, err
		}
		var rows [][]table.Cell
		lines, executed := 0, 0
		for _, c := range r.Configs {
			done, all := c.Executed()
			left := slices.Clone(c.Unexecuted)
			for _, line := range slices.Sorted(maps.Keys(c.Unreachable)) {
				left = append(left, fmt.Sprintf("unreachable: %s: %s", line, c.Unreachable[line]))
			}
			rows = append(rows, []table.Cell{{Text: u.Name}, {Text: c.String()}, table.Number(c.Events), table.Words("%d of %d", c.Reached, c.Points),
				table.Verdict(len(c.Missed) == 0, "%d", len(c.Missed)), table.Verdict(len(c.Unexecuted) == 0, "%d of %d", done, all), {Text: strings.Join(left, "; ")}})
			lines, executed = lines+all, executed+done
		}
		c := table.Verdict(lines == executed && r.OK(), "%s", mutate.Percent(float64(executed)/float64(max(lines, 1))))
		return rows, &c, nil
	})
}

func soaked(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
	return byUnit(evidence.LongRunHead, units, func(u Unit) ([][]table.Cell, *table.Cell, error) {
		var r soak.Result
		found, err := load(docs, "data/soak/"+u.Name+".json", &r)
		if err != nil || !found {
			return nil, nil, err
		}
		c := table.Verdict(r.OK(), "%s events", commas(fmt.Sprint(r.Events)))
		return [][]table.Cell{evidence.LongRun(&r)}, &c, nil
	})
}

func upsets(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
	head := []string{"Unit", "Configuration", "Registers and memories", "Flips", "No output changed", "Correct again", "After at most, events", "Different but legal", "Never legal again"}
	return byUnit(head, units, func(u Unit) ([][]table.Cell, *table.Cell, error) {
		var r upset.Record
		found, err := load(docs, "data/upset/"+u.Name+".json", &r)
		if err != nil || !found {
			return nil, nil, err
		}
		var rows [][]table.Cell
		flips, never := 0, 0
		for _, x := range r.Results {
			settings := x.Settings
			if settings == "" {
				settings = "default"
			}
			s := x.Sum()
			rows = append(rows, []table.Cell{{Text: u.Name}, {Text: settings}, table.Number(s.Elements), table.Number(s.Flips), table.Number(s.Unseen), table.Number(s.Right), table.Number(s.Again),
				table.Number(s.Legal), table.Verdict(s.Never == 0, "%d", s.Never)})
			flips, never = flips+s.Flips, never+s.Never
		}
		c := table.Verdict(never == 0, "legal after all of %s", commas(fmt.Sprint(flips)))
		if never > 0 {
			c.Text = fmt.Sprintf("%d of %s not legal again", never, commas(fmt.Sprint(flips)))
		}
		return rows, &c, nil
	})
}

func parsers(docs fs.FS, _ []Unit) ([]Part, map[string]table.Cell, error) {
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
	t := &table.Table{Head: []string{"Package", "Parser", "Time", "Inputs tried", "Inputs kept", "Failures"}}
	for _, p := range r.Parsers {
		t.Rows = append(t.Rows, []table.Cell{{Text: p.Package}, {Text: p.Target}, {Text: r.Each}, table.Number(p.Inputs), table.Number(p.Corpus), table.Verdict(p.Failures == 0, "%d", p.Failures)})
	}
	return []Part{{Table: t}}, nil, nil
}

func speeds(docs fs.FS, units []Unit) ([]Part, map[string]table.Cell, error) {
	var h speed.History
	if found, err := load(docs, "data/speed.json", &h); err != nil || !found {
		return nil, nil, err
	}
	modes := []string{cosim.Checksummed, cosim.GoldenSequential, cosim.GoldenConcurrent}
	return byUnit(append([]string{"Unit", "Revision"}, modes...), units, func(u Unit) ([][]table.Cell, *table.Cell, error) {
		var rows [][]table.Cell
		for _, r := range h {
			if r.Unit != u.Name {
				continue
			}
			row := []table.Cell{{Text: u.Name}, {Text: r.Revision}}
			for _, m := range modes {
				row = append(row, table.Cell{Text: fmt.Sprintf("%.2f", r.Ratios[m]), Kind: table.Count})
			}
			rows = append(rows, row)
		}
		const last = 5
		return rows[max(0, len(rows)-last):], nil, nil
	})
}
