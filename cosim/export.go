// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/nicgen/nicgen/verilator"
)

// Ports are the ports of a design's top module without the clock, and their places in vectors,
// as its text has them.
func Ports(src Source) (*Layout, error) {
	src, err := src.check()
	if err != nil {
		return nil, err
	}
	l, _, _, err := sourcePorts(src)
	return l, err
}

// Exported are the libraries of a design.
type Exported struct {
	Shared, Static []byte // libNAME.so and libNAME.a
}

// Export compiles a design into libraries for other programs, with the interface whose code
// uses the places that Ports returned, or takes them from the cache. It returns the errors of
// Build.
func Export(ctx context.Context, src Source, i verilator.Interface, o BuildOptions) (*Exported, error) {
	src, err := src.check()
	if err != nil {
		return nil, err
	}
	want, err := Ports(src)
	if err != nil {
		return nil, err
	}
	root, err := CacheDir()
	if err != nil {
		return nil, err
	}
	tools, err := verilator.FindTools(ctx)
	if err != nil {
		return nil, err
	}
	vo := verilator.Options{Savable: true, Optimize: o.Optimize}
	if err := vo.Check(); err != nil {
		return nil, err
	}
	if src, err = everyEdge(src); err != nil {
		return nil, err
	}
	id, err := json.Marshal(struct {
		Tools, Options string
		Source         Source
		Interface      verilator.Interface
	}{tools.LibraryID(), vo.Key(), src, i})
	if err != nil {
		return nil, err
	}
	dir, err := CacheEntry(ctx, "library", hash(id), func(tmp string) error {
		o.status("compiling %s", i.Name)
		v, _, err := translate(ctx, root, tmp, tools, src, vo, o.status)
		if err != nil {
			return err
		}
		if got := v.layout; fmt.Sprint(got.Inputs, got.Outputs) != fmt.Sprint(want.Inputs, want.Outputs) {
			return fmt.Errorf("module %s: the ports of the text are not those that were compiled: report this as a fault of nicgen", src.Top)
		}
		if err := tools.Library(ctx, v.obj, v.runtime, v.glue, i, tmp, vo); err != nil {
			return err
		}
		return v.remove()
	})
	if err != nil {
		return nil, err
	}
	x := &Exported{}
	if x.Shared, err = os.ReadFile(filepath.Join(dir, "lib"+i.Name+".so")); err == nil {
		x.Static, err = os.ReadFile(filepath.Join(dir, "lib"+i.Name+".a"))
	}
	if err != nil {
		return nil, fmt.Errorf("cache entry: %w", err)
	}
	return x, nil
}

// everyEdge lets a design act at both edges of its clock, which a library moves once a cycle: to put the clock back would take
// a second evaluation.
func everyEdge(src Source) (Source, error) {
	src.Files = slices.Clone(src.Files)
	acts := false
	for i, f := range src.Files {
		for _, m := range edge.FindAllStringSubmatch(comment.ReplaceAllString(f.Text, ""), -1) {
			if m[1] != "posedge" || m[2] != src.Clock {
				return src, fmt.Errorf("%s: module %s acts at the %s of %s, allowed: the posedge of its clock %s", f.Name, src.Top, m[1], m[2], src.Clock)
			}
			acts = true
		}
		src.Files[i].Text = control.ReplaceAllString(f.Text, "@(edge ")
	}
	if !acts {
		return src, fmt.Errorf("module %s has no register: a library needs a design with a clock", src.Top)
	}
	return src, nil
}

// edge is an edge that a design acts at, control where an event control of one begins.
var (
	edge    = regexp.MustCompile(`\b(posedge|negedge) +(\w+)`)
	control = regexp.MustCompile(`@ *\( *posedge +`)
	comment = regexp.MustCompile(`//.*`)
)

// Lines describe the ports for the golden model's library: a port a line, "in NAME WIDTH".
func (l *Layout) Lines() []string {
	var lines []string
	for _, s := range l.Inputs {
		lines = append(lines, fmt.Sprintf("in %s %d\n", s.Name, s.Width))
	}
	for _, s := range l.Outputs {
		lines = append(lines, fmt.Sprintf("out %s %d\n", s.Name, s.Width))
	}
	return lines
}

// ReadLines is the layout of what Lines wrote.
func ReadLines(text string) (*Layout, error) {
	var in, out []Slot
	for _, line := range strings.Split(strings.TrimSuffix(text, "\n"), "\n") {
		var dir, name string
		var width int32
		if _, err := fmt.Sscanf(line, "%s %s %d", &dir, &name, &width); err != nil {
			return nil, fmt.Errorf("port %q: want a direction, a name and a width", line)
		}
		s := Slot{Name: name, Width: width}
		switch dir {
		case "in":
			in = append(in, s)
		case "out":
			out = append(out, s)
		default:
			return nil, fmt.Errorf("port %q: direction %s, want in or out", line, dir)
		}
	}
	return NewLayout(in, out)
}
