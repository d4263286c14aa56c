// SPDX-License-Identifier: Apache-2.0

package gen_test

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/toy"
)

func ExampleSet() {
	cfg := toy.New()
	if err := gen.Set(cfg, "count_bits=12"); err != nil {
		fmt.Println(err)
	}
	fmt.Println(gen.Set(cfg, "count_bit=12"))
	fmt.Println(gen.Set(cfg, "step=3"))
	// Output:
	// --set: count_bit: found unknown key, nearest: count_bits, allowed: count_bits, step, style, wrap, limit_ns, enable or direction
	// --set: toy.step: found 3, allowed: a power of two from 1 to 64
}

// Configure makes every change of a text, the last of each key, and then checks the whole;
// the first change that is refused is the error.
func ExampleConfigure() {
	cfg := toy.Named("toy")
	fmt.Println(gen.Configure(cfg, "count_bits=3 wrap=false count_bits=12"), cfg.Bits, cfg.Wrap)
	fmt.Println(gen.Configure(cfg, "count_bits=3"))
	fmt.Println(gen.Configure(cfg, "count_bits=1 step=3"))
	fmt.Println(gen.SetAll(cfg, "count_bits=2"), cfg.Bits)
	// Output:
	// <nil> 12 false
	// --set: toy.limit_ns: found 100 with count_bits 3, allowed: below 2^count_bits (8)
	// --set: toy.count_bits: found 1, allowed: a whole number from 2 to 32
	// <nil> 2
}

func TestSet(t *testing.T) {
	const (
		bits  = "a whole number from 2 to 32"
		limit = "a whole number from 0 to 4294967295"
	)
	for _, c := range []struct{ arg, key, want, err string }{
		{"count_bits=12", "count_bits", "12", ""},
		{"toy.count_bits=2", "count_bits", "2", ""},
		{" step = 64 ", "step", "64", ""},
		{"limit_ns=0xff", "limit_ns", "255", ""},
		{"limit_ns=1_000", "limit_ns", "1000", ""},
		{"limit_ns=0", "limit_ns", "0", ""},
		{"wrap=false", "wrap", "false", ""},
		{"style=off", "style", "off", ""},

		{"count_bits", "", "", `--set: found "count_bits", allowed: key=value or unit.key=value`},
		{"=1", "", "", `--set: found "=1", allowed: key=value or unit.key=value`},
		{"count_bits=", "", "", `--set: toy.count_bits: found "", allowed: ` + bits},
		{"count_bits=33", "", "", "--set: toy.count_bits: found 33, allowed: " + bits},
		{"count_bits=1", "", "", "--set: toy.count_bits: found 1, allowed: " + bits},
		{"count_bits=8.0", "", "", "--set: toy.count_bits: found 8.0, allowed: " + bits},
		{"count_bits=eight", "", "", "--set: toy.count_bits: found eight, allowed: " + bits},
		{"count_bits=8 9", "", "", `--set: toy.count_bits: found "8 9", allowed: ` + bits},
		{"limit_ns=010", "", "", "--set: toy.limit_ns: found 010, allowed: " + limit},
		{"limit_ns=-1", "", "", "--set: toy.limit_ns: found -1, allowed: " + limit},
		{"limit_ns=99999999999999999999", "", "", "--set: toy.limit_ns: found 99999999999999999999, allowed: " + limit},
		{"step=6", "", "", "--set: toy.step: found 6, allowed: a power of two from 1 to 64"},
		{"step=0", "", "", "--set: toy.step: found 0, allowed: a power of two from 1 to 64"},
		{"wrap=yes", "", "", "--set: toy.wrap: found yes, allowed: true or false"},
		{"wrap=1", "", "", "--set: toy.wrap: found 1, allowed: true or false"},
		{"style=grey", "", "", "--set: toy.style: found grey, nearest: gray, allowed: plain, gray or off"},
		{"tox.step=1", "", "", "--set: tox.step: found unknown unit tox, nearest: toy, allowed: toy"},
		{"toy.stop=1", "", "", "--set: toy.stop: found unknown key, nearest: step, allowed: count_bits, step, style, wrap, limit_ns, enable or direction"},
	} {
		t.Run(c.arg, func(t *testing.T) {
			cfg := toy.New()
			before := values(cfg)
			err := gen.Set(cfg, c.arg)
			if c.err != "" {
				var bad *gen.Invalid
				if !errors.As(err, &bad) || err.Error() != c.err {
					t.Errorf("got error %v\nwant %s", err, c.err)
				}
				if d := cmp.Diff(before, values(cfg)); d != "" {
					t.Errorf("a refused value changed the configuration:\n%s", d)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			before[c.key] = c.want
			if d := cmp.Diff(before, values(cfg)); d != "" {
				t.Error(d)
			}
		})
	}
}

// values returns a configuration as text.
func values(cfg gen.Config) map[string]string {
	m := map[string]string{}
	for _, f := range cfg.Fields() {
		m[f.Key] = f.Value()
	}
	return m
}

func TestReadYAML(t *testing.T) {
	for _, c := range []struct {
		name, text, flat string
		want             []string // unit.key=value of each value read
		err              string
	}{
		{name: "empty"},
		{name: "comment only", text: "# nothing\n"},
		{name: "heading only", text: "toy:\n"},
		{name: "two units", text: "toy:\n  step: 2\nbox:\n  step: 4\n", want: []string{"toy.step=2", "box.step=4"}},
		{name: "one pair", text: "toy: {step: 2}\n", want: []string{"toy.step=2"}},
		{name: "flat", text: "step: 2\nstyle: off\n", flat: "toy", want: []string{"toy.step=2", "toy.style=off"}},
		{name: "flat and headed", text: "step: 2\nbox:\n  step: 4\n", flat: "toy", want: []string{"toy.step=2", "box.step=4"}},

		{name: "flat without a unit", text: "step: 2\n", err: "f.yaml:1:1: step: found unknown unit, nearest: toy, allowed: toy or box"},
		{name: "unknown unit", text: "toy:\n  step: 2\ntoi:\n  step: 2\n", want: []string{"toy.step=2"},
			err: "f.yaml:3:1: toi: found unknown unit, nearest: toy, allowed: toy or box"},
		{name: "unit twice", text: "toy:\n  step: 2\ntoy:\n  step: 4\n", want: []string{"toy.step=2"},
			err: "f.yaml:3:1: toy: found a second section (the first is at f.yaml:1:1), allowed: each unit once"},
		{name: "no mapping", text: "- toy\n", err: "f.yaml:1:1: found a list, allowed: a mapping of units: toy or box"},
		{name: "scalar", text: "toy\n", err: "f.yaml:1:1: found toy, allowed: a mapping of units: toy or box"},
		{name: "unit is a scalar", text: "toy: 5\n", err: "f.yaml:1:6: toy: found 5, allowed: a mapping of the unit's keys"},
		{name: "unit is a list", text: "toy: [1]\n", err: "f.yaml:1:6: toy: found a list, allowed: a mapping of the unit's keys"},
		{name: "two documents", text: "toy:\n  step: 2\n---\ntoy:\n  step: 4\n", want: []string{"toy.step=2"},
			err: "f.yaml:4:4: found a second document, allowed: one document"},
		{name: "broken", text: "toy:\n  step: [1\n", err: "f.yaml:2:9: found broken YAML: sequence end token ']' not found, allowed: YAML with a mapping of key: value"},
		{name: "byte-order mark", text: "\ufefftoy:\n  step: 2\n", want: []string{"toy.step=2"}},
		{name: "byte-order mark, flat", text: "\ufeffstep: 2\n", flat: "toy", want: []string{"toy.step=2"}},
		{name: "anchor", text: "x: &a\n  step: 8\ntoy: *a\n",
			err: "f.yaml:1:4: found an anchor &, allowed: the value itself wherever it is needed: anchors are not supported"},
		{name: "tag", text: "toy:\n  step: !!int 8\n", err: "f.yaml:2:9: found a tag !!int, allowed: the value alone: tags are not supported"},
		{name: "leading zero", text: "toy:\n  step: 010\n", err: "f.yaml:2:9: found 010, allowed: no leading zero, which some read as octal: 10, or 0o10 for octal"},
		{name: "tab", text: "toy:\n\tstep: 1\n", err: "f.yaml:2:1: found broken YAML: found character '\t' that cannot start any token, allowed: YAML with a mapping of key: value"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := gen.ReadYAML("f.yaml", []byte(c.text), []string{"toy", "box"}, c.flat)
			var read []string
			for _, s := range got {
				read = append(read, s.Unit+"."+s.Key+"="+s.Value)
			}
			if d := cmp.Diff(c.want, read); d != "" {
				t.Errorf("settings, -want +got:\n%s", d)
			}
			msg := ""
			if err != nil {
				msg = err.Error()
			}
			if d := cmp.Diff(c.err, msg); d != "" {
				t.Errorf("error, -want +got:\n%s", d)
			}
		})
	}
}

// Every problem is reported in one go, each at its place, and the rules over
// several fields only where each field is in order.
func TestApply(t *testing.T) {
	const file = `toy:
  count_bits: "8"
  step: 3
  step: 4
  style: {a: 1}
  wrap:
  limit_ns: 1.5
  enable: [true]
  direction: 7
box:
  count_bits: 2
  step: 8
`
	want := strings.TrimSpace(`
f.yaml:2:15: toy.count_bits: found "8" (a string), allowed: a whole number from 2 to 32
f.yaml:3:9: toy.step: found 3, allowed: a power of two from 1 to 64
f.yaml:4:3: toy.step: found a second value 4 (the first is at f.yaml:3:3), allowed: each key once
f.yaml:5:3: toy.style: found a list or a mapping, allowed: plain, gray or off
f.yaml:6:3: toy.wrap: found nothing, allowed: true or false
f.yaml:7:13: toy.limit_ns: found 1.5 (a fraction), allowed: a whole number from 0 to 4294967295
f.yaml:8:11: toy.enable: found a list or a mapping, allowed: true or false
f.yaml:9:14: toy.direction: found 7, allowed: up, down or hold
--limit-ns: box.limit_ns: found a second value 5 (the first is at --set), allowed: each key once`)
	// The rules over several fields of box wait until each of them is in order.
	settings, err := gen.ReadYAML("f.yaml", []byte(file), []string{"toy", "box"}, "")
	if err != nil {
		t.Fatal(err)
	}
	settings = append(settings,
		gen.Setting{Flag: "--set", Unit: "box", Key: "limit_ns", Value: "9"},
		gen.Setting{Flag: "--limit-ns", Unit: "box", Key: "limit_ns", Value: "5"})
	err = gen.Apply([]gen.Config{toy.Named("toy"), toy.Named("box")}, settings)
	if err == nil {
		t.Fatal("no error")
	}
	if d := cmp.Diff(want, err.Error()); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}

// A later source wins, and the rules over several fields see the result.
func TestApplyOrder(t *testing.T) {
	file := gen.Setting{File: "f.yaml", Line: 1, Column: 1, Key: "count_bits", Value: "2", Type: gen.Number}
	flag := gen.Setting{Flag: "--count-bits", Key: "count_bits", Value: "20"}
	a, b := toy.Named("a"), toy.Named("b")
	if err := gen.Apply([]gen.Config{a, b}, []gen.Setting{file, flag}); err != nil {
		t.Fatal(err)
	}
	if a.Bits != 20 || b.Bits != 20 {
		t.Errorf("count_bits %d and %d, want 20: a setting without a unit is for all", a.Bits, b.Bits)
	}
	err := gen.Apply([]gen.Config{toy.New()}, []gen.Setting{file})
	want := "f.yaml:1:1: toy.limit_ns: found 100 with count_bits 2, allowed: below 2^count_bits (4)"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}

func TestConfigure(t *testing.T) {
	for _, c := range []struct{ settings, want string }{
		{"", ""},
		{"  count_bits=12   limit_ns=9 count_bits=4", ""},
		{"count_bits=4", "--set: toy.limit_ns: found 100 with count_bits 4, allowed: below 2^count_bits (16)"},
		{"step=3 count_bits", "--set: toy.step: found 3, allowed: a power of two from 1 to 64"},
		{"count_bits", `--set: found "count_bits", allowed: key=value or unit.key=value`},
	} {
		p := toy.Named("toy")
		err := gen.Configure(p, c.settings)
		if got := fmt.Sprint(err); (err == nil) != (c.want == "") || err != nil && got != c.want {
			t.Errorf("%q: error %v, want %q", c.settings, err, c.want)
		}
		if c.want == "" && c.settings != "" && p.Bits != 4 {
			t.Errorf("%q: count_bits is %d, want 4", c.settings, p.Bits)
		}
	}
}

func TestValidate(t *testing.T) {
	p := toy.Named("toy")
	if err := gen.Validate(p); err != nil {
		t.Fatal(err)
	}
	p.Bits, p.Style = 99, "none"
	want := "default: toy.count_bits: found 99, allowed: a whole number from 2 to 32\n" +
		"default: toy.style: found none, allowed: plain, gray or off"
	if err := gen.Validate(p); err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}

func TestNearest(t *testing.T) {
	for _, c := range []struct {
		s     string
		names []string
		want  string
	}{
		{"evs_bit", []string{"evs_bits", "ev_base"}, "evs_bits"},
		{"xyz", []string{"abc"}, ""},
		{"a", nil, ""},
		{"ab", []string{"ac", "ad"}, "ac"},
	} {
		if got := gen.Nearest(c.s, c.names); got != c.want {
			t.Errorf("Nearest(%q, %v) = %q, want %q", c.s, c.names, got, c.want)
		}
	}
}

// drawn returns any legal configuration of the toy.
func drawn(t *rapid.T) *toy.Params {
	p := toy.Named("toy")
	for _, f := range p.Fields() {
		switch f.Kind() {
		case gen.Bool:
			*f.Bool = rapid.Bool().Draw(t, f.Key)
		case gen.Enum:
			*f.Enum = rapid.SampledFrom(f.Choices).Draw(t, f.Key)
		default:
			if f.PowerOfTwo {
				*f.Int = 1 << rapid.IntRange(0, 6).Draw(t, f.Key)
			} else {
				*f.Int = rapid.Int64Range(f.Min, f.Max).Draw(t, f.Key)
			}
		}
	}
	p.Step = min(p.Step, 1<<(p.Bits-1))
	p.LimitNS %= 1 << p.Bits
	return p
}

// ReadYAML and Apply turn the output of WriteYAML into the same configuration.
func TestRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		want := drawn(t)
		text, err := gen.WriteYAML([]gen.Config{want, toy.Named("box")})
		if err != nil {
			t.Fatal(err)
		}
		settings, err := gen.ReadYAML("f.yaml", []byte(text), []string{"toy", "box"}, "")
		if err != nil {
			t.Fatal(err)
		}
		got, box := toy.Named("toy"), toy.Named("box")
		if err := gen.Apply([]gen.Config{got, box}, settings); err != nil {
			t.Fatal(err)
		}
		if !reflect.DeepEqual(got, want) || !reflect.DeepEqual(box, toy.Named("box")) {
			t.Fatalf("got %+v, want %+v from\n%s", got, want, text)
		}
	})
}

// No text makes the reader panic or lose its places.
func TestReadYAMLAnything(t *testing.T) {
	pieces := []string{"toy", ":", " ", "\n", "  ", "step", "- ", "[", "]", "{", "}", "'", "\"", "&a", "*a", "!!int", "|", ">", "#", "?", "---", "...", "<<", "1", "true", "~", "\t", "%", "@", ",", "é", "\x00"}
	rapid.Check(t, func(t *rapid.T) {
		text := strings.Join(rapid.SliceOf(rapid.SampledFrom(pieces)).Draw(t, "text"), "")
		settings, err := gen.ReadYAML("f.yaml", []byte(text), []string{"toy"}, "toy")
		var bad *gen.Invalid
		if err != nil && !errors.As(err, &bad) {
			t.Fatalf("error %T, want *gen.Invalid", err)
		}
		for _, s := range settings {
			if s.Line < 1 || s.Column < 1 {
				t.Fatalf("%s: %+v has no place", text, s)
			}
		}
	})
}
