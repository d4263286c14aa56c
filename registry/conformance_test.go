// SPDX-License-Identifier: Apache-2.0

package registry_test

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/internal/sample"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/bench"
)

// The default configuration of every unit is valid, and its description is complete.
func TestDefaults(t *testing.T) {
	for _, u := range registry.Units {
		cfg := u.New()
		t.Run(cfg.Unit(), func(t *testing.T) {
			if err := gen.Validate(cfg); err != nil {
				t.Error(err)
			}
			if !slices.Contains([]string{bench.PathChoice, bench.Windows, bench.Reservations, bench.NIC}, u.Group) {
				t.Errorf("group %q, want one of package bench", u.Group)
			}
			if cfg.Title() == "" || cfg.Paper() == "" || len(cfg.Latency()) == 0 {
				t.Errorf("title %q, paper %q, latencies %v: want all three", cfg.Title(), cfg.Paper(), cfg.Latency())
			}
			for _, f := range cfg.Fields() {
				if !strings.HasSuffix(f.Doc, ".") || f.Group == "" {
					t.Errorf("%s: doc %q, group %q: want a sentence and a heading", f.Key, f.Doc, f.Group)
				}
			}
		})
	}
}

// longer are lines of more than sv.Columns, by their beginning, in texts to which recorded evidence
// belongs: they are broken when those texts change.
var longer = []string{
	"u_lookup_q <= {u_lookup_q[8:3],",   // laps_paths with parity
	"assign kept_explored = p1_scrub_q", // reps with scrub
	"assign send_last     = send_restart",
	"assign send_renew    = (send_ack.renew", // with scrub and reuse
	"// Baked       ACK coalescing: ",
	"// Baked       variant ", // powertcp with triple
}

// The text of every unit keeps the rules of conform in many configurations: every value of a field
// (for a number with a wide range, its ends) alone; every value that shapes the text, of choices
// and of numbers with a small range, together with every choice of another field, where the choices
// take turns; and many with all fields drawn at random.
func TestTexts(t *testing.T) {
	runs := sample.Chosen(registry.Units, func(u registry.Unit) string { return t.Name() + "/" + u.New().Unit() })
	for i, u := range registry.Units {
		if !runs[i] {
			continue
		}
		t.Run(u.New().Unit(), func(t *testing.T) {
			t.Parallel()
			n, refused := 0, 0
			try := func(set string) {
				cfg := u.New()
				if gen.Configure(cfg, set) != nil {
					refused++
					return
				}
				n++
				for _, problem := range conform(cfg) {
					t.Errorf("%q: %s", set, problem)
				}
			}
			try("")
			fields := u.New().Fields()
			var choices []gen.Field
			turns := 0
			for _, f := range fields {
				if f.Kind() != gen.Int && !f.Runtime {
					choices = append(choices, f)
					turns = max(turns, len(values(f)))
				}
			}
			for _, f := range fields {
				for k, v := range values(f) {
					try(f.Key + "=" + v)
					for turn := range turns {
						if !shapes(f) {
							break
						}
						set := ""
						for j, g := range choices {
							list := values(g)
							set += g.Key + "=" + list[(k+j+turn)%len(list)] + " "
						}
						try(set + f.Key + "=" + v)
					}
				}
			}
			r := rand.New(rand.NewPCG(1, 2))
			for range 200 {
				var set []string
				for _, f := range fields {
					if list := values(f); r.IntN(3) == 0 {
						set = append(set, f.Key+"="+list[r.IntN(len(list))])
					}
				}
				try(strings.Join(set, " "))
			}
			t.Logf("%d configurations, besides %d that break a rule over several fields", n, refused)
			if n < 200 {
				t.Errorf("only %d configurations are legal", n)
			}
		})
	}
}

// shapes reports whether a field is a choice or a number with a small range.
func shapes(f gen.Field) bool {
	return !f.Runtime && (f.Kind() != gen.Int || f.Max-f.Min < 32)
}

// values returns the values of a field that TestTexts uses.
func values(f gen.Field) []string {
	switch f.Kind() {
	case gen.Bool:
		return []string{"false", "true"}
	case gen.Enum:
		return f.Choices
	}
	list := []string{strconv.FormatInt(f.Min, 10), strconv.FormatInt(f.Max, 10)}
	if shapes(f) && !f.PowerOfTwo {
		for v := f.Min + 1; v < f.Max; v++ {
			list = append(list, strconv.FormatInt(v, 10))
		}
	}
	return list
}

// part is a line that begins an instance.
var part = regexp.MustCompile(`^(nic_\w+) (?:#\(|\w+ \()`)

// conform lists the problems of a configuration's text: every file must have its own name, the top
// is the last, and the lines are of at most sv.Columns and end neither in a blank nor in a
// template's mark; the top uses every port; exactly the instantiated modules are included; each
// run-time setting has a port, and each memory of the state an instance.
func conform(cfg gen.Config) (problems []string) {
	add := func(format string, args ...any) { problems = append(problems, fmt.Sprintf(format, args...)) }
	files, err := cfg.Files()
	if err != nil {
		return []string{err.Error()}
	}
	there, used, all := map[string]bool{}, map[string]bool{cfg.Top(): true}, ""
	for _, f := range files {
		name := strings.TrimSuffix(f.Name, ".sv")
		if there[name] {
			add("file %s is there twice", f.Name)
		}
		there[name] = true
		for i, l := range strings.Split(f.Text, "\n") {
			code := strings.TrimLeft(l, " ")
			begins := func(with string) bool { return strings.HasPrefix(code, with) }
			if utf8.RuneCountInString(l) > sv.Columns && !slices.ContainsFunc(longer, begins) || strings.Contains(l, "{{.") || strings.TrimRight(l, " \t") != l {
				add("%s:%d: %q", f.Name, i+1, l)
			}
			if begins("nic_") {
				if m := part.FindStringSubmatch(code); m != nil {
					used[m[1]] = true
				}
			}
		}
		all += f.Text
	}
	for name := range used {
		if !there[name] {
			add("%s is used and not there", name)
		}
	}
	for name := range there {
		if !used[name] {
			add("%s is there and not used", name)
		}
	}
	top := files[len(files)-1]
	if top.Name != cfg.Top()+".sv" {
		add("the last file is %s", top.Name)
	}
	_, body, _ := strings.Cut(top.Text, "\n);\n")
	words := map[string]bool{}
	for w := range strings.FieldsFuncSeq(body, func(r rune) bool { return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r) }) {
		words[w] = true
	}
	ports := map[string]int{}
	for _, p := range cfg.Ports() {
		ports[p.Name] = p.Bits
		if !words[p.Name] {
			add("port %s is not used", p.Name)
		}
	}
	settings(cfg, ports, add)
	if s, ok := cfg.(gen.Stateful); ok {
		for _, state := range s.State() {
			for _, m := range state.Memories {
				instance := m[strings.LastIndex(m, ".")+1:]
				if state.Bits < 1 || !strings.Contains(all, ") "+instance+" (\n") {
					add("state %s of %d bits: no memory %s", state.Name, state.Bits, m)
				}
			}
		}
	}
	slices.Sort(problems)
	return problems
}

// settings returns the mistakes in the ports of run-time settings: each field names a port, and
// where the configuration drives them itself, which it may do for more ports than it has, each cfg_
// port has a value that fits it.
func settings(cfg gen.Config, ports map[string]int, add func(string, ...any)) {
	driven, ok := cfg.(gen.Driven)
	if !ok {
		for _, f := range cfg.Fields() {
			if _, there := ports[f.Port]; f.Runtime && !there {
				add("setting %s is of port %q, which is not there", f.Key, f.Port)
			}
		}
		return
	}
	values := driven.PortValues()
	for name, bits := range ports {
		if v, ok := values[name]; strings.HasPrefix(name, "cfg_") && (!ok || v>>bits != 0) {
			add("port %s of %d bits has value %d", name, bits, v)
		}
	}
}
