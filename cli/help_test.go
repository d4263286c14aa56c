// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/registry"
)

// helped runs the real nicgen and returns what it prints.
func helped(t *testing.T, args ...string) string {
	t.Helper()
	var out, errs bytes.Buffer
	if code := Run(context.Background(), append([]string{"nicgen"}, args...), Env{&out, &errs, registry.Units}); code != Fine || errs.Len() > 0 {
		t.Fatalf("nicgen %s: exit code %d, %s", strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

var (
	headingLine = regexp.MustCompile(`^   ([a-z0-9_]+(?:, [a-z0-9_]+)*): (\S.*)$`)
	flagLine    = regexp.MustCompile(`^      (--\S+(?: [A-Z]+)?)(?:  +(.*))?$`)
)

// listed returns the parameters in a help text: "unit: section: --flag" → its description.
func listed(t *testing.T, help string) map[string]string {
	t.Helper()
	_, help, found := strings.Cut(help, "\nPARAMETERS:\n")
	if !found {
		t.Fatal("no section PARAMETERS")
	}
	m := map[string]string{}
	var units []string
	section, flag := "", ""
	for line := range strings.Lines(help) {
		line = strings.TrimRight(line, "\n")
		if h := headingLine.FindStringSubmatch(line); h != nil {
			units, section, flag = strings.Split(h[1], ", "), h[2], ""
			continue
		}
		text := strings.TrimSpace(line)
		if f := flagLine.FindStringSubmatch(line); f != nil {
			flag, text = f[1], f[2]
		}
		for _, u := range units {
			if flag == "" || text == "" {
				continue
			}
			key := fmt.Sprintf("%s: %s: %s", u, section, flag)
			m[key] = strings.TrimSpace(m[key] + " " + text)
		}
	}
	return m
}

// wanted adds the expected help entries of a unit's parameters to m.
func wanted(m map[string]string, cfg gen.Config) {
	for _, f := range cfg.Fields() {
		if !f.Flag {
			continue
		}
		name := "--" + strings.ReplaceAll(f.Key, "_", "-")
		head, values := name, name+"=false switches it off"
		switch f.Kind() {
		case gen.Int:
			head, values = name+" N", "N is "+f.Allowed()
		case gen.Enum:
			head, values = name+" CHOICE", "CHOICE is "+f.Allowed()
		}
		text := fmt.Sprintf("%s. %s; default %s.", strings.TrimSuffix(f.Doc, "."), values, f.Shown())
		m[fmt.Sprintf("%s: %s: %s", cfg.Unit(), f.Group, head)] = strings.Join(strings.Fields(text), " ")
	}
}

func same(t *testing.T, what string, got, want map[string]string) {
	t.Helper()
	for _, k := range sorted(want) {
		if got[k] != want[k] {
			t.Errorf("%s: %s\n says %q\nwants %q", what, k, got[k], want[k])
		}
	}
	for _, k := range sorted(got) {
		if _, ok := want[k]; !ok {
			t.Errorf("%s: %s is no parameter with a flag", what, k)
		}
	}
}

// The help says of each parameter what the unit's own table says: with --unit of that
// unit's alone, with several of all of them.
func TestHelpEqualsTheTables(t *testing.T) {
	for _, command := range []string{"emit", "cosim", "synth", "lint", "bench", "soak", "coverage"} {
		all := map[string]string{}
		for _, u := range registry.Units {
			own, unit := map[string]string{}, u.New().Unit()
			wanted(own, u.New())
			wanted(all, u.New())
			what := "nicgen " + command + " --unit " + unit + " --help"
			same(t, what, listed(t, helped(t, command, "--unit", unit, "--help")), own)
			if asked := helped(t, "help", command, "--unit", unit); asked != helped(t, command, "--help", "--unit", unit) {
				t.Errorf("nicgen help %s --unit %s is not %s:\n%s", command, unit, what, asked)
			}
		}
		same(t, "nicgen "+command+" --help of all units", listed(t, helped(t, append([]string{command, "--help"}, namingAll()...)...)), all)
	}
	paths := map[string]string{}
	for _, u := range registry.Units {
		if u.New().Unit() == "laps_paths" {
			wanted(paths, u.New())
		}
	}
	same(t, "nicgen place --help", listed(t, helped(t, "place", "--help")), paths)
}

// namingAll names all units on a command line.
func namingAll() (args []string) {
	for _, u := range registry.Units {
		args = append(args, "--unit", u.New().Unit())
	}
	return args
}

// Without --unit, the help has the flags of each unit without their descriptions, so that the command's own options
// are not lost among them.
func TestHelpIsShort(t *testing.T) {
	for _, command := range []string{"emit", "export", "cosim"} {
		help := helped(t, command, "--help")
		if n := strings.Count(help, "\n"); n > 220 {
			t.Errorf("nicgen %s --help has %d lines, want at most 220", command, n)
		}
		_, list, _ := strings.Cut(help, "\nPARAMETERS:\n")
		for _, u := range registry.Units {
			unit := u.New().Unit()
			_, own, found := strings.Cut(list, "\n   "+unit+" ")
			if !found {
				t.Errorf("nicgen %s --help does not have %s", command, unit)
			}
			var got, want []string
			for i, line := range strings.Split(own, "\n") {
				if i > 0 && !strings.HasPrefix(line, "     ") {
					break
				}
				got = append(got, strings.Fields(line)...)
			}
			for _, f := range u.New().Fields() {
				if f.Flag {
					want = append(want, "--"+strings.ReplaceAll(f.Key, "_", "-"))
				}
			}
			slices.Sort(got)
			slices.Sort(want)
			if !slices.Equal(got, want) {
				t.Errorf("nicgen %s --help: %s has %v, want %v", command, unit, got, want)
			}
		}
	}
}

// With several units, a parameter has one line for each text that units have for it: those that
// describe it alike share one.
func TestHelpSharesLines(t *testing.T) {
	all := map[string]string{}
	for _, u := range registry.Units {
		wanted(all, u.New())
	}
	meanings, count := map[string]bool{}, map[string]int{}
	for key, text := range all {
		_, what, _ := strings.Cut(key, ": ") // section and flag
		if _, flag, _ := strings.Cut(what, ": "); !meanings[what+text] {
			meanings[what+text] = true
			count[flag]++
		}
	}
	shared := 0
	help := helped(t, append([]string{"emit", "--help"}, namingAll()...)...)
	for _, flag := range sorted(count) {
		got := 0
		for line := range strings.Lines(help) {
			if f := flagLine.FindStringSubmatch(strings.TrimRight(line, "\n")); f != nil && f[1] == flag {
				got++
			}
		}
		if got != count[flag] {
			t.Errorf("%d lines for %s, want %d", got, flag, count[flag])
		}
		shared += count[flag]
	}
	if shared >= len(all) || count["--paths N"] < 2 {
		t.Errorf("%d lines for %d parameters, %d of them for --paths: the test shows nothing", shared, len(all), count["--paths N"])
	}
}

// The sections of one unit, and its parameters, are in the order of its table.
func TestHelpKeepsTheOrder(t *testing.T) {
	for _, u := range registry.Units {
		var want, got []string
		for _, f := range u.New().Fields() {
			if f.Flag {
				want = append(want, "--"+strings.ReplaceAll(f.Key, "_", "-"))
			}
		}
		_, help, _ := strings.Cut(helped(t, "emit", "--unit", u.New().Unit(), "--help"), "\nPARAMETERS:\n")
		for line := range strings.Lines(help) {
			if f := flagLine.FindStringSubmatch(strings.TrimRight(line, "\n")); f != nil {
				got = append(got, strings.Fields(f[1])[0])
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", u.New().Unit(), got, want)
		}
	}
}

// A flag that is a switch for one unit is a switch for all, because it cannot both take a
// value and be used without one.
func TestSwitchesAreSwitches(t *testing.T) {
	is := map[string]bool{}
	for _, u := range registry.Units {
		for _, f := range u.New().Fields() {
			if was, ok := is[f.Key]; f.Flag && ok && was != (f.Kind() == gen.Bool) {
				t.Errorf("%s.%s: switch %t, another unit: %t", u.New().Unit(), f.Key, f.Kind() == gen.Bool, was)
			} else if f.Flag {
				is[f.Key] = f.Kind() == gen.Bool
			}
		}
	}
}

// Every page of help fits on a terminal of 80 characters and ends its lines well.
func TestHelpFits(t *testing.T) {
	app := newRunner(Env{&bytes.Buffer{}, &bytes.Buffer{}, registry.Units}).app()
	pages := [][]string{{}, {"emit", "--unit", "laps", "--unit", "reps"}}
	for _, c := range app.Commands {
		pages = append(pages, []string{c.Name})
	}
	for _, args := range pages {
		for line := range strings.Lines(helped(t, append(args, "--help")...)) {
			line = strings.TrimSuffix(line, "\n")
			if n := utf8.RuneCountInString(line); n > helpWidth {
				t.Errorf("%v: a line of %d characters: %s", args, n, line)
			}
			if strings.TrimRight(line, " ") != line || strings.Contains(line, "\t") || strings.Contains(line, "`.") {
				t.Errorf("%v: a space at the end, or a mark that was not taken out: %q", args, line)
			}
		}
	}
}

// A flag that only other units have is refused, with what the unit does have.
func TestForeignFlag(t *testing.T) {
	var out, errs bytes.Buffer
	code := Run(context.Background(), []string{"nicgen", "lint", "--unit", "laps_loss", "--evs-bits", "3"}, Env{&out, &errs, registry.Units})
	if want := "\n--evs-bits: evs_bits: found unknown key, nearest: "; code != WrongUse || !strings.Contains(errs.String(), want) || !strings.Contains(errs.String(), "ring_memory") {
		t.Errorf("exit code %d, %s\nwant %d and %q", code, errs.String(), WrongUse, want)
	}
}

func TestPage(t *testing.T) {
	var p page
	p.prose(2, "One two three four five six seven eight nine ten eleven twelve thirteen\nfourteen.\n\nA list:\n   a\tfirst\n   long one\tsecond\n   as it is\n\nEnd.")
	want := `  One two three four five six seven eight nine ten eleven twelve thirteen
  fourteen.

  A list:
     a         first
     long one  second
     as it is

  End.
`
	if p.String() != want {
		t.Errorf("got\n%swant\n%s", p.String(), want)
	}
}
