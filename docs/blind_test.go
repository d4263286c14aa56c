// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/registry"
)

var (
	blindHeading = regexp.MustCompile(`(?m)^##+ Not covered by the default run$`)
	anyHeading   = regexp.MustCompile(`(?m)^##+ `)
	namedTest    = regexp.MustCompile("`Test[A-Z]")
)

// Every unit's page lists the mistakes that its default run does not find, and the tests that do; TestCitedNamesExist
// looks for these.
func TestBlindSpots(t *testing.T) {
	for _, s := range registry.Subjects(slices.Concat(registry.Units, registry.Blocks)) {
		if s.New == nil {
			continue // parts that units share, which have no page
		}
		file := "units/" + s.Name + ".md"
		page, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if why := blindSpots(string(page)); why != "" {
			t.Errorf("%s: %s", file, why)
		}
	}
	for _, page := range []string{"## Limits\n", "## Not covered by the default run\n\n## Limits\n\n`TestBench`\n"} {
		if blindSpots(page) == "" {
			t.Errorf("%q is good enough", page)
		}
	}
}

// blindSpots returns the mistakes in a page's section.
func blindSpots(page string) string {
	at := blindHeading.FindStringIndex(page)
	if at == nil {
		return `no section "Not covered by the default run": which mistakes, and which tests see them`
	}
	section := page[at[1]:]
	if next := anyHeading.FindStringIndex(section); next != nil {
		section = section[:next[0]]
	}
	if !namedTest.MatchString(section) {
		return "the section names no test that sees what the default run cannot"
	}
	return ""
}

// mostLines is the maximum number of lines of a unit's page; further text belongs on its page of evidence or of details.
const mostLines = 400

// A unit's page is short, says what the unit is, and links to its measurements.
func TestUnitPagesAreShort(t *testing.T) {
	for _, u := range slices.Concat(registry.Units, registry.Blocks) {
		name := u.New().Unit()
		page, err := os.ReadFile("units/" + name + ".md")
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(page), "\n"); n > mostLines {
			t.Errorf("units/%s.md has %d lines, want at most %d", name, n, mostLines)
		}
		if !strings.Contains(string(page), "("+name+"_evidence.md)") {
			t.Errorf("units/%s.md does not lead to %[1]s_evidence.md", name)
		}
	}
}
