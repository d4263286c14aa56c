// SPDX-License-Identifier: Apache-2.0

//go:build unix && extras

package cli

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/internal/slurm"
)

// A real Slurm makes the files that the cores make, as an ordinary user and as root: all that a
// user can be, and if that is root, the first of it as root.
func TestSlurm(t *testing.T) {
	if missing := slurm.Missing(); len(missing) > 0 {
		t.Fatalf("there is no %s: make test-extras installs them", strings.Join(missing, ", "))
	}
	if os.Getuid() != 0 {
		slurmTests(newSlurmBench(t, nil))
		return
	}
	nobody, err := user.Lookup("nobody")
	if err != nil {
		t.Fatal(err)
	}
	uid, err := strconv.ParseUint(nobody.Uid, 10, 32)
	gid, err2 := strconv.ParseUint(nobody.Gid, 10, 32)
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	slurmTests(newSlurmBench(t, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}))
	b := newSlurmBench(t, nil)
	t.Run("root", func(t *testing.T) {
		t.Parallel()
		slurmFiles(b.with(t))
	})
}

func slurmTests(b *slurmBench) {
	for _, x := range []struct {
		name string
		test func(*slurmBench)
	}{{"stopped", slurmStopped}, {"files", slurmFiles}, {"fails", slurmFails}} {
		b.t.Run(x.name, func(t *testing.T) {
			t.Parallel()
			x.test(b.with(t))
		})
	}
}

// slurmFiles compares a sweep's files with those that the cores make: of a first time, with a result
// lost, and with an element that is run twice.
func slurmFiles(b *slurmBench) {
	text, err := os.ReadFile("../internal/sweep/testdata/plan.yaml")
	if err != nil {
		b.t.Fatal(err)
	}
	plan := b.put("hashes.yaml", string(text))
	b.run(0, b.nicgen, b.sweep(plan, "here", "--quiet")...)
	there := b.sweep(plan, "there", "--engine", "slurm")
	if out := b.run(0, b.nicgen, there...); !strings.HasPrefix(out, "4 of 4 tasks have a result; ") {
		b.t.Errorf("the sweep says %s", out)
	}
	b.same("first", "here", "there")
	// The tasks are more than an array of this Slurm may have elements.
	if job, err := os.ReadFile(filepath.Join(b.dir, "there", "job.sh")); err != nil || !strings.Contains(string(job), fmt.Sprintf("#SBATCH --array=0-%d\n", slurm.MaxArray-1)) {
		b.t.Errorf("the job is not an array of %d elements: %s, %v", slurm.MaxArray, job, err)
	}

	results, err := filepath.Glob(filepath.Join(b.dir, "there", "results", "*"))
	if err != nil || len(results) != 4 {
		b.t.Fatalf("%d results, %v", len(results), err)
	}
	_, before := b.files("there")
	if err := errors.Join(os.Remove(results[1]), os.Remove(filepath.Join(b.dir, "there", "summary.csv"))); err != nil {
		b.t.Fatal(err)
	}
	b.run(0, b.nicgen, there...)
	b.same("with a result lost", "here", "there")
	_, after := b.files("there")
	for name, when := range after {
		if again, want := !when.Equal(before[name]), name == "results/"+filepath.Base(results[1]); again != want {
			b.t.Errorf("%s was made again: %v, want %v", name, again, want)
		}
	}

	b.run(0, "env", "SLURM_ARRAY_TASK_ID=2", "bash", filepath.Join(b.dir, "there", "job.sh"))
	b.same("with an element twice", "here", "there")
	if _, twice := b.files("there"); !cmp.Equal(after, twice) {
		b.t.Errorf("an element twice made results again:\n%s", cmp.Diff(after, twice))
	}
}

// slurmFails has an element that fails: the others do not, and it is named.
func slurmFails(b *slurmBench) {
	plan := b.put("bad.yaml", "command: reproduce reps-14\nflags: {model: [golden, gilded]}\n")
	out := b.run(1, b.nicgen, b.sweep(plan, "bad", "--engine", "slurm")...)
	log := filepath.Join(b.dir, "bad", "log")
	for _, want := range []string{"1 of 2 tasks have a result; ", "\nmissing: nicgen reproduce reps-14 --model=gilded\n", "output of the job's elements is in " + log + "\n"} {
		if !strings.Contains(out, want) {
			b.t.Errorf("no %q in\n%s", want, out)
		}
	}
	if said, err := os.ReadFile(filepath.Join(log, "1.txt")); err != nil || !strings.Contains(string(said), `found "gilded"`) {
		b.t.Errorf("element 1 said %s, %v", said, err)
	}
}

// slurmStopped stops a soak with Ctrl-C and cancels its job. The same command goes on, with an element
// that Slurm ends and begins again, and one that runs a second time meanwhile: the files are the same.
func slurmStopped(b *slurmBench) {
	plan := b.put("soak.yaml", "command: soak --unit toy --configs 0 --cycles 100000 --events 4000000\nseeds: 1-3\nnumbers: {events: events}\n")
	b.run(0, b.nicgen, b.sweep(plan, "soak", "--quiet")...)

	sweep, messages := b.start(b.sweep(plan, "soaked", "--engine", "slurm", "--jobs", "1")...)
	b.until("element 1 runs", func() bool { return b.begun("soaked", 1) })
	if err := syscall.Kill(-sweep.Process.Pid, syscall.SIGINT); err != nil { // of all in the foreground, as a terminal does
		b.t.Fatal(err)
	}
	err := sweep.Wait()
	end := regexp.MustCompile(`error: interrupted: Slurm goes on with job (\d+); scancel (\d+) stops it\n`).FindStringSubmatch(messages())
	if sweep.ProcessState.ExitCode() != Interrupted || end == nil {
		b.t.Fatalf("Ctrl-C: %v, want exit code %d, and how to cancel the job:\n%s", err, Interrupted, messages())
	}
	if !b.active(end[1]) {
		b.t.Errorf("Ctrl-C: job %s does not go on", end[1])
	}
	b.run(0, "scancel", end[2])
	b.until("the job has ended", func() bool { return !b.active(end[1]) })
	files, results := b.files("soaked")
	if n := len(results); n == 0 || n == 3 {
		b.t.Errorf("after Ctrl-C %d of 3 tasks have a result, want some", n)
	}
	for name := range files {
		if strings.Contains(name, "/.run-") || strings.HasPrefix(name, ".nicgen-") {
			b.t.Errorf("after Ctrl-C %s is left over", name)
		}
	}

	if err := os.RemoveAll(filepath.Join(b.dir, "soaked", "log")); err != nil {
		b.t.Fatal(err)
	}
	sweep, messages = b.start(b.sweep(plan, "soaked", "--engine", "slurm")...)
	b.until("elements 1 and 2 run", func() bool { return b.begun("soaked", 1) && b.begun("soaked", 2) })
	job := regexp.MustCompile(`as job (\d+); `).FindStringSubmatch(messages())[1]
	b.until("Slurm takes element 1 back", func() bool { // it does not while another element ends
		return b.Command(b.t.Context(), "scontrol", "requeue", job+"_1").Run() == nil
	})
	b.until("element 1 is to begin again", func() bool {
		return strings.Contains(b.run(0, "scontrol", "show", "job", job+"_1"), " Restarts=1 ")
	})
	b.run(0, b.nicgen, b.sweep(plan, "soaked", "--share", "2/3", "--jobs", "1", "--quiet")...)
	if err := sweep.Wait(); err != nil {
		b.t.Fatalf("%v:\n%s", err, messages())
	}
	b.same("stopped, and with an element twice", "soak", "soaked")
}

// slurmBench is a cluster, its folder, and nicgen in it.
type slurmBench struct {
	*slurm.Cluster
	t           *testing.T
	dir, nicgen string
}

// newSlurmBench starts a cluster as a user.
func newSlurmBench(t *testing.T, as *syscall.Credential) *slurmBench {
	t.Helper()
	dir, err := os.MkdirTemp("", "slurm") // other users cannot enter t.TempDir
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := os.RemoveAll(dir); err != nil {
			t.Error(err)
		}
	})
	c, err := slurm.Start(t.Context(), dir, as)
	t.Cleanup(c.Stop)
	if err != nil {
		t.Fatal(err)
	}
	c.Env = append(c.Env, "NICGEN_CACHE="+filepath.Join(dir, "cache"))
	// Neither can they enter testscript's folder.
	from, err := exec.LookPath("nicgen")
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(from)
	if err != nil {
		t.Fatal(err)
	}
	b := &slurmBench{c, t, dir, filepath.Join(dir, "nicgen")}
	if err := os.WriteFile(b.nicgen, text, 0o755); err != nil {
		t.Fatal(err)
	}
	return b
}

// with is the same bench for another test.
func (b *slurmBench) with(t *testing.T) *slurmBench {
	return &slurmBench{b.Cluster, t, b.dir, b.nicgen}
}

// put makes a file, and returns its name.
func (b *slurmBench) put(name, text string) string {
	b.t.Helper()
	name = filepath.Join(b.dir, name)
	if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
	return name
}

// sweep are the arguments of a sweep.
func (b *slurmBench) sweep(plan, out string, more ...string) []string {
	return append([]string{"sweep", plan, "--out", filepath.Join(b.dir, out)}, more...)
}

// run runs a command, which has to end with the exit code.
func (b *slurmBench) run(code int, program string, args ...string) (out string) {
	b.t.Helper()
	cmd := b.Command(b.t.Context(), program, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err := cmd.Run()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) || cmd.ProcessState.ExitCode() != code {
		b.t.Fatalf("%s %s: %v, want exit code %d\n%s%s", filepath.Base(program), strings.Join(args, " "), err, code, &stdout, &stderr)
	}
	return stdout.String()
}

// start starts nicgen, and returns what tells its messages.
func (b *slurmBench) start(args ...string) (*exec.Cmd, func() string) {
	b.t.Helper()
	cmd := b.Command(b.t.Context(), b.nicgen, args...)
	file, err := os.Create(filepath.Join(b.dir, "messages"))
	if err != nil {
		b.t.Fatal(err)
	}
	defer file.Close()
	cmd.Stdout, cmd.Stderr = file, file
	if err := cmd.Start(); err != nil {
		b.t.Fatal(err)
	}
	return cmd, func() string {
		text, err := os.ReadFile(file.Name())
		if err != nil {
			b.t.Fatal(err)
		}
		return string(text)
	}
}

// until waits for something.
func (b *slurmBench) until(what string, so func() bool) {
	b.t.Helper()
	for end := time.Now().Add(5 * time.Minute); !so(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			b.t.Fatalf("not after five minutes: %s", what)
		}
	}
}

// begun reports whether an element of a sweep has begun.
func (b *slurmBench) begun(out string, element int) bool {
	_, err := os.Stat(filepath.Join(b.dir, out, "log", strconv.Itoa(element)+".txt"))
	return err == nil
}

// active reports whether an element of a job waits, runs or ends.
func (b *slurmBench) active(job string) bool {
	b.t.Helper()
	jobs, err := b.Jobs(b.t.Context())
	if err != nil {
		b.t.Fatal(err)
	}
	return slices.Contains(jobs, job)
}

// files returns the files that a sweep made, by name, and the time of each result.
func (b *slurmBench) files(out string) (text map[string]string, made map[string]time.Time) {
	b.t.Helper()
	text, made = map[string]string{}, map[string]time.Time{}
	dir := os.DirFS(filepath.Join(b.dir, out))
	err := fs.WalkDir(dir, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || name == "job.sh" || strings.HasPrefix(name, "log/") { // only a job has these
			return err
		}
		b, err := fs.ReadFile(dir, name)
		if err != nil {
			return err
		}
		text[name] = string(b)
		if strings.HasPrefix(name, "results/") {
			info, err := d.Info()
			if err != nil {
				return err
			}
			made[name] = info.ModTime()
		}
		return nil
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return text, made
}

// same compares what two sweeps made.
func (b *slurmBench) same(what, want, got string) {
	b.t.Helper()
	w, _ := b.files(want)
	g, _ := b.files(got)
	if d := cmp.Diff(w, g); d != "" {
		b.t.Errorf("%s: other files than those of the cores:\n%s", what, d)
	}
}
