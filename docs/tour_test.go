// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/cli"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
)

var update = flag.Bool("update", false, "rewrite the output that tour.md and run.md show")

// session is a command that a page shows with its output.
type session struct {
	command string
	output  string
	rest    bool // the page leaves out the rest of it
}

// sessions finds them: "$ command" in fenced code, and what follows.
func sessions(text string) []session {
	var list []session
	for i, block := range strings.Split(text, "\n```") {
		if i%2 == 0 {
			continue
		}
		_, body, _ := strings.Cut(block, "\n") // the rest of the fence's line
		for _, l := range strings.SplitAfter(body+"\n", "\n") {
			if c, ok := strings.CutPrefix(l, "$ "); ok {
				list = append(list, session{command: strings.TrimSpace(c)})
			} else if n := len(list) - 1; n >= 0 && strings.TrimSpace(l) == "…" {
				list[n].rest = true
			} else if n >= 0 && strings.Contains(body, "$ ") {
				list[n].output += l
			}
		}
	}
	return list
}

var (
	speed    = regexp.MustCompile(`[0-9.]+ s, +[0-9.]+ M cycles/s`)
	trailing = regexp.MustCompile(`(?m) +$`)
)

// Commands that cannot be repeated here: those that change the source or need the change,
// and those that report on the machine.
func unrepeatable(command string) bool {
	return strings.HasPrefix(command, "sed ") || strings.HasPrefix(command, "git ") ||
		command == "nicgen cosim --unit reps" || strings.HasPrefix(command, "nicgen replay ") ||
		command == "nicgen doctor"
}

// The output that the tour shows is what its commands print.
func TestTour(t *testing.T) {
	text, err := os.ReadFile("tour.md")
	if err != nil {
		t.Fatal(err)
	}
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	page := string(text)
	ran := 0
	for _, s := range sessions(string(text)) {
		if unrepeatable(s.command) {
			continue
		}
		ran++
		t.Run(s.command, func(t *testing.T) {
			t.Chdir(root)
			if strings.Contains(s.command, " emit ") {
				t.Chdir(t.TempDir())
			}
			var out, messages bytes.Buffer
			code := cli.Run(t.Context(), strings.Fields(s.command), cli.Env{Stdout: &out, Stderr: &messages, Units: registry.Units})
			if code != cli.Fine {
				t.Fatalf("exit code %d: %s", code, messages.String())
			}
			clean := func(s string) string {
				return strings.TrimSpace(trailing.ReplaceAllString(speed.ReplaceAllString(s, "TIME"), ""))
			}
			got, want := clean(out.String()), clean(s.output)
			if s.rest {
				got = got[:min(len(got), len(want))]
			}
			if want == got {
				return
			}
			if !*update {
				t.Errorf("tour.md shows other output (-tour.md +printed); run: go test ./docs -run TestTour -update\n%s", cmp.Diff(want, got))
				return
			}
			lines := strings.SplitAfter(trailing.ReplaceAllString(out.String(), ""), "\n")
			if s.rest {
				lines = lines[:min(len(lines), strings.Count(s.output, "\n"))]
			}
			shown := "$ " + s.command + "\n"
			page = strings.Replace(page, shown+s.output, shown+strings.TrimRight(strings.Join(lines, ""), "\n")+"\n", 1)
		})
	}
	if *update && page != string(text) {
		if err := os.WriteFile("tour.md", []byte(page), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if ran < 6 {
		t.Errorf("tour.md shows %d commands that can be run, want the tour", ran)
	}
}

// The tour has every command that the first page shows, word for word.
func TestTourHasEveryCommand(t *testing.T) {
	text, err := os.ReadFile("../README.md")
	if err != nil {
		t.Fatal(err)
	}
	tour, err := os.ReadFile("tour.md")
	if err != nil {
		t.Fatal(err)
	}
	shown := map[string]bool{}
	for _, s := range sessions(string(tour)) {
		shown[s.command] = true
	}
	var commands []string
	for i, code := range strings.Split(string(text), "\n```") {
		if i%2 == 1 {
			commands = append(commands, regexp.MustCompile(`(?m)^(?:nicgen|sed) .*$`).FindAllString(code, -1)...)
		}
	}
	for _, c := range commands {
		if !shown[c] {
			t.Errorf("README.md shows %q, and tour.md does not", c)
		}
	}
	if len(commands) < 6 {
		t.Errorf("README.md shows %d commands, want the tour", len(commands))
	}
}

func TestSessions(t *testing.T) {
	got := sessions("a\n```\n$ one two\nx\ny\n$ three\nz\n…\n```\n$ text\n```go\nnot one\n```\n")
	want := []session{{command: "one two", output: "x\ny\n"}, {command: "three", output: "z\n", rest: true}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(session{})); d != "" {
		t.Error(d)
	}
}

// The bug that the tour plants is still there to be planted.
func TestTourBug(t *testing.T) {
	text, err := os.ReadFile("tour.md")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`(?m)^\$ sed -i 's/(.*)/.*/' (\S+) `).FindStringSubmatch(string(text))
	if m == nil {
		t.Fatal("tour.md plants no bug")
	}
	source, err := os.ReadFile(filepath.Join("..", filepath.FromSlash(m[2])))
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(source), m[1]); n != 1 {
		t.Errorf("%s has %q %d times, want it once for the bug in tour.md", m[2], m[1], n)
	}
}

// The resources in the summary of make run equal the reports; a unit composed of other units
// has none.
func TestTourSummary(t *testing.T) {
	resource := regexp.MustCompile(`^  (LUT|FF|RAMB36|Logic levels) `)
	var want []string
	for _, u := range registry.Units {
		if len(gen.Apart(u.New())) > 0 {
			continue
		}
		file, err := os.ReadFile("data/" + u.New().Unit() + ".json")
		if err != nil {
			t.Fatal(err)
		}
		var r synth.Report
		if err := json.Unmarshal(file, &r); err != nil {
			t.Fatal(err)
		}
		for _, l := range strings.Split(r.Text(), "\n") {
			if l = "  " + strings.TrimRight(l, " "); resource.MatchString(l) {
				want = append(want, l)
			}
		}
	}
	summarised(t, "Every unit: synthesis", resource, want)
}

// So are the events of the million cycles that it runs of every unit and block; short tests run some
// of the units.
func TestTourCycles(t *testing.T) {
	command := "nicgen cosim --cycles 1000000"
	units := slices.Concat(registry.Units, registry.Blocks)
	for i, runs := range sample.Chosen(units, func(u registry.Unit) string { return t.Name() + "/" + u.New().Unit() }) {
		if u := units[i]; runs {
			command += " --unit " + u.New().Unit()
		}
	}
	ended := regexp.MustCompile(`^  (PASS|  coverage:) `)
	var out, messages bytes.Buffer
	code := cli.Run(t.Context(), strings.Fields(command), cli.Env{Stdout: &out, Stderr: &messages, Units: slices.Concat(registry.Units, registry.Blocks)})
	if code != cli.Fine {
		t.Fatalf("exit code %d: %s", code, messages.String())
	}
	var want []string
	for _, l := range strings.Split(out.String(), "\n") {
		if l = "  " + l; ended.MatchString(l) {
			want = append(want, l)
		}
	}
	if !testing.Short() {
		summarised(t, "Every unit: a million cycles of random events", ended, want)
		return
	}
	page, err := os.ReadFile("run.md")
	if err != nil {
		t.Fatal(err)
	}
	for ; len(want) > 1; want = want[2:] {
		two := speed.ReplaceAllString(strings.Join(want[:2], "\n"), "TIME")
		if !strings.Contains(speed.ReplaceAllString(string(page), "TIME"), two) {
			t.Errorf("run.md does not have what make run prints of a unit, run: go test ./docs -run TestTourCycles -update\n%s", two)
		}
	}
	if len(want) > 0 {
		t.Errorf("a line without another: %q", want[0])
	}
}

// summarised compares the lines of a kind below a heading of the summary that
// run.md shows with what make run would print, times and speeds aside.
func summarised(t *testing.T, heading string, kind *regexp.Regexp, want []string) {
	t.Helper()
	text, err := os.ReadFile("run.md")
	if err != nil {
		t.Fatal(err)
	}
	_, part, ok := strings.Cut(string(text), "\n"+heading+"\n")
	if !ok {
		t.Fatalf("run.md has no summary of %q", heading)
	}
	lines := strings.Split(part, "\n")
	end := len(lines)
	for i, l := range lines {
		if !strings.HasPrefix(l, "  ") {
			end = i // the next heading
			break
		}
	}
	var got []string
	at := map[int]int{} // place in got of a line
	for i, l := range lines[:end] {
		if kind.MatchString(l) {
			at[i] = len(got)
			got = append(got, l)
		}
	}
	clean := func(lines []string) string { return speed.ReplaceAllString(strings.Join(lines, "\n"), "TIME") }
	d := cmp.Diff(clean(want), clean(got))
	if d == "" {
		return
	}
	if !*update || len(want) != len(got) {
		t.Errorf("run.md shows another summary than make run prints (-printed +run.md); run: go test ./docs -run TestTour -update\n%s", d)
		return
	}
	for i, n := range at {
		lines[i] = want[n]
	}
	page := strings.Replace(string(text), part, strings.Join(lines, "\n"), 1)
	if err := os.WriteFile("run.md", []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
}
