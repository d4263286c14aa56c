// SPDX-License-Identifier: Apache-2.0

package lapspaths_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/laps_paths"
)

func TestDefaultIsValid(t *testing.T) {
	if err := gen.Validate(params.Default()); err != nil {
		t.Error(err)
	}
}

func configured(t *testing.T, sets string) *params.Params {
	t.Helper()
	p := params.Default()
	if err := gen.SetAll(p, sets); err != nil {
		t.Fatal(err)
	}
	return p
}

// Rules over several parameters name the one to change, what was found and what
// is allowed; both sides of each limit.
func TestCheck(t *testing.T) {
	for _, c := range []struct {
		set  string
		want []gen.Problem
	}{
		{"destinations=257 dst_bits=9", nil},
		{"destinations=257 dst_bits=8", []gen.Problem{{Key: "dst_bits", Found: "8", Allowed: "at least 9 for destinations 257"}}},
		{"banks=2 rows=2 pid_bits=2", nil},
		{"banks=32 rows=2048 pid_bits=16", nil},
		{"banks=32 rows=2048 pid_bits=15", []gen.Problem{{Key: "pid_bits", Found: "15", Allowed: "at least 16 for banks 32 and rows 2048"}}},
		{"lat_bits=14 time_bits=16", nil},
		{"lat_bits=15 time_bits=16", []gen.Problem{{Key: "time_bits", Found: "16", Allowed: "at least 17 with lat_bits 15"}}},
	} {
		if d := cmp.Diff(c.want, configured(t, c.set).Check()); d != "" {
			t.Errorf("%s (-want +got)\n%s", c.set, d)
		}
	}
}

// Under auto the anchors move to ultra RAM at 4,096 paths; a choice overrides.
func TestPathKind(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"banks=32 rows=64", gen.BRAM}, {"banks=32 rows=128", gen.URAM},
		{"banks=32 rows=64 path_memory=uram", gen.URAM}, {"banks=32 rows=128 path_memory=bram", gen.BRAM},
	} {
		p := configured(t, c.set)
		if got := p.PathKind(); got != c.want {
			t.Errorf("%s: %s, want %s", c.set, got, c.want)
		}
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		part := map[string]string{gen.BRAM: "nic_lib_fwd_block", gen.URAM: "nic_lib_fwd_ultra"}[c.want]
		if !regexp.MustCompile(part + ` #\([^;]*\) anchors \(`).MatchString(files[len(files)-1].Text) {
			t.Errorf("%s: the anchors are not in %s", c.set, part)
		}
	}
}

// Every port is used in the text, no template mark is left, and no line is longer
// than 100 columns, with either lookup
// and with the chosen path's latency, and with baselines of each path.
func TestText(t *testing.T) {
	for _, set := range []string{"ack_lookup=shared", "ack_lookup=own", "path_latency=true", "baselines=paths", "baselines=paths ack_lookup=own"} {
		p := configured(t, set)
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		text := files[len(files)-1].Text
		_, body, _ := strings.Cut(text, "\n);\n")
		for _, port := range p.Ports() {
			if !regexp.MustCompile(`\b` + port.Name + `\b`).MatchString(body) {
				t.Errorf("%s: port %s is not used", set, port.Name)
			}
		}
		for i, l := range strings.Split(text, "\n") {
			if len(l) > 100 || strings.Contains(l, "{{.") || strings.TrimRight(l, " ") != l {
				t.Errorf("%s: line %d: %q", set, i+1, l)
			}
		}
	}
}
