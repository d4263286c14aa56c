// SPDX-License-Identifier: Apache-2.0

package nicedit_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	params "github.com/nicgen/nicgen/gen/nic_edit"
	model "github.com/nicgen/nicgen/model/nic_edit"
)

// unhex reads bytes in hexadecimal, with spaces.
func unhex(t *testing.T, text string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// at returns a command that changes nothing in a packet with a number of tags.
func at(v6 bool, tags, udpLen int) model.Command {
	c := model.Command{V6: v6, Tags: tags, UDPLen: udpLen}
	c.Lane = (c.L4() - 2) / 4
	return c
}

// Frames in wire format.
func TestFrames(t *testing.T) {
	const (
		mac = "a54dca182530bb1d6d132cde 0800 "
		ip  = "4502003c49db40004011dcd10a0000010a000002 "
		bth = "0440ffff0012345600000001 "
		pay = "d6237b2ed91e3f721fcb1971174494d6 "
		in  = mac + ip + "c12312b700280000 " + bth + pay + "d04e2467"
	)
	c := at(false, 0, 40)
	c.ICRC = true
	for _, x := range []struct {
		name, want string
		set        func(c *model.Command)
	}{
		{"nothing", in, func(*model.Command) {}},
		{"source port", mac + ip + "feed12b700280000 " + bth + pay + "b298cd43", func(c *model.Command) { c.EVOn, c.EV = true, 0xfeed }},
		{"without ICRC", mac + ip + "feed12b700280000 " + bth + pay + "d04e2467", func(c *model.Command) { c.EVOn, c.EV, c.ICRC = true, 0xfeed, false }},
		// ECN from 2 to 3 makes the header's sum one larger, and the checksum one smaller.
		{"CE", mac + "4503003c49db40004011dcd00a0000010a000002 c12312b700280000 " + bth + pay + "d04e2467",
			func(c *model.Command) { c.ECNOn, c.ECN = true, 3 }},
		{"DSCP 46", mac + "45ba003c49db40004011dc190a0000010a000002 c12312b700280000 " + bth + pay + "d04e2467",
			func(c *model.Command) { c.DSCPOn, c.DSCP = true, 46 }},
		{"A", mac + ip + "c12312b700280000 0440ffff0012345680000001 " + pay + "fc0ed50c", func(c *model.Command) { c.Ask = true }},
		{"A and source port", mac + ip + "feed12b700280000 0440ffff0012345680000001 " + pay + "9ed83c28",
			func(c *model.Command) { c.Ask, c.EVOn, c.EV = true, true, 0xfeed }},
		{"BECN", mac + ip + "c12312b700280000 0440ffff4012345600000001 " + pay + "d04e2467", func(c *model.Command) { c.BECNOn, c.BECN = true, true }},
	} {
		edit := c
		x.set(&edit)
		got, ok := model.Edit(unhex(t, in), edit)
		if want := unhex(t, x.want); !ok || !bytes.Equal(got, want) {
			t.Errorf("%s: %x, legal %t, want %x", x.name, got, ok, want)
		}
	}
	if got, want := c.Right(unhex(t, in)), uint32(0x67244ed0); got != want {
		t.Errorf("the ICRC is %08x, want %08x", got, want)
	}
}

// Patches by the words between port and ICRC, from carry-less products.
func TestPatches(t *testing.T) {
	for _, x := range []struct{ w, e, want uint32 }{
		{0x0001, 5, 0x65673b46}, {0x8000, 5, 0x9a11d850}, {0xffff, 5, 0x79ec849d}, {0x2301, 258, 0x3bd8daa9}, {0x0001, 2293, 0x4725cbb9},
	} {
		for tags := range 3 {
			for _, v6 := range []bool{false, true} {
				c := at(v6, tags, int(x.e+1)*4)
				c.ICRC, c.EVOn, c.EV = true, true, uint32(bits.ReverseBytes16(uint16(x.w)))
				got, _ := model.Edit(make([]byte, c.ICRCAt()+4), c)
				if patch := binary.LittleEndian.Uint32(got[c.ICRCAt():]); patch != x.want {
					t.Errorf("w %04x, e %d, v6 %t, %d tags: %08x, want %08x", x.w, x.e, v6, tags, patch, x.want)
				}
			}
		}
	}
}

// drawCommand returns any legal command.
func drawCommand(t *rapid.T) model.Command {
	c := at(rapid.Bool().Draw(t, "v6"), rapid.IntRange(0, 2).Draw(t, "tags"), 0)
	payload := rapid.OneOf(rapid.IntRange(0, 80), rapid.IntRange(0, 2275), rapid.Just(2275)).Draw(t, "words of payload")
	c.UDPLen = params.LeastUDP + 4*payload
	on := func(name string) bool { return rapid.Bool().Draw(t, name) }
	c.ICRC, c.EVOn, c.Flow = on("icrc"), on("ev_on"), c.V6 && on("flow")
	c.EV = rapid.Uint32Max(1<<params.LabelBits-1).Draw(t, "ev")
	c.DSCPOn, c.ECNOn, c.BECNOn, c.BECN, c.Ask, c.UDPZero = on("dscp_on"), on("ecn_on"), on("becn_on"), on("becn"), on("ask"), on("udp_zero")
	c.DSCP, c.ECN = rapid.ByteMax(63).Draw(t, "dscp"), rapid.ByteMax(3).Draw(t, "ecn")
	return c
}

// drawFrame returns a frame of random bytes with the length in a command, and padding.
func drawFrame(t *rapid.T, c *model.Command) []byte {
	frame := make([]byte, c.L4()+c.UDPLen+rapid.IntRange(0, 6).Draw(t, "padding"))
	x := rapid.Uint64().Draw(t, "seed") | 1
	for i := range frame {
		x ^= x << 13
		x ^= x >> 7
		x ^= x << 17
		frame[i] = byte(x >> 24)
	}
	if !c.V6 {
		frame[c.L3()] = 0x45
	}
	return frame
}

// An ICRC that is right is right after any edit; one that is wrong differs from the right one
// as before. The reference computes it bit by bit over a packet that is masked by offsets.
func TestICRC(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCommand(t)
		c.ICRC = true
		frame := drawFrame(t, &c)
		wrong := rapid.OneOf(rapid.Just(uint32(0)), rapid.Uint32()).Draw(t, "difference")
		at := c.ICRCAt()
		binary.LittleEndian.PutUint32(frame[at:], serial(&c, frame)^wrong)
		got, ok := model.Edit(frame, c)
		if diff := binary.LittleEndian.Uint32(got[at:]) ^ serial(&c, got); !ok || diff != wrong {
			t.Fatalf("%+v: the ICRC differs by %08x, want %08x; legal %t", c, diff, wrong, ok)
		}
	})
}

// serial returns the ICRC by shifting the polynomial over every bit.
func serial(c *model.Command, frame []byte) uint32 {
	masked := append(bytes.Repeat([]byte{255}, 8), frame[c.L3():c.ICRCAt()]...)
	udp := 8 + 20
	fixed := []int{1, 8, 10, 11}
	if c.V6 {
		udp = 8 + 40
		fixed = []int{1, 2, 3, 7}
		masked[8] |= 15
	}
	for _, i := range fixed {
		masked[8+i] = 255
	}
	for _, i := range []int{6, 7, 12} {
		masked[udp+i] = 255
	}
	r := ^uint32(0)
	for _, b := range masked {
		r ^= uint32(b)
		for range 8 {
			r = r>>1 ^ 0xedb88320&-(r&1)
		}
	}
	return ^r
}

// sum returns the ones' complement sum of an IPv4 header, from 1 to 65,535.
func sum(header []byte) int {
	n := 0
	for i := 0; i < len(header); i += 2 {
		n += int(binary.BigEndian.Uint16(header[i:]))
	}
	return (n-1)%65535 + 1
}

// An IPv4 header keeps its sum, which is 65,535 if the checksum is right; every field has the value
// in the command, and no other bit changes.
func TestFields(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCommand(t)
		frame := drawFrame(t, &c)
		got, ok := model.Edit(frame, c)
		if !ok {
			t.Fatalf("%+v is illegal", c)
		}
		l3, l4 := c.L3(), c.L4()
		class := func(b []byte) byte {
			if c.V6 {
				return b[l3]<<4 | b[l3+1]>>4
			}
			return b[l3+1]
		}
		field := func(name string, on bool, is, want, was int) {
			if !on {
				want = was
			}
			if is != want {
				t.Errorf("%+v: %s is %x, want %x", c, name, is, want)
			}
		}
		word := func(b []byte, i int) int { return int(binary.BigEndian.Uint16(b[i:])) }
		label := func(b []byte) int { return int(b[l3+1]&15)<<16 | word(b, l3+2) }
		field("DSCP", c.DSCPOn, int(class(got)>>2), int(c.DSCP), int(class(frame)>>2))
		field("ECN", c.ECNOn, int(class(got)&3), int(c.ECN), int(class(frame)&3))
		field("source port", c.EVOn && !c.Flow, word(got, l4), int(c.EV&0xffff), word(frame, l4))
		if c.V6 {
			field("label", c.EVOn && c.Flow, label(got), int(c.EV), label(frame))
		} else {
			field("sum of the header", true, sum(got[l3:l4]), sum(frame[l3:l4]), 0)
		}
		field("UDP checksum", c.UDPZero, word(got, l4+6), 0, word(frame, l4+6))
		becn := 0
		if c.BECN {
			becn = 0x40
		}
		field("BECN", c.BECNOn, int(got[l4+12]&0x40), becn, int(frame[l4+12]&0x40))
		asked := 0
		if c.Ask {
			asked = 0x80
		}
		field("A", true, int((got[l4+16]^frame[l4+16])&0x80), asked, 0)
		mask := make([]byte, len(frame)) // bits that may change
		for _, i := range []int{l4, l4 + 1, l4 + 6, l4 + 7} {
			mask[i] = 0xff
		}
		mask[l4+12], mask[l4+16] = 0x40, 0x80
		if c.V6 {
			copy(mask[l3:], []byte{0x0f, 0xff, 0xff, 0xff})
		} else {
			mask[l3+1], mask[l3+10], mask[l3+11] = 0xff, 0xff, 0xff
		}
		if c.Patched() {
			copy(mask[c.ICRCAt():], []byte{0xff, 0xff, 0xff, 0xff})
		}
		for i := range frame {
			if (frame[i]^got[i])&^mask[i] != 0 {
				t.Errorf("%+v: byte %d was %02x and is %02x", c, i, frame[i], got[i])
			}
		}
	})
}

// Every type of service and a sample of checksums: the result agrees with RFC 1624, Eqn. 3.
func TestChecksum(t *testing.T) {
	fold := func(n uint32) uint32 {
		for n > 0xffff {
			n = n>>16 + n&0xffff
		}
		return n
	}
	c := at(false, 0, 40)
	c.DSCPOn, c.ECNOn = true, true
	for check := range uint32(0x10000) {
		if check > 300 && check < 0xff00 && check%127 != 0 {
			continue
		}
		for i := range uint32(256) {
			was, is := i, (i*167+check)&255
			frame := make([]byte, 60)
			frame[14], frame[15] = 0x45, byte(was)
			binary.BigEndian.PutUint16(frame[24:], uint16(check))
			c.DSCP, c.ECN = byte(is>>2), byte(is&3)
			got, _ := model.Edit(frame, c)
			want := 0xffff &^ fold((0xffff&^check)+(0xffff&^(0x4500|was))+(0x4500|is))
			if have := uint32(binary.BigEndian.Uint16(got[24:])); have != want {
				t.Fatalf("checksum %04x, type of service %02x to %02x: %04x, want %04x", check, was, is, have, want)
			}
		}
	}
}

// A frame that ends early is edited as the beginning of the whole one, unless it ends between the
// two bytes of the IPv4 checksum: the first depends on the second.
func TestPrefix(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := drawCommand(t)
		frame := drawFrame(t, &c)
		whole, _ := model.Edit(frame, c)
		n := rapid.OneOf(rapid.IntRange(1, len(frame)), rapid.IntRange(1, min(80, len(frame))), rapid.IntRange(c.ICRCAt()-2, len(frame))).Draw(t, "bytes")
		if !c.V6 && n == c.L3()+11 {
			n++
		}
		part, _ := model.Edit(frame[:n], c)
		if !bytes.Equal(part, whole[:n]) {
			t.Fatalf("%+v: the first %d bytes are %x, want %x", c, n, part, whole[:n])
		}
	})
}

// Illegal commands change nothing.
func TestIllegal(t *testing.T) {
	frame := bytes.Repeat([]byte{0xa5}, 200)
	for name, set := range map[string]func(c *model.Command){
		"three tags":               func(c *model.Command) { c.Tags, c.Lane = 3, 11 },
		"another lane":             func(c *model.Command) { c.Lane++ },
		"a label in IPv4":          func(c *model.Command) { c.V6, c.Lane, c.Flow = false, 8, true },
		"an ICRC off the grid":     func(c *model.Command) { c.UDPLen = 42 },
		"an ICRC inside of a BTH":  func(c *model.Command) { c.UDPLen = 20 },
		"a UDP length of 0":        func(c *model.Command) { c.UDPLen = 0 },
		"lane of IPv6 for an IPv4": func(c *model.Command) { c.V6 = false },
	} {
		c := at(true, 0, 40)
		c.EVOn, c.EV, c.ICRC, c.UDPZero, c.BECNOn, c.ECNOn = true, 0x1234, true, true, true, true
		if got, ok := model.Edit(frame, c); !ok || bytes.Equal(got, frame) {
			t.Fatal("a legal command changes nothing")
		}
		set(&c)
		if got, ok := model.Edit(frame, c); ok || !bytes.Equal(got, frame) {
			t.Errorf("%s: legal %t, %x", name, ok, got)
		}
	}
}

// Edits that a configuration does not have are not done.
func TestBuilt(t *testing.T) {
	all := model.Command{V6: true, EVOn: true, Flow: true, DSCPOn: true, ECNOn: true, BECNOn: true, UDPZero: true, ICRC: true}
	if got := all.Built(params.Default()); got != all {
		t.Errorf("%+v, want %+v", got, all)
	}
	if got, want := all.Built(&params.Params{}), (model.Command{V6: true, EVOn: true}); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}
