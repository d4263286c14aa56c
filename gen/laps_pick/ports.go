// SPDX-License-Identifier: Apache-2.0

package lapspick

import (
	"fmt"

	"github.com/nicgen/nicgen/gen"
)

// Ports implements gen.Config.
func (p *Params) Ports() []gen.Port {
	var l gen.PortList
	in := func(name, width string, bits int, format, timing, meaning string) {
		l.In(name, width, int64(bits), format, timing, meaning)
	}
	out := func(name, width string, bits int, format, timing, meaning string) {
		l.Out(name, width, int64(bits), format, timing, meaning)
	}
	const flag = "flag"
	paths := int(p.Paths)

	l.Group = "Clock, reset"
	in("clk", "", 1, flag, "", "Clock; everything happens on its rising edge.")
	in("rst", "", 1, flag, "synchronous, active high", "Reset; requests are accepted from the next cycle on.")

	l.Group = "Request"
	with := "with s_pick_valid"
	in("s_pick_valid", "", 1, flag, "taken every cycle", "Requests a pick.")
	in("s_pick_usable", fmt.Sprint(paths), paths, "a flag for each path", with, "The paths that may be picked.")
	in("s_pick_latency", fmt.Sprint(LatencyBits*paths), LatencyBits*paths, fmt.Sprintf("UQ5.9 for each path, path 0 lowest; %d and above: saturated", DeadOctave), with,
		"Latency in octaves: β·log2(e)·realVal. A path is half as likely as one whose latency is one octave less.")
	in("s_pick_tag", "TAG_BITS", int(p.TagBits), "as given", with, "Returned with the answer.")
	if p.Inject {
		n := p.RandomBits()
		in("s_pick_inject", "", 1, flag, with, "Use s_pick_random in place of the generator's bits.")
		in("s_pick_random", fmt.Sprint(n), n, "random bits, as the generator's lowest", "with s_pick_inject", "Random bits.")
	}

	lat := fmt.Sprintf("request + %d cycles", p.PickLatency())
	l.Group = "Answer"
	out("m_pick_valid", "", 1, flag, lat, "The answer to a request; there is one for each, in order.")
	out("m_pick_none", "", 1, flag, lat, "No path is usable.")
	out("m_pick_saturated", "", 1, flag, lat, "At least one path is usable, and all usable paths are saturated.")
	out("m_pick_index", fmt.Sprint(p.IndexBits()), p.IndexBits(), fmt.Sprintf("path, 0 to %d; 0 with m_pick_none", paths-1), lat, "The path.")
	out("m_pick_tag", "TAG_BITS", int(p.TagBits), "as given", lat, "The request's tag.")

	l.Group = "Random generator"
	in("s_seed_valid", "", 1, flag, "taken every cycle",
		fmt.Sprintf("Shift a word into the generator; %d words set all of its state. A request in the same cycle uses the bits from before the shift, and the generator takes no step for it.", (p.StateBits()+15)/16))
	in("s_seed_word", "16", 16, "random bits", "with s_seed_valid", "The word. The shift also sets the lowest bit of each of the generator's blocks.")

	l.Group = "Counters"
	doc := map[string]string{
		"pick": "Requests answered.", "none": "Of these, requests without a usable path.", "saturated": "Of these, requests whose usable paths are all saturated.",
	}
	for _, c := range CounterNames {
		out("sts_"+c+"_cnt", "COUNTER_BITS", int(p.CounterBits), "unsigned, wraps", fmt.Sprintf("request + %d cycles", p.PickLatency()+1), doc[c])
	}
	return l.Ports
}

// Notes implements gen.Noted.
func (p *Params) Notes() string {
	return "## Latencies\n\n" +
		"`s_pick_latency` is β·log2(e)·realVal in octaves. With β' = β·T, where T is the largest base latency of the paths, that is " +
		"1.4427·β'·realVal/T: one multiplication by a constant for each latency that is written. " +
		"Values of " + fmt.Sprint(DeadOctave) + " octaves and above count as saturated."
}
