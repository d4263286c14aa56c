// SPDX-License-Identifier: Apache-2.0

// Package constraints checks the hand-written constraint files.
package constraints

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/registry"
)

const stub = "../gen/vivado/testdata/stub.tcl"

// files lists every constraint file, and fails if there is none.
func files(t *testing.T) []string {
	t.Helper()
	var list []string
	for _, pattern := range []string{"*.xdc", "*.tcl"} {
		found, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, found...)
	}
	if len(list) == 0 {
		t.Fatal("no constraint file")
	}
	return list
}

// Every file runs in tclsh with Vivado's commands stubbed.
func TestSyntax(t *testing.T) {
	for _, file := range files(t) {
		t.Run(file, func(t *testing.T) {
			calls := filepath.Join(t.TempDir(), "calls")
			out, err := exec.CommandContext(t.Context(), "tclsh", stub, calls, file).CombinedOutput()
			if err != nil {
				t.Fatalf("%v: %s", err, out)
			}
			b, err := os.ReadFile(calls)
			if err != nil {
				t.Fatal(err)
			}
			if strings.Count(string(b), "\n") < 2 {
				t.Errorf("the file does next to nothing:\n%s", b)
			}
		})
	}
}

// The clocks that the page promises are the ones in the file.
func TestClocks(t *testing.T) {
	calls := filepath.Join(t.TempDir(), "calls")
	if out, err := exec.CommandContext(t.Context(), "tclsh", stub, calls, "u280.xdc").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	b, err := os.ReadFile(calls)
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"create_clock -period 10.000 -name pcie_refclk pcie_refclk_p",
		"create_clock -period 6.206 -name qsfp0_refclk qsfp0_refclk_p",
		"create_clock -period 6.206 -name qsfp1_refclk qsfp1_refclk_p",
	} {
		if !slices.Contains(strings.Split(string(b), "\n"), want) {
			t.Errorf("no %q in\n%s", want, b)
		}
	}
}

var (
	register = regexp.MustCompile(`\b([a-z][a-z0-9_]*_q)(?:_reg)?\b`)
	comment  = regexp.MustCompile(`(?m)^\s*#.*$`)
)

// strangers are the registers that constraints name and the RTL does not have.
func strangers(constraints, rtl string) []string {
	var list []string
	for _, m := range register.FindAllStringSubmatch(comment.ReplaceAllString(constraints, ""), -1) {
		if !regexp.MustCompile(`\b` + m[1] + `\b`).MatchString(rtl) {
			list = append(list, m[1])
		}
	}
	return list
}

func TestRegistersExist(t *testing.T) {
	var rtl strings.Builder
	for _, u := range registry.Units {
		cfg := u.New()
		sources, err := cfg.Files()
		if err != nil {
			t.Fatalf("%s: %v", cfg.Unit(), err)
		}
		for _, f := range sources {
			rtl.WriteString(f.Text)
		}
	}
	for _, file := range files(t) {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if list := strangers(string(b), rtl.String()); len(list) > 0 {
			t.Errorf("%s: no emitted unit has the registers %q", file, list)
		}
	}
}

func TestStrangers(t *testing.T) {
	rtl := "logic [3:0] sync_q;\nlogic gray_q;\n"
	for _, c := range []struct {
		text string
		want []string
	}{
		{"set_property ASYNC_REG TRUE [get_cells $inst/sync_q_reg[*]]", nil},
		{"set_false_path -to [get_cells {gray_q_reg lost_q_reg[3]}]", []string{"lost_q"}},
		{"# lost_q is only spoken of", nil},
		{"get_cells sync_q2_reg", nil},
		{"get_cells a_sync_q", []string{"a_sync_q"}},
	} {
		if got := strangers(c.text, rtl); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.text, got, c.want)
		}
	}
}
