// SPDX-License-Identifier: Apache-2.0

package cosim

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/verilator"
)

// Try compiles and runs a small module, and returns the errors of Build if the installed
// tools do not work together. The module itself is always compiled; the run-time that all
// models share comes from the cache.
func Try(ctx context.Context) error {
	root, err := CacheDir()
	if err != nil {
		return err
	}
	tools, err := verilator.FindTools(ctx)
	if err != nil {
		return err
	}
	src, err := Source{Top: "nicgen_try", Files: []File{{Name: "nicgen_try.sv", Text: `module nicgen_try (
  input  logic       clk,
  input  logic [7:0] d,
  output logic [7:0] q
);
  always_ff @(posedge clk) q <= d + 8'd1;
endmodule
`}}}.check()
	if err != nil {
		return err
	}
	tmp, err := tool.TempDir("nicgen-try-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	if _, err := compile(ctx, root, tmp, tools, src, verilator.Options{}, func(string, ...any) {}); err != nil {
		return err
	}
	l, err := NewLayout([]Slot{{Name: "d", Width: 8}}, []Slot{{Name: "q", Width: 8}})
	if err != nil {
		return err
	}
	lib, err := load(filepath.Join(tmp, "model.so"), l)
	if err != nil {
		return err
	}
	lib.src = src
	out := make([]uint64, 2*l.OutWords)
	inst, err := lib.New(InstanceOptions{Seed: 1})
	if err == nil {
		_, err = inst.Run([]uint64{41, 0}, out)
		err = errors.Join(err, inst.Close())
	}
	if err = errors.Join(err, lib.Close()); err != nil {
		return err
	}
	if out[1] != 42 {
		return &tool.Failed{Name: tools.Verilator, Err: fmt.Errorf("a compiled register holds %d, want 42", out[1])}
	}
	return nil
}
