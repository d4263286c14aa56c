// SPDX-License-Identifier: Apache-2.0

package section_test

import (
	"testing"

	"github.com/nicgen/nicgen/internal/evidence/section"
)

const page = "# u: evidence\n\n<!-- nicgen:begin written planted -->\n## Bugs\n\ntext\n<!-- nicgen:end -->\n\n<!-- nicgen:begin written scaling -->\n<!-- nicgen:end -->\n"

// A section is read and replaced, and others stay.
func TestSections(t *testing.T) {
	if text, ok := section.Of(page, "planted"); !ok || text != "## Bugs\n\ntext\n" {
		t.Errorf("found %q, %t", text, ok)
	}
	if text, ok := section.Of(page, "scaling"); !ok || text != "" {
		t.Errorf("found %q, %t, want an empty section", text, ok)
	}
	if _, ok := section.Of(page, "plant"); ok {
		t.Error("found a section that is none")
	}
	got, err := section.Replace(page, "scaling", "## More\n\n\n")
	if text, _ := section.Of(got, "scaling"); err != nil || text != "## More\n" {
		t.Errorf("%q, %v", got, err)
	}
	if text, _ := section.Of(got, "planted"); text != "## Bugs\n\ntext\n" {
		t.Errorf("the other section is %q", text)
	}
	if _, err := section.Replace(page, "cost", "x"); err == nil {
		t.Error("a section that is none was replaced")
	}
}

// Headings move one level down, except in code.
func TestLower(t *testing.T) {
	if got, want := section.Lower("# A\n\n## B\n```\n# c\n```\nd # e\n"), "## A\n\n### B\n```\n# c\n```\nd # e\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	} else if again := section.Raise(got); again != "# A\n\n## B\n```\n# c\n```\nd # e\n" {
		t.Errorf("raised again it is %q", again)
	}
}
