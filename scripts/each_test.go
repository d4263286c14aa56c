// SPDX-License-Identifier: Apache-2.0

package scripts

import (
	"path/filepath"
	"testing"
)

// Every listed run is made with the arguments added, even after a failed one; Ctrl-C and an unknown
// kind end it immediately.
func TestEach(t *testing.T) {
	const nicgen = note + `case "$1 $3" in
"list x") echo "a --b 1"; echo "c"; echo "d" ;;
"list stop") echo "stop"; echo "d" ;;
list*) exit 2 ;;
esac
case "$1" in c) exit 1 ;; stop) exit 130 ;; esac`
	for _, c := range []struct {
		kind  string
		code  int
		calls string
	}{
		{"x", 1, "nicgen list --runs x\nnicgen a --b 1 --work w\nnicgen c --work w\nnicgen d --work w\n"},
		{"stop", 130, "nicgen list --runs stop\nnicgen stop --work w\n"},
		{"y", 2, "nicgen list --runs y\n"},
	} {
		b := bench{t.TempDir()}
		b.put(t, nicgen, "nicgen")
		code, out, calls := b.run(t, "each.sh", filepath.Join(b.dir, "nicgen"), c.kind, "--work", "w")
		if code != c.code || calls != c.calls {
			t.Errorf("%s: exit code %d, calls\n%s%s\nwant %d and\n%s", c.kind, code, calls, out, c.code, c.calls)
		}
	}
	b := bench{t.TempDir()}
	if code, _, _ := b.run(t, "each.sh", "nicgen"); code != 2 {
		t.Errorf("without a kind: exit code %d, want 2", code)
	}
}
