// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"embed"
	"fmt"
	"strings"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ip, places := IPv4Bytes, int(p.Tags)+1
	if p.IPv6 {
		ip, places = IPv6Bytes, 2*places
	}
	reach := EthernetBytes + TagBytes*int(p.Tags) + ip + LayerBytes // of the headers
	net := 12
	if p.RoCE() {
		reach = max(reach, p.farthest()+20)
	}
	names := []string{"nic_parse"}
	if places > 1 {
		names = append([]string{"pick"}, names...)
	}
	if p.IPChecksum {
		net = 2 + IPv4Bytes
		names = append([]string{"sum"}, names...)
	}
	parts, err := rtl.Parts("nic_lib_delay")
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{
		"Top": p.Top(), "Latency": Latency, "EndLatency": EndLatency, "Tags": p.Tags, "V6": p.IPv6, "Addresses": p.Addresses, "Sum": p.IPChecksum,
		"RoCE": p.RoCE(), "UET": p.UET(), "Both": p.RoCE() && p.UET(), "AddressBits": p.AddressBits(), "Shortest": Shortest,
		"FrontBytes": min(reach, DataBytes) - typeAt, "BackBytes": max(reach-DataBytes, 0), "NetBytes": net, "NetBits": 8 * net,
		"Places": places, "PlaceBits": max(sv.CLog2(int64(places)), 1), "Fours": p.Tags + 1, "Picks": p.picks(), "Far": p.far(), "FarBits": farBits, "ExtAt": EthernetBytes + IPv6Bytes - typeAt, "KeepAt": EthernetBytes + IPv6Bytes + 7 - typeAt,
	}, names...)
	return append(parts, own...), err
}

// typeAt is the first byte of a frame that is examined.
const typeAt = 12

// pick describes bits that are taken from one of several places: after byte v4 of an IPv4 packet
// without tags, or after v6 of an IPv6 packet.
type pick struct {
	name         string
	v4, v6, bits int
}

// Bits taken from where IPv4 options or an IPv6 extension header move them: the presence of BTH,
// UDP destination port, QP.
const farBits = 1 + 16 + 24

// farthest returns the last byte at which UDP may begin: after all IPv4 options, or an IPv6
// extension header of 24 bytes.
func (p *Params) farthest() int {
	at := EthernetBytes + TagBytes*int(p.Tags) + 60
	if p.IPv6 {
		at += 4
	}
	return at
}

// far returns the 16 places of UDP by their number: 20 bytes of an IPv4 header and no tag are 0, 4 bytes more 1.
func (p *Params) far() (choices []string) {
	for i := range 16 {
		at := min(EthernetBytes+IPv4Bytes+4*i, p.farthest()) - typeAt
		choices = append(choices, fmt.Sprintf("{p1_keep[%d], p1_all[TOP-8*%d -: 16], p1_all[TOP-8*%d -: 24]}", at+19, at+2, at+13))
	}
	return choices
}

// picks returns the instances that take headers from their places.
func (p *Params) picks() []string {
	list := []pick{{"layer", 34, 54, 192}, {"len", 16, 18, 16}}
	if p.Addresses {
		list = append(list, pick{"src", 26, 34, 32}, pick{"dst", 30, 50, 32})
	}
	var out []string
	for _, k := range list {
		out = append(out, p.pick(k.name, k.bits, func(at int) string {
			if at == typeAt {
				return fmt.Sprintf("p1_all[TOP -: %d]", k.bits)
			}
			return fmt.Sprintf("p1_all[TOP-8*%d -: %d]", at-typeAt, k.bits)
		}, k.v4, k.v6))
	}
	return append(out, p.pick("have", 3, func(at int) string {
		return fmt.Sprintf("p1_keep[%d], p1_keep[%d], p1_keep[%d]", at+23-typeAt, at+19-typeAt, at+7-typeAt)
	}, 34, 54))
}

// pick returns the instance that takes p1_name from the place in p1_place_q; slice returns the
// expression for the bits at a byte of the frame.
func (p *Params) pick(name string, bits int, slice func(at int) string, v4, v6 int) string {
	from := []int{v4}
	if p.IPv6 {
		from = append(from, v6)
	}
	var choices []string // the last place first, as in a concatenation
	for _, at := range from {
		for tags := range int(p.Tags) + 1 {
			choices = append([]string{slice(at + TagBytes*tags)}, choices...)
		}
	}
	if len(choices) == 1 {
		return fmt.Sprintf("\n  assign p1_%s = {%s};", name, choices[0])
	}
	return fmt.Sprintf("\n  %s_pick #(\n    .WIDTH  (%d),\n    .PLACES (%d)\n  ) pick_%s (\n    .place   (p1_place_q),\n    .choices ({%s}),\n    .choice  (p1_%s)\n  );",
		p.Top(), bits, len(choices), name, strings.Join(choices, ",\n               "), name)
}
