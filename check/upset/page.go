// SPDX-License-Identifier: Apache-2.0

package upset

import (
	"fmt"
	"strings"
)

// Sum puts elements together.
func Sum(list []Element) (s Element) {
	for _, e := range list {
		s.Flips += e.Flips
		s.Unseen += e.Unseen
		s.Right += e.Right
		s.Legal += e.Legal
		s.Never += e.Never
		s.Kept += e.Kept
		s.Again.MaxCycles, s.Again.MaxEvents = max(s.Again.MaxCycles, e.Again.MaxCycles), max(s.Again.MaxEvents, e.Again.MaxEvents)
		s.Law.MaxCycles, s.Law.MaxEvents = max(s.Law.MaxCycles, e.Law.MaxCycles), max(s.Law.MaxEvents, e.Law.MaxEvents)
	}
	return s
}

// Sentence is the result in one sentence.
func (r *Result) Sentence() string {
	s := Sum(r.Elements)
	text := fmt.Sprintf("Of %s flips in %s registers and memories, %s changed no output, and after %s the outputs were right again, at the latest %s events (%s cycles) later",
		commas(s.Flips), commas(len(r.Elements)), commas(s.Unseen), commas(s.Right), commas(int(s.Again.MaxEvents)), commas(int(s.Again.MaxCycles)))
	if s.Legal > 0 {
		text += fmt.Sprintf("; after %s they were other ones than without the flip for as long as it was watched, and legal at the latest %s events (%s cycles) later",
			commas(s.Legal), commas(int(s.Law.MaxEvents)), commas(int(s.Law.MaxCycles)))
	}
	if s.Never > 0 {
		return text + fmt.Sprintf("; after %s they were **not legal at the end**.", commas(s.Never))
	}
	return text + "; the unit never hung and never stayed illegal."
}

// Table is a row for each register and memory, in Markdown.
func (r *Result) Table() string {
	var b strings.Builder
	b.WriteString("| register or memory | bits | words | flips | unseen | right again | after events: median | max | legal | after events: median | max | never | kept |\n" +
		"|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|\n")
	for _, e := range r.Elements {
		span := func(n int, s Span) string {
			if n == 0 {
				return "– | –"
			}
			return fmt.Sprintf("%s | %s", commas(int(s.MedianEvents)), commas(int(s.MaxEvents)))
		}
		never := fmt.Sprint(e.Never)
		if e.Never > 0 {
			never = "**" + never + "**"
		}
		fmt.Fprintf(&b, "| `%s` | %d | %s | %d | %d | %d | %s | %d | %s | %s | %d |\n", e.Name, e.Bits, commas(e.Words), e.Flips,
			e.Unseen, e.Right, span(e.Right, e.Again), e.Legal, span(e.Legal, e.Law), never, e.Kept)
	}
	return b.String()
}

// Page is docs/units/<unit>_upset.md: the results of a unit's configurations, the
// command that measured them, and what the unit's bench says of the longest life of a
// changed bit.
func Page(unit, command, lifetime string, results []*Result) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# %s from any state\n\nOne bit of a register or of a memory changes during traffic, as a particle changes it in the field: what the\n"+
		"[unit](%s.md) does from then on, compared in every cycle with the golden model, which was not disturbed.\n"+
		"Each upset is independent of the others: it begins in a saved state of a recorded run of the emitted RTL, and the\n"+
		"traffic is the bench's random one without resets. Counters of events (`sts_…_cnt`) are not compared: a difference stays in\n"+
		"them until the reset, and nothing reads them.\n\nWritten by `%s`.\n\n", unit, unit, command)
	if lifetime != "" {
		b.WriteString(strings.TrimSpace(lifetime) + "\n\n")
	}
	b.WriteString("- **unseen**: no output ever differed.\n" +
		"- **right again**: outputs differed, and then were those of the undisturbed unit for good: its whole state was the\n" +
		"  undisturbed one's again, or no output differed for at least a quarter of the time that it was watched.\n" +
		"- **legal**: outputs differ to the end, all requests are answered in time and all values are legal ones.\n" +
		"- **never**: at the end requests were not answered in time, or values were illegal.\n" +
		"- **kept**, of the unseen and the right: the changed bit, or what came of it, was still stored at the end.\n\n")
	for _, r := range results {
		name := r.Settings
		if name == "" {
			name = "the default configuration"
		}
		fmt.Fprintf(&b, "## With %s\n\nSeed %d, %d recorded runs, %d flips of each element, each watched for %s cycles, in which the unit took %s events on average.\n\n%s\n\n%s\n",
			name, r.Seed, r.Runs, r.Flips, commas(r.Cycles), commas(int(r.Events)), r.Sentence(), r.Table())
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

// commas writes a number with separators.
func commas(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
