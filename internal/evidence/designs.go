// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/check/mutate"
	"github.com/nicgen/nicgen/check/prove"
	"github.com/nicgen/nicgen/check/soak"
	"github.com/nicgen/nicgen/check/upset"
	"github.com/nicgen/nicgen/internal/evidence/record"
	"github.com/nicgen/nicgen/internal/evidence/speed"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/tb/bench"
)

// design identifies the RTL of a record.
type design struct {
	settings string // on top of the default
	set      string // of a proof: its set of properties
	rtl      string // digest
	part     string // progress of an unfinished record, if any
}

// leastEvents is the number of events of a long run, the default of nicgen soak.
const leastEvents = 1_000_000_000

// read reads a record below docs/data.
func read[T any](docs fs.FS, name string) (r T, err error) {
	text, err := fs.ReadFile(docs, "data/"+name+".json")
	if err == nil {
		err = json.Unmarshal(text, &r)
	}
	if err != nil {
		err = fmt.Errorf("docs/data/%s.json: %w", name, err)
	}
	return r, err
}

func soaked(docs fs.FS, _ []registry.Unit, unit string) ([]design, error) {
	list, r, err := runsOf(docs, "soak/"+unit)
	if err == nil && r.Events < leastEvents {
		list = append(list, design{part: fmt.Sprintf("the record has %d of %d events", r.Events, leastEvents)})
	}
	return list, err
}

func covered(docs fs.FS, _ []registry.Unit, unit string) ([]design, error) {
	list, _, err := runsOf(docs, "coverage/"+unit)
	return list, err
}

// runsOf reads a result of nicgen soak or coverage.
func runsOf(docs fs.FS, name string) (list []design, r soak.Result, err error) {
	r, err = read[soak.Result](docs, name)
	for _, c := range r.Configs {
		list = append(list, design{settings: settings(c.Changed), rtl: c.RTL})
	}
	return list, r, err
}

func mutated(docs fs.FS, _ []registry.Unit, unit string) (list []design, err error) {
	r, err := read[mutate.Report](docs, "mutate/"+unit)
	for _, c := range r.Configurations {
		list = append(list, design{settings: c.Settings, rtl: c.Text})
	}
	return list, err
}

func proved(docs fs.FS, _ []registry.Unit, unit string) (list []design, err error) {
	r, err := read[prove.Report](docs, "prove/"+unit)
	for _, s := range r.Sets {
		for _, p := range s.Proofs {
			list = append(list, design{set: s.Name, settings: p.Config, rtl: p.RTL})
		}
	}
	return list, err
}

func upsets(docs fs.FS, _ []registry.Unit, unit string) (list []design, err error) {
	r, err := read[upset.Record](docs, "upset/"+unit)
	for _, x := range r.Results {
		list = append(list, design{settings: x.Settings, rtl: x.RTL})
	}
	return list, err
}

func cosimulated(kind string) func(docs fs.FS, units []registry.Unit, unit string) ([]design, error) {
	return func(docs fs.FS, _ []registry.Unit, unit string) (list []design, err error) {
		r, err := read[[]record.Run](docs, kind+"/"+unit)
		for _, x := range r {
			list = append(list, design{settings: settings(x.Set), rtl: x.RTL})
		}
		return list, err
	}
}

func synthesised(docs fs.FS, units []registry.Unit, unit string) (list []design, err error) {
	i := slices.IndexFunc(units, func(u registry.Unit) bool { return u.New().Unit() == unit && !u.ByName })
	if i < 0 {
		return nil, nil // the shared parts, or a block
	}
	for _, s := range append([]bench.Synthesis{{}}, units[i].Evidence.Syntheses...) {
		name := unit
		if s.Name != "" {
			name += "_" + s.Name
		}
		r, err := read[synth.Report](docs, name)
		if err != nil {
			return nil, err
		}
		list = append(list, design{settings: s.Settings, rtl: r.Design})
	}
	return list, nil
}

func measured(docs fs.FS, _ []registry.Unit, unit string) (list []design, err error) {
	h, err := read[speed.History](docs, "speed")
	for _, r := range h {
		if r.Unit == unit {
			list = []design{{rtl: r.RTL}} // the last
		}
	}
	return list, err
}

// settings writes a map as words, "key=value …".
func settings[T any](m map[string]T) string {
	var words []string
	for _, k := range slices.Sorted(maps.Keys(m)) {
		words = append(words, fmt.Sprintf("%s=%v", k, m[k]))
	}
	return strings.Join(words, " ")
}
