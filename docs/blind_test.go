// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"os"
	"regexp"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/registry"
)

var (
	blindHeading = regexp.MustCompile(`(?m)^##+ What the default run cannot see$`)
	anyHeading   = regexp.MustCompile(`(?m)^##+ `)
	namedTest    = regexp.MustCompile("`Test[A-Z]")
)

// Every unit's page says which mistakes its default run cannot see, and which tests do; TestCitedNamesExist looks for
// these.
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
	for _, page := range []string{"## Limits\n", "## What the default run cannot see\n\n## Limits\n\n`TestBench`\n"} {
		if blindSpots(page) == "" {
			t.Errorf("%q is good enough", page)
		}
	}
}

// blindSpots says what is wrong with a page's section.
func blindSpots(page string) string {
	at := blindHeading.FindStringIndex(page)
	if at == nil {
		return `no section "What the default run cannot see": which mistakes, and which tests see them`
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
