// SPDX-License-Identifier: Apache-2.0

package emit

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/dialect"
)

// Icarus Verilog elaborates the block and the wrapper with plain streams, as emitted for it, and
// fails without the dialect.
func TestIcarusReadsTheBlock(t *testing.T) {
	for _, c := range []struct {
		dialect string
		ok      bool
	}{{dialect.Icarus, true}, {"", false}} {
		cfg := nictransport.New()
		tree, err := Run{Units: []Unit{{cfg, nictransport.New()}}, Wrap: "axis", Dialect: c.dialect}.Render()
		if err != nil {
			t.Fatal(err)
		}
		dir := t.TempDir()
		if _, err := Write(t.Context(), dir, tree, Options{}); err != nil {
			t.Fatal(err)
		}
		args := []string{"-g2012", "-t", "null", "-s", "nic_transport_axis"}
		for name, text := range tree {
			if filepath.Ext(name) == ".sv" {
				args = append(args, filepath.Join(dir, name))
			}
			if c.dialect != "" && strings.HasPrefix(name, "nic_transport/nic_transport.sv") && !strings.Contains(string(text), "--dialect icarus") {
				t.Errorf("%s does not say that it is in a dialect", name)
			}
		}
		out, err := exec.CommandContext(t.Context(), "iverilog", args...).CombinedOutput()
		var lines []string
		for l := range strings.Lines(string(out)) {
			if !strings.Contains(l, "sorry: constant selects") { // a remark that it makes for every always_comb block
				lines = append(lines, l)
			}
		}
		if (err == nil) != c.ok {
			t.Errorf("dialect %q: %v\n%s", c.dialect, err, strings.Join(lines[:min(len(lines), 20)], ""))
		}
	}
	if _, err := (Run{Dialect: "vcs"}).Render(); err == nil || err.Error() != `dialect "vcs", want icarus` {
		t.Errorf("error %v, want one that names the dialects", err)
	}
}
