// SPDX-License-Identifier: Apache-2.0

package report

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/internal/evidence/table"
	"github.com/nicgen/nicgen/papers"
)

// figures has a row for each figure that is simulated: how many of the paper's numbers the
// simulation reproduces, and why the others differ.
func figures(docs fs.FS) (table.Table, error) {
	t := table.Table{Head: []string{"Figure", "What it shows", "Paper's numbers", "Why the others differ"}}
	pages, err := fs.Glob(docs, "papers/*.md")
	if err != nil {
		return t, err
	}
	for _, page := range pages {
		paper := strings.TrimSuffix(path.Base(page), ".md")
		record := "data/papers/" + paper + ".json"
		text, err := fs.ReadFile(docs, record)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return t, err
		}
		outcomes, err := papers.Outcomes(text)
		if err != nil {
			return t, fmt.Errorf("docs/%s: %w", record, err)
		}
		prose, err := fs.ReadFile(docs, page)
		if err != nil {
			return t, err
		}
		reasons := evidence.Reasons(paper, prose)
		for i := range outcomes {
			f := &outcomes[i]
			verdict, all := evidence.Verdict(f)
			c := table.Cell{Text: verdict, Kind: table.Differs}
			if all {
				c.Kind = table.Good
			}
			t.Rows = append(t.Rows, []table.Cell{{Text: f.Paper}, {Text: f.Title}, c, {Text: reasons[f.Figure]}})
		}
	}
	return t, nil
}
