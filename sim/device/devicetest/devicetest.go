// SPDX-License-Identifier: Apache-2.0

// Package devicetest has a block for tests of what drives one.
package devicetest

import (
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/csr"
	niccsr "github.com/nicgen/nicgen/gen/nic_csr"
	params "github.com/nicgen/nicgen/gen/nic_transport"
)

// Wires is a block that has the registers of nic_transport's parts, and whose streams of frames are
// wires: what it does is known, whatever nic_transport is.
func Wires(t *testing.T, p *params.Params) (*cosim.Library, *csr.Map) {
	t.Helper()
	r := niccsr.Default()
	r.Units = []csr.Unit{{Name: "transport", Config: &params.Own{Params: p}, Streams: []string{"s_profile"}}}
	for _, x := range p.Parts() {
		r.Units = append(r.Units, csr.Unit{Name: x.Name, Config: x.Config, Streams: x.Streams})
	}
	m, err := r.Map()
	if err != nil {
		t.Fatal(err)
	}
	files, err := r.Files()
	if err != nil {
		t.Fatal(err)
	}
	var head, body strings.Builder
	port := func(dir gen.Dir, name string, bits int64) {
		fmt.Fprintf(&head, ",\n  %s logic [%d:0] %s", map[gen.Dir]string{gen.In: "input ", gen.Out: "output"}[dir], bits-1, name)
	}
	for _, s := range []struct {
		from, to string
		user     int64
	}{{"s_axis_tx", "m_axis_tx", p.TxUserBits}, {"s_axis_rx", "m_axis_rx", p.RxUserBits}} {
		for _, f := range []struct {
			name string
			bits int64
		}{{"tdata", 512}, {"tkeep", 64}, {"tvalid", 1}, {"tlast", 1}, {"tuser", s.user}} {
			port(gen.In, s.from+"_"+f.name, f.bits)
			port(gen.Out, s.to+"_"+f.name, f.bits)
			fmt.Fprintf(&body, "  assign %s_%s = %s_%s;\n", s.to, f.name, s.from, f.name)
		}
		port(gen.In, s.to+"_tready", 1)
		port(gen.Out, s.from+"_tready", 1)
		fmt.Fprintf(&body, "  assign %s_tready = %s_tready;\n", s.from, s.to)
	}
	body.WriteString("  nic_csr regs (.clk(clk), .rst(rst)")
	for _, q := range r.Ports() {
		switch {
		case q.Name == "clk" || q.Name == "rst":
		case q.Dir == gen.In && (strings.HasSuffix(q.Name, "_ready") && q.Bits == 1):
			fmt.Fprintf(&body, ", .%s(1'b1)", q.Name)
		case q.Dir == gen.In && !strings.HasPrefix(q.Name, "s_axil"):
			fmt.Fprintf(&body, ", .%s(%d'd0)", q.Name, q.Bits)
		default:
			port(q.Dir, q.Name, int64(q.Bits))
			fmt.Fprintf(&body, ", .%s(%s)", q.Name, q.Name)
		}
	}
	top := "module wires (\n  input  logic clk,\n  input  logic rst,\n  input  logic [47:0] now_ns" + head.String() + "\n);\n" + body.String() +
		");\n  wire unused = &{1'b0, now_ns};\nendmodule\n"
	src := cosim.Source{Top: "wires"}
	for _, f := range files {
		src.Files = append(src.Files, cosim.File(f))
	}
	src.Files = append(src.Files, cosim.File{Name: "wires.sv", Text: top})
	lib, err := cosim.Build(t.Context(), src, cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return lib, m
}
