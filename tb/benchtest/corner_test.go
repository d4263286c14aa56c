// SPDX-License-Identifier: Apache-2.0

package benchtest

import (
	"errors"
	"os"
	"testing"

	"github.com/nicgen/nicgen/internal/tool"
)

// Only in a module from outside may a tool be missing, and no other error with it.
func TestMayLack(t *testing.T) {
	none := &tool.Missing{Tool: tool.Yosys, Err: os.ErrNotExist}
	if mayLack(t, errors.Join(none), tool.Yosys) {
		t.Error("nicgen's own tests go on without Yosys")
	}
	t.Chdir(t.TempDir())
	if err := os.WriteFile("go.mod", []byte("module example.com/mine\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		err  error
		want bool
	}{
		{"missing", none, true},
		{"missing, of two tools of which the other is there", errors.Join(nil, none), true},
		{"another tool", &tool.Missing{Tool: tool.Verilator, Err: os.ErrNotExist}, false},
		{"two tools", errors.Join(&tool.Missing{Tool: tool.Verilator, Err: os.ErrNotExist}, none), false},
		{"a failure", &tool.Failed{Name: tool.Yosys.Name, Err: os.ErrInvalid}, false},
	} {
		if got := mayLack(t, c.err, tool.Yosys); got != c.want {
			t.Errorf("%s: %t, want %t", c.name, got, c.want)
		}
	}
}
