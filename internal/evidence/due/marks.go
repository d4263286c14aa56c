// SPDX-License-Identifier: Apache-2.0

package due

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/nicgen/nicgen/internal/rows"
)

// marksFile is the file, in the folder of a unit's tests, with the marks of its pages about
// measured designs.
const marksFile = "testdata/measured.json"

// Marks holds, by page about measured designs, the fingerprint of the page's SystemVerilog.
type Marks map[string]string

// ReadMarks reads the marks below a folder of tests. Without a file it returns no marks.
func ReadMarks(folder string) (Marks, error) {
	m := Marks{}
	text, err := os.ReadFile(filepath.Join(folder, marksFile))
	if errors.Is(err, fs.ErrNotExist) {
		return m, nil
	}
	if err == nil {
		err = json.Unmarshal(text, &m)
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w: want fingerprints by page", marksFile, err)
	}
	return m, nil
}

// Write writes the marks.
func (m Marks) Write(folder string) error {
	text, err := rows.Marshal(m)
	if err != nil {
		return err
	}
	file := filepath.Join(folder, marksFile)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		return err
	}
	return os.WriteFile(file, text, 0o666)
}
