// SPDX-License-Identifier: Apache-2.0

package verilator

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestPorts(t *testing.T) {
	for _, c := range []struct {
		name, header string
		want         []Port
		err          string
	}{
		{"all widths", `
    VL_IN8(&clk,0,0);
    VL_OUT16(&q,11,0);
    VL_INW(&c,99,0,4);
    VL_OUT(&s,16,0);
    VL_IN64(&b,39,0);
    VL_IN8(&up,0,6);
    VL_OUT8(odd,5,2);
`, []Port{{"clk", "clk", true, 1}, {"q", "q", false, 12}, {"c", "c", true, 100}, {"s", "s", false, 17}, {"b", "b", true, 40}, {"up", "up", true, 7}, {"odd", "odd", false, 4}}, ""},
		{"names", "VL_IN8(&a___05Fb,0,0);\nVL_IN8(&__SYM__do,6,0);\nVL_IN8(&x__02ey,0,0);\n",
			[]Port{{"a__b", "a___05Fb", true, 1}, {"do", "__SYM__do", true, 7}, {"x.y", "x__02ey", true, 1}}, ""},
		{"array", "VL_IN8((&u)[2],1,0);\n", nil, "port u is an unpacked array, want a packed vector"},
		{"inout", "VL_INOUT8(&z,0,0);\n", nil, "port z is an inout, want an input or an output"},
		{"none", "class Vm {};\n", nil, "the top module has no ports"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, err := Ports(c.header)
			if d := cmp.Diff(c.want, got); d != "" {
				t.Error(d)
			}
			if (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
				t.Errorf("got error %v, want %q", err, c.err)
			}
		})
	}
}

func TestGlue(t *testing.T) {
	clock := Port{Name: "clk", Ident: "clk", Input: true, Width: 1}
	got := Glue(clock,
		[]Pin{{Port{"a", "a", true, 5}, 2, 7}, {Port{"w", "w", true, 70}, 0, 0}},
		[]Pin{{Port{"q", "q", false, 64}, 0, 0}, {Port{"v", "v", false, 33}, 1, 0}, {Port{"u", "u", false, 2}, 1, 33}}, 3, 2)
	want := `#define GLUE_IN 3
#define GLUE_OUT 2
static inline void glue_clk(Vm& t, bool v) { t.clk = v; }
static inline void glue_in(Vm& t, const uint64_t* v) {
  t.a = (v[2] >> 7) & 0x1fULL;
  t.w[0] = (v[0] >> 0) & 0xffffffffULL;
  t.w[1] = (v[0] >> 32) & 0xffffffffULL;
  t.w[2] = (v[1] >> 0) & 0x3fULL;
}
static inline void glue_out(Vm& t, uint64_t* v) {
  v[0] = (uint64_t)t.q << 0;
  v[1] = (uint64_t)t.v << 0 | (uint64_t)t.u << 33;
}
`
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

func TestFlags(t *testing.T) {
	for _, c := range []struct {
		o         Options
		clang     bool
		verilator string // among Verilator's flags
		cxx       string // among the compiler's
	}{
		{Options{}, false, "--assert", "-O1"},
		{Options{}, false, "-Wall", "-fno-tree-fre"},
		{Options{Optimize: 3}, false, "-Wall", "-O3"},
		{Options{Trace: FST}, false, "--trace-fst", "-O1"},
		{Options{Trace: VCD}, false, "--trace", "-O1"},
		{Options{Coverage: true}, false, "--coverage-line", "-O1"},
		{Options{}, false, "unique", "-fno-gnu-unique"},
		{Options{}, true, "unique", "-fvisibility=hidden"},
	} {
		tools := &Tools{Number: oldest, Include: "/usr/include", clang: c.clang}
		v, x := " "+strings.Join(tools.verilatorFlags(c.o), " ")+" ", " "+strings.Join(tools.cxxFlags(c.o), " ")+" "
		if !strings.Contains(v, " "+c.verilator+" ") || !strings.Contains(x, " "+c.cxx+" ") {
			t.Errorf("%+v: %s %s", c.o, v, x)
		}
		if c.clang && strings.Contains(x, "gnu-unique") {
			t.Errorf("clang does not know that: %s", x)
		}
		if quick := !c.clang && c.o.Optimize == 0; strings.Contains(x, " -fno-tree") != quick {
			t.Errorf("%+v, clang %t: %s", c.o, c.clang, x)
		}
		if strings.Contains(v, "-Wno") || strings.Contains(v, "--threads") {
			t.Errorf("%+v: %s", c.o, v)
		}
	}
}

// All variants of an optimization level share one run-time.
func TestRuntimeID(t *testing.T) {
	tools := &Tools{}
	plain := tools.RuntimeID(Options{})
	for _, o := range []Options{{Coverage: true}, {Netlist: true}, {State: true}, {Savable: true}, {Trace: FST}, {Trace: VCD}} {
		if tools.RuntimeID(o) != plain {
			t.Errorf("%+v has its own run-time", o)
		}
	}
	if tools.RuntimeID(Options{Optimize: 1}) == plain {
		t.Error("two optimization levels share a run-time")
	}
}

// Models that are not compiled alike have different keys.
func TestKeys(t *testing.T) {
	seen := map[string]Options{}
	for _, o := range []Options{{}, {Optimize: 1}, {Optimize: 2}, {Coverage: true}, {Netlist: true}, {State: true}, {Savable: true}, {Trace: FST}, {Trace: VCD}} {
		if other, ok := seen[o.Key()]; ok {
			t.Errorf("%+v and %+v have the key %q", o, other, o.Key())
		}
		seen[o.Key()] = o
	}
}

func TestLibraries(t *testing.T) {
	dir := t.TempDir()
	if _, err := Libraries(dir); err == nil {
		t.Error("no file is accepted")
	}
	for _, c := range []struct {
		text string
		want []string
		err  string
	}{
		{"VM_GLOBAL_FAST += \\\n\tverilated \\\n\tverilated_threads \\\n\nVM_GLOBAL_SLOW += \\\n\n", []string{"verilated", "verilated_threads"}, ""},
		{"VM_GLOBAL_FAST += \\\n  verilated \\\n  verilated_vcd_c \\\n\nVM_GLOBAL_SLOW += \\\n  verilated_save \\\n\n", []string{"verilated", "verilated_vcd_c"}, ""}, // from 5.040 on
		{"nothing\n", nil, "verilator failed: no run-time library in Vm_classes.mk, which is written in a new form: nicgen is tested with Verilator " + Tested()},
	} {
		if err := os.WriteFile(filepath.Join(dir, "Vm_classes.mk"), []byte(c.text), 0o666); err != nil {
			t.Fatal(err)
		}
		got, err := Libraries(dir)
		if d := cmp.Diff(c.want, got); d != "" || (err == nil) != (c.err == "") || err != nil && err.Error() != c.err {
			t.Errorf("%v %s", err, d)
		}
	}
}

func TestFirstErrors(t *testing.T) {
	for _, c := range []struct {
		out  string
		n    int
		want string
	}{
		{"note\na: error: x\nb\nc\n", 2, "a: error: x\nb"},
		{"cannot start\n", 5, "cannot start"},
		{"", 5, ""},
	} {
		if got := firstErrors(c.out, c.n); got != c.want {
			t.Errorf("firstErrors(%q, %d) = %q, want %q", c.out, c.n, got, c.want)
		}
	}
}
