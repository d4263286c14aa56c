// SPDX-License-Identifier: Apache-2.0

package replay

import (
	"encoding/hex"
	"fmt"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/packet/capture"
)

// A BTH is found wherever it can be, and nothing else is taken for one. The frames are written here byte by byte.
func TestPSNOf(t *testing.T) {
	const (
		macs = "020000000001020000000002"
		v4   = "4500003c00004000401100000a0000010a000002"
		udp  = "c00012b700280000"
		bth  = "0a40ffff0000012380000207"
		rest = "00000000000000000000000000000000"
	)
	all := sight{tags: 2, v6: true}
	v6 := func(next string) string {
		return "6000000000280000"[:12] + next + "40" + "fd000000000000000000000000000001" + "fd000000000000000000000000000002"
	}
	for _, c := range []struct {
		name, frame string
		reads       sight
		ok          bool
		responses   bool
	}{
		{"IPv4", macs + "0800" + v4 + udp + bth + rest, all, true, false},
		{"one tag", macs + "81000001" + "0800" + v4 + udp + bth + rest, all, true, false},
		{"two tags", macs + "88a80001" + "81000001" + "0800" + v4 + udp + bth + rest, all, true, false},
		{"two tags of which the block reads one", macs + "88a80001" + "81000001" + "0800" + v4 + udp + bth + rest, sight{tags: 1}, false, false},
		{"IPv4 options", macs + "0800" + "47" + v4[2:] + "0101010101010101" + udp + bth + rest, all, true, false},
		{"a later fragment", macs + "0800" + v4[:12] + "0001" + v4[16:] + udp + bth + rest, all, false, false},
		{"IPv6", macs + "86dd" + v6("11") + udp + bth + rest, all, true, false},
		{"IPv6 that the block does not read", macs + "86dd" + v6("11") + udp + bth + rest, sight{tags: 2}, false, false},
		{"hop-by-hop options", macs + "86dd" + v6("00") + "1100000000000000" + udp + bth + rest, all, true, false},
		{"destination options behind them", macs + "86dd" + v6("00") + "3c00000000000000" + "1101000000000000" + "0000000000000000" + udp + bth + rest, all, true, false},
		{"the first fragment", macs + "86dd" + v6("2c") + "1100000100000007" + udp + bth + rest, all, true, false},
		{"a later fragment of IPv6", macs + "86dd" + v6("2c") + "1100000900000007" + udp + bth + rest, all, false, false},
		{"FLUSH", macs + "0800" + v4 + udp + "1c" + bth[2:] + rest, all, true, false},
		{"an opcode that is not known", macs + "0800" + v4 + udp + "18" + bth[2:] + rest, all, true, false},
		{"a READ response", macs + "0800" + v4 + udp + "10" + bth[2:] + rest, all, true, true},
		{"an ACK", macs + "0800" + v4 + udp + "11" + bth[2:] + rest, all, false, false},
		{"UD", macs + "0800" + v4 + udp + "64" + bth[2:] + rest, all, false, false},
		{"another port", macs + "0800" + v4 + "c0000035" + udp[8:] + bth + rest, all, false, false},
		{"TCP", macs + "0800" + v4[:18] + "06" + v4[20:] + udp + bth + rest, all, false, false},
		{"ARP", macs + "0806" + v4 + udp + bth + rest, all, false, false},
		{"cut", macs + "0800" + v4 + udp + bth[:20], all, false, false},
	} {
		frame, err := hex.DecodeString(c.frame)
		if err != nil {
			t.Fatal(err)
		}
		s, p, ok := psnOf(frame, c.reads)
		if ok != c.ok {
			t.Errorf("%s: found %t, want %t", c.name, ok, c.ok)
		}
		if ok && (s.qp != 0x123 || p.psn != 0x207 || s.responses != c.responses || !strings.HasSuffix(s.dst, "\x02")) {
			t.Errorf("%s: %+v, %+v; want queue pair 0x123, PSN 0x207, responses %t", c.name, s, p, c.responses)
		}
		for n := range frame { // no length is too short to look at
			psnOf(frame[:n], c.reads)
		}
	}
}

// Packets that leave in another order than the host sent them are named, whatever the block took them for; packets that
// were dropped, sent again, or of another connection are no fault.
func TestPSNOrder(t *testing.T) {
	for _, c := range []struct {
		name, sent, left, want string
	}{
		{"in order", "a1 a2 b1 a3 b2", "a1 a2 b1 a3 b2", ""},
		{"connections pass one another", "a1 a2 b1 b2", "b1 a1 b2 a2", ""},
		{"one is dropped", "a1 a2 a3", "a1 a3", ""},
		{"sent again", "a1 a2 a3 a2 a3", "a1 a2 a3 a2 a3", ""},
		{"sent again, the first copies dropped", "a1 a2 a3 a2 a3", "a1 a2 a3", ""},
		{"it passes one", "a1 a2 a3", "a1 a3 a2", "frame 2, PSN 2 of queue pair 0x00000a, leaves behind frame 3, PSN 3"},
		{"it passes all", "a1 a2 a3 b1", "b1 a3 a1 a2", "frame 1, PSN 1 of queue pair 0x00000a, leaves behind frame 3, PSN 3"},
	} {
		frame := func(name string) []byte {
			f := append([]byte{}, plainFrame...)
			f[12+2+20+8+7], f[12+2+20+8+11] = name[0]-'a'+10, name[1]-'0'
			return f
		}
		b := newBook()
		for _, n := range strings.Fields(c.sent) {
			b.came(capture.TX, frame(n))
		}
		var err error
		for _, n := range strings.Fields(c.left) {
			if err == nil {
				err = b.psns.left(frame(n), b.sight, func(i int) string { return fmt.Sprintf("frame %d", i+1) })
			}
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// plainFrame is a WRITE over IPv4.
var plainFrame = func() []byte {
	f, err := hex.DecodeString("020000000001020000000002" + "0800" + "4500003c00004000401100000a0000010a000002" + "c00012b700280000" + "0a40ffff0000000080000000" +
		"00000000000000000000000000000000")
	if err != nil {
		panic(err)
	}
	return f
}()
