// SPDX-License-Identifier: Apache-2.0

package export

import (
	"bytes"
	"embed"
	"fmt"
	"slices"
	"strings"
	"text/template"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/failure"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/gen/event"
)

//go:embed c
var texts embed.FS

var templates = template.Must(template.New("").Funcs(template.FuncMap{"note": paragraph}).ParseFS(texts, "c/*.tmpl"))

// columns is the width of the text that is written.
const columns = 100

// paragraph returns a comment above a declaration, on a separate line.
func paragraph(text string) string {
	var b strings.Builder
	line := "    /*"
	b.WriteString("\n")
	for _, w := range strings.Fields(text) {
		if len(line)+1+len(w)+3 > columns {
			b.WriteString(line + "\n")
			line = "     *"
		}
		line += " " + w
	}
	return b.String() + line + " */"
}

// kept is the number of answers of a kind that may wait to be taken.
const kept = 256

// view is the data of the templates: the unit, and the positions of its ports.
type view struct {
	*unit
	layout    *cosim.Layout
	Verilator string // version that it reports
	HasGolden bool   // there is a golden model
	Follows   bool   // the golden model does not run alone
}

// Version returns the version of the interface, for package files; Major is its first part.
func (view) Version() string { return fmt.Sprintf("%d.%d", Version, Minor) }

// Major returns the part of the version by which packages are compatible.
func (view) Major() int { return Version }

// GoldenName, GoldenFolder and GoldenABI describe the golden models' library.
func (view) GoldenName() string   { return GoldenName }
func (view) GoldenFolder() string { return Folder(goldenLabel) }
func (view) GoldenABI() int       { return GoldenVersion }

// Kept returns the number of answers that wait.
func (view) Kept() int { return kept }

// Settle returns the longest latency of the unit, plus some cycles for subsequent counters.
func (v view) Settle() int {
	most := 0
	for _, n := range v.cfg.Latency() {
		most = max(most, n)
	}
	if most == 0 {
		most = 1000 // a block of units
	}
	return most + 8
}

// Round returns the number of cycles in which the unit checks each of its timers once, if it
// declares it. Otherwise it returns 0, which means a few cycles for each timer that a reset clears.
func (v view) Round() int64 {
	if s, ok := v.cfg.(gen.Scanned); ok {
		return s.ScanPass() + int64(v.Settle())
	}
	return 0
}

// Calm returns the number of quiet cycles after which further ones may be skipped, for a unit that only
// answers events; 0 if cycles must not be skipped.
func (v view) Calm() int {
	if len(v.Linked()) == 0 || len(v.Free()) > 0 {
		return 0
	}
	return v.Settle()
}

// Often returns the number of cycles after which counters are read: a counter counts at most 16 in
// a cycle, and the narrowest must not wrap twice.
func (v view) Often() int {
	bits := 24
	for _, l := range v.Outputs {
		if l.Counter {
			bits = min(bits, l.Bits)
		}
	}
	return 1 << max(bits-8, 0)
}

// Linked returns the answers that belong to events.
func (v view) Linked() (list []*stream) {
	for _, s := range v.Answers {
		if len(s.Asks) > 0 {
			list = append(list, s)
		}
	}
	return list
}

// Free returns the answers that belong to no event.
func (v view) Free() (list []*stream) {
	for _, s := range v.Answers {
		if len(s.Asks) == 0 {
			list = append(list, s)
		}
	}
	return list
}

// Tried returns the events of the self-test, for a unit with a table of events that may occur in
// any order.
func (v view) Tried() (list []*stream) {
	for _, s := range v.Events {
		if slices.ContainsFunc(event.Table(v.cfg), func(e event.Call) bool { return e.Name == s.Name }) {
			list = append(list, s)
		}
	}
	return list
}

// Repeats reports whether an event of the self-test has arrays.
func (v view) Repeats() bool {
	return slices.ContainsFunc(v.Tried(), func(s *stream) bool {
		return slices.ContainsFunc(s.Fields, func(f field) bool { return f.Each && !f.Rare })
	})
}

// Pin returns the place of a port as C++.
func (v view) Pin(port string) (string, error) {
	s, ok := v.layout.Slot(port)
	if !ok {
		return "", fmt.Errorf("%s: the text has no port %s", v.Name, port)
	}
	return pin(s), nil
}

func pin(s cosim.Slot) string { return fmt.Sprintf("Pin{%d, %d, %d}", s.Word, s.Shift, s.Width) }

// namedPin is a port by its name.
type namedPin struct{ Name, Text string }

func namedPins(slots []cosim.Slot) (list []namedPin) {
	for _, s := range slots {
		list = append(list, namedPin{s.Name, pin(s)})
	}
	return list
}

// InPins and OutPins are all inputs and all outputs.
func (v view) InPins() []namedPin  { return namedPins(v.layout.Inputs) }
func (v view) OutPins() []namedPin { return namedPins(v.layout.Outputs) }

// Head returns the first lines of a recording.
func (v view) Head() ([]string, error) { return failure.ReplayHead(v.Name, emit.Values(v.cfg)) }

// Lines describe the ports for the golden model's library.
func (v view) Lines() []string { return v.layout.Lines() }

// Settings returns the configuration as a text of "key=value" words.
func (u *unit) Settings() string {
	var words []string
	for _, f := range u.cfg.Fields() {
		words = append(words, f.Key+"="+f.Value())
	}
	return strings.Join(words, " ")
}

// Member returns the stream's name in structs and unions.
func (s *stream) Member() string {
	if slices.Contains(reserved, s.Name) {
		return s.Name + "_"
	}
	return s.Name
}

// comment makes a text safe within a comment of C.
func comment(s string) string { return strings.ReplaceAll(s, "*/", "* /") }

func (v view) render(name string) (string, error) {
	var b bytes.Buffer
	if err := templates.ExecuteTemplate(&b, name, v); err != nil {
		return "", fmt.Errorf("%s: %w", v.Name, err)
	}
	// The first declaration of a list has no empty line above it.
	return strings.ReplaceAll(b.String(), "{\n\n", "{\n"), nil
}

// Header returns the text of the header of a configuration's library; def is the unit's default
// configuration.
func Header(cfg, def gen.Config) (string, error) {
	u, err := describe(cfg, def, "")
	if err != nil {
		return "", err
	}
	return view{unit: u}.render("header.h.tmpl")
}
