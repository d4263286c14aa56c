// SPDX-License-Identifier: Apache-2.0

package place_test

import (
	"bytes"
	"compress/gzip"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/model/laps_paths/place"
)

// assigned puts a table that was read into banks: a table that fits has a place for each path.
func assigned(t *testing.T, table *place.Table, err error) {
	t.Helper()
	if err != nil {
		if table != nil {
			t.Errorf("a table together with the error %v", err)
		}
		return
	}
	placed, err := place.Assign(configured(t, "banks=4 rows=8 destinations=8"), table, 1)
	if err != nil {
		return
	}
	if len(placed.Entries) != len(table.Paths) {
		t.Errorf("%d of %d paths have a place", len(placed.Entries), len(table.Paths))
	}
	for name, text := range placed.Files(1 << 15) {
		if len(text) == 0 {
			t.Errorf("%s is empty", name)
		}
	}
}

// Any CSV is a table or refused.
func FuzzReadCSV(f *testing.F) {
	for _, text := range []string{
		"", header, header + "88,0,9600,9700,8 1\n89,1,9000,9000,\n", header + "\"88\",0,1,1,\"1\n2\"\n", header + "88,0,9600\n",
		header + "9223372036854775807,0,4294967295,0,4294967295\n", strings.ToUpper(header), header + "1,1,0,1,\n1,1,1,1,\n",
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		table, err := place.ReadCSV("x.csv", strings.NewReader(text))
		assigned(t, table, err)
	})
}

// Any YAML is a table or refused.
func FuzzReadTableYAML(f *testing.F) {
	for _, text := range []string{
		"", "source: 80\npaths:\n  - {destination: 88, path: 0, base_ns: 9600, latency_ns: 9700, anchors: [8, 1]}\n",
		"paths:\n- destination: 1\n  path: 2\n  base_ns: 3\n", "paths: &a [*a]\n", "paths: !!seq []\n", "source: -1\n", "source: 1e3\n",
		"paths: [{destination: 1, path: 1, base_ns: -1}]\n", "paths: {destination: [", "---\nsource: 1\n---\nsource: 2\n", "paths: ~\nsource: ~\n",
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		table, err := place.ReadYAML("x.yaml", text)
		assigned(t, table, err)
	})
}

// Any two texts are the authors' tables of a host or refused.
func FuzzReadAuthors(f *testing.F) {
	f.Add("80 88 2 0 1\n", "0 -1 1 2 80 8 88\n1 -1 1 80 88\n", int64(80), uint32(10))
	f.Add("80 88 1 0\n81 88 1 1\n", "", int64(81), uint32(1<<31))
	f.Add("80 88 0\n", "\n\n", int64(-1), uint32(0))
	f.Add("80 88 2147483648 0\n", "0 -1 1 2 3 80 8 9 88\n", int64(80), uint32(4294967295))
	f.Fuzz(func(t *testing.T, pst, pit string, source int64, hop uint32) {
		costs := place.Costs{BaseNS: 1000, HopNS: hop, Anchors: 2}
		table, err := place.ReadAuthors("pst", strings.NewReader(pst), "", nil, source, costs)
		assigned(t, table, err)
		table, err = place.ReadAuthors("pst", strings.NewReader(pst), "pit", strings.NewReader(pit), source, costs)
		assigned(t, table, err)
	})
}

// Texts for which a YAML parser needs more than linear time are refused before it sees them, and so
// is a small file that unpacks to a large one.
func TestReadBounds(t *testing.T) {
	const n = 1 << 20
	for name, c := range map[string]struct{ text, want string }{
		"brackets":  {"paths: " + strings.Repeat("[", n), "x:1:12: found brackets in brackets, want at most 4 levels"},
		"braces":    {"paths: " + strings.Repeat("{path: ", n/4), "x:1:36: found brackets in brackets, want at most 4 levels"},
		"lists":     {"paths:\n " + strings.Repeat("- ", n), "x:2:10: found a list in a list, want at most 4 levels"},
		"keys":      {strings.Repeat("k:\n", n), `x:1:2: found key "k", want source, paths, destination, path, base_ns, latency_ns, anchors`},
		"same keys": {strings.Repeat("source: 1\n", n/4), `x:2:1: mapping key "source" already defined at [1:1]`},
		"aliases":   {"paths: &a\n- *a\n", "x:1:8: found an anchor &, want the value itself wherever it is needed: anchors are not supported"},
		"tags":      {"paths: " + strings.Repeat("!t ", n), "x:1:8: found a tag !t, want the value alone: tags are not supported"},
		"long":      {strings.Repeat("#", 4<<20+1), "x: 4194305 bytes of YAML, want at most 4194304: write the table as CSV"},
	} {
		if _, err := place.ReadYAML("x", []byte(c.text)); err == nil || err.Error() != c.want {
			t.Errorf("%s: error %.200v\nwant %s", name, err, c.want)
		}
	}
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	zeros := make([]byte, n)
	for range place.MaxText/n + 1 {
		if _, err := z.Write(zeros); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := place.Plain("x", b.Bytes()); err == nil || !strings.Contains(err.Error(), "unpacks to more than 268435456 bytes") {
		t.Errorf("%d bytes that unpack to %d: error %v", b.Len(), place.MaxText+n, err)
	}
}
