// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"io"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/cosim/failure"
	"github.com/nicgen/nicgen/registry"
)

// A recording of a block that commands take by name only is found, as is one of a unit.
func TestRecordedBlock(t *testing.T) {
	r := newRunner(Env{io.Discard, io.Discard, slices.Concat(registry.Units, registry.Blocks)})
	for _, name := range []string{registry.Units[0].New().Unit(), registry.Blocks[0].New().Unit()} {
		if u, err := r.recorded("a.replay", &failure.Recording{Unit: name}); err != nil || u.Config.Unit() != name {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := r.recorded("a.replay", &failure.Recording{Unit: "none"}); err == nil {
		t.Error("a unit that does not exist is found")
	}
}
