// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/nicgen/nicgen/internal/evidence/section"
	"github.com/nicgen/nicgen/registry"
)

// Begun returns, by name, the pages of evidence that units with a page in this module do not have yet.
func (m *Maker) Begun() map[string][]byte {
	begun := map[string][]byte{}
	own := m.own()
	for i := range own {
		unit := own[i].New().Unit()
		name := "docs/" + section.File(unit)
		_, none := m.ReadFile(name)
		if _, err := m.ReadFile("docs/units/" + unit + ".md"); err == nil && errors.Is(none, fs.ErrNotExist) {
			begun[name] = skeleton(&own[i])
		}
	}
	return begun
}

// skeleton returns a unit's page of evidence, docs/units/<unit>_evidence.md, before its blocks are made:
// a section for each kind of evidence that the unit can have.
func skeleton(u *registry.Unit) []byte {
	unit := u.New().Unit()
	var b strings.Builder
	fmt.Fprintf(&b, "# %[1]s: evidence\n\nWhat was measured about [%[1]s](%[1]s.md). Each section names the command that makes it.\n", unit)
	add := func(there bool, title, block string) {
		if there {
			fmt.Fprintf(&b, "\n## %s\n\n<!-- nicgen:begin %s -->\n<!-- nicgen:end -->\n", title, block)
		}
	}
	add(true, "Resources", "synthesis "+unit+" ../data/"+unit+".json")
	add(true, "Memories", "memories "+unit+" ../data/"+unit+".json")
	add(u.Proofs != nil, "Proofs", "proofs ../data/prove "+unit)
	add(u.Bench != nil, "Mutation score", "mutation "+unit+" ../data/mutate/"+unit+".json")
	add(u.Upset != nil, "Single-event upsets", "upsets "+unit+" ../data/upset/"+unit+".json")
	add(u.Bench != nil, "Coverage points", "coverage "+unit)
	if u.Bench != nil { // the test writes the heading too
		fmt.Fprintf(&b, "\n<!-- nicgen:begin %s planted -->\n## Planted bugs\n\n%s<!-- nicgen:end -->\n", written,
			section.Unmeasured("go test ./tb/"+unit+" -run TestBench/PlantedBugs -update"))
	}
	return []byte(b.String())
}
