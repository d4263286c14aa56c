// SPDX-License-Identifier: Apache-2.0

package lapspick

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
	files, err := rtl.Parts("nic_lib_delay")
	if err != nil {
		return nil, err
	}
	modules := []string{"random", "lookup", "laps_pick"}
	if p.Picker == Race {
		modules = []string{"random", "noise", "race", "laps_pick"}
	}
	own, err := texts.Modules(p, p.values(), modules...)
	return append(files, own...), err
}

// values returns the values for the templates.
func (p *Params) values() map[string]any {
	levels := p.Levels()
	last := p.PickLatency() - 1 // stage of the answer
	v := map[string]any{
		"Paths": p.Paths, "Picker": p.Picker, "Race": p.Picker == Race, "Inject": p.Inject, "RandomSeed": p.RandomSeed,
		"NoiseIn": map[string]string{gen.BRAM: gen.MemoryName(gen.BRAM), LUT: "LUTs"}[p.NoiseMemory],
		"Dead":    DeadOctave, "Latency": last + 1, "Levels": levels, "Leaves": 1 << levels,
		"IndexBits": levels, "LatencyW": LatencyBits * p.Paths,
		"LastStage": last, "ForceStage": last - 1,
	}
	p.firstValues(v)
	p.randomValues(v)
	if p.Picker == Race {
		p.raceValues(v)
	} else {
		p.lookupValues(v)
	}
	return v
}

// firstValues are the template's values for the search for the first usable path: in one stage for
// up to four paths, else in two.
func (p *Params) firstValues(v map[string]any) {
	groups, stage := 0, 1
	if p.Paths > 4 {
		groups, stage = int(p.Paths+3)/4, 2
	}
	v["Groups"], v["GroupBits"] = groups, p.Levels()-2
	v["FirstStage"], v["FirstDelay"] = stage, p.PickLatency()-2-stage
}

// randomValues are the template's values for the generator.
func (p *Params) randomValues(v map[string]any) {
	var sizes []string
	for _, b := range p.Blocks() {
		sizes = append(sizes, fmt.Sprint(len(b.Taps)))
	}
	v["Blocks"], v["Sizes"] = p.Blocks(), strings.Join(sizes, ", ")
	v["StateBits"], v["RandomBits"], v["Spare"] = p.StateBits(), p.RandomBits(), p.StateBits() > p.RandomBits()
	v["Words"], v["Seed"] = (p.StateBits()+15)/16, p.seedWords()
}

// Bit returns the place of a block's bit in the state.
func (b Block) Bit(i int) int { return b.First + i }

// Sum returns the exclusive or of state bits in SystemVerilog.
func (Block) Sum(taps []int) string {
	s := make([]string, len(taps))
	for i, t := range taps {
		s[i] = fmt.Sprintf("state_q[%d]", t)
	}
	return strings.Join(s, " ^ ")
}

// race is a level of the race's tree, from stage Before to Stage.
type race struct {
	Level, Stage, Before, Earlier, Nodes, Ties int
	Last                                       bool
	Index                                      string
}

func (p *Params) raceValues(v map[string]any) {
	n, levels := p.Noise(), p.Levels()
	at := int(p.Lanes()) * n.AddrBits
	v["N"], v["Lanes"], v["Block"] = n, p.Lanes(), p.NoiseMemory == gen.BRAM
	v["Width"], v["Size"], v["OctaveAt"] = n.WordBits(), 1<<n.AddrBits, n.DrawBits+n.FractionBits
	v["LowerAt"] = n.DrawBits + n.FractionBits + 5
	v["Low"], v["DitherAt"], v["TieAt"] = FractionBits-n.FractionBits, at, at+n.DitherBits
	v["Unused"] = p.Lanes() > p.Paths
	var list []race
	for l := 1; l <= levels; l++ {
		r := race{Level: l, Stage: l + 1, Before: l, Earlier: l - 1, Nodes: 1 << (levels - l), Ties: levels - l + 1, Last: l == levels}
		r.Index = "second"
		if l > 1 {
			w := l - 1
			r.Index = fmt.Sprintf("{second, second ? p%d_index_q[%d*(2*g+1) +: %d] :\n%sp%d_index_q[%d*(2*g) +: %d]}", l, w, w, strings.Repeat(" ", 18), l, w, w)
		}
		list = append(list, r)
	}
	v["Races"] = list
	if p.NoiseMemory == gen.BRAM {
		v["Table"] = words(1<<n.AddrBits, n.WordBits(), 6, n.Word)
		return
	}
	var tables []noiseBit
	for i := range 5 + n.FractionBits {
		tables = append(tables, noiseBit{
			bitTable(64, i, n.Word),
			bitTable(64, i, func(cell int) uint64 { return n.Word(max(64, cell<<n.CellBits)) }),
		})
	}
	v["Bits"], v["TopBit"], v["Cell"] = tables, n.AddrBits-1, 1<<n.CellBits
}

// noiseBit are the tables of one bit of the noise: for the first 64 addresses, and for
// cells of several addresses.
type noiseBit struct{ Low, High string }

// words lists a table from its last word to its first, some in a line.
func words(n, width, inLine int, word func(int) uint64) string {
	var b strings.Builder
	for i := n - 1; i >= 0; i-- {
		if k := n - 1 - i; k%inLine == 0 {
			if k > 0 {
				b.WriteByte('\n')
			}
			b.WriteString("   ")
		}
		fmt.Fprintf(&b, " %d'h%0*x", width, (width+3)/4, word(i))
		if i > 0 {
			b.WriteByte(',')
		}
	}
	return b.String()
}

// bitTable returns one bit of all words of a table.
func bitTable(n, bit int, word func(int) uint64) string {
	var digits []string
	for i := n - 4; i >= 0; i -= 4 {
		x := uint64(0)
		for j := range 4 {
			x |= (word(i+j) >> bit & 1) << j
		}
		digits = append(digits, fmt.Sprintf("%x", x))
		if i%64 == 0 && i > 0 {
			digits = append(digits, "_")
		}
	}
	return fmt.Sprintf("%d'h%s", n, strings.Join(digits, ""))
}

// The steps of the lookup.
type (
	leastStep struct {
		Stage, Nodes int
		Result       string
	}
	keepStep struct {
		From, To int
		Dead     bool
	}
	sumStep     struct{ Level, Below, Stage, Before, Nodes int }
	descentStep struct {
		Level, Height, Firsts, Pairs  int
		Taken, Ready, Delay, From, To int
		Last                          bool
		Path                          string
	}
)

func (p *Params) lookupValues(v map[string]any) {
	levels, stages := p.Levels(), p.minStages()
	v["Uniform"], v["WeightW"] = UniformBits, WeightBits
	bitsOf := func(name string, width int, word func(int) uint64) {
		var tables, order []string
		for i := range width {
			tables = append(tables, bitTable(64, i, word))
			order = append(order, fmt.Sprintf("%s_%d[f]", strings.ToUpper(name), width-1-i))
		}
		v[name], v[name+"Word"] = tables, strings.Join(order, ", ")
		if len(order) > 7 {
			v[name+"Word"] = "\n      " + strings.Join(order[:7], ", ") + ",\n      " + strings.Join(order[7:], ", ") + "\n    "
		}
	}
	bitsOf("Coarse", 13, CoarseWord)
	bitsOf("Fine", 7, func(i int) uint64 { return FineWord(i>>3, i&7) })

	var mins []leastStep
	done := 0
	for s := 1; s <= stages; s++ {
		step := min(2, levels-done)
		done += step
		in := func(i, of int) string { return fmt.Sprintf("p%d_least_q[5*(%d*g+%d) +: 5]", s-1, of, i) }
		result := in(0, 1)
		switch step {
		case 1:
			result = fmt.Sprintf("least(%s, %s)", in(0, 2), in(1, 2))
		case 2:
			result = fmt.Sprintf("least(\n        least(%s, %s),\n        least(%s, %s))", in(0, 4), in(1, 4), in(2, 4), in(3, 4))
		}
		mins = append(mins, leastStep{s, 1 << (levels - done), result})
	}
	v["Mins"], v["MinStage"] = mins, stages
	shift := stages + 1
	weight := stages + 3
	v["ShiftStage"], v["FineStage"], v["WeightStage"] = shift, shift+1, weight
	// The table is read late, so that no value waits long: waiting costs LUTs.
	table := stages - 1
	var holds, fractions, deads []int
	var keep []keepStep
	for s := 1; s <= stages; s++ {
		holds = append(holds, s)
		if s > 1 {
			keep = append(keep, keepStep{s - 1, s, s <= table})
		}
		if s < table {
			fractions = append(fractions, s)
		}
		if s <= table {
			deads = append(deads, s)
		}
	}
	v["Holds"], v["Fractions"], v["Deads"], v["Keep"] = holds, fractions, deads, keep
	v["TableStage"], v["BeforeTable"] = table, table-1

	var sums []sumStep
	var descents []descentStep
	for l := 1; l <= levels; l++ {
		sums = append(sums, sumStep{l, l - 1, weight + l, weight + l - 1, 1 << (levels - l)})
		d := descentStep{Level: l, Height: levels - l, Firsts: 1 << (l - 1), Pairs: 1 << l / 4, Taken: weight + levels - l,
			From: weight + levels + 1 + l, Last: l == levels}
		d.To, d.Ready = d.From+1, d.From-1
		d.Path = fmt.Sprintf("{p%d_path_q, p%d_second}", d.From, d.From)
		if l == 1 {
			d.Ready, d.Path = d.From, fmt.Sprintf("p%d_second", d.From)
		}
		d.Delay = d.Ready - d.Taken
		descents = append(descents, d)
	}
	total := weight + levels
	v["Sums"], v["FirstSum"], v["TotalStage"], v["Descents"] = sums, weight+1, total, descents
	v["ProductStage"], v["ThresholdStage"], v["FirstDescent"], v["RandomDelay"] = total+1, total+2, total+3, total+1
}
