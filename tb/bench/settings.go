// SPDX-License-Identifier: Apache-2.0

package bench

import (
	"fmt"
	"strings"
	"unsafe"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	"github.com/nicgen/nicgen/gen/event"
)

// SettingsOf returns the run-time settings of a configuration in the type of their group.
func SettingsOf[S any](g event.Group[S], cfg gen.Config) (s S, err error) {
	values, err := csr.Values(cfg)
	if err != nil {
		return s, err
	}
	for i := range g.Fields {
		f := &g.Fields[i]
		v, ok := values[f.Port]
		switch {
		case ok:
			assign(event.Of(cfg), f, unsafe.Pointer(&s), v)
		case !f.Optional:
			return s, fmt.Errorf("unit %s: no parameter drives port %s", cfg.Unit(), f.Port)
		}
	}
	return s, nil
}

// Assign writes a value to the setting on a port of a unit with a contract. The error names the ports of
// the group.
func Assign[S any](c *event.Contract, g event.Group[S], to *S, port string, v uint64) error {
	var names []string
	for i := range g.Fields {
		f := &g.Fields[i]
		if f.Port == port {
			assign(c, f, unsafe.Pointer(to), v)
			return nil
		}
		names = append(names, f.Port)
	}
	return fmt.Errorf("setting on port %q, allowed: %s", port, strings.Join(names, ", "))
}

// assign writes a value to a field, or its lanes to the elements of one.
func assign(c *event.Contract, f *event.Field, to unsafe.Pointer, v uint64) {
	if f.Elements == 0 {
		store(unsafe.Add(to, f.Offset), f.Size, v)
		return
	}
	lane := c.Lanes[f.Port]
	for k := range f.Elements {
		store(unsafe.Add(to, f.Offset+uintptr(k)*f.Size), f.Size, v>>(k*lane)&(1<<lane-1))
	}
}
