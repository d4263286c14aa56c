// SPDX-License-Identifier: Apache-2.0

package prove

import (
	"slices"
	"testing"

	"github.com/nicgen/nicgen/registry"
)

// The designs of all sets can be put together: the configurations are legal, the texts and their
// modules are there, and each mistake finds the text that it changes. make prove checks the
// properties.
func TestDesigns(t *testing.T) {
	for _, subject := range registry.Subjects(slices.Concat(registry.Units, registry.Blocks)) {
		names := map[string]bool{}
		for i := range subject.Proofs.Sets {
			s := &set{&subject.Proofs.Sets[i], &subject}
			if names[s.Name] || len(s.Configs) == 0 || len(s.Properties) == 0 || s.Claim == "" || s.Depth == 0 {
				t.Errorf("%s/%s: want a unique name, a sentence, a depth, configurations and properties", subject.Name, s.Name)
			}
			names[s.Name] = true
			for _, c := range s.Configs {
				if _, err := s.design(c, nil); err != nil {
					t.Errorf("%s/%s: %v", subject.Name, s.Name, err)
				}
			}
			for j := range s.Properties {
				p := &s.Properties[j]
				d, err := s.design(s.Configs[p.Bug.Config], &p.Bug)
				if err != nil {
					t.Errorf("%s/%s: mistake for %s: %v", subject.Name, s.Name, p.Name, err)
				} else if d.top == "" || p.Claim == "" || p.Bug.Mistake == "" {
					t.Errorf("%s/%s: %s: want a top module and sentences on the property and its mistake", subject.Name, s.Name, p.Name)
				}
			}
		}
	}
}
