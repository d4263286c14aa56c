// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"encoding/json"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/gen/wrap"
	"github.com/nicgen/nicgen/internal/standin"
	"github.com/nicgen/nicgen/internal/toy"
)

// wrapped returns the stand-in, emitted with a wrapper.
func wrapped(t *testing.T, kind, prefix string) Tree {
	t.Helper()
	cfg := standin.New()
	settings, err := wrap.Settings(kind)
	if err != nil {
		t.Fatal(err)
	}
	if err := gen.Configure(cfg, settings); err != nil {
		t.Fatal(err)
	}
	tree, err := Run{Units: []Unit{{cfg, standin.New()}}, Prefix: prefix, Wrap: kind}.Render()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// The output for each wrapper is complete: the design can be read from the wrapper's list alone,
// under a prefix too, and every file has its mark and an entry in the manifest.
func TestWrap(t *testing.T) {
	tops := map[string]string{"corundum": "mqnic_app_block"} // names that stay under a prefix
	for _, kind := range wrap.Kinds() {
		for _, prefix := range []string{"", "wide"} {
			t.Run(kind+"_"+prefix, func(t *testing.T) {
				dir := t.TempDir()
				tree := wrapped(t, kind, prefix)
				if _, err := Write(t.Context(), dir, tree, Options{}); err != nil {
					t.Fatal(err)
				}
				folder := gen.Prefixed(prefix, "nic_transport_"+kind)
				m, err := ReadManifest(tree[folder+"/"+ManifestName])
				if err != nil {
					t.Fatal(err)
				}
				if top := tops[kind]; top != "" && m.Top != top || top == "" && m.Top != gen.Prefixed(prefix, strings.TrimPrefix(m.Top, prefix+"_")) {
					t.Errorf("top %s", m.Top)
				}
				if !strings.HasPrefix(m.Command, "nicgen emit --unit nic_transport") || !strings.HasSuffix(m.Command, (Run{Prefix: prefix}).under("")+" --wrap "+kind) {
					t.Errorf("command %q", m.Command)
				}
				for _, f := range m.Files {
					text := string(tree[folder+"/"+f.Path])
					if first, _, _ := strings.Cut(text, "\n"); !strings.Contains(first, Mark) && path.Ext(f.Path) != ".json" {
						t.Errorf("%s begins with %q", f.Path, first)
					}
					for _, w := range []string{"nic_wrap_", "nic_lib_", "settings_cross"} {
						if i := strings.Index(text, w); prefix != "" && i >= 0 && !strings.HasSuffix(text[:i], prefix+"_") {
							t.Errorf("%s: %q has no prefix", f.Path, text[i:min(len(text), i+30)])
						}
					}
				}
				args := []string{"--lint-only", "-F", filepath.Join(dir, folder, folder+".f"), "--top-module", m.Top}
				if kind == "corundum" {
					args = append(args, "-GAXIL_APP_CTRL_ADDR_WIDTH=24")
				}
				if out, err := exec.CommandContext(t.Context(), "verilator", args...).CombinedOutput(); err != nil {
					t.Errorf("%v\n%s", err, out)
				}
				// Files that texts name are there.
				for p, text := range tree {
					if ext := path.Ext(p); !strings.HasPrefix(p, folder+"/") || ext != ".mk" && ext != ".tcl" {
						continue
					}
					for _, w := range strings.FieldsFunc(string(text), func(r rune) bool { return strings.ContainsRune(" \n{}[]\"", r) }) {
						w = strings.TrimPrefix(strings.TrimPrefix(w, "app/nicgen/rtl/"), "../")
						if path.Ext(w) != ".sv" && path.Ext(w) != ".tcl" || path.Ext(w) == w { // or the ending alone
							continue
						}
						if _, err := os.Stat(filepath.Join(dir, w)); err == nil {
							continue
						}
						if _, err := os.Stat(filepath.Join(dir, folder, w)); err != nil {
							t.Errorf("%s names %s, which is not there", p, w)
						}
					}
				}
			})
		}
	}
}

// Around the block itself, too, Verilator finds nothing.
func TestWrapBlock(t *testing.T) {
	for _, kind := range wrap.Kinds() {
		t.Run(kind, func(t *testing.T) {
			cfg := nictransport.New()
			settings, err := wrap.Settings(kind)
			if err != nil {
				t.Fatal(err)
			}
			if err := gen.Configure(cfg, settings); err != nil {
				t.Fatal(err)
			}
			tree, err := Run{Units: []Unit{{cfg, nictransport.New()}}, Wrap: kind}.Render()
			if err != nil {
				t.Fatal(err)
			}
			dir := t.TempDir()
			if _, err := Write(t.Context(), dir, tree, Options{}); err != nil {
				t.Fatal(err)
			}
			folder := "nic_transport_" + kind
			m, err := ReadManifest(tree[folder+"/"+ManifestName])
			if err != nil {
				t.Fatal(err)
			}
			args := []string{"--lint-only", "-Wall", "-F", filepath.Join(dir, folder, folder+".f"), "--top-module", m.Top}
			if kind == "corundum" {
				args = append(args, "-GAXIL_APP_CTRL_ADDR_WIDTH=24", "-GIF_COUNT=2")
			}
			if out, err := exec.CommandContext(t.Context(), "verilator", args...).CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// The manifest of a wrapper has the configuration that is wrapped.
func TestWrapManifest(t *testing.T) {
	var m Manifest
	if err := json.Unmarshal(wrapped(t, "corundum", "")["nic_transport_corundum/"+ManifestName], &m); err != nil {
		t.Fatal(err)
	}
	if m.Configuration["rx_user_bits"] != 97.0 || m.Command != "nicgen emit --unit nic_transport --set rx_user_bits=97 --wrap corundum" {
		t.Errorf("%v, %s", m.Configuration["rx_user_bits"], m.Command)
	}
}

// Nothing else can be wrapped, and not in another way.
func TestWrapRefused(t *testing.T) {
	unit := Unit{standin.New(), standin.New()}
	for want, r := range map[string]Run{
		"toy: toy: cannot be wrapped, only nic_transport can":         {Units: []Unit{{toy.New(), toy.New()}}, Wrap: "axis"},
		`nic_transport: wrapper "none", want corundum, opennic, axis`: {Units: []Unit{unit}, Wrap: "none"},
		"wrapper axis of 2 units, want one":                           {Units: []Unit{unit, {toy.New(), toy.New()}}, Wrap: "axis"},
	} {
		if _, err := r.Render(); err == nil || err.Error() != want {
			t.Errorf("error %v, want %s", err, want)
		}
	}
}
