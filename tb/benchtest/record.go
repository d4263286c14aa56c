// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"
)

var measured = flag.Bool("measured", false, "with -update: the reports on record are of the SystemVerilog as it is; make doc-data says so")

// fingerprints is where a unit's tests keep those of the SystemVerilog that each report on
// record is of.
const fingerprints = "testdata/measured.json"

// Records demands that reports of synthesis on record, docs/data/<name>.json, are of the
// SystemVerilog that the generator makes of their settings, by name. With -update and
// -measured it notes that they are.
func (s Suite[P]) Records(t *testing.T, settings map[string]string) {
	have := map[string]string{}
	for name, set := range settings {
		h := sha256.New()
		for _, f := range Texts(t, s.Configure(t, set)) {
			fmt.Fprintf(h, "%s\n%s", f.Name, f.Text)
		}
		have[name] = fmt.Sprintf("%x", h.Sum(nil))
	}
	if Updating() && *measured {
		text, err := json.MarshalIndent(have, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.MkdirAll(filepath.Dir(fingerprints), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(fingerprints, append(text, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(fingerprints)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string]string
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	for name, sum := range have {
		if want[name] != sum {
			t.Errorf("docs/data/%s.json is a report of other SystemVerilog (fingerprint %.8s, want %.8s), run: make doc-data", name, want[name], sum)
		}
	}
}
