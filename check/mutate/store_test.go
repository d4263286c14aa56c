// SPDX-License-Identifier: Apache-2.0

package mutate

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/check/mutant"
)

// Two runs of the same job at a time lose none of their outcomes.
func TestStoreTwice(t *testing.T) {
	folder, want := t.TempDir(), map[int]Outcome{}
	open := func() *store {
		t.Helper()
		s, err := openStore(folder, &Job{Unit: "toy"}, &mutant.Design{})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { s.close() })
		return s
	}
	twins := []*store{open(), open()}
	for i := range 6 {
		want[i] = Outcome{Number: i, Status: Killed, Port: "m_count"[:1+i]}
		if err := twins[i%2].put(want[i]); err != nil {
			t.Fatal(err)
		}
	}
	if d := cmp.Diff(want, open().done); d != "" {
		t.Error(d)
	}
}
