// SPDX-License-Identifier: Apache-2.0

package rtl_test

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/internal/tool"
	"github.com/nicgen/nicgen/packet/capture"
	"github.com/nicgen/nicgen/packet/roce"
	"github.com/nicgen/nicgen/packet/shim"
	"github.com/nicgen/nicgen/packet/tshark"
	"github.com/nicgen/nicgen/sim/device"
	"github.com/nicgen/nicgen/sim/scenario/pair"
)

// opened returns the fields that tshark reads in a capture.
func opened(t *testing.T, packets []capture.Packet, fields ...string) [][]string {
	t.Helper()
	var b bytes.Buffer
	if err := capture.WritePcapng(&b, packets); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "wire.pcapng")
	if err := os.WriteFile(file, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	rows, err := tshark.Fields(t.Context(), file, fields)
	var missing *tool.Missing
	if errors.As(err, &missing) {
		t.Fatal("tshark is not there, make deps-tests installs it")
	}
	if err != nil {
		t.Fatal(err)
	}
	if len(rows) != len(packets) {
		t.Fatalf("tshark sees %d frames, want %d", len(rows), len(packets))
	}
	return rows
}

// bare are the packets without their shims; probes and answers, which have nothing else, stay as they are.
func bare(packets []capture.Packet) (out []capture.Packet, shims int) {
	for _, p := range packets {
		if binary.BigEndian.Uint16(p.Data[12:]) == uint16(shim.EtherType) {
			shims++
			n := shim.Subtype(p.Data[15] & 0xF).Size()
			if binary.BigEndian.Uint16(p.Data[12+n:]) != 0 {
				p.Data = append(bytes.Clone(p.Data[:12]), p.Data[12+n:]...)
			}
		}
		out = append(out, p)
	}
	return out, shims
}

// tshark reads a capture of each NIC's wire: no frame is malformed, and opcodes, queue pairs, PSNs, DSCP and ECN are the generated ones.
// According to tshark, the entropy values are in the source port: many of them with REPS, and each ACK has the value of the request that
// it acknowledges. The marks that switches set return as BECN.
func TestTshark(t *testing.T) {
	for _, c := range []struct {
		scenario, set string
		profile       device.Profile
		echo          bool // ACKs have the EVs of requests
		shims         bool
		lists         bool
	}{
		{"failure", reps, device.Profile{Queue: true, Path: true, EchoTX: true, EchoRX: true}, true, false, false},
		{"failure", lists, device.Profile{Queue: true, Path: true, Feedback: true}, false, false, true},
		{"burst", inband, device.Profile{Queue: true, EchoTX: true, EchoRX: true, Window: true, Telemetry: true}, true, true, false},
		{"share", laps, device.Profile{Queue: true, Path: true, Telemetry: true}, false, true, false},
	} {
		if leftOut(c.set) {
			continue
		}
		t.Run(c.scenario+" "+c.set, func(t *testing.T) {
			c.profile.DSCP, c.profile.ECN = -1, -1
			sc := short(t, c.scenario, 40_000)
			sc.Event, sc.Repair = 20_000, 30_000
			for i := range sc.Flows {
				sc.Flows[i].Start = min(sc.Flows[i].Start, sc.Event)
			}
			for i := range sc.Paths {
				if p := &sc.Paths[i]; p.Fails < p.Repaired {
					p.Fails, p.Repaired = sc.Event, sc.Repair
				}
				if len(sc.Paths) == 8 {
					sc.Paths[i].Rate /= 8 // else no packet has to wait
				}
				sc.Paths[i].Mark = pair.Mark{Low: 1, High: 1} // every frame that waits
				sc.Paths[i].Load.From, sc.Paths[i].Load.To = sc.Event, sc.Repair
			}
			res, _ := run(t, c.set, sc, c.profile)
			marks, back, lists, shims := 0, 0, 0, 0
			ports := map[string]bool{}
			for host := range 2 {
				packets := capture.Merge(res.Captures[host])
				for i, r := range opened(t, packets, "_ws.malformed", "eth.type", "frame.len") {
					if want := fmt.Sprintf("0x%04x", binary.BigEndian.Uint16(packets[i].Data[12:])); r[0] != "" || r[1] != want || r[2] != fmt.Sprint(len(packets[i].Data)) {
						t.Fatalf("NIC %d, frame %d: malformed %q, EtherType %s, %s bytes, want none, %s, %d", host, i+1, r[0], r[1], r[2], want, len(packets[i].Data))
					}
				}
				packets, n := bare(packets)
				shims += n
				request := map[string]string{} // source ports of requests that came, by queue pair and PSN
				for i, r := range opened(t, packets, "_ws.malformed", "ip.src", "ip.dsfield.dscp", "ip.dsfield.ecn", "udp.srcport", "udp.dstport", "infiniband.bth.opcode", "infiniband.bth.destqp",
					"infiniband.bth.psn", "infiniband.bth") {
					p, err := roce.Parse(packets[i].Data)
					if err != nil {
						if !c.shims || r[0] != "" || r[6] != "" || packets[i].Data[14]>>4 < uint8(shim.Probe) {
							t.Fatalf("NIC %d, frame %d: %v, tshark: %q", host, i+1, err, r)
						}
						continue // a probe
					}
					op := p.BTH.Opcode
					want := []string{"", p.IPv4.SrcIP.String(), "26", fmt.Sprint(p.IPv4.TOS & 3), fmt.Sprint(uint16(p.UDP.SrcPort)), "4791", fmt.Sprint(uint8(op)),
						fmt.Sprintf("0x%06x", p.BTH.DestQP), fmt.Sprint(p.BTH.PSN)}
					if op == roce.Feedback {
						want[2] = "48"
						lists++
					}
					if strings.Join(r[:9], " ") != strings.Join(want, " ") {
						t.Fatalf("NIC %d, frame %d: tshark sees %q, want %q", host, i+1, r[:9], want)
					}
					becn := len(r[9]) == 24 && r[9][8] >= '4'
					switch {
					case op.Request():
						if r[3] != "2" && r[3] != "3" {
							t.Fatalf("NIC %d, frame %d: a request with ECN %s", host, i+1, r[3])
						}
						if r[3] == "3" {
							marks++
						}
						ports[r[4]] = true
						if host == 1 {
							request[fmt.Sprint(p.BTH.DestQP-pair.QP(0, 1), " ", r[8])] = r[4] + " " + r[3]
						}
					case op == roce.Acknowledge && host == 1:
						if becn {
							back++
						}
						if !c.echo {
							break
						}
						of := request[fmt.Sprint(p.BTH.DestQP-pair.QP(0, 0), " ", r[8])]
						if want := r[4] + " " + map[bool]string{false: "2", true: "3"}[becn]; of != want {
							t.Fatalf("frame %d: an ACK with source port %s, BECN %v; its request had %s", i+1, r[4], becn, of)
						}
					}
				}
			}
			t.Logf("%d source ports of requests, %d marks, %d ACKs with BECN, %d lists, %d shims", len(ports), marks, back, lists, shims)
			if c.echo && (marks == 0 || back == 0) || !c.echo && back != 0 || (lists > 0) != c.lists || (shims > 0) != c.shims {
				t.Errorf("%d marks, %d ACKs with BECN, %d lists, %d shims", marks, back, lists, shims)
			}
			if reps := strings.Contains(c.set, "reps"); reps && len(ports) < 40 || !reps && len(ports) != len(sc.Flows) {
				t.Errorf("%d source ports of requests", len(ports))
			}
		})
	}
}
