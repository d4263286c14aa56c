// SPDX-License-Identifier: Apache-2.0

package axil_test

import (
	"context"
	"errors"
	"math/big"
	"net"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen/csr"
	niccsr "github.com/nicgen/nicgen/gen/nic_csr"
	"github.com/nicgen/nicgen/internal/registers"
	"github.com/nicgen/nicgen/internal/registers/axil"
	"github.com/nicgen/nicgen/tb/bench"
)

// open powers up the RTL of the default registers behind a socket, and is software at its other end.
func open(t *testing.T) (*axil.Bus, *cosim.Sim, *registers.NIC) {
	t.Helper()
	p := niccsr.Default()
	src, err := bench.Source(p)
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
	path := filepath.Join(t.TempDir(), "nic")
	l, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- registers.Serve(ctx, l, bus) }()
	d, err := registers.Open(registers.SimPrefix+path, 0, 1<<16)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		err := d.Close()
		stop()
		if err := errors.Join(err, <-done, sim.Err(), sim.Close()); err != nil {
			t.Error(err)
		}
	})
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	n, err := registers.Attach(d, m, false)
	if err != nil {
		t.Fatal(err)
	}
	return bus, sim, n
}

// Every register of the RTL, by name: reads return the values of the table, settings arrive at
// their units in full width, each field of each window arrives, and nothing was illegal.
func TestEveryRegister(t *testing.T) {
	bus, sim, n := open(t)
	got := map[string][]uint64{} // words that windows offered, by port
	bus.Each = func(s *cosim.Sim) {
		for _, b := range n.Map.Blocks[1:] {
			for _, w := range b.Windows {
				if s.Get(niccsr.Prefixed(b.Name, w.Name+"_valid")) == 0 {
					continue
				}
				for _, f := range w.Fields {
					port := niccsr.Prefixed(b.Name, f.Port)
					got[port] = s.GetWide(port)
				}
			}
		}
	}
	set := func(p csr.Place, v *big.Int) {
		t.Helper()
		if err := n.Assign([]registers.Assignment{{Place: p, Value: v}}); err != nil {
			t.Error(err)
		}
	}
	get := func(p csr.Place, want uint64) {
		t.Helper()
		if v, err := n.Get(p); err != nil || v != want {
			t.Errorf("%s is 0x%x, %v, want 0x%x", p.Name(), v, err, want)
		}
	}
	kinds := map[csr.Kind]int{}
	for i, p := range n.Map.Places() {
		r := p.Register
		if p.Bit != nil {
			continue
		}
		kinds[r.Kind]++
		ones := new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(r.Bits)), big.NewInt(1))
		pattern := new(big.Int).And(ones, new(big.Int).SetUint64(0x9e3779b97f4a7c15*uint64(i+1)))
		switch r.Kind {
		case csr.Header, csr.Parameter, csr.Commit:
			get(p, r.Reset)
		case csr.Command, csr.Events:
			get(p, 0)
		case csr.Status:
			for _, b := range r.Bit {
				sim.Set(niccsr.Prefixed(p.Block.Name, b.Port), uint64(b.Bit+1)%2)
			}
			get(p, 0x5555_5555&ones.Uint64())
		case csr.Counter:
			if p.Block.Base == 0 {
				get(p, 0)
				continue
			}
			sim.Set(niccsr.Prefixed(p.Block.Name, r.Port), pattern.Uint64())
			get(p, pattern.Uint64())
		case csr.Enable:
			set(p, ones)
			get(p, ones.Uint64())
			set(p, new(big.Int))
			get(p, 0)
		case csr.Setting:
			get(p, r.Reset)
			for _, v := range []*big.Int{ones, pattern, new(big.Int)} {
				set(p, v)
				get(p, v.Uint64())
				if at := sim.Get(niccsr.Prefixed(p.Block.Name, r.Port)); at != v.Uint64() {
					t.Errorf("%s: the unit has 0x%x, want 0x%x", p.Name(), at, v)
				}
			}
		}
	}
	windows := 0
	for k, b := range n.Map.Blocks {
		for _, w := range b.Windows {
			windows++
			o := registers.Offer{Block: b, Window: w, Values: map[string]*big.Int{}}
			for i, f := range w.Fields {
				v := new(big.Int).SetUint64(0xd1342543de82ef95 * uint64(k+7*i+1))
				v.Or(v, new(big.Int).Lsh(v, 64))
				v.And(v, new(big.Int).Sub(new(big.Int).Lsh(big.NewInt(1), uint(f.Bits)), big.NewInt(1)))
				o.Values[strings.TrimPrefix(f.Name, w.Name+".")] = v
			}
			if err := n.Offer(t.Context(), o, time.Minute); err != nil {
				t.Error(err)
			}
			for name, v := range o.Values {
				x := new(big.Int)
				words := got[niccsr.Prefixed(b.Name, w.Field(name).Port)]
				for i := len(words) - 1; i >= 0; i-- {
					x.Or(x.Lsh(x, 64), new(big.Int).SetUint64(words[i]))
				}
				if x.Cmp(v) != 0 {
					t.Errorf("%s.%s.%s is offered as 0x%x, want 0x%x", b.Name, w.Name, name, x, v)
				}
			}
		}
	}
	get(csr.Place{Block: n.Map.Blocks[0], Register: n.Map.Blocks[0].Register("sts_illegal_cnt")}, 0)
	for k, least := range map[csr.Kind]int{csr.Header: 20, csr.Status: 3, csr.Setting: 15, csr.Counter: 25, csr.Parameter: 40, csr.Data: 6} {
		if kinds[k] < least {
			t.Errorf("%d registers of the kind %s, want at least %d", kinds[k], k, least)
		}
	}
	if windows < 5 {
		t.Errorf("%d windows", windows)
	}
}

// A unit that is not ready keeps a window busy; one that becomes ready takes the word. Events are seen and
// cleared, and accesses that the slave refuses are errors.
func TestUnits(t *testing.T) {
	bus, sim, n := open(t)
	window := n.Map.Block("reps").Window("s_flush")
	o := registers.Offer{Block: n.Map.Block("reps"), Window: window, Values: map[string]*big.Int{"conn": big.NewInt(5)}}
	sim.Set("reps_s_flush_ready", 0)
	if err := n.Offer(t.Context(), o, 0); !errors.Is(err, registers.ErrBusy) {
		t.Errorf("not ready: %v", err)
	}
	if err := n.Offer(t.Context(), o, 0); !errors.Is(err, registers.ErrBusy) {
		t.Errorf("still not ready: %v", err)
	}
	taken := 0
	busy := 30
	bus.Each = func(s *cosim.Sim) {
		busy--
		ready := uint64(0)
		if busy < 0 {
			ready = 1
		}
		s.Set("reps_s_flush_ready", ready)
		if ready == 1 && s.Get("reps_s_flush_valid") == 1 {
			taken++
		}
	}
	if err := n.Offer(t.Context(), o, time.Minute); err != nil {
		t.Error(err)
	}
	if taken != 2 {
		t.Errorf("%d words are taken, want 2", taken)
	}
	bus.Each = nil
	sim.Set("reps_evt_thaw", 1)
	bus.Step(1)
	sim.Set("reps_evt_thaw", 0)
	place, err := registers.Find(n.Map, "reps.evt_thaw")
	if err != nil {
		t.Fatal(err)
	}
	for want := uint64(1); ; want-- {
		if v, err := n.Get(place); err != nil || v != want {
			t.Errorf("%s is %d, %v, want %d", place.Name(), v, err, want)
		}
		if want == 0 {
			break
		}
		if err := n.Assign([]registers.Assignment{{Place: place, Value: big.NewInt(1)}}); err != nil {
			t.Error(err)
		}
	}
	if _, err := bus.Read32(1 << 16); err == nil {
		t.Error("a read beyond the bus")
	}
	if _, err := bus.Read32(2); err == nil {
		t.Error("a read between words")
	}
}

// refusing is a slave that answers some accesses with errors and others never.
const refusing = `module refusing (
  input  logic clk, rst,
  input  logic [7:0] s_axil_awaddr, input logic s_axil_awvalid, output logic s_axil_awready,
  input  logic [31:0] s_axil_wdata, input logic [3:0] s_axil_wstrb, input logic s_axil_wvalid, output logic s_axil_wready,
  output logic [1:0] s_axil_bresp, output logic s_axil_bvalid, input logic s_axil_bready,
  input  logic [7:0] s_axil_araddr, input logic s_axil_arvalid, output logic s_axil_arready,
  output logic [31:0] s_axil_rdata, output logic [1:0] s_axil_rresp, output logic s_axil_rvalid, input logic s_axil_rready
);
  // The address of a write waits for its data, which is taken first.
  logic [31:0] kept;
  logic        have;
  assign s_axil_wready  = !have;
  assign s_axil_awready = have && !s_axil_bvalid;
  assign s_axil_bresp   = 2'd2;
  assign s_axil_arready = s_axil_araddr != 8'd8;
  assign s_axil_rdata   = kept;
  assign s_axil_rresp   = 2'd0;
  always_ff @(posedge clk) begin
    if (s_axil_wvalid && s_axil_wready) begin
      kept <= s_axil_wdata ^ {28'd0, s_axil_wstrb};
      have <= 1'b1;
    end
    if (s_axil_awvalid && s_axil_awready) begin
      s_axil_bvalid <= 1'b1;
      kept <= kept ^ {24'd0, s_axil_awaddr};
    end
    if (s_axil_bvalid && s_axil_bready) begin
      s_axil_bvalid <= 1'b0;
      have <= 1'b0;
    end
    s_axil_rvalid <= s_axil_arvalid && s_axil_arready && s_axil_araddr != 8'd4 || s_axil_rvalid && !s_axil_rready;
    if (rst) begin
      s_axil_bvalid <= 1'b0;
      s_axil_rvalid <= 1'b0;
      have <= 1'b0;
    end
  end
endmodule
`

func TestRefusing(t *testing.T) {
	sim, err := cosim.Open(t.Context(), cosim.Source{Top: "refusing", Files: []cosim.File{{Name: "refusing.sv", Text: refusing}}})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := sim.Close(); err != nil {
			t.Error(err)
		}
	}()
	bus, err := axil.New(sim)
	if err != nil {
		t.Fatal(err)
	}
	if err := bus.Write32(16, 0x1234); !errors.Is(err, axil.ErrRefused) {
		t.Errorf("refused: %v", err)
	}
	if v, err := bus.Read32(0); err != nil || v != 0x1234^15^16 {
		t.Errorf("0x%x, %v, want 0x%x", v, err, 0x1234^15^16)
	}
	for at, want := range map[uint32]string{4: "does not answer", 8: "does not take an access"} {
		if _, err := bus.Read32(at); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("read at %d: %v, want %s", at, err, want)
		}
	}
}
