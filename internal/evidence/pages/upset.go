// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/internal/evidence/table"
)

// upsetIntro explains the measurement; %s is the unit.
const upsetIntro = `One bit of a register or of a memory changes during traffic, as a particle changes it in the field: what the
[unit](%[1]s.md) does from then on, compared in every cycle with the golden model, which was not disturbed.
Each upset is independent of the others: it begins in a saved state of a recorded run of the emitted RTL, and the
traffic is the bench's random one without resets. Counters of events (` + "`sts_…_cnt`" + `) are not compared: a difference stays in
them until the reset, and nothing reads them.

Measured with ` + "`%[2]s`" + `, whose ` + "`--json`" + ` lists every register and memory; [the record](%[3]s) has a digest of that list.

%[4]s

- **unseen**: no output ever differed.
- **right again**: outputs differed, and then were those of the undisturbed unit for good: its whole state was the
  undisturbed one's again, or no output differed for at least a quarter of the time that it was watched.
- **legal**: outputs differ to the end, all requests are answered in time and all values are legal ones.
- **never**: at the end requests were not answered in time, or values were illegal.
- **kept**, of the unseen and the right: the changed bit, or what came of it, was still stored at the end.
`

// upsets summarises a report of nicgen upset --json: for each configuration the totals, the
// instances in the unit, and the registers and memories with the worst fates.
func upsets(m *Maker, page string, args []string) (string, error) {
	u, cfg, err := m.unit(args)
	if err != nil {
		return "", err
	}
	if len(args) != 2 {
		return "", fmt.Errorf("found %d arguments, want a unit and a report of nicgen upset --json", len(args))
	}
	if u.Upset == nil {
		return "", fmt.Errorf("unit %s does not say what is legal after an upset", cfg.Unit())
	}
	name := path.Join(path.Dir(page), args[1])
	text, err := m.read(name)
	if err != nil {
		return "", fmt.Errorf("report of nicgen upset %s --json %s: %w", args[0], name, err)
	}
	var r upset.Record
	if err := json.Unmarshal(text, &r); err != nil {
		return "", fmt.Errorf("%s: not a report of nicgen upset: %w", name, err)
	}
	if r.Unit != args[0] {
		return "", fmt.Errorf("%s: report of unit %q, want %s", name, r.Unit, args[0])
	}
	var b strings.Builder
	fmt.Fprintf(&b, upsetIntro, r.Unit, r.Command, args[1], strings.TrimSpace(u.Upset.Lifetime))
	for i := range r.Results {
		x := &r.Results[i]
		title := x.Settings
		if title == "" {
			title = "the default configuration"
		}
		fmt.Fprintf(&b, "\n### With %s\n\nSeed %d, %d recorded runs, %d flips of each element, each watched for %d cycles, in which the unit took %d events on average.\n\n%s\n\n%s",
			title, x.Seed, x.Runs, x.Flips, x.Cycles, x.Events, x.Sentence(), upsetGroups(x).Markdown())
		b.WriteString("\n" + worst("Never legal again, of the flips of each", &x.Never) + worst("Legal to the end, of the flips of each", &x.Legal) +
			worst("The most events until right again", &x.Slow))
	}
	return b.String(), nil
}

// shownGroups is the number of instances that have a row each.
const shownGroups = 5

// upsetGroups has a row for each instance, the worst first; the others are one row.
func upsetGroups(r *upset.Summary) *table.Table {
	t := &table.Table{Head: []string{"Instance", "Registers and memories", "Flips", "Unseen", "Right again", "after events, at most", "Legal", "after events, at most", "Never", "Kept"}}
	add := func(name table.Cell, list []upset.Instance) {
		s := (&upset.Summary{Instances: list}).Sum()
		after := func(n int, events uint64) table.Cell {
			if n == 0 {
				return table.Words("")
			}
			return table.Number(events)
		}
		t.Rows = append(t.Rows, []table.Cell{name, table.Number(s.Elements), table.Number(s.Flips), table.Number(s.Unseen), table.Number(s.Right), after(s.Right, s.Again),
			table.Number(s.Legal), after(s.Legal, s.Law), table.Verdict(s.Never == 0, "%d", s.Never), table.Number(s.Kept)})
	}
	shown := r.Instances
	if len(shown) > shownGroups+1 {
		shown = shown[:shownGroups]
	}
	for _, i := range shown {
		name := table.Name("%s", i.Name)
		if i.Name == "" {
			name = table.Words("the top module's own")
		}
		add(name, []upset.Instance{i})
	}
	if rest := r.Instances[len(shown):]; len(rest) > 0 {
		add(table.Words("%d others", len(rest)), rest)
	}
	add(table.Cell{Text: "All", Kind: table.Total}, r.Instances)
	return t
}

// worst returns an item of a list that names the elements with the largest values:
// "- text: `a` (7), `b` (3)."
func worst(text string, n *upset.Notable) string {
	if len(n.List) == 0 {
		return ""
	}
	var names []string
	for _, v := range n.List {
		names = append(names, fmt.Sprintf("`%s` (%d)", v.Name, v.Value))
	}
	more := ""
	if n.More > 0 {
		more = fmt.Sprintf(", and %d more with at most %d", n.More, n.Most)
	}
	return fmt.Sprintf("- %s: %s%s.\n", text, strings.Join(names, ", "), more)
}
