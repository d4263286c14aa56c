// SPDX-License-Identifier: Apache-2.0

package proof

import (
	"errors"
	"io/fs"
	"testing"
	"testing/fstest"
)

// A text is the unit's own, or the shared parts' if its name says so.
func TestText(t *testing.T) {
	own := fstest.MapFS{"prove/a.svh": {Data: []byte("own")}, "prove/lib/b.svh": {Data: []byte("own too")}}
	shared := fstest.MapFS{"prove/b.svh": {Data: []byte("shared")}}
	for _, c := range []struct {
		p          Proofs
		name, want string
	}{
		{Proofs{Texts: own, Shared: shared}, "a.svh", "own"},
		{Proofs{Texts: own, Shared: shared}, "lib/b.svh", "shared"},
		{Proofs{Texts: own}, "lib/b.svh", "own too"},
		{Proofs{Texts: own, Shared: shared}, "lib/a.svh", ""},
		{Proofs{Texts: own, Shared: shared}, "b.svh", ""},
	} {
		got, err := c.p.Text(c.name)
		if got != c.want || errors.Is(err, fs.ErrNotExist) != (c.want == "") {
			t.Errorf("%s: %q, error %v, want %q", c.name, got, err, c.want)
		}
	}
}
