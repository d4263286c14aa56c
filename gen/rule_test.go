// SPDX-License-Identifier: Apache-2.0

package gen_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/internal/toy"
)

// chain is a toy whose limit follows its width, and whose width follows its step; its direction
// follows its style.
type chain struct{ *toy.Params }

func newChain(name string) gen.Config { return chain{toy.Named(name)} }

// Fields implements gen.Config.
func (c chain) Fields() []gen.Field {
	list := c.Params.Fields()
	for i := range list {
		switch f := &list[i]; f.Key {
		case "count_bits":
			f.Auto = gen.AtLeast(8, func() int64 { return c.Step / 2 }, "step")
		case "limit_ns":
			f.Auto = gen.Follow("100, or 2^count_bits - 1", func() int64 { return min(int64(100), 1<<c.Bits-1) }, "count_bits")
		case "direction":
			f.Auto = gen.FollowChoice("down with style off, else up", func() string {
				return map[bool]string{true: "down", false: "up"}[c.Style == "off"]
			}, "style")
		}
	}
	return list
}

// A default that depends on other parameters follows them, through others too, unless a value is
// written; a written value is refused if it does not fit, regardless of the order.
func TestDefaultsFollow(t *testing.T) {
	for _, c := range []struct{ settings, want, err string }{
		{"", "8 100 up", ""},
		{"count_bits=4", "4 15 up", ""},
		{"count_bits=12", "12 100 up", ""},
		{"step=64", "32 100 up", ""},
		{"style=off", "8 100 down", ""},
		{"style=off direction=up", "8 100 up", ""},
		{"limit_ns=7 count_bits=4", "4 7 up", ""},
		{"count_bits=4 limit_ns=7", "4 7 up", ""},
		{"limit_ns=7 limit_ns=auto count_bits=4", "4 15 up", ""},
		{"direction=auto", "8 100 up", ""},
		{"count_bits=4 limit_ns=100", "", "--set: toy.limit_ns: found 100, allowed: below 2^count_bits (16)"},
		{"limit_ns=100 count_bits=4", "", "--set: toy.limit_ns: found 100, allowed: below 2^count_bits (16)"},
		{"limit_ns=-1", "", "--set: toy.limit_ns: found -1, allowed: auto or a whole number from 0 to 4294967295"},
		{"direction=autos", "", "--set: toy.direction: found autos, nearest: up, allowed: auto, up, down or hold"},
		{"step=auto", "", "--set: toy.step: found auto, allowed: a power of two from 1 to 64"},
	} {
		apply := func(cfg gen.Config) error { return gen.Configure(cfg, c.settings) }
		together := func(cfg gen.Config) error {
			var list []gen.Setting
			for i, w := range strings.Fields(c.settings) {
				s, err := gen.ParseSet(w)
				if err != nil {
					return err
				}
				if i > 0 && strings.Count(c.settings, s.Key+"=") > 1 {
					s.File, s.Line = "f", i // a key may be set once in each place
				}
				list = append(list, s)
			}
			return gen.Apply([]gen.Config{cfg}, list)
		}
		for name, f := range map[string]func(gen.Config) error{"Configure": apply, "Apply": together} {
			cfg := newChain("toy")
			err := f(cfg)
			var bad *gen.Invalid
			switch {
			case c.err == "" && err != nil, c.err != "" && (!errors.As(err, &bad) || err.Error() != c.err):
				t.Errorf("%s %q: error %v, want %q", name, c.settings, err, c.err)
			case err == nil:
				v := values(cfg)
				if got := v["count_bits"] + " " + v["limit_ns"] + " " + v["direction"]; got != c.want {
					t.Errorf("%s %q: %s, want %s", name, c.settings, got, c.want)
				}
			}
		}
	}
}

// Set changes only one value; SetAll lets the others follow; a value that follows once follows
// again, and an explicit value stays.
func TestFollowLater(t *testing.T) {
	cfg := newChain("toy")
	step := func(what string, err error, want string) {
		t.Helper()
		v := values(cfg)
		if got := v["count_bits"] + " " + v["limit_ns"]; err != nil || got != want {
			t.Errorf("%s: %s, error %v, want %s", what, got, err, want)
		}
	}
	step("Set", gen.Set(cfg, "count_bits=6"), "6 100")
	if err := gen.Validate(cfg); err == nil || err.Error() != "default: toy.limit_ns: found 100, allowed: below 2^count_bits (64)" {
		t.Errorf("a value that Set left behind: %v", err)
	}
	step("Set auto", gen.Set(cfg, "limit_ns=auto"), "6 63")
	step("SetAll", gen.SetAll(cfg, "count_bits=5"), "5 31")
	step("SetAll", gen.SetAll(cfg, "count_bits=8"), "8 100")
	step("written", gen.SetAll(cfg, "limit_ns=9"), "8 9")
	step("stays", gen.SetAll(cfg, "count_bits=7"), "7 9")
	step("Validate", gen.Validate(cfg), "7 9")
}

// A configuration that is written says auto where it follows, and read again it is the same.
func TestAutoYAML(t *testing.T) {
	for _, settings := range []string{"", "count_bits=4", "count_bits=4 limit_ns=3 style=off", "direction=hold"} {
		cfg := newChain("toy")
		if err := gen.Configure(cfg, settings); err != nil {
			t.Fatal(err)
		}
		text, err := gen.WriteYAML([]gen.Config{cfg})
		if err != nil {
			t.Fatal(err)
		}
		list, err := gen.ReadYAML("f.yaml", []byte(text), []string{"toy"}, "")
		if err != nil {
			t.Fatal(err)
		}
		back := newChain("toy")
		if err := gen.Apply([]gen.Config{back}, list); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(values(cfg), values(back)); d != "" {
			t.Errorf("%q: -want +got:\n%s\n%s", settings, d, text)
		}
		if limit := strings.Contains(text, "\n  limit_ns: auto\n"); limit == strings.Contains(settings, "limit_ns") {
			t.Errorf("%q: limit_ns is auto: %t\n%s", settings, limit, text)
		}
		if !strings.Contains(text, "\n  # Auto: 8, or the least that step allows; here 8.\n") {
			t.Errorf("%q: no rule of count_bits in\n%s", settings, text)
		}
	}
}

// shared applies settings to units a, b and c, where c has a narrow step, and returns their widths,
// steps and limits, and the settings that were left out.
func shared(args ...string) (values []string, left []gen.Omitted, err error) {
	var cfgs []gen.Config
	for _, n := range []string{"a", "b", "c"} {
		cfgs = append(cfgs, newChain(n))
	}
	cfgs[2] = narrow{cfgs[2].(chain)}
	var settings []gen.Setting
	for _, x := range args {
		s, err := gen.ParseSet(x)
		if err != nil {
			return nil, nil, err
		}
		settings = append(settings, s)
	}
	left, err = gen.Share(cfgs, settings)
	for _, c := range cfgs {
		text := ""
		for _, f := range c.Fields() {
			switch f.Key {
			case "count_bits", "step", "limit_ns":
				text += " " + f.Value()
			}
		}
		values = append(values, strings.TrimSpace(text))
	}
	return values, left, err
}

// narrow is a unit with steps of at most 4 and no style.
type narrow struct{ chain }

// Fields implements gen.Config.
func (n narrow) Fields() []gen.Field {
	var list []gen.Field
	for _, f := range n.chain.Fields() {
		if f.Key == "step" {
			f.Max = 4
		}
		if f.Key != "style" {
			list = append(list, f)
		}
	}
	return list
}

// A shared setting reaches the units in which it is legal together with the others, in any order; a
// setting that reaches none is refused, and so is an illegal one for a single unit.
func TestShare(t *testing.T) {
	for _, c := range []struct{ settings, want, left, err string }{
		{"count_bits=4", "4 1 15, 4 1 15, 4 1 15", "", ""},
		{"style=gray", "8 1 100, 8 1 100, 8 1 100", "", ""},
		{"step=8", "8 8 100, 8 8 100, 8 1 100", "c.step", ""},
		{"step=8 count_bits=6", "6 8 63, 6 8 63, 6 1 63", "c.step", ""},
		{"count_bits=3 step=8", "3 1 7, 3 1 7, 3 1 7", "", "--set: a.step: found 8, allowed: below 2^count_bits (8)\n--set: b.step: found 8, allowed: below 2^count_bits (8)\n--set: c.step: found 8, allowed: a power of two from 1 to 4"},
		{"limit_ns=1000 count_bits=12", "12 1 1000, 12 1 1000, 12 1 1000", "", ""},
		{"limit_ns=1000 count_bits=12 b.step=4", "12 1 1000, 12 4 1000, 12 1 1000", "", ""},
		{"limit_ns=1000 step=8", "", "", "--set: a.limit_ns: found 1000, allowed: below 2^count_bits (256)\n" +
			"--set: b.limit_ns: found 1000, allowed: below 2^count_bits (256)\n--set: c.limit_ns: found 1000, allowed: below 2^count_bits (256)"},
		{"limit_ns=1000 a.count_bits=12", "12 1 1000, 8 1 100, 8 1 100", "b.limit_ns c.limit_ns", ""},
		{"a.count_bits=3 count_bits=8", "", "", "--set: a.count_bits: found a second value 8 (the first is at --set), allowed: each key once"},
		{"a.step=3 count_bits=5", "", "", "--set: a.step: found 3, allowed: a power of two from 1 to 64"},
		{"c.step=8 count_bits=5", "", "", "--set: c.step: found 8, allowed: a power of two from 1 to 4"},
		{"stop=1", "", "", "--set: stop: found unknown key, nearest: step, allowed: count_bits, step, style, wrap, limit_ns, enable or direction"},
		{"d.step=1", "", "", "--set: d.step: found unknown unit d, nearest: , allowed: a, b or c"},
		{"c.style=off", "", "", "--set: c.style: found unknown key, nearest: step, allowed: count_bits, step, wrap, limit_ns, enable or direction"},
	} {
		got, left, err := shared(strings.Fields(c.settings)...)
		if c.err != "" {
			if err == nil || strings.ReplaceAll(err.Error(), ", nearest: ,", ",") != strings.ReplaceAll(c.err, ", nearest: ,", ",") {
				t.Errorf("%s: error\n%v\nwant\n%s", c.settings, err, c.err)
			}
			continue
		}
		var names []string
		for _, o := range left {
			names = append(names, o.Unit+"."+o.Key)
			if len(o.Problems) == 0 {
				t.Errorf("%s: %s is left out without a reason", c.settings, o.Unit)
			}
		}
		if g, l := strings.Join(got, ", "), strings.Join(names, " "); err != nil || g != c.want || l != c.left {
			t.Errorf("%s: %s, left out %q, error %v\nwant %s, %q", c.settings, g, l, err, c.want, c.left)
		}
	}
}
