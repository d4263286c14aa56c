// SPDX-License-Identifier: Apache-2.0

package evidence

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/nicgen/nicgen/check/prove"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/emit"
	"github.com/nicgen/nicgen/internal/evidence/due"
	"github.com/nicgen/nicgen/registry"
	"github.com/nicgen/nicgen/tb/proof"
)

// Tracked reports whether records of a kind name their RTL, which Stale needs.
func Tracked(kind string) bool {
	k := find(kind)
	return k != nil && k.designs != nil
}

// Stale returns the reason why a subject's record of a kind, below the folder docs, has to be
// remade: its RTL differs from the RTL that the generator emits now, or it is unfinished. It
// returns "" if the record is current or missing. The subject is one of the units, or the parts that
// units share.
func Stale(docs fs.FS, units []registry.Unit, subject proof.Subject, kind string) (why string, err error) {
	k := find(kind)
	if k == nil || k.designs == nil {
		return "", fmt.Errorf("records of kind %q do not name their RTL", kind)
	}
	designs, err := k.designs(docs, units, subject.Name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil // the report mentions the missing record
	}
	if err != nil {
		return "", err
	}
	for _, d := range designs {
		now, err := digest(subject, d)
		if d.part != "" {
			why = d.part
		} else if err != nil {
			why = fmt.Sprintf("%q is no configuration any more: %v", d.settings, err)
		} else if now != d.rtl {
			why = fmt.Sprintf("%q: the record is of RTL %.12s, and the present RTL is %.12s", d.settings, d.rtl, now)
		}
	}
	return why, nil
}

// Due returns the records that are to be made again: the list docs/data/due.json of a module that
// keeps one, or the stale records of the units.
func Due(docs fs.FS, units []registry.Unit) (due.List, error) {
	list, err := due.Read(docs)
	if err != nil || list != nil {
		return list, err
	}
	list = due.List{}
	for i := range units {
		for _, kind := range Kinds {
			if kind.designs == nil {
				continue
			}
			subject := units[i].Subject()
			why, err := Stale(docs, units, subject, kind.Name)
			if err != nil {
				return nil, err
			}
			if why != "" {
				list[subject.Name] = append(list[subject.Name], kind.Name)
			}
		}
	}
	return list, nil
}

// digest returns the digest of a design as the generator emits it now.
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
