// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/gen/names"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
)

// Units in any configurations have no name in common, except for the shared parts, which are the
// same everywhere; the modules of a run under a prefix all begin with it.
func TestNamesNeverClash(t *testing.T) {
	all := map[string]map[string]string{} // name → the units that define it → the text of one that does
	for _, u := range registry.Units {
		unit := u.New().Unit()
		for _, cfg := range oneByOne(u) {
			files, err := cfg.Files()
			if err != nil {
				t.Fatalf("%s: %v", unit, err)
			}
			for _, f := range files {
				own := []string{"file " + f.Name}
				for _, d := range names.Defined([]gen.File{f}) {
					own = append(own, d.Name)
					if strings.TrimSuffix(f.Name, path.Ext(f.Name)) != d.Name {
						t.Errorf("%s: %s %s is in %s: a file has the name of what it defines, by which it is renamed", unit, d.Kind, d.Name, f.Name)
					}
				}
				if len(own) != 2 {
					t.Errorf("%s: %s defines %q, want one module", unit, f.Name, own[1:])
				}
				for _, n := range own {
					if all[n] == nil {
						all[n] = map[string]string{}
					}
					all[n][unit] = f.Text
				}
			}
		}
	}
	for _, n := range slices.Sorted(maps.Keys(all)) {
		units := slices.Sorted(maps.Keys(all[n]))
		for _, u := range units[1:] {
			if all[n][u] != all[n][units[0]] {
				t.Errorf("%s: defined by %s with different texts", n, strings.Join(units, " and "))
			}
		}
		for _, u := range units {
			if len(units) > 1 && !strings.HasPrefix(strings.TrimPrefix(n, "file "), "nic_lib_") {
				t.Errorf("%s: defined by %s, and no shared part", n, u)
			}
		}
	}
	if len(all) < 40 {
		t.Errorf("%d names, want the names of all units", len(all))
	}
}

// oneByOne returns the default configuration of a unit, and those in which one field has
// another value, of a number its ends, where that is legal.
func oneByOne(u registry.Unit) []gen.Config {
	list := []gen.Config{u.New()}
	for _, f := range u.New().Fields() {
		all := values(f)
		if f.Kind() == gen.Int {
			all = all[:2]
		}
		for _, v := range all {
			cfg := u.New()
			if v != f.Value() && gen.Configure(cfg, f.Key+"="+v) == nil {
				list = append(list, cfg)
			}
		}
	}
	return list
}

// small returns the default configuration of a unit, with few of everything if the unit says
// how.
func small(t *testing.T, u registry.Unit) gen.Config {
	t.Helper()
	cfg := u.New()
	if err := gen.Configure(cfg, u.Evidence.Small); err != nil {
		t.Fatal(err)
	}
	return cfg
}

// other returns another configuration than small, with another text under the same names.
func other(t *testing.T, u registry.Unit) gen.Config {
	t.Helper()
	text := func(cfg gen.Config) map[string]string {
		files, err := cfg.Files()
		if err != nil {
			t.Fatal(err)
		}
		m := map[string]string{}
		for _, f := range files {
			m[f.Name] = f.Text
		}
		return m
	}
	top := small(t, u).Top() + ".sv"
	was := text(small(t, u))[top]
	for _, f := range small(t, u).Fields() {
		if f.Runtime {
			continue
		}
		for _, v := range values(f) {
			cfg := small(t, u)
			if gen.Configure(cfg, f.Key+"="+v) == nil && text(cfg)[top] != was {
				return cfg
			}
		}
	}
	t.Fatalf("%s has one configuration", u.New().Unit())
	return nil
}

// another is the prefix under which the other configurations are emitted.
const another = "b"

// A front end reads what file lists of emitted units name, all of it as one design, and reports its
// errors.
type frontEnd struct {
	name string
	read func(ctx context.Context, dir string, units []string) (string, error)
}

var frontEnds = []frontEnd{{"verilator", verilated}, {"slang", slang}}

// slang gets the files that the manifests name.
func slang(ctx context.Context, dir string, units []string) (string, error) {
	var r synth.LintRequest
	seen := map[string]bool{}
	for _, u := range units {
		text, err := os.ReadFile(filepath.Join(dir, u, emit.ManifestName))
		if err != nil {
			return "", err
		}
		m, err := emit.ReadManifest(text)
		if err != nil {
			return "", err
		}
		for _, name := range slices.Concat(m.Parts, m.Sources) {
			name = path.Join(u, name)
			if seen[name] {
				continue
			}
			seen[name] = true
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				return "", err
			}
			r.Files = append(r.Files, synth.File{Name: name, Text: string(text)})
		}
	}
	found, err := synth.Slang(ctx, []synth.LintRequest{r})
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, f := range found[0] {
		fmt.Fprintln(&out, f)
	}
	return out.String(), nil
}

func verilated(ctx context.Context, dir string, units []string) (string, error) {
	program, err := tool.Find(tool.Verilator)
	if err != nil {
		return "", err
	}
	// A warning is an error, a module that is defined twice is one; of several units each
	// is a top.
	args := []string{"--lint-only", "-Wall", "-Wno-MULTITOP"}
	for _, u := range units {
		args = append(args, "-F", u+"/"+path.Base(u)+".f")
	}
	cmd := tool.Command(ctx, program, args...)
	cmd.Dir = dir
	out, err := tool.Run(ctx, cmd)
	var failed *tool.Failed
	if errors.As(err, &failed) && strings.Contains(out, "%") {
		return out, nil
	}
	return out, err
}

// All pairs of units, LAPS and its parts among them, and two configurations of each unit
// are one design each, by their own file lists. A short test takes one pair in six.
func TestUnitsStandTogether(t *testing.T) {
	dir := t.TempDir()
	var plain, prefixed emit.Run
	prefixed.Prefix = another
	for _, u := range registry.Units {
		plain.Units = append(plain.Units, emit.Unit{Config: small(t, u), Default: u.New()})
		prefixed.Units = append(prefixed.Units, emit.Unit{Config: other(t, u), Default: u.New()})
	}
	for _, r := range []emit.Run{plain, prefixed} {
		write(t, dir, r)
	}
	n := 0
	for i, u := range registry.Units {
		pairs := [][]string{{u.New().Unit(), gen.Prefixed(another, u.New().Unit())}}
		for _, v := range registry.Units[i+1:] {
			pairs = append(pairs, []string{u.New().Unit(), v.New().Unit()})
		}
		for _, pair := range pairs {
			n++
			if sample.LeftOut(t.Name() + "/" + strings.Join(pair, "/")) {
				continue
			}
			for _, f := range frontEnds {
				t.Run(f.name+"/"+strings.Join(pair, "+"), func(t *testing.T) {
					t.Parallel()
					together(t, f, dir, pair, "")
				})
			}
		}
	}
	if want := len(registry.Units) * (len(registry.Units) + 1) / 2; n != want {
		t.Errorf("%d pairs, want %d", n, want)
	}
}

// Without a prefix two configurations clash, and a front end reports it: otherwise the test above
// would prove nothing.
func TestClashIsFound(t *testing.T) {
	u := registry.Units[len(registry.Units)-1]
	dir := t.TempDir()
	write(t, dir, emit.Run{Units: []emit.Unit{{Config: small(t, u), Default: u.New()}}})
	write(t, dir+"/again", emit.Run{Units: []emit.Unit{{Config: other(t, u), Default: u.New()}}})
	unit := u.New().Unit()
	for _, f := range frontEnds {
		t.Run(f.name, func(t *testing.T) {
			together(t, f, dir, []string{unit, "again/" + unit}, u.New().Top())
		})
	}
}

// together demands that a front end finds nothing in units, or a second definition of twice.
func together(t *testing.T, f frontEnd, dir string, units []string, twice string) {
	t.Helper()
	out, err := f.read(t.Context(), dir, units)
	switch {
	case err != nil:
		t.Fatal(err)
	case twice == "" && strings.TrimSpace(out) != "":
		t.Errorf("%s are no design:\n%s", strings.Join(units, " and "), out)
	case twice != "" && !strings.Contains(strings.ToLower(out), fmt.Sprintf("duplicate declaration of module: '%s'", twice)) &&
		!strings.Contains(strings.ToLower(out), fmt.Sprintf("duplicate definition of '%s'", twice)):
		t.Errorf("two modules %s, and this is all that is said:\n%s", twice, out)
	}
}

func write(t *testing.T, dir string, r emit.Run) {
	t.Helper()
	tree, err := r.Render()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := emit.Write(t.Context(), dir, tree, emit.Options{}); err != nil {
		t.Fatal(err)
	}
}
