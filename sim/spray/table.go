// SPDX-License-Identifier: Apache-2.0

package spray

import "fmt"

// Betas are the β′ that are compared in a scenario.
func Betas(name string) []float64 {
	switch name {
	case "spray":
		return []float64{1, 4}
	case "outage":
		return []float64{1, 4, 8}
	}
	return []float64{1}
}

// Row adds the figures that matter in a scenario to a table of runs: for each, add is
// called with its name and what it was in this one, of β′ beta and, above 0, a load as a
// fraction of the link rate.
func (r *Result) Row(add func(name, format string, args ...any), beta, load float64) {
	micro := func(ns float64) string { return fmt.Sprintf("%.1f", ns/1000) }
	after := func(ns *uint64) string {
		if ns == nil {
			return "never"
		}
		return micro(float64(*ns))
	}
	add("β′", "%g", beta)
	switch {
	case load > 0:
		add("load, %", "%g", 100*load)
		for i, c := range r.Classes {
			add(fmt.Sprintf("L%d (%d links)", i+1, c.Links), "%.2f", c.Relative)
		}
		for i, c := range r.Classes {
			add(fmt.Sprintf("latency L%d, µs", i+1), "%s", micro(c.Latency))
		}
		add("probes", "%d", r.Probes)
		add("decreases", "%d", r.Decreases)
		add("arrived, Gb/s", "%.1f", r.Goodput)
	case len(r.Outages) > 0 && !r.Scenario.Flows[0].Track:
		o := &r.Outages[0]
		add("share before, %", "%.1f", 100*o.Before)
		add("latency, µs", "%s", micro(float64(o.Latency)))
		if o.Probed == nil {
			add("left after, µs", "never")
		} else {
			add("left after, µs", "%s", micro(float64(*o.Probed)-float64(o.Measured)))
		}
		add("segments after that", "%d of %d", o.After, o.After+o.All)
		add("last one, µs", "%s", after(o.Last))
		add("mended, µs", "%s", micro(float64(o.Mended)))
		add("probes until then", "%d", o.Probes)
		add("answered, µs", "%s", after(o.Answered))
		add("first segment, µs", "%s", after(o.Back))
		add("share then, %", "%.1f", 100*o.Later)
	case r.Scenario.Flows[0].Track:
		f := &r.Flows[0]
		add("segments", "%d", f.New)
		add("dropped", "%d", f.Dropped)
		add("lost by a skip", "%d", f.Skipped)
		add("by a timer", "%d", f.Timeouts)
		add("without need", "%d", f.Wrong)
		add("sent again", "%d", f.Resent)
		add("arrived", "%d", f.Arrived)
		add("twice", "%d", f.Duplicates)
		add("skip reported after, µs", "%s", micro(f.Report))
		add("at most, µs", "%s", micro(float64(f.Worst)))
		add("timer, at most, µs", "%s", micro(float64(f.Tail)))
	default:
		var first, last *FlowResult // to decrease; nil: none does
		least := 0.0
		for i := range r.Flows {
			f := &r.Flows[i]
			if f.Least > 0 && (least == 0 || f.Least < least) {
				least = f.Least
			}
			if f.First == nil {
				continue
			}
			if first == nil || *f.First < *first.First {
				first = f
			}
			if last == nil || *f.First > *last.First {
				last = f
			}
		}
		if first == nil {
			first, last = &FlowResult{}, &FlowResult{}
		}
		add("flows", "%d", len(r.Flows))
		add("first decrease after, µs", "%s", after(first.First))
		add("of the last flow, µs", "%s", after(last.First))
		add("its rate then, Gb/s", "%.1f", last.FirstRate)
		add("least rate, Gb/s", "%.2f", least)
		add("longest queue, KB", "%.0f", float64(r.Longest)/1000)
		add("99 % of the line again, µs after the burst", "%s", after(r.Flows[0].Full))
	}
}
