// SPDX-License-Identifier: Apache-2.0

package netlist

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/synth"
)

// cell opens a module around a simulation model, whose body instantiates it.
func cell(t *testing.T, body string, models ...string) *cosim.Sim {
	t.Helper()
	src := cosim.Source{Top: "dut", Netlist: true}
	for _, m := range models {
		b, err := cells.ReadFile("cells/" + m)
		if err != nil {
			t.Fatal(err)
		}
		src.Files = append(src.Files, cosim.File{Name: m, Text: string(b)})
	}
	src.Files = append(src.Files, cosim.File{Name: "dut.v", Text: body})
	s, err := cosim.Open(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Err(); err != nil {
			t.Error(err)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Verilator computes networks of LUTs correctly, with the optimisations that package verilator
// allows for netlists.
func TestNetworksOfLUTs(t *testing.T) {
	type lut struct {
		table uint64
		in    []int // nets: first the inputs of the module, then a LUT each
	}
	const inputs, luts, outputs = 32, 300, 40
	r := rand.New(rand.NewPCG(9, 10))
	var list []lut
	var body strings.Builder
	var types []synth.Cell
	net := func(i int) string {
		if i < inputs {
			return fmt.Sprintf("x[%d]", i)
		}
		return fmt.Sprintf("n%d", i-inputs)
	}
	for k := range luts {
		n := 2 + r.IntN(5)
		l := lut{table: r.Uint64() & (1<<(1<<n) - 1)}
		var pins []string
		for i := range n {
			// Most of them near by, so that logic is deep.
			at := inputs + k - 1 - r.IntN(20)
			if at < 0 || r.IntN(4) == 0 {
				at = r.IntN(inputs + k)
			}
			l.in = append(l.in, at)
			pins = append(pins, fmt.Sprintf(".I%d(%s)", i, net(at)))
		}
		list = append(list, l)
		fmt.Fprintf(&body, "  wire n%d;\n  LUT%d #(.INIT(%d'h%x)) l%d (.O(n%d), %s);\n", k, n, 1<<n, l.table, k, k, strings.Join(pins, ", "))
		types = append(types, synth.Cell{Type: fmt.Sprint("LUT", n)})
	}
	for k := range outputs {
		fmt.Fprintf(&body, "  assign y[%d] = n%d;\n", k, luts-outputs+k)
	}
	models, err := Models(&synth.Netlist{Cells: types})
	if err != nil {
		t.Fatal(err)
	}
	text := ""
	for _, m := range models {
		text += m.Text
	}
	s := cell(t, fmt.Sprintf("%smodule dut (input clk, input [%d:0] x, output [%d:0] y);\n%sendmodule\n", text, inputs-1, outputs-1, body.String()))
	value := make([]uint64, inputs+luts)
	for range 500 {
		x := r.Uint64() & (1<<inputs - 1)
		for i := range inputs {
			value[i] = x >> i & 1
		}
		for k, l := range list {
			at := uint64(0)
			for i, from := range l.in {
				at |= value[from] << i
			}
			value[inputs+k] = l.table >> at & 1
		}
		var want uint64
		for i, v := range value[inputs+luts-outputs:] {
			want |= v << i
		}
		s.Set("x", x)
		if got := s.Get("y"); got != want {
			t.Fatalf("x %x: y is %x, want %x", x, got, want)
		}
	}
}

// A carry cell, in the form of the multiplexers and exclusive-ors that represent it in netlists,
// behaves like the device's, for every input.
func TestCarry4(t *testing.T) {
	b, err := os.ReadFile("../../synth/carry.v")
	if err != nil {
		t.Fatal(err)
	}
	parts, err := Models(&synth.Netlist{Cells: []synth.Cell{{Type: "MUXCY"}, {Type: "XORCY"}}})
	if err != nil {
		t.Fatal(err)
	}
	text := string(b) + parts[0].Text + parts[1].Text
	s := cell(t, text+`module dut (input clk, input ci, init, input [3:0] di, s, output [3:0] co, o);
  CARRY4 c (.CI(ci), .CYINIT(init), .DI(di), .S(s), .CO(co), .O(o));
endmodule
`)
	for i := range uint64(1 << 10) {
		di, sel, ci, init := i&15, i>>4&15, i>>8&1, i>>9
		s.Set("di", di)
		s.Set("s", sel)
		s.Set("ci", ci)
		s.Set("init", init)
		var co, o uint64
		carry := ci | init
		for k := range 4 {
			o |= (carry ^ sel>>k&1) << k
			if sel>>k&1 == 0 {
				carry = di >> k & 1
			}
			co |= carry << k
		}
		if s.Get("co") != co || s.Get("o") != o {
			t.Fatalf("CI %d, CYINIT %d, DI %04b, S %04b: CO %04b and O %04b, want %04b and %04b", ci, init, di, sel, s.Get("co"), s.Get("o"), co, o)
		}
	}
}

// The multiplier multiplies signed integers, even at the ends of its ranges.
func TestDSP48E2(t *testing.T) {
	s := cell(t, `module dut (input clk, input [29:0] a, input [17:0] b, output [47:0] p);
  DSP48E2 #(.AREG(0), .BREG(0), .MREG(0), .PREG(0)) d (.A(a), .B(b), .P(p), .OPMODE(9'b101));
endmodule
`, "DSP48E2.v")
	r := rand.New(rand.NewPCG(1, 2))
	ends := []int64{0, 1, -1, 1<<26 - 1, -1 << 26, 1<<17 - 1, -1 << 17}
	for i := range 2000 {
		a, b := r.Int64N(1<<27)-1<<26, r.Int64N(1<<18)-1<<17
		if i < len(ends)*len(ends) {
			a, b = ends[i%len(ends)], ends[i/len(ends)]<<46>>46
		}
		// The three bits above the operand are its sign, or anything.
		s.Set("a", uint64(a)&(1<<27-1)|r.Uint64N(8)<<27)
		s.Set("b", uint64(b)&(1<<18-1))
		if want := uint64(a*b) & (1<<48 - 1); s.Get("p") != want {
			t.Fatalf("%d × %d is %#x, want %#x", a, b, s.Get("p"), want)
		}
	}
}

// uramWord is a word of an UltraRAM: 64 bits and a byte above them.
type uramWord struct {
	low  uint64
	high uint64
}

// The UltraRAM behaves like a sequential memory that serves port A and then port B, byte by byte.
func TestURAM288(t *testing.T) {
	for _, interleaved := range []bool{false, true} {
		mode := "PARITY_INDEPENDENT"
		if interleaved {
			mode = "PARITY_INTERLEAVED"
		}
		t.Run(mode, func(t *testing.T) {
			s := cell(t, `module dut (input clk, input [11:0] aa, ab, input [8:0] ba, bb, input [71:0] da, db,
  input ea, eb, wa, wb, ra, rb, output [71:0] qa, qb);
  URAM288 #(.BWE_MODE_A("`+mode+`"), .BWE_MODE_B("`+mode+`")) u (.CLK(clk), .ADDR_A({11'd0, aa}), .ADDR_B({11'd0, ab}),
    .BWE_A(ba), .BWE_B(bb), .DIN_A(da), .DIN_B(db), .EN_A(ea), .EN_B(eb), .RDB_WR_A(wa), .RDB_WR_B(wb),
    .RST_A(ra), .RST_B(rb), .SLEEP(1'b0), .DOUT_A(qa), .DOUT_B(qb));
endmodule
`, "URAM288.v")
			r := rand.New(rand.NewPCG(3, 4))
			const words = 8
			var mem [words]uramWord
			var q [2]uramWord
			for i := range 5000 {
				fill := i < words // first every word as a whole
				for p, name := range []string{"a", "b"} {
					addr, bwe := r.Uint64N(words), r.Uint64N(512)
					en, wr, rst := r.Uint64N(4) != 0, r.Uint64N(2) != 0, r.Uint64N(8) == 0
					d := uramWord{r.Uint64(), r.Uint64N(256)}
					if fill {
						addr, bwe, en, wr, rst = uint64(i), 511, p == 0, p == 0, p == 1
					}
					s.Set("a"+name, addr)
					s.Set("b"+name, bwe)
					s.SetWide("d"+name, d.low, d.high)
					s.Set("e"+name, flag(en))
					s.Set("w"+name, flag(wr))
					s.Set("r"+name, flag(rst))
					switch {
					case rst:
						q[p] = uramWord{}
					case en && !wr:
						q[p] = mem[addr]
					}
					if en && wr {
						for k := range 8 {
							if bwe>>k&1 == 0 {
								continue
							}
							m := uint64(255) << (8 * k)
							mem[addr].low = mem[addr].low&^m | d.low&m
							if interleaved {
								mem[addr].high = mem[addr].high&^(1<<k) | d.high&(1<<k)
							}
						}
						if !interleaved && bwe>>8 != 0 {
							mem[addr].high = d.high
						}
					}
				}
				s.Step(1)
				for p, name := range []string{"a", "b"} {
					got := s.GetWide("q" + name)
					if i >= words && (uramWord{got[0], got[1]}) != q[p] {
						t.Fatalf("cycle %d: port %s shows %x, want %x", i, name, got, q[p])
					}
				}
			}
		})
	}
}

func flag(b bool) uint64 {
	if b {
		return 1
	}
	return 0
}

// bramCase is a way in which a block memory is set.
type bramCase struct {
	cell           string // RAMB18E2 or RAMB36E2
	ra, wa, rb, wb int    // widths
	modeA, modeB   string
}

func (c bramCase) String() string {
	return fmt.Sprintf("%s/A%d-%d%s/B%d-%d%s", c.cell, c.ra, c.wa, c.modeA, c.rb, c.wb, c.modeB)
}

// bits is a memory of data bits and parity bits, with a flag for each known bit.
type bits struct {
	data, parity   []byte // a bit each
	known, knownPa []bool
}

// The block memories behave like a plain list of bits, in every width and mode that the rules
// allow, written from both sides; a word that both ports access in the same cycle is unknown, or
// old, as the rule of the write mode says. Initial values come from INIT and INITP, and resets give
// SRVAL.
func TestBlockMemories(t *testing.T) {
	var cases []bramCase
	for _, c := range []struct {
		cell string
		max  int
	}{{"RAMB18E2", 18}, {"RAMB36E2", 36}} {
		modes := []string{"READ_FIRST", "WRITE_FIRST", "NO_CHANGE"}
		// Both ports read and write, narrow and wide; one writes and the other reads.
		cases = append(cases,
			bramCase{c.cell, 1, 1, c.max, c.max, modes[0], modes[1]},
			bramCase{c.cell, 9, 9, 4, 4, modes[1], modes[2]},
			bramCase{c.cell, 0, 2, 18, 0, modes[2], modes[0]},
			bramCase{c.cell, 0, 18, 18, 0, modes[0], modes[0]})
		// The pair of ports as one port to read and one to write.
		cases = append(cases,
			bramCase{c.cell, 2 * c.max, 0, 0, 2 * c.max, "READ_FIRST", "READ_FIRST"},
			bramCase{c.cell, 2 * c.max, 0, 0, 9, "READ_FIRST", "WRITE_FIRST"},
			bramCase{c.cell, 4, 0, 0, 2 * c.max, "READ_FIRST", "READ_FIRST"})
	}
	for _, c := range cases {
		t.Run(c.String(), func(t *testing.T) { c.run(t) })
	}
}

// run drives one case against the list of bits.
func (c bramCase) run(t *testing.T) {
	half := c.cell == "RAMB18E2"
	aw, w, p, inits := 15, 32, 4, 128
	if half {
		aw, w, p, inits = 14, 16, 2, 64
	}
	r := rand.New(rand.NewPCG(5, uint64(aw*c.ra+c.wb)))
	m := bits{make([]byte, 1<<aw), make([]byte, 1<<(aw-3)), make([]bool, 1<<aw), make([]bool, 1<<(aw-3))}
	var set []string
	word := func(name string, data []byte, known []bool, i int) {
		var b strings.Builder
		for k := 255; k >= 0; k-- {
			data[256*i+k], known[256*i+k] = byte(r.IntN(2)), true
			b.WriteByte('0' + data[256*i+k])
		}
		set = append(set, fmt.Sprintf(".%s_%02X(256'b%s)", name, i, b.String()))
	}
	for i := range inits {
		word("INIT", m.data, m.known, i)
	}
	for i := range inits / 8 {
		word("INITP", m.parity, m.knownPa, i)
	}
	// Values of the output registers: parity right above the data of the port's width.
	regs := map[string]uint64{}
	for _, n := range []string{"INIT_A", "INIT_B", "SRVAL_A", "SRVAL_B"} {
		regs[n] = r.Uint64() & (1<<(w+p) - 1)
		set = append(set, fmt.Sprintf(".%s(%d'h%x)", n, w+p, regs[n]))
	}
	body := fmt.Sprintf(`module dut (input clk, input [%d:0] aa, ab, input [%d:0] da, db, input [%d:0] pa, pb,
  input [%d:0] wea, input [%d:0] web, input ea, eb, ra, rb, output [%d:0] qa, qb, output [%d:0] ya, yb);
  %s #(.READ_WIDTH_A(%d), .WRITE_WIDTH_A(%d), .READ_WIDTH_B(%d), .WRITE_WIDTH_B(%d), .WRITE_MODE_A("%s"), .WRITE_MODE_B("%s"),
    .DOA_REG(0), .DOB_REG(0), %s) m (.CLKARDCLK(clk), .CLKBWRCLK(clk), .ADDRARDADDR(aa), .ADDRBWRADDR(ab),
    .DINADIN(da), .DINBDIN(db), .DINPADINP(pa), .DINPBDINP(pb), .WEA(wea), .WEBWE(web), .ENARDEN(ea), .ENBWREN(eb),
    .RSTRAMARSTRAM(ra), .RSTRAMB(rb), .SLEEP(1'b0), .DOUTADOUT(qa), .DOUTBDOUT(qb), .DOUTPADOUTP(ya), .DOUTPBDOUTP(yb));
endmodule
`, aw-1, w-1, p-1, p-1, 2*p-1, w-1, p-1, c.cell, c.ra, c.wa, c.rb, c.wb, c.modeA, c.modeB, strings.Join(set, ", "))
	s := cell(t, body, "nicgen_bram.v", c.cell+".v")

	// A port as the list of bits sees it.
	type port struct {
		read, write int
		mode        string
		q, qk       []byte // output: data bits and then parity bits; 2 where it is unknown
	}
	start := func(read int, low, high uint64) []byte {
		return expand(read, w, p, low, high)
	}
	ports := []*port{
		{read: c.ra, write: c.wa, mode: c.modeA, q: start(c.ra, regs["INIT_A"], regs["INIT_B"])},
		{read: c.rb, write: c.wb, mode: c.modeB, q: start(c.rb, regs["INIT_B"], 0)},
	}
	resets := [][]byte{start(c.ra, regs["SRVAL_A"], regs["SRVAL_B"]), start(c.rb, regs["SRVAL_B"], 0)}
	check := func(cycle int) {
		for i, pt := range ports {
			if pt.read == 0 {
				continue
			}
			names := [][2]string{{"qa", "ya"}, {"qb", "yb"}}[i]
			got := append(bitList(s.Get(names[0]), w), bitList(s.Get(names[1]), p)...)
			if pt.read > w+p { // the pair
				got = append(append(bitList(s.Get("qa"), w), bitList(s.Get("qb"), w)...), append(bitList(s.Get("ya"), p), bitList(s.Get("yb"), p)...)...)
			}
			nd, np := size(pt.read)
			total := len(got) * w / (w + p) // data bits that are shown
			for k, want := range pt.q {
				at := k
				if k >= nd {
					at = total + k - nd
				}
				if want != 2 && got[at] != want {
					t.Fatalf("cycle %d, port %c: bit %d of %d+%d is %d, want %d", cycle, 'A'+i, k, nd, np, got[at], want)
				}
			}
		}
	}
	check(-1)
	const span = 256 // bits that are touched: two ports meet often
	for cycle := range 3000 {
		type action struct {
			en, rst  bool
			addr, we int
			d, p     []byte // bits
		}
		var acts [2]action
		for i := range acts {
			a := action{en: r.IntN(8) != 0, rst: r.IntN(16) == 0, addr: r.IntN(span), d: bitList(r.Uint64(), 64), p: bitList(r.Uint64(), 8)}
			if a.we = r.IntN(1 << (p * (1 + i))); r.IntN(3) == 0 {
				a.we = 0
			}
			acts[i] = a
		}
		s.Set("aa", uint64(acts[0].addr))
		s.Set("ab", uint64(acts[1].addr))
		dw, dp := acts[1].d, acts[1].p
		if c.wb > w+p { // the pair writes A's data as the low half
			s.Set("da", number64(dw[:w]))
			s.Set("db", number64(dw[w:2*w]))
			s.Set("pa", number64(dp[:p]))
			s.Set("pb", number64(dp[p:2*p]))
		} else {
			s.Set("da", number64(acts[0].d[:w]))
			s.Set("db", number64(dw[:w]))
			s.Set("pa", number64(acts[0].p[:p]))
			s.Set("pb", number64(dp[:p]))
		}
		s.Set("wea", uint64(acts[0].we))
		s.Set("web", uint64(acts[1].we))
		s.Set("ea", flag(acts[0].en))
		s.Set("eb", flag(acts[1].en))
		s.Set("ra", flag(acts[0].rst))
		s.Set("rb", flag(acts[1].rst))

		// Bits that each port writes: places in the memory, parity bits from 1<<aw on.
		place := func(width, addr, k int) int {
			nd, _ := size(width)
			base := addr &^ (span0(nd) - 1)
			if k < nd {
				return base + k
			}
			return 1<<aw + base/8 + k - nd
		}
		var writes [2]map[int]byte
		for i, pt := range ports {
			writes[i] = map[int]byte{}
			if pt.write == 0 || !acts[i].en {
				continue
			}
			nd, np := size(pt.write)
			for k := range nd + np {
				b := k / 8 // its byte
				bit := acts[i].d
				at := k
				if k >= nd {
					b, bit, at = k-nd, acts[i].p, k-nd
				}
				if acts[i].we>>b&1 != 0 {
					writes[i][place(pt.write, acts[i].addr, k)] = bit[at]
				}
			}
		}
		// Two ports clash over a whole byte, with its parity bit, but narrower ports have only
		// their own bits of it.
		for i, pt := range ports {
			if pt.read == 0 || !acts[i].en {
				continue
			}
			if acts[i].rst {
				pt.q = resets[i]
				continue
			}
			if len(writes[i]) > 0 && pt.mode == "NO_CHANGE" {
				continue
			}
			nd, np := size(pt.read)
			q := make([]byte, nd+np)
			for k := range q {
				at := place(pt.read, acts[i].addr, k)
				q[k] = m.get(at, 1<<aw)
				_, other := writes[1-i][at]
				own, mine := writes[i][at]
				if other && ports[1-i].mode != "READ_FIRST" {
					q[k] = 2
				}
				if mine && pt.mode == "WRITE_FIRST" {
					if q[k] = own; other {
						q[k] = 2
					}
				}
			}
			pt.q = q
		}
		for i := range writes {
			for at, v := range writes[i] {
				if _, both := writes[1-i][at]; both {
					v = 2
				}
				m.set(at, 1<<aw, v)
			}
		}
		s.Step(1)
		check(cycle)
	}
}

func (m *bits) get(at, parity int) byte {
	d, k := m.data, m.known
	if at >= parity {
		d, k, at = m.parity, m.knownPa, at-parity
	}
	if !k[at] {
		return 2
	}
	return d[at]
}

func (m *bits) set(at, parity int, v byte) {
	d, k := m.data, m.known
	if at >= parity {
		d, k, at = m.parity, m.knownPa, at-parity
	}
	d[at], k[at] = v&1, v != 2
}

// size returns the number of data and parity bits of a width.
func size(width int) (data, parity int) {
	if width < 9 {
		return width, 0
	}
	return width / 9 * 8, width / 9
}

// span0 returns the number of bit addresses that a word with a number of data bits takes.
func span0(data int) int { return max(data, 1) }

// expand returns a parameter's value for the output register of a port of a width.
func expand(width, w, p int, low, high uint64) []byte {
	nd, np := size(width)
	if width <= w+p {
		return append(bitList(low, nd), bitList(low>>nd, np)...)
	}
	d := append(bitList(low, w), bitList(high, w)...)
	return append(d, append(bitList(low>>w, p), bitList(high>>w, p)...)...)
}

// bitList returns the low bits of a number, the lowest first.
func bitList(x uint64, n int) []byte {
	b := make([]byte, n)
	for i := range b {
		b[i] = byte(x >> i & 1)
	}
	return b
}

func number64(b []byte) uint64 {
	var x uint64
	for i, v := range b {
		x |= uint64(v) << i
	}
	return x
}
