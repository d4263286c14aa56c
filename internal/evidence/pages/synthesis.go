// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"fmt"
	"path"
	"slices"
	"sort"
	"strings"

	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/table"
	"github.com/nicgen/nicgen/synth"
)

func synthesis(m *Maker, page string, args []string) (string, error) {
	cfg, list, err := m.reports(page, args)
	if err != nil {
		return "", err
	}
	u, _, err := m.unit(args)
	if err != nil {
		return "", err
	}
	head := []string{"Resource"}
	for _, a := range args[1:] {
		if len(list) == 1 {
			head = append(head, "Used", "Of a bare U280")
		} else {
			head = append(head, strings.TrimSuffix(path.Base(a), path.Ext(a)))
		}
	}
	published := map[string]string{}
	var order []string
	if u.Published != nil {
		head = append(head, u.Published.Source)
		for _, f := range u.Published.Figures {
			published[f.Resource] = f.Value
			order = append(order, f.Resource)
		}
	}
	rows := [][]string{head}
	row := func(name string, used func(r *synth.Report) (text string, n float64, of int)) {
		cells := []string{name}
		for _, r := range list {
			text, n, of := used(r)
			cells = append(cells, text)
			if len(list) == 1 {
				share := ""
				if of > 0 {
					share = fmt.Sprintf("%.3f %%", 100*n/float64(of))
				}
				cells = append(cells, share)
			}
		}
		if u.Published != nil {
			cells = append(cells, published[name])
			delete(published, name)
		}
		rows = append(rows, cells)
	}
	count := func(name string, n func(c *synth.Counts) int, of func(d *synth.Device) int) {
		row(name, func(r *synth.Report) (string, float64, int) {
			total := 0
			if of != nil {
				total = of(&r.Device)
			}
			return fmt.Sprint(n(&r.Counts)), float64(n(&r.Counts)), total
		})
	}
	count("LUT", func(c *synth.Counts) int { return c.LUT }, func(d *synth.Device) int { return d.LUT })
	count("of these logic", func(c *synth.Counts) int { return c.Logic }, nil)
	count("of these LUTRAM", func(c *synth.Counts) int { return c.LUTRAM }, nil)
	count("of these SRL", func(c *synth.Counts) int { return c.SRL }, nil)
	count("FF", func(c *synth.Counts) int { return c.FF }, func(d *synth.Device) int { return d.FF })
	count("CARRY8", func(c *synth.Counts) int { return c.CARRY8 }, func(d *synth.Device) int { return d.CARRY8 })
	count("DSP48E2", func(c *synth.Counts) int { return c.DSP }, func(d *synth.Device) int { return d.DSP })
	row("RAMB36", func(r *synth.Report) (string, float64, int) {
		return fmt.Sprintf("%g", r.Counts.BRAM36), r.Counts.BRAM36, r.Device.RAMB36
	})
	row("URAM288", func(r *synth.Report) (string, float64, int) {
		return r.Counts.UltraRAM(), float64(r.Counts.URAMVivado), r.Device.URAM
	})
	row("Logic levels", func(r *synth.Report) (string, float64, int) {
		if r.RegToReg == nil {
			return "none", 0, 0
		}
		return fmt.Sprint(r.RegToReg.Levels), 0, 0
	})
	row("Estimated path, ns: optimistic / typical / pessimistic", func(r *synth.Report) (string, float64, int) {
		if r.Timing == nil || r.Timing.RegToReg == nil {
			return "none", 0, 0
		}
		return r.Timing.RegToReg.Ns.String(), 0, 0
	})
	for _, name := range order {
		if _, ok := published[name]; ok {
			row(name, func(*synth.Report) (string, float64, int) { return "", 0, 0 })
		}
	}
	tools := map[string]bool{}
	for _, r := range list {
		tools[fmt.Sprintf("%s, `synth_xilinx -family %s`, flow %s. %s", r.Tool, r.Family, r.Flow, r.Note)] = true
	}
	var notes []string
	for t := range tools {
		notes = append(notes, t)
	}
	sort.Strings(notes)
	return fmt.Sprintf("Measured with `nicgen synth --unit %s`: %s\n\n%s", cfg.Unit(), strings.Join(notes, " "), emit.Table(rows)), nil
}

func memories(m *Maker, page string, args []string) (string, error) {
	_, list, err := m.reports(page, args)
	if err != nil {
		return "", err
	}
	if len(list) > 1 {
		return "", fmt.Errorf("found %d reports, want one", len(list))
	}
	rows := [][]string{{"Memory", "Depth", "Width", "Bits", "Became", "Cells"}}
	bits := int64(0)
	for _, x := range list[0].Memories {
		var cells []string
		for t, n := range x.Cells {
			cells = append(cells, fmt.Sprintf("%d %s", n, t))
		}
		slices.Sort(cells)
		if n, ok := x.Repacked(); ok {
			cells = append(cells, fmt.Sprintf("by Vivado %d", n))
		}
		rows = append(rows, []string{"`" + x.Name + "`", fmt.Sprint(x.Depth), fmt.Sprint(x.Width),
			fmt.Sprint(x.Depth * x.Width), x.Kind, strings.Join(cells, ", ")})
		bits += x.Depth * x.Width
	}
	rows = append(rows, []string{"**Sum**", "", "", fmt.Sprint(bits), "", ""})
	return emit.Table(rows), nil
}

// resources shows the cost of each unit in its default configuration.
func resources(m *Maker, page string, args []string) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("found %d arguments, want one: the folder of the reports", len(args))
	}
	rows := [][]string{{"Unit", "What it is", "LUT", "FF", "RAMB36", "Logic levels", "Estimated path, ns (typical)"}}
	var without []string
	for _, u := range m.own() {
		cfg := u.New()
		r, err := m.report(path.Join(path.Dir(page), args[0], cfg.Unit()+".json"), cfg)
		if notYet(err, cfg, &without) {
			continue
		}
		if err != nil {
			return "", err
		}
		levels := "none"
		if r.RegToReg != nil {
			levels = fmt.Sprint(r.RegToReg.Levels)
		}
		rows = append(rows, []string{unitLink(page, cfg), cfg.Title(),
			fmt.Sprint(r.Counts.LUT), fmt.Sprint(r.Counts.FF), fmt.Sprintf("%g", r.Counts.BRAM36), levels, r.TypicalPath()})
	}
	return emit.Table(rows) + missing(without), nil
}

// timed returns the estimated timing of each unit in its default configuration.
func timed(m *Maker, page string, args []string) (string, error) {
	if len(args) != 1 {
		return "", fmt.Errorf("found %d arguments, want one: the folder of the reports", len(args))
	}
	t := table.Table{Head: append([]string{"Unit"}, evidence.TimingHead...)}
	var without []string
	for _, u := range m.own() {
		cfg := u.New()
		r, err := m.report(path.Join(path.Dir(page), args[0], cfg.Unit()+".json"), cfg)
		if notYet(err, cfg, &without) {
			continue
		}
		if err != nil {
			return "", err
		}
		if r.Timing == nil {
			return "", fmt.Errorf("report of %s: no timing, measure it again with nicgen synth --unit %s --json", cfg.Unit(), cfg.Unit())
		}
		t.Rows = append(t.Rows, append([]table.Cell{{Text: unitLink(page, cfg)}}, evidence.Timing(r.Timing)...))
	}
	return t.Markdown() + missing(without), nil
}
