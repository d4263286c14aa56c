// SPDX-License-Identifier: Apache-2.0

package niccsr_test

import (
	"regexp"
	"testing"

	"github.com/nicgen/nicgen/gen"
	niccsr "github.com/nicgen/nicgen/gen/nic_csr"
)

var (
	instances = regexp.MustCompile(`(?s)\n  (nic_csr_\w+) (\w+) \(\n(.*?)\n  \);`)
	resetPin  = regexp.MustCompile(`\.rst +\((\w+)\)`)
)

// Each block has its own register of rst, which synthesis must not merge; only small parts use the
// port itself.
func TestEachBlockHasAReset(t *testing.T) {
	for _, set := range []string{"", "path=none window=none addr_bits=12", "path=laps totals=true counter_bits=16"} {
		cfg := niccsr.New()
		if err := gen.Configure(cfg, set); err != nil {
			t.Fatal(err)
		}
		files, err := cfg.Files()
		if err != nil {
			t.Fatal(err)
		}
		blocks := 0
		for _, f := range files {
			if f.Name != "nic_csr.sv" {
				continue
			}
			for _, m := range instances.FindAllStringSubmatch(f.Text, -1) {
				pin := resetPin.FindStringSubmatch(m[3])
				switch want := "rst_" + m[2][min(len("block_"), len(m[2])):] + "_q"; {
				case pin == nil:
				case m[1] != "nic_csr_"+m[2] || m[2] == "axil" || m[2] == "totals" || m[2] == "levels":
					if pin[1] != "rst" {
						t.Errorf("%q: %s hangs on %s, want rst", set, m[2], pin[1])
					}
				default:
					blocks++
					own := regexp.MustCompile(`\(\* dont_touch = "true" \*\) logic +` + want + `;`)
					if pin[1] != want || !own.MatchString(f.Text) {
						t.Errorf("%q: %s hangs on %s, want %s, which is not to be touched", set, m[2], pin[1], want)
					}
				}
			}
		}
		if blocks == 0 {
			t.Errorf("%q: there are no blocks", set)
		}
	}
}
