// SPDX-License-Identifier: Apache-2.0

package prove

import (
	_ "embed" // used by the texts of properties
	"fmt"
	"path"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/tb/proof"
)

//go:embed prelude.svh
var prelude string

// set is a set of a subject.
type set struct {
	*proof.Set
	subject *proof.Subject
}

// design is the input of Yosys for one configuration of a set.
type design struct {
	top    string
	files  []gen.File
	params map[string]string

	free     string
	anyState bool
}

// design returns a configuration with the properties' texts inserted, and, if bug is not nil, with
// a planted mistake.
func (s *set) design(config string, bug *proof.Bug) (*design, error) {
	d := &design{top: s.Top, free: s.Free, anyState: s.AnyState}
	if err := s.read(d, config); err != nil {
		return nil, err
	}
	planted := bug == nil
	for i := range d.files {
		f := &d.files[i]
		if bug != nil && bug.File == f.Name {
			var err error
			if f.Text, err = bug.Edits.Apply(f.Name, f.Text); err != nil {
				return nil, err
			}
			planted = true
		}
	}
	if !planted {
		return nil, fmt.Errorf("the design has no file %s to plant a mistake in", bug.File)
	}
	for _, name := range s.Texts {
		if err := s.insert(d, name); err != nil {
			return nil, err
		}
	}
	return d, nil
}

// Digest returns gen.DesignDigest of the design of a set in one configuration, without the
// properties' texts: a proof is valid for no other.
func Digest(subject proof.Subject, name, config string) (string, error) {
	for i := range subject.Proofs.Sets {
		s := &set{&subject.Proofs.Sets[i], &subject}
		if s.Name != name {
			continue
		}
		d := &design{top: s.Top}
		if err := s.read(d, config); err != nil {
			return "", err
		}
		return gen.DesignDigest(d.top, d.files), nil
	}
	return "", fmt.Errorf("%s has no set of properties %q, allowed: %s", subject.Name, name, strings.Join(subject.Proofs.Names(), ", "))
}

// read returns the files of a design: either a configuration of the unit, whose defaults of
// run-time settings need not be legal, as they are inputs; or the set's own sources, with
// parameters of the top module.
func (s *set) read(d *design, config string) (err error) {
	if s.Sources == nil {
		cfg := s.subject.New()
		if err := gen.Configure(cfg, config); err != nil {
			return err
		}
		if d.top == "" {
			d.top = cfg.Top()
		}
		d.files, err = cfg.Files()
		return err
	}
	d.params = map[string]string{}
	for _, w := range strings.Fields(config) {
		k, v, ok := strings.Cut(w, "=")
		if !ok {
			return fmt.Errorf("%s: configuration %q: found %q, want KEY=VALUE", s.Name, config, w)
		}
		d.params[k] = v
	}
	d.files, err = s.Sources()
	return err
}

// insert puts a text, one of Set.Texts, before the endmodule of its module.
func (s *set) insert(d *design, name string) error {
	name, module, named := strings.Cut(name, "@")
	if !named {
		module = strings.TrimSuffix(path.Base(name), ".svh")
	}
	text, err := s.subject.Proofs.Text(name)
	if err != nil {
		return err
	}
	for i := range d.files {
		f := &d.files[i]
		if f.Name != module+".sv" {
			continue
		}
		at := strings.LastIndex(f.Text, "endmodule")
		if at < 0 {
			return fmt.Errorf("%s has no endmodule", f.Name)
		}
		f.Text = f.Text[:at] + text + f.Text[at:]
		return nil
	}
	return fmt.Errorf("%s: the design has no file %s.sv", name, module)
}
