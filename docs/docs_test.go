// SPDX-License-Identifier: Apache-2.0

package docs_test

import (
	"encoding/json"
	"io/fs"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/internal/evidence/pages"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/synth"
	"github.com/nicgen/nicgen/synth/timing"
)

// The tables in the pages are what the program makes.
func TestPagesAreCurrent(t *testing.T) {
	root := os.DirFS("..")
	again, err := due.Read(os.DirFS("."))
	if err != nil {
		t.Fatal(err)
	}
	m := &pages.Maker{Units: registry.Units, Due: again, ReadFile: func(name string) ([]byte, error) { return fs.ReadFile(root, name) }}
	blocks := 0
	for _, name := range markdown(t, root) {
		old, err := fs.ReadFile(root, name)
		if err != nil {
			t.Fatal(err)
		}
		blocks += strings.Count(string(old), "\n<!-- nicgen:begin ")
		text, err := m.Renew(name, old)
		if err != nil {
			t.Error(err)
		} else if d := cmp.Diff(string(text), string(old)); d != "" {
			t.Errorf("run: make doc\n%s (-made +checked in)\n%s", name, d)
		}
	}
	if blocks == 0 {
		t.Error("no page has a block")
	}
}

// shown returns the part of a report that pages show: everything except positions in the
// source, which a comment may move.
func shown(r *synth.Report) synth.Report {
	s := synth.Report{Note: r.Note, Top: r.Top, Tool: r.Tool, Family: r.Family, Flow: r.Flow, Device: r.Device,
		Counts: r.Counts, Memories: slices.Clone(r.Memories)}
	for i := range s.Memories {
		s.Memories[i].Src = ""
	}
	if r.RegToReg != nil {
		s.RegToReg = &synth.Path{Levels: r.RegToReg.Levels}
	}
	if r.Timing != nil && r.Timing.RegToReg != nil {
		s.Timing = &timing.Estimate{RegToReg: &timing.Group{Ns: r.Timing.RegToReg.Ns}}
	}
	return s
}

// ofNone are deep memories that are not state of a connection: buffers, cells of packets, a wheel.
var ofNone = map[string][]string{
	"nic_queue": {"beats", "enter.cells", "links", "sizes"},
	"nic_pace":  {"wheel.slots"},
}

// padded are memories whose words the synthesis rounds up, two entries a row of ultra RAM.
var padded = map[string][]string{"nic_echo": {"ring.ram"}}

// The state listed on a page equals the content of the memories, and the quoted report
// equals Yosys' current one; a short test trusts a report of the same SystemVerilog.
func TestReportsAreCurrent(t *testing.T) {
	for _, u := range registry.Units {
		cfg := u.New()
		t.Run(cfg.Unit(), func(t *testing.T) {
			files, err := emit.Sources(emit.Unit{Config: cfg, Default: cfg})
			if err != nil {
				t.Fatal(err)
			}
			q := synth.Request{Top: cfg.Top(), Published: u.Published, Options: synth.Options{Apart: gen.Apart(cfg)}}
			for _, f := range files {
				q.Files = append(q.Files, synth.File(f))
			}
			text, err := os.ReadFile("data/" + cfg.Unit() + ".json")
			if err != nil {
				t.Fatal(err)
			}
			var got synth.Report
			if err := json.Unmarshal(text, &got); err != nil {
				t.Fatal(err)
			}
			if list, err := due.Read(os.DirFS(".")); err != nil {
				t.Fatal(err)
			} else if list.Has(cfg.Unit(), "synth") {
				return // TestDue demands that it is of other SystemVerilog
			}
			r := &got
			if !testing.Short() {
				if r, err = synth.Run(t.Context(), q); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff(shown(r), shown(&got), cmpopts.EquateEmpty()); d != "" {
				t.Errorf("run: make doc-data\n(-measured +checked in)\n%s", d)
			}
			s, ok := cfg.(gen.Stateful)
			if !ok {
				return
			}
			width := map[string]int64{} // by memory, for one connection
			for _, f := range s.State() {
				for _, m := range f.Memories {
					width[m] += int64(f.Bits)
				}
			}
			rows := int64(0)
			for _, f := range cfg.Fields() {
				if f.Key == "connections" || f.Key == "paths" {
					rows = *f.Int
				}
			}
			bits := map[string]int64{}
			for _, m := range r.Memories {
				if m.Depth < rows || slices.ContainsFunc(ofNone[cfg.Unit()], func(name string) bool { return strings.HasPrefix(m.Name, name+".") }) {
					continue // a table or a delay, or of no connection
				}
				name, _, _ := strings.Cut(m.Name, ".") // the instance; what follows are its parts
				for listed := range width {
					if strings.HasPrefix(m.Name, listed+".") {
						name = listed // of a part of the unit
					}
				}
				bits[name] += m.Depth * m.Width
			}
			connections := int64(0)
			for name, n := range bits {
				switch w := width[name]; {
				case w == 0:
					t.Errorf("memory %s holds state that is not listed", name)
				case slices.Contains(padded[cfg.Unit()], name) && n/w >= connections:
				case n%w != 0 || connections != 0 && n/w != connections:
					t.Errorf("memory %s holds %d bits, want %d for each connection, and as many connections as the others", name, n, w)
				default:
					connections = n / w
				}
				delete(width, name)
			}
			for name := range width {
				t.Errorf("there is no memory %s", name)
			}
		})
	}
}
