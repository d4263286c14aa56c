// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"math/rand/v2"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/names"
	"github.com/nicgen/nicgen/internal/toy"
	"github.com/nicgen/nicgen/rtl"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// configured returns a toy with settings.
func configured(t testing.TB, name string, sets ...string) Unit {
	t.Helper()
	p := toy.Named(name)
	for _, s := range sets {
		if err := gen.Set(p, s); err != nil {
			t.Fatal(err)
		}
	}
	if err := gen.Validate(p); err != nil {
		t.Fatal(err)
	}
	return Unit{Config: p, Default: toy.Named(name)}
}

func rendered(t testing.TB, units ...Unit) Tree {
	t.Helper()
	tree, err := Run{Units: units}.Render()
	if err != nil {
		t.Fatal(err)
	}
	return tree
}

// read returns every file below a folder; folders that are empty end in a slash.
func read(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(p string, d fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) && p == dir {
			return nil
		}
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, p)
		if d.IsDir() {
			list, err := os.ReadDir(p)
			if len(list) == 0 && p != dir {
				files[filepath.ToSlash(rel)+"/"] = ""
			}
			return err
		}
		b, err := os.ReadFile(p)
		files[filepath.ToSlash(rel)] = string(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

func texts(tree Tree) map[string]string {
	m := map[string]string{}
	for p, b := range tree {
		m[p] = string(b)
	}
	return m
}

// The golden files are every file of a small matrix of configurations.
func TestGolden(t *testing.T) {
	for name, sets := range map[string][]string{
		"default": nil,
		"minimum": {"count_bits=2", "limit_ns=0", "wrap=false", "enable=false", "style=off"},
		"maximum": {"count_bits=32", "step=64", "limit_ns=4294967295", "style=gray", "direction=hold"},
		"odd":     {"count_bits=13", "step=2", "limit_ns=8191", "direction=down"},
	} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join("testdata", name)
			got := texts(rendered(t, configured(t, "toy", sets...)))
			if *update {
				if err := os.RemoveAll(dir); err != nil {
					t.Fatal(err)
				}
				for p, text := range got {
					p = filepath.Join(dir, p)
					if err := os.MkdirAll(filepath.Dir(p), 0o777); err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(p, []byte(text), 0o666); err != nil {
						t.Fatal(err)
					}
				}
			}
			if d := cmp.Diff(read(t, dir), got); d != "" {
				t.Errorf("run go test ./gen/emit -update if this is right: -golden +got:\n%s", d)
			}
		})
	}
}

// The bytes do not depend on the run or on the order of the units.
func TestDeterministic(t *testing.T) {
	var units []Unit
	for _, n := range []string{"a", "b", "c", "d"} {
		units = append(units, configured(t, n, "count_bits=12"))
	}
	want := texts(rendered(t, units...))
	for range 20 {
		rand.Shuffle(len(units), func(i, j int) { units[i], units[j] = units[j], units[i] })
		if d := cmp.Diff(want, texts(rendered(t, units...))); d != "" {
			t.Fatalf("-first +later:\n%s", d)
		}
	}
}

// A change of any field changes the digest and the command; the command, carried
// out, gives the same configuration.
func TestDigestAndCommand(t *testing.T) {
	base, err := Digest(toy.New())
	if err != nil {
		t.Fatal(err)
	}
	for set, command := range map[string]string{
		"count_bits=9": "nicgen emit --unit toy --set count_bits=9", "step=2": "nicgen emit --unit toy --set step=2",
		"style=gray": "nicgen emit --unit toy --set style=gray", "wrap=false": "nicgen emit --unit toy --set wrap=false",
		"limit_ns=1": "nicgen emit --unit toy --set limit_ns=1", "enable=false": "nicgen emit --unit toy --set enable=false",
		"direction=hold": "nicgen emit --unit toy --set direction=hold", "count_bits=8": "nicgen emit --unit toy",
	} {
		u := configured(t, "toy", set)
		d, err := Digest(u.Config)
		if err != nil {
			t.Fatal(err)
		}
		if same := set == "count_bits=8"; (d == base) != same {
			t.Errorf("%s: digest %s, the default's is %s", set, d, base)
		}
		if got := Command(u.Config, u.Default); got != command {
			t.Errorf("%s: command %q, want %q", set, got, command)
		}
	}
	if got := Command(toy.New(), nil); strings.Count(got, "--set") != len(toy.New().Fields()) {
		t.Errorf("command %q does not name every field", got)
	}
	if d, _ := Digest(toy.Named("other")); d == base {
		t.Errorf("two units have the same digest")
	}
}

// The mark of each file describes its content correctly.
func TestMark(t *testing.T) {
	tree := rendered(t, configured(t, "toy", "step=4"))
	m, err := ReadManifest(tree["toy/manifest.json"])
	if err != nil {
		t.Fatal(err)
	}
	listed := map[string]string{"manifest.json": ""}
	for _, e := range m.Files {
		listed[e.Path] = e.SHA256
	}
	for p, text := range tree {
		p = strings.TrimPrefix(p, "toy/")
		want, ok := listed[p]
		if !ok {
			t.Errorf("%s is not in the manifest", p)
		}
		if p == "manifest.json" {
			continue
		}
		if got := sum(text); got != want {
			t.Errorf("%s: SHA-256 %s, the manifest says %s", p, got, want)
		}
		text = bytes.TrimPrefix(text, []byte("CAPI=2:\n"))
		var head []string
		for range 5 {
			line, rest, _ := bytes.Cut(text, []byte("\n"))
			head = append(head, strings.Trim(string(line), "/#<!-> "))
			text = rest
		}
		if strings.HasPrefix(string(text), "\n# ") && strings.HasSuffix(p, ".md") {
			text = text[1:] // the empty line below the mark
		}
		want5 := []string{Mark, "Command: nicgen emit --unit toy --set step=4",
			"Configuration SHA-256: " + m.ConfigurationSHA256, "Body SHA-256: " + sum(text), license}
		if d := cmp.Diff(want5, head); d != "" {
			t.Errorf("%s: -want +got:\n%s", p, d)
		}
		if bytes.Contains(text, []byte(license)) {
			t.Errorf("%s has two licence lines", p)
		}
	}
}

// strange is a toy with other files or fields.
type strange struct {
	*toy.Params
	files  []gen.File
	fields []gen.Field
	err    error
}

func (s strange) Files() ([]gen.File, error) { return s.files, s.err }
func (s strange) Fields() []gen.Field {
	if s.fields != nil {
		return s.fields
	}
	return s.Params.Fields()
}

func TestRenderErrors(t *testing.T) {
	file := func(names ...string) (out []gen.File) {
		for _, n := range names {
			out = append(out, gen.File{Name: n})
		}
		return out
	}
	big, minus := int64(256), int64(-129)
	for _, c := range []struct {
		name  string
		units []gen.Config
		want  string
	}{
		{"unit name", []gen.Config{toy.Named("../x")}, `../x: unit name "../x", want lower-case letters, digits and underscores, a letter first`},
		{"library", []gen.Config{toy.Named("lib")}, `lib: unit name "lib" is reserved for the folder of shared parts`},
		{"no part", []gen.Config{strange{Params: toy.Named("a"), files: file("nic_lib_x.sv")}}, `a: rtl/lib has no part "nic_lib_x"`},
		{"other part", []gen.Config{strange{Params: toy.Named("a"), files: file("nic_lib_delay.sv")}}, "a: file nic_lib_delay.sv is not the shared part of that name"},
		{"unit twice", []gen.Config{toy.Named("a"), toy.Named("a")}, "a: unit appears twice"},
		{"outside", []gen.Config{strange{Params: toy.Named("a"), files: file("../b.sv")}}, `a: file name "../b.sv" leaves the unit's folder`},
		{"absolute", []gen.Config{strange{Params: toy.Named("a"), files: file("/b.sv")}}, `a: file name "/b.sv" leaves the unit's folder`},
		{"empty", []gen.Config{strange{Params: toy.Named("a"), files: file("")}}, `a: file name "" leaves the unit's folder`},
		{"twice", []gen.Config{strange{Params: toy.Named("a"), files: file("b.sv", "b.sv")}}, `a: file name "b.sv" is used twice`},
		{"manifest", []gen.Config{strange{Params: toy.Named("a"), files: file("manifest.json")}}, `a: file name "manifest.json" is used twice`},
		{"unit's own", []gen.Config{strange{Params: toy.Named("a"), err: errors.New("too wide")}}, "a: too wide"},
		{"no port", []gen.Config{strange{Params: toy.Named("a"), fields: []gen.Field{{Key: "k", Int: &big, Runtime: true, Port: "cfg_k"}}}},
			`a: k drives port "cfg_k", which does not exist`},
		{"too large", []gen.Config{strange{Params: toy.Named("a"), fields: []gen.Field{{Key: "k", Int: &big, Runtime: true, Port: "cfg_limit_ns"}}}},
			"a: k 256 does not fit port cfg_limit_ns of 8 bits"},
		{"too small", []gen.Config{strange{Params: toy.Named("a"), fields: []gen.Field{{Key: "k", Int: &minus, Min: -500, Runtime: true, Port: "cfg_limit_ns"}}}},
			"a: k -129 does not fit port cfg_limit_ns of 8 bits"},
		{"driven too large", []gen.Config{driven{toy.Named("a"), map[string]uint64{"cfg_limit_ns": 256}}},
			"a: 256 does not fit port cfg_limit_ns of 8 bits"},
	} {
		t.Run(c.name, func(t *testing.T) {
			var units []Unit
			for _, u := range c.units {
				units = append(units, Unit{Config: u})
			}
			if _, err := (Run{Units: units}).Render(); err == nil || err.Error() != c.want {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// driven gives its ports other values than the fields have.
type driven struct {
	*toy.Params
	values map[string]uint64
}

func (d driven) PortValues() map[string]uint64 { return d.values }

// A configuration that drives its ports itself has those values in the instance; one
// for a port that it does not have is left out.
func TestDriven(t *testing.T) {
	got, err := constants(driven{toy.Named("a"), map[string]uint64{"cfg_limit_ns": 255, "cfg_other": 1 << 40}})
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(map[string]string{"cfg_limit_ns": "8'd255"}, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestConstant(t *testing.T) {
	yes, two, minus, mode := true, int64(2), int64(-2), "c"
	enum := gen.Field{Key: "mode", Port: "p", Enum: &mode, Choices: []string{"a", "b", "c"}}
	for _, c := range []struct {
		name string
		f    gen.Field
		bits int
		want string
	}{
		{"number", gen.Field{Int: &two}, 8, "8'd2"},
		{"negative", gen.Field{Int: &minus}, 8, "-8'sd2"},
		{"switch", gen.Field{Bool: &yes}, 1, "1'b1"},
		{"switch for each of 4", gen.Field{Bool: &yes}, 4, "{4{1'b1}}"},
		{"choice", enum, 2, "2'd2"},
		{"choice for each of 3", enum, 6, "{3{2'd2}}"},
		{"choice in a wider port", enum, 3, "3'd2"},
	} {
		t.Run(c.name, func(t *testing.T) {
			if got, err := constant(c.f, c.bits); err != nil || got != c.want {
				t.Errorf("got %q, %v, want %q", got, err, c.want)
			}
		})
	}
	if _, err := constant(enum, 1); err == nil || err.Error() != "mode has 3 choices, port p has 1 bits" {
		t.Errorf("got %v", err)
	}
}

func TestReadManifest(t *testing.T) {
	good := rendered(t, configured(t, "toy"))["toy/manifest.json"]
	var m Manifest
	if err := json.Unmarshal(good, &m); err != nil {
		t.Fatal(err)
	}
	m.Files[0].Path = "../../etc/passwd"
	outside, err := m.Seal()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, text, want string }{
		{"as written", string(good), ""},
		{"edited", strings.Replace(string(good), `"step": 1`, `"step": 2`, 1), "edited by hand"},
		{"spaces", string(good) + " ", "edited by hand"},
		{"cut", string(good[:len(good)/2]), "not a manifest: unexpected EOF"},
		{"empty", "", "not a manifest: EOF"},
		{"outside", string(outside), `not a manifest: file name "../../etc/passwd" leaves the unit's folder`},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := ReadManifest([]byte(c.text))
			got := ""
			if err != nil {
				got = err.Error()
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

// write calls Write on a folder below dir, which must then hold only the expected files.
func write(t *testing.T, dir string, tree Tree, o Options) (Result, error) {
	t.Helper()
	res, err := Write(t.Context(), dir, tree, o)
	for p := range read(t, dir) {
		if strings.Contains(p, ".nicgen-") {
			t.Errorf("left behind: %s", p)
		}
	}
	return res, err
}

func TestWrite(t *testing.T) {
	first := Tree{"u/a.sv": []byte("a"), "u/lib/b.sv": []byte("b"), "v/c.sv": []byte("c")}
	second := Tree{"u/a.sv": []byte("a2"), "u/d.sv": []byte("d"), "v/c.sv": []byte("c")}
	for _, tree := range []Tree{first, second} {
		seal(t, tree)
	}
	for _, c := range []struct {
		name   string
		before func(dir string) // after first is written
		force  bool
		want   map[string]string // files outside the tree; nil means as before
		err    string
	}{
		{name: "nothing happened", want: map[string]string{}},
		{name: "a stranger's file stays", want: map[string]string{"u/lib/mine.txt": "mine"},
			before: func(dir string) { put(t, dir, "u/lib/mine.txt", "mine") }},
		{name: "a file is gone", want: map[string]string{"u/lib/": ""}, // the folder is not ours
			before: func(dir string) { remove(t, dir, "u/a.sv"); remove(t, dir, "u/lib/b.sv") }},
		{name: "edited", before: func(dir string) { put(t, dir, "u/a.sv", "mine") },
			err: "u/a.sv: edited by hand since nicgen wrote it"},
		{name: "edited as it will be", want: map[string]string{},
			before: func(dir string) { put(t, dir, "u/a.sv", "a2") }},
		{name: "edited, forced", force: true, want: map[string]string{},
			before: func(dir string) { put(t, dir, "u/a.sv", "mine") }},
		{name: "stale and edited", before: func(dir string) { put(t, dir, "u/lib/b.sv", "mine") },
			err: "u/lib/b.sv: no longer part of the unit, but edited by hand since nicgen wrote it"},
		{name: "foreign", before: func(dir string) { put(t, dir, "u/d.sv", "mine") },
			err: "u/d.sv: not written by nicgen"},
		{name: "foreign, forced", force: true, want: map[string]string{},
			before: func(dir string) { put(t, dir, "u/d.sv", "mine") }},
		{name: "manifest edited", before: func(dir string) { put(t, dir, "u/manifest.json", "{}") },
			err: "u/a.sv: not written by nicgen\nu/manifest.json: edited by hand"},
		{name: "several", before: func(dir string) { put(t, dir, "u/d.sv", "mine"); put(t, dir, "u/a.sv", "mine") },
			err: "u/a.sv: edited by hand since nicgen wrote it\nu/d.sv: not written by nicgen"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "deep", "out")
			if _, err := write(t, dir, first, Options{}); err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(texts(first), read(t, dir)); d != "" {
				t.Fatalf("first: -want +got:\n%s", d)
			}
			if c.before != nil {
				c.before(dir)
			}
			want := read(t, dir)
			_, err := write(t, dir, second, Options{Force: c.force})
			if c.err != "" {
				var lines []string
				for _, l := range strings.Split(c.err, "\n") {
					lines = append(lines, filepath.Join(dir, l))
				}
				c.err = strings.Join(lines, "\n") + "\nnothing was written: move these files away, choose another folder with --out, or overwrite them with --force"
				var conflict *Conflict
				if !errors.As(err, &conflict) || err.Error() != c.err {
					t.Errorf("got %v\nwant %s", err, c.err)
				}
			} else {
				if err != nil {
					t.Fatal(err)
				}
				want = c.want
				maps.Copy(want, texts(second))
			}
			if d := cmp.Diff(want, read(t, dir)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// seal gives each unit of a tree a manifest.
func seal(t *testing.T, tree Tree) {
	t.Helper()
	units := map[string]*Manifest{}
	for _, p := range slices.Sorted(maps.Keys(tree)) {
		u, rest, _ := strings.Cut(p, "/")
		if units[u] == nil {
			units[u] = &Manifest{Unit: u}
		}
		units[u].Files = append(units[u].Files, Entry{rest, sum(tree[p])})
	}
	for u, m := range units {
		b, err := m.Seal()
		if err != nil {
			t.Fatal(err)
		}
		tree[u+"/"+ManifestName] = b
	}
}

func put(t *testing.T, dir, p, text string) {
	t.Helper()
	if err := os.WriteFile(filepath.Join(dir, p), []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func remove(t *testing.T, dir, p string) {
	t.Helper()
	if err := os.Remove(filepath.Join(dir, p)); err != nil {
		t.Fatal(err)
	}
}

// Write reports the changes that it made; a second call makes none.
func TestWriteResult(t *testing.T) {
	dir := t.TempDir()
	first := Tree{"u/a.sv": []byte("a"), "u/b.sv": []byte("b"), "u/e.sv": []byte("e")}
	second := Tree{"u/a.sv": []byte("a"), "u/b.sv": []byte("b2")}
	seal(t, first)
	seal(t, second)
	all := []string{"u/a.sv", "u/b.sv", "u/e.sv", "u/manifest.json"}
	for i, c := range []struct {
		tree Tree
		want Result
	}{
		{first, Result{Written: all}},
		{first, Result{Unchanged: all}},
		{second, Result{Written: []string{"u/b.sv", "u/manifest.json"}, Unchanged: []string{"u/a.sv"}, Removed: []string{"u/e.sv"}}},
	} {
		got, err := write(t, dir, c.tree, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, got); d != "" {
			t.Errorf("step %d: -want +got:\n%s", i, d)
		}
	}
}

func TestWriteOddFolders(t *testing.T) {
	tree := Tree{"u/a.sv": []byte("a")}
	seal(t, tree)
	for _, c := range []struct {
		name  string
		setup func(dir string)
		want  string
	}{
		{"unit is a file", func(dir string) { put(t, dir, "u", "") }, "output folder DIR/u: is a file, want a folder or nothing: choose another one with --out"},
		{"file is a folder", func(dir string) { mkdir(t, dir, "u/a.sv") }, "DIR/u/a.sv: is a folder, want a regular file or none: move it away or choose another folder with --out"},
		{"file is a link", func(dir string) {
			mkdir(t, dir, "u")
			put(t, dir, "elsewhere", "mine")
			if err := os.Symlink("../elsewhere", filepath.Join(dir, "u/a.sv")); err != nil {
				t.Fatal(err)
			}
		}, "DIR/u/a.sv: is a symbolic link, want a regular file or none: move it away or choose another folder with --out"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.setup(dir)
			before := read(t, dir)
			_, err := write(t, dir, tree, Options{Force: true})
			if want := strings.ReplaceAll(c.want, "DIR", dir); err == nil || err.Error() != want {
				t.Errorf("got %v\nwant %s", err, want)
			}
			if d := cmp.Diff(before, read(t, dir)); d != "" {
				t.Errorf("-before +after:\n%s", d)
			}
		})
	}
}

func mkdir(t *testing.T, dir, p string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(dir, p), 0o777); err != nil {
		t.Fatal(err)
	}
}

// countdown is a context that ends when it has been asked n times, and then
// calls a function if it has one instead of ending.
type countdown struct {
	context.Context
	n    int
	then func()
}

func (c *countdown) Err() error {
	c.n--
	if c.n >= 0 {
		return nil
	}
	if c.then != nil {
		if c.n == -1 {
			c.then()
		}
		return nil
	}
	return context.Canceled
}

// Ctrl-C at any moment leaves everything unchanged, or everything done.
func TestWriteInterrupted(t *testing.T) {
	first, second := rendered(t, configured(t, "toy")), rendered(t, configured(t, "toy", "count_bits=9"), configured(t, "more"))
	for n := 0; ; n++ {
		dir := filepath.Join(t.TempDir(), "out")
		if n%2 == 0 {
			if _, err := write(t, dir, first, Options{}); err != nil {
				t.Fatal(err)
			}
		}
		before := read(t, dir)
		_, err := Write(&countdown{Context: t.Context(), n: n}, dir, second, Options{})
		if err == nil {
			if d := cmp.Diff(texts(second), read(t, dir)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
			if n < len(second) {
				t.Errorf("the context was asked %d times for %d files", n, len(second))
			}
			return
		}
		if !errors.Is(err, context.Canceled) || err.Error() != fmt.Sprintf("output folder %s: stopped, nothing was written: context canceled", dir) {
			t.Fatalf("got %v", err)
		}
		if d := cmp.Diff(before, read(t, dir)); d != "" {
			t.Fatalf("stopped at %d: -before +after:\n%s", n, d)
		}
		if _, err := os.Stat(dir); n%2 == 1 && !errors.Is(err, fs.ErrNotExist) {
			t.Fatalf("stopped at %d: the folder is left behind", n)
		}
	}
}

// A file that cannot take its place takes the others back.
func TestWriteRollback(t *testing.T) {
	dir := t.TempDir()
	first := Tree{"u/a.sv": []byte("a"), "u/b.sv": []byte("b"), "u/stale.sv": []byte("s")}
	second := Tree{"u/a.sv": []byte("a2"), "u/b.sv": []byte("b2"), "u/new.sv": []byte("n"), "v/c.sv": []byte("c")}
	seal(t, first)
	seal(t, second)
	if _, err := write(t, dir, first, Options{}); err != nil {
		t.Fatal(err)
	}
	before := read(t, dir)
	for _, lost := range []string{"u/a.sv", "u/new.sv", "v/c.sv", "u/manifest.json", "v/manifest.json"} {
		// The last question is asked when everything is staged.
		ctx := &countdown{Context: t.Context(), n: len(second), then: func() {
			staged, err := filepath.Glob(filepath.Join(dir, ".nicgen-*", "new", lost))
			if err != nil || len(staged) != 1 {
				t.Fatalf("staged: %v, %v", staged, err)
			}
			if err := os.Remove(staged[0]); err != nil {
				t.Fatal(err)
			}
		}}
		_, err := Write(ctx, dir, second, Options{})
		if !errors.Is(err, fs.ErrNotExist) || !strings.HasSuffix(err.Error(), ": nothing was written") {
			t.Errorf("%s: got %v", lost, err)
		}
		if d := cmp.Diff(before, read(t, dir)); d != "" {
			t.Errorf("%s: -before +after:\n%s", lost, d)
		}
	}
}

// sharing returns a toy that has a shared part.
func sharing(t *testing.T, name, part string) gen.Config {
	t.Helper()
	parts, err := rtl.Parts(part)
	if err != nil {
		t.Fatal(err)
	}
	p := toy.Named(name)
	own, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	return strange{Params: p, files: append(parts, own...)}
}

// All shared parts are in one folder, regardless of a run's needs, so that a later run into the
// same folder leaves them unchanged.
func TestLibrary(t *testing.T) {
	first, err := Run{Units: []Unit{{Config: sharing(t, "a", "nic_lib_delay")}}}.Render()
	if err != nil {
		t.Fatal(err)
	}
	second, err := Run{Units: []Unit{{Config: toy.Named("c")}, {Config: sharing(t, "b", "nic_lib_vote")}}}.Render()
	if err != nil {
		t.Fatal(err)
	}
	parts, err := rtl.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range parts {
		if got := string(first["lib/"+f.Name]); got != f.Text {
			t.Errorf("lib/%s is not rtl/lib/%[1]s", f.Name)
		}
	}
	if want := len(parts) + 3; lib(first) != want || !bytes.Equal(first["lib/manifest.json"], second["lib/manifest.json"]) {
		t.Errorf("%d files in lib, want %d; both runs have the same: %v", lib(first), want, bytes.Equal(first["lib/manifest.json"], second["lib/manifest.json"]))
	}
	for p := range first {
		if strings.HasPrefix(p, "a/nic_lib_") {
			t.Errorf("%s is next to the unit too", p)
		}
	}
	m, err := ReadManifest(first["a/manifest.json"])
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"../lib/nic_lib_delay.sv"}, m.Parts); d != "" {
		t.Errorf("parts of the manifest: -want +got:\n%s", d)
	}
	if text := string(first["a/a.f"]); !strings.HasSuffix(text, "\n+libext+.sv\n-y ../lib\nnic_a.sv\n") {
		t.Errorf("file list\n%s", text)
	}
	if text := string(second["c/c.f"]); strings.Contains(text, "-y") {
		t.Errorf("file list of a unit without shared parts\n%s", text)
	}

	dir := t.TempDir()
	if _, err := write(t, dir, first, Options{}); err != nil {
		t.Fatal(err)
	}
	res, err := write(t, dir, second, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range slices.Concat(res.Written, res.Removed) {
		if strings.HasPrefix(p, "lib/") {
			t.Errorf("the second run changed %s", p)
		}
	}
}

// lib returns the number of files in the folder of shared parts.
func lib(tree Tree) (n int) {
	for p := range tree {
		if strings.HasPrefix(p, "lib/") {
			n++
		}
	}
	return n
}

// The files of two runs have no name in common if their prefixes differ, and each is consistent in
// itself.
func TestPrefix(t *testing.T) {
	var trees []Tree
	for _, prefix := range []string{"", "p", "q_2"} {
		tree, err := Run{Prefix: prefix, Units: []Unit{{Config: sharing(t, "a", "nic_lib_delay"), Default: toy.Named("a")}}}.Render()
		if err != nil {
			t.Fatal(err)
		}
		trees = append(trees, tree)
	}
	// Each file under a prefix equals the file of a run without one, except for names and sums.
	sums := regexp.MustCompile(`[0-9a-f]{64}`)
	plain := strings.NewReplacer(" --prefix p", "", "p_", "")
	for p, text := range trees[1] {
		want, ok := trees[0][strings.ReplaceAll(p, "p_", "")]
		if !ok {
			t.Errorf("%s: no such file without the prefix", p)
		}
		got := plain.Replace(sums.ReplaceAllString(string(text), ""))
		if path.Base(p) == ManifestName {
			if !strings.HasPrefix(p, "p_") {
				t.Errorf("%s", p)
			}
			continue // sorted otherwise
		}
		if d := cmp.Diff(strings.ReplaceAll(sums.ReplaceAllString(string(want), ""), "p_", ""), got); d != "" {
			t.Errorf("%s: -without +with, except for names:\n%s", p, d)
		}
	}
	seen := map[string]int{}
	for i, tree := range trees {
		for p, text := range tree {
			folder, base := path.Split(p)
			all := []string{folder}
			if base != ManifestName {
				all = append(all, base)
			}
			for _, n := range append(all, global(p, text)...) {
				if was, ok := seen[n]; ok && was != i {
					t.Errorf("%s: %s is a name of another run too", p, n)
				}
				seen[n] = i
			}
		}
	}
	if _, err := (Run{Prefix: "A-b"}).Render(); err == nil || err.Error() != `prefix "A-b", want lower-case letters, digits and underscores, a letter first` {
		t.Errorf("got %v", err)
	}
}

var coreName = regexp.MustCompile(`(?m)^name: (.*)$`)

// global returns the names that a file gives to a whole design, or to FuseSoC.
func global(p string, text []byte) (list []string) {
	switch path.Ext(p) {
	case ".sv":
		for _, d := range names.Defined([]gen.File{{Name: p, Text: string(text)}}) {
			list = append(list, d.Name)
		}
	case ".core":
		list = append(list, string(coreName.FindSubmatch(text)[1]))
	}
	return list
}
