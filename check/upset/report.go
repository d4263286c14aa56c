// SPDX-License-Identifier: Apache-2.0

package upset

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
)

// Report is what was found about a unit, in all configurations.
type Report struct {
	Unit    string   `json:"unit"`
	Command string   `json:"command"` // repeats it
	Results []Result `json:"results"`
}

// Text is the report in JSON, a line for each element.
func (r *Report) Text() ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "{\n  \"unit\": %q,\n  \"command\": %q,\n  \"results\": [", r.Unit, r.Command)
	for i, x := range r.Results {
		elements := x.Elements
		x.Elements = nil
		head, err := json.Marshal(x)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(&b, "%s\n    %s[", comma(i), bytes.TrimSuffix(head, []byte("null}")))
		for j, e := range elements {
			text, err := json.Marshal(e)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(&b, "%s\n      %s", comma(j), text)
		}
		b.WriteString("\n    ]}")
	}
	b.WriteString("\n  ]\n}\n")
	return b.Bytes(), nil
}

// comma is what stands before an entry of a list.
func comma(i int) string {
	if i == 0 {
		return ""
	}
	return ","
}

// Sum puts elements together: fates, and the longest times.
func Sum(list []Element) (s Element) {
	for _, e := range list {
		s.Flips += e.Flips
		s.Unseen += e.Unseen
		s.Right += e.Right
		s.Legal += e.Legal
		s.Never += e.Never
		s.Kept += e.Kept
		s.Again.MaxEvents, s.Law.MaxEvents = max(s.Again.MaxEvents, e.Again.MaxEvents), max(s.Law.MaxEvents, e.Law.MaxEvents)
	}
	return s
}

// Group is the elements of one instance in the unit's top module, or of that itself.
type Group struct {
	Name     string // of the instance; empty: the top module's own
	Elements []Element
}

var index = regexp.MustCompile(`\[\d+\]`)

// Groups puts the elements of each instance together, those of copies that a loop makes as
// one. Groups with the worst fates come first.
func (r *Result) Groups() []Group {
	var list []Group
	for _, e := range r.Elements {
		name, _, inside := strings.Cut(e.Name, ".")
		if name = index.ReplaceAllString(name, ""); !inside {
			name = ""
		}
		i := slices.IndexFunc(list, func(g Group) bool { return g.Name == name })
		if i < 0 {
			i = len(list)
			list = append(list, Group{Name: name})
		}
		list[i].Elements = append(list[i].Elements, e)
	}
	slices.SortFunc(list, func(a, b Group) int {
		x, y := Sum(a.Elements), Sum(b.Elements)
		return cmp.Or(cmp.Compare(y.Never, x.Never), cmp.Compare(y.Legal, x.Legal), cmp.Compare(y.Again.MaxEvents, x.Again.MaxEvents), cmp.Compare(a.Name, b.Name))
	})
	return list
}

// Sentence is the result in one sentence.
func (r *Result) Sentence() string {
	s := Sum(r.Elements)
	text := fmt.Sprintf("Of %s flips in %s registers and memories, %s changed no output, and after %s the outputs were right again, at the latest %s events (%s cycles) later",
		commas(s.Flips), commas(len(r.Elements)), commas(s.Unseen), commas(s.Right), commas(int(s.Again.MaxEvents)), commas(int(r.AgainCycles)))
	if s.Legal > 0 {
		text += fmt.Sprintf("; after %s they were other ones than without the flip for as long as it was watched, and legal at the latest %s events (%s cycles) later",
			commas(s.Legal), commas(int(s.Law.MaxEvents)), commas(int(r.LegalCycles)))
	}
	if s.Never > 0 {
		return text + fmt.Sprintf("; after %s they were **not legal at the end**.", commas(s.Never))
	}
	return text + "; the unit never hung and never stayed illegal."
}

// commas writes a number with separators.
func commas(n int) string {
	s := fmt.Sprint(n)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}
