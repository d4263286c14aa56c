// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"bytes"
	"compress/gzip"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/bench"
)

// Reader reads the traces of a unit: NewTrace of tb/<unit>.
type Reader func(cfg gen.Config, name string, r io.Reader) (cosim.Bench, error)

// Trace plays the text of a trace through golden model and RTL.
func (s Suite[P]) Trace(t *testing.T, read Reader, p P, name string, text []byte) *cosim.Report {
	t.Helper()
	b, err := read(p, name, bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	r, err := cosim.Run(t.Context(), b, cosim.RunOptions{Unit: s.Name})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// RefusedTraces demands that traces, called t.csv, are refused. An entry is a name, the
// text of a trace, and how the error begins.
func (s Suite[P]) RefusedTraces(t *testing.T, read Reader, p P, list [][3]string) {
	t.Helper()
	for _, c := range list {
		t.Run(c[0], func(t *testing.T) {
			_, err := read(p, "t.csv", strings.NewReader(c[1]))
			if want := "t.csv: " + c[2]; err == nil || !strings.HasPrefix(err.Error(), want) {
				t.Errorf("got %v\nwant %s", err, want)
			}
		})
	}
}

// TraceColumns demands that the table of columns in the unit's page, docs/units/<unit>.md,
// names the columns of a trace in their order.
func (s Suite[P]) TraceColumns(t *testing.T, columns []string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/units/" + s.Name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Recorded traffic\n")
	section, _, _ = strings.Cut(section, "\n## ")
	var found []string
	for line := range strings.Lines(section) {
		if name, ok := strings.CutPrefix(line, "| `"); ok {
			name, _, _ = strings.Cut(name, "`")
			found = append(found, name)
		}
	}
	if !slices.Equal(found, columns) {
		t.Errorf("the page's table has the columns %q, want %q", found, columns)
	}
}

// RecordedTrace is the trace in a file, which has to be the one that a test makes, unpacked; with -update it
// is written.
func RecordedTrace(t *testing.T, name string, made []byte) []byte {
	t.Helper()
	if Updating() {
		var b bytes.Buffer
		z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
		if err == nil {
			_, err = z.Write(made)
		}
		if err == nil {
			err = z.Close()
		}
		if err == nil {
			err = os.WriteFile(name, b.Bytes(), 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	text := UnpackedTrace(t, name)
	if !bytes.Equal(text, made) {
		t.Errorf("%s is not what this test makes; write it with: go test -run %s -update", name, t.Name())
	}
	return text
}

// UnpackedTrace is the trace in a file.
func UnpackedTrace(t *testing.T, name string) []byte {
	t.Helper()
	packed, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	r, err := bench.Unpack(bytes.NewReader(packed))
	if err != nil {
		t.Fatal(err)
	}
	text, err := io.ReadAll(r)
	if err != nil {
		t.Fatal(err)
	}
	return text
}
