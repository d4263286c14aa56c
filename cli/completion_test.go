// SPDX-License-Identifier: Apache-2.0

//go:build unix

package cli

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/creack/pty"
	"github.com/google/go-cmp/cmp"
)

// shells lists the shells that nicgen completion supports: how to start each without the user's settings, and the
// commands that load the script and set a prompt.
var shells = []struct {
	name  string
	start []string
	setUp string
}{
	{"bash", []string{"--norc", "--noprofile", "-i"}, "PS1='ready> '; source <(nicgen completion bash)"},
	{"zsh", []string{"-f", "-i"}, "PS1='ready> '; autoload -Uz compinit; compinit -u; zstyle ':completion:*' insert-tab false; source <(nicgen completion zsh)"},
	{"fish", []string{"--no-config", "-i"}, "function fish_prompt; echo -n 'ready> '; end; nicgen completion fish | source"},
}

// TAB in a real shell completes commands, verbs, units, figures, flags, choices, files and the command behind a sweep,
// and runs nothing.
func TestCompletionInShells(t *testing.T) {
	for _, shell := range shells {
		t.Run(shell.name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			for _, name := range []string{"plan one.yaml", "other/inner.yaml"} {
				path := filepath.Join(dir, name)
				if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(path, nil, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			s := startShell(t, dir, shell.name, shell.start, shell.setUp)
			for _, c := range []struct{ typed, want string }{
				{"nicgen cosi", "nicgen|cosim"},
				{"nicgen nic rep", "nicgen|nic|replay"},
				{"nicgen describe to", "nicgen|describe|toy"},
				{"nicgen reproduce powertcp-th", "nicgen|reproduce|powertcp-theorems"},
				{"nicgen emit --print-c", "nicgen|emit|--print-config"},
				{"nicgen emit --unit to", "nicgen|emit|--unit|toy"},
				{"nicgen emit --style=gr", "nicgen|emit|--style=gray"},
				{"nicgen emit --set sty", "nicgen|emit|--set|style="},
				{"nicgen emit --set style=gr", "nicgen|emit|--set|style=gray"},
				{"nicgen csr wat", "nicgen|csr|watch"},
				{"nicgen sweep --engine sl", "nicgen|sweep|--engine|slurm"},
				{"nicgen sweep pla", "nicgen|sweep|plan one.yaml"},
				{"nicgen sweep --out oth", "nicgen|sweep|--out|other"},
				{"nicgen emit --config=pla", "nicgen|emit|--config=plan one.yaml"},
				{"nicgen sweep --seeds 1-2 --out made -- soa", "nicgen|sweep|--seeds|1-2|--out|made|--|soak"},
				{"nicgen sweep --seeds 1-2 --out made -- soak --unit to", "nicgen|sweep|--seeds|1-2|--out|made|--|soak|--unit|toy"},
				{"nicgen sweep --seeds 1-2 --out made --engine slurm -- soak --unit toy --events 1000 ", "nicgen|sweep|--seeds|1-2|--out|made|--engine|slurm|--|soak|--unit|toy|--events|1000"},
			} {
				if got := s.complete(c.typed); got != c.want {
					t.Errorf("%q and TAB: %q, want %q", c.typed, got, c.want)
				}
			}
			left, err := os.ReadDir(dir)
			var names []string
			for _, e := range left {
				names = append(names, e.Name())
			}
			if want := []string{"other", "plan one.yaml"}; err != nil || !slices.Equal(names, want) {
				t.Errorf("after TAB there is %q, %v; want %q: something ran", names, err, want)
			}
		})
	}
}

// A completion script of an earlier version runs nothing either.
func TestStaleCompletion(t *testing.T) {
	dir := t.TempDir()
	var out bytes.Buffer
	args := []string{"nicgen", "sweep", "--seeds", "1", "--out", filepath.Join(dir, "made"), "--", "soak", "--unit", "toy", "--events", "1000", "--generate-bash-completion"}
	if code := Run(t.Context(), args, Env{Stdout: &out, Stderr: &out, Units: testUnits()}); code != Fine || out.Len() > 0 {
		t.Errorf("exit code %d, %q; want no words", code, out.String())
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Errorf("%v is there, %v: something ran", left, err)
	}
}

// Words that nothing completes give an answer without words, whatever the line.
func TestCompletionOfNonsense(t *testing.T) {
	for _, line := range []string{"", "-", "nowhere x", "emit --nothing", "emit --nothing=", "emit -- x", "sweep -- -- --", "sweep -- sweep -- emit --unit", "help no", "= =", "emit --set =", "nic nowhere "} {
		var out bytes.Buffer
		args := append([]string{"nicgen", completeName, "bash"}, strings.Split(line, " ")...)
		if code := Run(t.Context(), args, Env{Stdout: &out, Stderr: io.Discard, Units: testUnits()}); code != Fine {
			t.Errorf("%q: exit code %d, want %d", line, code, Fine)
		}
		kind, _, _ := strings.Cut(out.String(), "\n")
		if want := []string{completeWords, completeFiles, completeFolders}; !slices.Contains(want, kind) {
			t.Errorf("%q: found %q, want one of %q", line, kind, want)
		}
	}
}

// Completion offers only the flags of the units that the line names.
func TestCompletionOfFlags(t *testing.T) {
	offered := func(words ...string) []string {
		var out bytes.Buffer
		if code := Run(t.Context(), append([]string{"nicgen", completeName, "bash"}, words...), Env{Stdout: &out, Stderr: io.Discard, Units: testUnits()}); code != Fine {
			t.Fatalf("%q: exit code %d", words, code)
		}
		return strings.Split(strings.TrimSpace(out.String()), "\n")[1:]
	}
	if diff := cmp.Diff([]string{"--style"}, offered("emit", "--unit", "toy", "--sty")); diff != "" {
		t.Errorf("flags of toy (-want +got):\n%s", diff)
	}
	if got := offered("emit", "--unit", "nowhere", "--sty"); len(got) > 0 {
		t.Errorf("flags of a unit that is not there: %q", got)
	}
}

// shellSession is a shell at a terminal.
type shellSession struct {
	t        *testing.T
	terminal *os.File
	read     chan string
	seen     string
}

func startShell(t *testing.T, dir, name string, args []string, setUp string) *shellSession {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "HOME="+t.TempDir(), "TERM=xterm", "INPUTRC=/dev/null", "HISTFILE=/dev/null")
	terminal, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 50, Cols: 400})
	if err != nil {
		t.Fatalf("%s: %v; make deps-tests installs it", name, err)
	}
	s := &shellSession{t: t, terminal: terminal, read: make(chan string)}
	go func() {
		defer close(s.read)
		for {
			b := make([]byte, 4096)
			n, err := terminal.Read(b)
			if n > 0 {
				s.read <- string(b[:n])
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		go func() {
			for range s.read {
			}
		}()
		_ = cmd.Wait()
		_ = terminal.Close()
	})
	s.send(setUp + "; echo 'set''up'\r")
	s.until("setup\r")
	return s
}

func (s *shellSession) send(text string) {
	s.t.Helper()
	if _, err := io.WriteString(s.terminal, text); err != nil {
		s.t.Fatal(err)
	}
}

// until waits for a text, and returns the terminal's output since the last call.
func (s *shellSession) until(text string) string {
	s.t.Helper()
	for {
		if at := strings.Index(s.seen, text); at >= 0 {
			before := s.seen[:at]
			s.seen = s.seen[at+len(text):]
			return before
		}
		select {
		case more, ok := <-s.read:
			if !ok {
				s.t.Fatalf("the shell ended, %q was not on the terminal:\n%s", text, s.seen)
			}
			s.seen += more
		case <-s.t.Context().Done():
			s.t.Fatalf("%q was not on the terminal:\n%s", text, s.seen)
		}
	}
}

// complete types a line and TAB, and returns its words, which the shell prints with the line as arguments of printf.
// The slash behind a folder is left out: zsh takes it back.
func (s *shellSession) complete(typed string) string {
	s.t.Helper()
	const begin, end = "<<", ">>"
	s.send(typed + "\t" + "\x01" + "printf '<''<'; printf '%s|' " + "\x05" + "; printf '>''>\\n'\r")
	s.until(begin)
	return strings.TrimSuffix(strings.TrimSuffix(s.until(end), "|"), "/")
}
