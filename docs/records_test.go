// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/check/due"
	"github.com/nicgen/nicgen/check/mutate"
	"github.com/nicgen/nicgen/check/prove"
	"github.com/nicgen/nicgen/check/record"
	"github.com/nicgen/nicgen/check/soak"
	speeds "github.com/nicgen/nicgen/check/speed"
	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
	"github.com/nicgen/nicgen/tb/proof"
)

// Records of results name the RTL that they are of. data/due.json lists those of other RTL
// than the generator emits now, and no others: it is empty again when all are made.
func TestDue(t *testing.T) {
	list, err := due.Read(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	found := due.List{}
	for _, subject := range registry.Subjects(slices.Concat(registry.Units, registry.Blocks)) {
		unit := subject.Name
		found[unit] = slices.DeleteFunc(slices.Clone(list[unit]), func(kind string) bool { return recorded[kind] != nil })
		for kind, read := range recorded {
			old := ""
			designs, err := read(unit)
			if errors.Is(err, fs.ErrNotExist) {
				continue // TestComplete of report has the list of what is missing
			}
			if err != nil {
				t.Fatal(err)
			}
			for _, d := range designs {
				now, err := digest(subject, d)
				if d.part != "" {
					old = d.part
				} else if err != nil {
					old = fmt.Sprintf("%q is no configuration any more: %v", d.settings, err)
				} else if now != d.rtl {
					old = fmt.Sprintf("%q: the record is of RTL %.12s, and that of now is %.12s", d.settings, d.rtl, now)
				}
			}
			if old != "" {
				found[unit] = append(found[unit], kind)
			}
			switch listed := list.Has(unit, kind); {
			case *update:
			case old != "" && !listed:
				t.Errorf("%s of %s is due, and %s does not list it: %s: run: make %s, or, if it can wait: go test ./docs -run TestDue -update", kind, unit, due.File, old, cmp.Or(commands[kind], kind))
			case old == "" && listed:
				t.Errorf("%s lists %s of %s, and the record is of the RTL of now: run: go test ./docs -run TestDue -update", due.File, kind, unit)
			}
		}
	}
	for unit, kinds := range list {
		if found[unit] == nil {
			t.Errorf("%s lists %s of %q, which is no unit", due.File, kinds, unit)
		}
	}
	if *update {
		if err := os.WriteFile(due.File, found.Text(), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// A design is what a record is of.
type design struct {
	settings string // on top of the default
	set      string // of a proof: its set of properties
	rtl      string // digest
	part     string // what there is of a record that has not reached its end, if so
}

// digest is that of a design as it is emitted now.
func digest(subject proof.Subject, d design) (string, error) {
	if d.set != "" {
		return prove.Digest(subject, d.set, d.settings)
	}
	cfg := subject.New()
	if err := gen.Configure(cfg, d.settings); err != nil {
		return "", err
	}
	return emit.DesignDigest(cfg)
}

// leastEvents is the number of events of a long run, as nicgen soak has it by default.
const leastEvents = 1_000_000_000

// recorded are the kinds of records: the designs that a unit's record is of.
var recorded = map[string]func(unit string) ([]design, error){
	"soak": func(unit string) ([]design, error) {
		list, err := soaked("soak")(unit)
		if err != nil {
			return nil, err
		}
		r, err := read[soak.Result]("soak/" + unit)
		if r.Events < leastEvents {
			list = append(list, design{part: fmt.Sprintf("the record has %d of %d events", r.Events, leastEvents)})
		}
		return list, err
	},
	"coverage": soaked("coverage"),
	"mutate": func(unit string) (list []design, err error) {
		r, err := read[mutate.Report]("mutate/" + unit)
		for _, c := range r.Configurations {
			list = append(list, design{settings: c.Settings, rtl: c.Text})
		}
		return list, err
	},
	"prove": func(unit string) (list []design, err error) {
		r, err := read[prove.Report]("prove/" + unit)
		for _, s := range r.Sets {
			for _, p := range s.Proofs {
				list = append(list, design{set: s.Name, settings: p.Config, rtl: p.RTL})
			}
		}
		return list, err
	},
	"upset": func(unit string) (list []design, err error) {
		r, err := read[upset.Report]("upset/" + unit)
		for _, x := range r.Results {
			list = append(list, design{settings: x.Settings, rtl: x.RTL})
		}
		return list, err
	},
	"netlist":    run("netlist"),
	"simulators": run("simulators"),
	"synth": func(unit string) (list []design, err error) {
		i := slices.IndexFunc(registry.Units, func(u registry.Unit) bool { return u.New().Unit() == unit })
		if i < 0 {
			return nil, nil // the shared parts
		}
		for _, s := range append([]bench.Synthesis{{}}, registry.Units[i].Evidence.Syntheses...) {
			name := unit
			if s.Name != "" {
				name += "_" + s.Name
			}
			r, err := read[synth.Report](name)
			if err != nil {
				return nil, err
			}
			list = append(list, design{settings: s.Settings, rtl: r.Design})
		}
		return list, nil
	},
	"speed": func(unit string) (list []design, err error) {
		h, err := read[speeds.History]("speed")
		for _, r := range h {
			if r.Unit == unit {
				list = []design{{rtl: r.RTL}} // the last
			}
		}
		return list, err
	},
}

// commands are those of make that have another name than their kind.
var commands = map[string]string{"synth": "doc-data", "speed": "bench"}

// read reads a record below data.
func read[T any](name string) (r T, err error) {
	text, err := os.ReadFile(filepath.Join("data", name+".json"))
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	return r, err
}

func soaked(kind string) func(unit string) ([]design, error) {
	return func(unit string) (list []design, err error) {
		r, err := read[soak.Result](kind + "/" + unit)
		for _, c := range r.Configs {
			list = append(list, design{settings: settings(c.Changed), rtl: c.RTL})
		}
		return list, err
	}
}

func run(kind string) func(unit string) ([]design, error) {
	return func(unit string) (list []design, err error) {
		r, err := read[[]record.Run](kind + "/" + unit)
		for _, x := range r {
			list = append(list, design{settings: settings(x.Set), rtl: x.RTL})
		}
		return list, err
	}
}

// settings are those of a map as words.
func settings[T any](m map[string]T) string {
	var words []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		words = append(words, fmt.Sprintf("%s=%v", k, m[k]))
	}
	return strings.Join(words, " ")
}

// What a record holds of is the design, not the words around it: the mark and other names
// of files, modules and guards leave its digest.
func TestDigestsAreOfTheDesign(t *testing.T) {
	for _, u := range registry.Units {
		cfg := u.New()
		files, err := cfg.Files()
		if err != nil {
			t.Fatal(err)
		}
		want := gen.DesignDigest(cfg.Top(), files)
		marked, err := emit.Sources(emit.Unit{Config: cfg})
		if err != nil {
			t.Fatal(err)
		}
		if gen.DesignDigest(cfg.Top(), marked) != want {
			t.Errorf("%s: the digest changes with the generated mark", cfg.Unit())
		}
		for i := range files {
			files[i] = gen.File{Name: "my_" + files[i].Name, Text: regexp.MustCompile(`\b(nic_|NIC_\w+_SV\b)`).ReplaceAllString(files[i].Text, "my_$0")}
		}
		slices.Reverse(files)
		if gen.DesignDigest("my_"+cfg.Top(), files) != want {
			t.Errorf("%s: the digest changes with the names of modules and the order of files", cfg.Unit())
		}
	}
}
