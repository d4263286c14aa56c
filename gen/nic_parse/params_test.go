// SPDX-License-Identifier: Apache-2.0

package nicparse_test

import (
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	params "github.com/nicgen/nicgen/gen/nic_parse"
)

// A configuration has only the ports of the headers that it parses.
func TestPorts(t *testing.T) {
	for _, c := range []struct {
		set, missing string
		width        map[string]int
	}{
		{"", "cfg_uet_port", map[string]int{"m_hdr_psn": 24, "m_hdr_src": 128, "m_hdr_tags": 2}},
		{"profile=both", "", map[string]int{"m_hdr_psn": 32, "cfg_uet_port": 16, "cfg_roce_port": 16}},
		{"profile=uet", "cfg_roce_port m_hdr_icrc m_hdr_syndrome m_hdr_pad m_hdr_fecn", map[string]int{"m_hdr_psn": 32, "m_hdr_msn": 24}},
		{"ipv6=false", "m_hdr_v6 m_hdr_flow", map[string]int{"m_hdr_src": 32, "m_hdr_dst": 32}},
		{"tags=0 addresses=false", "m_hdr_tags m_hdr_src m_hdr_dst", map[string]int{"m_hdr_lane": 4}},
	} {
		p := params.Default()
		if err := gen.Configure(p, c.set); err != nil {
			t.Fatal(err)
		}
		widths := map[string]int{}
		for _, port := range p.Ports() {
			widths[port.Name] = port.Bits
		}
		for _, name := range strings.Fields(c.missing) {
			if widths[name] != 0 {
				t.Errorf("%q has the port %s", c.set, name)
			}
		}
		for name, bits := range c.width {
			if widths[name] != bits {
				t.Errorf("%q: %s has %d bits, want %d", c.set, name, widths[name], bits)
			}
		}
	}
}

// Every unit of text is there exactly if it is needed.
func TestFiles(t *testing.T) {
	for set, want := range map[string]string{
		"":                  "nic_lib_delay.sv nic_parse_pick.sv nic_parse.sv",
		"ip_checksum=true":  "nic_lib_delay.sv nic_parse_sum.sv nic_parse_pick.sv nic_parse.sv",
		"tags=0 ipv6=false": "nic_lib_delay.sv nic_parse.sv",
		"tags=0 ipv6=false addresses=false profile=uet": "nic_lib_delay.sv nic_parse.sv",
	} {
		p := params.Default()
		if err := gen.Configure(p, set); err != nil {
			t.Fatal(err)
		}
		files, err := p.Files()
		if err != nil {
			t.Fatal(err)
		}
		var names []string
		for _, f := range files {
			names = append(names, f.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%q: %s, want %s", set, got, want)
		}
	}
}
