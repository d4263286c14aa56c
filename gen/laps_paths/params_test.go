// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"regexp"
	"slices"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/gentest"
	params "github.com/nicgen/nicgen/gen/laps_paths"
)

// Violations of rules over several parameters name the one to change, the value found and the
// values allowed; both sides of each limit.
func TestCheck(t *testing.T) {
	gentest.Rules(t, params.Default, []gentest.Rule{
		{Set: "destinations=257 dst_bits=9"},
		{Set: "destinations=257 dst_bits=8", Key: "dst_bits", Found: "8", Allowed: "at least 9 for destinations 257"},
		{Set: "banks=2 rows=2 pid_bits=2"},
		{Set: "banks=32 rows=2048 pid_bits=16"},
		{Set: "banks=32 rows=2048 pid_bits=15", Key: "pid_bits", Found: "15", Allowed: "at least 16 for banks 32 and rows 2048"},
		{Set: "lat_bits=14 time_bits=16"},
		{Set: "lat_bits=15 time_bits=16", Key: "time_bits", Found: "16", Allowed: "at least 17 with lat_bits 15"},
	})
}

// Under auto the anchors move to ultra RAM at 4,096 paths; a choice overrides.
func TestPathKind(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"banks=32 rows=64", gen.BRAM}, {"banks=32 rows=128", gen.URAM},
		{"banks=32 rows=64 path_memory=uram", gen.URAM}, {"banks=32 rows=128 path_memory=bram", gen.BRAM},
	} {
		p := gentest.Set(t, params.Default(), c.set)
		if got := p.PathKind(); got != c.want {
			t.Errorf("%s: %s, want %s", c.set, got, c.want)
		}
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		part := map[string]string{gen.BRAM: "nic_lib_fwd_block", gen.URAM: "nic_lib_fwd_ultra"}[c.want]
		anchors := regexp.MustCompile(part + ` #\([^;]*\) anchors \(`)
		if !slices.ContainsFunc(files, func(f gen.File) bool { return anchors.MatchString(f.Text) }) {
			t.Errorf("%s: the anchors are not in %s", c.set, part)
		}
	}
}
