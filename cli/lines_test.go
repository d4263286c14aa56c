// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/internal/sample"
)

// commandLine is a command that people are told to type, and where.
type commandLine struct{ where, text string }

var (
	// inFence is a command in a block of code, with a prompt or settings of the environment in front.
	inFence = regexp.MustCompile(`^(?:\$ )?(?:[A-Z_]+=\S+ )*(?:build/)?(nicgen .*)$`)
	// inText is a command in a line of text.
	inText = regexp.MustCompile("`(nicgen [^`]+)`")
	// inHelp is an example in the help of a command.
	inHelp = regexp.MustCompile(`(?m)^ {3}(nicgen .*)$`)
	// placeholder is a word that stands for others: UNIT, FILE.yaml, […], …
	placeholder = regexp.MustCompile(`(^|[\s=./:])[A-Z]{2,}| N\b|[…<>\[\]]|\.\.\.`)
)

// commandLines returns the command lines of a page.
func commandLines(name, page string) (list []commandLine) {
	fenced := false
	page = strings.ReplaceAll(page, "\\\n", " ") // a line that goes on
	for line := range strings.Lines(page) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "```") {
			fenced = !fenced
			continue
		}
		var found []string
		if fenced {
			line = strings.ReplaceAll(line, "--device …", "--device /dev/uio0")
			if m := inFence.FindStringSubmatch(line); m != nil {
				found = append(found, m[1])
			}
		} else {
			for _, m := range inText.FindAllStringSubmatch(line, -1) {
				found = append(found, m[1])
			}
		}
		for _, text := range found {
			if fenced || !placeholder.MatchString(text) {
				list = append(list, commandLine{name, text})
			}
		}
	}
	return list
}

// arguments are the words of a command as a shell has them, up to a comment, a pipe, a redirection,
// the next command or the next column of a table.
func arguments(line string) (words []string) {
	line, _, _ = strings.Cut(line, "  ")
	word, has, quote := "", false, rune(0)
	end := func() {
		if has {
			words = append(words, word)
		}
		word, has = "", false
	}
	for i, r := range line {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote != 0:
			word += string(r)
		case r == '\'' || r == '"':
			quote, has = r, true
		case r == ' ':
			end()
		case strings.ContainsRune("|>;&<", r), r == '#' && !has && i > 0:
			end()
			return words
		default:
			word, has = word+string(r), true
		}
	}
	end()
	return words
}

// farm is a folder with links to all files of the repository, for commands that name some.
func farm(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	root, err := filepath.Abs("..")
	if err != nil {
		t.Fatal(err)
	}
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(root, name)
		switch {
		case d.IsDir() && (rel == ".git" || rel == "build" || rel == "rtl"):
			return filepath.SkipDir
		case d.IsDir():
			return os.MkdirAll(filepath.Join(dir, rel), 0o755)
		}
		return os.Symlink(name, filepath.Join(dir, rel))
	})
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// Every command line in the pages and in the help is one that nicgen takes: with a context that
// has ended already, a command reads its arguments and its configuration and then stops.
func TestCommandLines(t *testing.T) {
	var lines []commandLine
	names, err := pageFiles(context.Background(), []string{".."})
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range names {
		name, _ := filepath.Rel("..", file)
		if strings.HasPrefix(name, "rtl/") && name != "rtl/README.md" { // emitted files
			continue
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, commandLines(name, string(text))...)
	}
	inPages := len(lines)
	app := newRunner(Env{&bytes.Buffer{}, &bytes.Buffer{}, everyUnit()}).app()
	for _, c := range app.Commands {
		for _, m := range inHelp.FindAllStringSubmatch(c.Description, -1) {
			lines = append(lines, commandLine{"nicgen " + c.Name + " --help", m[1]})
		}
	}
	for _, m := range inHelp.FindAllStringSubmatch(app.Description, -1) {
		lines = append(lines, commandLine{"nicgen --help", m[1]})
	}
	if inPages < 100 || len(lines)-inPages < 50 {
		t.Errorf("%d lines in pages, %d in the help: the test does not find them", inPages, len(lines)-inPages)
	}
	t.Chdir(farm(t))
	ended, end := context.WithCancel(context.Background())
	end()
	seen, page := map[string]bool{}, ""
	for _, l := range lines {
		words := arguments(l.text)
		key := strings.Join(words, "\x00")
		if sample.LeftOut(t.Name()+"/"+l.where+"/"+key) || seen[key] || named(app, words) {
			continue
		}
		if seen[key] = true; page != l.where { // a page starts without files from other pages
			page = l.where
			tidy(t)
		}
		var stdout, stderr bytes.Buffer
		code := Run(ended, words, Env{&stdout, &stderr, everyUnit()})
		t.Logf("%d %s: %s\n%s", code, l.where, l.text, stderr.String())
		if code == WrongUse && !missing(stderr.String(), words) {
			t.Errorf("%s: %s\n%s", l.where, l.text, stderr.String())
		}
	}
}

// named reports whether words only name a command, or one of its flags: "nicgen csr --offset".
func named(app *cli.App, words []string) bool {
	words = verb(app, words)
	if len(words) < 2 {
		return true
	}
	c := app.Command(words[1])
	switch {
	case c == nil || len(words) > 3:
		return false
	case len(words) == 2:
		return c.ArgsUsage != "" || slices.Contains([]string{"export", "place", "nic traffic", "nic replay"}, c.Name)
	}
	for _, v := range csrVerbs {
		if c.Name == csrName && v.name == words[2] {
			return true
		}
	}
	return slices.ContainsFunc(c.Flags, func(f cli.Flag) bool {
		value, ok := f.(cli.DocGenerationFlag)
		return ok && value.TakesValue() && words[2] == "--"+f.Names()[0]
	})
}

// tidy removes files that commands wrote next to the links.
func tidy(t *testing.T) {
	t.Helper()
	entries, err := os.ReadDir(".")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.Type().IsRegular() {
			if err := os.Remove(e.Name()); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// missing reports whether an error is only that a file that the words name is not there.
func missing(msg string, words []string) bool {
	return strings.Contains(msg, "no such file or directory") && slices.ContainsFunc(words[1:], func(w string) bool {
		_, value, flag := strings.Cut(w, "=")
		if !flag {
			value = w
		}
		return len(value) > 2 && strings.Contains(msg, value)
	})
}
