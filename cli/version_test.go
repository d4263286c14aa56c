// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"runtime/debug"
	"testing"
)

func TestCommit(t *testing.T) {
	for _, c := range []struct {
		main     string
		settings []debug.BuildSetting
		want     string
	}{
		{"(devel)", nil, "unknown: built without its repository"},
		{"", nil, "unknown: built without its repository"},
		{"v0.1.0", nil, "of module version v0.1.0"},
		{"(devel)", []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "false"}}, "abc"},
		{"v0.0.0-2026", []debug.BuildSetting{{Key: "vcs.revision", Value: "abc"}, {Key: "vcs.modified", Value: "true"}}, "abc, with changes"},
	} {
		if got := commit(&debug.BuildInfo{Main: debug.Module{Version: c.main}, Settings: c.settings}); got != c.want {
			t.Errorf("%+v: got %q, want %q", c, got, c.want)
		}
	}
	if got := commit(nil); got != "unknown" {
		t.Errorf("without information: got %q", got)
	}
}
