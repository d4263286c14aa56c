// SPDX-License-Identifier: Apache-2.0

package sweep_test

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"
	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/sweep"
)

var update = flag.Bool("update", false, "write the golden files anew")

const plan = `
command: soak --unit reps --events 1000
seeds: 7-8
flags:
  cycles: [100, 200]
set:
  depth: [8, 16]
numbers:
  count: events
  first: configs.0.name
`

func parse(t *testing.T, text string) *sweep.Plan {
	t.Helper()
	p, err := sweep.Parse("plan.yaml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func TestTasks(t *testing.T) {
	var got []string
	ids := map[string]bool{}
	for i, x := range parse(t, plan).Tasks() {
		if x.Number != i {
			t.Errorf("task %d has number %d", i, x.Number)
		}
		got = append(got, strings.Join(x.Args, " "))
		ids[x.ID()] = true
	}
	want := []string{
		"soak --unit reps --events 1000 --cycles=100 --set=depth=8 --seed=7",
		"soak --unit reps --events 1000 --cycles=100 --set=depth=8 --seed=8",
		"soak --unit reps --events 1000 --cycles=100 --set=depth=16 --seed=7",
		"soak --unit reps --events 1000 --cycles=100 --set=depth=16 --seed=8",
		"soak --unit reps --events 1000 --cycles=200 --set=depth=8 --seed=7",
		"soak --unit reps --events 1000 --cycles=200 --set=depth=8 --seed=8",
		"soak --unit reps --events 1000 --cycles=200 --set=depth=16 --seed=7",
		"soak --unit reps --events 1000 --cycles=200 --set=depth=16 --seed=8",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if len(ids) != len(want) {
		t.Errorf("%d names of %d tasks", len(ids), len(want))
	}
	// The same run has the same name in a larger grid.
	larger := parse(t, strings.Replace(plan, "7-8", "[8, 7, 1]", 1)).Tasks()
	if got, want := larger[0].ID(), parse(t, plan).Tasks()[1].ID(); got != want {
		t.Errorf("the name %s, want %s", got, want)
	}
}

func TestParse(t *testing.T) {
	for _, x := range []struct{ name, text, want string }{
		{"no command", "seeds: 1", `command: found "", allowed: arguments of nicgen that begin with one of sim, reproduce, soak, mutate`},
		{"another command", "command: emit\nseeds: 1", `command: found "emit"`},
		{"nothing varied", "command: sim incast", "nothing is varied: want seeds, flags or set"},
		{"a flag that a sweep gives", "command: sim incast --json=x\nseeds: 1", "command: found --json"},
		{"that flag varied", "command: sim incast\nflags: {json: [a]}", "flags: found json"},
		{"seeds as a flag", "command: sim incast\nflags: {seed: [1]}", "flags: found seed"},
		{"an empty axis", "command: sim incast\nflags: {beta: []}", "flags: beta: found [], want a list of values"},
		{"no list", "command: sim incast\nflags: {beta: 4}", "flags: beta: found 4, want a list of values"},
		{"lists in lists", "command: sim incast\nflags: {beta: [[1]]}", "flags: beta: found [1], want a number"},
		{"a value twice", "command: sim incast\nset: {depth: [8, 8]}", "set: depth: found 8 twice"},
		{"a number twice", "command: sim incast\nset: {depth: [8, '0x8']}", "set: depth: found 8 and 0x8, which are one value"},
		{"a hexadecimal number", "command: sim incast\nset: {depth: [8, 0x8]}", "set: depth: found 8 twice"},
		{"a fraction", "command: sim incast\nset: {depth: [8.5]}", "set: depth: found a fraction, 8.5, want a whole number"},
		{"an axis twice", "command: soak\nflags: {events: [8]}\nset: {events: [8]}", "events is varied twice"},
		{"a key twice", "command: sim incast\nset: {depth: [8], depth: [9]}", "depth"},
		{"an unknown key", "command: sim incast\nseed: 1", "seed"},
		{"in both", "command: sim incast --seed 3\nseeds: 1-2", "seed is varied, and in the command"},
		{"seeds that fall", "command: sim incast\nseeds: 3-1", `seeds: found "3-1", want a range such as 1-8`},
		{"no seeds", "command: sim incast\nseeds: [a]", "seeds: found a, want whole numbers"},
		{"seeds without end", "command: sim incast\nseeds: 0-18446744073709551615", "seeds: found"},
		{"too large", "command: sim incast\nseeds: 1-1000\nset: {a: [1,2,3,4,5,6,7,8,9,10], b: [1,2,3,4,5,6,7,8,9,10,11]}", "the grid has more than 100000 points"},
		{"cosim", "command: cosim --unit reps\nseeds: 1", "cosim measures its speed, so its results are never the same: soak runs the same comparison"},
		{"a list in the command", "command: [sim, [incast]]\nseeds: 1", "command: found [incast], want words"},
		{"a number without path", "command: sim incast\nseeds: 1\nnumbers: {x: 1}", "numbers: x: found 1, want a path"},
	} {
		t.Run(x.name, func(t *testing.T) {
			_, err := sweep.Parse("plan.yaml", []byte(x.text))
			if err == nil || !strings.HasPrefix(err.Error(), "plan.yaml: ") || !strings.Contains(err.Error(), x.want) {
				t.Errorf("error %v, want one with %q", err, x.want)
			}
		})
	}
}

// A plan is read as a configuration is: a byte-order mark is no part of it, and what one refuses
// the other refuses in the same words.
func TestParseAsConfigurations(t *testing.T) {
	if p, err := sweep.Parse("plan.yaml", []byte("\ufeffcommand: soak --unit plb\nset:\n  round_bits: [0o10, 10]\n")); err != nil || !slices.Equal(p.Axes[0].Values, []string{"8", "10"}) {
		t.Errorf("%+v, error %v", p, err)
	}
	for _, x := range []struct{ text, want string }{
		{"command: soak --unit plb --events 1000\nset:\n  round_bits: [08, 010]\n", "plan.yaml:3:16: found 08, want no leading zero, which some read as octal: 8"},
		{"command: soak --unit plb --events 1000\nset:\n  round_bits: [8, 010]\n", "plan.yaml:3:19: found 010, want no leading zero, which some read as octal: 10, or 0o10 for octal"},
		{"command: soak --unit plb\nseeds: 010\n", "plan.yaml:2:8: found 010, want no leading zero, which some read as octal: 10, or 0o10 for octal"},
		{"command: &c soak --unit plb\nseeds: 1\n", "plan.yaml:1:10: found an anchor &, want the value itself wherever it is needed: anchors are not supported"},
	} {
		_, err := sweep.Parse("plan.yaml", []byte(x.text))
		if err == nil || err.Error() != x.want {
			t.Errorf("%q: error %v, want %s", x.text, err, x.want)
		}
		if strings.Contains(x.text, "&") {
			continue
		}
		number, _, _ := strings.Cut(strings.TrimPrefix(x.want[strings.Index(x.want, "found "):], "found "), ",")
		_, refused := gen.ReadYAML("f.yaml", []byte("round_bits: "+number+"\n"), []string{"plb"}, "plb")
		_, words, _ := strings.Cut(x.want, " ")
		if got := fmt.Sprint(refused); got != "f.yaml:1:13: "+strings.Replace(words, ", want ", ", allowed: ", 1) {
			t.Errorf("%q: a configuration says %s, a plan %s", number, got, x.want)
		}
	}
}

func TestShares(t *testing.T) {
	tasks := parse(t, plan).Tasks()
	seen := map[int]int{}
	for _, text := range []string{"0/3", "1/3", "2/3"} {
		s, err := sweep.ParseShare(text)
		if err != nil {
			t.Fatal(err)
		}
		for _, x := range s.Tasks(tasks) {
			seen[x.Number]++
		}
	}
	for i := range tasks {
		if seen[i] != 1 {
			t.Errorf("task %d is in %d shares, want 1", i, seen[i])
		}
	}
	for _, text := range []string{"", "3/3", "-1/3", "1", "1/0", "a/2", "1/2/3"} {
		if s, err := sweep.ParseShare(text); err == nil {
			t.Errorf("%q gives %v, want an error", text, s)
		}
	}
}

// program makes a stand-in for nicgen: it counts its runs, and its result has its arguments. A
// run with seed 8 does what the file "eight" next to it says.
func program(t *testing.T) (name, dir string) {
	t.Helper()
	dir = t.TempDir()
	name = filepath.Join(dir, "nicgen")
	text := `#!/bin/bash
dir=$(dirname "$0")
for ((i = 1; i <= $#; i++)); do
  [ "${!i}" != --json ] || { j=$((i + 1)); out=${!j}; }
  [ "${!i}" != --work ] || { j=$((i + 1)); mkdir -p "${!j}" && touch "${!j}/half"; }
done
echo "$*" >> "$dir/runs"
code=0
case "$*" in *--seed=8*) [ ! -f "$dir/eight" ] || . "$dir/eight" ;; esac
echo "{\"events\": ${#1}, \"configs\": [{\"name\": \"$5\"}], \"seed\": \"${7}\"}" > "$out"
exit $code
`
	if err := os.WriteFile(name, []byte(text), 0o755); err != nil {
		t.Fatal(err)
	}
	return name, dir
}

// runs returns the number of runs.
func runs(t *testing.T, dir string) int {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(dir, "runs"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return strings.Count(string(text), "\n")
}

// tree returns the files in a folder, with their texts.
func tree(t *testing.T, dir string) map[string]string {
	t.Helper()
	list := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		rel, _ := filepath.Rel(dir, name)
		list[rel] = string(text)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func open(t *testing.T, text string) (*sweep.Store, *sweep.Plan, []sweep.Task) {
	t.Helper()
	s, err := sweep.Open(filepath.Join(t.TempDir(), "out"), []byte(text), "", false)
	if err != nil {
		t.Fatal(err)
	}
	p := parse(t, text)
	return s, p, p.Tasks()
}

// A sweep that is stopped, goes on, loses a task or makes one twice has the files of one
// that went through.
func TestLocal(t *testing.T) {
	prog, dir := program(t)
	whole, p, tasks := open(t, plan)
	if err := whole.Local(t.Context(), prog, p, tasks, 3, func() {}); err != nil {
		t.Fatal(err)
	}
	if err := whole.Summarise(p, tasks); err != nil {
		t.Fatal(err)
	}
	want := tree(t, whole.Dir)
	if len(want) != len(tasks)+2 {
		t.Errorf("%d files, want one of each of %d tasks, the plan and the summary", len(want), len(tasks))
	}
	summary, first := want["summary.csv"], "cycles,depth,seed,count,first,result\n100,8,7,4,1000,results/"+tasks[0].ID()+".json\n"
	if !strings.HasPrefix(summary, first) {
		t.Errorf("the summary is %s, want it to begin with %s", summary, first)
	}
	if n := runs(t, dir); n != len(tasks) {
		t.Errorf("%d runs of %d tasks", n, len(tasks))
	}

	parts, _, _ := open(t, plan)
	for _, list := range [][]sweep.Task{tasks[5:], tasks[2:4], tasks[3:6], tasks} {
		missing, err := parts.Missing(list)
		if err != nil {
			t.Fatal(err)
		}
		if err := parts.Local(t.Context(), prog, p, missing, 1, func() {}); err != nil {
			t.Fatal(err)
		}
	}
	if n := runs(t, dir); n != 2*len(tasks) {
		t.Errorf("%d runs, want %d: none of a task that has a result", n, 2*len(tasks))
	}
	if err := parts.Run(t.Context(), prog, p, &tasks[4]); err != nil { // once more
		t.Fatal(err)
	}
	if err := parts.Summarise(p, tasks); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(want, tree(t, parts.Dir)); d != "" {
		t.Error(d)
	}
}

// A run that fails has no result, leaves nothing, and stops no other; one that finds
// something has one.
func TestFails(t *testing.T) {
	for _, x := range []struct {
		name, eight, want string
		missing           int
	}{
		{"a finding", "code=1", "", 0},
		{"wrong use", "echo no such unit >&2; exit 2", "exit status 2: no such unit", 4},
		{"killed", "kill -9 $$", "signal: killed", 4},
		{"no result", "exit 0", "it wrote no result", 4},
		{"half a result", `echo '{"events"' > "$out"; exit 0`, "it wrote no result", 4},
	} {
		t.Run(x.name, func(t *testing.T) {
			prog, dir := program(t)
			if err := os.WriteFile(filepath.Join(dir, "eight"), []byte(x.eight), 0o644); err != nil {
				t.Fatal(err)
			}
			s, p, tasks := open(t, plan)
			err := s.Local(t.Context(), prog, p, tasks, 2, func() {})
			if (err == nil) != (x.want == "") || err != nil && !strings.Contains(err.Error(), x.want) {
				t.Errorf("error %v, want %q", err, x.want)
			}
			if all := x.missing > 0 && strings.Count(err.Error(), "\n") == 3 && strings.HasSuffix(err.Error(), "\n1 other runs failed as well"); x.missing > 0 && !all {
				t.Errorf("error %v, want three of the four in full", err)
			}
			missing, err := s.Missing(tasks)
			if err != nil || len(missing) != x.missing {
				t.Errorf("%d tasks have no result, %v; want %d", len(missing), err, x.missing)
			}
			for name := range tree(t, s.Dir) {
				if strings.Contains(name, ".run-") || strings.Contains(name, ".nicgen-") {
					t.Errorf("%s is left over", name)
				}
			}
		})
	}
}

// Results finished before the context ended are kept.
func TestInterrupted(t *testing.T) {
	prog, dir := program(t)
	if err := os.WriteFile(filepath.Join(dir, "eight"), []byte("sleep 60 & trap 'kill $!; exit 130' INT; wait"), 0o644); err != nil {
		t.Fatal(err)
	}
	s, p, tasks := open(t, plan)
	ctx, stop := context.WithCancel(t.Context())
	err := s.Local(ctx, prog, p, tasks[:4], 1, stop)
	if !errors.Is(err, context.Canceled) {
		t.Errorf("error %v, want that of the context", err)
	}
	missing, err := s.Missing(tasks[:4])
	if err != nil || len(missing) != 3 {
		t.Errorf("%d tasks have no result, %v; want 3", len(missing), err)
	}
}

func TestSummaryErrors(t *testing.T) {
	text := strings.Replace(plan, "count: events", "count: nothing.there", 1)
	prog, _ := program(t)
	s, p, tasks := open(t, text)
	if err := s.Local(t.Context(), prog, p, tasks[:1], 1, func() {}); err == nil {
		t.Error("the first result has no such number, and no error")
	}
	if err := s.Summarise(p, tasks); err == nil || !strings.Contains(err.Error(), "numbers: count: there is no nothing.there in ") {
		t.Errorf("error %v", err)
	}
	if _, err := os.Stat(s.Summary()); err == nil {
		t.Error("there is a summary")
	}
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	name = filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(name, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-update writes it anew):\n%s", name, d)
	}
}

func TestScripts(t *testing.T) {
	s := &sweep.Store{Dir: "/shared/it's a sweep"}
	golden(t, "job.sh", s.SlurmScript("/opt/nicgen", sweep.Shares(5000, sweep.MaxShares), 8))
	text, err := sweep.Cluster{Image: "registry.example/nicgen:1", Claim: "sweeps"}.Manifest(12, 4)
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "job.yaml", string(text))
}

// Names that Kubernetes refuses are refused before anything is written.
func TestClusterCheck(t *testing.T) {
	for _, c := range []struct{ image, claim, problem string }{
		{"nicgen", "sweeps", ""},
		{"registry.example:5000/lab/nicgen:1.2@sha256:" + strings.Repeat("0a", 32), "sweeps.lab-1", ""},
		{"Nicgen", "sweeps", "--image: found \"Nicgen\""},
		{"nicgen:", "sweeps", "--image: found \"nicgen:\""},
		{"lab/nicgen 1", "sweeps", "--image: found \"lab/nicgen 1\""},
		{"nicgen", "Sweeps", "--claim: found \"Sweeps\""},
		{"nicgen", "-sweeps", "--claim: found \"-sweeps\""},
		{"nicgen", "a..b", "--claim: found \"a..b\""},
		{"nicgen", strings.Repeat("s", 254), "want at most 253"},
	} {
		err := sweep.Cluster{Image: c.image, Claim: c.claim}.Check()
		if (err == nil) != (c.problem == "") || err != nil && !strings.Contains(err.Error(), c.problem) {
			t.Errorf("image %q, claim %q: %v, want %q", c.image, c.claim, err, c.problem)
		}
	}
}

// The elements of an array are as many as Slurm allows, and never more than MaxShares.
func TestSlurmLimit(t *testing.T) {
	for _, c := range []struct {
		answer string
		want   int
	}{
		{"echo 'MaxArraySize            = 101'", 101},
		{"echo 'MaxArraySize            = 1001'", sweep.MaxShares},
		{"echo 'MaxArraySize            = 4000001'", sweep.MaxShares},
		{"echo 'MaxArraySize            = 0'", sweep.MaxShares},
		{"echo 'MaxJobCount             = 7'", sweep.MaxShares},
		{"exit 1", sweep.MaxShares},
	} {
		bin := t.TempDir()
		if err := os.WriteFile(filepath.Join(bin, "scontrol"), []byte("#!/bin/sh\n"+c.answer+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
		t.Setenv("PATH", bin)
		if got := sweep.SlurmLimit(t.Context()); got != c.want {
			t.Errorf("%s: %d elements, want %d", c.answer, got, c.want)
		}
	}
}

// sbatch stands for Slurm's: it runs the elements of an array, last first, the first of them
// twice, and as "lost" says one not at all.
const sbatch = `#!/bin/bash
echo 4711
script=${!#}
last=$(sed -n 's/^#SBATCH --array=0-//p' "$script")
bad=0
for n in 0 $(seq "$last" -1 0); do
  [ "$n" != "$(cat "$(dirname "$0")/lost" 2>/dev/null)" ] || continue
  SLURM_ARRAY_TASK_ID=$n bash "$script" || bad=1
done
exit $bad
`

// A Slurm job makes the same files as this machine, even if it loses a task and runs
// another twice.
func TestSlurm(t *testing.T) {
	prog, _ := program(t)
	here, p, tasks := open(t, plan)
	if err := here.Local(t.Context(), prog, p, tasks, 2, func() {}); err != nil {
		t.Fatal(err)
	}
	bin := t.TempDir()
	put := func(name, text string) {
		if err := os.WriteFile(filepath.Join(bin, name), []byte(text), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	t.Setenv("PATH", bin)
	s, _, _ := open(t, plan)
	// The elements run this test program as nicgen: see TestMain.
	t.Setenv("SWEEP_TEST_PROGRAM", prog)
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	script := s.SlurmScript(self, sweep.Shares(len(tasks), sweep.MaxShares), 0)
	if err := s.Slurm(t.Context(), script, func(string) {}); !errors.Is(err, sweep.ErrNoSlurm) {
		t.Fatalf("error %v without Slurm", err)
	}
	t.Setenv("PATH", bin+":/usr/local/bin:/usr/bin:/bin")
	put("sbatch", sbatch)
	put("lost", "5")
	job := ""
	if err := s.Slurm(t.Context(), script, func(n string) { job = n }); err != nil {
		t.Fatal(err)
	}
	if job != "4711" {
		t.Errorf("job %q, want 4711", job)
	}
	missing, err := s.Missing(tasks)
	if err != nil || len(missing) != 1 || missing[0].Number != 5 {
		t.Errorf("%v have no result, %v; want task 5", missing, err)
	}
	put("lost", "")
	if err := s.Slurm(t.Context(), script, func(string) {}); err != nil {
		t.Fatal(err)
	}
	want, got := tree(t, here.Dir), tree(t, s.Dir)
	for name := range want {
		if got[name] != want[name] {
			t.Errorf("%s is %q, want %q", name, got[name], want[name])
		}
	}
	// Elements that fail are no error, but that sbatch was killed is one.
	for _, x := range []struct{ sbatch, want string }{
		{"echo 4711; exit 1", ""},
		{"echo no partition >&2; exit 1", "sbatch: exit status 1: no partition"},
		{"echo 4711; kill -TERM $$", "sbatch: signal: terminated: "},
	} {
		put("sbatch", "#!/bin/sh\n"+x.sbatch+"\n")
		if err := s.Slurm(t.Context(), script, func(string) {}); (err == nil) != (x.want == "") || err != nil && err.Error() != x.want {
			t.Errorf("%s: error %v, want %q", x.sbatch, err, x.want)
		}
	}
}

// TestMain is nicgen for the elements of TestSlurm: as much of its sweep command as they use.
func TestMain(m *testing.M) {
	prog := os.Getenv("SWEEP_TEST_PROGRAM")
	if prog == "" || len(os.Args) < 2 || os.Args[1] != "sweep" {
		os.Exit(m.Run())
	}
	args := strings.Join(os.Args[1:], " ")
	var name, dir, part string
	flags := flag.NewFlagSet("sweep", flag.ExitOnError)
	flags.StringVar(&dir, "out", "", "")
	flags.StringVar(&part, "share", "", "")
	flags.Int("jobs", 0, "")
	flags.Bool("quiet", false, "")
	name = os.Args[2]
	if err := flags.Parse(os.Args[3:]); err != nil {
		panic(args)
	}
	text, err := os.ReadFile(name)
	if err != nil {
		panic(err)
	}
	p, err := sweep.Parse(name, text)
	if err != nil {
		panic(err)
	}
	share, err := sweep.ParseShare(part)
	if err != nil {
		panic(err)
	}
	s, err := sweep.Open(dir, text, "", false)
	if err != nil {
		panic(err)
	}
	missing, err := s.Missing(share.Tasks(p.Tasks()))
	if err != nil {
		panic(err)
	}
	if err := s.Local(context.Background(), prog, p, missing, 1, func() {}); err != nil {
		panic(err)
	}
}

// A plan of the command line is the same as one of a file.
func TestWrite(t *testing.T) {
	text, err := sweep.Write([]string{"sim", "incast", "--note", "two words"}, "7-8", []string{"--beta=1,2"}, []string{"depth=8,16"}, []string{"found=claims.0.found"})
	if err != nil {
		t.Fatal(err)
	}
	want := parse(t, "command: [sim, incast, --note, two words]\nseeds: 7-8\nflags: {beta: [1, 2]}\nset: {depth: [8, 16]}\nnumbers: {found: claims.0.found}")
	got := parse(t, string(text))
	if d := cmp.Diff(want.Tasks(), got.Tasks()); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(want.Numbers, got.Numbers); d != "" {
		t.Error(d)
	}
	if n, want := len(parse(t, string(must(t)(sweep.Write([]string{"soak"}, "3,5,9", nil, nil, nil)))).Tasks()), 3; n != want {
		t.Errorf("%d seeds of a list, want %d", n, want)
	}
	for _, x := range []struct {
		flags, set, numbers []string
		want                string
	}{
		{flags: []string{"beta"}, want: `found "beta", want FLAG=VALUE,VALUE`},
		{set: []string{"=8"}, want: `found "=8", want KEY=VALUE,VALUE`},
		{numbers: []string{"x="}, want: `found "x=", want NAME=PATH`},
	} {
		if _, err := sweep.Write([]string{"soak"}, "1", x.flags, x.set, x.numbers); err == nil || err.Error() != x.want {
			t.Errorf("error %v, want %s", err, x.want)
		}
	}
	if got, want := sweep.Shell([]string{"sim", "--note", "it's two", "--set=a=1,2"}), `sim --note 'it'\''s two' --set=a=1,2`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

func must(t *testing.T) func([]byte, error) []byte {
	return func(b []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
}

// A number that results do not have stops the sweep at the first one, which is kept.
func TestWrongNumber(t *testing.T) {
	text := strings.Replace(plan, "numbers:", "numbers:\n  nowhere: not.there", 1)
	prog, dir := program(t)
	s, p, tasks := open(t, text)
	if err := s.Check(p, tasks); err != nil {
		t.Errorf("without results: error %v", err)
	}
	err := s.Local(t.Context(), prog, p, tasks, 1, func() {})
	if err == nil || !strings.Contains(err.Error(), "nowhere: there is no not.there in ") || !strings.HasSuffix(err.Error(), "which has events, configs, seed") {
		t.Errorf("error %v", err)
	}
	if n := runs(t, dir); n != 1 {
		t.Errorf("%d runs, want 1", n)
	}
	missing, err := s.Missing(tasks)
	if err != nil || len(missing) != len(tasks)-1 {
		t.Errorf("%d of %d tasks are missing, %v: want all but one", len(missing), len(tasks), err)
	}
	// From then on results are checked before anything runs, even another share's; errors list the files that
	// exist.
	for _, x := range []struct{ path, want string }{
		{"events", ""},
		{"configs.0.name", ""},
		{"not.there", "which has events, configs, seed"},
		{"configs.0.nome", "which has configs.0.name"},
		{"configs.7.name", "which has 1 elements in configs"},
		{"seed.x", "which has events, configs, seed"},
	} {
		p := parse(t, strings.Replace(plan, "count: events", "count: "+x.path, 1))
		err := s.Check(p, tasks)
		if (err == nil) != (x.want == "") || err != nil && !(strings.HasSuffix(err.Error(), x.want) && strings.Contains(err.Error(), tasks[0].ID()+".json")) {
			t.Errorf("%s: error %v, want %q", x.path, err, x.want)
		}
	}
	// The folder's results of other plans are none of this one's.
	other := parse(t, strings.NewReplacer("1000", "1001", "count: events", "count: nowhere").Replace(plan))
	if err := s.Check(other, other.Tasks()); err != nil {
		t.Errorf("results of another plan: error %v", err)
	}
}

// Of a task that runs twice at a time, the first result counts; that it takes half work from the other one is no failure.
func TestTwins(t *testing.T) {
	prog, dir := program(t)
	s, p, tasks := open(t, plan)
	first := filepath.Join(s.Dir, "results", tasks[1].ID()+".json")
	if err := os.WriteFile(filepath.Join(dir, "eight"), []byte(`echo '{"events":1,"configs":[{"name":"first"}]}' > '`+first+`'; exit 2`), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := s.Run(t.Context(), prog, p, &tasks[1]); err != nil {
		t.Error(err)
	}
	if text, err := os.ReadFile(first); err != nil || !strings.Contains(string(text), "first") {
		t.Errorf("the result is %s, %v", text, err)
	}
}

// Results of another build are not mixed with this build's results, unless --keep is set.
func TestOpenBuild(t *testing.T) {
	dir := t.TempDir()
	opened := func(build string, keep bool) error {
		_, err := sweep.Open(dir, []byte(plan), build, keep)
		return err
	}
	if err := errors.Join(opened("a", false), opened("b", false)); err != nil {
		t.Errorf("without results: %v", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "results", "x.json"), []byte("{}"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := opened("c", false); err == nil || !strings.Contains(err.Error(), "found results of another build of nicgen, b; this one is c: name another folder, or keep them with --keep") {
		t.Errorf("another build: error %v", err)
	}
	if err := errors.Join(opened("b", false), opened("", false), opened("c", true), opened("c", false)); err != nil {
		t.Errorf("the same, one that runs nothing, kept ones: %v", err)
	}
	if err := os.Remove(filepath.Join(dir, "build.txt")); err != nil {
		t.Fatal(err)
	}
	if err := opened("c", false); err == nil || !strings.Contains(err.Error(), "another build of nicgen, not named; this one is c") {
		t.Errorf("results of a build without a name: error %v", err)
	}
}

// The manifest has the fields that a Job of batch/v1 has, in the types that it has them, and no other.
func TestManifest(t *testing.T) {
	text, err := sweep.Cluster{Image: "registry.example/nicgen:1", Claim: "sweeps"}.Manifest(12, 4)
	if err != nil {
		t.Fatal(err)
	}
	var job struct {
		APIVersion string `yaml:"apiVersion"`
		Kind       string
		Metadata   struct {
			GenerateName string `yaml:"generateName"`
		}
		Spec struct {
			CompletionMode string `yaml:"completionMode"`
			Completions    int32
			Parallelism    int32
			// Without it, one index that fails ends the Job, and the others with it.
			BackoffLimitPerIndex *int32 `yaml:"backoffLimitPerIndex"`
			Template             struct {
				Spec struct {
					RestartPolicy string `yaml:"restartPolicy"`
					Containers    []struct {
						Name, Image  string
						Command      []string
						VolumeMounts []struct {
							Name      string
							MountPath string `yaml:"mountPath"`
						} `yaml:"volumeMounts"`
					}
					Volumes []struct {
						Name                  string
						PersistentVolumeClaim struct {
							ClaimName string `yaml:"claimName"`
						} `yaml:"persistentVolumeClaim"`
					}
				}
			}
		}
	}
	if err := yaml.UnmarshalWithOptions(text, &job, yaml.Strict()); err != nil {
		t.Fatal(err)
	}
	if job.Metadata.GenerateName == "" {
		t.Error("the job has no name of its own each time: a second one would not run")
	}
	if job.Spec.BackoffLimitPerIndex == nil {
		t.Error("the job has no limit for each index: one run that fails ends the others")
	}
	pod := job.Spec.Template.Spec
	if job.APIVersion != "batch/v1" || job.Kind != "Job" || job.Spec.CompletionMode != "Indexed" || job.Spec.Completions != 12 || job.Spec.Parallelism != 4 {
		t.Errorf("%+v: want 12 completions of an Indexed Job, 4 at a time", job.Spec)
	}
	if pod.RestartPolicy != "Never" && pod.RestartPolicy != "OnFailure" { // a Job has no others
		t.Errorf("restart policy %q", pod.RestartPolicy)
	}
	if len(pod.Containers) != 1 || len(pod.Containers[0].VolumeMounts) != 1 || len(pod.Volumes) != 1 ||
		pod.Containers[0].VolumeMounts[0].Name != pod.Volumes[0].Name || pod.Volumes[0].PersistentVolumeClaim.ClaimName != "sweeps" {
		t.Errorf("the claim is not mounted: %+v", pod)
	}
	if c := pod.Containers[0].Command; len(c) != 3 || !strings.Contains(c[2], `--share "$JOB_COMPLETION_INDEX/12"`) {
		t.Errorf("command %q: want a share by the pod's index", c)
	}
	if kept, err := (sweep.Cluster{Keep: true}).Manifest(12, 4); err != nil || !strings.Contains(string(kept), " --keep") || strings.Contains(string(text), "--keep") {
		t.Errorf("%v: want --keep in the pods of a job that keeps results, and in no others:\n%s", err, kept)
	}
}
