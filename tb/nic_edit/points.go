// SPDX-License-Identifier: Apache-2.0

package nicedit

import (
	"fmt"

	"github.com/nicgen/nicgen/cosim"
	params "github.com/nicgen/nicgen/gen/nic_edit"
	"github.com/nicgen/nicgen/tb/bench"
)

// Coverage points, by index, in the order of the table in points.
const (
	ptPort  = iota       // of six places
	ptLane  = ptPort + 6 // of 16 lanes
	ptFirst = ptLane + 16
)

const (
	ptSecond = iota + ptFirst + 1
	ptFar
	ptLargest
	ptSkip
	ptSplit
	ptSplitGap
	ptCut
	ptCutHalf
	ptPadded
	ptSame
	ptRow
	ptZeroThen
	ptBECNThen
	ptAskThen
	ptThenGap
	ptNoThen
	ptLabel
	ptClass4
	ptClass6
	ptSum0
	ptSumFFFF
	ptNoChange
	ptSet
	ptCleared
	ptAsk
	ptAskAlone
	ptTags
	ptWrongLane
	ptLabel4
	ptLength
	ptShort
	ptReset
	ptUser
)

// points lists the coverage points; those that a configuration cannot reach are not required.
func points(p *params.Params) []cosim.Point {
	var list bench.Points
	add := list.Add
	for i := range 6 {
		add(fmt.Sprintf("port/%s/%d", [2]string{"v4", "v6"}[i/3], i%3), fmt.Sprintf("the source port of an IPv%d packet with %d tags is written", 4+i/3*2, i%3), true)
	}
	for i := range 16 {
		add(fmt.Sprintf("icrc/lane/%d", i), fmt.Sprintf("an ICRC in word %d of its beat is patched", i), p.ICRC)
	}
	add("icrc/first", "it begins in the first beat", p.ICRC)
	add("icrc/second", "it begins in the second beat", p.ICRC)
	add("icrc/far", "it begins in the 100th beat or later", p.ICRC)
	add("icrc/largest", "the UDP length is 65,532", p.ICRC)
	add("icrc/skip", "its word is below the port's in its beat", p.ICRC)
	add("icrc/split", "it ends in the beat after", p.ICRC)
	add("icrc/split_gap", "so it does, and there is a gap between the two", p.ICRC)
	add("icrc/cut", "the frame ends before it", p.ICRC)
	add("icrc/cut_half", "the frame ends between its first and its last byte", p.ICRC)
	add("icrc/padded", "bytes follow it", p.ICRC)
	add("icrc/same", "the new port is the old one", p.ICRC)
	add("row", "frames of one beat, edited, in consecutive cycles", true)
	add("then/zero", "the UDP checksum of the second beat is set to 0", p.UDPZero)
	add("then/becn", "BECN of the second beat is written", p.BECN)
	add("then/ask", "the A bit of the second beat is inverted", p.Ask)
	add("then/gap", "one of them after a gap", p.UDPZero || p.BECN || p.Ask)
	add("then/none", "a frame without the second beat that would be written, then another one", p.UDPZero || p.BECN || p.Ask)
	add("label", "the flow label is written", p.FlowLabel)
	add("class/v4", "DSCP or ECN of an IPv4 packet is written", p.TrafficClass)
	add("class/v6", "of an IPv6 packet", p.TrafficClass)
	add("sum/0", "the new IPv4 checksum is 0", p.TrafficClass)
	add("sum/ffff", "the old IPv4 checksum is ffff", p.TrafficClass)
	add("sum/same", "DSCP or ECN of an IPv4 packet is written with what is there", p.TrafficClass)
	add("becn/set", "BECN is set where it was not", p.BECN)
	add("becn/cleared", "BECN is cleared where it was set", p.BECN)
	add("ask/set", "the A bit is set where it was not", p.Ask)
	add("ask/alone", "an ICRC is patched for the A bit alone", p.Ask && p.ICRC)
	add("illegal/tags", "three tags", true)
	add("illegal/lane", "a lane that is not that of the port", true)
	add("illegal/label", "a flow label in IPv4", p.FlowLabel)
	add("illegal/length", "an ICRC with a UDP length that is no multiple of 4", p.ICRC)
	add("illegal/short", "an ICRC with a UDP length below 24", p.ICRC)
	add("reset", "a reset in the middle of a frame", true)
	add("user", "a bad frame", true)
	return list
}

// coverage holds the memory of the coverage points.
type coverage struct {
	last  uint64 // cycle of the beat before
	one   bool   // that was an edited frame of one beat
	then  bool   // its frame has edits in the second beat
	split bool   // the next beat has the second half of an ICRC
}

// cover looks at a beat, which begins with byte at of its frame.
func (g *golden) cover(n *bench.Now, b *beat, first bool, at int) {
	c, v := &g.command, &g.cov
	hit := func(point int, is bool) {
		if is {
			g.f.Reached[point]++
		}
	}
	gap := n.Cycle-v.last > 1
	there := func(i int) bool { return i >= at && i < at+params.KeepBits && b.Keep>>(i-at)&1 != 0 }
	l3, l4, icrc := c.L3(), c.L4(), c.ICRCAt()
	if first && !g.legal {
		hit(ptTags, c.Tags > 2)
		lane := c.Tags <= 2 && c.Lane != (l4-2)/4
		hit(ptWrongLane, lane)
		fine := c.Tags <= 2 && !lane
		label := c.EVOn && c.Flow && !c.V6
		hit(ptLabel4, fine && label)
		hit(ptLength, fine && !label && c.UDPLen%4 != 0 && c.UDPLen > params.LeastUDP)
		hit(ptShort, fine && !label && c.UDPLen%4 == 0 && c.UDPLen < params.LeastUDP)
	}
	if first && g.legal {
		place := c.Tags
		if c.V6 {
			place += 3
		}
		hit(ptPort+min(place, 5), c.EVOn && !c.Flow && there(l4+1))
		hit(ptLabel, c.EVOn && c.Flow && there(l3+3))
		class := (c.DSCPOn || c.ECNOn) && there(l3+11)
		hit(ptClass4, class && !c.V6)
		hit(ptClass6, class && c.V6)
		if class && !c.V6 {
			hit(ptSum0, b.data[l3+10] == 0 && b.data[l3+11] == 0)
			hit(ptSumFFFF, g.frame[l3+10] == 255 && g.frame[l3+11] == 255)
			hit(ptNoChange, b.data[l3+1] == g.frame[l3+1])
		}
		hit(ptSame, c.Patched() && c.EV&0xffff == uint32(g.frame[l4])<<8|uint32(g.frame[l4+1]))
		hit(ptUser, b.User)
	}
	hit(ptNoThen, first && v.then)
	edited := first && g.legal && (c.EVOn || c.DSCPOn || c.ECNOn || c.UDPZero || c.BECNOn || c.Ask)
	hit(ptRow, edited && b.Last && v.one && !gap)
	v.one = edited && b.Last
	then := false
	if g.legal && c.UDPZero {
		then = l4+6 >= params.KeepBits
		hit(ptZeroThen, then && there(l4+6))
	}
	if g.legal && c.BECNOn {
		then = then || l4+12 >= params.KeepBits
		hit(ptBECNThen, l4+12 >= params.KeepBits && there(l4+12))
		if there(l4 + 12) {
			was, is := g.frame[l4+12]>>6&1, b.data[l4+12-at]>>6&1
			hit(ptSet, was < is)
			hit(ptCleared, was > is)
		}
	}
	if g.legal && c.Ask {
		then = then || l4+16 >= params.KeepBits
		hit(ptAskThen, l4+16 >= params.KeepBits && there(l4+16))
		hit(ptAsk, there(l4+16) && b.data[l4+16-at]&0x80 != 0)
	}
	hit(ptThenGap, then && at == params.KeepBits && gap)
	v.then = then && first && b.Last
	if g.legal && c.Patched() {
		k := at / params.KeepBits
		if b.patched && there(icrc+1) {
			lane := (icrc - at - 2) / 4
			hit(ptLane+lane, true)
			hit(ptAskAlone, !c.EVOn || c.Flow)
			hit(ptFirst, k == 0)
			hit(ptSecond, k == 1)
			hit(ptFar, k >= 99)
			hit(ptLargest, c.UDPLen == 65532)
			hit(ptSkip, lane < c.Lane)
			hit(ptPadded, there(icrc+4))
			hit(ptCutHalf, b.Last && !there(icrc+3))
		}
		hit(ptSplit, v.split && !first && there(icrc+3))
		hit(ptSplitGap, v.split && !first && there(icrc+3) && gap)
		hit(ptCut, b.Last && icrc >= at+params.KeepBits)
		v.split = b.patched && icrc-at == params.KeepBits-2
	} else {
		v.split = false
	}
	v.last = n.Cycle
}
