// SPDX-License-Identifier: Apache-2.0

package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	niccsr "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/internal/registers"
	"github.com/nicgen/nicgen/internal/registers/axil"
	"github.com/nicgen/nicgen/registry"
	tb "github.com/nicgen/nicgen/tb/bench"
)

// csrNIC is the RTL of the default registers, and the tool in front of it.
type csrNIC struct {
	t      *testing.T
	m      *csr.Map
	sim    *cosim.Sim
	bus    *axil.Bus
	device string
}

func newCSRNIC(t *testing.T) *csrNIC {
	t.Helper()
	p := niccsr.Default()
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	src, err := tb.Source(p)
	if err != nil {
		t.Fatal(err)
	}
	sim, err := cosim.Open(t.Context(), src)
	if err != nil {
		t.Fatal(err)
	}
	bus, err := axil.New(sim)
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "s")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- registers.Serve(ctx, l, bus) }()
	t.Cleanup(func() {
		stop()
		if err := errors.Join(<-done, sim.Err(), sim.Close()); err != nil {
			t.Error(err)
		}
	})
	return &csrNIC{t, m, sim, bus, registers.SimPrefix + path}
}

// csr runs nicgen csr, which has to succeed, and returns what it prints.
func (n *csrNIC) csr(args ...string) string {
	n.t.Helper()
	var out, errs bytes.Buffer
	args = append([]string{"nicgen", "csr"}, args...)
	if code := Run(n.t.Context(), append(args, "--unit", "nic_csr", "--device", n.device, "--quiet"), Env{&out, &errs, registry.Units}); code != Fine || errs.Len() > 0 {
		n.t.Fatalf("%s: exit code %d: %s", strings.Join(args, " "), code, errs.String())
	}
	return out.String()
}

// values are all that the tool reads, by name.
func (n *csrNIC) values() map[string]uint64 {
	n.t.Helper()
	var dump struct {
		Hash      string
		Registers []struct {
			Name, Address string
			Value         uint64
		}
	}
	if err := json.Unmarshal([]byte(n.csr("dump", "--json", "-")), &dump); err != nil {
		n.t.Fatal(err)
	}
	if want := fmt.Sprintf("0x%08x", n.m.Hash); dump.Hash != want {
		n.t.Errorf("hash %s, want %s", dump.Hash, want)
	}
	out := map[string]uint64{}
	for _, r := range dump.Registers {
		p, err := n.m.Find(r.Name)
		if err != nil {
			n.t.Fatal(err)
		}
		if want := fmt.Sprintf("0x%08x", p.Address()); r.Address != want {
			n.t.Errorf("%s is at %s, want %s", r.Name, r.Address, want)
		}
		out[r.Name] = r.Value
	}
	return out
}

// Every register of the RTL through the tool: all are read and have their reset values, all levels and
// counters are seen, all settings and enables are written and read back, and the units have the settings.
func TestCSREveryRegister(t *testing.T) {
	n := newCSRNIC(t)
	want := map[string]uint64{}
	var writes []string
	kinds := map[csr.Kind]int{}
	changed := map[string]uint64{}
	ports := map[string]uint64{}
	for i, p := range n.m.Places() {
		r := p.Register
		if p.Bit != nil || !r.Readable() {
			continue
		}
		kinds[r.Kind]++
		pattern := 0x9e3779b97f4a7c15 * uint64(i+1)
		if r.Bits < 64 {
			pattern &= 1<<r.Bits - 1
		}
		want[p.Name()] = r.Reset
		switch r.Kind {
		case csr.Counter:
			if p.Block.Base > 0 {
				n.sim.Set(niccsr.Prefixed(p.Block.Name, r.Port), pattern)
				want[p.Name()] = pattern
			}
		case csr.Status:
			want[p.Name()] = 0
			for _, b := range r.Bit {
				on := uint64(b.Bit+1) % 2
				n.sim.Set(niccsr.Prefixed(p.Block.Name, b.Port), on)
				want[p.Name()] |= on << b.Bit
			}
		case csr.Setting:
			ports[niccsr.Prefixed(p.Block.Name, r.Port)] = pattern
			fallthrough
		case csr.Enable:
			changed[p.Name()] = pattern
			text := strconv.FormatUint(pattern, 10)
			if i%2 == 0 {
				text = fmt.Sprintf("0x%x", pattern)
			}
			writes = append(writes, p.Name()+"="+text)
		}
	}
	compare := func(what string) {
		t.Helper()
		got := n.values()
		if len(got) != len(want) {
			t.Errorf("%s: %d registers, want %d", what, len(got), len(want))
		}
		for name, v := range want {
			if got[name] != v {
				t.Errorf("%s: %s is 0x%x, want 0x%x", what, name, got[name], v)
			}
		}
	}
	compare("after reset")
	for k, least := range map[csr.Kind]int{csr.Header: 20, csr.Status: 3, csr.Setting: 15, csr.Counter: 25, csr.Parameter: 40, csr.Command: 5, csr.Events: 3, csr.Enable: 3} {
		if kinds[k] < least {
			t.Errorf("%d registers of the kind %s, want at least %d", kinds[k], k, least)
		}
	}
	n.csr(append([]string{"write"}, writes...)...)
	for name, v := range changed {
		want[name] = v
	}
	compare("after the writes")
	for port, v := range ports {
		if got := n.sim.Get(port); got != v {
			t.Errorf("%s is 0x%x, want 0x%x", port, got, v)
		}
	}
}

// Settings of one command change in one cycle.
func TestCSRTogether(t *testing.T) {
	n := newCSRNIC(t)
	ports := []string{"powertcp_cfg_tau_ns", "powertcp_cfg_inv_tau_m", "powertcp_cfg_inv_tau_e"}
	var at []uint64
	last := map[string]uint64{}
	for _, p := range ports {
		last[p] = n.sim.Get(p)
	}
	n.bus.Each = func(s *cosim.Sim) {
		for _, p := range ports {
			if v := s.Get(p); v != last[p] {
				last[p] = v
				at = append(at, s.Cycle())
			}
		}
	}
	n.csr("write", "powertcp.cfg_tau_ns=11us", "inv_tau_m=99", "inv_tau_e=1")
	if len(at) != 3 || at[0] != at[1] || at[1] != at[2] {
		t.Errorf("changes in cycles %v, want three in one", at)
	}
	if got := n.sim.Get("powertcp_cfg_tau_ns"); got != 11_000 {
		t.Errorf("τ is %d", got)
	}
}

var watched = regexp.MustCompile(`^(\S+) +(\d+)(?: +\+(\d+) +(\S+)/s)?$`)

// A counter that wraps between two readings has the change that it had.
func TestCSRWatch(t *testing.T) {
	n := newCSRNIC(t)
	counter := uint64(0)
	cycle := uint64(0)
	n.bus.Each = func(s *cosim.Sim) {
		if cycle++; cycle%4 == 0 {
			counter = (counter + 1<<29 + 1) & (1<<32 - 1)
		}
		s.Set("reps_sts_ack_cnt", counter)
	}
	out := n.csr("watch", "reps.sts_ack_cnt", "reps.cfg_mode", "--count", "6", "--interval", "1ms")
	var values []uint64
	for line := range strings.Lines(out) {
		m := watched.FindStringSubmatch(strings.TrimSpace(line))
		if m == nil || m[1] != "reps.sts_ack_cnt" {
			continue
		}
		v, err := strconv.ParseUint(m[2], 10, 64)
		if err != nil {
			t.Fatal(err)
		}
		if len(values) > 0 {
			want := (v - values[len(values)-1]) & (1<<32 - 1)
			if got, err := strconv.ParseUint(m[3], 10, 64); err != nil || got != want || got == 0 {
				t.Errorf("from %d to %d: +%s, want +%d", values[len(values)-1], v, m[3], want)
			}
			if rate, err := strconv.ParseFloat(m[4], 64); err != nil || rate <= 0 {
				t.Errorf("rate %q", m[4])
			}
		}
		values = append(values, v)
	}
	if len(values) != 6 || slices.IsSorted(values) {
		t.Errorf("readings %v, want 6 of a counter that wraps:\n%s", values, out)
	}
	if strings.Count(out, "reps.cfg_mode ") != 6 || strings.Contains(out, "REPS  +") {
		t.Errorf("a setting has no rate:\n%s", out)
	}
}
