// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/internal/rows"
)

// checkFile returns an error if a result file cannot be written, so that a command fails
// before its work. An empty name and "-" are accepted.
func checkFile(flag, name string) error {
	if name == "" || name == "-" {
		return nil
	}
	if info, err := os.Stat(name); err == nil && info.IsDir() {
		return usagef("%s: %s is a folder, want a file name or - for standard output", flag, name)
	}
	if name, ok := replaceable(name); !ok {
		_, err := os.Stat(name)
		return err
	}
	dir := filepath.Dir(name)
	for { // folders that do not exist yet are made with the file
		if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) || dir == filepath.Dir(dir) {
			break
		}
		dir = filepath.Dir(dir)
	}
	f, err := os.CreateTemp(dir, ".nicgen-")
	if err != nil {
		return fmt.Errorf("%s: %w: name a file in a folder that can be written to, or - for standard output", flag, err)
	}
	f.Close()
	return os.Remove(f.Name())
}

// replaceable follows links from name to the actual file, and reports whether another file
// may replace it: a device or a pipe may not be replaced.
func replaceable(name string) (string, bool) {
	if real, err := filepath.EvalSymlinks(name); err == nil {
		name = real
	}
	info, err := os.Stat(name)
	return name, err != nil || info.Mode().IsRegular()
}

// writeFile writes a result file, or standard output for "-". A regular file is written
// completely or not at all.
func (r *runner) writeFile(flag, name string, text []byte) (err error) {
	if name == "-" {
		_, err := r.out.Write(text)
		return err
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("%s: %w", flag, err)
		}
	}()
	name, ok := replaceable(name)
	if !ok {
		return os.WriteFile(name, text, 0)
	}
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	f, err := os.CreateTemp(filepath.Dir(name), ".nicgen-")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(f.Name())
		}
	}()
	_, err = f.Write(text)
	if err == nil {
		// CreateTemp makes a private file, but a report must be readable by all.
		err = f.Chmod(0o644)
	}
	if err == nil {
		err = f.Sync()
	}
	if e := f.Close(); err == nil {
		err = e
	}
	if err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// marshal returns the JSON of one result, or of a list of several.
func marshal[T any](list []T) ([]byte, error) {
	if len(list) == 1 {
		return rows.Marshal(list[0])
	}
	return rows.Marshal(list)
}

// writeJSON writes results to the file of --json: a single one as an object, several as a
// list.
func writeJSON[T any](r *runner, name string, list []T) error {
	text, err := marshal(list)
	if err != nil {
		return err
	}
	return r.writeFile("--json", name, text)
}

// resultFile is a file that a command writes: its flag, and a function that makes its text.
type resultFile struct {
	flag string
	make func() ([]byte, error)
}

// writeAll writes the result files whose flags are set.
func (r *runner) writeAll(c *cli.Context, files []resultFile) error {
	for _, out := range files {
		name := c.String(out.flag)
		if name == "" {
			continue
		}
		text, err := out.make()
		if err == nil {
			err = r.writeFile("--"+out.flag, name, text)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// failureText returns the full description of a failure.
func failureText(r *cosim.Report) string {
	f := r.Failure
	if f == nil {
		return ""
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %s\n", r.Outcome, f.Summary())
	for _, d := range f.Diffs {
		fmt.Fprintf(&b, "  %s: expected %s, got %s\n", d.Port, d.Want, d.Got)
	}
	if len(f.Inputs) > 0 {
		fmt.Fprintf(&b, "  inputs of that cycle: %s\n", values(f.Inputs))
	}
	if f.Explain != "" {
		fmt.Fprintf(&b, "  golden model: %s\n", indent(f.Explain))
	}
	if f.Log != "" {
		fmt.Fprintf(&b, "  the design printed: %s\n", indent(f.Log))
	}
	if s := f.Shrunk; s != nil {
		fmt.Fprintf(&b, "  shortest stimulus that fails: %d cycles, found in %d runs\n", s.Cycles, s.Tries)
		for _, c := range s.Inputs {
			fmt.Fprintf(&b, "    cycle %d: %s\n", c.Cycle, values(c.Ports))
		}
		if s.Want != "" {
			fmt.Fprintf(&b, "    cycle %d: expected %s, got %s\n", s.Cycle, s.Want, s.Got)
		}
		if s.Explain != "" {
			fmt.Fprintf(&b, "    golden model: %s\n", indent(s.Explain))
		}
	}
	for _, l := range []struct{ what, value string }{
		{"replay file", f.Replay}, {"waveform", f.Wave}, {"GTKWave save file", f.Save}, {"repeat it with", f.Command},
	} {
		if l.value != "" {
			fmt.Fprintf(&b, "  %s: %s\n", l.what, l.value)
		}
	}
	return b.String()
}

// values lists port values by name.
func values(m map[string]string) string {
	var parts []string
	for _, k := range sorted(m) {
		parts = append(parts, k+"="+m[k])
	}
	return strings.Join(parts, " ")
}

// indent puts the later lines of a text below its first one.
func indent(s string) string {
	return strings.ReplaceAll(strings.TrimSpace(s), "\n", "\n    ")
}
