// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
)

// longest is the number of lines that a module of the block may have, without the generated mark.
const longest = 396

// The block's own modules stay short in every combination of path unit, window unit and options
// that add ports.
func TestModulesAreShort(t *testing.T) {
	for _, path := range []string{"path=none", "path=reps", "path=plb", "path=spray", "path=laps window=none", "path=reps list=16", "path=spray list=8"} {
		for _, window := range []string{"", "window=none", "telemetry=int"} {
			for _, more := range []string{"rx_user_bits=97", "profile=uet"} {
				set := strings.Join([]string{path, window, more}, " ")
				p := Default()
				if gen.Configure(p, set) != nil {
					continue // LAPS has no window unit, UET no lists
				}
				files, err := p.modules()
				if err != nil {
					t.Fatalf("%s: %v", set, err)
				}
				for _, f := range files {
					if n := strings.Count(f.Text, "\n"); n > longest {
						t.Errorf("%s: %s has %d lines, at most %d are allowed", set, f.Name, n, longest)
					}
				}
			}
		}
	}
}
