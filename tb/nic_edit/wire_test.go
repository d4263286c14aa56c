// SPDX-License-Identifier: Apache-2.0

package nicedit_test

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_edit"
	model "github.com/nicgen/nicgen/model/nic_edit"
	"github.com/nicgen/nicgen/tb/benchtest"
)

// port drives and reads the RTL, frame by frame.
type port struct {
	t      *testing.T
	sim    *cosim.Sim
	began  []uint64 // the cycle of each beat that came
	left   []uint64 // of each that left
	frames [][]byte // that left
	now    []byte   // bytes of the current frame that left
}

func open(t *testing.T) *port {
	p := &port{t: t, sim: suite.Open(t, params.Default())}
	p.sim.Set("rst", 1)
	p.sim.Step(2)
	p.sim.Set("rst", 0)
	return p
}

// clock lets cycles pass and takes what leaves in them.
func (p *port) clock(cycles int) {
	for range cycles {
		if p.sim.Get("m_axis_tvalid") != 0 {
			p.left = append(p.left, p.sim.Cycle())
			keep := p.sim.Get("m_axis_tkeep")
			for i, w := range p.sim.GetWide("m_axis_tdata") {
				for b := range 8 {
					if keep>>(8*i+b)&1 != 0 {
						p.now = append(p.now, byte(w>>(8*b)))
					}
				}
			}
			if p.sim.Get("m_axis_tlast") != 0 {
				p.frames = append(p.frames, p.now)
				p.now = nil
			}
		}
		p.sim.Step(1)
	}
}

// send gives a frame without gaps.
func (p *port) send(frame []byte, c model.Command) {
	bit, set := benchtest.Bit, p.sim.Set
	for name, v := range map[string]uint64{
		"v6": bit(c.V6), "tags": uint64(c.Tags), "lane": uint64(c.Lane), "ev_valid": bit(c.EVOn), "ev": uint64(c.EV), "flow": bit(c.Flow),
		"dscp_valid": bit(c.DSCPOn), "dscp": uint64(c.DSCP), "ecn_valid": bit(c.ECNOn), "ecn": uint64(c.ECN),
		"becn_valid": bit(c.BECNOn), "becn": bit(c.BECN), "ask": bit(c.Ask), "udp_zero": bit(c.UDPZero), "icrc": bit(c.ICRC), "udp_len": uint64(c.UDPLen),
	} {
		set("s_edit_"+name, v)
	}
	set("s_axis_tvalid", 1)
	for at := 0; at < len(frame); at += params.KeepBits {
		n := min(params.KeepBits, len(frame)-at)
		var beat [params.KeepBits]byte
		copy(beat[:], frame[at:])
		var words []uint64
		for i := 0; i < len(beat); i += 8 {
			words = append(words, binary.LittleEndian.Uint64(beat[i:]))
		}
		p.sim.SetWide("s_axis_tdata", words...)
		set("s_axis_tkeep", ^uint64(0)>>(64-n))
		set("s_axis_tlast", bit(at+n == len(frame)))
		p.began = append(p.began, p.sim.Cycle())
		p.clock(1)
	}
	set("s_axis_tvalid", 0)
}

// A SEND on the wire before and after, and other edits of it.
func TestWire(t *testing.T) {
	const (
		mac = "a54dca182530bb1d6d132cde 0800 "
		bth = "0440ffff0012345600000001 d6237b2ed91e3f721fcb1971174494d6 "
		ip  = "4502003c49db40004011dcd10a0000010a000002 "
	)
	frame := func(text string) []byte {
		b, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		return b
	}
	in := frame(mac + ip + "c12312b700280000 " + bth + "d04e2467")
	p := open(t)
	c := model.Command{Lane: 8, ICRC: true, UDPLen: 40}
	var want [][]byte
	for _, x := range []struct {
		want string
		set  func(*model.Command)
	}{
		{mac + ip + "feed12b700280000 " + bth + "b298cd43", func(c *model.Command) { c.EVOn, c.EV = true, 0xfeed }},
		{mac + "4503003c49db40004011dcd00a0000010a000002 c12312b700280000 " + bth + "d04e2467", func(c *model.Command) { c.ECNOn, c.ECN = true, 3 }},
		{mac + "4502003c49db40004011dcd10a0000010a000002 feed12b700280000" + bth + "d04e2467", func(c *model.Command) { c.EVOn, c.EV, c.ICRC = true, 0xfeed, false }},
		{mac + ip + "c12312b700280000 " + strings.Replace(bth, "00000001", "80000001", 1) + "fc0ed50c", func(c *model.Command) { c.Ask = true }},
		{mac + ip + "feed12b700280000 " + strings.Replace(bth, "00000001", "80000001", 1) + "9ed83c28", func(c *model.Command) { c.Ask, c.EVOn, c.EV = true, true, 0xfeed }},
		{mac + ip + "c12312b700280000 " + strings.Replace(bth, "00123456", "40123456", 1) + "d04e2467", func(c *model.Command) { c.BECNOn, c.BECN = true, true }},
	} {
		edit := c
		x.set(&edit)
		p.send(in, edit)
		want = append(want, frame(x.want))
	}
	p.clock(params.Latency + 2)
	for i, w := range want {
		if len(p.frames) <= i || !bytes.Equal(p.frames[i], w) {
			t.Errorf("frame %d of %d: want %x, got\n%x", i, len(p.frames), w, p.frames)
		}
	}
	if n := p.sim.Get("sts_icrc_cnt"); n != 3 {
		t.Errorf("%d patches are counted, want 3", n)
	}
}

// Frames of many lengths without a gap: each beat leaves seven cycles after it came, and every
// ICRC that was right is right.
func TestLineRate(t *testing.T) {
	sizes := []int{60, 61, 63, 64, 65, 66, 124, 125, 126, 127, 128, 129, 130, 1500, 1514, 4096, 4170, 9214}
	r := rand.New(rand.NewPCG(1, 1))
	p := open(t)
	var commands []model.Command
	for i := range 2000 {
		c := model.Command{V6: i&1 != 0, Tags: i / 2 % 3, ICRC: true, EVOn: true, EV: r.Uint32N(1 << 16), UDPZero: true, BECNOn: true, Ask: i/6&1 != 0, ECNOn: true, ECN: 3}
		c.Lane = (c.L4() - 2) / 4
		size := max(sizes[i%len(sizes)], c.L4()+params.LeastUDP)
		c.UDPLen = (size - c.L4()) / 4 * 4
		frame := make([]byte, size)
		for j := range frame {
			frame[j] = byte(r.Uint32())
		}
		binary.LittleEndian.PutUint32(frame[c.ICRCAt():], c.Right(frame))
		commands = append(commands, c)
		p.send(frame, c)
	}
	p.clock(params.Latency)
	if len(p.frames) != len(commands) || len(p.left) != len(p.began) {
		t.Fatalf("%d frames and %d beats left, %d and %d came", len(p.frames), len(p.left), len(commands), len(p.began))
	}
	for i, c := range commands {
		got := p.frames[i]
		if have, want := binary.LittleEndian.Uint32(got[c.ICRCAt():]), c.Right(got); have != want {
			t.Errorf("frame %d, %+v: ICRC %08x, want %08x", i, c, have, want)
		}
		if port := binary.BigEndian.Uint16(got[c.L4():]); uint32(port) != c.EV {
			t.Errorf("frame %d, %+v: port %04x", i, c, port)
		}
	}
	for i := range p.left {
		if d := p.left[i] - p.began[i]; d != params.Latency || p.began[i] != p.began[0]+uint64(i) {
			t.Fatalf("beat %d came in cycle %d and left %d later, want %d later", i, p.began[i], d, params.Latency)
		}
	}
	t.Logf("%d beats in %d cycles", len(p.left), p.left[len(p.left)-1]-p.left[0]+1)
}
