// SPDX-License-Identifier: Apache-2.0

package export_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cli"
	"github.com/nicgen/nicgen/export"
	"github.com/nicgen/nicgen/internal/sample"
)

// Units that check their timers one by one behave correctly after a pause of any length, of which
// the library simulates only parts: at each boundary of the time's range, with and without
// operations in flight.
func TestPauses(t *testing.T) {
	for _, c := range []struct{ unit, set, pauses string }{
		{"laps_loss", "--paths 16 --pid-bits 4 --depth 8 --lanes 2", "35\n"},
		{"nic_pace", "--connections 64 --slots 16", "40\n"},
	} {
		if sample.LeftOut(t.Name() + "/" + c.unit) {
			continue
		}
		t.Run(c.unit, func(t *testing.T) {
			out := t.TempDir()
			if text, code := nicgen(t, append([]string{"export", "--unit", c.unit, "--rtl-only", "--out", out}, strings.Fields(c.set)...)...); code != cli.Fine {
				t.Fatalf("exit code %d\n%s", code, text)
			}
			folder, program := filepath.Join(out, export.Folder(c.unit)), filepath.Join(t.TempDir(), "pauses")
			lib := filepath.Join(folder, "lib")
			run(t, nil, "cc", "-std=c99", "-pedantic", "-Wall", "-Wextra", "-Werror", "testdata/pauses_"+c.unit+".c", "-I"+filepath.Join(folder, "include"),
				"-L"+lib, "-l"+export.Folder(c.unit), "-Wl,-rpath,"+lib, "-o", program)
			if got := run(t, nil, program); got != c.pauses {
				t.Errorf("the program says %q, want %q pauses", got, c.pauses)
			}
		})
	}
}
