// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/check/soak"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/table"
)

// results calls row for every unit with its result FOLDER/<unit>.json of nicgen soak or
// coverage, or nil if it has none.
func results(m *Maker, page, block string, args []string, row func(unit string, r *soak.Result)) error {
	if len(args) != 1 {
		return fmt.Errorf("%s: found %d arguments, want one: a folder of results of nicgen soak or coverage --json", block, len(args))
	}
	for _, u := range m.own() {
		unit := u.New().Unit()
		name := path.Join(path.Dir(page), args[0], unit+".json")
		text, err := m.read(name)
		if errors.Is(err, fs.ErrNotExist) {
			row(unit, nil)
			continue
		}
		if err != nil {
			return err
		}
		var r soak.Result
		if err := json.Unmarshal(text, &r); err != nil {
			return fmt.Errorf("%s: not a result of nicgen soak or coverage: %w", name, err)
		}
		if r.Unit != unit {
			return fmt.Errorf("%s: found a result of unit %q, want %s", name, r.Unit, unit)
		}
		row(unit, &r)
	}
	return nil
}

// soaks returns the table of long runs; a unit without a result is listed as not run.
func soaks(m *Maker, page string, args []string) (string, error) {
	t := table.Table{Head: evidence.LongRunHead}
	err := results(m, page, "soaks", args, func(unit string, r *soak.Result) {
		row := make([]table.Cell, len(t.Head))
		row[0], row[1] = table.Name("%s", unit), table.Words("no record")
		if r != nil {
			row = evidence.LongRun(r)
		}
		t.Rows = append(t.Rows, row)
	})
	return t.Markdown(), err
}

// frames returns the table of a run of nicgen nic fuzz.
func frames(m *Maker, page string, args []string) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("frames: found %d arguments, want one: a result of nicgen nic fuzz --json", len(args))
	}
	name := path.Join(path.Dir(page), args[0])
	text, err := m.read(name)
	if err != nil {
		return "", err
	}
	var r soak.Result
	if err := json.Unmarshal(text, &r); err != nil {
		return "", fmt.Errorf("%s: not a result of nicgen nic fuzz: %w", name, err)
	}
	rows := [][]string{{"Configuration", "Frames", "Cycles", "Kinds of frames"}}
	for _, c := range r.Configs {
		rows = append(rows, []string{c.String(), fmt.Sprint(c.Events), fmt.Sprint(c.Cycles), fmt.Sprintf("%d of %d", c.Reached, c.Points)})
	}
	rows = append(rows, []string{"**all**", fmt.Sprint(r.Events), fmt.Sprint(r.Cycles), ""})
	return emit.Table(rows) + fmt.Sprintf("\nMeasured with `%s`: %d chunks, each with a different seed; %d differences, hangs or frames that are not accounted for.\n",
		r.Command, r.Chunks, len(r.Failures)), nil
}

// reached returns the table of the benches' coverage: coverage points, lines and branches. Lines
// that a parameter rules out do not count in that configuration.
func reached(m *Maker, page string, args []string) (string, error) {
	rows := [][]string{{"Unit", "Configurations", "Events", "Points of the default reached", "Required points missed", "Lines and branches executed", "Command"}}
	reasons := map[string]string{}
	err := results(m, page, "reached", args, func(unit string, r *soak.Result) {
		if r == nil {
			rows = append(rows, []string{"`" + unit + "`", "", "no record", "", "", "", ""})
			return
		}
		lines, executed, missed := 0, 0, 0
		for _, c := range r.Configs {
			done, all := c.Executed()
			lines, executed, missed = lines+all, executed+done, missed+len(c.Missed)
			maps.Copy(reasons, c.Unreachable)
		}
		rows = append(rows, []string{"`" + unit + "`", fmt.Sprint(len(r.Configs)), fmt.Sprint(r.Events),
			fmt.Sprintf("%d of %d", r.Configs[0].Reached, r.Configs[0].Points), fmt.Sprint(missed), fmt.Sprintf("%d of %d", executed, lines), "`" + r.Command + "`"})
	})
	text := emit.Table(rows)
	for _, line := range slices.Sorted(maps.Keys(reasons)) {
		file, code, _ := strings.Cut(line, ": ")
		text += fmt.Sprintf("\nUnreachable: `%s` in `%s`. %s\n", code, file, reasons[line])
	}
	return text, err
}
