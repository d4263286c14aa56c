// SPDX-License-Identifier: Apache-2.0

// Package due reads the list of recorded results that belong to other RTL than the generator emits
// now and have to be remeasured. Such runs take hours, so RTL may change before they are repeated;
// the tests demand that the list names exactly the stale records.
package due

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
)

// File is the list, below the folder docs.
const File = "data/due.json"

// List has, by unit, the kinds of records that are due: the kinds of nicgen list --runs, and the
// names of the unit's pages and sections about measured designs, such as "scaling" in
// docs/units/<unit>_evidence.md. "lib" is the shared parts.
type List map[string][]string

// Read reads the list in the folder docs. Without a file nothing is due.
func Read(docs fs.FS) (List, error) {
	text, err := fs.ReadFile(docs, File)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	var l List
	if err == nil {
		err = json.Unmarshal(text, &l)
	}
	if err != nil {
		return nil, fmt.Errorf("docs/%s: %w: want a list of kinds of records by unit", File, err)
	}
	return l, nil
}

// Has reports whether a unit's record of a kind is due.
func (l List) Has(unit, kind string) bool { return slices.Contains(l[unit], kind) }

// Units returns the units in the list for which all records of a kind are due.
func (l List) Units(kind string, all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(unit string) bool { return !l.Has(unit, kind) })
}

// Text returns the list as a file, the kinds of a unit in one line.
func (l List) Text() []byte {
	var lines []string
	for unit, kinds := range l {
		if len(kinds) > 0 {
			lines = append(lines, fmt.Sprintf("  %q: [\"%s\"]", unit, strings.Join(slices.Sorted(slices.Values(kinds)), `", "`)))
		}
	}
	if len(lines) == 0 {
		return []byte("{}\n")
	}
	slices.Sort(lines)
	return []byte("{\n" + strings.Join(lines, ",\n") + "\n}\n")
}

// Sentence names the units for which a record is due, or returns "".
func Sentence(units []string, command string) string {
	if len(units) == 0 {
		return ""
	}
	return fmt.Sprintf("Due again, as the RTL has changed since it was measured: %s (`%s`).", strings.Join(units, ", "), command)
}
