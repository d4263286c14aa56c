// SPDX-License-Identifier: Apache-2.0

package nicparse

import (
	"embed"

	"github.com/nicgen/nicgen/gen"
	"github.com/nicgen/nicgen/gen/sv"
	"github.com/nicgen/nicgen/rtl"
)

//go:embed *.sv.tmpl
var folder embed.FS

var texts = sv.NewTexts(folder)

// Files implements gen.Config.
func (p *Params) Files() ([]gen.File, error) {
	ip := IPv4Bytes
	if p.IPv6 {
		ip = IPv6Bytes
	}
	reach := EthernetBytes + TagBytes*int(p.Tags) + ip + LayerBytes // of the headers
	names := []string{"nic_parse"}
	if p.IPChecksum {
		names = []string{"sum", "nic_parse"}
	}
	parts, err := rtl.Parts("nic_lib_delay")
	if err != nil {
		return nil, err
	}
	own, err := texts.Modules(p, map[string]any{
		"Top": p.Top(), "Latency": Latency, "EndLatency": EndLatency, "Tags": p.Tags, "V6": p.IPv6, "Addresses": p.Addresses, "Sum": p.IPChecksum,
		"RoCE": p.RoCE(), "UET": p.UET(), "Both": p.RoCE() && p.UET(), "PSNBits": p.PSNBits(), "AddressBits": p.AddressBits(),
		"IPBytes": ip, "FrontBytes": min(reach, DataBytes) - 12, "BackBytes": max(reach-DataBytes, 0), "Shortest": Shortest,
	}, names...)
	return append(parts, own...), err
}
