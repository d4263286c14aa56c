// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/synth/mapped"
)

var update = flag.Bool("update", false, "rewrite the golden files in testdata")

// The report as people and as programs see it, from a netlist built by hand so
// that no version of Yosys changes it.
func TestReportGolden(t *testing.T) {
	const x = mapped.Constant
	n := hand(map[string]wire{
		"a": ff(2, 10), "b": ff(2, 11),
		"1":         {"LUT2", map[string][]mapped.Bit{"I0": {10}, "I1": {11}}, map[string][]mapped.Bit{"O": {20}}, nil},
		"2":         {"CARRY4", map[string][]mapped.Bit{"S": {20, x, x, x}, "DI": {10, x, x, x}, "CI": {x}}, map[string][]mapped.Bit{"CO": pins(21, 22, 23, 24), "O": pins(25, 26, 27, 28)}, nil},
		"3":         {"CARRY4", map[string][]mapped.Bit{"S": {x, x, x, x}, "DI": {x, x, x, x}, "CI": {24}}, map[string][]mapped.Bit{"CO": pins(31, 32, 33, 34), "O": pins(35, 36, 37, 38)}, nil},
		"c":         ff(38, 40),
		"store.0.0": {"RAM32M16", map[string][]mapped.Bit{"ADDRA": {40}, "WCLK": {1}}, map[string][]mapped.Bit{"DOA": {50}}, nil},
		"store.0.1": {"RAM32M16", map[string][]mapped.Bit{"ADDRA": {40}, "WCLK": {1}}, map[string][]mapped.Bit{"DOA": {51}}, nil},
		"big.0.0":   {"RAMB18E2", map[string][]mapped.Bit{"ADDRARDADDR": {40}, "CLKARDCLK": {1}}, map[string][]mapped.Bit{"DOUTADOUT": {52}}, nil},
		"d":         {"SRLC32E", map[string][]mapped.Bit{"D": {51}, "CLK": {1}}, map[string][]mapped.Bit{"Q": {53}}, nil},
	}, []mapped.Bit{1, 2}, []mapped.Bit{40, 50, 2})
	before := hand(map[string]wire{
		"store": {"$mem_v2", nil, nil, mapped.Attrs{"MEMID": `\store`, "SIZE": "100000", "WIDTH": "11100", "WR_PORTS": "1"}},
		"big":   {"$mem_v2", nil, nil, mapped.Attrs{"MEMID": `\big`, "SIZE": "10000000000", "WIDTH": "10000", "WR_PORTS": "1"}},
		"rom":   {"$mem_v2", nil, nil, mapped.Attrs{"MEMID": `\rom`, "SIZE": "10000", "WIDTH": "1000", "WR_PORTS": "0"}},
		"lost":  {"$mem_v2", nil, nil, mapped.Attrs{"MEMID": `\lost`, "SIZE": "1000000", "WIDTH": "1000", "WR_PORTS": "1"}},
	}, nil, nil)
	rep := &Report{
		Note: Disclaimer, Top: "nic_sample", Params: map[string]string{"N": "8", "KIND": "1"}, Tool: "Yosys", Family: "xcup",
		Flow: NoWideLUT, Device: U280(),
		Findings: []Finding{{Tool: "yosys", Rule: "warning", File: "nic_sample.sv", Line: 7, Text: "a sample of a finding."}},
		Published: &Published{Source: "Example, table 1", Figures: []Figure{
			{"LUT", "< 0.04 %"}, {"RAMB36", "3"}, {"Clock", "322 MHz"},
		}},
	}
	if err := rep.count(n); err != nil {
		t.Fatal(err)
	}
	rep.memories(before, n)
	if err := rep.paths(n); err != nil {
		t.Fatal(err)
	}
	b, err := rep.JSON()
	if err != nil {
		t.Fatal(err)
	}
	var doc map[string]any
	if err := json.Unmarshal(b, &doc); err != nil || doc["note"] != Disclaimer {
		t.Errorf("JSON: %v, note %v", err, doc["note"])
	}
	for name, got := range map[string]string{"report.txt": rep.Text(), "report.json": string(b)} {
		file := filepath.Join("testdata", name)
		if *update {
			if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(string(want), got); d != "" {
			t.Errorf("%s (-want +got), rewrite with go test ./synth -update:\n%s", name, d)
		}
	}
}
