// SPDX-License-Identifier: Apache-2.0

package nictransport_test

import (
	"context"
	"fmt"
	"net/netip"
	"testing"

	"github.com/gopacket/gopacket/layers"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_transport"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/sim/agenda"
	"github.com/nicgen/nicgen/sim/device"
)

func library(t *testing.T, p *params.Params) *cosim.Library {
	t.Helper()
	if problems := p.Check(); problems != nil {
		t.Fatal(problems)
	}
	files, err := p.Files()
	if err != nil {
		t.Fatal(err)
	}
	src := cosim.Source{Top: p.Top()}
	for _, f := range files {
		src.Files = append(src.Files, cosim.File(f))
	}
	lib, err := cosim.Build(t.Context(), src, cosim.BuildOptions{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	return lib
}

var (
	here  = netip.MustParseAddr("10.0.0.1")
	there = netip.MustParseAddr("10.0.0.2")
)

func frame(t *testing.T, op roce.Opcode, from, to netip.Addr, qp, psn uint32, port uint16, payload int) []byte {
	t.Helper()
	p := &roce.Packet{
		Ethernet: layers.Ethernet{SrcMAC: []byte{2, 0, 0, 0, 0, 1}, DstMAC: []byte{2, 0, 0, 0, 0, 2}, EthernetType: layers.EthernetTypeIPv4},
		IPv4:     &layers.IPv4{Version: 4, IHL: 5, TTL: 64, Protocol: layers.IPProtocolUDP, SrcIP: from.AsSlice(), DstIP: to.AsSlice()},
		UDP:      layers.UDP{SrcPort: layers.UDPPort(port), DstPort: 4791},
		BTH:      roce.BTH{Opcode: op, PKey: 0xFFFF, DestQP: qp, PSN: psn},
		Payload:  make([]byte, payload),
	}
	if op == 0x11 {
		p.Headers = []roce.Header{&roce.AETH{}}
	}
	f, err := p.Append(nil)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestSmoke(t *testing.T) {
	p := params.Default()
	lib := library(t, p)
	m, err := p.Map()
	if err != nil {
		t.Fatal(err)
	}
	d, err := device.New(device.Config{Library: lib, Map: m, Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	ctx := context.Background()
	s, err := device.NewProgram(ctx, d, p)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Seed(1); err != nil {
		t.Fatal(err)
	}
	for i, pr := range []device.Profile{{Path: true, EchoTX: true, EchoRX: true, DSCP: -1, ECN: -1}, {Queue: true, Path: true, EchoTX: true, EchoRX: true, Window: true, DSCP: -1, ECN: -1}} {
		if _, err := s.Open(ctx, device.Connection{Remote: there, Numbers: []uint32{0x100 + uint32(i), 0x200 + uint32(i)}, Profile: pr}); err != nil {
			t.Fatal(err)
		}
	}
	d.Rebase()
	var in agenda.Instant
	d.Entered = func(e device.Entered) { in = e.First }
	show := func(what string) {
		if err := d.Run(ctx, d.Now()+3000000, func(l device.Left) {
			q, err := roce.Parse(l.Data)
			fmt.Printf("%-10s host=%v first beat %d cycles after, %d bytes bad=%v", what, l.ToHost, (l.First-in)/d.Period, len(l.Data), l.Bad)
			if err == nil {
				fmt.Printf(" op %v port %x psn %x becn %v icrc ok: %v", q.BTH.Opcode, uint16(q.UDP.SrcPort), q.BTH.PSN, q.BTH.BECN, roce.Verify(l.Data) == nil)
			}
			fmt.Println()
		}); err != nil {
			t.Fatal(err)
		}
	}
	d.Host(0, make([]byte, 60))
	show("other")
	d.Host(0, frame(t, 4, here, there, 0x100, 7, 0xC001, 0))
	show("direct")
	d.Host(0, frame(t, 4, here, there, 0x101, 7, 0xC001, 0))
	show("queued")
	d.Host(0, frame(t, 4, here, there, 0x101, 8, 0xC001, 1024))
	show("queued")
	d.Wire(0, frame(t, 4, there, here, 0x200, 77, 0xD123, 64))
	show("data in")
	d.Host(0, frame(t, 0x11, here, there, 0x100, 77, 0xC001, 0))
	show("ack out")
	d.Wire(0, frame(t, 0x11, there, here, 0x201, 7, 0xE777, 0))
	show("ack in")
	d.Wire(0, frame(t, 0x11, there, here, 0x201, 8, 0xE777, 0))
	show("ack in")
	d.Host(0, frame(t, 4, here, there, 0x101, 9, 0xC001, 0))
	show("queued")
	for _, b := range m.Blocks {
		c, err := d.Counters(b.Name)
		fmt.Println(b.Name, err)
		for k, v := range c {
			if v != 0 {
				fmt.Println("   ", k, v)
			}
		}
	}
}
