// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// Type is the type of a value in its source. Values from the command line are untyped; a YAML file
// distinguishes a number from a string.
type Type string

// The types of a Setting's value.
const (
	Untyped    Type = ""
	Number     Type = "a whole number"
	Fraction   Type = "a fraction"
	Text       Type = "a string"
	Switch     Type = "a truth value"
	Nothing    Type = "nothing"
	Collection Type = "a list or a mapping"
	Reference  Type = "an anchor, an alias or a tag"
)

// Setting is one value on its way into a configuration.
type Setting struct {
	File         string // the file it comes from; empty: the command line
	Line, Column int    // the place of the value in File, from 1
	KeyPlace     string // the place of the key: file:line:column; empty: the same as the value's
	Flag         string // the flag it comes from: "--set", "--evs-bits"
	Unit         string // the unit it is for; empty: each unit that has the key
	Key          string
	Value        string
	Type         Type
}

// Where returns the place of the setting as a person would give it: file:line:column, or the flag.
func (s Setting) Where() string {
	if s.File == "" {
		return s.Flag
	}
	return fmt.Sprintf("%s:%d:%d", s.File, s.Line, s.Column)
}

// whereKey returns the place to report when the key is at fault.
func (s Setting) whereKey() string {
	if s.KeyPlace != "" {
		return s.KeyPlace
	}
	return s.Where()
}

// found returns the value for a message: as written, with the type if it is the problem.
func (s Setting) found(wrongType bool) string {
	switch {
	case s.Type == Nothing:
		return "nothing"
	case s.Type == Collection || s.Type == Reference:
		return string(s.Type)
	case wrongType && s.Type == Text:
		return fmt.Sprintf("%q (%s)", s.Value, s.Type)
	case s.Value == "":
		return `""`
	case wrongType && s.Type != Untyped:
		return fmt.Sprintf("%s (%s)", s.Value, s.Type)
	case strings.ContainsFunc(s.Value, func(r rune) bool { return r <= ' ' || r == 0x7f }):
		return strconv.Quote(s.Value)
	}
	return s.Value
}

// ParseSet reads the argument of --set: key=value, or unit.key=value.
func ParseSet(arg string) (Setting, error) {
	key, value, ok := strings.Cut(arg, "=")
	if !ok || key == "" {
		return Setting{}, &Invalid{[]Located{{Where: "--set", Problem: Problem{
			Found: strconv.Quote(arg), Allowed: "key=value or unit.key=value"}}}}
	}
	s := Setting{Flag: "--set", Key: strings.TrimSpace(key), Value: strings.TrimSpace(value)}
	if unit, key, ok := strings.Cut(s.Key, "."); ok {
		s.Unit, s.Key = unit, key
	}
	return s, nil
}

// Set changes exactly one value of one configuration: Set(cfg, "evs_bits=8"). It checks only the
// value; Validate checks the rules over several. The error is an *Invalid.
func Set(cfg Config, arg string) error {
	s, err := ParseSet(arg)
	if err != nil {
		return err
	}
	a := newApplication([]Config{cfg})
	a.set(s)
	return a.err()
}

// SetAll applies the changes in a text, one "key=value" per word, where the last one of each key
// counts. Each value is checked alone, and the first illegal one ends the call. Defaults that
// depend on a changed value follow it.
func SetAll(cfg Config, settings string) error {
	a, err := setAll(cfg, settings)
	if err == nil {
		a.follow()
	}
	return err
}

func setAll(cfg Config, settings string) (*application, error) {
	a := newApplication([]Config{cfg})
	for _, w := range strings.Fields(settings) {
		s, err := ParseSet(w)
		if err != nil {
			return nil, err
		}
		a.again() // the last of each key
		a.set(s)
		if err := a.err(); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// Configure applies the changes in a text, like SetAll, and checks the resulting configuration.
func Configure(cfg Config, settings string) error {
	a, err := setAll(cfg, settings)
	if err != nil {
		return err
	}
	a.finish()
	return a.err()
}

// Validate checks a whole configuration. The error is an *Invalid.
func Validate(cfg Config) error { return Apply([]Config{cfg}, nil) }

// Apply applies the settings to the configurations in order, so that a later one wins, updates
// dependent defaults, and validates the result. A setting that names no unit reaches every
// configuration that has its key. A key may be set once in a file and once on the command line. The
// error is an *Invalid with every problem; the configurations are then partly changed.
func Apply(cfgs []Config, settings []Setting) error {
	a := newApplication(cfgs)
	for _, s := range settings {
		a.set(s)
	}
	a.finish()
	return a.err()
}

// target is one field of one configuration, with the history of its settings.
type target struct {
	field   Field
	where   string            // the setting that set it last
	bySrc   map[string]string // source → place, to find keys that are set twice
	written bool              // the user wrote its value
	follows bool              // the user did not, and it follows its rule
	broken  bool              // a value for it was refused
}

// application is the state of one Apply.
type application struct {
	cfgs     []Config
	keys     [][]string           // of each configuration, in table order
	targets  []map[string]*target // of each configuration
	problems []Located
	twice    bool // a key was set twice by one source
}

func newApplication(cfgs []Config) *application {
	a := &application{cfgs: cfgs}
	for _, c := range cfgs {
		var keys []string
		m := map[string]*target{}
		for _, f := range c.Fields() {
			keys = append(keys, f.Key)
			m[f.Key] = &target{field: f, where: "default", bySrc: map[string]string{}, follows: f.IsAuto()}
		}
		a.keys = append(a.keys, keys)
		a.targets = append(a.targets, m)
	}
	return a
}

func (a *application) add(where, unit string, p Problem, nearest string) {
	a.problems = append(a.problems, Located{where, unit, p, nearest})
}

func (a *application) err() error {
	if len(a.problems) == 0 {
		return nil
	}
	return &Invalid{a.problems}
}

// set carries out one setting.
func (a *application) set(s Setting) {
	var units, keys []string
	hit, unitKnown := false, s.Unit == ""
	for i, c := range a.cfgs {
		units = append(units, c.Unit())
		if s.Unit != "" && s.Unit != c.Unit() {
			continue
		}
		unitKnown = true
		keys = append(keys, a.keys[i]...)
		if t := a.targets[i][s.Key]; t != nil {
			hit = true
			a.setField(c.Unit(), t, s)
		}
	}
	switch {
	case hit:
	case !unitKnown:
		a.add(s.whereKey(), "", Problem{Key: s.Unit + "." + s.Key,
			Found: "unknown unit " + s.Unit, Allowed: list(units)}, Nearest(s.Unit, units))
	default:
		keys = distinct(keys)
		a.add(s.whereKey(), s.Unit, Problem{Key: s.Key,
			Found: "unknown key", Allowed: list(keys)}, Nearest(s.Key, keys))
	}
}

func distinct(names []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, n := range names {
		if !seen[n] {
			seen[n] = true
			out = append(out, n)
		}
	}
	return out
}

// setField checks a value and assigns it if it is legal.
func (a *application) setField(unit string, t *target, s Setting) {
	f := &t.field
	if first, ok := t.bySrc[s.File]; ok {
		a.twice = true
		a.add(s.whereKey(), unit, Problem{Key: s.Key,
			Found: "a second value " + s.found(false) + " (the first is at " + first + ")", Allowed: "each key once"}, "")
		t.broken = true
		return
	}
	t.bySrc[s.File] = s.whereKey()
	t.where = s.Where()
	wrong := func(typed bool, nearest string) {
		t.broken = true
		a.add(s.Where(), unit, Problem{Key: s.Key, Found: s.found(typed), Allowed: f.Allowed()}, nearest)
	}
	if f.Auto != nil && s.Value == Auto && (s.Type == Untyped || s.Type == Text) {
		t.written, t.follows = false, true
		f.takeAuto()
		return
	}
	t.written, t.follows = true, false
	switch f.Kind() {
	case Bool:
		b, err := strconv.ParseBool(s.Value)
		if err != nil || s.Type != Untyped && s.Type != Switch || s.Value != strconv.FormatBool(b) {
			wrong(true, "")
			return
		}
		*f.Bool = b
	case Enum:
		old := *f.Enum
		*f.Enum = s.Value
		// A choice may look like a number or a Boolean: any scalar is accepted.
		if scalar := s.Type != Nothing && s.Type != Collection && s.Type != Reference; !scalar || !f.legal() {
			*f.Enum = old
			nearest := ""
			if scalar {
				nearest = Nearest(s.Value, f.Choices)
			}
			wrong(!scalar, nearest)
		}
	default:
		v, err := parseInt(s.Value)
		if s.Type != Untyped && s.Type != Number || err != nil && !errors.Is(err, strconv.ErrRange) {
			wrong(true, "")
			return
		}
		old := *f.Int
		*f.Int = v
		if err != nil || !f.legal() {
			*f.Int = old
			wrong(false, "")
		}
	}
}

// parseInt reads a number in decimal, or in another base with its prefix (0x, 0o, 0b), with
// underscores between digits. A leading zero is refused, because some tools read 010 as eight and
// some as ten.
func parseInt(s string) (int64, error) {
	digits := strings.TrimLeft(s, "+-")
	if len(digits) > 1 && digits[0] == '0' && digits[1] >= '0' && digits[1] <= '9' {
		return 0, strconv.ErrSyntax
	}
	return strconv.ParseInt(s, 0, 64)
}

// again allows every key to be set once more.
func (a *application) again() {
	for _, targets := range a.targets {
		for _, t := range targets {
			clear(t.bySrc)
		}
	}
}

// follow updates the fields that follow a rule. A rule may depend on a field that follows another
// one, so the number of passes is the length of the longest such chain.
func (a *application) follow() {
	for i := range a.cfgs {
		for range a.keys[i] {
			changed := false
			for _, k := range a.keys[i] {
				if t := a.targets[i][k]; t.follows {
					changed = t.field.takeAuto() || changed
				}
			}
			if !changed {
				break
			}
		}
	}
}

// finish updates the defaults, checks the fields that no setting touched, and then, if every field
// is legal, the rules over several fields.
func (a *application) finish() {
	a.follow()
	for i, c := range a.cfgs {
		broken := false
		for _, k := range a.keys[i] {
			t := a.targets[i][k]
			if !t.broken && !t.field.legal() {
				t.broken = true
				a.add(t.where, c.Unit(), Problem{Key: k, Found: t.field.Value(), Allowed: t.field.Allowed()}, "")
			}
			broken = broken || t.broken
		}
		if broken {
			continue
		}
		for _, p := range c.Check() {
			where := "default"
			if t := a.targets[i][p.Key]; t != nil && t.written {
				where = t.where
			} else if keys := a.blamed(i, t); len(keys) > 0 {
				where = a.targets[i][keys[0]].where
				for j, k := range keys {
					keys[j] += " " + a.targets[i][k].field.Value()
				}
				p.Found += " with " + and(keys)
			}
			a.add(where, c.Unit(), p, "")
		}
	}
}

// blamed returns the parameters set by the user that caused a broken rule about a parameter that
// was not set: the ones that its default follows, or else all.
func (a *application) blamed(i int, t *target) []string {
	var of, all []string
	seen := map[string]bool{}
	var visit func(t *target)
	visit = func(t *target) {
		if t == nil || seen[t.field.Key] {
			return
		}
		seen[t.field.Key] = true
		if t.field.Auto != nil {
			for _, k := range t.field.Auto.Of {
				visit(a.targets[i][k])
			}
		}
	}
	visit(t)
	for _, k := range a.keys[i] {
		if a.targets[i][k].written {
			all = append(all, k)
			if seen[k] {
				of = append(of, k)
			}
		}
	}
	if len(of) > 0 {
		return of
	}
	return all
}
