// SPDX-License-Identifier: Apache-2.0

package failure

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/cosim/cosimtest"
)

// Planted bugs are found, shrunk to a handful of cycles, saved, and repeated
// from the file.
func TestPlantedBugs(t *testing.T) {
	for _, c := range []struct {
		name     string
		from, to string
		port     string
		cycles   uint64 // that the shortest stimulus may have
	}{
		{"push while full and popped", "(DEPTH) || take)", "(DEPTH))", "level", 11},
		{"pop of nothing", "pop && !empty", "pop", "empty", 3},
		{"pointer stays", "wr_q + IW'(1)", "wr_q + IW'(push && !pop)", "head", 6},
		{"reset forgets", "      level <= '0;\n", "", "empty", 2},
		{"write to the wrong place", "mem[wr_q] <= data", "mem[wr_q ^ IW'(level == (IW + 1)'(5))] <= data", "head", 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			bench := &cosimtest.FIFO{RTL: cosimtest.Design(t, c.from, c.to)}
			r, err := Run(t.Context(), bench, Options{RunOptions: cosim.RunOptions{Unit: "fifo", Params: map[string]any{"depth": int64(8)}, Seed: 3, OutDir: dir}})
			if err != nil {
				t.Fatal(err)
			}
			f := r.Failure
			if r.Outcome != cosim.Mismatch || f.Port != c.port || f.Shrunk == nil {
				t.Fatalf("%+v %+v", r, f)
			}
			if f.Shrunk.Cycles > c.cycles {
				t.Errorf("shrunk to %d cycles, want at most %d: %v", f.Shrunk.Cycles, c.cycles, f.Shrunk.Inputs)
			}
			t.Logf("cycle %d, %d tries: %v %v", f.Cycle, f.Shrunk.Tries, f.Shrunk, r.Notes)
			if f.Command != "nicgen replay "+f.Replay {
				t.Errorf("command %q", f.Command)
			}
			text, err := os.ReadFile(f.Replay)
			if err != nil {
				t.Fatal(err)
			}
			t.Logf("%s", text)
			save, err := os.ReadFile(f.Save)
			if err != nil {
				t.Fatal(err)
			}
			if !strings.Contains(string(save), "TOP."+c.port) {
				t.Errorf("save file without %s:\n%s", c.port, save)
			}
			list, _ := filepath.Glob(filepath.Join(dir, "*"))
			if len(list) != 3 {
				t.Errorf("files: %v", list)
			}

			rec, err := ReadReplay(f.Replay)
			if err != nil {
				t.Fatal(err)
			}
			again, err := Replay(t.Context(), rec, bench, cosim.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			g := again.Failure
			if again.Outcome != cosim.Mismatch || g.Port != f.Port || g.Cycle != f.Shrunk.Cycle || g.Want != f.Shrunk.Want || len(again.Notes) > 0 {
				t.Errorf("replay: %+v %+v", again, g)
			}
			fixed, err := Replay(t.Context(), rec, &cosimtest.FIFO{RTL: cosimtest.Design(t)}, cosim.RunOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if !fixed.OK() || len(fixed.Notes) != 1 {
				t.Errorf("replay without the bug: %+v", fixed)
			}
		})
	}
}
