// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/internal/rows"
	"github.com/nicgen/nicgen/papers"
)

// Figures returns the part of a paper's record about its figures: the digest of a figure's series in
// place of the series, which nicgen reproduce --json has.
func Figures(list []*papers.Outcome) ([]papers.Outcome, error) {
	out := make([]papers.Outcome, len(list))
	for i, o := range list {
		out[i] = *o
		if o.Series == nil {
			continue
		}
		sum, err := rows.Digest(o.Series)
		if err != nil {
			return nil, err
		}
		out[i].Series, out[i].SeriesDigest = nil, sum
	}
	return out, nil
}

// Merge adds figures to the figures of a record; one with the same name replaces the earlier one.
func Merge(list, more []papers.Outcome) []papers.Outcome {
	list = slices.Clone(list)
	for _, o := range more {
		i := slices.IndexFunc(list, func(x papers.Outcome) bool { return x.Figure == o.Figure })
		if i < 0 {
			list = append(list, o)
		} else {
			list[i] = o
		}
	}
	return list
}

// why is the beginning of the paragraph in a paper's page with the reason why a figure differs.
const why = "**Why it differs:** "

var figureBlock = regexp.MustCompile(`^<!-- nicgen:begin paper \S*papers/(\w+)\.json (\S+) -->$`)

// Reasons returns the reasons why figures of a paper differ, by figure: the paragraphs of its page,
// docs/papers/<paper>.md, that follow the figures' blocks and begin with "**Why it differs:**".
func Reasons(paper string, page []byte) map[string]string {
	reasons := map[string]string{}
	figure, open := "", false // the figure of the last block; whether its reason continues
	for line := range strings.Lines(string(page)) {
		line = strings.TrimSpace(line)
		if m := figureBlock.FindStringSubmatch(line); m != nil {
			if figure = ""; m[1] == paper {
				figure = m[2]
			}
		}
		text, begins := strings.CutPrefix(line, why)
		switch {
		case begins && figure != "":
			reasons[figure], open = text, true
		case line == "" || strings.HasPrefix(line, "<!--"):
			open = false
		case open:
			reasons[figure] += " " + line
		}
	}
	return reasons
}

// Verdict returns in words the number of a figure's reproduced numbers; all reports whether all are
// reproduced.
func Verdict(o *papers.Outcome) (text string, all bool) {
	good := 0
	for _, c := range o.Claims {
		if c.Holds {
			good++
		}
	}
	switch n := len(o.Claims); {
	case good == n:
		return fmt.Sprintf("reproduced: %d of %d", good, n), true
	case good == 0:
		return fmt.Sprintf("differs: 0 of %d reproduced", n), false
	default:
		return fmt.Sprintf("%d of %d reproduced, %d differ", good, n, n-good), false
	}
}
