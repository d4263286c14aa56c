// SPDX-License-Identifier: Apache-2.0

package sweep

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/distribution/reference"
	"github.com/goccy/go-yaml"
)

// MaxShares is the largest number of shares of a job. Slurm's default MaxArraySize, 1001, allows one more.
const MaxShares = 1000

// Shares returns the number of shares among which a job deals its tasks, at most limit.
func Shares(tasks, limit int) int { return min(tasks, limit) }

// Slurm's and Kubernetes' files in a sweep's folder.
const (
	slurmFile      = "job.sh"
	kubernetesFile = "job.yaml"
	logDir         = "log"
)

// quote makes a word of the shell of a text.
func quote(text string) string { return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'" }

// plain are words that the shell takes as they are.
var plain = regexp.MustCompile(`^[\w@%+=:,./-]+$`)

// Shell is a command as it is typed into a shell.
func Shell(args []string) string {
	words := slices.Clone(args)
	for i, w := range words {
		if !plain.MatchString(w) {
			words[i] = quote(w)
		}
	}
	return strings.Join(words, " ")
}

// SlurmScript returns the script of an array job whose element N runs share N of shares, at most parallel of them at
// a time. If parallel is 0, Slurm chooses.
func (s *Store) SlurmScript(program string, shares, parallel int) string {
	most := ""
	if parallel > 0 {
		most = fmt.Sprintf("%%%d", parallel)
	}
	return fmt.Sprintf(`#!/bin/bash
#SBATCH --job-name=nicgen-sweep
#SBATCH --array=0-%d%s
#SBATCH --ntasks=1
#SBATCH --output="%s"
exec %s sweep %s --out %s --jobs 1 --share "$SLURM_ARRAY_TASK_ID/%d" --quiet
`, shares-1, most, filepath.Join(s.Log(), "%a.txt"), quote(program), quote(s.Plan()), quote(s.Dir), shares)
}

// ErrNoSlurm says that there is no Slurm to give a job to.
var ErrNoSlurm = errors.New("there is no sbatch in PATH: run this where Slurm is, install it (Debian: slurm-client), or use --engine local")

// FindSlurm returns ErrNoSlurm if Slurm is not installed.
func FindSlurm() error {
	if _, err := exec.LookPath("sbatch"); err != nil {
		return ErrNoSlurm
	}
	return nil
}

// arraySize is the line of Slurm's configuration that limits the elements of an array.
var arraySize = regexp.MustCompile(`(?m)^MaxArraySize\s*=\s*(\d+)\s*$`)

// SlurmLimit returns the largest number of elements of an array job: the MaxArraySize of the Slurm that scontrol
// reaches, at most MaxShares; MaxShares where scontrol does not answer.
func SlurmLimit(ctx context.Context) int {
	out, err := exec.CommandContext(ctx, "scontrol", "show", "config").Output()
	if err != nil {
		return MaxShares // sbatch reports the error
	}
	size := arraySize.FindSubmatch(out)
	if size == nil {
		return MaxShares
	}
	n, err := strconv.Atoi(string(size[1]))
	if err != nil || n < 1 {
		return MaxShares // 0 forbids arrays: sbatch says so
	}
	return min(n, MaxShares)
}

// Log is the folder of what each element of a job printed.
func (s *Store) Log() string { return filepath.Join(s.Dir, logDir) }

// Slurm submits the script and waits until the job has ended. told gets the job's number at
// once. When ctx ends, the job goes on.
func (s *Store) Slurm(ctx context.Context, script string, told func(job string)) error {
	sbatch, err := exec.LookPath("sbatch")
	if err != nil {
		return ErrNoSlurm
	}
	if err := os.MkdirAll(s.Log(), 0o755); err != nil {
		return err
	}
	if err := s.write(slurmFile, []byte(script)); err != nil {
		return err
	}
	cmd := exec.CommandContext(ctx, sbatch, "--wait", "--parsable", filepath.Join(s.Dir, slurmFile))
	ownGroup(cmd) // else Ctrl-C ends it before ctx, and the elements seem to have failed
	var messages bytes.Buffer
	cmd.Stderr = &messages
	cmd.Stdout = &firstLine{told: told}
	err = cmd.Run()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	var exit *exec.ExitError
	if errors.As(err, &exit) && exit.Exited() && cmd.Stdout.(*firstLine).ended {
		return nil // elements failed: the missing results show which
	}
	if err != nil {
		return fmt.Errorf("sbatch: %w: %s", err, lastLines(messages.String()))
	}
	return nil
}

// firstLine tells of the first line that is written.
type firstLine struct {
	text  []byte
	ended bool
	told  func(string)
}

func (f *firstLine) Write(b []byte) (int, error) {
	if !f.ended {
		f.text = append(f.text, b...)
		if line, _, ok := bytes.Cut(f.text, []byte("\n")); ok {
			f.ended = true
			f.told(string(line))
		}
	}
	return len(b), nil
}

// Cluster names the image with the program and the volume with the sweep's folder for a
// Kubernetes job.
type Cluster struct {
	Image string // has sh, and nicgen in its PATH
	Claim string // PersistentVolumeClaim that many nodes can write; the sweep's folder is its root
	Keep  bool   // pods keep results of another build than the image's
}

// claim is the name of an object of Kubernetes: a DNS subdomain (RFC 1123).
var claim = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]*[a-z0-9])?(\.[a-z0-9]([a-z0-9-]*[a-z0-9])?)*$`)

// maxClaim is the length of the longest such name.
const maxClaim = 253

// Check reports names that Kubernetes would refuse, with the flags that set them.
func (k Cluster) Check() error {
	if _, err := reference.ParseNormalizedNamed(k.Image); err != nil {
		return fmt.Errorf("--image: found %q, %w: want [REGISTRY/]NAME[:TAG][@DIGEST] in lower case, such as registry.example/nicgen:1", k.Image, err)
	}
	if len(k.Claim) > maxClaim || !claim.MatchString(k.Claim) {
		return fmt.Errorf("--claim: found %q, want at most %d lower-case letters, digits, '-' and '.', with a letter or digit at each end", k.Claim, maxClaim)
	}
	return nil
}

// retries is the number of times that a pod of an index is replaced: once, in case a node
// is lost.
const retries = 1

// mount is the path of the volume in a pod.
const mount = "/sweep"

// Manifest returns an Indexed Job whose pod N runs share N of shares, at most parallel of
// them at a time.
func (k Cluster) Manifest(shares, parallel int) ([]byte, error) {
	type m = yaml.MapSlice
	item := func(key string, value any) yaml.MapItem { return yaml.MapItem{Key: key, Value: value} }
	name, keep := "nicgen-sweep", ""
	if k.Keep {
		keep = " --keep"
	}
	return yaml.Marshal(m{
		item("apiVersion", "batch/v1"),
		item("kind", "Job"),
		item("metadata", m{item("generateName", name+"-")}), // a Job does not run twice: each has its own name
		item("spec", m{
			item("completionMode", "Indexed"),
			item("completions", shares),
			item("parallelism", min(parallel, shares)),
			item("backoffLimitPerIndex", retries), // an index that fails ends alone; the others go on
			item("template", m{item("spec", m{
				item("restartPolicy", "Never"),
				item("containers", []m{{
					item("name", name),
					item("image", k.Image),
					item("command", []string{"sh", "-c", fmt.Sprintf(`exec nicgen sweep %s/%s --out %s --jobs 1 --share "$JOB_COMPLETION_INDEX/%d" --quiet%s`,
						mount, planFile, mount, shares, keep)}),
					item("volumeMounts", []m{{item("name", "sweep"), item("mountPath", mount)}}),
				}}),
				item("volumes", []m{{item("name", "sweep"), item("persistentVolumeClaim", m{item("claimName", k.Claim)})}}),
			})}),
		}),
	})
}

// WriteManifest writes the manifest into the folder, and returns the file's name.
func (s *Store) WriteManifest(text []byte) (string, error) {
	return filepath.Join(s.Dir, kubernetesFile), s.write(kubernetesFile, text)
}
