// SPDX-License-Identifier: Apache-2.0

// Package sweep runs a command of the program once for each point of a grid of parameters and
// seeds: on this machine, as an array job of Slurm, or as an Indexed Job of Kubernetes. A
// result's file has its name from what the run was asked for, and appears whole or not at all,
// so that a run that was lost is made again, and one that was made twice changes nothing.
package sweep

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/nicgen/nicgen/internal/plainyaml"
)

// MaxTasks is the most points that a grid may have.
const MaxTasks = 100_000

// maxNesting is the most levels of lists and brackets of a plan.
const maxNesting = 4

// commands are the commands that can be swept: the same arguments give the same bytes of
// --json. work: they keep partial results in the folder of --work.
var commands = []struct {
	name string
	work bool
}{{"sim", false}, {"reproduce", false}, {"soak", true}, {"mutate", true}}

// taken are the flags that a sweep gives a run itself.
var taken = []string{"json", "work"}

// Plan is a sweep: a command, and what is varied.
type Plan struct {
	Command []string // arguments of the program, without what is varied
	Axes    []Axis   // the last one changes fastest
	Numbers []Number // columns of the summary
	work    bool
}

// Axis is a parameter and its values.
type Axis struct {
	Name   string // of the column
	Flag   string // of the command, without dashes
	Key    string // with the flag set: the parameter
	Values []string
}

// Number is a number of a result: a path in its JSON, in GJSON's syntax.
type Number struct{ Name, Path string }

// Task is a point of the grid.
type Task struct {
	Number int      // in the order of the grid, from 0
	Values []string // of each axis
	Args   []string // of the program
}

// ID names the task by its arguments.
func (t *Task) ID() string {
	sum := sha256.Sum256([]byte(strings.Join(t.Args, "\x00")))
	return hex.EncodeToString(sum[:8])
}

// file is a plan as people write it.
type file struct {
	Command any           `yaml:"command"`
	Seeds   any           `yaml:"seeds,omitempty"`
	Flags   yaml.MapSlice `yaml:"flags,omitempty"`
	Set     yaml.MapSlice `yaml:"set,omitempty"`
	Numbers yaml.MapSlice `yaml:"numbers,omitempty"`
}

// Write is a plan in YAML as Parse reads it, from the words of a command line: "8,16" are values.
func Write(command []string, seeds string, flags, set, numbers []string) ([]byte, error) {
	f := file{Command: command}
	if seeds != "" {
		f.Seeds = seeds
		if strings.Contains(seeds, ",") {
			f.Seeds = strings.Split(seeds, ",")
		}
	}
	for _, x := range []struct {
		to   *yaml.MapSlice
		list []string
		many bool
		want string
	}{{&f.Flags, flags, true, "FLAG=VALUE,VALUE"}, {&f.Set, set, true, "KEY=VALUE,VALUE"}, {&f.Numbers, numbers, false, "NAME=PATH"}} {
		for _, text := range x.list {
			key, value, ok := strings.Cut(text, "=")
			if !ok || key == "" || value == "" {
				return nil, fmt.Errorf("found %q, want %s", text, x.want)
			}
			item := yaml.MapItem{Key: strings.TrimLeft(key, "-"), Value: value}
			if x.many {
				item.Value = strings.Split(value, ",")
			}
			*x.to = append(*x.to, item)
		}
	}
	return yaml.Marshal(f)
}

// words are the arguments of a command: a text, split at blanks, or a list.
func words(v any) ([]string, error) {
	list, ok := v.([]any)
	if !ok {
		if v == nil {
			v = ""
		}
		return strings.Fields(fmt.Sprint(v)), nil
	}
	var out []string
	for _, x := range list {
		switch x.(type) {
		case string, bool, int, int64, uint64, float64:
		default:
			return nil, fmt.Errorf("command: found %v, want words", x)
		}
		out = append(out, fmt.Sprint(x))
	}
	return out, nil
}

// Parse reads a plan in YAML. name is the name of its file, for errors.
func Parse(name string, text []byte) (*Plan, error) {
	text = plainyaml.Text(text)
	if e := plainyaml.Check(text, maxNesting); e != nil {
		return nil, fmt.Errorf("%s:%w", name, e)
	}
	p, err := parse(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return p, nil
}

func parse(text []byte) (*Plan, error) {
	var f file
	if err := yaml.UnmarshalWithOptions(text, &f, yaml.Strict()); err != nil {
		return nil, errors.New(strings.TrimSpace(yaml.FormatError(err, false, true)))
	}
	command, err := words(f.Command)
	if err != nil {
		return nil, err
	}
	p := &Plan{Command: command}
	if err := p.checkCommand(); err != nil {
		return nil, err
	}
	for _, section := range []struct {
		name string
		axes yaml.MapSlice
	}{{"flags", f.Flags}, {"set", f.Set}} {
		for _, x := range section.axes {
			a := Axis{Name: fmt.Sprint(x.Key), Flag: fmt.Sprint(x.Key)}
			if section.name == "set" {
				a.Flag, a.Key = "set", a.Name
			} else if slices.Contains(append(taken, "seed", "set"), a.Name) {
				return nil, fmt.Errorf("flags: found %s, which is not for a grid: seeds are in seeds, parameters in set, and results have names of their own", a.Name)
			}
			var err error
			if a.Values, err = values(x.Value, section.name == "set"); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", section.name, a.Name, err)
			}
			p.Axes = append(p.Axes, a)
		}
	}
	if f.Seeds != nil {
		list, err := seeds(f.Seeds)
		if err != nil {
			return nil, fmt.Errorf("seeds: %w", err)
		}
		p.Axes = append(p.Axes, Axis{Name: "seed", Flag: "seed", Values: list})
	}
	if p.Axes == nil {
		return nil, errors.New("nothing is varied: want seeds, flags or set")
	}
	for i, a := range p.Axes {
		if slices.ContainsFunc(p.Axes[:i], func(b Axis) bool { return a.Name == b.Name }) {
			return nil, fmt.Errorf("%s is varied twice, in flags and in set: want it once", a.Name)
		}
		if slices.ContainsFunc(p.Command, func(arg string) bool { return arg == "--"+a.Flag || strings.HasPrefix(arg, "--"+a.Flag+"=") }) && a.Key == "" {
			return nil, fmt.Errorf("%s is varied, and in the command: want it once", a.Name)
		}
	}
	if n := p.size(); n > MaxTasks {
		return nil, fmt.Errorf("the grid has more than %d points", MaxTasks)
	}
	for _, x := range f.Numbers {
		path, ok := x.Value.(string)
		if !ok || path == "" {
			return nil, fmt.Errorf("numbers: %v: found %v, want a path in the JSON of a result, such as claims.0.found", x.Key, x.Value)
		}
		p.Numbers = append(p.Numbers, Number{fmt.Sprint(x.Key), path})
	}
	return p, nil
}

func (p *Plan) checkCommand() error {
	var names []string
	for _, c := range commands {
		names = append(names, c.name)
		if len(p.Command) > 0 && c.name == p.Command[0] {
			p.work = c.work
			for _, arg := range p.Command {
				flag, _, _ := strings.Cut(strings.TrimLeft(arg, "-"), "=")
				if strings.HasPrefix(arg, "-") && slices.Contains(taken, flag) {
					return fmt.Errorf("command: found --%s, which a sweep gives each run itself: leave it out", flag)
				}
			}
			return nil
		}
	}
	why := ""
	if len(p.Command) > 0 && p.Command[0] == "cosim" {
		why = "; cosim measures its speed, so its results are never the same: soak runs the same comparison"
	}
	return fmt.Errorf("command: found %q, allowed: arguments of nicgen that begin with one of %s%s", strings.Join(p.Command, " "), strings.Join(names, ", "), why)
}

// size is the number of points, or one more than MaxTasks.
func (p *Plan) size() int {
	n := 1
	for _, a := range p.Axes {
		if n *= len(a.Values); n > MaxTasks {
			return MaxTasks + 1
		}
	}
	return n
}

// values returns the values of an axis: distinct scalars. Parameters have no fractions.
func values(v any, parameter bool) ([]string, error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 {
		return nil, fmt.Errorf("found %v, want a list of values, such as [1, 8]", v)
	}
	var out []string
	for _, x := range list {
		switch x.(type) {
		case string, bool, int, int64, uint64, float64:
		default:
			return nil, fmt.Errorf("found %v, want a number, a word, true or false", x)
		}
		s := fmt.Sprint(x)
		if f, ok := x.(float64); ok {
			if s = strconv.FormatFloat(f, 'f', -1, 64); parameter {
				return nil, fmt.Errorf("found a fraction, %s, want a whole number, a word, true or false", s)
			}
		}
		if i := slices.IndexFunc(out, func(o string) bool { return equal(o, s) }); i >= 0 {
			if out[i] != s {
				return nil, fmt.Errorf("found %s and %s, which are one value, want each value once", out[i], s)
			}
			return nil, fmt.Errorf("found %s twice, want each value once", s)
		}
		out = append(out, s)
	}
	return out, nil
}

// equal reports whether two values are the same text or the same whole number: 8 and 0x8.
func equal(a, b string) bool {
	x, err := strconv.ParseInt(a, 0, 64)
	y, err2 := strconv.ParseInt(b, 0, 64)
	return a == b || err == nil && err2 == nil && x == y
}

// seeds are a list, one number, or a range: 1-8.
func seeds(v any) ([]string, error) {
	if list, ok := v.([]any); ok {
		for _, x := range list {
			if _, err := strconv.ParseUint(fmt.Sprint(x), 10, 64); err != nil {
				return nil, fmt.Errorf("found %v, want whole numbers from 0 on", x)
			}
		}
		return values(v, true)
	}
	text := fmt.Sprint(v)
	from, to, ranged := strings.Cut(text, "-")
	if !ranged {
		to = from
	}
	a, err := strconv.ParseUint(from, 10, 64)
	b, err2 := strconv.ParseUint(to, 10, 64)
	if err != nil || err2 != nil || b < a || b-a >= MaxTasks {
		return nil, fmt.Errorf("found %q, want a range such as 1-8 of at most %d seeds, or a list", text, MaxTasks)
	}
	var out []string
	for n := a; n <= b; n++ {
		out = append(out, strconv.FormatUint(n, 10))
	}
	return out, nil
}

// Tasks are the points of the grid, in order.
func (p *Plan) Tasks() []Task {
	list := make([]Task, p.size())
	for i := range list {
		t := Task{Number: i, Args: slices.Clone(p.Command), Values: make([]string, len(p.Axes))}
		rest := i
		for k := len(p.Axes) - 1; k >= 0; k-- {
			n := len(p.Axes[k].Values)
			t.Values[k], rest = p.Axes[k].Values[rest%n], rest/n
		}
		for k, a := range p.Axes {
			if a.Key == "" {
				t.Args = append(t.Args, "--"+a.Flag+"="+t.Values[k])
			} else {
				t.Args = append(t.Args, "--set="+a.Key+"="+t.Values[k])
			}
		}
		list[i] = t
	}
	return list
}

// Share is a part of a sweep's tasks: those whose number leaves Part when it is divided by Of.
type Share struct{ Part, Of int }

// ParseShare reads "PART/OF".
func ParseShare(text string) (s Share, err error) {
	part, of, _ := strings.Cut(text, "/")
	if s.Part, err = strconv.Atoi(part); err == nil {
		s.Of, err = strconv.Atoi(of)
	}
	if err != nil || s.Of < 1 || s.Part < 0 || s.Part >= s.Of {
		return Share{}, fmt.Errorf("found %q, want PART/OF, such as 0/16, with PART below OF", text)
	}
	return s, nil
}

// Tasks returns the tasks of the share.
func (s Share) Tasks(all []Task) (list []Task) {
	for _, t := range all {
		if t.Number%s.Of == s.Part {
			list = append(list, t)
		}
	}
	return list
}

// Jobs returns the number of concurrent runs on a number of cores: one for commands that use
// all cores.
func (p *Plan) Jobs(cores int) int {
	if p.work {
		return 1
	}
	return cores
}
