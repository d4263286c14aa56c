// SPDX-License-Identifier: Apache-2.0

package sweep

import (
	"runtime/debug"
	"testing"
)

// Only a build of just a revision has its name: others of the same revision may differ.
func TestRevision(t *testing.T) {
	set := func(pairs ...string) *debug.BuildInfo {
		info := &debug.BuildInfo{}
		for i := 0; i < len(pairs); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: pairs[i], Value: pairs[i+1]})
		}
		return info
	}
	for _, x := range []struct {
		name string
		info *debug.BuildInfo
		want string
	}{
		{"no information", nil, ""},
		{"no revision", set("-buildmode", "exe"), ""},
		{"a revision", set("vcs.revision", "4c61", "vcs.modified", "false"), "revision 4c61"},
		{"with changes", set("vcs.revision", "4c61", "vcs.modified", "true"), ""},
	} {
		if got := revision(x.info); got != x.want {
			t.Errorf("%s: %q, want %q", x.name, got, x.want)
		}
	}
	if name, err := Build(); err != nil || name == "" {
		t.Errorf("this program is named %q, %v", name, err)
	}
}
