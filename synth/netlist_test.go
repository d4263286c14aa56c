// SPDX-License-Identifier: Apache-2.0

package synth

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/synth/mapped"
)

// wire builds a netlist by hand. Nets are numbers from 2; the pins of a cell
// are "in" and "out" maps.
type wire struct {
	Type      string
	In, Out   map[string][]mapped.Bit
	Parameter mapped.Attrs
}

func hand(cells map[string]wire, inputs, outputs []mapped.Bit) *mapped.Netlist {
	n := &mapped.Netlist{Cells: map[string]*mapped.Cell{}}
	doc := map[string]any{"ports": map[string]any{
		"in":  map[string]any{"direction": "input", "bits": inputs},
		"out": map[string]any{"direction": "output", "bits": outputs},
	}}
	b, err := json.Marshal(doc)
	if err == nil {
		err = json.Unmarshal(b, n)
	}
	if err != nil {
		panic(err)
	}
	for name, w := range cells {
		c := &mapped.Cell{Type: w.Type, Parameters: w.Parameter, PortDirections: map[string]string{}, Connections: map[string][]mapped.Bit{}}
		for k, v := range w.In {
			c.PortDirections[k], c.Connections[k] = "input", v
		}
		for k, v := range w.Out {
			c.PortDirections[k], c.Connections[k] = "output", v
		}
		n.Cells[name] = c
	}
	return n
}

func ff(d, q mapped.Bit) wire {
	return wire{"FDRE", map[string][]mapped.Bit{"D": {d}, "C": {1}}, map[string][]mapped.Bit{"Q": {q}}, nil}
}

func lut(in, out mapped.Bit) wire {
	return wire{"LUT1", map[string][]mapped.Bit{"I0": {in}}, map[string][]mapped.Bit{"O": {out}}, nil}
}

func pins(n ...mapped.Bit) []mapped.Bit { return n }

// Cost of each primitive on a path, on netlists built by hand: from register a (net 10) to register
// z (net 90).
func TestLevelsByPrimitive(t *testing.T) {
	off := mapped.Attrs{}
	for _, s := range []string{"AREG", "MREG", "PREG"} {
		off[s] = "00000000000000000000000000000000"
	}
	const x = mapped.Constant
	for _, c := range []struct {
		name  string
		cells map[string]wire
		want  string // the path; "" is none
		chain int
	}{
		{"wire", map[string]wire{"b": ff(10, 11)}, "0  net10 → net11", 0},
		{"three luts", map[string]wire{"1": lut(10, 20), "2": lut(20, 30), "3": lut(30, 40), "b": ff(40, 41)}, "3 (3 LUT)  net10 → net41", 0},
		{"inverter", map[string]wire{"1": {"INV", map[string][]mapped.Bit{"I": {10}}, map[string][]mapped.Bit{"O": {20}}, nil}, "b": ff(20, 21)}, "1 (1 LUT)  net10 → net21", 0},
		{"wide mux is free", map[string]wire{"1": lut(10, 20), "2": {"MUXF7", map[string][]mapped.Bit{"I0": {20}, "I1": {x}, "S": {x}}, map[string][]mapped.Bit{"O": {30}}, nil}, "b": ff(30, 31)}, "1 (1 LUT)  net10 → net31", 0},
		{"carry chain is one level however long", map[string]wire{
			"1": {"CARRY4", map[string][]mapped.Bit{"S": {10, x, x, x}, "DI": {x, x, x, x}, "CI": {x}}, map[string][]mapped.Bit{"CO": pins(20, 21, 22, 23), "O": pins(24, 25, 26, 27)}, nil},
			"2": {"CARRY4", map[string][]mapped.Bit{"S": {x, x, x, x}, "DI": {x, x, x, x}, "CI": {23}}, map[string][]mapped.Bit{"CO": pins(30, 31, 32, 33), "O": pins(34, 35, 36, 37)}, nil},
			"3": {"CARRY4", map[string][]mapped.Bit{"S": {x, x, x, x}, "DI": {x, x, x, x}, "CI": {33}}, map[string][]mapped.Bit{"CO": pins(40, 41, 42, 43), "O": pins(44, 45, 46, 47)}, nil},
			"b": ff(47, 48)}, "1 (1 carry)  net10 → net48", 12},
		{"entering at CI from logic is one level", map[string]wire{
			"1": {"CARRY4", map[string][]mapped.Bit{"S": {x, x, x, x}, "DI": {x, x, x, x}, "CI": {10}}, map[string][]mapped.Bit{"CO": pins(20, 21, 22, 23), "O": pins(24, 25, 26, 27)}, nil},
			"b": ff(24, 28)}, "1 (1 carry)  net10 → net28", 4},
		{"a sum bit does not depend on higher operands", map[string]wire{
			"1": {"CARRY4", map[string][]mapped.Bit{"S": {x, x, x, 10}, "DI": {x, x, x, 10}, "CI": {x}}, map[string][]mapped.Bit{"CO": pins(20, 21, 22, 23), "O": pins(24, 25, 26, 27)}, nil},
			"b": ff(26, 28)}, "", 4},
		{"lut ram is read without a clock", map[string]wire{
			"1": {"RAM64X1D", map[string][]mapped.Bit{"DPRA0": {10}, "A0": {x}, "D": {x}, "WCLK": {1}, "WE": {x}}, map[string][]mapped.Bit{"DPO": {20}, "SPO": {21}}, nil},
			"b": ff(20, 22)}, "1 (1 memory read)  net10 → net22", 0},
		{"the write address of a lut ram is not its read address", map[string]wire{
			"1": {"RAM64X1D", map[string][]mapped.Bit{"DPRA0": {x}, "A0": {10}, "D": {x}, "WCLK": {1}, "WE": {x}}, map[string][]mapped.Bit{"DPO": {20}, "SPO": {21}}, nil},
			"b": ff(20, 22)}, "0  net10 → net20", 0},
		{"each port of a wide lut ram has its address", map[string]wire{
			"1": {"RAM64M8", map[string][]mapped.Bit{"ADDRA": {10}, "ADDRB": {x}, "WCLK": {1}}, map[string][]mapped.Bit{"DOA": {20}, "DOB": {21}}, nil},
			"b": ff(21, 22)}, "0  net10 → net20", 0},
		{"block ram is a register", map[string]wire{
			"0": lut(10, 15),
			"1": {"RAMB36E2", map[string][]mapped.Bit{"ADDRARDADDR": {15}, "CLKARDCLK": {1}}, map[string][]mapped.Bit{"DOUTADOUT": {20}}, nil},
			"b": ff(20, 21)}, "1 (1 LUT)  net10 → net20", 0},
		{"dsp without registers", map[string]wire{
			"1": {"DSP48E2", map[string][]mapped.Bit{"A": {10}, "CLK": {1}}, map[string][]mapped.Bit{"P": {20}}, off},
			"b": ff(20, 21)}, "1 (1 DSP)  net10 → net21", 0},
		{"dsp with registers, which are the default", map[string]wire{
			"0": lut(10, 15),
			"1": {"DSP48E2", map[string][]mapped.Bit{"A": {15}, "CLK": {1}}, map[string][]mapped.Bit{"P": {20}}, nil},
			"b": ff(20, 21)}, "1 (1 LUT)  net10 → net20", 0},
		{"shift register by address", map[string]wire{
			"1": {"SRLC32E", map[string][]mapped.Bit{"A": {10}, "D": {x}, "CLK": {1}, "CE": {x}}, map[string][]mapped.Bit{"Q": {20}, "Q31": {21}}, nil},
			"b": ff(20, 22)}, "1 (1 memory read)  net10 → net22", 0},
		{"the longer of two ways", map[string]wire{
			"1": lut(10, 20), "2": lut(20, 30),
			"3": {"LUT2", map[string][]mapped.Bit{"I0": {10}, "I1": {30}}, map[string][]mapped.Bit{"O": {40}}, nil}, "b": ff(40, 41)}, "3 (3 LUT)  net10 → net41", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.cells["a"] = ff(2, 10)
			n := hand(c.cells, []mapped.Bit{1, 2}, nil)
			n.Netnames = map[string]mapped.Wire{}
			for b := mapped.Bit(10); b < 100; b++ {
				n.Netnames[fmt.Sprintf("net%d", b)] = mapped.Wire{Bits: []mapped.Bit{b}}
			}
			for name, x := range n.Cells {
				delete(n.Cells, name)
				n.Cells["$"+name] = x // made up by Yosys, so that nets name it
			}
			r := &Report{}
			if err := r.count(n); err != nil {
				t.Fatal(err)
			}
			if err := r.paths(n); err != nil {
				t.Fatal(err)
			}
			got := ""
			if r.RegToReg != nil {
				got = r.RegToReg.String()
			}
			if got != c.want || r.Counts.CarryChain != c.chain {
				t.Errorf("got %q, chain %d, want %q, chain %d", got, r.Counts.CarryChain, c.want, c.chain)
			}
		})
	}
}

func TestEndpointsByLevel(t *testing.T) {
	n := hand(map[string]wire{"a": ff(2, 10), "1": lut(10, 20), "2": lut(20, 30), "b": ff(30, 31), "c": ff(20, 32), "d": ff(10, 33)}, []mapped.Bit{1, 2}, []mapped.Bit{31})
	r := &Report{}
	if err := r.paths(n); err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]int{1, 1, 1}, r.EndpointsByLevel); d != "" {
		t.Error(d)
	}
}

func TestUnknownCell(t *testing.T) {
	r := &Report{}
	err := r.count(hand(map[string]wire{"u": {Type: "GTYE4_CHANNEL"}}, nil, nil))
	want := "cell u has type GTYE4_CHANNEL, which is not a known primitive of the family: instantiate memories and arithmetic in SystemVerilog instead"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	if err := r.count(hand(map[string]wire{"u": {Type: "$scopeinfo"}}, nil, nil)); err != nil {
		t.Error(err)
	}
}

// A loop is found even if it reaches no register or port.
func TestHiddenLoop(t *testing.T) {
	n := hand(map[string]wire{"1": lut(10, 20), "2": lut(20, 10)}, nil, nil)
	if err := (&Report{}).paths(n); err == nil || err.Error() != "combinational loop: LUT1 net 20 → LUT1 net 10 → back: break it with a register" {
		t.Errorf("got %v", err)
	}
}

// Unknown bits of an initial value become zeros if others are known; a wholly unknown value stays,
// and so does text that is no initial value.
func TestKnown(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{".INIT_A(64'hxxxxxxxxxxxx40f0),", ".INIT_A(64'h00000000000040f0),"},
		{".SRVAL_B(36'b000xx1)", ".SRVAL_B(36'b000001)"},
		{".INIT(1'hx), .INIT_7F(256'hxxxx)", ".INIT(1'hx), .INIT_7F(256'hxxxx)"},
		{".INIT(16'h80ab), .WIDTH(32'd9), .DI(4'h0x)", ".INIT(16'h80ab), .WIDTH(32'd9), .DI(4'h0x)"},
	} {
		if got := known(c.text); got != c.want {
			t.Errorf("%s became %s, want %s", c.text, got, c.want)
		}
	}
}

// UltraRAM as Vivado packs it: rows of 72 bits for each array.
func TestUltraRAMOfVivado(t *testing.T) {
	memory := func(name, size, width string) wire {
		return wire{"$mem_v2", nil, nil, mapped.Attrs{"MEMID": "\\" + name, "SIZE": size, "WIDTH": width, "WR_PORTS": "1"}}
	}
	block := wire{"URAM288", map[string][]mapped.Bit{"CLK": {1}}, map[string][]mapped.Bit{"DOUT_A": {50}}, nil}
	before := hand(map[string]wire{
		"half":  memory("half", "10000000000000", "100010"), // 8192 × 34: Yosys takes one
		"row":   memory("row", "1000000000001", "1001000"),  // 4097 × 72
		"wide":  memory("wide", "1000000000000", "1001001"), // 4096 × 73
		"lane0": memory("g[0].ring", "10000000000000", "100010"),
		"lane1": memory("g[1].ring", "10000000000000", "100010"),
	}, nil, nil)
	after := hand(map[string]wire{"half.0.0": block, "row.0.0": block, "row.0.1": block, "wide.0.0": block, "wide.1.0": block, "lane0.0.0": block, "lane1.0.0": block}, nil, nil)
	r := &Report{}
	if err := r.count(after); err != nil {
		t.Fatal(err)
	}
	r.memories(before, after)
	got := map[string]string{}
	for _, m := range r.Memories {
		got[m.Name] = m.cells()
	}
	want := map[string]string{"half": "1 URAM288, by Vivado 2", "row": "2 URAM288", "wide": "2 URAM288", "ring": "2 URAM288, by Vivado 4"}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if got, want := r.Counts.UltraRAM(), "10 (Yosys: 7)"; got != want {
		t.Errorf("in all %s, want %s", got, want)
	}
}
