// SPDX-License-Identifier: Apache-2.0

package rail

import "fmt"

// Betas lists the β′ that are compared in a scenario.
func Betas(name string) []float64 {
	switch name {
	case "spray":
		return []float64{1, 4}
	case "outage":
		return []float64{1, 4, 8}
	}
	return []float64{1}
}

// Row passes the key figures of a run to add, each with its heading. beta is the run's
// β′; load is its load as a fraction of the link rate, 0 where the scenario has none.
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
		add("rate decreases", "%d", r.Decreases)
		add("goodput, Gb/s", "%.1f", r.Goodput)
	case r.Scenario.Name == "outage":
		o := &r.Outages[0]
		add("share before, %", "%.1f", 100*o.ShareBefore)
		add("path latency, µs", "%s", micro(float64(o.Latency)))
		if o.Detected == nil {
			add("detection delay, µs", "never")
		} else {
			add("detection delay, µs", "%s", micro(float64(*o.Detected)-float64(o.LastMeasured)))
		}
		add("segments sent after detection", "%d of %d", o.SentAfter, o.SentAfter+o.SentElsewhere)
		add("last segment, µs", "%s", after(o.LastSegment))
		add("repaired, µs", "%s", micro(float64(o.Repaired)))
		add("probes before repair", "%d", o.Probes)
		add("first answer, µs", "%s", after(o.FirstAnswer))
		add("resumed, µs", "%s", after(o.Resumed))
		add("share after, %", "%.1f", 100*o.ShareAfter)
	case r.Scenario.Name == "loss":
		f := &r.Flows[0]
		add("segments", "%d", f.New)
		add("dropped", "%d", f.Dropped)
		add("lost by skip", "%d", f.LostBySkip)
		add("lost by timer", "%d", f.LostByTimer)
		add("spurious", "%d", f.Spurious)
		add("retransmitted", "%d", f.Retransmitted)
		add("arrived", "%d", f.Arrived)
		add("duplicates", "%d", f.Duplicates)
		add("mean skip delay, µs", "%s", micro(f.MeanSkipDelay))
		add("max skip delay, µs", "%s", micro(float64(f.MaxSkipDelay)))
		add("max timer delay, µs", "%s", micro(float64(f.MaxTimerDelay)))
	default:
		var first, last *FlowResult // the first and the last flow to decrease; nil: none does
		least := 0.0
		for i := range r.Flows {
			f := &r.Flows[i]
			if f.MinRate > 0 && (least == 0 || f.MinRate < least) {
				least = f.MinRate
			}
			if f.FirstDecrease == nil {
				continue
			}
			if first == nil || *f.FirstDecrease < *first.FirstDecrease {
				first = f
			}
			if last == nil || *f.FirstDecrease > *last.FirstDecrease {
				last = f
			}
		}
		if first == nil {
			first, last = &FlowResult{}, &FlowResult{}
		}
		add("flows", "%d", len(r.Flows))
		add("first decrease, µs", "%s", after(first.FirstDecrease))
		add("last flow's first decrease, µs", "%s", after(last.FirstDecrease))
		add("its rate then, Gb/s", "%.1f", last.RateAfterFirst)
		add("lowest rate, Gb/s", "%.2f", least)
		add("longest queue, KB", "%.0f", float64(r.Longest)/1000)
		add("recovery to 99 % of line rate, µs", "%s", after(r.Flows[0].Recovered))
	}
}
