// SPDX-License-Identifier: Apache-2.0

package niclookup_test

import (
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_lookup"
)

// The memory and the latency of a search follow from the rows, as the page says.
func TestLatency(t *testing.T) {
	for _, c := range []struct {
		set     string
		memory  string
		latency int
	}{
		{"", gen.BRAM, 8}, {"rows=2048", gen.BRAM, 8}, {"rows=4096", gen.URAM, 9}, {"rows=8192", gen.URAM, 10}, {"rows=16384", gen.URAM, 12},
		{"rows=16384 table_memory=bram", gen.BRAM, 8}, {"rows=256 table_memory=uram", gen.URAM, 9},
	} {
		p := params.Default()
		if err := gen.SetAll(p, c.set); err != nil {
			t.Fatal(err)
		}
		if err := gen.Validate(p); err != nil {
			t.Fatal(err)
		}
		if p.Memory() != c.memory || p.SearchLatency() != c.latency {
			t.Errorf("%q: %s, %d cycles, want %s, %d", c.set, p.Memory(), p.SearchLatency(), c.memory, c.latency)
		}
	}
}

// Rows are a power of two, and connection ports hold all connections.
func TestCheck(t *testing.T) {
	for _, set := range []string{"rows=1000", "rows=128", "ways=5", "ways=1", "connections=4097 conn_bits=12", "key_bits=321"} {
		p := params.Default()
		err := gen.SetAll(p, set)
		if err == nil {
			err = gen.Validate(p)
		}
		if err == nil {
			t.Errorf("%q is legal", set)
		}
	}
}
