// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"github.com/nicgen/nicgen/internal/rows"
	"github.com/nicgen/nicgen/sim/reproduce"
)

// Figures is what the record of a paper keeps of its figures: the digest of a figure's series in
// place of the series, which nicgen reproduce --json has.
func Figures(list []*reproduce.Outcome) ([]reproduce.Outcome, error) {
	out := make([]reproduce.Outcome, len(list))
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
