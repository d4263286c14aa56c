// SPDX-License-Identifier: Apache-2.0

package cocotb

import (
	"encoding/binary"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/nicgen/nicgen/gen/csr"
	nictransport "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/internal/registers"
	"github.com/nicgen/nicgen/internal/registers/load"
)

var update = flag.Bool("update", false, "rewrite the golden file")

// memory is a device whose windows are always taken at once. It records all writes.
type memory struct {
	words    []byte
	commands map[uint32]bool
	log      strings.Builder
}

func (m *memory) Read32(at uint32) (uint32, error) {
	return binary.LittleEndian.Uint32(m.words[at:]), nil
}

func (m *memory) Write32(at, value uint32) error {
	fmt.Fprintf(&m.log, "   0x%04X <- 0x%08X\n", at, value)
	if !m.commands[at] {
		binary.LittleEndian.PutUint32(m.words[at:], value)
	}
	return nil
}

func (m *memory) Size() uint64 { return uint64(len(m.words)) }
func (m *memory) Close() error { return nil }

// The page's list of the first writes is what nicgen csr load does for one connection.
func TestFirstWrites(t *testing.T) {
	m, err := nictransport.Default().Map()
	if err != nil {
		t.Fatal(err)
	}
	d := &memory{words: m.Image(), commands: map[uint32]bool{}}
	for _, p := range m.Places() {
		d.commands[p.Address()] = p.Register.Kind == csr.Command
	}
	nic, err := registers.Attach(d, m, false)
	if err != nil {
		t.Fatal(err)
	}
	f, err := load.Read(filepath.Join("testdata", "first.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	steps, err := load.Plan(m, f, load.Options{})
	if err != nil {
		t.Fatal(err)
	}
	if len(steps) != 10 {
		t.Errorf("%d steps, want ten", len(steps))
	}
	var got strings.Builder
	for i, s := range steps {
		d.log.Reset()
		if err := load.Do(t.Context(), nic, []load.Step{s}, time.Minute); err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(&got, "%2d  %s\n%s", i+1, s, d.log.String())
	}
	golden := filepath.Join("testdata", "first_writes.txt")
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got.String()); d != "" {
		t.Errorf("(-golden +now; go test ./tb/cocotb -run FirstWrites -update, then make doc)\n%s", d)
	}
}
