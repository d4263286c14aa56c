// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/tool"
)

// toyUnit is the unit of adding-a-unit.md: its files stand below testdata/mark_run as they
// would in the repository.
const toyUnit = "mark_run"

// toyFiles lists them.
func toyFiles(t *testing.T) (list []string) {
	t.Helper()
	root := os.DirFS("testdata/" + toyUnit)
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			list = append(list, name)
		}
		return err
	})
	if err != nil || len(list) == 0 {
		t.Fatalf("%d files, error %v", len(list), err)
	}
	return list
}

// A unit is its folders, a line in the registry and a page: with these, every command works
// on a unit that the program has never seen. With -update, its page of planted bugs is
// written.
func TestAddingAUnit(t *testing.T) {
	module := t.TempDir()
	put := func(name string, text []byte) {
		t.Helper()
		file := filepath.Join(module, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	get := func(root, name string) []byte {
		t.Helper()
		text, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		return text
	}

	// The module without its tests, but for those of every unit.
	before := map[string][sha256.Size]byte{}
	walk(t, os.DirFS(".."), func(name string) {
		if strings.HasSuffix(name, "_test.go") && path.Dir(name) != "registry" {
			return
		}
		text := get("..", name)
		if name == "registry/registry.go" {
			for after, line := range map[string]string{
				"import (\n":            "\tmarkrun \"github.com/nicgen/nicgen/tb/" + toyUnit + "\"\n",
				"var Units = []Unit{\n": "\tmarkrun.Entry,\n",
			} {
				if bytes.Count(text, []byte(after)) != 1 {
					t.Fatalf("%s has %q %d times, want once", name, after, bytes.Count(text, []byte(after)))
				}
				text = bytes.Replace(text, []byte(after), []byte(after+line), 1)
			}
		}
		put(name, text)
		before[name] = sha256.Sum256(text)
	})
	for _, name := range quoted(t) { // by pages that the commands below make anew
		put(name, get("..", name))
	}
	for _, name := range toyFiles(t) {
		text := get("testdata/"+toyUnit, name)
		if path.Ext(name) == ".go" {
			if tidy, err := format.Source(text); err != nil || !bytes.Equal(tidy, text) {
				t.Errorf("%s is not as gofmt writes it; error %v", name, err)
			}
		}
		if _, there := before[name]; there {
			t.Errorf("%s is there twice", name)
		}
		put(name, text)
		put("docs/testdata/"+toyUnit+"/"+name, text) // for the page that quotes it
	}

	// What scripts/deps.sh --tests installed is beside the module's own sources.
	installed, err := filepath.Abs(filepath.Join("..", tool.Environment, "bin"))
	if err != nil {
		t.Fatal(err)
	}
	env := append(os.Environ(), "CGO_ENABLED=0", "NO_COLOR=1", "PATH="+installed+string(os.PathListSeparator)+os.Getenv("PATH"))

	// run is a step: a command that must succeed. It returns what the command prints.
	run := func(t *testing.T, name string, args ...string) string {
		t.Helper()
		start := time.Now()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = module
		cmd.Env = env
		var out, messages bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &messages
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s %s: %v\n%s%s", path.Base(name), strings.Join(args, " "), err, out.String(), messages.String())
		}
		t.Logf("%.1f s: %s %s", time.Since(start).Seconds(), path.Base(name), strings.Join(args, " "))
		return out.String()
	}
	nicgen := filepath.Join(module, "build", "nicgen")
	run(t, "go", "build", "-pgo=off", "-o", nicgen, ".")

	says := func(t *testing.T, text string, want ...string) {
		t.Helper()
		for _, w := range want {
			if !strings.Contains(text, w) {
				t.Errorf("no %q in\n%s", w, text)
			}
		}
	}
	for _, step := range []struct {
		args  []string
		check func(t *testing.T, out string)
	}{
		{[]string{"list"}, func(t *testing.T, out string) { says(t, out, toyUnit+" ") }},
		{[]string{"describe", toyUnit}, func(t *testing.T, out string) { says(t, out, "run_bits", "cfg_threshold") }},
		{[]string{"emit", "--unit", toyUnit}, func(t *testing.T, out string) { says(t, out, "wrote rtl/mark_run/nic_mark_run.sv\n") }},
		{[]string{"lint", "--unit", toyUnit}, func(t *testing.T, out string) { says(t, out, "no findings") }},
		{[]string{"cosim", "--unit", toyUnit, "--json", "-", "--quiet"}, func(t *testing.T, out string) {
			var r cosim.Report
			if err := json.Unmarshal([]byte(out), &r); err != nil {
				t.Fatal(err)
			}
			if r.Outcome != cosim.Pass || len(r.Missed) > 0 || len(r.Coverage) < 20 || r.Events < 10_000 {
				t.Errorf("%s, %d points, missed %v, %d events", r.Outcome, len(r.Coverage), r.Missed, r.Events)
			}
		}},
		{[]string{"mutate", toyUnit, "--quiet", "--json", "docs/data/mutate/" + toyUnit + ".json"}, func(t *testing.T, out string) {
			says(t, out, "300 mutants", " 1 known survivors, 0 survivors, 0 errors; score 99.", "mark_run model/mark_run: 19 mutants: 18 killed")
		}},
		{[]string{"prove", toyUnit, "--json", "docs/data/prove/" + toyUnit + ".json"}, func(t *testing.T, out string) {
			says(t, out, "run_as_counted  proved  reached in cycle", "the run wraps: cycle", "answered_once   proved  reached in cycle", "other connections are answered: cycle")
		}},
		{[]string{"upset", toyUnit, "--flips", "8", "--runs", "2", "--cycles", "2048",
			"--json", "docs/data/upset/" + toyUnit + ".json"}, func(t *testing.T, out string) {
			says(t, out, "PASS mark_run", "the unit never hung and never stayed illegal")
		}},
		{[]string{"synth", "--unit", toyUnit, "--json", "docs/data/" + toyUnit + ".json"}, func(t *testing.T, out string) {
			says(t, out, "nic_mark_run", "runs.mem   256 × 8         LUTRAM")
		}},
		{[]string{"doc"}, func(t *testing.T, out string) {
			says(t, out, "wrote docs/units/mark_run.md")
			says(t, string(get(module, "docs/units/mark_run.md")), "| `s_ack_conn` |", "| `run_bits` |", "| `threshold` |", "| `run` | 8 | 1 | `runs` |",
				"| LUT | ", "| `runs.mem` | 256 | 8 |", "| `run/full` |", "| **All** | 300 |")
			says(t, string(get(module, "docs/units/mark_run_upset.md")), "| **All** |", "The bound.")
			says(t, string(get(module, "docs/proofs.md")), "| `run_as_counted` |")
			says(t, string(get(module, "README.md")), "[mark_run](docs/units/mark_run.md)")
			says(t, run(t, nicgen, "doc", "--check"), "all tables are up to date")
			if list, err := brokenLinks(os.DirFS(module), "docs/units/mark_run.md"); err != nil || len(list) > 0 {
				t.Errorf("broken links %v, error %v", list, err)
			}
		}},
		{[]string{"report", "--out", "build/report.html"}, func(t *testing.T, out string) {
			says(t, string(get(module, "build/report.html")), toyUnit)
		}},
	} {
		t.Run(step.args[0], func(t *testing.T) { step.check(t, run(t, nicgen, step.args...)) })
	}

	t.Run("go test", func(t *testing.T) {
		args := []string{"test", "./gen/" + toyUnit, "./model/" + toyUnit, "./tb/" + toyUnit}
		if testing.Short() {
			args = append(args, "-short")
		}
		if *update {
			run(t, "go", "test", "./tb/"+toyUnit, "-run", "TestBench/PlantedBugs", "-update")
			planted := "docs/units/" + toyUnit + "_planted.md"
			if err := os.WriteFile("testdata/"+toyUnit+"/"+planted, get(module, planted), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		says(t, run(t, "go", args...), "ok  \tgithub.com/nicgen/nicgen/tb/mark_run")
		says(t, run(t, "go", "test", "./registry", "-run", "TestDefaults/"+toyUnit+"|TestTexts/"+toyUnit+"|TestNothingGenericNamesAUnit|TestUnitsAreComplete"), "ok")
	})

	// Commands write the records and pages that name every unit; nothing else changed.
	walk(t, os.DirFS(module), func(name string) {
		was, there := before[name]
		changed := there && was != sha256.Sum256(get(module, name))
		if changed && path.Ext(name) != ".md" {
			t.Errorf("%s was changed", name)
		}
		delete(before, name)
	})
	for name := range before {
		t.Errorf("%s is gone", name)
	}
}

// The page that explains the unit quotes or lists each of its files.
func TestAddingAUnitIsComplete(t *testing.T) {
	text, err := os.ReadFile("adding-a-unit.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range toyFiles(t) {
		if !bytes.Contains(text, []byte("| `"+name+"` |")) {
			t.Errorf("adding-a-unit.md does not list %s", name)
		}
	}
	for _, folder := range []string{"gen", "model", "tb"} {
		if !slices.ContainsFunc(toyFiles(t), func(name string) bool {
			return strings.HasPrefix(name, folder+"/") && bytes.Contains(text, []byte("source testdata/"+toyUnit+"/"+name))
		}) {
			t.Errorf("adding-a-unit.md quotes nothing of %s", folder)
		}
	}
}

// quoted are files of test data that pages quote.
func quoted(t *testing.T) (list []string) {
	t.Helper()
	for _, name := range markdown(t, os.DirFS("..")) {
		text, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(name)))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range sourceBlock.FindAllSubmatch(text, -1) {
			file := path.Join(path.Dir(name), string(m[1]))
			if strings.Contains(file, "/testdata/") && !strings.Contains(file, "/"+toyUnit+"/") && !slices.Contains(list, file) {
				list = append(list, file)
			}
		}
	}
	return list
}

// sourceBlock is the mark of a file in a page.
var sourceBlock = regexp.MustCompile(`<!-- nicgen:begin source (\S+)`)
