// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/synth"
)

// UnknownMemories runs module traffic, which drives the unit of files, for some
// cycles in a simulator that knows unknown bits, with all memories and registers
// unknown before the reset. traffic has the inputs clk and rst and outputs of 32 bits:
// sum, in which an unknown bit of any output of the unit stays, and counts, which must
// reach at least what least says.
func UnknownMemories(t *testing.T, files []synth.File, traffic string, cycles int, least map[string]uint64) {
	t.Helper()
	yosys, err := exec.LookPath("yosys")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	var script strings.Builder
	for _, f := range append(files[:len(files):len(files)], synth.File{Name: "traffic.sv", Text: traffic}) {
		if err := os.WriteFile(filepath.Join(dir, f.Name), []byte(f.Text), 0o600); err != nil {
			t.Fatal(err)
		}
		script.WriteString("read_verilog -sv " + f.Name + "; ")
	}
	fmt.Fprintf(&script, "hierarchy -check -top traffic; proc; flatten; opt_clean; memory_collect; "+
		"sim -clock clk -reset rst -rstlen 2 -n %d -vcd out.vcd", cycles)
	cmd := exec.CommandContext(t.Context(), yosys, "-q", "-p", script.String())
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	vcd, err := os.ReadFile(filepath.Join(dir, "out.vcd"))
	if err != nil {
		t.Fatal(err)
	}
	if sum := last(t, vcd, "sum"); strings.Trim(sum, "01") != "" {
		t.Errorf("the sum of the outputs is %s: an output is unknown", sum)
	}
	for signal, least := range least {
		if n, err := strconv.ParseUint(last(t, vcd, signal), 2, 32); err != nil || n < least {
			t.Errorf("%s is %s, want at least %d", signal, last(t, vcd, signal), least)
		}
	}
}

// last is the last value of a signal in a VCD file.
func last(t *testing.T, vcd []byte, signal string) string {
	t.Helper()
	id := regexp.MustCompile(`\$var \w+ 32 (\S+) ` + signal + `\b`).FindSubmatch(vcd)
	if id == nil {
		t.Fatalf("there is no signal %s", signal)
	}
	end := bytes.LastIndex(vcd, []byte(" "+string(id[1])+"\n"))
	if end < 0 {
		t.Fatalf("signal %s has no value", signal)
	}
	start := bytes.LastIndexByte(vcd[:end], '\n')
	return strings.TrimPrefix(string(vcd[start+1:end]), "b")
}
