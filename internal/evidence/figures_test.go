// SPDX-License-Identifier: Apache-2.0

package evidence_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/evidence"
	"github.com/nicgen/nicgen/papers"
	"github.com/nicgen/nicgen/sim/measure"
)

// The reason is the paragraph after a figure's block, in the page of the figure's paper.
func TestReasons(t *testing.T) {
	page := "**Why it differs:** Not of a figure.\n" +
		"<!-- nicgen:begin paper ../data/papers/x.json -->\n| t |\n<!-- nicgen:end -->\n\n**Why it differs:** Of none.\n\n" +
		"<!-- nicgen:begin paper ../data/papers/x.json x-1 -->\n| t |\n<!-- nicgen:end -->\n\n**Why it differs:** One\ntwo.\n\nMore.\n" +
		"<!-- nicgen:begin paper ../data/papers/x.json x-2 -->\n<!-- nicgen:end -->\n\nAll is well.\n" +
		"<!-- nicgen:begin paper ../data/papers/x.json x-3 -->\n<!-- nicgen:end -->\n**Why it differs:** Three.\n" +
		"<!-- nicgen:begin paper ../data/papers/cycles.json x-2 -->\n<!-- nicgen:end -->\n**Why it differs:** Of another record.\n"
	want := map[string]string{"x-1": "One two.", "x-3": "Three."}
	if d := cmp.Diff(want, evidence.Reasons("x", []byte(page))); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

func TestVerdict(t *testing.T) {
	yes, no := papers.Claim{Holds: true}, papers.Claim{}
	for _, c := range []struct {
		claims []papers.Claim
		text   string
		all    bool
	}{
		{[]papers.Claim{yes, yes}, "reproduced: 2 of 2", true},
		{[]papers.Claim{yes, no, no}, "1 of 3 reproduced, 2 differ", false},
		{[]papers.Claim{no}, "differs: 0 of 1 reproduced", false},
	} {
		if text, all := evidence.Verdict(&papers.Outcome{Claims: c.claims}); text != c.text || all != c.all {
			t.Errorf("%q, %t, want %q, %t", text, all, c.text, c.all)
		}
	}
}

// A record has the digest of a figure's series in place of it, which any change of a sample changes.
func TestFigures(t *testing.T) {
	series := func(bytes int64) []papers.Plot {
		return []papers.Plot{{Run: "r", Ports: []measure.Series{{Name: "p", Gbps: []float64{1.5}, Queue: []int64{bytes}, Drops: []uint64{0}}}}}
	}
	list := []*papers.Outcome{{Figure: "a", Series: series(7)}, {Figure: "b", Series: series(8)}, {Figure: "c", Series: series(7)}, {Figure: "d"}}
	got, err := evidence.Figures(list)
	if err != nil {
		t.Fatal(err)
	}
	for i, o := range got {
		if o.Series != nil || o.Figure != list[i].Figure || (o.SeriesDigest == "") != (list[i].Series == nil) {
			t.Errorf("%+v, want the figure %s without its series", o, list[i].Figure)
		}
	}
	if got[0].SeriesDigest != got[2].SeriesDigest || got[0].SeriesDigest == got[1].SeriesDigest {
		t.Error("digests do not match the series")
	}
	merged := evidence.Merge(got[:2], []papers.Outcome{{Figure: "b", Seed: 9}, {Figure: "e"}})
	if len(merged) != 3 || merged[0].Figure != "a" || merged[1].Seed != 9 || merged[2].Figure != "e" || got[1].Seed == 9 {
		t.Errorf("merged %+v, want a, the new b and e", merged)
	}
	if list[0].Series == nil {
		t.Error("the figure that was given lost its series")
	}
}
