// SPDX-License-Identifier: Apache-2.0

package rtl

import (
	"slices"
	"testing"
)

// Parts come in the order given, each once, with the parts that they are made of.
func TestParts(t *testing.T) {
	for _, c := range []struct{ names, want []string }{
		{[]string{"nic_lib_ram_lut", "nic_lib_delay"}, []string{"nic_lib_ram_lut", "nic_lib_delay"}},
		{[]string{"nic_lib_state_block"}, []string{"nic_lib_ram_block", "nic_lib_older", "nic_lib_fwd_block", "nic_lib_state_block"}},
		{[]string{"nic_lib_fwd_block", "nic_lib_vote", "nic_lib_ram_block"}, []string{"nic_lib_ram_block", "nic_lib_older", "nic_lib_fwd_block", "nic_lib_vote"}},
		{[]string{"nic_lib_vote", "nic_lib_fwd_triple_lut"}, []string{"nic_lib_vote", "nic_lib_ram_lut", "nic_lib_fwd_triple_lut"}},
	} {
		files, err := Parts(c.names...)
		var got []string
		for _, f := range files {
			got = append(got, f.Name[:len(f.Name)-len(".sv")])
		}
		if err != nil || !slices.Equal(got, c.want) {
			t.Errorf("%v: %v, error %v, want %v", c.names, got, err, c.want)
		}
	}
	if _, err := Parts("nic_lib_none"); err == nil || err.Error() != `rtl/lib has no part "nic_lib_none"` {
		t.Errorf("error %v", err)
	}
}
