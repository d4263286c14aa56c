// SPDX-License-Identifier: Apache-2.0

package load_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/internal/registers/load"
)

// A file that loads but whose path unit would wait for marks that no switch can set has a note. A file whose PLB would hear
// nothing at all is refused.
func TestNotes(t *testing.T) {
	for _, c := range []struct{ name, path, profile, note, refused string }{
		{"REPS without ECT", "reps", "queue: true, path: true", `profile "x": REPS chooses paths by ECN marks`, ""},
		{"REPS without a queue", "reps", "path: true, ecn: 1", "", ""},
		{"REPS with ECT", "reps", "queue: true, path: true, ecn: 2", "", ""},
		{"REPS, ECN cleared", "reps", "queue: true, path: true, ecn: 0", "REPS chooses paths", ""},
		{"no path", "reps", "queue: true", "", ""},
		{"PLB without ECT", "plb", "queue: true, path: true", "PLB chooses paths", ""},
		{"PLB without a queue", "plb", "path: true, ecn: 2", "", `profile "x" has path without queue`},
		{"spraying hears no marks", "spray", "queue: true, path: true", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := built(t, "connections=16 rows=256 path="+c.path)
			f, err := load.Read(file(t, "nic.yaml", "profiles: {x: {"+c.profile+"}}\nconnections: [{conn: 0, address: 10.0.0.2, remote_qp: 17, local_qp: 18, profile: x}]\n"))
			if err != nil {
				t.Fatal(err)
			}
			_, err = load.Plan(m, f, load.Options{})
			if (err != nil) != (c.refused != "") || err != nil && !strings.Contains(err.Error(), c.refused) {
				t.Errorf("%v, want an error with %q", err, c.refused)
			}
			got := strings.Join(load.Notes(m, f), "\n")
			if (got != "") != (c.note != "") || !strings.Contains(got, c.note) {
				t.Errorf("notes %q, want one with %q", got, c.note)
			}
		})
	}
}
