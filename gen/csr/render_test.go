// SPDX-License-Identifier: Apache-2.0

package csr_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	niccsr "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/internal/tool"
)

var update = flag.Bool("update", false, "write the golden files")

// settings are configurations whose renderings are compiled: each unit is in one of them.
var settings = []string{"", "path=none window=none", "path=plb", "path=spray", "path=laps counter_bits=64"}

// regs returns the map of a configuration.
func regs(t testing.TB, set string) *csr.Map {
	t.Helper()
	p := niccsr.Default()
	if err := gen.Configure(p, set); err != nil {
		t.Fatal(err)
	}
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	return m
}

func render(t *testing.T, m *csr.Map, format string) []byte {
	t.Helper()
	text, err := m.Render(format, "nic_regs")
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// The renderings of the default configuration are those that are checked in.
func TestGolden(t *testing.T) {
	m := regs(t, "")
	for _, f := range csr.Formats {
		file := filepath.Join("testdata", "nic_regs."+map[string]string{"c": "h", "go": "go", "markdown": "md", "rdl": "rdl", "json": "json"}[f])
		got := render(t, m, f)
		if *update {
			if err := os.WriteFile(file, got, 0o666); err != nil {
				t.Fatal(err)
			}
			continue
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(got, want) {
			t.Errorf("%s is stale (-have +want), run: go test ./gen/csr -run TestGolden -update\n%s", file, cmp.Diff(string(want), string(got)))
		}
	}
}

// run runs a program in a folder and fails the test if it says anything or fails.
func run(t *testing.T, dir string, program string, args ...string) string {
	t.Helper()
	c := exec.Command(program, args...)
	c.Dir = dir
	c.Env = append(os.Environ(), "GOFLAGS=-mod=mod", "GOWORK=off")
	out, err := c.CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func write(t *testing.T, dir, name, text string) {
	t.Helper()
	file := filepath.Join(dir, name)
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

// The C header compiles without a warning, has each register where the map has it, and its access
// functions find the reset image.
func TestC(t *testing.T) {
	gcc, err := exec.LookPath("gcc")
	if err != nil {
		t.Skip("gcc is not there: the C header is not compiled")
	}
	for _, set := range settings {
		m := regs(t, set)
		dir := t.TempDir()
		write(t, dir, "nic_regs.h", string(render(t, m, "c")))
		write(t, dir, "image.bin", string(m.Image()))
		var b strings.Builder
		b.WriteString("#include <stdio.h>\n#include \"nic_regs.h\"\n#include \"nic_regs.h\"\n")
		for _, p := range m.Places() {
			name := "NIC_REGS_" + strings.ToUpper(strings.ReplaceAll(p.Name(), ".", "_"))
			if p.Bit != nil {
				fmt.Fprintf(&b, "_Static_assert(%s == 1u << %d, \"\");\n", name, p.Bit.Bit)
				continue
			}
			fmt.Fprintf(&b, "_Static_assert(%s == 0x%x, \"\");\n", name, p.Address())
			if p.Register.Bits > 32 {
				fmt.Fprintf(&b, "_Static_assert(%s_BITS == %d, \"\");\n", name, p.Register.Bits)
			}
			if p.Register.Kind == csr.Setting || p.Register.Kind == csr.Parameter {
				fmt.Fprintf(&b, "_Static_assert(%s_RESET == %du, \"\");\n", name, p.Register.Reset)
			}
		}
		fmt.Fprintf(&b, "_Static_assert(NIC_REGS_SIZE == %d && NIC_REGS_HASH == 0x%x, \"\");\n", m.Size(), m.Hash)
		b.WriteString(`static uint32_t image[NIC_REGS_SIZE / 4];
int main(void)
{
	FILE *f = fopen("image.bin", "rb");

	if (f == NULL || fread(image, 1, sizeof image, f) != sizeof image || !nic_regs_check(image))
		return 1;
	/* A word that nobody takes: memory is no window. */
	if (nic_regs_offer(image, 0x800, 10) || nic_regs_read(image, 0x800) != 1)
		return 1;
	nic_regs_write64(image, NIC_REGS_CSR_HASH, UINT64_C(0x100000002));
	return nic_regs_check(image) || nic_regs_read64(image, NIC_REGS_CSR_HASH) != UINT64_C(0x100000002);
}
`)
		write(t, dir, "main.c", b.String())
		for _, std := range []string{"c11", "c17"} {
			if out := run(t, dir, gcc, "-std="+std, "-Wall", "-Wextra", "-Wpedantic", "-pedantic-errors", "-Werror", "-o", "main", "main.c"); out != "" {
				t.Errorf("%q: gcc says: %s", set, out)
			}
		}
		run(t, dir, "./main")
	}
}

// The Go package compiles, is clean, and its access finds the reset image.
func TestGo(t *testing.T) {
	set := settings[len(settings)-1]
	m := regs(t, set)
	dir := t.TempDir()
	write(t, dir, "go.mod", "module example.com/nic\n\ngo 1.26\n")
	write(t, dir, "nic_regs/regs.go", string(render(t, m, "go")))
	write(t, dir, "image.bin", string(m.Image()))
	write(t, dir, "main.go", `package main

import (
	"encoding/binary"
	"fmt"
	"os"

	regs "example.com/nic/nic_regs"
)

type memory []byte

var (
	polls = 0 // until a word is taken
	after uint32
)

func (m memory) Read(at uint32) uint32 {
	if polls--; at == regs.LapsSSeedCommand.At && polls < 0 {
		m.Write(at, after)
	}
	return binary.LittleEndian.Uint32(m[at:])
}
func (m memory) Write(at, v uint32) { binary.LittleEndian.PutUint32(m[at:], v) }

func main() {
	image, err := os.ReadFile("image.bin")
	if err != nil {
		panic(err)
	}
	m := memory(image)
	if err := regs.Check(m); err != nil {
		panic(err)
	}
	if err := regs.LapsCfgBeta.Set(m, 1<<16); err == nil {
		panic("a value that does not fit is set")
	}
	if err := regs.LapsCfgBeta.Set(m, 1234); err != nil {
		panic(err)
	}
	regs.LapsSCfgAnchors.SetWords(m, 1, 2, 3, 4)
	if regs.LapsSCfgAnchors.Set(m, 1) == nil || m.Read(regs.LapsSCfgAnchors.At+12) != 4 {
		panic("a wide value")
	}
	for _, x := range []struct {
		polls int
		after uint32
	}{{3, 0}, {3, 2}, {12, 0}} {
		polls, after = x.polls, x.after
		fmt.Println(regs.Offer(m, regs.LapsSSeedCommand, 10))
	}
	fmt.Println(regs.LapsCfgBeta.Get(m), regs.LapsStsReady.On(m), regs.CsrId.Get(m))
	m.Write(0x1010, regs.Hash^1)
	fmt.Println(regs.Check(m))
}
`)
	if out := run(t, dir, "go", "vet", "./..."); out != "" {
		t.Errorf("go vet says: %s", out)
	}
	out := run(t, dir, "go", "run", ".")
	want := fmt.Sprintf("<nil>\nlaps.s_seed.command: the window was written while it offered a word\nlaps.s_seed.command: the word is not taken\n1234 false %d\nblock laps: hash 0x%08x, want 0x%08x: the registers are of another map\n", m.Blocks[0].Type, m.Hash^1, m.Hash)
	if out != want {
		t.Errorf("got %q, want %q", out, want)
	}
}

// rdlScript compiles SystemRDL and prints the registers with their addresses.
const rdlScript = `
import sys
try:
    from systemrdl import RDLCompiler
    from systemrdl.node import RegNode
except ImportError as e:
    print("no systemrdl-compiler:", e)
    sys.exit(3)
c = RDLCompiler()
c.compile_file(sys.argv[1])
top = c.elaborate("nic_regs").top
for r in top.descendants(unroll=True):
    if isinstance(r, RegNode):
        reset = sum((f.get_property("reset") or 0) << f.low for f in r.fields())
        bits = max(f.high for f in r.fields()) + 1
        print(r.get_path(), "%x" % r.absolute_address, bits, int(r.has_sw_readable), int(r.has_sw_writable), "%x" % reset)
`

// The SystemRDL compiles in systemrdl-compiler, which finds each word of the map where it is, as wide,
// with its access and reset value, and nothing else.
func TestRDL(t *testing.T) {
	python, err := tool.FindPackaged(tool.Python)
	if err != nil {
		t.Skipf("SystemRDL is not compiled: %v", err)
	}
	for _, set := range settings {
		m := regs(t, set)
		dir := t.TempDir()
		write(t, dir, "regs.rdl", string(render(t, m, "rdl")))
		out, err := exec.Command(python, "-c", rdlScript, filepath.Join(dir, "regs.rdl")).CombinedOutput()
		var failed *exec.ExitError
		if errors.As(err, &failed) && failed.ExitCode() == 3 {
			t.Skipf("SystemRDL is not compiled: %s", out)
		}
		if err != nil {
			t.Fatalf("%q: %v\n%s", set, err, out)
		}
		var want strings.Builder
		for _, b := range m.Blocks {
			for _, r := range b.Registers {
				for n := range r.Words() {
					name := strings.ReplaceAll(r.Name, ".", "_")
					if r.Words() > 1 {
						name += fmt.Sprintf("_%d", n)
					}
					reset := uint32(r.Reset >> (32 * n))
					flag := func(is bool) int {
						if is {
							return 1
						}
						return 0
					}
					fmt.Fprintf(&want, "nic_regs.%s.%s %x %d %d %d %x\n", b.Name, name, b.Base+r.Offset+4*n, min(32, r.Bits-32*int(n)),
						flag(r.Readable()), flag(r.Writable()), reset)
				}
			}
		}
		if d := cmp.Diff(want.String(), string(out)); d != "" {
			t.Errorf("%q (-map +SystemRDL):\n%s", set, d)
		}
	}
}

// The JSON is the map.
func TestJSON(t *testing.T) {
	m := regs(t, "")
	var back csr.Map
	if err := json.Unmarshal(render(t, m, "json"), &back); err != nil {
		t.Fatal(err)
	}
	if back.Hash != m.Hash || len(back.Blocks) != len(m.Blocks) || len(back.Places()) != len(m.Places()) {
		t.Errorf("read back: %d blocks, hash %x; want %d, %x", len(back.Blocks), back.Hash, len(m.Blocks), m.Hash)
	}
}

func TestFormats(t *testing.T) {
	m := regs(t, "")
	if _, err := m.Render("xml", "nic_regs"); err == nil || err.Error() != `format "xml": want one of c, go, markdown, rdl, json` {
		t.Error(err)
	}
	if _, err := m.Render("c", "Nic regs"); err == nil || err.Error() != `name "Nic regs": want small letters, digits and underscores, a letter first` {
		t.Error(err)
	}
}
