// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/synth/timing"
)

// record reads a JSON file, which may be missing.
func (m *Maker) record(name string, into any) (found bool, err error) {
	text, err := m.read(name)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	if err == nil {
		err = json.Unmarshal(text, into)
	}
	if err != nil {
		return false, fmt.Errorf("%s: %w", name, err)
	}
	return true, nil
}

// missing lists the units that have no record.
func missing(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "\nNot measured: " + strings.Join(names, ", ") + ".\n"
}

// notYet reports whether a unit has no record yet, and then adds it to the list.
func notYet(err error, cfg gen.Config, list *[]string) bool {
	var none *unmeasured
	if !errors.As(err, &none) {
		return false
	}
	*list = append(*list, cfg.Unit())
	return true
}

// routed shows reports of nicgen synth --route.
func routed(m *Maker, page string, args []string) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("found %d arguments, want one: the folder of the reports", len(args))
	}
	rows := [][]string{{"Unit", "MHz", "Routed path, ns", "Of it cells and wires", "First cell, ns", "Levels", "Estimated for UltraScale+, ns", "Ratio", "Routing finds", "Where the routed path goes", "Its slowest wire"}}
	var without, large []string
	for _, u := range m.own() {
		cfg := u.New()
		var r synth.Routed
		found, err := m.record(path.Join(path.Dir(page), args[0], cfg.Unit()+".json"), &r)
		switch {
		case err != nil:
			return "", err
		case !found:
			without = append(without, cfg.Unit())
			continue
		case r.Top != cfg.Top():
			return "", fmt.Errorf("report of %s in place of %s", r.Top, cfg.Top())
		case r.Unplaced != "":
			large = append(large, fmt.Sprintf("%s (%s)", cfg.Unit(), r.Unplaced))
			continue
		}
		p, e := r.Path, r.Typical
		rows = append(rows, []string{unitLink(page, cfg), fmt.Sprintf("%.0f", r.MHz), fmt.Sprintf("%.2f", p.Ns), fmt.Sprintf("%.2f + %.2f", p.Logic, p.Wire),
			fmt.Sprintf("%.2f", p.Start), fmt.Sprint(p.Levels), fmt.Sprintf("%.2f", e.Ns), fmt.Sprintf("%.1f", p.Ns/e.Ns), e.Found(),
			fmt.Sprintf("`%s` → `%s`", p.From, p.To), fmt.Sprintf("%.2f ns, %d tiles, %d loads", p.Slowest.Ns, p.Slowest.Tiles, p.Slowest.Loads)})
	}
	text := emit.Table(rows)
	if len(large) > 0 {
		text += "\nThe device has no room for: " + strings.Join(large, "; ") + ".\n"
	}
	return text + missing(without), nil
}

// releases shows reports of nicgen synth by two releases of Yosys.
func releases(m *Maker, page string, args []string) (string, error) {
	if len(args) != 2 {
		return "", fmt.Errorf("found %d arguments, want two: the folders of the reports", len(args))
	}
	const old, new = 0, 1
	var names [2]string
	rows := [][]string{nil}
	var without, changed []string
	for _, u := range m.own() {
		cfg := u.New()
		var r [2]synth.Report
		both := true
		for i := range r {
			found, err := m.record(path.Join(path.Dir(page), args[i], cfg.Unit()+".json"), &r[i])
			if err != nil {
				return "", err
			}
			both = both && found
		}
		switch {
		case !both:
			without = append(without, cfg.Unit())
			continue
		case r[old].Design != r[new].Design:
			changed = append(changed, cfg.Unit())
			continue
		}
		for i := range r {
			words := strings.Fields(r[i].Tool + " of unknown release")
			name := words[0] + " " + words[1]
			if names[i] != "" && names[i] != name {
				return "", fmt.Errorf("reports of %s and %s in %s, want one release", names[i], name, args[i])
			}
			names[i] = name
		}
		row := []string{unitLink(page, cfg)}
		for _, of := range []func(c *synth.Counts) any{
			func(c *synth.Counts) any { return c.LUT }, func(c *synth.Counts) any { return c.FF }, func(c *synth.Counts) any { return c.CARRY8 },
			func(c *synth.Counts) any { return c.BRAM36 }, func(c *synth.Counts) any { return c.URAM }, func(c *synth.Counts) any { return c.DSP },
		} {
			row = append(row, pair(fmt.Sprint(of(&r[old].Counts)), fmt.Sprint(of(&r[new].Counts))))
		}
		ns := func(r *synth.Report) string { return fmt.Sprintf("%.2f", r.Timing.RegToReg.Ns[timing.Typical]) }
		rows = append(rows, append(row, pair(ns(&r[old]), ns(&r[new]))))
	}
	rows[0] = []string{"Unit", "LUT", "FF", "CARRY8", "RAMB36", "URAM", "DSP", "Longest path, typical, ns"}
	if len(rows) == 1 {
		return "No unit has a report of both releases.\n" + missing(without), nil
	}
	text := fmt.Sprintf("%s → %s; one figure where both give the same:\n\n", names[old], names[new]) + emit.Table(rows)
	if len(changed) > 0 {
		text += "\nThe reports are of different RTL: " + strings.Join(changed, ", ") + ".\n"
	}
	return text + missing(without), nil
}

// pair returns two figures, or one if they are the same.
func pair(a, b string) string {
	if a == b {
		return a
	}
	return a + " → " + b
}
