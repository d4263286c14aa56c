// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/urfave/cli/v2"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/registry"
)

// everyUnit are all units and blocks, as the program has them.
func everyUnit() []registry.Unit { return slices.Concat(registry.Units, registry.Blocks) }

// run runs the real nicgen with a command line as people type it, without quotes.
func run(t *testing.T, line string) (code int, stdout, stderr string) {
	t.Helper()
	var out, errs bytes.Buffer
	code = Run(context.Background(), strings.Fields(line), Env{&out, &errs, everyUnit()})
	return code, out.String(), errs.String()
}

// The original requirements: a Go program on urfave/cli/v2, logrus and ANTLR's Go target,
// with the folders rtl, gen, cosim, verilator, constraints and tb, of which
// `nicgen emit --evs-bits 8` emits every unit.
func TestPromise(t *testing.T) {
	mod, err := os.ReadFile("../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{`^go 1\.`, `^\tgithub\.com/urfave/cli/v2 v2\.`, `^\tgithub\.com/sirupsen/logrus v1\.`, `^\tgithub\.com/antlr4-go/antlr/v4 v4\.`} {
		if !regexp.MustCompile(`(?m)` + want).Match(mod) {
			t.Errorf("go.mod has no line %s", want)
		}
	}
	for _, name := range []string{"rtl", "gen", "cosim", "verilator", "constraints", "tb", "go.mod", "Makefile", "README.md"} {
		if _, err := os.Stat("../" + name); err != nil {
			t.Error(err)
		}
	}

	t.Chdir(t.TempDir())
	code, stdout, stderr := run(t, "nicgen emit --evs-bits 8")
	if code != Fine || stderr != "" {
		t.Fatalf("exit code %d, %s", code, stderr)
	}
	found := 0
	for _, u := range everyUnit() {
		unit := u.New().Unit()
		text, err := os.ReadFile(filepath.Join("rtl", unit, emit.ManifestName))
		if err != nil {
			t.Error(err)
			continue
		}
		m, err := emit.ReadManifest(text)
		if err != nil {
			t.Fatal(err)
		}
		if v, ok := m.Configuration["evs_bits"]; ok {
			if found++; fmt.Sprint(v) != "8" {
				t.Errorf("%s: evs_bits is %v, want 8", unit, v)
			}
		}
		if !strings.Contains(stdout, "wrote "+filepath.Join("rtl", unit, u.New().Top()+".sv")+"\n") {
			t.Errorf("the top module of %s was not written:\n%s", unit, stdout)
		}
	}
	if found < 2 {
		t.Errorf("%d units have evs_bits, want reps and spray at least", found)
	}
}

// alone reports whether a unit takes a value of a parameter with its other defaults.
func alone(u registry.Unit, key, value string) bool {
	return gen.Configure(u.New(), key+"="+value) == nil
}

// Every parameter flag, without --unit, is tried at its minimum, default and maximum over all
// units: it applies to the units that accept the value alone, and the message names the others.
// With --unit, a unit that does not accept the value refuses it.
func TestSharedFlags(t *testing.T) {
	units := everyUnit()
	owners, trials, flags := map[string][]registry.Unit{}, map[string][]string{}, map[string]bool{}
	for _, u := range units {
		for _, f := range u.New().Fields() {
			flags[f.Key] = flags[f.Key] || f.Flag
			owners[f.Key] = append(owners[f.Key], u)
			list := append(slices.Clone(f.Choices), f.Value())
			switch f.Kind() {
			case gen.Int:
				list = append(list, fmt.Sprint(f.Min), fmt.Sprint(f.Max))
			case gen.Bool:
				list = append(list, "true", "false")
			}
			trials[f.Key] = append(trials[f.Key], list...)
		}
	}
	partly := 0
	var errs bytes.Buffer
	resolved := resolver(newRunner(Env{&bytes.Buffer{}, &errs, everyUnit()}))
	for _, key := range sorted(owners) {
		if !flags[key] {
			continue
		}
		slices.Sort(trials[key])
		for _, value := range slices.Compact(trials[key]) {
			flag := "--" + strings.ReplaceAll(key, "_", "-") + "=" + value
			errs.Reset()
			chosen, err := resolved(flag)
			var takes, leaves []string
			for _, u := range owners[key] {
				if unit := u.New().Unit(); alone(u, key, value) {
					takes = append(takes, unit)
				} else {
					leaves = append(leaves, unit)
				}
			}
			if len(takes) == 0 {
				if err == nil {
					t.Errorf("%s is taken, and legal in no unit", flag)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s: %v, want it in %v", flag, err, takes)
				continue
			}
			for _, u := range chosen {
				for _, f := range u.Config.Fields() {
					if f.Key == key && slices.Contains(takes, u.Config.Unit()) && f.Value() != value {
						t.Errorf("%s: %s has %s", flag, u.Config.Unit(), f.Value())
					}
				}
				if err := gen.Validate(u.Config); err != nil {
					t.Errorf("%s: %v", flag, err)
				}
			}
			var said []string
			for line := range strings.Lines(errs.String()) {
				_, names, _ := strings.Cut(line, " is not applied to ")
				names, _, _ = strings.Cut(names, ";")
				said = append(said, strings.Split(names, ", ")...)
			}
			slices.Sort(said)
			slices.Sort(leaves)
			if !slices.Equal(said, leaves) {
				t.Errorf("%s: said not to be applied to %v, want %v: %s", flag, said, leaves, errs.String())
			}
			if len(leaves) > 0 {
				partly++
				if _, err := resolved("--unit="+leaves[0], flag); err == nil {
					t.Errorf("%s is taken with --unit %s, which does not take it", flag, leaves[0])
				}
			}
		}
	}
	if partly == 0 {
		t.Error("every value is legal in every unit: the test shows nothing")
	}
}

// resolver returns a function that resolves arguments to units.
func resolver(r *runner) func(args ...string) ([]selected, error) {
	p, flags := r.parameterFlags("emit")
	return func(args ...string) (list []selected, err error) {
		p.settings, p.problems = nil, nil
		used := slices.DeleteFunc(slices.Clone(flags), func(f cli.Flag) bool { // the library takes its time for each flag
			name := f.Names()[0]
			return name != "unit" && name != "config" && !slices.ContainsFunc(args, func(a string) bool { return strings.HasPrefix(a, "--"+name+"=") })
		})
		app := &cli.App{Name: "nicgen", Flags: used, HideHelp: true, Action: func(c *cli.Context) error {
			list, err = p.resolve(c)
			return err
		}, ExitErrHandler: func(*cli.Context, error) {}}
		return list, app.Run(append([]string{"nicgen"}, args...))
	}
}

// The settings that made the first command fail, and others of their kind.
func TestSharedFlagsThatFailed(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ flags, warning string }{
		{"--evs-bits 1", ""}, {"--evs-bits 15", ""}, {"--connections 16384", ""}, {"--time-bits 24", ""}, {"--timer-bits 32", ""},
		{"--rate-bits 32", "warning: --rate-bits 32 is not applied to powertcp; allowed: a whole number from 1 to 4\n"},
		{"--paths 64", "warning: --paths 64 is not applied to laps_pick, laps_rate; allowed: a whole number from 2 to 32\n"},
		{"--state-memory uram", "warning: --state-memory uram is not applied to laps, laps_rate, plb, reps, reps_detector, spray; allowed: auto, lutram or bram\n"},
		{"--rtt-bits 8", "warning: --rtt-bits 8 is not applied to powertcp; link_rate_0_mbps: found 25000 with rtt_bits 8, allowed: 0, or a bandwidth at which 1280 bytes and more are sent in tau_ns (255)\n" +
			"warning: --rtt-bits 8 is not applied to nic_gate; allowed: auto or a whole number from 16 to 32\n"},
		{"--set rate_bits=32 --loss=false", "warning: --set rate_bits=32 is not applied to powertcp; allowed: a whole number from 1 to 4\n"},
	} {
		if code, _, stderr := run(t, "nicgen emit --print-config "+c.flags); code != Fine || stderr != c.warning {
			t.Errorf("%s: exit code %d, %q, want %q", c.flags, code, stderr, c.warning)
		}
	}
	if code, _, stderr := run(t, "nicgen lint --unit powertcp --rate-bits 32"); code != WrongUse || !strings.Contains(stderr, "--rate-bits: powertcp.rate_bits: found 32, allowed: a whole number from 1 to 4") {
		t.Errorf("with --unit: exit code %d, %s", code, stderr)
	}
	for _, c := range []struct{ flags, want string }{
		{"--unit REPS", "--unit: found unknown unit REPS, nearest: reps, allowed: laps, "},
		{"--unit reps,plb", "--unit: found unknown unit reps,plb: want --unit reps --unit plb, allowed: laps, "},
		{"--unit reps,PLB,laps", "--unit: found unknown unit reps,PLB,laps: want --unit reps --unit plb --unit laps, allowed: laps, "},
		{"--unit reps,plc", "--unit: found unknown unit reps,plc, nearest: "},
		{"--connections 70000", "--connections: nic_queue.connections: found 70000, allowed: a whole number from 1 to 16384\n"},
	} {
		if code, _, stderr := run(t, "nicgen emit "+c.flags); code != WrongUse || !strings.Contains(stderr, c.want) {
			t.Errorf("%s: exit code %d, %s\nwant %q", c.flags, code, stderr, c.want)
		}
	}
}
