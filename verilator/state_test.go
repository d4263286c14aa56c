// SPDX-License-Identifier: Apache-2.0

package verilator

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The variables are the design's: no ports, constants or additions of Verilator.
func TestVariables(t *testing.T) {
	dir := t.TempDir()
	const header = `
        VL_IN8(clk,0,0);
        CData/*0:0*/ top__DOT__a_q;
        CData/*0:0*/ top__DOT____Vcellinp__u__x;
        CData/*0:0*/ __Vtrigrprev__TOP__clk;
        SData/*15:0*/ top__DOT__u__DOT__g_s__BRA__0__KET____DOT__b_q;
        QData/*34:0*/ top__DOT__c_q;
        VlWide<4>/*126:0*/ top__DOT__d_q;
        VlUnpacked<IData/*18:0*/, 8> top__DOT__mem;
        VlUnpacked<VlWide<3>/*94:0*/, 2> top__DOT__wide;
    static constexpr CData/*2:0*/ top__DOT__ONE = 1U;
`
	if err := os.WriteFile(filepath.Join(dir, "Vm___024root.h"), []byte(header), 0o666); err != nil {
		t.Fatal(err)
	}
	got, err := Variables(dir, "top")
	if err != nil {
		t.Fatal(err)
	}
	want := []Variable{{"a_q", "top__DOT__a_q", 1, 0}, {"u.g_s[0].b_q", "top__DOT__u__DOT__g_s__BRA__0__KET____DOT__b_q", 16, 0},
		{"c_q", "top__DOT__c_q", 35, 0}, {"d_q", "top__DOT__d_q", 127, 0}, {"mem", "top__DOT__mem", 19, 8}, {"wide", "top__DOT__wide", 95, 2}}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	for i, bytes := range []int{1, 2, 8, 16, 32, 24} {
		if got[i].Bytes() != bytes {
			t.Errorf("%s takes %d bytes, want %d", got[i].Path, got[i].Bytes(), bytes)
		}
	}
	if _, err := Variables(dir, "other"); err == nil || err.Error() != "verilator failed: no variables in Vm___024root.h, which is written in a new form: nicgen is tested with Verilator "+Tested() {
		t.Errorf("error %v", err)
	}
}
