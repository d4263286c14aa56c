// SPDX-License-Identifier: Apache-2.0

package gen

import (
	"errors"
	"fmt"
	"strings"

	"github.com/goccy/go-yaml"
	"github.com/goccy/go-yaml/ast"
	"github.com/goccy/go-yaml/parser"
	"github.com/goccy/go-yaml/token"

	"github.com/nicgen/nicgen/internal/plainyaml"
)

// MaxYAML is the size in bytes of the largest configuration file that ReadYAML accepts: a parser of
// YAML takes more than linear time for some texts.
const MaxYAML = 32 << 10

// ReadYAML reads a configuration file. Its top-level keys are names of units,
// and below each of them are the keys of the unit's fields:
//
//	reps:
//	  evs_bits: 8
//	  connections: 1024
//
// If flat names a unit, top-level keys that are no unit belong to that unit, so that a file for one
// unit needs no heading. file is the name for messages, units are the names of all existing units.
// The settings that could be read are returned together with an *Invalid for everything that could
// not.
func ReadYAML(file string, text []byte, units []string, flat string) ([]Setting, error) {
	r := &reader{file: file, units: units, flat: flat}
	if len(text) > MaxYAML {
		r.problem(nil, "", fmt.Sprintf("a file of %d bytes", len(text)), fmt.Sprintf("at most %d bytes", MaxYAML))
		return nil, r.err()
	}
	text = plainyaml.Text(text)
	if e := plainyaml.Check(text, MaxYAML); e != nil {
		r.problems = append(r.problems, Located{Where: fmt.Sprintf("%s:%d:%d", file, e.Line, e.Column), Problem: Problem{Found: e.Found, Allowed: e.Want}})
		return nil, r.err()
	}
	tree, err := parser.ParseBytes(text, 0, parser.AllowDuplicateMapKey())
	if err != nil {
		r.syntax(err)
		return nil, r.err()
	}
	docs := 0
	for _, d := range tree.Docs {
		if d.Body == nil || d.Body.Type() == ast.NullType || d.Body.Type() == ast.CommentType {
			continue
		}
		if docs++; docs > 1 {
			r.problem(d.Body.GetToken(), "", "a second document", "one document")
			break
		}
		r.top(d.Body)
	}
	return r.settings, r.err()
}

// reader collects the settings of a file.
type reader struct {
	file     string
	units    []string
	flat     string
	settings []Setting
	problems []Located
}

func (r *reader) err() error {
	if len(r.problems) == 0 {
		return nil
	}
	return &Invalid{r.problems}
}

// place returns the line and column of a token, from 1.
func place(t *token.Token) (line, column int) {
	if t == nil || t.Position == nil {
		return 1, 1
	}
	return t.Position.Line, t.Position.Column
}

func (r *reader) problem(t *token.Token, key, found, allowed string) {
	line, col := place(t)
	r.problems = append(r.problems, Located{
		Where:   fmt.Sprintf("%s:%d:%d", r.file, line, col),
		Problem: Problem{Key: key, Found: found, Allowed: allowed},
	})
}

// syntax reports a file that is not YAML.
func (r *reader) syntax(err error) {
	var e yaml.Error
	if errors.As(err, &e) {
		r.problem(e.GetToken(), "", "broken YAML: "+e.GetMessage(), "YAML with a mapping of key: value")
		return
	}
	r.problem(nil, "", "broken YAML: "+strings.TrimSpace(err.Error()), "YAML with a mapping of key: value")
}

// entries returns the pairs of a mapping; a mapping of one pair is a node of another kind in the
// tree.
func entries(n ast.Node) ([]*ast.MappingValueNode, bool) {
	switch n := n.(type) {
	case *ast.MappingNode:
		return n.Values, true
	case *ast.MappingValueNode:
		return []*ast.MappingValueNode{n}, true
	}
	return nil, false
}

func (r *reader) top(body ast.Node) {
	pairs, ok := entries(body)
	if !ok {
		r.problem(body.GetToken(), "", describe(body), "a mapping of units: "+list(r.units))
		return
	}
	first := map[string]string{}
	for _, p := range pairs {
		key := p.Key.GetToken().Value
		known := false
		for _, u := range r.units {
			known = known || u == key
		}
		if !known {
			// A mapping is never a field's value.
			if _, section := entries(p.Value); r.flat != "" && !section {
				r.value(r.flat, key, p)
				continue
			}
			line, col := place(p.Key.GetToken())
			r.problems = append(r.problems, Located{
				Where:   fmt.Sprintf("%s:%d:%d", r.file, line, col),
				Problem: Problem{Key: key, Found: "unknown unit", Allowed: list(r.units)},
				Nearest: Nearest(key, r.units),
			})
			continue
		}
		line, col := place(p.Key.GetToken())
		where := fmt.Sprintf("%s:%d:%d", r.file, line, col)
		if f, ok := first[key]; ok {
			r.problem(p.Key.GetToken(), key, "a second section (the first is at "+f+")", "each unit once")
			continue
		}
		first[key] = where
		if p.Value == nil || p.Value.Type() == ast.NullType {
			continue // a heading without settings
		}
		section, ok := entries(p.Value)
		if !ok {
			r.problem(p.Value.GetToken(), key, describe(p.Value), "a mapping of the unit's keys")
			continue
		}
		for _, s := range section {
			r.value(key, s.Key.GetToken().Value, s)
		}
	}
}

// value turns one pair into a setting; Apply judges it.
func (r *reader) value(unit, key string, p *ast.MappingValueNode) {
	s := Setting{File: r.file, Unit: unit, Key: key}
	t := p.Key.GetToken()
	line, col := place(t)
	s.KeyPlace = fmt.Sprintf("%s:%d:%d", r.file, line, col)
	switch v := p.Value.(type) {
	case nil, *ast.NullNode:
		s.Type = Nothing
	case *ast.IntegerNode:
		s.Type, t = Number, v.GetToken()
		s.Value = t.Value
	case *ast.FloatNode, *ast.InfinityNode, *ast.NanNode:
		s.Type, t = Fraction, v.GetToken()
		s.Value = t.Value
	case *ast.BoolNode:
		s.Type, t = Switch, v.GetToken()
		s.Value = t.Value
	case *ast.StringNode:
		s.Type, t = Text, v.GetToken()
		s.Value = v.Value
	case *ast.LiteralNode:
		s.Type, t = Text, v.GetToken()
		s.Value = v.Value.Value
	case *ast.MappingNode, *ast.MappingValueNode:
		s.Type = Collection // its token is its first colon; the key's place is more useful
	case *ast.SequenceNode:
		s.Type, t = Collection, v.GetToken()
	default:
		s.Type, t = Reference, v.GetToken()
	}
	s.Line, s.Column = place(t)
	r.settings = append(r.settings, s)
}

// describe returns a node's kind, for a place where a mapping belongs.
func describe(n ast.Node) string {
	switch n := n.(type) {
	case nil, *ast.NullNode:
		return string(Nothing)
	case *ast.SequenceNode:
		return "a list"
	case ast.ScalarNode:
		return n.GetToken().Value
	}
	return string(Reference)
}

// WriteYAML writes configurations as a commented file that ReadYAML and Apply
// turn back into the same configurations.
func WriteYAML(cfgs []Config) (string, error) {
	var b strings.Builder
	for i, c := range cfgs {
		if i > 0 {
			b.WriteByte('\n')
		}
		fmt.Fprintf(&b, "# %s\n# Source: %s\n%s:\n", oneLine(c.Title()), oneLine(c.Paper()), c.Unit())
		group := ""
		for j, f := range c.Fields() {
			if f.Group != group && f.Group != "" {
				if j > 0 {
					b.WriteByte('\n')
				}
				fmt.Fprintf(&b, "  # ---- %s ----\n", f.Group)
				group = f.Group
			}
			value := f.Value()
			if f.IsAuto() {
				value = Auto
			} else if f.Kind() == Enum {
				// A choice that YAML would read as something else needs quotes.
				q, err := yaml.Marshal(value)
				if err != nil {
					return "", fmt.Errorf("%s.%s: write %q as YAML: %w", c.Unit(), f.Key, value, err)
				}
				value = strings.TrimSpace(string(q))
			}
			for _, line := range wrap(oneLine(f.Doc), 92) {
				fmt.Fprintf(&b, "  # %s\n", line)
			}
			fmt.Fprintf(&b, "  # Allowed: %s%s.\n", f.Allowed(), unitOf(f))
			if f.Auto != nil {
				for _, line := range wrap(fmt.Sprintf("Auto: %s; here %s.", oneLine(f.Auto.Text), f.AutoValue()), 92) {
					fmt.Fprintf(&b, "  # %s\n", line)
				}
			}
			if f.Cost != "" {
				for _, line := range wrap("Cost: "+oneLine(f.Cost), 92) {
					fmt.Fprintf(&b, "  # %s\n", line)
				}
			}
			if f.Ref != "" {
				for _, line := range wrap("Reference: "+oneLine(f.Ref), 92) {
					fmt.Fprintf(&b, "  # %s\n", line)
				}
			}
			fmt.Fprintf(&b, "  %s: %s\n", f.Key, value)
		}
	}
	return b.String(), nil
}

func unitOf(f Field) string {
	if f.Unit == "" {
		return ""
	}
	return " (" + f.Unit + ")"
}

// oneLine makes sure that a text cannot leave its comment.
func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// wrap breaks a text at spaces into lines of at most width characters, if its
// words allow that.
func wrap(s string, width int) []string {
	var lines []string
	line := ""
	for _, w := range strings.Fields(s) {
		switch {
		case line == "":
			line = w
		case len([]rune(line))+1+len([]rune(w)) > width:
			lines = append(lines, line)
			line = w
		default:
			line += " " + w
		}
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}
