// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/gen/wrap"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/svparse"
)

// nicgen's own rules hold in all SystemVerilog that emit writes, each text checked once: of the
// units in their default configurations, of the blocks with each legal combination of path and
// window, and of the wrappers. A short test checks all shared parts and wrappers, and at one text
// in six of the others.
func TestRulesHoldInEveryText(t *testing.T) {
	texts := map[string]string{} // by the text, where it stands
	add := func(kind, set string, u registry.Unit) {
		cfg := u.New()
		if kind != "" {
			base, err := wrap.Settings(kind)
			if err != nil {
				t.Fatal(err)
			}
			set = base + " " + set
		}
		if gen.Configure(cfg, set) != nil {
			return // refused
		}
		tree, err := emit.Run{Units: []emit.Unit{{Config: cfg, Default: u.New()}}, Wrap: kind}.Render()
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range slices.Sorted(maps.Keys(tree)) {
			// The head of a file names the configuration.
			if _, text, ok := strings.Cut(string(tree[name]), "`resetall"); ok && path.Ext(name) == ".sv" && texts["`resetall"+text] == "" {
				texts["`resetall"+text] = strings.TrimSpace(name + " " + set)
			}
		}
	}
	for _, u := range registry.Units {
		add("", "", u)
	}
	for _, u := range registry.Blocks {
		for _, set := range combinations(u, "path", "window", "telemetry") {
			add("", set, u)
		}
	}
	for _, kind := range wrap.Kinds() {
		add(kind, "", registry.Blocks[slices.IndexFunc(registry.Blocks, func(u registry.Unit) bool { return u.New().Unit() == wrap.Unit })])
	}
	if len(texts) < 200 {
		t.Errorf("%d texts, want the texts of all units", len(texts))
	}
	for _, text := range slices.Sorted(maps.Keys(texts)) {
		where := texts[text]
		if folder, _, _ := strings.Cut(where, "/"); folder != gen.Library && !strings.HasPrefix(folder, wrap.Unit+"_") && sample.LeftOut(t.Name()+"/"+where) {
			continue
		}
		t.Run(where, func(t *testing.T) {
			t.Parallel()
			tree, err := svparse.Parse(path.Base(strings.Fields(where)[0]), text)
			if err != nil {
				t.Fatal(err)
			}
			for _, x := range svparse.Check(tree) {
				t.Error(x)
			}
		})
	}
}

// combinations returns all combinations of the named fields' values, legal or not, as words for
// gen.Configure.
func combinations(u registry.Unit, keys ...string) []string {
	list := []string{""}
	for _, f := range u.New().Fields() {
		if !slices.Contains(keys, f.Key) {
			continue
		}
		var longer []string
		for _, set := range list {
			for _, v := range values(f) {
				longer = append(longer, fmt.Sprintf("%s %s=%s", set, f.Key, v))
			}
		}
		list = longer
	}
	return list
}
