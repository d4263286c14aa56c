// SPDX-License-Identifier: Apache-2.0

package starter_test

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/starter"
)

// Names that Go, SystemVerilog or nicgen do not take are refused, with those that are allowed.
func TestCheck(t *testing.T) {
	for _, c := range []struct{ unit, module, want string }{
		{"mine", "example.com/mine", ""},
		{"a1_b2", "example.com/x/y", ""},
		{"Mine", "example.com/mine", `unit: found "Mine", allowed: lower-case words`},
		{"a__b", "example.com/mine", `unit: found "a__b"`},
		{"1a", "example.com/mine", `unit: found "1a"`},
		{"", "example.com/mine", `unit: found ""`},
		{"reps", "example.com/mine", "unit: found reps, which the program has already"},
		{"go_to", "example.com/mine", "unit: found go_to, which Go does not take"},
		{"my_test", "example.com/mine", "unit: found my_test, which Go does not take"},
		{"string", "example.com/mine", "unit: found string, a name that the module's Go files need"},
		{"bench_test_er", "example.com/mine", ""},
		{"cli", "example.com/mine", "unit: found cli, a name that the module's Go files need"},
		{"par_ams", "example.com/mine", "unit: found par_ams, a name that the module's Go files need"},
		{"my_linux", "example.com/mine", "unit: found my_linux, but Go compiles files with names that end in _linux for one platform only"},
		{"lib", "example.com/mine", "unit: found lib, but nic_lib is"},
		{"library", "example.com/mine", ""},
		{"mine", "mine", `--module: found "mine", allowed: an import path`},
		{"mine", "example.com/mi ne", "--module: found"},
		{"mine", "github.com/nicgen/nicgen/x", "--module: found github.com/nicgen/nicgen/x, which is nicgen's own"},
	} {
		o := starter.Options{Unit: c.unit, Module: c.module}
		got := ""
		if err := o.Check([]string{"reps"}); err != nil {
			got = err.Error()
		}
		if (c.want == "") != (got == "") || !strings.HasPrefix(got, c.want) {
			t.Errorf("%s in %s: %q, want %q", c.unit, c.module, got, c.want)
		}
	}
}

// A released nicgen is required by its version, and nothing else is.
func TestRelease(t *testing.T) {
	files, err := starter.New(starter.Options{Unit: "mine", Module: "example.com/mine", Version: "v1.2.0"})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := string(files["go.mod"]), "module example.com/mine\n\nrequire github.com/nicgen/nicgen v1.2.0\n"; got != want {
		t.Errorf("go.mod is %q, want %q", got, want)
	}
	if files["go.sum"] != nil {
		t.Error("there is a go.sum of unknown modules")
	}
}

// A stranger's module, which imports nicgen and shares none of its folders, passes every check as
// generated, and every command knows its unit.
func TestNew(t *testing.T) {
	source, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	const unit = "long_marks"
	files, err := starter.New(starter.Options{Unit: unit, Module: "example.com/far/mine", Source: source})
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for name, text := range files {
		if strings.Contains(name, "mark_run") || bytes.Contains(text, []byte("mark_run")) || bytes.Contains(text, []byte("markrun")) || bytes.Contains(text, []byte("starter")) {
			t.Errorf("%s still has a name of the text that it was made of", name)
		}
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, text, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	// run is a step: a command that must succeed. It returns the command's output.
	run := func(t *testing.T, name string, args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), name, args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "NO_COLOR=1", "GOFLAGS=-mod=readonly -trimpath")
		var out, messages bytes.Buffer
		cmd.Stdout, cmd.Stderr = &out, &messages
		if err := cmd.Run(); err != nil {
			t.Fatalf("%s %s: %v\n%s%s", filepath.Base(name), strings.Join(args, " "), err, out.String(), messages.String())
		}
		return out.String()
	}
	nicgen := filepath.Join(dir, "build", "nicgen")
	run(t, "go", "build", "-pgo=off", "-o", nicgen, ".")
	run(t, "go", "vet", "./...")
	for _, c := range []struct {
		args []string
		want []string
	}{
		{[]string{"list"}, []string{unit + " ", "reps "}},
		{[]string{"list", "--runs", "mutate"}, []string{"mutate long_marks --json docs/data/mutate/long_marks.json\n"}},
		{[]string{"describe", unit}, []string{"run_bits", "cfg_threshold"}},
		{[]string{"doc"}, []string{"wrote docs/units/long_marks.md\n", "wrote docs/units/long_marks_evidence.md\n"}},
		{[]string{"report"}, []string{"wrote nicgen-report.html\n"}},
		{[]string{"emit", "--unit", unit, "--out", "rtl"}, []string{"wrote rtl/long_marks/nic_long_marks.sv\n"}},
		{[]string{"lint"}, []string{unit + ": no findings in 2 files\n"}},
		{[]string{"synth", "--unit", unit, "--record", "docs/data/long_marks.json"}, []string{"nic_long_marks", "runs.mem   256 × 8         LUTRAM"}},
		{[]string{"prove", unit, "--json", "docs/data/prove/long_marks.json"}, []string{"run_as_counted  proved", "answered_once   proved"}},
		{[]string{"mutate", unit, "--only", "small", "--mutants", "20", "--json", "docs/data/mutate/long_marks.json"}, []string{" 0 survivors, 0 errors"}},
		{[]string{"mutate", unit, "--only", "model"}, []string{"long_marks model/long_marks: 19 mutants: 18 killed"}},
		{[]string{"upset", unit, "--flips", "8", "--runs", "2", "--cycles", "2048"}, []string{"PASS long_marks"}},
		{[]string{"export", "--unit", unit, "--rtl-only", "--out", "build/export"}, []string{"wrote build/export/nicgen_long_marks/"}},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			out := run(t, nicgen, c.args...)
			for _, want := range c.want {
				if !strings.Contains(out, want) {
					t.Errorf("no %q in\n%s", want, out)
				}
			}
		})
	}
	// evidence is the pages and the report as they are now.
	evidence := func(t *testing.T) string {
		t.Helper()
		all := ""
		for _, name := range []string{"docs/units/long_marks.md", "docs/units/long_marks_evidence.md", "nicgen-report.html"} {
			text, err := os.ReadFile(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			all += string(text)
		}
		return all
	}
	t.Run("records", func(t *testing.T) {
		const notYet = "Not measured yet; run: "
		before, planted := evidence(t), ""
		for _, want := range []string{notYet + "`go run . prove long_marks", notYet + "<code>go run . prove long_marks", "| `threshold` |", "| `run/full` |", "example.com/far/mine: evidence"} {
			if !strings.Contains(before, want) {
				t.Errorf("without records there is no %q in the pages and the report", want)
			}
		}
		for _, other := range []string{"Figures of the papers", "make ", "nicgen reproduce"} {
			if strings.Contains(before, other) {
				t.Errorf("without records the pages or the report have %q", other)
			}
		}
		if !testing.Short() {
			run(t, "go", "test", "./tb/long_marks", "-run", "TestBench/PlantedBugs", "-update")
			planted = "| the run wraps | `nic_long_marks.sv` | "
		}
		run(t, nicgen, "doc")
		run(t, nicgen, "report")
		after := evidence(t)
		for _, want := range []string{"| `run_as_counted` |", "| LUT | ", "| `runs.mem` | 256 | 8 |", "| small | 20 | ", "run_as_counted</td>", planted, "2 of 2</a>", "of 20</a>"} {
			if !strings.Contains(after, want) {
				t.Errorf("the records are made, and there is no %q in the pages and the report", want)
			}
		}
		for _, kind := range []string{"synth", "prove", "mutate"} {
			if strings.Contains(after, notYet+"`go run . "+kind) {
				t.Errorf("the record of %s is made, and a page says that it is not", kind)
			}
		}
	})
	t.Run("cosim", func(t *testing.T) {
		var r cosim.Report
		if err := json.Unmarshal([]byte(run(t, nicgen, "cosim", "--unit", unit, "--json", "-", "--quiet")), &r); err != nil {
			t.Fatal(err)
		}
		if r.Outcome != cosim.Pass || len(r.Missed) > 0 || len(r.Coverage) < 15 || r.Events < 500_000 {
			t.Errorf("%s, %d points, missed %v, %d events", r.Outcome, len(r.Coverage), r.Missed, r.Events)
		}
	})
	t.Run("go test", func(t *testing.T) {
		args := []string{"test", "./..."}
		if testing.Short() {
			args = append(args, "-short")
		}
		if out := run(t, "go", args...); !strings.Contains(out, "ok  \texample.com/far/mine/tb/long_marks") {
			t.Error(out)
		}
	})
}
