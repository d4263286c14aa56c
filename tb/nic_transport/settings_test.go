// SPDX-License-Identifier: Apache-2.0

package nictransport

import (
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/tb/bench"
)

// The checker knows each setting of each variant, or says that nothing it predicts depends on it, and no
// other.
func TestSettingsAreKnown(t *testing.T) {
	left := map[string]bool{}
	for name := range unpredicted {
		left[name] = true
	}
	for _, v := range append(params.Variants, params.Variant{Name: "default"}, params.Variant{Name: "uet", Settings: "profile=uet"}) {
		p := params.Default()
		if err := gen.Configure(p, v.Settings); err != nil {
			t.Fatalf("%s: %v", v.Name, err)
		}
		l, err := bench.LayoutOf(p.Ports())
		if err != nil {
			t.Fatal(err)
		}
		x, err := newPredictor(p, l, true)
		if err != nil {
			t.Fatal(err)
		}
		c := x.(*predictor).c
		for i, b := range c.bus_.m.Blocks {
			for _, r := range b.Registers {
				if r.Kind != csr.Setting {
					continue
				}
				delete(left, b.Name+"."+r.Port)
				if err := c.setting(b.Name, r.Port, c.bus_.regs.Setting(i, r.Port)); err != nil {
					t.Errorf("%s: %s.%s: %v", v.Name, b.Name, r.Port, err)
				}
			}
		}
		if err := c.setting("gate", "cfg_unheard_of", 0); err == nil {
			t.Errorf("%s: a setting that does not exist is known", v.Name)
		}
	}
	for name := range left {
		t.Errorf("%s is no setting of any variant", name)
	}
}
