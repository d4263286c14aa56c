// SPDX-License-Identifier: Apache-2.0

package svparse

import (
	"encoding/json"
	"flag"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var update = flag.Bool("update", false, "write the golden files")

func golden(t *testing.T, path, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s differs (-want +got); if that is right, run go test ./svparse -update\n%s", path, diff)
	}
}

func TestGolden(t *testing.T) {
	for path, text := range samples(t) {
		t.Run(path, func(t *testing.T) {
			f, err := Parse(strings.TrimPrefix(path, "testdata/"), text)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range Check(f) {
				t.Errorf("finding in a sample: %s", x)
			}
			js, err := json.MarshalIndent(f, "", "  ")
			if err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(path, ".sv")+".json", string(js)+"\n")
			var b strings.Builder
			if err := WriteText(&b, f); err != nil {
				t.Fatal(err)
			}
			golden(t, strings.TrimSuffix(path, ".sv")+".txt", b.String())
		})
	}
}

func BenchmarkParse(b *testing.B) {
	text := samples(b)["testdata/sample.sv"]
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		if _, err := Parse("sample.sv", text); err != nil {
			b.Fatal(err)
		}
	}
}
