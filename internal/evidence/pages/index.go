// SPDX-License-Identifier: Apache-2.0

package pages

import (
	"fmt"
	"path"
	"regexp"

	"github.com/nicgen/nicgen/gen/emit"
)

// about is the line of a page that describes its content in an index.
var about = regexp.MustCompile(`(?m)^<!-- about: (.+) -->$`)

// index has a row for each of some pages, in the words of the page.
func index(m *Maker, page string, args []string) (string, error) {
	if len(args) == 0 {
		return "", fmt.Errorf("found no arguments, want pages")
	}
	rows := [][]string{{"Page", "What it has"}}
	for _, a := range args {
		text, err := m.read(path.Join(path.Dir(page), a))
		if err != nil {
			return "", err
		}
		words := about.FindSubmatch(text)
		if words == nil {
			return "", fmt.Errorf("%s: want a line <!-- about: WHAT IT HAS -->", a)
		}
		name := a
		if path.Base(a) == "README.md" {
			name = path.Base(path.Dir(a))
		}
		rows = append(rows, []string{fmt.Sprintf("[%s](%s)", name, a), string(words[1])})
	}
	return emit.Table(rows), nil
}
