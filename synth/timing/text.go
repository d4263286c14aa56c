// SPDX-License-Identifier: Apache-2.0

package timing

import (
	"fmt"
	"strings"
	"text/tabwriter"
)

// Text returns the estimate for people.
func (e *Estimate) Text() string {
	var b strings.Builder
	if e.RegToReg == nil {
		fmt.Fprintf(&b, "Estimated path: none between registers; %s\n", e.Grade)
	} else {
		fmt.Fprintf(&b, "Estimated path %s ns between registers (optimistic / typical / pessimistic); %s\n", e.RegToReg.Ns, e.Grade)
	}
	fmt.Fprintf(&b, "%s\n\n", e.Note)
	if a := e.Absorbed; a.BRAM+a.URAM+a.DSP > 0 {
		fmt.Fprintf(&b, "Flip-flops that Vivado makes the registers of blocks: %d of block RAM, %d of UltraRAM, %d of DSPs; %d remain. Their paths are counted as paths of the blocks.\n\n", a.BRAM, a.URAM, a.DSP, a.FF)
	}
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	if e.RegToReg != nil {
		for _, c := range e.Clocks {
			fmt.Fprintf(w, "  slack at %.3f ns (%.1f MHz)\t%+.2f / %+.2f / %+.2f\t%d / %d / %d of %d ends have none%s\n", c.Period, 1000/c.Period,
				c.Slack[Optimistic], c.Slack[Typical], c.Slack[Pessimistic], c.Over[Optimistic], c.Over[Typical], c.Over[Pessimistic], e.RegToReg.Ends, c.verdict())
		}
	}
	for _, g := range e.groups() {
		if g.Group == nil {
			fmt.Fprintf(w, "  %s\tnone\n", g.name)
			continue
		}
		p := g.Worst[0]
		fmt.Fprintf(w, "  %s\t%s\t%s → %s\n", g.name, g.Ns, p.From, p.To)
	}
	w.Flush()
	for _, g := range e.groups() {
		if g.Group == nil {
			continue
		}
		fmt.Fprintf(&b, "\nWorst %s paths between different names, typical ns (logic + wires), pessimistic\n", g.name)
		w = tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
		for _, p := range g.Worst {
			fmt.Fprintf(w, "  %.2f\t(%.2f + %.2f)\t%.2f\t%s → %s\t%s\n", p.Ns[Typical], p.Logic, p.Wire, p.Ns[Pessimistic], p.From, p.To, endsText(p.Ends))
		}
		w.Flush()
		for _, p := range g.Worst {
			p.text(&b)
		}
		if p := g.Pessimistic; p != nil {
			fmt.Fprintf(&b, "\n  Longest by the pessimistic column, whose times these are: %.2f\n", p.Ns[Pessimistic])
			p.text(&b)
		}
	}
	if len(e.Clocks) > 0 && len(e.Clocks[0].Histogram) > 0 {
		c := e.Clocks[0]
		fmt.Fprintf(&b, "\nEnds between registers by slack at %.3f ns, each line up to %g ns more\n", c.Period, BinWidth)
		w = tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
		fmt.Fprintf(w, "  from\toptimistic\ttypical\tpessimistic\t\n")
		for _, bin := range c.Histogram {
			fmt.Fprintf(w, "  %+.2f\t%d\t%d\t%d\t\n", bin.From, bin.Ends[Optimistic], bin.Ends[Typical], bin.Ends[Pessimistic])
		}
		w.Flush()
	}
	netsText(&b, "Resets", e.Resets)
	netsText(&b, fmt.Sprintf("Nets with more than %d loads", ManyLoads), e.Nets)
	return b.String()
}

// shownNets is the number of nets that Text lists.
const shownNets = 20

func netsText(b *strings.Builder, title string, nets []Net) {
	if len(nets) == 0 {
		return
	}
	fmt.Fprintf(b, "\n%s: driver, loads, typical ns of the wire\n", title)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, n := range nets[:min(shownNets, len(nets))] {
		name := n.Name
		if n.Nets > 1 {
			name = fmt.Sprintf("%s, %d nets", name, n.Nets)
		}
		fmt.Fprintf(w, "  %s\t%s\t%d\t%.2f\n", name, n.Driver, n.Loads, n.Wire[Typical])
	}
	w.Flush()
	if more := len(nets) - shownNets; more > 0 {
		fmt.Fprintf(b, "  and %d more\n", more)
	}
}

func endsText(n int) string {
	if n == 1 {
		return "1 end"
	}
	return fmt.Sprintf("%d ends", n)
}

// verdict flags a clock without slack.
func (c *Clock) verdict() string {
	switch {
	case c.Slack[Typical] < 0:
		return ": too slow by the typical column"
	case c.Slack[Pessimistic] < 0:
		return ": at risk"
	}
	return ""
}

type namedGroup struct {
	name string
	*Group
}

func (e *Estimate) groups() []namedGroup {
	return []namedGroup{
		{"register to register", e.RegToReg}, {"input to register", e.InToReg},
		{"register to output", e.RegToOut}, {"input to output", e.InToOut},
	}
}

// text shows the steps of a path, if they are known.
func (p *Path) text(b *strings.Builder) {
	if len(p.Steps) == 0 {
		return
	}
	fmt.Fprintf(b, "\n  %s → %s\n", p.From, p.To)
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	at := 0.0
	fmt.Fprintf(w, "    at\twire\tcell\t\tdrives\tloads\t\n")
	for _, s := range p.Steps {
		at += s.Wire + s.Delay
		loads := ""
		if s.Loads > 0 {
			loads = fmt.Sprint(s.Loads)
		}
		cell := s.Cell
		if s.Count > 1 {
			cell = fmt.Sprintf("%s ×%d", s.Cell, s.Count)
		}
		fmt.Fprintf(w, "    %.3f\t%.3f\t%.3f\t%s %s\t%s\t%s\t%s\n", at, s.Wire, s.Delay, cell, s.Pins, s.Net, loads, s.Src)
	}
	w.Flush()
}
